"""Journals that earlier versions wrote: they go on where they were, or say why not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tableref.errors import UserError
from tableref.referee.evening import JOURNAL, Evening
from tableref.referee.games import GAMES, load_game
from tableref.referee.journal import Journal
from tableref.referee.resuming import resumed_evening
from tests.conftest import GOLDEN

STORED = sorted((GOLDEN / "journals").glob("*/*.sqlite3"))
"""`VERSION/GAME.sqlite3`; beside each, as JSON, where its game stood."""


def stands(evening: Evening) -> dict[str, Any]:
    """Where a game stands, but for the words in which it is told."""
    told = evening.stands()
    del told["text"]
    facts = evening.referee.game.facts(evening.state.table.state)
    rows = len(list(evening.journal.rows()))
    phase = evening.state.phase.value
    whole: dict[str, Any] = json.loads(
        json.dumps({"rows": rows, "phase": phase, "told": told, "facts": facts})
    )
    return whole


@pytest.mark.parametrize("stored", STORED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_journal_of_an_earlier_version_goes_on_where_it_was_or_says_why_not(
    stored: Path, tmp_path: Path
) -> None:
    journal = tmp_path / JOURNAL
    shutil.copyfile(stored, journal)
    head = Journal.read(journal).head()
    if head["rules_version"] != load_game(head["game"]).rules_version:
        with pytest.raises(UserError, match=f"finish it with Tableref {head['app_version']}"):
            resumed_evening(tmp_path)
        return
    evening = resumed_evening(tmp_path)
    try:
        assert stands(evening) == json.loads(stored.with_suffix(".json").read_text())
        evening.journal.begin()  # it can be written
    finally:
        evening.journal.close()


def test_every_game_has_a_stored_journal() -> None:
    assert {path.stem for path in STORED} == set(GAMES)


def test_a_journal_of_other_rules_says_which_version_finishes_it(tmp_path: Path) -> None:
    stored = Journal.read(STORED[0])
    head = {**stored.head(), "rules_version": 0, "app_version": "0.0.1"}
    journal = Journal.create(tmp_path / JOURNAL, head)
    journal.begin()
    journal.close()
    with pytest.raises(UserError, match=r"version 0 of the rules.*finish it with Tableref 0\.0\.1"):
        resumed_evening(tmp_path)
