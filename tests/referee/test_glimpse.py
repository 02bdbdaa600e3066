"""WHY shows the paragraph, then what the camera saw: the part of the kept picture, in dots."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tableref.devices.board_map import BoardMap, Stroke
from tableref.devices.buttons import Button
from tableref.devices.oled import DOTS, Dots, Marker, Screen, draw
from tableref.referee.album import Album
from tableref.referee.front import Front
from tableref.referee.glimpse import glimpses
from tableref.rulebook import Rulebook
from tableref.rulebook.text import LANGUAGES
from tableref_hardware.board import Plate
from tests.referee.test_front import NotedPanel, feedback, press

PLATE = Plate(320.0, 320.0, 9.0)
STEP = 12
HERE, THERE = (-100.0, 100.0), (100.0, -100.0)
"""Places near the upper left and the lower right corner, mm."""


def plate(*pieces: tuple[float, float], size: int = 592) -> bytes:
    """A pale plate with dark pieces of 24 mm on these places, JPEG."""
    picture = Image.new("RGB", (size, size), (215, 210, 200))
    pen, scale = ImageDraw.Draw(picture), size / PLATE.width
    for x, y in pieces:
        across, down = (x + PLATE.width / 2) * scale, (PLATE.depth / 2 - y) * scale
        half = 12 * scale
        pen.rectangle((across - half, down - half, across + half, down + half), fill=(60, 20, 20))
    file = io.BytesIO()
    picture.save(file, "JPEG")
    return file.getvalue()


@pytest.fixture
def album(tmp_path: Path) -> Album:
    """What is kept of a piece that went from one corner to the other."""
    album = Album(tmp_path)
    album.add(STEP, {"board-before": plate(HERE), "board-after": plate(THERE)}, {})
    return album


def seen(album: Album, *places: tuple[float, float], step: int = STEP) -> dict[str, Image.Image]:
    return {
        when: Image.frombytes("1", (dots.width, dots.height), dots.rows)
        for when, dots in glimpses(album, PLATE, step, places)
    }


def dark(picture: Image.Image) -> int:
    """How many pixels are unlit."""
    return picture.histogram()[0]


def test_what_was_seen_comes_first_and_then_how_it_was(album: Album) -> None:
    assert list(seen(album, HERE, THERE)) == ["after", "before"]


def test_the_part_with_the_places_is_shown_as_large_as_fits(album: Album) -> None:
    there = seen(album, THERE)
    assert there["after"].size == DOTS
    assert dark(there["after"]) > 200, "the piece is there now"
    assert dark(there["before"]) < 40, "and was not before"


def test_where_no_place_is_named_the_whole_board_is_shown(album: Album) -> None:
    whole = seen(album)["after"]
    assert whole.size == (DOTS[1], DOTS[1])
    assert 0 < dark(whole) < 60


def test_of_places_far_apart_both_are_shown(album: Album) -> None:
    both = seen(album, HERE, THERE)
    assert dark(both["before"]) > 10
    assert dark(both["after"]) > 10


def test_a_question_about_dice_shows_the_mat(tmp_path: Path) -> None:
    album = Album(tmp_path)
    album.add(STEP, {"board-after": plate(), "mat-after": plate(HERE, (0, 0), THERE)}, {})
    [mat] = seen(album).values()
    [board] = seen(album, HERE).values()
    assert dark(mat) > dark(board)


@pytest.mark.parametrize(
    "damage",
    [lambda jpeg: jpeg[: len(jpeg) // 3], lambda jpeg: b"", lambda jpeg: b"<html>" + jpeg],
    ids=["cut off", "empty", "something else"],
)
def test_a_picture_that_cannot_be_read_is_left_out(
    album: Album, damage: Callable[[bytes], bytes]
) -> None:
    path = album.folder / f"{STEP:06d}-board-after.jpg"
    path.write_bytes(damage(path.read_bytes()))
    assert list(seen(album)) == ["before"]


def test_a_picture_that_is_none_of_ours_is_left_out(album: Album) -> None:
    (album.folder / f"{STEP:06d}-board-after.jpg").write_bytes(plate(size=2100))
    assert list(seen(album)) == ["before"]


def test_of_a_step_without_pictures_nothing_is_shown(album: Album) -> None:
    assert not seen(album, step=STEP + 1)
    assert not seen(album, step=0)


class Shown(NotedPanel):
    """A panel that keeps the screens."""

    def __init__(self) -> None:
        super().__init__()
        self.screens: list[Screen] = []

    def show(self, screen: Screen) -> None:
        self.screens.append(screen)


def pages_of_why(album: Album, lang: str, page: Screen) -> list[Screen]:
    """What WHY leads to on this page, in the order of DOWN."""
    panel = Shown()
    front = Front(
        Rulebook(lang), 2, print, clock=lambda: 0.0, glimpses=partial(glimpses, album, PLATE)
    )
    front._panel = panel
    front.tell(feedback(page)._replace(step=STEP))
    front.step(0.0)
    front.pressed(press(Button.WHY))
    for _ in range(9):
        front.step(0.0)
        front.pressed(press(Button.DOWN))
    return list(dict.fromkeys(panel.screens[1:]))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_why_shows_the_paragraph_and_then_the_picture_of_its_cells(album: Album, lang: str) -> None:
    cells = {"a1": HERE, "e5": THERE}
    shown = BoardMap(cells, frozenset(), (Stroke("", "e5"),))
    page = Screen("no", ("not there",), Marker.REFUSED, "AE-2.1", board=shown)
    *text, after, before = pages_of_why(album, lang, page)
    assert text
    assert all(screen.dots is None for screen in text)
    labels = Rulebook(lang).words.labels
    assert (after.title, before.title) == (labels["seen_after"], labels["seen_before"])
    assert after.dots == dict(glimpses(album, PLATE, STEP, [THERE]))["after"]


def test_without_kept_pictures_why_shows_the_paragraph_alone(tmp_path: Path) -> None:
    page = Screen("no", (), Marker.REFUSED, "AE-2.1")
    shown = pages_of_why(Album(tmp_path), "en", page)
    assert shown
    assert all(screen.dots is None for screen in shown)


@pytest.mark.parametrize("height", [64, 32])
def test_the_picture_stands_below_the_title(
    golden: Callable[[Image.Image, str], None], height: int
) -> None:
    picture = Image.new("1", DOTS)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, DOTS[0] - 1, DOTS[1] - 1), outline=255)
    pen.ellipse((40, 2, 88, 49), fill=255)
    pen.rectangle((58, 20, 70, 32), fill=0)
    dots = Dots(*DOTS, picture.tobytes())
    screen = Screen("Was ich sah", paragraph="AE-2.1", dots=dots)
    golden(draw(screen, (128, height)), f"screen-dots-{height}")
    narrow = replace(screen, dots=Dots(8, 8, b"\xff" * 8))
    assert draw(narrow, (128, height)).getpixel((64, height // 2 + 6)) == 255
