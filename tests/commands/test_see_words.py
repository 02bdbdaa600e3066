"""What `tableref see` says is there in every language."""

from __future__ import annotations

import string
from collections.abc import Mapping

import pytest

from tableref.commands.see_words import DOUBT, POSE, WHY, SeeWords, texts, wrong
from tableref.rulebook.text import LANGUAGES
from tableref_hardware import load_board

other_languages = pytest.mark.parametrize("lang", LANGUAGES[1:])


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@other_languages
def test_every_language_says_the_same_with_the_same_gaps(lang: str) -> None:
    english: Mapping[str, str] = texts("en")
    codes = {f"{sort}-{code}" for sort in (POSE, WHY, DOUBT) for code in wrong(sort)}
    assert texts(lang).keys() == english.keys() | codes
    assert all(gaps(texts(lang)[key]) == gaps(text) for key, text in english.items())


def test_corners_pieces_and_headings_are_named_in_the_language() -> None:
    tags = load_board("autoscooter").corner_tags
    words = SeeWords("de")
    seen = [tag.id for tag in tags if tag.x < 0]
    assert words.corners(tags, seen, None).startswith("zwei von vier Ecken: SO (Marke 41) und NO")
    assert words.stack("red NE") == "rot NO"
    assert words.stack("") == "nichts"
