"""What games really say fits: sentences on one line, screens on the display, in every language."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tableref.devices.oled import Marker, Screen, draw
from tableref.referee.games import GAMES, load_game
from tableref.rulebook import Rulebook
from tableref.rulebook.book import COLUMNS, LINES, TITLE_COLUMNS
from tableref.rulebook.examples import EXAMPLES, example
from tableref.rulebook.text import LANGUAGES
from tableref.rules.log import House
from tableref.rules.records import read_record, replay
from tableref.rules.surface import Fact, Record
from tests.rules import harness

if TYPE_CHECKING:
    from PIL import Image

BOOKS = {lang: Rulebook(lang) for lang in LANGUAGES}


def in_random_games(name: str) -> Iterator[Fact]:
    """What happens in some games, and what is said of actions that came too late or too early."""
    for seed in range(harness.count(3, 100)):
        game, setup = harness.seeded(name, seed)
        rng = random.Random(seed)
        steps = list(harness.random_game(game, setup, seed))
        for earlier, later in pairwise(steps):
            yield from later.facts
            yield from game.judge(later.after, earlier.action).broken
            yield from game.judge(later.after, rng.choice(steps).action).broken


def in_record(record: Record) -> Iterator[Fact]:
    """What happens in a record, and why what is tried in it is refused."""
    house = House(load_game(record["game"]))
    for step, replayed in zip(record["steps"], replay(house.game, record), strict=True):
        yield from replayed.facts
        if "attempt" in step:
            yield from house.judge(replayed.table, house.read(step["attempt"])).broken


def unfit(fact: Fact, lang: str) -> str:
    """What is wrong with the words for a fact, or an empty text."""
    sentence, screen = BOOKS[lang].sentence(fact), BOOKS[lang].screen(fact)
    whole = sentence.replace("\u00a0", " ")  # a space that does not break counts as printable
    if not whole.isprintable() or sentence.startswith(fact.paragraph) or "{" in sentence:
        return f"sentence: {sentence!r}"
    if not 1 <= len(screen) <= LINES or len(screen[0]) > TITLE_COLUMNS:
        return f"screen: {screen}"
    if any(len(line) > COLUMNS for line in screen) or screen[-1].endswith(".."):
        return f"screen: {screen}"
    return ""


def all_unfit(facts: set[Fact]) -> list[tuple[str, Fact, str]]:
    found = ((lang, fact, unfit(fact, lang)) for lang in LANGUAGES for fact in sorted(facts))
    return [case for case in found if case[2]]


@pytest.mark.parametrize("name", GAMES)
def test_all_that_random_games_say_fits(name: str) -> None:
    facts = set(in_random_games(name))
    assert len({(fact.paragraph, fact.case) for fact in facts}) > 8
    assert all_unfit(facts) == []


def test_all_that_the_examples_say_fits() -> None:
    facts = {fact for path in EXAMPLES.glob("*.json") for fact in in_record(_example(path.stem))}
    assert len({fact.paragraph for fact in facts}) > 80
    assert all_unfit(facts) == []


def test_all_that_stored_rule_records_say_fits(shared: Path) -> None:
    paths = sorted((shared / "records").glob("*/rule-*.json"))
    assert paths
    records = (read_record(path.read_text(encoding="utf-8")) for path in paths)
    assert all_unfit({fact for record in records for fact in in_record(record)}) == []


@cache
def _example(id: str) -> dict[str, Any]:
    record = example(id)
    assert record is not None
    return record


PICTURED = {
    "en": Fact("AS-5.4", "side", "orange", amount=5, other="purple"),
    "fr": Fact("SC-3.2", "opposite-taken", "blue", "K14", to="Y7", other="red"),
    "de": Fact("SQ-4.3", "squod-won", "S", "rock", "S32", "b3", other="W scissors"),
}
"""A ruling for each language, as long ones go."""


@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_rulings_look_as_their_reference_pictures(
    golden: Callable[[Image.Image, str], None], lang: str, height: int
) -> None:
    fact = PICTURED[lang]
    title, *lines = BOOKS[lang].screen(fact)
    screen = Screen(title, tuple(lines), Marker.REFUSED, fact.paragraph, "OK")
    golden(draw(screen, (128, height)), f"ruling-{lang}-{height}")
