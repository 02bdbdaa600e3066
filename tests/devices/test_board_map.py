"""The small map of a board beside what names its cells."""

from __future__ import annotations

import pytest

from tableref.devices.board_map import MARGIN, BoardMap, Stroke, draw_board
from tableref.devices.oled import Screen, beside, draw
from tableref_hardware import board_names, load_board

ROW = {"a": (0.0, 0.0), "b": (50.0, 0.0), "c": (100.0, 0.0)}


def lit(shown: BoardMap, size: tuple[int, int] = (48, 24)) -> set[tuple[int, int]]:
    image = draw_board(shown, size)
    return {(x, y) for x in range(size[0]) for y in range(size[1]) if image.getpixel((x, y))}


def test_an_empty_cell_is_a_dot_and_a_piece_a_block() -> None:
    assert len(lit(BoardMap(ROW))) == 3
    assert len(lit(BoardMap(ROW, frozenset({"b"})))) > 3


def test_a_move_goes_from_a_ring_to_a_disc_with_a_nose() -> None:
    plain = lit(BoardMap(ROW))
    move = lit(BoardMap(ROW, strokes=(Stroke("a", "c", 0.0),)))
    back = lit(BoardMap(ROW, strokes=(Stroke("c", "a", 0.0),)))
    assert plain - move == {(MARGIN, 12)}  # the ring is hollow where it comes from
    assert move != back
    turned = lit(BoardMap(ROW, strokes=(Stroke("a", "c", 90.0),)))
    assert min(y for _, y in turned) < min(y for _, y in move)  # the nose points north


def test_what_is_in_the_way_is_crossed() -> None:
    assert lit(BoardMap(ROW, blocked=("b",))) > lit(BoardMap(ROW)) - {(24, 12)}


@pytest.mark.parametrize("name", board_names())
def test_every_board_fits_beside_short_lines(name: str) -> None:
    board = load_board(name)
    cells = {cell.name: (cell.x, cell.y) for cell in board.cells.values()}
    first, *_, last = cells
    shown = BoardMap(cells, frozenset(cells), (Stroke(first, last, 30.0),))
    screen = Screen("Red", ("Red to b2,", "pointing E"), board=shown)
    assert beside(screen)
    for size in ((128, 64), (128, 32)):
        assert draw(screen, size).crop((80, 12, 127, size[1])).getbbox()
    assert not beside(
        Screen(
            "Red",
            (
                "more words than stand",
                "beside a map",
            )
            * 2,
            board=shown,
        )
    )


def test_a_short_text_is_large_and_a_lone_title_too() -> None:
    for screen in (Screen("Red", ("not seen",)), Screen("Set up")):
        box = draw(screen).crop((0, 12, 128, 52)).getbbox()
        assert box is not None
        assert box[3] - box[1] > 10  # letters of 10 rows fill less
