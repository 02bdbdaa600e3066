"""Positions of Autoscooter in plain data: what `facts` tells, what a correction sets (HR-2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableref.rules.autoscooter import purses, rounds
from tableref.rules.autoscooter.layout import HEADINGS, Layout, heading
from tableref.rules.autoscooter.state import State
from tableref.rules.plain import entries, only_known, table, whole
from tableref.rules.surface import Record, SetupError

FASTEST = 3
_TOLD = ("order", "waiting", "winners", "scores")
"""Keys of the facts that follow from the others; a position may repeat them."""
_SET = ("cars", "chips", "colours", "used", "round")


def facts(layout: Layout, state: State, waiting: str | None) -> dict[str, Any]:
    """Everything that lies open, in the keys of `expect`; `waiting` is the kind of what is due."""
    told: dict[str, Any] = {
        "round": min(state.round, layout.rounds),
        "order": [layout.cars[car] for car in state.order],
        "cars": {
            name: {"cell": layout.cells[cell], "heading": HEADINGS[nose], "speed": speed}
            for name, cell, nose, speed in zip(
                layout.cars, state.cells, state.headings, state.speeds, strict=True
            )
        },
        "used": {
            layout.cars[car]: _numbers(layout, state, car)
            for car, owner in enumerate(state.owners)
            if owner >= 0 and not state.setup.paper
        },
        "chips": list(purses.chips(state)),
        "waiting": waiting,
        "winners": list(rounds.winners(state)) if state.ended else None,
    }
    if state.setup.colour_scoring:
        told["colours"] = purses.told_colours(layout, state)
        told["scores"] = list(purses.scores(state))
    return told


def _numbers(layout: Layout, state: State, car: int) -> list[int]:
    """Numbers of the car's column that are crossed out, from the top."""
    return [n for row, n in enumerate(layout.numbers[car]) if state.used[car] >> row & 1]


def placed(layout: Layout, state: State, position: Record) -> State:
    """A start with this position laid over. SetupError

    Every car has used one number in every round that is over, so `used` tells the round.
    """
    used = table(position, "used", "position", optional=True)
    if used and "round" not in position:
        over = max(len(entries(numbers, f"used.{name}", int)) for name, numbers in used.items())
        position = {**position, "round": over + 1}
    return corrected(layout, state, position)


def corrected(layout: Layout, state: State, position: Record) -> State:
    """The state with what the position names set to what it says (HR-2.2). SetupError"""
    only_known(position, "position", _SET + _TOLD)
    state = _with_cars(layout, state, table(position, "cars", "position", optional=True))
    state = _with_used(layout, state, table(position, "used", "position", optional=True))
    if "round" in position:
        number = whole(position["round"], "position: round", 1, layout.rounds)
        state = state._replace(round=number)
    _check_numbers_left(layout, state)
    if "colours" in position:
        state = purses.with_colours(layout, state, position["colours"])
    return purses.with_chips(state, position["chips"]) if "chips" in position else state


def _with_cars(layout: Layout, state: State, cars: Record) -> State:
    cells, headings, speeds = (list(x) for x in (state.cells, state.headings, state.speeds))
    for name in cars:
        where, car = f"cars.{name}", layout.car(name)
        pose = table(cars, name, "position: cars")
        only_known(pose, where, ("cell", "heading", "speed"))
        cells[car] = layout.cell(pose.get("cell", layout.cells[cells[car]]))
        headings[car] = heading(pose.get("heading", HEADINGS[headings[car]]))
        speeds[car] = whole(pose.get("speed", speeds[car]), f"{where}.speed", 0, FASTEST)
    if len(set(cells)) < len(cells):
        twice = next(cell for cell in cells if cells.count(cell) > 1)
        raise SetupError(f"position: two cars stand on {layout.cells[twice]}")
    return state._replace(cells=tuple(cells), headings=tuple(headings), speeds=tuple(speeds))


def _with_used(layout: Layout, state: State, told: Mapping[str, Any]) -> State:
    used = list(state.used)
    for name, numbers in told.items():
        car = layout.car(name)
        used[car] = 0
        for number in entries(numbers, f"used.{name}", int):
            if number not in layout.numbers[car]:
                raise SetupError(f"used.{name}: {number!r} is not in its column (AS-3.1)")
            used[car] |= 1 << layout.numbers[car].index(number)
    return state._replace(used=tuple(used))


def _check_numbers_left(layout: Layout, state: State) -> None:
    """Every car needs a number in every round to come (AS-3.1)."""
    for car, owner in enumerate(state.owners):
        if owner < 0:
            continue
        moved = bool(state.queue) and car not in state.queue
        needed = layout.rounds - state.round + (not moved)
        left = layout.rounds - state.used[car].bit_count()
        if left < needed:
            raise SetupError(
                f"used.{layout.cars[car]}: {left} numbers are left for {needed} rounds (AS-3.1)"
            )
