"""The image that `make test-firmware` has built, on an emulated Pico."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.emulator.rig import Pico

from tableref_hardware.board import Board


@pytest.fixture(scope="session")
def image() -> Path:
    """The image that is flashed."""
    name = os.environ.get("TABLEREF_IMAGE")
    if not name:
        pytest.skip("needs the board's image, which `make test-firmware` builds")
    return Path(name)


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether the long forms are wanted."""
    return bool(os.environ.get("TABLEREF_FULL"))


@pytest.fixture
def pico(image: Path, tmp_path: Path, board: Board) -> Iterator[Pico]:
    """A Pico that is not plugged in yet."""
    rig = Pico(image, tmp_path, board)
    yield rig
    rig.close()


@pytest.fixture
def full_pico(image: Path, tmp_path: Path, full_board: Board) -> Iterator[Pico]:
    """The same with 64 switches and 64 lights."""
    rig = Pico(image, tmp_path, full_board)
    yield rig
    rig.close()
