"""The example of a paragraph is played by the engine, comes out as written, and shows it."""

from __future__ import annotations

from functools import cache

import pytest

from tableref.referee.games import load_game
from tableref.referee.textboard import drawn
from tableref.rulebook import Rulebook
from tableref.rulebook.examples import EXAMPLES, example, told
from tableref.rulebook.text import GAMES, LANGUAGES
from tableref.rules.records import replay
from tableref_hardware import load_board

games = cache(load_game)
BOOKS = {lang: Rulebook(lang) for lang in LANGUAGES}

SHOWN_OTHERWISE = {
    "AS-3.3",  # its words are for what the eye saw; a log names the manoeuvre
    "AS-7.4",  # who chooses colours is refused only to players who are not asked
    "HR-3.1",  # the table says it before anything is entered; a log has the correction
    "HR-3.2",  # its words are for what the eye saw of a die; a log has the dice that count
    "SQ-1.2",  # its words are for who acts on a phone out of turn
}
"""Paragraphs with words that no record can call up: their examples show them without."""

IDS = sorted(path.stem for path in EXAMPLES.glob("*.json"))


@pytest.mark.parametrize("id", IDS)
def test_an_example_comes_out_as_written(id: str) -> None:
    record = example(id)
    assert record is not None
    assert record["game"] == GAMES[id[:2]] or id.startswith("HR")
    for step in replay(games(record["game"]), record):
        assert not step.mismatch, step.mismatch


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", IDS)
def test_an_example_tells_of_its_paragraph(id: str, lang: str) -> None:
    record = example(id)
    assert record is not None
    sentences = told(BOOKS[lang], games(record["game"]), record).sentences
    tells = any(sentence.endswith(f"({id})") for sentence in sentences)
    assert tells == (bool(cases(id)) and id not in SHOWN_OTHERWISE)


@pytest.mark.parametrize("id", IDS)
def test_an_example_in_which_nothing_happens_says_what_stands_on_the_table(id: str) -> None:
    record = example(id)
    assert record is not None
    still = [step for step in record["steps"] if not step.get("do", ["attempt"])]
    assert all(step["expect"] for step in still)
    assert still or told(BOOKS["en"], games(record["game"]), record).sentences


@pytest.mark.parametrize("id", IDS)
def test_an_example_is_drawn_with_pieces_in_the_width_of_a_page(id: str) -> None:
    record = example(id)
    assert record is not None
    story = told(BOOKS["en"], games(record["game"]), record)
    assert story.before or story.after, "no piece stands on the board"
    board = load_board(record["game"])
    for pieces in (story.before, story.after):
        lines = drawn(board, pieces, story.cells)
        assert 0 < max(map(len, lines)) <= 80


def cases(id: str) -> bool:
    """Whether the engine has words for the paragraph; else an example shows it without them."""
    return bool(BOOKS["en"].paragraph(id).cases)


@pytest.mark.parametrize("game", GAMES.values())
def test_every_paragraph_has_an_example(game: str) -> None:
    assert not set(BOOKS["en"].ids(game)) - set(IDS)


def test_every_example_is_of_a_paragraph() -> None:
    assert not set(IDS) - {id for game in GAMES.values() for id in BOOKS["en"].ids(game)}


def test_an_example_knows_where_it_happens_and_what_changes() -> None:
    record = example("AS-5.4")
    assert record is not None
    story = told(BOOKS["en"], games("autoscooter"), record)
    assert story.cells == {"b4", "c4"}
    assert (story.before["c4"], story.after["c4"]) == ("orange NE", "orange NW")
    assert story.before["b4"] == story.after["b4"]


def test_what_is_no_paragraph_has_no_example() -> None:
    assert example("HR-9.9") is None
