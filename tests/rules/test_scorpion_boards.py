"""The board files of Scorpion and Skorpion Deep, and the shapes of cells that they bring."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from tests.rules.scorpions import DEEP, SCORPION

from tableref_hardware import BoardFileError, load_board, read_board

TRACK = """
format = "table-board/1"
game = "scorpion"
title = "T"
plate = { width = 370, depth = 370, top = 20 }
[cells]
shape = "track"
near = 9
askew = 0
cells_per_side = 4
pitch = 20
lanes = 30
x = 0
y = 0
heading = 90
bends = [[40, 0], [62.8318530718, 90]]
"""


def test_cells_lie_opposite_each_other_and_discs_do_not_touch() -> None:
    cells = load_board("scorpion").cells
    for number in range(1, 21):
        yellow, black = cells[f"Y{number}"], cells[f"K{21 - number}"]
        assert math.dist((yellow.x, yellow.y), (black.x, black.y)) == pytest.approx(30)
    nearest = min(math.dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(cells.values(), 2))
    assert nearest > 18.5


@pytest.mark.parametrize(("name", "reach"), [("scorpion", 9.0), ("skorpion-deep", 8.0)])
def test_every_piece_lies_on_the_plate_and_clear_of_the_corner_tags(
    name: str, reach: float
) -> None:
    board = load_board(name)
    for cell in board.cells.values():
        assert max(abs(cell.x), abs(cell.y)) + reach < board.plate.width / 2
        for tag in board.corner_tags:
            away = max(abs(cell.x - tag.x), abs(cell.y - tag.y))
            assert away - reach > tag.square * 2 / 3


@pytest.mark.parametrize(("name", "game"), [("scorpion", SCORPION), ("skorpion-deep", DEEP)])
def test_the_board_knows_the_cells_that_the_rules_know(name: str, game: object) -> None:
    state = SCORPION.start({})
    known = state.track.cells[1:-1] if game is SCORPION else DEEP.layout.names
    board = load_board(name)
    assert set(board.cells) == set(known)
    assert all(cell.switch is not None for cell in board.cells.values())
    assert all(cell.light is not None for cell in board.cells.values())


def test_a_track_follows_its_bends() -> None:
    cells = read_board(TRACK, "here").cells
    assert list(cells) == ["Y1", "K4", "Y2", "K3", "Y3", "K2", "Y4", "K1"]
    # Northwards at first, yellow on the left, black on the right.
    assert (cells["Y1"].x, cells["Y1"].y) == pytest.approx((-15, 10))
    assert (cells["K4"].x, cells["K4"].y) == pytest.approx((15, 10))
    # Then a quarter turn to the left round (-40, 40): yellow inside, black outside.
    for name, radius in (("Y3", 25), ("Y4", 25), ("K2", 55), ("K1", 55)):
        assert math.dist((cells[name].x, cells[name].y), (-40, 40)) == pytest.approx(radius)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("bends = [[40, 0]", "bends = [[4, 0]", "bends"),
        ("lanes = 30", "", "lanes"),
        ("x = 0", "x = []", "cells.x"),
        ("cells_per_side = 4", "cells_per_side = 0", "cells_per_side"),
        ("bends = [[40, 0]", "bends = [[-1, 0]", "bends"),
    ],
)
def test_a_track_that_cannot_be_laid_is_named(old: str, new: str, key: str) -> None:
    with pytest.raises(BoardFileError, match=key):
        read_board(TRACK.replace(old, new), "here")


def test_a_spot_without_a_place_is_named() -> None:
    text = TRACK.replace('shape = "track"', 'shape = "spots"')
    with pytest.raises(BoardFileError, match=r"spots\.e1\.y"):
        read_board(text + '[spots]\ne1 = { colour = "red", x = 1 }\n', "here")
