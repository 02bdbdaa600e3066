"""Small positions of Autoscooter in one line each, and what became of them.

    after = scene("red c3E1, orange d3W2").run("red C")
    after.car("red")     # "c3 E 0": cell, heading, speed
    after.gains          # {"red": -1, "orange": 1}: chips by player, "bank" among them

Cars that are not named are parked in the north. With 8 players each is called like his car.
"""

from __future__ import annotations

import re
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.autoscooter import Autoscooter
from tableref.rules.autoscooter.state import State
from tableref.rules.surface import Fact, Ruling

GAME = load_game("autoscooter")
assert isinstance(GAME, Autoscooter)
CARS = GAME.layout.cars
PARKING = ("a7", "b7", "c7", "d7", "e7", "a6", "b6", "c6", "d6", "e6", "f6", "f4", "a1", "e1")
_CAR = re.compile(r"(\w+) ([a-z]\d)([A-Z]+)(\d)")


class Scene:
    """A state, what led to it, and the chips at its beginning."""

    def __init__(self, state: State, facts: tuple[Fact, ...], before: State) -> None:
        self.state, self.facts, self._before = state, facts, before

    def _then(self, state: State, facts: tuple[Fact, ...] = ()) -> Scene:
        return Scene(state, self.facts + facts, self._before)

    # -- going on ---------------------------------------------------------------------------------

    def run(self, plot: str) -> Scene:
        """This car's turn alone: `red K`, `red -` without a letter. A restart halts it."""
        car, letter = plot.split()
        scene = self
        if self.state.owners[GAME.layout.car(car)] >= 0:
            scene = self.plot(f"{car} {self.free(car)}{letter}")
        return scene._then(GAME.alone(scene.state, car)).settle()

    def plot(self, *texts: str) -> Scene:
        """Plots in short notation, announced when the last is there: `red 1K`, `ghost 0P`."""
        scene = self
        for text in texts:
            scene = scene.act(text)
        return scene

    def plot_all(self, **letters: str) -> Scene:
        """All cars' lowest free numbers; letters by car. The round runs until a choice."""
        cars = [c for c, o in zip(CARS, self.state.owners, strict=True) if o >= 0]
        texts = [f"{car} {self.free(car)}{letters.get(car, '-')}" for car in cars]
        return self.plot(*texts).settle()

    def act(self, text: str) -> Scene:
        """One action in short notation. Refused"""
        state, facts = GAME.apply(self.state, GAME.parse(self.state, text))
        return self._then(state, facts)

    def settle(self) -> Scene:
        """What comes next by itself."""
        scene = self
        while (action := GAME.forced(scene.state)) is not None:
            scene = scene._then(*GAME.apply(scene.state, action))
        return scene

    def refusal(self, text: str, player: int | None = None) -> list[str]:
        """The paragraphs that refuse an action, the deciding one first; empty where it is legal."""
        return list(self.ruling(text, player).paragraphs)

    def ruling(self, text: str, player: int | None = None) -> Ruling:
        return GAME.judge(self.state, GAME.parse(self.state, text), player)

    def free(self, car: str) -> int:
        """The car's lowest number that is not crossed out."""
        index = GAME.layout.car(car)
        used = self.state.used[index]
        return min(n for r, n in enumerate(GAME.layout.numbers[index]) if not used >> r & 1)

    # -- looking ----------------------------------------------------------------------------------

    def car(self, name: str) -> str:
        """`c3 E 2`: cell, heading, speed."""
        index = GAME.layout.car(name)
        cell, heading = self.state.pose(index, GAME.layout.cells)
        return f"{cell} {heading} {self.state.speeds[index]}"

    @property
    def gains(self) -> dict[str, int]:
        """Chips won and lost since the beginning, by player; the bank is one."""
        names = (*GAME.players(self.state), "bank")
        pairs = zip(names, chips(self._before), chips(self.state), strict=True)
        return {name: now - before for name, before, now in pairs if now != before}

    @property
    def cases(self) -> list[str]:
        """Paragraph and case of all that happened: `AS-5.4 side`."""
        return [f"{fact.paragraph} {fact.case}" for fact in self.facts]

    @property
    def due(self) -> str:
        """What is awaited and of which car: `restart red`."""
        due = GAME.due(self.state)
        return f"{due.kind} {due.piece}".strip()

    @property
    def order(self) -> list[str]:
        return [CARS[car] for car in self.state.order]

    @property
    def told(self) -> dict[str, Any]:
        return GAME.facts(self.state)


def chips(state: State) -> list[int]:
    """Chips by player, the bank's last."""
    return [*GAME.facts(state)["chips"], state.purses[-1]]


def start(players: int = 8, **options: Any) -> Scene:
    """A game at its start."""
    names = CARS if players == 8 else ()
    state = GAME.start({"players": players, "names": list(names), **options})
    return Scene(state, (), state)


def scene(
    cars: str, players: int = 8, position: dict[str, Any] | None = None, **options: Any
) -> Scene:
    """A position: `red c3E1, orange d3W2`; the other cars are parked."""
    named = {}
    for text in filter(None, cars.split(",")):
        match = _CAR.fullmatch(text.strip())
        assert match, f"not like `red c3E1`: {text!r}"
        named[match[1]] = {"cell": match[2], "heading": match[3], "speed": int(match[4])}
    taken = {pose["cell"] for pose in named.values()}
    free = iter([cell for cell in PARKING if cell not in taken])
    for car in CARS:
        if car not in named:
            named[car] = {"cell": next(free), "heading": "SE", "speed": 0}
    setup = start(players, **options).state.setup._asdict()
    state = GAME.from_position(setup, {"cars": named, **(position or {})})
    return Scene(state, (), state)
