"""A small record for a paragraph, `examples/<id>.json`: what happens when the paragraph applies.

It is a `table-record/1` that the engine replays, so an example can never say what the rules do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from tableref.rulebook.book import Rulebook
from tableref.rulebook.text import FOLDER
from tableref.rules.log import House
from tableref.rules.pieces import texts
from tableref.rules.records import read_record, replay
from tableref.rules.surface import Fact, Game, Record

EXAMPLES = FOLDER / "examples"


def example(id: str) -> dict[str, Any] | None:
    """The record for this paragraph, or None. RecordError where it is damaged."""
    path = EXAMPLES / f"{id}.json"
    return read_record(path.read_text(encoding="utf-8")) if path.is_file() else None


class Told(NamedTuple):
    """What happens in an example, in sentences; what an eye above the table sees before and after
    it (cell -> text, as of `Game.board`); and the cells that it is about."""

    sentences: tuple[str, ...]
    before: dict[str, str]
    after: dict[str, str]
    cells: frozenset[str]


def told(book: Rulebook, game: Game[Any], record: Record) -> Told:
    """What happens in a record, and why what is tried in it is refused. RecordError where it
    cannot be played."""
    house = House(game)
    start = house.start(record.get("setup", {}), record.get("position"))
    before = after = texts(game.board(start.state))
    told: list[Fact] = []
    for step, replayed in zip(record["steps"], replay(game, record), strict=True):
        told += replayed.facts
        if "attempt" in step:
            told += house.judge(replayed.table, house.read(step["attempt"])).broken
        after = texts(game.board(replayed.state))
    named = {cell for fact in told for cell in (fact.start, fact.to)}
    pieces = {piece for fact in told for piece in (fact.who, fact.other)}
    cells = named | {
        cell
        for cell in {*before, *after}
        if before.get(cell) != after.get(cell)
        # A car is named by its colour, the only one of it.
        or pieces & {f"{before.get(cell)} ".split(" ")[0]} & _alone(before)
    }
    sentences = (f"{book.sentence(fact)} ({fact.paragraph})" for fact in told)
    return Told(tuple(sentences), before, after, frozenset(cells - {""}))


def _alone(pieces: Mapping[str, str]) -> set[str]:
    """First words that one piece alone has."""
    count = Counter(text.split(" ")[0] for text in pieces.values())
    return {word for word, number in count.items() if number == 1}
