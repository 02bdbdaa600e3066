"""The outbox against the ledger: whatever is lost between them, the host knows the same board."""

import random
import struct
from collections.abc import Sequence

import pytest

from tableref.devices.link.cells import CellTable
from tableref.devices.link.items import LinkItem, Snapshot, SwitchEvent
from tableref.devices.link.ledger import Ledger
from tableref_firmware import protocol as p
from tableref_firmware.outbox import Outbox
from tableref_firmware.protocol import EVENTS_IN_FRAME, OCCUPIED, OUTBOX_EVENTS
from tableref_hardware.board import Board


def filled(count: int, first: int = 0) -> Outbox:
    """An outbox that the host has seen, with so many events in it."""
    box = Outbox(first)
    box.acknowledge(first)
    for number in range(count):
        box.push(bytes((number & 0xFF,)))
    return box


def test_events_stay_until_they_are_acknowledged() -> None:
    box = filled(3)
    assert box.take() == (0, b"\0\1\2")
    box.rewind()
    box.acknowledge(2)
    assert box.take() == (2, b"\2")
    box.acknowledge(3)
    assert box.idle()


def test_s2_one_event_too_many_gives_all_up_and_wants_a_snapshot() -> None:
    box = filled(OUTBOX_EVENTS)
    assert not box.lost
    box.push(b"x")
    assert (box.lost, len(box), box.overflows) == (True, 0, 1)
    number = box.snapshot_taken()
    assert number == OUTBOX_EVENTS + 1
    box.push(b"y")
    assert box.acknowledge(number)
    assert box.take() == (number, b"y")


def test_while_something_is_lost_an_old_acknowledgement_changes_nothing() -> None:
    box = filled(OUTBOX_EVENTS + 1)
    box.snapshot_taken()
    box.acknowledge(5)
    assert box.lost


def test_an_acknowledgement_of_one_snapshot_is_none_of_the_next() -> None:
    box = filled(0)
    box.begin_anew()
    first = box.snapshot_taken()
    box.begin_anew()
    box.acknowledge(first)
    assert box.lost
    box.acknowledge(box.snapshot_taken())
    assert not box.lost


@pytest.mark.parametrize("number", [-1, 4, 300, 30000])
def test_s10_a_number_that_is_not_there_is_refused(number: int) -> None:
    box = filled(3, first=65534)
    assert not box.acknowledge((65534 + number) & 0xFFFF)


def test_numbers_wrap() -> None:
    box = filled(5, first=65533)
    first, events = box.take()
    assert (first, len(events)) == (65533, 5)
    assert box.acknowledge(2)
    assert box.idle()


def test_no_more_is_under_way_than_one_gap_should_cost() -> None:
    box = filled(200)
    frames = 0
    while box.fresh():
        box.take()
        frames += 1
    assert frames == 4


@pytest.mark.parametrize("seed", range(20))
def test_a_lossy_way_between_outbox_and_ledger_loses_doubles_and_invents_nothing(
    seed: int, board: Board
) -> None:
    rng = random.Random(seed)
    table = CellTable(board)
    ledger = Ledger(table)
    ledger.clock.ping(0.0, 0, 0.0)
    box = Outbox(65400)  # its numbers wrap
    cells = sorted(table.switches)
    true: set[str] = set()
    sent: list[tuple[str, bool]] = []
    told: list[tuple[str, bool]] = []
    seen: set[str] = set()
    gave_up = 0

    def bits() -> bytes:
        return sum(1 << table.numbers[cell] for cell in true).to_bytes(8, "little")

    for step in range(4000):
        if step < 3500 and rng.random() < (0.9 if step % 1000 < 330 else 0.2):
            cell = rng.choice(cells)
            true ^= {cell}
            sent.append((cell, cell in true))
            head = table.numbers[cell] | (OCCUPIED if cell in true else 0)
            box.push(struct.pack("<BI", head, step))
        stuck = step % 1000 < 320 and step < 3500  # then the outbox overflows
        if stuck or rng.random() < 0.3:
            box.rewind()
            continue
        items: Sequence[LinkItem] | None = ()
        if box.lost:
            gave_up += 1
            lost, number = True, box.snapshot_taken()
            if rng.random() < 0.7:
                snapshot, taken = ledger.snapshot(number, step, lost, bits(), bytes(8), False)
                items = [snapshot] if snapshot else []
            else:
                continue
        elif box.fresh():
            first, packed = box.take()
            if rng.random() < 0.3:
                continue
            room = rng.choice((0, 3, 100))
            items, taken = ledger.events(p.pack(p.EVENTS, first, packed), room), room > 0
        else:
            continue
        for item in items or ():
            if isinstance(item, Snapshot):
                seen = set(item.occupancy)
            elif isinstance(item, SwitchEvent):
                assert item.occupied != (item.cell in seen)
                seen ^= {item.cell}
                told.append((item.cell, item.occupied))
        if taken and ledger.next is not None and rng.random() < 0.7:
            assert box.acknowledge(ledger.next)
            if items is None:
                box.rewind()
    assert seen == true == ledger.occupied
    assert gave_up > 1
    position = 0
    for event in told:  # what was told is what was sent, in order, with gaps at most
        position = sent.index(event, position) + 1
    assert len(told) > EVENTS_IN_FRAME * 10
