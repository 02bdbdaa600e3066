"""What is no die with one to six pips is never sure: print, words in a tray, faces with more."""

from __future__ import annotations

import cv2
import numpy as np
import pypdfium2
import pytest
from tests.dice import faces
from tests.dice.tables import FULL, seeds

from tableref.cli import main
from tableref.sim import mat as virtual
from tableref.sim.mat import SCALE, VirtualMat
from tableref_hardware import board_names
from tableref_vision.dice import mat, pips
from tableref_vision.dice.face import goes_on
from tableref_vision.dice.inputs import Levels
from tableref_vision.dice.reader import DiceReader

INKS = {"yellow": (40, 38, 40), "black": (228, 232, 234)}


@pytest.fixture(scope="module")
def reader():
    return DiceReader()


def printed(folder, *sheet):
    """The pages of a sheet as pictures 1280 px high or wide, a little soft."""
    path = folder / "sheet.pdf"
    assert main(["print", *sheet, "--out", str(path)]) == 0
    for page in pypdfium2.PdfDocument(path):
        pixels = page.render(scale=1280 / max(page.get_size())).to_numpy()[..., :3]
        yield cv2.GaussianBlur(np.ascontiguousarray(pixels), (0, 0), 0.8)


SHEETS = [
    ("mat",),
    ("calibration",),
    ("log-sheet", "autoscooter"),
    ("chart", "autoscooter"),
    *((sheet, board) for sheet in ("tags", "overlay", "pieces") for board in board_names()),
]


@pytest.mark.parametrize("sheet", SHEETS, ids="-".join)
@pytest.mark.parametrize("paper", ["a4", "a3"])
def test_no_die_is_read_off_a_printed_sheet(reader, sheet, paper, tmp_path):
    for page in printed(tmp_path, *sheet, "--paper", paper):
        values = [die for die in reader.read(page, alone=True) if die.value is not None]
        assert not values


@pytest.mark.parametrize("name", mat.TRAYS)
def test_nothing_is_printed_where_dice_lie(name, tmp_path):
    (page,) = printed(tmp_path, "mat", "--paper", "a3")
    view = mat.MatTracker().find(page)
    x, y = mat.TRAYS[name]
    reach = mat.INSIDE - 2.0
    ring = view.pixels(np.array([(x + a * reach, y + a * reach, 0.0) for a in (-1, 1)]))
    (left, top), (right, bottom) = ring.min(axis=0), ring.max(axis=0)
    floor = page[round(top) : round(bottom), round(left) : round(right)]
    assert min(floor.shape[:2]) > 300
    assert np.ptp(floor.reshape(-1, 3), axis=0).max() < 6


def test_words_that_were_printed_in_the_trays_are_no_dice(reader, shared):
    picture = cv2.imread(str(shared / "faults" / "printed-mat-empty.png"))
    assert reader.read(picture, alone=True) == ()


WORDS, HEIGHTS = ("yellow tray", "black tray", "gelb", "3 : 5", "noir 1"), (3.5, 5.0, 8.0)
EACH = [(text, high) for text in WORDS for high in HEIGHTS]


@pytest.mark.parametrize(("text", "high"), EACH if FULL else EACH[::2])
def test_words_of_any_size_in_a_tray_are_never_sure_and_mostly_nothing(
    reader, text, high, monkeypatch
):
    def printed_on(rng, draw=virtual._cloth):
        cloth = draw(rng)
        plain = cloth.copy()
        for name, (x, y) in mat.TRAYS.items():
            at = (x - 35 + mat.WIDTH / 2) * SCALE, (mat.DEPTH / 2 - y) * SCALE
            line = max(1, round(high * SCALE * 0.1))
            size = high * SCALE / 22
            cv2.putText(cloth, text, (int(at[0]), int(at[1])), 0, size, INKS[name], line)
        changed.append((cloth != plain).any())
        return cloth

    changed = []
    monkeypatch.setattr(virtual, "_cloth", printed_on)
    pictures = [VirtualMat(seed).picture() for seed in seeds(1, 2)]
    assert changed == [True] * len(pictures)
    seen = [die for picture in pictures for die in reader.read(picture, alone=True)]
    assert not any(die.sure for die in seen)
    assert sum(die.why != "not-a-die" for die in seen) <= 1


def test_a_face_with_eight_pips_is_no_sure_six(reader, shared):
    picture = cv2.imread(str(shared / "faults" / "pips8.png"))
    assert not any(die.sure for die in reader.read(picture, alone=True))


@pytest.mark.parametrize("kind", [6, "eight", "nine"])
def test_eight_spots_on_a_grid_are_no_six(kind):
    found = []
    for seed in range(4):
        face, _ = faces.texture(kind, np.random.default_rng(seed))
        small = cv2.resize(face, (40, 40), interpolation=cv2.INTER_AREA)
        crop = cv2.copyMakeBorder(small, 12, 12, 12, 12, cv2.BORDER_REPLICATE)
        found.append(pips.too_many(crop, 40.0))
    assert found == [kind != 6] * 4


@pytest.mark.parametrize(
    "kind", ["seven", "seven-around", "eight", "nine", "ten", "number", "domino", "coin"]
)
def test_faces_of_no_die_are_seldom_sure(reader, kind):
    drawings = (faces.drawn(kind, seed) for seed in range(8))
    sure = [any(die.sure for die in reader.read(one, alone=True)) for one in drawings]
    assert sum(sure) <= 1


@pytest.mark.parametrize("kind", ["ten", "twelve"])
def test_more_pips_than_the_nets_know_are_no_sure_six(reader, kind):
    """Each of these drawings is a sure six to the nets."""
    for seed in {"ten": (1004, 1021, 1024), "twelve": (1011, 1016, 1017, 1026)}[kind]:
        assert not any(die.sure for die in reader.read(faces.drawn(kind, seed), alone=True))


@pytest.mark.parametrize("value", range(1, 7))
def test_faces_of_dice_that_are_drawn_alike_are_sure(reader, value):
    drawings = [faces.drawn(value, seed) for seed in seeds(6, 12)]
    read = [die.value for one in drawings for die in reader.read(one, alone=True) if die.sure]
    assert read.count(value) == len(read) >= len(drawings) - 1


@pytest.mark.parametrize(
    "kind",
    ["seven", "eight", "nine", "ten", "number", "letter", "domino", "domino-number", "coin"],
)
def test_on_the_mat_faces_of_no_die_are_not_sure(reader, kind):
    pictures = (faces.on_mat(kind, seed) for seed in seeds(3, 5))
    assert not any(die.sure for one in pictures for die in reader.read(one, alone=True))


def test_on_the_mat_a_one_that_is_drawn_alike_is_sure(reader):
    pictures = [faces.on_mat(1, seed) for seed in seeds(3, 8)]
    read = [die.value for one in pictures for die in reader.read(one, alone=True) if die.sure]
    assert read == [1] * len(pictures)


def test_a_domino_is_told_from_dice_that_touch_in_line(reader):
    """One body is longer than a die; two of the same colour with a gap between are not."""
    long = np.full((160, 240, 3), 60, np.uint8)
    cv2.rectangle(long, (80, 60), (160, 100), (40, 40, 200), -1)
    apart = long.copy()
    cv2.rectangle(apart, (118, 60), (122, 100), (60, 60, 60), -1)
    assert goes_on(Levels(long), 100.0, 80.0, 44.0)
    assert not goes_on(Levels(apart), 99.0, 80.0, 44.0)
