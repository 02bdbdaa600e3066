"""Faces that an eye was taught are read as what they are, or left open."""

from __future__ import annotations

import pytest

from tableref.referee.games import load_game
from tableref.referee.lessons import lesson
from tableref.rules.pieces import text_of, texts
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.untagged.reader import UntaggedReader


@pytest.mark.parametrize(("seed", "told"), [(4, 2), (13, 0), (17, 0)])
def test_no_face_is_taken_for_another(seed: int, told: int) -> None:
    """In the teaching picture pieces lie on cells of about their colour: of some it is hard to tell
    where they lie and which way round, and so what is on them. At least `told` of six are read."""
    board, game = load_board("squod"), load_game("squod")
    state, stage = game.start({}), Stage(board, seed)
    taught, start = lesson(board, game, state), game.board(state)
    reader = UntaggedReader(board, Frame(stage.picture(), 0.0, "empty"))
    ways = {stack[0].side: stage.inward(cell) for cell, stack in start.items()}
    for cell, (piece,) in taught.items():
        stage.stand(piece, cell, yaw=ways[piece.side])
    teach = Frame(stage.picture(), 0.0, "teach")
    stage.show(start)
    reader.learn(Frame(stage.picture(), 0.0, "start"), texts(start))
    reader.learn(teach, texts(taught))
    cells = [*taught]
    for first in range(6):
        stage.pieces.clear()
        stands = dict(zip(cells[first:] + cells[:first], taught.values(), strict=True))
        for cell, (piece,) in stands.items():
            stage.stand(piece, cell, yaw=ways[piece.side] + 180.0 * (first % 2))
        read = reader.read(Frame(stage.picture(), 0.0, "move")).cells
        for cell, stack in stands.items():
            assert text_of(stack) in read[cell], (cell, stack, read[cell])
        assert sum(read[cell] == {text_of(stack)} for cell, stack in stands.items()) >= told
