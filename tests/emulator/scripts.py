"""What hands do at a board: a game that is always the same, and recorded evenings."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

from tableref_firmware.protocol import FLICKER_CHANGES, FLICKER_LEAK_MS
from tableref_hardware.board import Board

START = ("a1", "b1", "c1", "d1", "a7", "b7", "c7", "d7", "c4")
STEP_S = 0.012  # between two movements of a hand, in emulated time: faster than any hand
PAUSE_S = FLICKER_CHANGES * FLICKER_LEAK_MS / 1000 + 0.1  # after which all changes are forgiven
Move = tuple[str, bool]


def game(board: Board, turns: int) -> list[Move]:
    """Lifts and puts from START on: a piece goes elsewhere, at times where another is taken off."""
    rng = random.Random(7)
    standing = set(START)
    script: list[Move] = []
    for turn in range(turns):
        start = rng.choice(sorted(standing))
        goal = rng.choice(sorted(set(board.cells) - {start}))
        script.append((start, False))
        if goal in standing:
            script.append((goal, False))
        script.append((goal, True))
        standing = standing - {start} | {goal}
        if turn % 3 == 2:  # somebody was not sure
            script += [(goal, False), (goal, True)]
    return script


def evening(records: Path, movements: int) -> tuple[frozenset[str], list[Move]]:
    """The pieces that stand at first, and so many lifts and puts, of recorded games in a row."""
    stands: list[frozenset[str]] = []
    for file in sorted(records.glob("*.json")):
        for step in json.loads(file.read_text())["steps"]:
            cars = step.get("expect", {}).get("cars", {}).values()
            stands.append(frozenset(car["cell"] for car in cars if car["cell"]))
    stands = [stand for stand in stands if stand]
    script: list[Move] = []
    for before, after in itertools.pairwise(stands):
        script += [(cell, False) for cell in sorted(before - after)]
        script += [(cell, True) for cell in sorted(after - before)]
    return stands[0], script[:movements]


def times(script: list[Move]) -> list[float]:
    """When each movement is made, in s: STEP_S apart, and no cell so often that it flickers."""
    made: dict[str, list[float]] = {}
    now, moments = 0.0, []
    for cell, _magnet in script:
        now += STEP_S
        before = made.setdefault(cell, [])
        if len(before) >= FLICKER_CHANGES:
            now = max(now, before[-FLICKER_CHANGES] + PAUSE_S)
        before.append(now)
        moments.append(now)
    return moments
