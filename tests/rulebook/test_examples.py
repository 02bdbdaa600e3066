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
    assert record["game"] == GAMES[id[:2]]
    for step in replay(games(record["game"]), record):
        assert not step.mismatch, step.mismatch


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", IDS)
def test_an_example_tells_of_its_paragraph(id: str, lang: str) -> None:
    record = example(id)
    assert record is not None
    sentences = list(told(BOOKS[lang], games(record["game"]), record))
    assert any(sentence.endswith(f"({id})") for sentence in sentences)


def test_most_crashes_have_an_example() -> None:
    assert {f"AS-5.{number}" for number in range(1, 8)} <= set(IDS)


def test_a_paragraph_without_an_example_has_none() -> None:
    assert example("HR-1.3") is None
