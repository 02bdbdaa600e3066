"""The language of the menu and of new games."""

from __future__ import annotations

from tableref.appliance.steps.table import SetUp
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.text import LANGUAGES

VERSION = 1


def run(table: SetUp) -> bool:
    """Whether one was chosen."""
    names = [MenuWords(lang).label("language") for lang in LANGUAGES]
    chosen = table.choose("languages", names)
    if chosen is None:
        return False
    table.remember("game", {"lang": LANGUAGES[chosen]})
    return True
