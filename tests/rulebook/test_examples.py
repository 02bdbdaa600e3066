"""The example of a paragraph is played by the engine, comes out as written, and shows it."""

from __future__ import annotations

from functools import cache

import pytest

from tableref.referee.games import load_game
from tableref.rulebook import Rulebook
from tableref.rulebook.examples import EXAMPLES, example, told
from tableref.rulebook.text import GAMES, LANGUAGES
from tableref.rules.records import replay

games = cache(load_game)
BOOKS = {lang: Rulebook(lang) for lang in LANGUAGES}

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
    assert any(sentence.endswith(f"({id})") for sentence in sentences) or not cases(id)
    assert sentences


def cases(id: str) -> bool:
    """Whether the engine has words for the paragraph; else an example shows it without them."""
    return bool(BOOKS["en"].paragraph(id).cases)


def test_most_crashes_have_an_example() -> None:
    assert {f"AS-5.{number}" for number in range(1, 8)} <= set(IDS)


@pytest.mark.parametrize("game", GAMES.values())
def test_every_ruling_that_the_engine_states_has_an_example(game: str) -> None:
    book = BOOKS["en"]
    argued = {id for id in book.ids(game) if book.paragraph(id).ruling and cases(id)}
    assert argued - set(IDS) <= {
        "AS-7.4",  # who chooses colours is refused only to players who are not asked
        "HR-3.1",  # stated by the table, not by the engine
    }


def test_an_example_knows_where_it_happens_and_what_changes() -> None:
    record = example("AS-5.4")
    assert record is not None
    story = told(BOOKS["en"], games("autoscooter"), record)
    assert story.cells == {"b4", "c4"}
    assert (story.before["c4"], story.after["c4"]) == ("orange NE", "orange NW")
    assert story.before["b4"] == story.after["b4"]


def test_a_paragraph_without_an_example_has_none() -> None:
    assert example("HR-3.3") is None
