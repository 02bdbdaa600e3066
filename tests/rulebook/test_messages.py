"""What the referee says apart from the paragraphs: in every language, and so that it fits."""

from __future__ import annotations

import string
import tomllib

import pytest

from tableref.devices.oled import COLUMNS, ROWS
from tableref.referee.evidence import SENSOR_DOUBTS
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import FOLDER, LANGUAGES
from tableref_vision.observation import POSE_WORDS

LONG = {"who": "orange", "to": "c4", "other": "NW", "what": "12"}


def texts(lang: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((FOLDER / lang / "table.toml").read_text(encoding="utf-8"))


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_every_message_with_the_same_gaps(lang: str) -> None:
    english, other = texts("en"), texts(lang)
    assert other.keys() == english.keys()
    for key, message in english.items():
        assert gaps(other[key]["sentence"]) == gaps(message["sentence"]), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_fits_the_display(lang: str) -> None:
    messages = Messages(Rulebook(lang))
    for key in texts(lang):
        lines = messages.screen(key, LONG)
        assert len(lines) <= ROWS
        assert all(len(line) <= COLUMNS + 1 for line in lines), (key, lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_of_the_eye_and_the_switches_has_words(lang: str) -> None:
    told = texts(lang)
    assert {f"pose-{code}" for code in POSE_WORDS if code != "ok"} <= told.keys()
    assert set(SENSOR_DOUBTS) <= told.keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_eye_says_begins_small_for_it_stands_behind_a_colon(lang: str) -> None:
    """And no noun of German is made small."""
    told = {k: text["sentence"] for k, text in texts(lang).items() if k.startswith("pose-")}
    assert all(text[0].islower() for text in told.values()), told
