"""A board, a table that can be filmed, and the pictures beside the project."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import Board
from tableref_vision.camera import Frame
from tableref_vision.observation import Observation
from tableref_vision.reader import BoardReader


@pytest.fixture(scope="session")
def scenes(shared: Path) -> Path:
    return shared / "scenes"


class Film:
    """A table filmed ten times a second of virtual time, and a reader that watches."""

    def __init__(self, table: Stage) -> None:
        self.table = table
        self.reader = BoardReader(table.board)
        self.time = 0.0

    def show(self, image: np.ndarray | None = None, **options: Any) -> Observation:
        """The reading of one more frame: the table as it is, unless another picture is given."""
        picture = self.table.picture() if image is None else image
        seen = self.reader.read(Frame(picture, self.time, f"{self.time:.1f}"), **options)
        self.time = round(self.time + 0.1, 3)
        return seen

    def seconds(self, count: float, image: np.ndarray | None = None) -> Iterator[Observation]:
        """The readings of so many seconds."""
        for _ in range(round(count * 10)):
            yield self.show(image)


@pytest.fixture(scope="session")
def set_table(board: Board) -> Stage:
    """A table set up for a game, its wood grown once, seen by a camera of less than full size."""
    table = Stage(board, 1, replace(Camera.above(), size=(960, 540)))
    table.set_up()
    table.picture()
    return table


@pytest.fixture
def film(set_table: Stage) -> Film:
    """Two tenths of a second of a table set up for a game have been seen."""
    film = Film(copy.deepcopy(set_table))
    film.show()
    film.show()
    return film
