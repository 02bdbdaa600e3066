"""A broker on this computer, and a game whose table tells it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.hosting import mqtt
from tableref.referee.evening import Evening, new_evening
from tests.hosting.real_broker import MOSQUITTO, RealBroker


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RealBroker]:
    """Mosquitto, gone after the test; who is cut off tries again at once."""
    if MOSQUITTO is None:
        pytest.skip("needs Debian's mosquitto")
    monkeypatch.setattr(mqtt, "AGAIN_FROM_S", 0.1)
    monkeypatch.setattr(mqtt, "AGAIN_TO_S", 0.2)
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
