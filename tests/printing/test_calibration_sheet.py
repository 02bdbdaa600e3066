"""From the printed sheet, through a virtual camera, to the lens of that camera."""

from dataclasses import replace

import cv2
import numpy as np
import pypdfium2
import pytest

from tableref.cli import main
from tableref.printing.calibration import print_calibration
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.calibration import Calibration

SCALE = 4.0  # pixels a mm


def test_the_printed_sheet_tells_the_lens_of_the_camera_that_saw_it(tmp_path):
    document = print_calibration("a4")
    document.write(tmp_path / "sheet.pdf")
    page = pypdfium2.PdfDocument(tmp_path / "sheet.pdf")[0]
    sheet = page.render(scale=SCALE * 25.4 / 72, grayscale=True).to_numpy().squeeze()
    board = load_board("autoscooter")
    plate = np.full((round(board.plate.depth * SCALE), round(board.plate.width * SCALE)), 120, "u1")
    top, left = ((a - b) // 2 for a, b in zip(plate.shape, sheet.shape, strict=True))
    plate[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet
    table = Stage(board, 2, plate=np.repeat(plate[..., None], 3, axis=2))
    paths = []
    for number in range(10):
        camera = Camera.above(420.0, 8.0 + 30.0 * (number % 2), 97.0 * number, 61.0 * number)
        aim = (90.0 * np.cos(number), 60.0 * np.sin(2.0 * number), 20.0)
        camera = replace(camera, target=aim, fov=62.0, k1=-0.05, noise=0.005)
        paths.append(tmp_path / f"{number:02d}.png")
        cv2.imwrite(str(paths[-1]), table.picture(camera))
    out = tmp_path / "camera.json"
    assert main(["calibrate", *map(str, paths), "--out", str(out)]) == 0
    lens = Calibration.load(out).lens
    assert lens.focal == pytest.approx(camera.focal, rel=0.01)
    assert lens.k1 == pytest.approx(camera.k1, abs=0.02)
