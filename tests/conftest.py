"""Shared fixtures: the material beside the project, and the games' rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path | None:
    """The folder of records and pictures beside the project, or None."""
    folder = Path(os.environ.get("TABLEREF_SHARED", ROOT.parent / "shared"))
    return folder if folder.is_dir() else None


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
