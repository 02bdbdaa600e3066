"""The referee knows no game: its own words are the game's to say (rules/defaults.py)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tableref.referee.games import GAMES

REFEREE = Path(__file__).resolve().parents[2] / "companion" / "tableref" / "referee"
OF_GAMES = {"games.py", "plots.py"}
"""The table of the games, and the files in which players of one hand over what they wrote down."""


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(REFEREE.rglob("*.py")) if path.name not in OF_GAMES],
    ids=lambda path: path.name,
)
def test_no_paragraph_and_no_name_of_a_game_stands_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.findall(r"\b(?:AS|SC|SD|AE|SQ)-\d", text)
    names = "|".join(name.replace("-", "[-_ ]") for name in GAMES)
    assert not re.findall(rf"\b(?:{names})\b", text, re.IGNORECASE)
