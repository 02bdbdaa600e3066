"""A virtual evening of every game, by every sense that its board file names, with mishaps: it ends
as it was played, and nothing is ruled that nobody did. `test_every_table.py` has the same without
people, a hand and a word at a time."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tableref.devices.lights import Light, Lights
from tableref.hosting.darkness import Darkness
from tableref.referee.desk import Desk, Outlet
from tableref.referee.evening import Evening, new_evening
from tableref.referee.eyes import Eye, Lessons, eye, shows_hand
from tableref.referee.games import load_game
from tableref.referee.inputs import Act, Begin, Input, MatSeen, Seen
from tableref.referee.outlets import LightOutlet
from tableref.referee.table import Phase
from tableref.sim.camera import Camera
from tableref.sim.draw import Hand
from tableref.sim.glance import dice, glance
from tableref.sim.mat import Die, VirtualMat
from tableref.sim.mishaps import KINDS
from tableref.sim.moves import Lift, steps
from tableref.sim.people import People
from tableref.sim.room import DiceMat, Room
from tableref.sim.stage import Stage
from tableref_hardware import Board, board_names, load_board
from tableref_vision.camera import Frame
from tableref_vision.dice import mat
from tableref_vision.dice.throw import MatLook

FULL = bool(os.environ.get("TABLEREF_FULL"))
LENGTH = 10_000 if FULL else 16
SEEDS = range(8) if FULL else range(2)
SETUPS: dict[str, list[dict[str, Any]]] = {
    "autoscooter": [{"players": 2}, {"players": 4, "projection": True}],
    "scorpion": [{"players": 2, "cells_per_side": 8}, {"players": 3, "cells_per_side": 6}],
    "squod": [{"players": 2}, {"players": 4}],
}
WINDOWS = ("", "dark", "cut")
"""What is away for a while: nothing, the camera, the switches."""


class SeenMat:
    """A mat that is not drawn but seen as it is."""

    def __init__(self) -> None:
        self.dice: list[Die] = []

    def picture(self, *, hands: Any = ()) -> Any:
        return np.zeros((1, 1, 3), np.uint8)


class Table:
    """An evening that is stepped in virtual time. Its eyes see what is there, without pictures."""

    def __init__(self, folder: Path, evening: Evening, people: People, senses: set[str]) -> None:
        self.evening, self.people = evening, people
        seen: DiceMat = SeenMat()
        self.room = Room(Stage(evening.board, 1), seen, senses, self)
        self.desk = Desk(
            evening.referee, evening.state, evening.journal, evening.teller(),
            [people, *self.outlets()],
        )  # fmt: skip
        self.inputs: list[Input] = []
        self.lay: tuple[Die, ...] = ()
        self.number = 0
        named = tuple(name for name in ("board", "switches", "mat") if name in senses)
        self.give(Begin(0.0, named))

    def outlets(self) -> list[Outlet]:
        """Who is told beside the people."""
        return []

    def give(self, given: Input) -> None:
        self.inputs.append(given)
        self.desk.take(given)

    def look(self, place: str, time: float, hands: tuple[Hand, ...]) -> bool:
        self.number += 1
        name = f"{self.number:05d}"
        if place == "board":
            self.give(Seen(glance(self.room.stage, time, name, bool(hands))))
            return False
        now = tuple(self.room.mat.dice)
        still, self.lay = now == self.lay, now
        self.give(MatSeen(MatLook(time, name, dice(now), still=still, hand=bool(hands))))
        return False

    def play(self, away: str = "") -> None:
        """The whole evening; a sense is `away` for a while in the middle of it."""
        turn, begin = self.people._turn, 6

        def with_window() -> None:
            made = self.people.made
            if away == "dark":
                self.room.camera(not begin <= made < begin + 8)
            if away == "cut":
                self.room.switches(not begin <= made < begin + 8)
            turn()

        self.people._turn = with_window  # type: ignore[method-assign]
        self.people.play(self.room)


def senses_of(board: Board) -> Iterator[set[str]]:
    """Each set of senses that a table of this board may have."""
    eyes = {"board"} if board.senses.board != "none" else set()
    dice = {"mat"} if board.senses.mat else set()
    yield {"switches"} | dice
    if eyes:
        yield eyes | dice
        yield eyes | {"switches"} | dice
    yield set()


def evenings() -> Iterator[Any]:
    for name in board_names():
        for senses in senses_of(load_board(name)):
            for away in WINDOWS:
                if away and not {"board", "switches"} <= senses:
                    continue
                label = "+".join(sorted(senses)) or "by hand"
                yield pytest.param(name, senses, away, id=f"{name}-{label}-{away}".strip("-"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "senses", "away"), list(evenings()))
def test_an_evening_ends_as_it_was_played(
    tmp_path: Path, name: str, senses: set[str], away: str, seed: int
) -> None:
    setups = SETUPS.get(name, [{}])
    setup = setups[seed % len(setups)]
    evening = new_evening(tmp_path, name, setup, [], "virtual:0")
    people = People(evening.referee.game, setup, seed, 0.2, LENGTH)
    table = Table(tmp_path, evening, people, senses)
    table.play(away)
    assert not people.slips, people.slips
    state = table.desk.state
    assert state.phase is Phase.OVER
    assert people.house.outcome(state.table) == people.house.outcome(people.table)
    game = people.game
    assert game.view(state.table.state, None) == game.view(people.table.state, None)
    if {"board", "switches"} & senses:
        assert table.room.stage.stacks().keys() == people.game.board(people.table.state).keys()
    # All of it can be played again.
    again = evening.referee.replayed(evening.state, evening.journal.rows())
    assert again.table == state.table


# -- through pictures -----------------------------------------------------------------------------


class Lamps:
    """The lights under the cells, which shine on the stage."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def show(self, lights: Mapping[str, Light]) -> None:
        self.stage.lights = dict(lights)


class Filmed(Table):
    """The same, with pictures of stage and mat that the real eyes read. A board with switches has
    lights, too; they go out for an eye that they dazzle. `kept`: the file where what is learnt
    stays for the next evening."""

    kept: Path | None = None
    darkness: Darkness | None = None

    def outlets(self) -> list[Outlet]:
        if "switches" not in self.room.senses:
            return []
        lamps: Lights = Lamps(self.room.stage)
        if "board" in self.room.senses and self.room.stage.board.senses.board == "looks":
            lamps = self.darkness = Darkness(lamps, lambda: self.room.now)
        return [LightOutlet(lamps)]

    def look(self, place: str, time: float, hands: tuple[Hand, ...]) -> bool:
        self.number += 1
        stage = self.room.stage
        scene, shone = stage if place == "board" else self.room.mat, bool(stage.lights)
        frame = Frame(scene.picture(hands=hands), time, f"{self.number:05d}")
        darkness = self.darkness if place == "board" else None
        lit = darkness.lit(time) if darkness else stage.lights
        seen = self.eyes[place](frame, lit)
        if darkness is not None:
            darkness.seen(time, any(map(shows_hand, seen)))
        for given in seen:
            self.give(given)
        return place == "board" and shone and not stage.lights

    @property
    def lessons(self) -> Lessons:
        """The pieces are learnt as at a table: by being shown."""
        return Lessons(self.people.game, lambda: self.desk.state, self.kept)

    @cached_property
    def eyes(self) -> dict[str, Eye]:
        return {
            place: eye(place, self.evening.board, {}, {}, None, lessons=self.lessons)
            for place in ("board", "mat")
            if place in self.room.senses
        }


def filmed() -> Iterator[Any]:
    """Each game whose board a camera watches, by it alone; in full with switches and their lights,
    too, and with windows. Every picture is drawn and read, so the normal tier has short evenings,
    and one among lights."""
    for name in board_names():
        if load_board(name).senses.board != "none":
            yield pytest.param(name, {"board"}, "", id=f"{name}-board")
            for away in WINDOWS if FULL else WINDOWS[: name == "arrows-and-stars"]:
                label = f"{name}-board+switches-{away}".strip("-")
                yield pytest.param(name, {"board", "switches"}, away, id=label)


@pytest.mark.parametrize(("name", "senses", "away"), list(filmed()))
def test_an_evening_is_refereed_from_pictures(
    tmp_path: Path, name: str, senses: set[str], away: str
) -> None:
    """Drawn pictures, read by the eye that reads a camera's: mishaps, hands, lights and all."""
    setup = SETUPS.get(name, [{}])[0]
    evening = new_evening(tmp_path, name, setup, [], "virtual:0")
    people = People(evening.referee.game, setup, 5, 0.2, 60 if FULL else 3)
    table = Filmed(tmp_path, evening, people, senses)
    table.play(away)
    assert not people.slips, people.slips
    assert table.desk.state.phase is Phase.OVER


class OneCamera(Filmed):
    """Board and mat lie side by side in view of one camera."""

    BESIDE = 415.0  # mm from the board's middle to the mat's

    def __init__(self, *given: Any) -> None:
        whole = Camera.above(750.0, tilt=8.0, half=410.0, deep=190.0)
        self.camera = replace(whole, size=(1920, 1080))
        self.hands: tuple[Hand, ...] = ()
        super().__init__(*given)

    def look(self, place: str, time: float, hands: tuple[Hand, ...]) -> bool:
        if place == "board":  # the one picture is taken when both have had their hands
            self.hands = hands
            return False
        self.number += 1
        middle = 200.0
        board = self.room.stage.picture(self.camera.bumped(middle, 0.0), self.hands)
        over_mat = self.camera.bumped(middle - self.BESIDE, 0.0)
        scene = self.room.mat
        assert isinstance(scene, VirtualMat)
        x, y = mat.WIDTH / 2, mat.DEPTH / 2
        rim = np.array([(a, b, z) for a in (-x, x) for b in (-y, y) for z in (0, mat.RIM_HEIGHT)])
        mask = np.zeros(board.shape[:2], np.uint8)
        outline = cv2.convexHull(over_mat.project(rim.astype(float)).astype(np.int32))
        cv2.fillConvexPoly(mask, outline, 255)
        picture = np.where(mask[..., None] > 0, scene.picture(over_mat, hands), board)
        frame = Frame(picture, time, f"{self.number:05d}")
        for given in self.both(frame, ()):
            self.give(given)
        return False

    @cached_property
    def both(self) -> Eye:
        return eye("both", self.evening.board, {}, {}, None, lessons=self.lessons)


@pytest.mark.skipif(not FULL, reason="every look is two pictures; the long form is in full")
@pytest.mark.parametrize("table_of", [Filmed, OneCamera], ids=["two cameras", "one camera"])
def test_board_and_mat_are_seen_by_two_cameras_or_by_one(
    tmp_path: Path, table_of: type[Filmed]
) -> None:
    setup = SETUPS["scorpion"][0]
    evening = new_evening(tmp_path, "scorpion", setup, [], "virtual:0")
    people = People(evening.referee.game, setup, 3, 0.8, 40)
    table = table_of(tmp_path, evening, people, {"board", "mat"})
    table.room.mat = VirtualMat(3)
    table.play()
    assert not people.slips, people.slips
    throws = [r for r in evening.journal.rows() if "throw" in r.data.get("action", ())]
    assert len(throws) >= 2


def test_dice_are_refereed_from_pictures(tmp_path: Path) -> None:
    """The first turns: what the nets cannot read is asked and answered, and nothing is wrong."""
    setup = SETUPS["scorpion"][0]
    evening = new_evening(tmp_path, "scorpion", setup, [], "virtual:0")
    people = People(evening.referee.game, setup, 11, 0.2, LENGTH if FULL else 5)
    table = Filmed(tmp_path, evening, people, {"switches", "mat"})
    table.room.mat = VirtualMat(11)
    table.play()
    assert not people.slips, people.slips
    throws = [r for r in evening.journal.rows() if "throw" in r.data.get("action", ())]
    assert len(throws) >= 2


# -- what people do -------------------------------------------------------------------------------


def test_the_same_seed_plays_the_same_evening(tmp_path: Path) -> None:
    told = []
    for number in (1, 2):
        evening = new_evening(tmp_path / str(number), "squod", {}, [], "virtual:0")
        people = People(evening.referee.game, {}, 3, 0.3, LENGTH)
        table = Table(tmp_path, evening, people, {"switches"})
        table.play()
        told.append([given.record() for given in table.inputs])
    assert told[0] == told[1]


def test_all_kinds_of_mishaps_happen_and_are_put_right(tmp_path: Path) -> None:
    happened: Counter[str] = Counter()
    for seed in range(6) if FULL else (0, 5):
        name = ("arrows-and-stars", "autoscooter")[seed % 2]
        evening = new_evening(tmp_path / str(seed), name, {}, [], "virtual:0")
        people = People(evening.referee.game, {}, seed, 0.9, 24 if FULL else 16)
        table = Table(tmp_path, evening, people, {"board", "switches"})
        table.play()
        assert not people.slips, people.slips
        happened += people.mishaps
    assert happened.keys() == {*KINDS}


def test_people_notice_a_wrong_ruling(tmp_path: Path) -> None:
    """A referee that rules what nobody did is found out."""
    evening = new_evening(tmp_path, "arrows-and-stars", {}, [], "virtual:0")
    people = People(evening.referee.game, {}, 3, 0.0, 24)
    table = Table(tmp_path, evening, people, {"board"})
    give = table.give

    def meddle(given: Input) -> None:
        give(given)
        if table.number == 9:
            table.number += 1
            action = next(evening.referee.game.legal(table.desk.state.table.state))
            give(Act(given.time, action.record()))

    table.give = meddle  # type: ignore[method-assign]
    table.play()
    assert people.slips


@pytest.mark.parametrize("name", board_names())
def test_lifts_and_puts_make_one_board_of_another(name: str) -> None:
    game, chance = load_game(name), random.Random(5)
    state = game.start({})
    for _ in range(40):
        action = game.forced(state) or chance.choice(list(game.legal(state)))
        before, state = game.board(state), game.apply(state, action)[0]
        after = game.board(state)
        stands = {cell: list(stack) for cell, stack in before.items()}
        for step in steps(before, after, chance):
            if isinstance(step, Lift):
                stands[step.cell].remove(step.piece)
            else:
                stands.setdefault(step.cell, []).append(step.piece)
        assert {c: Counter(s) for c, s in stands.items() if s} == {
            cell: Counter(stack) for cell, stack in after.items()
        }
        if game.outcome(state):
            break
