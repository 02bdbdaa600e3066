"""What an update may come to is said in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tableref.commands.update
import tableref.updating
from tableref.appliance.pages import Pages
from tableref.devices.oled import Marker
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.text import LANGUAGES
from tableref.updating.slots import FINE, Outcome

FILES = [
    Path(tableref.commands.update.__file__),
    *Path(tableref.updating.__path__[0]).glob("*.py"),
]
CODES = {
    code
    for path in FILES
    for code in re.findall(r'(?:UpdateError|Outcome)\(\s*"([a-z-]+)"', path.read_text("utf-8"))
} | {"not-up"}  # of tableref-trial


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_outcome_has_words_for_the_display(lang: str) -> None:
    assert len(CODES) > 12
    texts = MenuWords(lang)._data["texts"]
    told = {key.removeprefix("outcome-") for key in texts if key.startswith("outcome-")}
    assert told == CODES
    for code in CODES:
        other = MenuWords("en")._data["texts"][f"outcome-{code}"]
        assert texts[f"outcome-{code}"].count("{}") == other.count("{}"), code


def test_an_outcome_of_a_later_version_is_told_as_it_told_it_itself() -> None:
    page = Pages("de").outcome(Outcome("moonlight", "the moon was too bright", ()))
    assert "the moon was" in " ".join(page.text)
    assert page.marker is Marker.TROUBLE
    page = Pages("de").outcome(Outcome("done", "2.0 is installed", ()))  # fewer values than gaps
    assert "2.0 is installed" in " ".join(page.text)


@pytest.mark.parametrize("code", FINE)
def test_what_went_well_is_no_trouble(code: str) -> None:
    assert Pages("en").outcome(Outcome(code, "", ("1.1",))).marker is Marker.NONE
