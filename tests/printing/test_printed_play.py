"""The eye without tags on the printed boards: what is printed on paper, cut and laid edge to edge,
is empty to it, and pieces on it are read as on wood."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.printing.test_sheets import joined
from tests.vision.test_untagged_pieces import SETUPS, TAUGHT

from tableref.printing.overlay import print_overlay
from tableref.referee.games import load_game
from tableref.rulebook.text import LANGUAGES
from tableref.rules.pieces import spelled, text_of
from tableref.sim.materials import PAPER
from tableref.sim.plates import SCALE
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.untagged.reader import UntaggedReader

SURE = 0.95
"""Share of the pieces that is read and sure; none may be read wrong."""


LANGS = LANGUAGES if os.environ.get("TABLEREF_FULL") else LANGUAGES[:1]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", sorted(SETUPS))
def test_pieces_are_read_on_the_printed_board(name: str, lang: str, tmp_path: Path) -> None:
    board, game = load_board(name), load_game(name)
    plate = board.plate
    overlay = print_overlay(board, "a4", lang)
    printed = joined(overlay, plate.width, plate.depth, tmp_path, SCALE, grey=False)
    stage = Stage(board, seed=5, plate=(printed * (PAPER / 255)).astype(np.uint8))
    stacks = spelled(game.stacks)

    def frame() -> Frame:
        return Frame(stage.picture(), 0.0, "printed")

    reader = UntaggedReader(board, frame())
    if name in TAUGHT:
        stage.show({cell: stacks[text] for cell, text in TAUGHT[name].items()})
        reader.learn(frame(), TAUGHT[name])
    start = game.board(game.start(SETUPS[name]))
    stage.show(start)
    reader.learn(frame(), {cell: text_of(stack) for cell, stack in start.items()})

    cells = [cell for cell in board.cells if cell not in start]
    rng = np.random.default_rng(2)
    stands = {}
    singles = ((piece,) for stack in start.values() for piece in stack)
    for stack in dict.fromkeys((*start.values(), *singles)):
        stands[cells.pop(int(rng.integers(len(cells))))] = stack
    stage.show(stands)
    seen = reader.read(frame()).cells
    truth = {cell: text_of(stands[cell]) if cell in stands else "" for cell in board.cells}
    wrong = {cell: (truth[cell], seen[cell]) for cell in truth if truth[cell] not in seen[cell]}
    assert not wrong
    sure = sum(len(seen[cell]) == 1 for cell in board.cells)
    assert sure >= SURE * len(truth)
