"""Acknowledgements and heartbeats: few, but never too late for the board."""

from __future__ import annotations

import struct

import pytest
from tests.link.conftest import NewTable, Table, Wire, moves

from tableref.devices.link.cells import CellTable
from tableref.devices.link.ledger import Ledger
from tableref.devices.link.session import ACK_FRAMES, ACK_S, BEAT_S, SYNC_S
from tableref_firmware import protocol as p
from tableref_firmware.framing import Decoder, encode
from tableref_hardware.board import Board


class Sent:
    """The kinds and payloads of what the host says to the board."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self._kinds = Wire(table, monkeypatch).host

    def acknowledged(self) -> list[tuple[int, int]]:
        """(next, resend) of each ACK since the last call."""
        found = [p.unpack(p.ACK, payload) for kind, payload in self._kinds if kind == p.ACK]
        self._kinds.clear()
        return [(number, resend) for number, resend in found]

    def pings(self) -> int:
        """How many PINGs since the last call."""
        found = sum(kind == p.PING for kind, _payload in self._kinds)
        self._kinds.clear()
        return found


@pytest.fixture
def table(new_table: NewTable) -> Table:
    table = new_table()
    table.put("a1")
    table.wait(1.0)
    return table


def test_one_acknowledgement_does_for_several_frames(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = Sent(table, monkeypatch)
    last = table.link.ledger.next
    assert last is not None
    for cell in list(table.board.cells)[1 : 1 + 2 * ACK_FRAMES]:
        table.put(cell)
        table.wait(0.010)
    table.wait(0.5)
    assert sent.acknowledged() == [(last + ACK_FRAMES, 0), (last + 2 * ACK_FRAMES, 0)]


def test_a_single_frame_is_acknowledged_before_the_board_repeats_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, last = Sent(table, monkeypatch), table.link.ledger.next
    assert last is not None
    good = table.link.session.health.good
    table.put("a2")
    assert moves(table.wait(0.006 + ACK_S * 0.5)) == [("a2", True)]
    assert sent.acknowledged() == []
    table.wait(ACK_S)
    assert sent.acknowledged() == [(last + 1, 0)]
    table.wait(0.5)
    assert table.link.session.health.good - good <= 4  # the event once, and heartbeats


def test_a_frame_that_comes_again_is_acknowledged_at_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = table.link.ledger.next
    assert last is not None
    session, now = table.link.session, table.clock()
    again = encode(p.EVENTS, 0, p.pack(p.EVENTS, last - 1, bytes(5)))
    output, items = session.turn(again, now, 10)
    assert items == []
    frames = Decoder().feed(output)
    assert (p.ACK, p.pack(p.ACK, last, 0)) in frames


def test_a_board_that_tells_events_is_asked_only_what_the_clocks_need(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = Sent(table, monkeypatch)
    table.wait(4.0)
    assert abs(sent.pings() - 4.0 / BEAT_S) <= 1
    for cell in list(table.board.cells)[1:]:
        table.put(cell)
        table.wait(0.1)
    assert abs(sent.pings() - 3.7 / SYNC_S) <= 1


def test_no_more_of_a_frame_is_taken_than_there_is_room_for(board: Board) -> None:
    ledger = Ledger(CellTable(board))
    ledger.clock.ping(0.0, 0, 0.0)
    ledger.begin("", 1, True)
    ledger.snapshot(7, 0, True, bytes(8), bytes(8), True)
    three = b"".join(struct.pack("<BI", cell | p.OCCUPIED, 0) for cell in range(3))
    frame = p.pack(p.EVENTS, 7, three)
    assert (len(ledger.events(frame, 2) or ()), ledger.next) == (2, 9)
    assert (ledger.events(frame, 0), ledger.next) == ([], 9)
    assert (len(ledger.events(frame, 2) or ()), ledger.next) == (1, 10)
