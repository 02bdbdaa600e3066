"""A long evening on a bad cable: every event once and in order, and memory that does not shrink.

    python -m tests.link.endurance 100000

The firmware runs under unix MicroPython; one byte in a hundred is damaged, both ways.
"""

from __future__ import annotations

import dataclasses
import sys

from tests.link.rigs import LockstepPico

from tableref.devices.link import LinkLost, Snapshot, SwitchEvent, VirtualLink
from tableref_firmware.protocol import MAX_CELLS
from tableref_hardware.board import Cell, load_board

DAMAGE = 0.01
SAMPLES = 10


def endure(events: int) -> str:
    """Plays so many events; what it cost, in words. AssertionError where anything went wrong."""
    cells = {f"s{n}": Cell(f"s{n}", 0.0, 0.0, n, n) for n in range(MAX_CELLS)}
    board = dataclasses.replace(load_board("autoscooter"), cells=cells)
    pico = LockstepPico(board, seed=5)
    try:
        return _endure(events, VirtualLink(board, Clock(), pico=pico), pico, list(cells)[:-1])
    finally:
        pico.close()


class Clock:
    """Virtual seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def _endure(events: int, link: VirtualLink, pico: LockstepPico, cells: list[str]) -> str:
    clock = link._clock
    assert isinstance(clock, Clock)
    clock.now = 1.0
    list(link)
    third = DAMAGE / 3
    pico.faults.flip, pico.faults.drop, pico.faults.double = third, third, third
    expected: list[tuple[str, bool]] = []
    told: list[tuple[str, bool]] = []
    free: list[int] = []
    losses = turn = 0
    while len(expected) < events:
        turn += 1
        for cell in cells:
            (link.put if turn % 2 else link.lift)(cell)
            expected.append((cell, turn % 2 == 1))
            clock.now += 0.01
            for item in link:
                if isinstance(item, SwitchEvent):
                    told.append((item.cell, item.occupied))
                losses += isinstance(item, LinkLost)
                assert not isinstance(item, Snapshot) or item.complete, "something was given up"
        if len(expected) * SAMPLES // events >= len(free) + 1:
            pico.ask_free = True
            clock.now += 0.001
            list(map(told.append, _moves(link)))
            pico.ask_free = False
            free.append(pico.free)
    pico.faults.flip = pico.faults.drop = pico.faults.double = 0.0
    clock.now += 5.0
    told += _moves(link)
    assert told == expected, f"{len(told)} told of {len(expected)}"
    link.snapshot()
    clock.now += 1.0
    (snapshot,) = [item for item in link if isinstance(item, Snapshot)]
    assert snapshot.occupancy == {cell for cell in cells if turn % 2}
    # What is free differs by what waits at the moment, not by what has gone before.
    assert free[-1] > free[0] - 20_000, f"memory goes: {free}"
    return (
        f"{len(told)} events once and in order, {link.health.bad} bad frames, "
        f"{losses} times lost and resumed, free memory {min(free)} to {max(free)} bytes "
        f"(first {free[0]}, last {free[-1]}), {clock.now:.0f} s of virtual time"
    )


def _moves(link: VirtualLink) -> list[tuple[str, bool]]:
    return [(item.cell, item.occupied) for item in link if isinstance(item, SwitchEvent)]


if __name__ == "__main__":
    print(endure(int(sys.argv[1])))
