"""Looking at pictures, however grainy they are, takes no more memory than a Pi has to spare."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableref_vision.opencv import Picture
from tableref_vision.tags import TagFinder

MEGABYTES = 250  # of the 300 that a command may take, for machines and libraries differ
LARGE = (3000, 4000)  # as a camera of 12 megapixels takes them
SEEN = """
import sys
from pathlib import Path
from tableref.cli import main
code = main(sys.argv[1:])
print(code, Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""
"""Runs a command and prints its exit code and, in KB, the most memory that it took."""

GIVEN_BACK = """
from pathlib import Path
from tableref_vision.opencv import np

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

del (usual := [np.ones(8_000_000, np.uint8)])[:]
before, kept = resident(), []
for _ in range(20):
    pictures = [np.ones(2_800_000, np.uint8) for _ in range(5)]
    kept.append(np.ones(900_000, np.uint8))
    del pictures
print(resident() - before - 20 * 900_000)
"""
"""Prints the bytes that are not given back of pictures between which other things stay."""


AGAIN = """
import resource
from tableref_vision.opencv import np

def laid_flat():
    flats = [np.ones((740, 740, 3), np.uint8) for _ in range(2)]
    return [np.ones((370, 370, 3), np.float32) for _ in range(2)]

laid_flat()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    laid_flat()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
"""Prints how often the system had to hand over a page for boards that come one after the other."""


def noise() -> Picture:
    return np.random.default_rng(1).integers(0, 255, (*LARGE, 3), dtype=np.uint8)


def dots() -> Picture:
    """As many single dark pixels, each with an outline of its own, as there can be."""
    picture = np.full((*LARGE, 3), 255, np.uint8)
    picture[::2, ::2] = 0
    return picture


def grid() -> Picture:
    picture = np.full((*LARGE, 3), 255, np.uint8)
    picture[::3] = 0
    picture[:, ::3] = 0
    return picture


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc tells the memory taken")
@pytest.mark.parametrize("kind", [noise, dots, grid])
def test_a_large_picture_full_of_specks_takes_no_more_than_any_other(tmp_path, kind):
    path = tmp_path / ("a.jpg" if kind is noise else "a.png")
    cv2.imwrite(str(path), kind())
    done = subprocess.run(
        [sys.executable, "-c", SEEN, "see", str(path), str(path)],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    code, kilobytes = map(int, done.stdout.splitlines()[-1].split())
    assert code == 0, done.stderr
    assert kilobytes / 1024 < MEGABYTES


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="/proc tells the memory taken")
def test_pictures_that_have_gone_leave_no_memory_behind():
    done = subprocess.run(
        [sys.executable, "-c", GIVEN_BACK], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 1_500_000


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="glibc keeps what it is told")
def test_the_next_board_lies_where_the_last_one_lay():
    done = subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100  # of 32,000 that each would take from the system


@pytest.mark.parametrize("shape", [(1800, 2000), (1801, 2001)])
def test_a_tag_in_too_grainy_a_picture_is_found_where_it_is(shape):
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    light = np.full(shape, 190.0)
    tag = cv2.aruco.generateImageMarker(dictionary, 7, 300) / 255 * 160 + 30
    light[1000:1300, 1200:1500] = tag
    grain = np.random.default_rng(2).normal(0, 25, shape)
    picture = np.clip(light + grain, 0, 255).astype(np.uint8)
    [(found, corners)] = TagFinder("4X4_50", [7]).quick(picture)
    assert found == 7
    # Pixel middles are whole numbers.
    wanted = np.array([(1200, 1000), (1500, 1000), (1500, 1300), (1200, 1300)]) - 0.5
    assert np.abs(corners - wanted).max() < 1.0
