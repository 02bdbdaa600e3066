"""A small record for a paragraph, `examples/<id>.json`: what happens when the paragraph applies.

It is a `table-record/1` that the engine replays, so an example can never say what the rules do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tableref.rulebook.book import Rulebook
from tableref.rulebook.text import FOLDER
from tableref.rules.records import read_record, replay
from tableref.rules.surface import Fact, Game, Record

EXAMPLES = FOLDER / "examples"


def example(id: str) -> dict[str, Any] | None:
    """The record for this paragraph, or None. RecordError where it is damaged."""
    path = EXAMPLES / f"{id}.json"
    return read_record(path.read_text(encoding="utf-8")) if path.is_file() else None


def told(book: Rulebook, game: Game[Any], record: Record) -> Iterator[str]:
    """What happens in a record, and why what is tried in it is refused, sentence by sentence.
    RecordError where it cannot be played."""
    for step, replayed in zip(record["steps"], replay(game, record), strict=True):
        facts: tuple[Fact, ...] = replayed.facts
        if "attempt" in step:
            facts = game.judge(replayed.state, game.read(step["attempt"])).broken
        for fact in facts:
            yield f"{book.sentence(fact)} ({fact.paragraph})"
