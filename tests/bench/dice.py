"""What reading dice costs: CPU time on one core, and memory of a whole `tableref see --dice`."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from tableref_vision.dice.reader import DiceReader
from tableref_vision.opencv import Picture
from tests.conftest import shared_folder
from tests.dice import mats

ROUNDS = 30


def run() -> list[str]:
    """Lines with figures."""
    view = mats.view()
    table = mats.mat_picture(view)
    mats.put_die(table, view, 5, -90.0, 20.0)
    mats.put_die(table, view, 3, 70.0, -30.0, yaw=50.0, body=(40, 40, 200))
    table = mats.soften(table)
    reader = DiceReader()
    read = [die.value for die in reader.read(table)]
    lines = [f"two dice on the mat, read as {read}: {_cpu(lambda: reader.read(table)):.1f} ms"]
    alone = _cpu(lambda: reader.read(table, alone=True))
    lines.append(f"the same picture by itself, the mat looked for anew: {alone:.1f} ms")
    for name, picture in _photographs():
        spent = _cpu(lambda picture=picture: reader.read(picture, alone=True))
        found = len(reader.read(picture, alone=True))
        h, w = picture.shape[:2]
        lines.append(f"{name}, {w} x {h}, {found} dice: {spent:.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.png"
        cv2.imwrite(str(path), table)
        lines.append(f"peak memory of tableref see --dice: {_peak(path):.0f} MB")
    return lines


def _photographs() -> list[tuple[str, Picture]]:
    folder = shared_folder()
    if folder is None:
        return [("a picture without dice", np.full((853, 1280, 3), 180, np.uint8))]
    photos = [
        (
            f"photograph of {source}",
            cv2.imread(str(next((folder / "photos" / source).glob("*.jpg")))),
        )
        for source in ("byler", "damian", "piechowiak")
    ]
    return [(name, photo.astype(np.uint8)) for name, photo in photos if photo is not None]


def _cpu(work: Callable[[], object]) -> float:
    """Median CPU time in ms."""
    work()
    spent = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        spent.append((time.process_time() - began) * 1000)
    return float(np.median(spent))


def _peak(path: Path) -> float:
    """Largest memory in MB of a process that reads this picture."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    program = "import sys; from tableref.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "see", "--dice", "--json", str(path)]
    with open(os.devnull, "w") as nowhere:
        subprocess.run(command, check=True, stdout=nowhere)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    # The largest of all children so far: an upper bound where an earlier one was larger.
    return max(before, after) / 1024


if __name__ == "__main__":
    print("\n".join(run()))
