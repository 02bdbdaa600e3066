"""A lens measured with the printed sheet, and what is refused."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from tableref.cli import main
from tableref_hardware import chessboard
from tableref_vision.calibration import Calibration, calibrate, check_ruler
from tableref_vision.camera import Frame
from tableref_vision.errors import CalibrationError
from tableref_vision.view import Lens, View

LENS = Lens(640, 360, 570.0, -0.08, 0.01, 0.01, shift_x=5.0, shift_y=-3.0)
SCALE = 4  # px a mm of the drawn sheet


VIEWS = [
    ((0.5, 0.0, 0.0), (-90, -110, 460)),
    ((-0.5, 0.0, 0.1), (-80, -110, 420)),
    ((0.0, 0.5, 0.0), (-60, -110, 420)),
    ((0.0, -0.5, -0.2), (-110, -100, 460)),
    ((0.35, 0.35, 1.4), (120, -100, 430)),
    ((-0.3, 0.4, 0.0), (-190, -130, 480)),
    ((0.3, -0.4, 0.3), (10, -120, 480)),
    ((0.1, 0.1, 0.0), (-90, -115, 380)),
    ((-0.4, -0.3, -1.5), (-90, 100, 420)),
]


@pytest.fixture(scope="module")
def sheet():
    kind = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{chessboard.DICTIONARY}"))
    size = chessboard.COLUMNS, chessboard.ROWS
    board = cv2.aruco.CharucoBoard(size, chessboard.SQUARE, chessboard.MARKER, kind)
    pixels = [int(count * chessboard.SQUARE * SCALE) for count in size]
    return cv2.copyMakeBorder(board.generateImage(pixels), 60, 60, 60, 60, 0, value=255)


def photo(sheet, turn, shift, lens=LENS, bend=0.0) -> np.ndarray:
    """The sheet as this lens sees it; `bend` curls the paper by so many mm at its ends."""
    view = View(lens, np.array(turn, float), np.array(shift, float), 0.0, 0.0, 0.0)
    y, x = np.mgrid[: lens.height, : lens.width].astype(np.float64)
    places = view.on_plane(np.column_stack([x.ravel(), y.ravel()]), 0.0)
    places[:, 0] += bend * np.sin(places[:, 1] / 50.0)
    spots = (places * SCALE + 60).astype(np.float32).reshape(lens.height, lens.width, 2)
    grey = cv2.remap(sheet, spots[..., 0], spots[..., 1], cv2.INTER_AREA, borderValue=120)
    return cv2.cvtColor(cv2.GaussianBlur(grey, (0, 0), 0.6), cv2.COLOR_GRAY2BGR)


@pytest.fixture(scope="module")
def photos(sheet):
    return [Frame(photo(sheet, *view), float(i), f"{i}.png") for i, view in enumerate(VIEWS)]


def test_the_lens_is_found_again(photos):
    made = calibrate(photos, "a camera")
    assert made.error < 0.3
    assert made.lens.focal == pytest.approx(LENS.focal, rel=0.01)
    assert made.lens.k1 == pytest.approx(LENS.k1, abs=0.02)
    assert (made.lens.shift_x, made.lens.shift_y) == pytest.approx((5.0, -3.0), abs=2.0)


def test_a_calibration_survives_its_file(photos, tmp_path):
    made = calibrate(photos, "usb:0")
    made.save(tmp_path / "lens.json")
    assert Calibration.load(tmp_path / "lens.json", "usb:0") == made


def test_pictures_that_show_the_same_again_do_not_count(photos):
    with pytest.raises(CalibrationError, match="1 pictures show the sheet"):
        calibrate([photos[0]] * 3)


def test_a_sheet_that_is_not_flat_is_refused(sheet, photos):
    curled = [Frame(photo(sheet, *view, bend=4.0), 0.0, "curled") for view in VIEWS]
    with pytest.raises(CalibrationError, match="flat"):
        calibrate(curled)


def test_pictures_of_two_sizes_are_refused(photos):
    small = Frame(cv2.resize(photos[1].image, (320, 180)), 1.0, "small.png")
    with pytest.raises(CalibrationError, match=r"small\.png: is 320 x 180"):
        calibrate([photos[0], small])


def test_a_ruler_of_95_mm_tells_that_the_printer_scaled():
    check_ruler(99.8)
    with pytest.raises(CalibrationError, match="printed at 95 %"):
        check_ruler(95.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not readable as JSON"),
        ("[]", "no calibration"),
        ('{"format": "table-calibration/1", "lens": {"focal": 1}}', "lens.width: is missing"),
        ('{"format": "table-calibration/1"}', "lens: is missing"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, text, words):
    path = tmp_path / "lens.json"
    path.write_text(text)
    with pytest.raises(CalibrationError, match=words):
        Calibration.load(path)


def test_another_cameras_calibration_is_refused(tmp_path):
    Calibration(LENS, "usb:0").save(tmp_path / "lens.json")
    with pytest.raises(CalibrationError, match="usb:0"):
        Calibration.load(tmp_path / "lens.json", "picamera:")


def test_the_command_writes_a_calibration_that_see_can_use(photos, tmp_path, capsys):
    for frame in photos:
        cv2.imwrite(str(tmp_path / frame.name), frame.image)
    out, pictures = tmp_path / "lens.json", sorted(map(str, tmp_path.glob("*.png")))
    assert main(["calibrate", *pictures, "--out", str(out), "--ruler", "100"]) == 0
    assert json.loads(out.read_text())["lens"]["focal"] == pytest.approx(LENS.focal, rel=0.01)
    assert main(["see", pictures[0], "--calibration", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["pose"] == "no-board"


def test_the_command_takes_the_pictures_of_a_camera_too(photos, tmp_path):
    for frame in photos:
        cv2.imwrite(str(tmp_path / frame.name), frame.image)
    out = tmp_path / "lens.json"
    assert main(["calibrate", "--camera", f"folder:{tmp_path}", "--out", str(out)]) == 0
    assert Calibration.load(out).pictures == len(photos)


@pytest.mark.parametrize(
    "words", [[], ["a.png", "--camera", "folder:."], ["a.png"], ["--camera", "folder:/nowhere"]]
)
def test_the_command_says_what_it_needs(words, capsys):
    assert main(["calibrate", *words]) == 2
    assert "Traceback" not in capsys.readouterr().err
