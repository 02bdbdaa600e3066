"""The texts are whole: every paragraph in every language, its standing and where to look on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tableref.referee.games import load_game
from tableref.rulebook import Rulebook, UnknownParagraph, stamps
from tableref.rulebook.text import GAMES, LANGUAGES, Paragraph
from tests.conftest import ROOT
from tests.rulebook.facts import stated

ENGLISH = Rulebook("en")
ALL = [ENGLISH.paragraph(id) for game in GAMES.values() for id in ENGLISH.ids(game)]
TRANSLATIONS = LANGUAGES[1:]
NEEDED: dict[str, dict[str, Any]] = {
    "ghost": {"players": 5},
    "best_car": {"colour_scoring": True},
    "partner_throws": {"players": 4, "teams": True},
    "teams": {"players": 4},
}
"""What else a set-up must say for an option to make sense."""


def ids(paragraph: Paragraph) -> str:
    return paragraph.id


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_a_translation_has_the_paragraphs_of_the_english_in_their_order(lang: str) -> None:
    for game in GAMES.values():
        assert Rulebook(lang).ids(game) == ENGLISH.ids(game)


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_no_translation_is_older_than_its_english(lang: str) -> None:
    stale = stamps.stale(lang)
    assert not stale, (
        f"{lang}: {', '.join(stale)}: look at them, then run "
        f"python -m tableref.rulebook.stamps --accept {lang} ID ..."
    )


def test_every_paragraph_of_the_decided_rules_has_a_text(shared: Path) -> None:
    decided = set()
    for game in GAMES.values():
        rules = (shared / "rules" / f"{game}.md").read_text(encoding="utf-8")
        decided |= set(re.findall(r"^- ([A-Z]{2}-\d+\.\d+) ", rules, re.MULTILINE))
    assert {paragraph.id for paragraph in ALL} == decided


def test_every_paragraph_that_the_engine_can_cite_has_a_text() -> None:
    known = {paragraph.id for paragraph in ALL}
    assert {fact.paragraph for fact in stated()} <= known


@pytest.mark.parametrize("paragraph", ALL, ids=ids)
def test_standing_says_what_the_notes_show(paragraph: Paragraph) -> None:
    assert paragraph.standing
    assert ("ruling" in paragraph.standing) == bool(paragraph.ruling)
    assert ("unconfirmed" in paragraph.standing) == bool(paragraph.unconfirmed)
    assert bool(paragraph.unconfirmed) == bool(paragraph.correct_in)
    if paragraph.ruling:
        assert paragraph.other_reading, "a ruling shows the other reading beside it"
    if paragraph.option:
        assert paragraph.other_reading, "an option chooses the other reading"


@pytest.mark.parametrize("lang", TRANSLATIONS)
def test_a_translation_has_the_notes_of_its_english(lang: str) -> None:
    book = Rulebook(lang)
    for english in ALL:
        translated = book.paragraph(english.id)
        for field in ("ruling", "other_reading", "unconfirmed"):
            assert bool(getattr(translated, field)) == bool(getattr(english, field)), english.id


@pytest.mark.parametrize("paragraph", ALL, ids=ids)
def test_see_also_leads_to_other_paragraphs(paragraph: Paragraph) -> None:
    assert paragraph.id not in paragraph.see_also
    for id in paragraph.see_also:
        assert ENGLISH.paragraph(id)


@pytest.mark.parametrize("paragraph", [p for p in ALL if p.correct_in], ids=ids)
def test_what_is_unconfirmed_can_be_corrected_where_the_text_says(paragraph: Paragraph) -> None:
    file, *sections = re.findall(r"`([^`]+)`", paragraph.correct_in)
    path = ROOT / file
    assert path.is_file()
    if path.suffix == ".toml":
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        assert sections
        assert {section.strip("[]") for section in sections} <= set(data)


@pytest.mark.parametrize("paragraph", [p for p in ALL if p.option or p.played_with], ids=ids)
def test_an_option_is_one_that_the_engine_takes(paragraph: Paragraph) -> None:
    setup: dict[str, Any] = tomllib.loads(
        f"{paragraph.option}{paragraph.played_with}".replace("`", "")
    )
    for option in tuple(setup):
        setup |= NEEDED.get(option, {})
    load_game(GAMES[paragraph.id[:2]]).start(setup)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_all_headings_of_the_rulebook(lang: str) -> None:
    assert Rulebook(lang).words.labels.keys() == ENGLISH.words.labels.keys()
    assert Rulebook(lang).words.players.keys() == ENGLISH.words.players.keys()
    assert Rulebook(lang).words.kinds.keys() == ENGLISH.words.kinds.keys()


def test_no_run_of_words_is_that_of_the_original_texts(shared: Path) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"\w+", text.lower())
        return {tuple(words[i : i + 7]) for i in range(len(words) - 6)}

    originals = set()
    for path in (shared / "seeds").glob("*-??.txt"):
        originals |= runs(path.read_text(encoding="utf-8"))
    for lang in LANGUAGES:
        for path in (ROOT / "companion/tableref/rulebook" / lang).glob("**/*.md"):
            assert not runs(path.read_text(encoding="utf-8")) & originals, path.name


def test_an_unknown_id_is_named_in_the_error() -> None:
    with pytest.raises(UnknownParagraph, match=r"AS-9\.9"):
        ENGLISH.paragraph("AS-9.9")
    with pytest.raises(UnknownParagraph, match=r"XX-1\.1"):
        ENGLISH.paragraph("XX-1.1")
    with pytest.raises(UnknownParagraph, match="chess"):
        ENGLISH.ids("chess")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="'xx'"):
        Rulebook("xx")
