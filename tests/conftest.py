"""Shared fixtures: the material beside the project, and the games' rules."""

from __future__ import annotations

import ctypes
import io
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from PIL import Image

    from tableref_hardware.board import Board

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"

# The same draws each time, so that a change alone turns a test red; at full length, new ones.
# A busy machine is slow; that is no fault of the test.
settings.register_profile(
    "tableref",
    derandomize=not os.environ.get("TABLEREF_FULL"),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tableref")


def shared_folder() -> Path | None:
    """The folder of records and pictures beside the project, or None."""
    folder = Path(os.environ.get("TABLEREF_SHARED", ROOT.parent / "shared"))
    return folder if folder.is_dir() else None


def heed_permissions() -> None:
    """Called in a new process, what may not be written may not be written by root either."""
    drop_from_bounding_set, override_permissions = 24, 1
    ctypes.CDLL(None).prctl(drop_from_bounding_set, override_permissions, 0, 0, 0)


LONG = (
    "vision/test_learning.py", "web/test_browser.py", "referee/test_kills.py",
    "referee/test_kills_of_demos.py", "referee/test_every_game.py", "link/test_guided.py",
    "hardware/test_electronics.py", "dice/test_no_dice.py", "referee/test_every_table.py",
    "printing/test_boards.py",
)  # fmt: skip
"""Files that take longest begin first: none is left over when all others have ended."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """With `-n auto` one worker more than there are cores: some tests wait for threads or other
    programs most of their time."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ranks = {str(ROOT / "tests" / name): rank for rank, name in enumerate(LONG)}
    items.sort(key=lambda item: ranks.get(str(item.path), len(LONG)))


@pytest.fixture(autouse=True, scope="session")
def _nobody_types() -> Iterator[None]:
    """Commands that hear what is typed hear nothing, unless a test types."""
    before, sys.stdin = sys.stdin, io.StringIO()
    yield
    sys.stdin = before


@pytest.fixture(autouse=True)
def _no_log_is_kept_on() -> Iterator[None]:
    """A command that logs the link does so until its process ends, which here goes on."""
    log = logging.getLogger("tableref.link")
    before, level = log.handlers[:], log.level
    yield
    for handler in log.handlers[:]:
        if handler not in before:
            log.removeHandler(handler)
            handler.close()
    log.setLevel(level)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The material beside the project; tests that need it are skipped where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("needs the records and pictures in ../shared, which are not here")
    return folder


@pytest.fixture(scope="session")
def autoscooter() -> Any:
    """The rules of Autoscooter on the board that ships."""
    from tableref.referee.games import load_game

    return load_game("autoscooter")


@pytest.fixture(scope="session")
def board() -> Board:
    """Autoscooter's, as it ships."""
    from tableref_hardware.board import load_board

    return load_board("autoscooter")


@pytest.fixture(scope="session")
def full_board(board: Board) -> Board:
    """As many cells as one Pico can serve: eight registers, 64 lights."""
    from tableref_firmware.protocol import MAX_CELLS
    from tableref_hardware.board import Cell

    cells = {f"s{n}": Cell(f"s{n}", 0.0, 0.0, n, 63 - n) for n in range(MAX_CELLS)}
    return replace(board, cells=cells)


@pytest.fixture
def golden() -> Callable[[Image.Image, str], None]:
    """Compares a picture with that of its name in `tests/golden`, whose README tells how to remake
    them."""
    from PIL import Image, ImageChops

    def compare(picture: Image.Image, name: str) -> None:
        path = GOLDEN / f"{name}.png"
        if os.environ.get("REMAKE_GOLDEN"):
            picture.save(path)
            pytest.fail(f"{path.name} was remade: look at it, then run without REMAKE_GOLDEN")
        with Image.open(path) as reference:
            reference.load()
        assert (picture.mode, picture.size) == (reference.mode, reference.size)
        box = ImageChops.difference(picture, reference).getbbox()
        assert box is None, f"{name} differs from its reference within {box}"

    return compare


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C reaches what is started here, also where the tests run in the background, which makes
    a shell have it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def soon() -> Iterator[None]:
    """What does not end by itself within a time that is enough on any machine, fails."""

    def stop(number: int, frame: object) -> None:
        pytest.fail("it does not end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
