"""The eye for pieces without tags on drawn tables, one behaviour each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import pytest
from tests.vision.disturbed import CHANGES, lit, shadow

from tableref.referee.games import load_game
from tableref.rules.pieces import Piece, Stack, spelled, text_of
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.errors import VisionError
from tableref_vision.opencv import Picture
from tableref_vision.untagged.reader import Reading, UntaggedReader

SETUPS: Mapping[str, dict[str, Any]] = {
    "scorpion": {"players": 4},
    "skorpion-deep": {},
    "squod": {"players": 2},
    "arrows-and-stars": {},
}
TAUGHT: Mapping[str, Mapping[str, str]] = {
    "scorpion": {"Y2": "blue", "Y4": "red", "Y6": "green", "Y8": "white"},
    "skorpion-deep": {"n2": "red", "s2": "blue", "e1": "skorpion", "w1": "tail"},
    "squod": {"a1": "0 rock", "b1": "0 paper", "c1": "0 scissors", "a3": "1 rock"},
}


SHADE = -0.15
"""Where across the picture a shadow begins, -1 to 1."""


class Table:
    """A drawn table of one game, and a reader that has learnt its pieces."""

    def __init__(self, name: str) -> None:
        self.board, self.game = load_board(name), load_game(name)
        self.stacks = spelled(self.game.stacks)
        self.stage = Stage(self.board, seed=3)
        self.reader = UntaggedReader(self.board, self.frame())
        if name in TAUGHT:
            self.show(TAUGHT[name])
            self.reader.learn(self.frame(), TAUGHT[name])
        self.start = self.game.board(self.game.start(SETUPS[name]))
        self.stage.show(self.start)
        self.reader.learn(
            self.frame(), {cell: text_of(stack) for cell, stack in self.start.items()}
        )

    def show(self, cells: Mapping[str, str]) -> None:
        self.stage.show({cell: self.stacks[text] for cell, text in cells.items()})

    def lay(self, text: str, cell: str, x: float, y: float) -> None:
        """Set a piece down so many mm from the middle of a cell, on what is there."""
        name, where = self.stage.stand(self.piece(text), cell), self.board.cells[cell]
        placed = self.stage.pieces[name]
        self.stage.pieces[name] = replace(placed, x=where.x + x, y=where.y + y)

    def frame(self, picture: Picture | None = None) -> Frame:
        return Frame(self.stage.picture() if picture is None else picture, 0.0, "drawn")

    def read(self, picture: Picture | None = None) -> Reading:
        return self.reader.read(self.frame(picture))

    def piece(self, text: str) -> Piece:
        stack: Stack = self.stacks[text]
        return stack[-1]


@lru_cache
def taught(name: str) -> Table:
    return Table(name)


@pytest.fixture
def scorpion() -> Table:
    table = taught("scorpion")
    table.stage.beside, table.stage.coins = [], []
    return table


def stands(reading: Reading) -> dict[str, str]:
    """What is told for sure of the cells that are not empty."""
    sure = {cell: next(iter(may)) for cell, may in reading.cells.items() if len(may) == 1}
    return {cell: text for cell, text in sure.items() if text}


def test_a_disc_is_told_by_its_colour(scorpion: Table) -> None:
    cells = {"Y3": "blue", "Y9": "red", "K5": "green", "K12": "white"}
    scorpion.show(cells)
    reading = scorpion.read()
    assert stands(reading) == cells
    assert not reading.doubts


def test_it_is_told_where_on_its_cell_a_disc_stands(scorpion: Table) -> None:
    scorpion.show({"Y9": "red"})
    [placed] = scorpion.stage.pieces.values()
    cell = scorpion.board.cells["Y9"]
    x, y = scorpion.read().places["Y9"]
    assert np.hypot(cell.x + x - placed.x, cell.y + y - placed.y) < 2.5


def test_a_ball_is_told_by_its_colour_and_its_size() -> None:
    table = taught("skorpion-deep")
    cells = {"n1": "red", "s1": "blue", "e2": "skorpion", "w2": "tail"}
    table.show(cells)
    assert stands(table.read()) == cells


def test_a_token_is_told_by_its_tone_and_lies_face_down_on_a_ramp() -> None:
    table = taught("squod")
    table.stage.show(table.start)
    told = stands(table.read())
    truth = {cell: text_of(stack) for cell, stack in table.start.items()}
    assert told.items() <= truth.items()
    assert {"W11", "W23"} <= told.keys()


def test_a_sign_tells_pieces_of_one_colour() -> None:
    table = taught("arrows-and-stars")
    table.stage.show(table.start)
    told = stands(table.read())
    wrong = {cell for cell, stack in table.start.items() if told.get(cell) != text_of(stack)}
    assert len(wrong) <= 2, "not sure of all"
    assert not wrong & told.keys(), "and wrong of none"


def test_a_star_is_read_as_the_game_has_it_whichever_way_it_lies() -> None:
    table = taught("arrows-and-stars")
    assert table.reader.texts == table.stacks.keys() - {""}
    cells = ("c3", "d5")
    table.stage.show({})
    star = table.piece("white star up")
    for cell, turn in zip(cells, (0.0, 180.0), strict=True):
        place = table.board.cells[cell]
        table.stage.put_at(star, place.x, place.y, 90.0 + turn)
    reading = table.read()
    for cell in cells:
        assert reading.cells[cell] == {"white star up"}, cell


@pytest.mark.parametrize(
    ("lower", "upper"), [("red", "green"), ("green", "white"), ("blue", "blue")]
)
def test_what_sticks_out_from_under_a_disc_is_told(scorpion: Table, lower: str, upper: str) -> None:
    cell = scorpion.board.cells["Y9"]
    scorpion.stage.show({})
    scorpion.stage.put_at(scorpion.piece(lower), cell.x + 3.0, cell.y + 1.0, 0.0)
    scorpion.stage.put_at(scorpion.piece(upper), cell.x - 3.0, cell.y - 1.0, 0.0)
    reading = scorpion.read()
    assert (stands(reading), reading.beneath) == ({"Y9": upper}, {"Y9": lower})
    assert not reading.doubts


@pytest.mark.parametrize("astray", [-2.0, 0.0, 2.0])
def test_what_sticks_out_towards_the_next_cell_is_told_of_its_own(
    scorpion: Table, astray: float
) -> None:
    # A green one on the red one, and another beside them, on the side where the red one is seen.
    scorpion.stage.show({})
    scorpion.lay("red", "K2", astray, -2.0)
    scorpion.lay("green", "K2", 1.0, 2.0)
    scorpion.lay("green", "K3", 1.0, 2.0)
    reading = scorpion.read()
    assert stands(reading) == {"K2": "green", "K3": "green"}
    assert reading.beneath == {"K2": "red"}
    assert not reading.doubts


def test_what_may_lie_under_something_unknown_is_told_of_no_cell(scorpion: Table) -> None:
    # So far from the middle of K2 that it is not told what stands there.
    scorpion.stage.show({})
    scorpion.lay("red", "K2", -2.0, 0.0)
    scorpion.lay("green", "K2", 3.0, 5.0)
    scorpion.lay("green", "K3", 1.0, 2.0)
    reading = scorpion.read()
    assert stands(reading) == {"K3": "green"}
    assert not reading.beneath
    assert "K2" in {doubt.cell for doubt in reading.doubts}


PAIRS = {
    "skorpion tail": ("skorpion", "tail"),
    "skorpion blue": ("blue", "skorpion"),
    "blue red": ("red", "blue"),
}


@pytest.mark.parametrize("change", ["as they are", "light x 0.6", "15 % colder", "blur of 1.5 px"])
@pytest.mark.parametrize("text", PAIRS)
def test_of_two_balls_on_one_cell_never_one_alone_is_told(text: str, change: str) -> None:
    """Either of them in the dimple, the other one touching it from any side; most are told."""
    deep = taught("skorpion-deep")
    first, then = (deep.piece(one) for one in PAIRS[text])
    looks = deep.board.looks
    apart = math.sqrt(looks[first.kind].height * looks[then.kind].height)
    right = 0
    for number, name in enumerate(("gate", "n2", "se3", "w1", "s3", "nw3")):
        cell, way = deep.board.cells[name], math.radians(20.0 + 70.0 * number)
        deep.stage.show({})
        deep.stage.put_at(first, cell.x, cell.y, 0.0)
        deep.stage.put_at(then, cell.x + apart * math.cos(way), cell.y + apart * math.sin(way), 0.0)
        reading = deep.read(CHANGES[change](deep.stage.picture()))
        may = reading.cells[name]
        assert may == {text} or "" in may, (name, may)
        assert {cell for cell, may in stands(reading).items() if may != text} == set()
        right += may == {text}
    assert right >= 5


def test_two_that_were_taught_together_are_among_what_may_stand_on_any_cell() -> None:
    deep = taught("skorpion-deep")
    deep.stage.show({})
    reading = deep.read(shadow(deep.stage.picture()))
    assert all("skorpion tail" in may for may in reading.cells.values())


@pytest.mark.parametrize("name", sorted(SETUPS))
def test_a_burnt_out_board_is_told_as_too_bright(name: str) -> None:
    table = taught(name)
    table.stage.show(table.start)
    burnt = lit(table.stage.picture(), 8.0)
    reading = table.read(burnt)
    assert {doubt.code for doubt in reading.doubts} == {"bright"}
    assert {doubt.cell for doubt in reading.doubts} == table.board.cells.keys()
    assert reading.dim
    with pytest.raises(VisionError, match="burnt out"):
        UntaggedReader(table.board, table.frame(burnt))


@pytest.mark.parametrize("width", [20.3, 21.0, 22.0, 23.0, 24.0, 25.0, 27.0])
def test_a_coin_of_a_piece_s_colour_is_no_two_pieces(scorpion: Table, width: float) -> None:
    looks = scorpion.board.looks
    coins = {kind: replace(look, width=width, length=width) for kind, look in looks.items()}
    stage = Stage(replace(scorpion.board, looks=coins), seed=3)
    for cell in ("K5", "Y12", "Y3"):
        stage.show({cell: scorpion.stacks["white"]})
        reading = scorpion.read(stage.picture())
        assert not reading.beneath
        assert not stands(reading)


@pytest.mark.parametrize(("east", "north"), [(3.0, 0.0), (-3.0, 0.0), (0.0, 3.0), (0.0, -3.0)])
def test_a_disc_is_told_on_every_side_of_its_cell_s_middle(
    scorpion: Table, east: float, north: float
) -> None:
    """A rounding had some cells take it only on one side."""
    cells = [*scorpion.board.cells.values()][::3]
    scorpion.stage.show({})
    for cell in cells:
        scorpion.stage.put_at(scorpion.piece("red"), cell.x + east, cell.y + north, 0.0)
    assert stands(scorpion.read()) == dict.fromkeys((cell.name for cell in cells), "red")


def test_nothing_lies_under_a_disc_that_stands_alone(scorpion: Table) -> None:
    for cells in ({"Y9": "blue", "Y10": "blue"}, {"Y9": "white", "K3": "green"}):
        scorpion.show(cells)
        assert not scorpion.read().beneath


def test_pieces_beside_the_board_are_no_matter(scorpion: Table) -> None:
    scorpion.show({"Y9": "red"})
    scorpion.stage.beside = [scorpion.piece(text) for text in ("red", "blue", "green", "white")]
    reading = scorpion.read()
    assert stands(reading) == {"Y9": "red"}
    assert not reading.doubts


def test_of_a_coin_it_is_said_that_something_lies_there(scorpion: Table) -> None:
    scorpion.show({"Y9": "red"})
    cell = scorpion.board.cells["K5"]
    scorpion.stage.coins = [(cell.x, cell.y)]
    reading = scorpion.read()
    assert stands(reading) == {"Y9": "red"}
    assert [(doubt.code, doubt.cell) for doubt in reading.doubts] == [("something", "K5")]
    assert "" in reading.cells["K5"]


def test_a_piece_between_cells_is_told(scorpion: Table) -> None:
    one, other = scorpion.board.cells["Y9"], scorpion.board.cells["K12"]
    scorpion.stage.show({})
    scorpion.stage.put_at(scorpion.piece("red"), (one.x + other.x) / 2, (one.y + other.y) / 2, 0.0)
    reading = scorpion.read()
    assert not stands(reading)
    assert {doubt.code for doubt in reading.doubts} == {"something"}


def test_the_shadow_of_a_cup_is_no_piece(scorpion: Table) -> None:
    scorpion.show({"Y9": "red"})
    picture = scorpion.stage.picture()
    cell = scorpion.board.cells["K5"]
    view = scorpion.reader.view
    assert view is not None
    column, row = view.pixels(np.array([(cell.x, cell.y, 0.0)]))[0]
    shade = np.ones(picture.shape[:2], np.float32)
    cv2.circle(shade, (round(float(column)), round(float(row))), 34, (0.6,), -1)
    shade = cv2.GaussianBlur(shade, (0, 0), 2.0)
    reading = scorpion.read((picture * shade[..., None]).astype(np.uint8))
    assert stands(reading) == {"Y9": "red"}
    assert "" in reading.cells["K5"]


def test_a_hard_shadow_over_most_of_the_board_makes_no_pieces() -> None:
    """The rest is then brighter than the light that is measured, as pale tokens are."""
    table = taught("squod")
    table.stage.show(table.start)
    picture = table.stage.picture()
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = np.where(x + 0.4 * y > SHADE, 0.72, 1.0)
    reading = table.read((picture * light[..., None]).astype(np.uint8))
    for cell, may in reading.cells.items():
        assert text_of(table.start.get(cell, ())) in may, cell


def test_an_arm_covers_cells_of_which_nothing_is_told(scorpion: Table) -> None:
    scorpion.show({"Y9": "red"})
    cell = scorpion.board.cells["Y9"]
    hand = scorpion.stage.hand_at(cell.x, cell.y)
    reading = scorpion.read(scorpion.stage.picture(hands=(hand,)))
    assert len(reading.cells["Y9"]) > 1
    assert "covered" in {doubt.code for doubt in reading.doubts}
