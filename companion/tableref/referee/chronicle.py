"""A game as its journal tells it, in order and in words: rulings with their paragraphs, refusals
with the way back, questions with their answers, corrections, what was let stand.

Nothing of it is secret: it is what was told at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tableref.referee.chain import Line
from tableref.referee.step import Referee
from tableref.referee.table import Row
from tableref.referee.telling import Teller
from tableref.rulebook import Rulebook
from tableref.rules.surface import Fact

RULING, REFUSAL, QUESTION, NOTE, ROUND = "ruling", "refusal", "question", "note", "round"


class Said(NamedTuple):
    """A sentence, and the paragraph that it rests on, or an empty text."""

    text: str
    paragraph: str = ""


class Item(NamedTuple):
    """A row in words: its kind, its number, what was said, and the way back or the answers."""

    kind: str
    number: int
    said: tuple[Said, ...]
    more: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A step of the journal: the number of its first row, when it was written, what it told."""

    step: int
    wall: str
    items: tuple[Item, ...]


class Chronicle:
    """Tells the lines of one game's journal, in one language."""

    def __init__(self, referee: Referee, lang: str = "en", names: Sequence[str] = ()) -> None:
        """`names` are those of the players, by index."""
        self._book = Rulebook(lang)
        self._teller = Teller(referee.game, referee.board, lang, names)

    def entries(self, lines: Iterable[Line]) -> Iterator[Entry]:
        """The steps that told something."""
        step, wall, items = 0, "", list[Item]()
        for line in lines:
            if line.step != step and items:
                yield Entry(step, wall, tuple(items))
                items = []
            step, wall = line.step, line.wall
            item = self._item(line.seq, line.row())
            if item is not None:
                items.append(item)
        if items:
            yield Entry(step, wall, tuple(items))

    def _item(self, number: int, row: Row) -> Item | None:
        match row.kind:
            case "action":
                facts = self._facts(row)
                return Item(RULING, number, facts) if facts else None
            case "trouble":
                facts = self._facts(row)
                return Item(REFUSAL, number, facts, tuple(self._texts(row)[len(facts) :]))
            case "question":
                asked, *answers = self._texts(row)
                return Item(QUESTION, number, (Said(asked),), tuple(answers))
            case "refused":
                broken = (Said(self._book.paragraph(id).title, id) for id in row.data["paragraphs"])
                return Item(REFUSAL, number, tuple(broken))
            case "let-stand":
                fact = Fact("HR-2.3", "let-stand", what=row.data["paragraph"])
                return Item(RULING, number, (self._said(fact),))
            case "round" | "end":
                return Item(ROUND, number, tuple(map(Said, self._texts(row))))
            case (
                "unfinished" | "answered" | "cleared" | "set-up" | "distrusted" | "tray" | "notice"
            ):
                return Item(NOTE, number, tuple(map(Said, self._texts(row))))
        return None

    def _facts(self, row: Row) -> tuple[Said, ...]:
        return tuple(self._said(Fact(**fact)) for fact in row.data["facts"])

    def _said(self, fact: Fact) -> Said:
        return Said(self._book.sentence(fact), fact.paragraph)

    def _texts(self, row: Row) -> list[str]:
        [event] = self._teller.events([row])
        texts: list[str] = event["text"]
        return texts
