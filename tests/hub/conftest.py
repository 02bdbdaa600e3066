"""A desk with a database in a file, and payloads as tables send them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the hub needs: pip install 'tableref[hub]'")

from tableref.hub.desk import Desk
from tableref.hub.results import Results
from tests.hosting.conftest import broker, evening

__all__ = ["broker", "evening"]
"""Fixtures of those that tell a hub."""

GAME, OTHER = "0123456789ab", "ba9876543210"
JPEG = b"\xff\xd8\xff\xe0 what was seen"


def event(nth: int, game: str = GAME, **more: Any) -> bytes:
    """The payload of an event."""
    told = {
        "form": "table-event/1", "game": game, "count": nth, "number": 2 * nth,
        "at": "2026-11-30T19:00:00Z", "kind": "ruling", "text": [f"Move {nth}. (SD-3.1)"],
        "paragraphs": ["SD-3.1"],
    }  # fmt: skip
    return json.dumps(told | more).encode()


def state(told: int, game: str = GAME, **more: Any) -> bytes:
    """The payload of a state."""
    stands = {
        "form": "table-state/1", "game": game, "plays": "skorpion-deep", "players": ["red", "blue"],
        "round": 0, "score": {"beads": [3, 4]}, "phase": "asking", "turn": [0],
        "turn_names": ["red"], "text": ["It is red's turn."], "over": False, "asks": True,
        "refused": False, "needs_judge": False, "told": told,
    }  # fmt: skip
    return json.dumps(stands | more).encode()


def call(**more: Any) -> bytes:
    """The payload of a call for a judge."""
    told = {
        "form": "table-call/1", "game": GAME, "number": 9, "text": ["Red may not go there."],
        "paragraphs": [{"id": "SD-3.1", "title": "Moving", "text": "A bead goes one way."}],
        "picture": base64.b64encode(JPEG).decode(),
    }  # fmt: skip
    return json.dumps(told | more).encode()


class Heard:
    """A desk, and what it asked tables for."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[tuple[str, str, int]] = []
        self.results = Results(f"sqlite:///{folder}/hub.db")
        self.desk = Desk(self.results, lambda *wanted: self.asked.append(wanted))

    def take(self, name: str, *payloads: bytes, table: str = "corner") -> None:
        """Messages of a table."""
        for payload in payloads:
            self.desk.heard(f"tableref/{table}/{name}", payload)

    def kept(self, table: str = "corner", game: str = GAME) -> list[int]:
        """Which events lie in the database, in order."""
        self.desk.close()
        return [one.nth for one in self.results.events(table, game)]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Heard]:
    made = Heard(tmp_path)
    yield made
    made.results.close()
