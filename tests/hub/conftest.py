"""A desk with a database in a file, and payloads as tables send them."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the hub needs: pip install 'tableref[hub]'")

from sqlalchemy import MetaData, create_engine

from tableref.hub.desk import Desk
from tableref.hub.results import Results
from tests.hosting.conftest import broker, evening
from tests.hub.real_postgres import URL, cluster, programs

__all__ = ["broker", "evening"]
"""Fixtures of those that tell a hub."""

KEY = b"the key of the club"
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


def kept_in(folder: Path) -> str:
    """The URL of a test's database: a file, or the PostgreSQL that is named, on which all of these
    tests run then."""
    return os.environ.get(URL) or f"sqlite:///{folder}/hub.db"


class Heard:
    """A desk, and what it asked tables for."""

    def __init__(self, folder: Path, key: bytes = b"") -> None:
        self.asked: list[tuple[str, str, int]] = []
        self.results = Results(kept_in(folder))
        self.desk = Desk(self.results, lambda *wanted: self.asked.append(wanted), key)

    def take(self, name: str, *payloads: bytes, table: str = "corner") -> None:
        """Messages of a table."""
        for payload in payloads:
            self.desk.heard(f"tableref/{table}/{name}", payload)

    def kept(self, table: str = "corner", game: str = GAME) -> list[int]:
        """Which events lie in the database, in order."""
        self.desk.close()
        return [one.nth for one in self.results.events(table, game)]


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL: one that is named, or in the long form a scratch one."""
    pytest.importorskip("psycopg", reason="needs: pip install 'psycopg[binary]'")
    if url := os.environ.get(URL):
        yield url
    elif os.environ.get("TABLEREF_FULL") and programs() is not None:
        with cluster() as made:
            yield made.url
    else:
        pytest.skip(f"needs {URL}, or Debian's postgresql and TABLEREF_FULL=1")


def emptied(url: str) -> str:
    """The same database without its tables."""
    engine, known = create_engine(url), MetaData()
    known.reflect(engine)
    known.drop_all(engine)
    engine.dispose()
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/hub.db"
    return emptied(request.getfixturevalue("postgres"))


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Heard]:
    emptied(kept_in(tmp_path))
    made = Heard(tmp_path)
    yield made
    made.results.close()
