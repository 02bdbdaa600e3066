"""Troubles that others had with their links, S1 to S14, on both interpreters in virtual time."""

import logging
import random

import pytest
from tests.link.conftest import NewTable, Table, moves
from tests.link.endurance import endure

from tableref.devices.link import (
    CellUnsteady,
    LinkBack,
    LinkItem,
    LinkLost,
    Snapshot,
    SwitchEvent,
    VirtualPico,
)
from tableref.devices.link.errors import BoardRestarted, BoardSilent, WrongFirmware
from tableref.devices.link.session import LOST_S, Phase, Session
from tableref_firmware import protocol as p
from tableref_firmware.framing import encode
from tableref_hardware.board import Board

USB_BYTES_PER_S = 14_900  # measured on an emulated RP2040


def test_s1_lifts_while_the_host_is_busy_arrive_in_order_once_each(new_table: NewTable) -> None:
    table = new_table()
    cells = list(table.board.cells)[:30]
    table.put(*cells)
    table.wait(1.0)
    table.link.paused = True
    for cell in cells:
        table.lift(cell)
        table.wait(2.0 / 30)
    table.link.paused = False
    assert moves(table.wait(1.5)) == [(cell, False) for cell in cells]


def test_s1_a_reader_that_does_not_read_loses_nothing(table: Table) -> None:
    """The queue of the host is full: the board keeps what does not fit."""
    table.link.queue = 3
    for _ in range(4):
        for act in (table.link.put, table.link.lift):
            act("a1")
            table.clock.now += 0.3
    table.link.snapshot()
    assert table.link.session.starved
    told = [item for _ in range(4) for item in table.wait(0.5)]
    assert moves(told) == [("a1", True), ("a1", False)] * 4
    assert isinstance(told[-1], Snapshot)


def test_s2_an_overflow_on_the_board_leads_to_a_snapshot(table: Table) -> None:
    table.faults.silence = True
    rng = random.Random(2)
    cells = list(table.board.cells)
    standing: set[str] = set()
    for _ in range(300):
        cell = rng.choice(cells)
        (table.lift if cell in standing else table.put)(cell)
        standing ^= {cell}
        table.wait(0.02)
    table.faults.silence = False
    items = table.wait(6.0)
    snapshot = next(item for item in items if isinstance(item, Snapshot))
    assert not snapshot.complete
    assert snapshot.occupancy | snapshot.unsteady >= standing
    assert table.occupancy() == standing


def test_s2_an_overflow_flag_is_never_missed(table: Table) -> None:
    table.put("a1")
    table.faults.silence = True
    table.wait(0.1)
    table.faults.overflow = True
    table.wait(0.1)
    table.faults.silence = False
    (snapshot,) = table.wait(1.0)
    assert snapshot == Snapshot(
        frozenset({"a1"}), frozenset(), snapshot.time, snapshot.error, False
    )


@pytest.mark.parametrize("fault", ["flip", "drop", "double"])
def test_s3_damaged_bytes_lose_double_and_invent_nothing(table: Table, fault: str) -> None:
    table.faults.set(fault, "0.02")
    rng = random.Random(3)
    cells = list(table.board.cells)
    sent, told, standing = [], [], set()
    for _ in range(150):
        cell = rng.choice(cells)
        (table.lift if cell in standing else table.put)(cell)
        standing ^= {cell}
        sent.append((cell, cell in standing))
        told += table.wait(0.15)
    told += table.wait(2.0)
    assert moves(told) == sent
    assert table.link.session.health.bad > 20
    assert not any(isinstance(item, LinkLost) for item in told)


def test_s3_the_link_recovers_within_a_second_of_a_burst(table: Table) -> None:
    for _ in range(20):
        table.faults.garbage = 300
        table.put("c4")
        assert moves(table.wait(0.5)) == [("c4", True)]
        table.lift("c4")
        assert moves(table.wait(0.5)) == [("c4", False)]


def test_s4_garbage_before_hello_is_skipped(new_table: NewTable) -> None:
    table = new_table()
    table.faults.garbage = 4096
    table.faults.reset = True
    kinds = [type(item) for item in table.wait(2.0)]
    assert kinds == [LinkLost, LinkBack, Snapshot]


def test_s5_a_board_that_boots_for_two_seconds_is_no_trouble(board: Board, firmware: type) -> None:
    pico = firmware(board)
    pico.faults.silence = True  # its bootloader
    table = Table(board, pico)
    assert table.wait(2.0) == []
    table.faults.garbage = 200
    table.faults.silence = False
    kinds = [type(item) for item in table.wait(0.9)]
    assert kinds == [LinkBack, Snapshot]
    getattr(pico, "close", int)()


def test_s8_another_protocol_is_refused_with_both_versions_and_the_cure(table: Table) -> None:
    older = bytes((p.PROTOCOL + 1,)) + (0xABCD).to_bytes(4, "little") + bytes((3, 1, 4)) + b"more"
    table.link.pico.hardware.output = encode(p.HELLO, 200, older)
    lost = next(item for item in table.wait(0.1) if isinstance(item, LinkLost))
    assert isinstance(lost.reason, WrongFirmware)
    for word in ("3.1.4", f"protocol {p.PROTOCOL + 1}", f"speaks {p.PROTOCOL} ", "board flash"):
        assert word in str(lost.reason)


def test_s8_the_same_version_with_another_table_is_refused(table: Table) -> None:
    other = bytes((p.PROTOCOL,)) + (p.HASH ^ 1).to_bytes(4, "little") + bytes((0, 1, 0))
    table.link.pico.hardware.output = encode(p.HELLO, 200, other)
    lost = next(item for item in table.wait(0.1) if isinstance(item, LinkLost))
    assert isinstance(lost.reason, WrongFirmware)


def test_s9_by_calculation_the_budget_is_under_30_percent() -> None:
    over_a_minute = p.BUDGET_BURST + 60 * p.BUDGET_BYTES_PER_S
    assert over_a_minute < 0.30 * 60 * USB_BYTES_PER_S
    # And chatter stays within the budget without waiting: a cell tells no more than
    # FLICKER_CHANGES changes, that it flickers and that it is calm in each CALM_MS.
    events = p.MAX_CELLS * (p.FLICKER_CHANGES + 2) / (p.CALM_MS / 1000)
    frames = events / p.EVENTS_IN_FRAME
    assert 5 * events + 12 * frames < p.BUDGET_BYTES_PER_S


def test_s9_whatever_the_host_asks_the_board_keeps_to_its_budget(table: Table) -> None:
    before, began = table.link.health.bytes_in, table.clock()
    for _ in range(500):
        for question in (p.ASK_STATS, p.ASK_LOG, p.SNAP, p.ASK):
            table.link.session.send(question)
        table.wait(0.01)
    sent = table.link.health.bytes_in - before
    seconds = table.clock() - began
    assert 0.9 * p.BUDGET_BYTES_PER_S * seconds < sent
    assert sent <= p.BUDGET_BURST + p.BUDGET_BYTES_PER_S * seconds


@pytest.mark.parametrize("period", [0.012, 0.026, 0.052, 0.26])
def test_s9_64_chattering_sensors_stay_under_30_percent(
    new_table: NewTable, full_board: Board, period: float
) -> None:
    table = new_table(board=full_board)
    cells = list(full_board.cells)
    before, began = table.link.health.bytes_in, table.clock()
    while table.clock() < began + 5.0:
        # Half of them go down while the other half comes up.
        for one, other in ((cells[::2], cells[1::2]), (cells[1::2], cells[::2])):
            table.put(*one)
            table.lift(*other)
            table.wait(period / 2)
    rate = (table.link.health.bytes_in - before) / (table.clock() - began)
    assert 100 < rate < 0.30 * USB_BYTES_PER_S
    table.lift(*cells)
    table.wait(3.0)
    assert table.occupancy() == frozenset()


def test_s10_ten_thousand_events_across_the_wrap_with_resends(
    new_table: NewTable, full_board: Board, firmware: type[VirtualPico]
) -> None:
    turns = 160 if firmware is VirtualPico else 32
    table = new_table(board=full_board)
    table.link.pico.hardware.boot = 65_000  # its first event's number
    table.faults.reset = True
    table.wait(1.0)
    first = table.link.ledger.next
    assert first is not None
    table.faults.drop = 0.002
    cells = list(full_board.cells)[:-1]
    told = []
    for turn in range(turns):
        for cell in cells:
            (table.lift if turn % 2 else table.put)(cell)
        told += table.wait(0.6)
    told += table.wait(2.0)
    assert moves(told) == [(cell, turn % 2 == 0) for turn in range(turns) for cell in cells]
    assert table.link.ledger.next == (first + 63 * turns) % 65_536


@pytest.mark.parametrize("number", [30_000, 65_535])
def test_s10_a_number_that_is_forgotten_leads_to_a_snapshot_and_no_loop(
    table: Table, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.put("a1")
    table.wait(0.5)
    session, before = table.link.session, table.link.session.health.bytes_in
    receive, came = Session._receive, list[int]()

    def listen(self: Session, now: float, kind: int, fields: tuple[object, ...]) -> None:
        came.append(kind)
        receive(self, now, kind, fields)

    monkeypatch.setattr(Session, "_receive", listen)
    session.send(p.ACK, number, 1)
    assert table.wait(0.2) == []  # nothing was lost, and nothing is told twice
    assert 1 <= came.count(p.SNAPSHOT) <= 3
    table.lift("a1")
    assert moves(table.wait(0.5)) == [("a1", False)]
    assert session.health.bytes_in - before < 400


def test_s11_a_silent_board_is_lost_within_a_second_and_found_again(table: Table) -> None:
    table.put("a1")
    table.wait(1.0)
    table.faults.silence = True
    items = table.wait(1.0)
    (lost,) = items
    assert isinstance(lost, LinkLost)
    assert isinstance(lost.reason, BoardSilent)
    table.wait(20.0)
    table.put("b1")
    table.wait(0.1)
    table.faults.silence = False
    found = table.wait(1.0)
    assert isinstance(found[0], LinkBack)
    # The board ran on and kept its events: they come before the snapshot, which adds nothing.
    assert moves(found) == [("b1", True)]
    assert found[-1].occupancy == {"a1", "b1"}
    assert found[-1].complete


def test_s11_another_board_is_not_taken_for_the_one_that_was_lost(table: Table) -> None:
    table.link.ledger.unit = "00" * 8
    table.faults.reset = True
    items = table.wait(5.0)
    assert [type(item) for item in items] == [LinkLost]
    assert "another board" in str(table.link.session.failed)


def test_s14_a_host_that_slept_longer_than_the_counter_starts_over(table: Table) -> None:
    table.put("a1")
    table.wait(1.0)
    table.link.paused = True
    table.lift("a1")
    table.wait(700.0)
    table.put("b1")
    table.wait(0.1)
    table.link.paused = False
    items = table.wait(2.0)
    assert [type(item) for item in items] == [LinkLost, LinkBack, Snapshot]
    assert (items[-1].occupancy, items[-1].complete) == ({"b1"}, False)
    assert abs(items[-1].time - table.clock()) < 2.0


def test_s14_a_lift_that_waited_for_minutes_keeps_its_time(table: Table) -> None:
    table.put("a1")
    table.wait(1.0)
    table.faults.silence = True
    true = table.clock()
    table.lift("a1")
    table.wait(200.0)
    table.faults.silence = False
    (event,) = [item for item in table.wait(2.0) if isinstance(item, SwitchEvent)]
    assert abs(event.time - true) <= event.error + 0.001


def test_s11_a_short_silence_is_no_loss(table: Table) -> None:
    table.faults.silence = True
    table.put("a1")
    assert table.wait(LOST_S - 0.3) == []
    table.faults.silence = False
    assert moves(table.wait(0.6)) == [("a1", True)]


def test_s13_many_bad_frames_are_warned_of_with_a_hint(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.faults.flip = 0.01
    for _ in range(80):
        table.wait(0.5)
    warnings = [r.getMessage() for r in caplog.records if "damaged" in r.getMessage()]
    assert warnings
    assert "cable" in warnings[0]
    assert "power" in warnings[0]


def test_s13_a_good_link_is_not_warned_of_and_reports_at_a_fixed_period(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "tableref.link"):
        table.wait(190.0)
    lines = [record.getMessage() for record in caplog.records]
    for side in ("link: ", "board: {'good'"):
        assert len([line for line in lines if line.startswith(side)]) == 3
    assert not any("damaged" in line for line in lines)


def test_s13_a_failure_leaves_the_last_frames_in_the_log(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tableref.link")
    table.put("a1")
    table.wait(0.5)
    table.faults.silence = True
    table.wait(1.0)
    lines = [record.getMessage() for record in caplog.records]
    assert any("link failed: the board has said nothing" in line for line in lines)
    assert any("<- EVENTS" in line for line in lines)
    assert any("-> PING" in line for line in lines)
    assert len(lines) <= 40


def test_s14_event_times_hold_over_idle_time_and_wraps_of_the_counter(
    new_table: NewTable, firmware: type[VirtualPico]
) -> None:
    table = new_table()
    hardware = table.link.pico.hardware
    hardware.rate = 1 + 60e-6  # a crystal that is fast
    hardware.first_ticks = p.TICKS_PERIOD - 20_000_000  # 20 s to the wrap
    table.faults.reset = True
    table.wait(2.0)
    last = 0.0
    for idle in (30.0, 1100.0) if firmware is VirtualPico else (30.0, 60.0):
        table.wait(idle)
        for act in (table.put, table.lift):
            true = table.clock()
            act("a1")
            (event,) = table.wait(0.4)
            assert isinstance(event, SwitchEvent)
            assert abs(event.time - true) <= event.error + 0.001
            assert event.error < 0.002
            assert event.time >= last
            last = event.time


def test_a_reset_of_the_board_is_told_and_mended(table: Table) -> None:
    table.put("a1")
    table.wait(0.5)
    table.faults.reset = True
    lost, back, snapshot = table.wait(1.5)
    assert isinstance(lost.reason, BoardRestarted)
    assert isinstance(back, LinkBack)
    assert (snapshot.occupancy, snapshot.complete) == ({"a1"}, False)


def test_a_lift_right_before_a_reset_is_in_the_snapshot(table: Table) -> None:
    table.put("a1")
    table.wait(0.5)
    table.lift("a1")
    table.wait(0.002)
    table.faults.reset = True
    items = table.wait(1.5)
    assert items[-1].occupancy == frozenset()


def test_m10_a_flickering_cell_is_named_and_its_flicker_is_not_play(table: Table) -> None:
    items = []
    for _ in range(40):
        table.put("c4")
        items += table.wait(0.05)
        table.lift("c4")
        items += table.wait(0.05)
    assert len(moves(items)) <= 8
    assert [i.unsteady for i in items if isinstance(i, CellUnsteady)] == [True]
    told = moves(items)[-1] == ("c4", True)
    (table.lift if told else table.put)("c4")
    (calm, event) = table.wait(2.0)
    assert calm == CellUnsteady("c4", False, calm.time, calm.error)
    assert (event.cell, event.occupied) == ("c4", not told)


def test_a_stuck_switch_tells_nothing_and_the_others_do(table: Table) -> None:
    table.faults.stuck = "a1"
    table.wait(0.1)
    table.put("a1", "b1")
    assert moves(table.wait(0.5)) == [("b1", True)]
    table.faults.stuck = ""
    assert moves(table.wait(0.5)) == [("a1", True)]


def test_a_bouncing_switch_is_one_event(table: Table) -> None:
    table.faults.bounce = 12
    for act, occupied in ((table.put, True), (table.lift, False)):
        act("a1")
        assert moves(table.wait(0.6)) == [("a1", occupied)]


def test_a_slow_line_delays_and_loses_nothing(table: Table) -> None:
    table.faults.slow = 600  # bytes a second
    for cell in ("a1", "b1", "c1"):
        table.put(cell)
        table.wait(0.3)
    assert table.link.session.phase is Phase.READY
    assert table.occupancy() == {"a1", "b1", "c1"}


def test_a_broken_switch_chain_makes_all_cells_unsteady_and_invents_nothing(
    table: Table,
) -> None:
    table.put("a1")
    table.wait(0.5)
    table.link.pico.hardware.chain_whole = False
    assert table.wait(0.08) == []
    (broken,) = table.wait(1.0)
    assert broken.unsteady == frozenset(table.board.cells)
    assert table.link.session.chain_broken
    table.lift("a1")
    table.link.pico.hardware.chain_whole = True
    (whole,) = table.wait(1.0)
    assert (whole.occupancy, whole.unsteady) == (frozenset(), frozenset())


def test_a_chain_that_comes_back_within_a_reading_invents_no_lift(table: Table) -> None:
    table.put("a1")
    table.wait(0.5)
    table.link.pico.hardware.chain_whole = False
    table.wait(1.0)
    # The plug goes in while the first registers are being read: they read as empty.
    table.link.pico.hardware.chain_late = 7
    (whole,) = table.wait(1.0)
    assert (whole.occupancy, whole.unsteady) == ({"a1"}, frozenset())


def test_a_shaking_cable_invents_nothing(table: Table) -> None:
    table.put("a1", "b2")
    table.wait(0.5)
    for _ in range(50):
        table.link.pico.hardware.chain_whole = False
        assert table.wait(0.03) == []
        table.link.pico.hardware.chain_whole = True
        assert table.wait(0.01) == []


def test_a_line_that_dies_and_comes_back_within_readings_invents_nothing(table: Table) -> None:
    table.put("a1")
    table.wait(0.5)
    hardware = table.link.pico.hardware
    told: list[LinkItem] = []
    for _ in range(20):
        hardware.chain_late = 7  # and whole again for the next reading
        told += table.wait(0.01)
        hardware.chain_whole = False
        told += table.wait(0.01)
        hardware.chain_late = 7
        hardware.chain_whole = False
        told += table.wait(0.001)
        hardware.chain_whole = False
        told += table.wait(0.01)
    hardware.chain_whole = True
    told += table.wait(0.5)
    assert told == []
    table.lift("a1")
    assert moves(table.wait(0.5)) == [("a1", False)]


def test_s3_an_evening_on_a_bad_cable_shortened() -> None:
    """The whole of it is in `make fuzz`: 100,000 events, one byte in a hundred damaged."""
    assert endure(1000).startswith("1008 events")
