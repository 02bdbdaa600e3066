"""A frame of events wakes the host: what follows close behind one waits for the next."""

from __future__ import annotations

import pytest
from tests.link.conftest import NewTable, Table, Wire, moves

from tableref.devices.link import LinkBack
from tableref_firmware import protocol as p

GATHER_S = p.GATHER_MS / 1000
SOON_S = 0.005 + 0.003  # debounce, and a turn or two of the board's loop


@pytest.fixture
def table(new_table: NewTable) -> Table:
    table = new_table()
    table.wait(1.0)
    return table


def test_what_happens_after_a_pause_is_told_at_once(table: Table) -> None:
    for cell in ("a1", "a2", "a3"):
        table.put(cell)
        assert moves(table.wait(SOON_S)) == [(cell, True)]
        table.wait(GATHER_S)


def test_what_follows_close_behind_goes_together(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire, cells, told = Wire(table, monkeypatch), list(table.board.cells)[:30], []
    # A hundred events a second for three tenths of one.
    for cell in cells:
        table.put(cell)
        told += table.wait(0.010)
    told += table.wait(SOON_S + GATHER_S - 0.010)
    assert moves(told) == [(cell, True) for cell in cells]
    frames = [payload for kind, payload in wire.board if kind == p.EVENTS]
    assert len(frames) <= 0.7 * len(cells)


def test_a_full_frame_waits_for_nothing(table: Table) -> None:
    cells = list(table.board.cells)
    table.put(cells[0])
    table.wait(SOON_S)
    table.put(*cells[1 : 1 + p.EVENTS_IN_FRAME])
    assert len(moves(table.wait(SOON_S))) == p.EVENTS_IN_FRAME


def test_a_host_that_was_away_for_long_waits_for_no_counter(table: Table) -> None:
    for cell in ("a1", "a2"):  # the second of two frames is acknowledged at once
        table.put(cell)
        table.wait(SOON_S + GATHER_S)
    table.faults.silence = True
    # After this the counter shows a moment before that of the last frame.
    table.wait(0.75 * p.TICKS_PERIOD / 1e6)
    table.faults.silence = False
    assert any(isinstance(item, LinkBack) for item in table.wait(5.0))
    table.lift("a1")
    assert moves(table.wait(SOON_S)) == [("a1", False)]
