"""Meanings of lights, and their picture."""

import pytest
from PIL import Image

from tableref.devices import lights
from tableref.devices.lights import Light, Meaning, Pattern, PngLights, Standing, draw_board
from tableref_hardware import load_board


def test_question_trouble_request_and_news_differ_by_pattern_alone():
    words = (Meaning.ASKED, Meaning.TROUBLE, Meaning.EXPECTED, Meaning.LAST_MOVE)
    assert {word.value.pattern for word in words} == set(Pattern)


def test_meanings_that_share_a_pattern_differ_in_brightness_too():
    for pattern in Pattern:
        grey = [
            0.3 * m.value.colour[0] + 0.59 * m.value.colour[1] + 0.11 * m.value.colour[2]
            for m in Meaning
            if m.value.pattern is pattern
        ]
        assert all(abs(a - b) > 40 for i, a in enumerate(grey) for b in grey[:i])


def pixel(board, picture, x, y):
    """The pixel of (x, y) mm: two a millimetre, 4 mm around the plate."""
    return picture.getpixel((round((x + 189) * 2), round((189 - y) * 2)))


def test_a_lit_cell_gets_a_ring_of_its_colour_and_no_other_cell_does(board):
    light = Light((255, 40, 0), Pattern.STEADY)
    picture = draw_board(board, {"c4": light})
    cell, other = board.cells["c4"], board.cells["c6"]
    assert pixel(board, picture, cell.x + 19, cell.y) == light.colour
    assert pixel(board, picture, other.x + 19, other.y) != light.colour


@pytest.mark.parametrize("pattern", list(Pattern))
def test_every_pattern_draws_another_ring(board, pattern):
    pictures = {p: draw_board(board, {"a1": Light((255, 0, 0), p)}).tobytes() for p in Pattern}
    assert [p for p in Pattern if pictures[p] == pictures[pattern]] == [pattern]


def test_north_is_up_and_the_nose_points_along_the_heading(board):
    blue = (40, 80, 200)
    picture = draw_board(board, {}, [Standing("c7", board.headings["E"], blue)])
    cell = board.cells["c7"]
    assert cell.y > 100
    assert pixel(board, picture, cell.x + 18, cell.y) == blue
    assert pixel(board, picture, cell.x + 17, cell.y + 9) != blue  # beside the nose
    assert pixel(board, picture, cell.x - 17, cell.y + 9) == blue  # the square tail


def test_the_virtual_lights_write_a_picture_for_each_change(tmp_path, board):
    lights = PngLights(tmp_path, board)
    lights.show({})
    lights.show({"a1": Meaning.DUE.value})
    lights.show({"a1": Meaning.DUE.value})
    lights.pieces = (Standing("a1", None, (200, 30, 30), "R"),)
    lights.show({"a1": Meaning.DUE.value})
    assert [p.name for p in sorted(tmp_path.iterdir())] == ["lights-0001.png", "lights-0002.png"]
    with Image.open(lights.last) as picture:
        assert picture.size == (756, 756)


def test_the_board_with_lights_looks_as_its_reference_picture(golden, board):
    lit = {
        cell: meaning.value
        for cell, meaning in zip(("c4", "d4", "e4", "a1", "c2", "e5", "f6"), Meaning, strict=True)
    }
    # Names and labels are drawn by whatever font Pillow brings, so only the rings are compared.
    picture = draw_board(board, lit)
    box = [round(v * 2) for v in (189 - 180, 189 - 15, 189 + 180, 189 + 15)]
    golden(picture.crop(tuple(box)), "lights")


@pytest.mark.parametrize("name", ["autoscooter", "scorpion", "squod"])
def test_the_board_is_drawn_band_by_band_as_it_would_be_at_once(name, monkeypatch):
    board = load_board(name)
    cells = list(board.cells)
    meanings = list(Meaning)
    lit = {cell: meanings[n % 6].value for n, cell in enumerate(cells) if n % 2}
    pieces = [
        Standing(cell, 30.0 * n, (40, 80, 200), "ab") for n, cell in enumerate(cells) if n % 3
    ]
    banded = draw_board(board, lit, pieces)
    monkeypatch.setattr(lights, "BAND", 10_000)
    assert banded.tobytes() == draw_board(board, lit, pieces).tobytes()
