"""Virtual players: they plot at random, move cars on a virtual table, and now and then go wrong.

game = VirtualGame(board, seed=3)
game.plots            # what they wrote down, as `table-plots/1`
game.camera()         # a camera over their table, for the referee
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple, Protocol

from tableref.devices.link import VirtualLink
from tableref.referee.games import load_game
from tableref.referee.inputs import CameraTrouble, Input
from tableref.referee.senses.switches import input_of
from tableref.rules.autoscooter import Autoscooter
from tableref.sim.camera import Camera as View
from tableref.sim.draw import Hand
from tableref.sim.materials import Picture
from tableref.sim.stage import Stage
from tableref_hardware import Board
from tableref_vision.camera import Frame

FRAME_SECONDS = 1.0
"""Virtual time between two pictures."""


class Move(NamedTuple):
    """The cars (cell, heading, speed by name) before and after a car-move.

    `legal`: (car, cell, heading) of all that would have been legal.
    """

    before: dict[str, Any]
    after: dict[str, Any]
    legal: set[tuple[str, str, str]]


class VirtualGame:
    """A whole game of Autoscooter by virtual players; the seed decides all of it.

    `mishaps` in 1: how often a car-move goes wrong first and is put right after. Play stops after
    `rounds`.
    """

    def __init__(
        self,
        board: Board,
        setup: dict[str, Any],
        seed: int = 0,
        mishaps: float = 0.04,
        rounds: int = 11,
    ) -> None:
        self._board, self._random, self._mishaps = board, random.Random(seed), mishaps
        self._seed = seed
        game = load_game("autoscooter", board)
        assert isinstance(game, Autoscooter)
        self._moves: list[Move] = []
        played = self._play(game, setup, rounds)
        self.plots: dict[str, Any] = {
            "format": "table-plots/1",
            "game": "autoscooter",
            "setup": setup,
            "rounds": played,
        }

    def _play(self, game: Autoscooter, setup: dict[str, Any], most: int) -> list[dict[str, Any]]:
        """Plays the game in the head; returns the plots of each round."""
        state = game.start(setup)
        rounds: list[dict[str, Any]] = []
        while game.outcome(state) is None and len(rounds) < most:
            plots: dict[str, Any] = {}
            while not state.queue:
                plot = self._plot(game, state)
                plots[plot["car"]] = {"number": plot["number"], "letter": plot["letter"]}
                state, _ = game.apply(state, game.read({"plot": plot}))
            rounds.append({"plots": plots})
            while state.queue:
                before = game.facts(state)["cars"]
                options = game.car_actions(state, game.layout.cars[state.queue[0]])
                ends = [game.facts(game.apply(state, option)[0])["cars"] for option in options]
                state, _ = game.apply(state, self._random.choice(options))
                legal = {(car, *_pose(cars[car])) for cars in ends for car in cars}
                self._moves.append(Move(before, game.facts(state)["cars"], legal))
        return rounds

    def _plot(self, game: Autoscooter, state: Any) -> dict[str, Any]:
        layout = game.layout
        car = next(c for c, owner in enumerate(state.owners) if owner >= 0 and not state.plots[c])
        numbers = [n for r, n in enumerate(layout.numbers[car]) if not state.used[car] >> r & 1]
        speed = state.speeds[car]
        letter = self._random.choice(layout.by_speed[speed]) if speed else None
        number = self._random.choice(numbers)
        return {"car": layout.cars[car], "number": number, "letter": letter}

    def last_cars(self) -> dict[str, Any]:
        """The cars after the last move, as the rules have them."""
        return self._moves[-1].after

    def camera(
        self, give: Callable[[Input], object] | None = None, dark: Collection[int] = ()
    ) -> VirtualCamera:
        """A camera over the table on which the players play; each call begins anew.

        `give` gets what the switches under the board say, in the order in which it happens. The
        pictures with the numbers in `dark` are not there: the camera was away.
        """
        table = Stage(self._board, self._seed, View.above(tilt=12.0, turn=20.0))
        return VirtualCamera(self._pictures(table), dark, Switches(table, give) if give else None)

    def _pictures(self, table: Stage) -> Iterator[Picture | None]:
        """A picture whenever a hand has gone, and some in which it has not. None: a piece is in
        the air, which only the switches notice."""
        chance = random.Random(self._seed + 1)
        table.set_up()
        yield table.picture()
        for move in self._moves:
            before, after = move.before, move.after
            moved = [car for car in after if _pose(after[car]) != _pose(before[car])]
            if moved and chance.random() < self._mishaps:
                yield from self._mishap(table, chance.choice(moved), move, chance)
            for car in after:
                if car in moved:
                    if chance.random() < 0.05:
                        here = self._board.cells[after[car]["cell"]]
                        yield table.picture(hands=(Hand(here.x, here.y, 90.0),))
                    table.lift(car)
                    yield None
                    table.put(car, after[car]["cell"], after[car]["heading"])
                table.mark(car, after[car]["speed"])
            if moved:
                yield table.picture()

    def _mishap(
        self, table: Stage, car: str, move: Move, chance: random.Random
    ) -> Iterator[Picture | None]:
        """A car is set down on a wrong free cell; when the referee has spoken it is put back."""
        before = move.before
        taken = {pose["cell"] for pose in before.values()}
        free = sorted(cell for cell in self._board.cells if cell not in taken)
        wrong = car, *_pose(before[car])
        while wrong in move.legal or wrong[1] in taken:  # a restart may go to most cells
            wrong = car, chance.choice(free), chance.choice(sorted(self._board.headings))
        table.lift(car)
        yield None
        table.put(*wrong)
        yield table.picture()
        table.lift(car)
        yield None
        table.put(car, before[car]["cell"], before[car]["heading"])
        yield table.picture()


def _pose(car: dict[str, Any]) -> tuple[str, str]:
    return car["cell"], car["heading"]


class Magnets(Protocol):
    """A table whose pieces have magnets."""

    @property
    def board(self) -> Board:
        """Whose switches feel them."""
        ...

    def occupied(self) -> frozenset[str]:
        """Cells on which a magnet is felt now."""
        ...


class Switches:
    """The virtual board's switches: the real firmware and host code, in virtual time."""

    def __init__(self, table: Magnets, give: Callable[[Input], object]) -> None:
        self._table, self._give = table, give
        self._now = 0.0
        self._held: frozenset[str] = frozenset()
        self._link = VirtualLink(table.board, lambda: self._now)

    def tell(self, given: Input) -> None:
        """Hands something else to the referee."""
        self._give(given)

    def feel(self, now: float) -> None:
        """Takes the table as it stands, and tells what the link has told by `now` (seconds)."""
        held = self._table.occupied()
        for cell in sorted(self._held - held):
            self._link.lift(cell)
        for cell in sorted(held - self._held):
            self._link.put(cell)
        self._held, self._now = held, now
        for item in self._link:
            given = input_of(item)
            if given is not None:
                self._give(given)


class VirtualCamera:
    """A camera that draws its pictures when they are asked for."""

    waits = True

    def __init__(
        self,
        pictures: Iterator[Picture | None],
        dark: Collection[int] = (),
        switches: Switches | None = None,
    ) -> None:
        self._pictures, self._dark, self._switches = pictures, dark, switches

    def frames(self, after: str = "") -> Iterator[Frame]:
        """Numbered frames, FRAME_SECONDS apart in virtual time, from the game's first on."""
        number, away = 0, False
        for picture in self._pictures:
            time = number * FRAME_SECONDS
            if self._switches is not None:
                self._switches.feel(time - (FRAME_SECONDS / 2 if picture is None else 0.0))
            if picture is None:
                continue
            number += 1
            if number - 1 in self._dark:
                if not away and self._switches is not None:
                    self._switches.tell(CameraTrouble(time, "the virtual camera was unplugged."))
                away = True
                continue
            away = False
            yield Frame(picture, time, f"{number - 1:04d}")

    def close(self) -> None:
        """Nothing to let go."""
