"""A broker on this computer, and a game whose table tells it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.referee.evening import Evening, new_evening
from tests.hosting.real_broker import MOSQUITTO, RealBroker


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RealBroker]:
    """Mosquitto, gone after the test."""
    if MOSQUITTO is None:
        pytest.skip("needs Debian's mosquitto")
    made = RealBroker(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A game of Skorpion Deep that has begun."""
    made = new_evening(tmp_path / "game", "skorpion-deep", {}, [], "")
    made.journal.begin()
    yield made
    made.journal.close()
