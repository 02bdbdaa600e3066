"""A game as its journal tells it, in order and in words: rulings with their paragraphs, refusals
with the way back, questions with their answers, corrections, what was let stand.

Nothing of it is secret: it is what was told at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tableref.referee.chain import Line
from tableref.referee.standing import StandingWords, standing
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.referee.telling import Teller
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
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

    def __init__(self, referee: Referee, lang: str = "en") -> None:
        game, board = referee.game, referee.board
        self._referee, self._game = referee, game
        self._book = Rulebook(lang)
        self._messages = Messages(self._book)
        self._teller = Teller(game, board, lang)
        self._words = StandingWords(game, board, lang)

    def entries(self, state: TableState, lines: Iterable[Line]) -> Iterator[Entry]:
        """The steps that told something, from the game's first state on."""
        step, wall, items = 0, "", list[Item]()
        for line in lines:
            if line.step != step and items:
                yield Entry(step, wall, tuple(items))
                items = []
            step, wall, row = line.step, line.wall, line.row()
            state = self._referee.replayed(state, (row,))
            item = self._item(state, line.seq, row)
            if item is not None:
                items.append(item)
        if items:
            yield Entry(step, wall, tuple(items))

    def _item(self, state: TableState, number: int, row: Row) -> Item | None:
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
            case "round":
                told = [self._message("round-ended", what=str(row.data["round"]))]
                told += self._words.score(standing(self._game, state, ()))
                return Item(ROUND, number, tuple(map(Said, told)))
            case "end":
                return Item(ROUND, number, tuple(map(Said, self._end(state))))
            case "unfinished":
                return Item(NOTE, number, (Said(self._message("not-finished")),))
            case "answered":
                return Item(NOTE, number, (Said(self._answer(str(row.data.get("answer", "")))),))
            case "cleared" | "set-up":
                return Item(NOTE, number, (Said(self._message(f"row-{row.kind}")),))
            case "distrusted":
                cells = ", ".join(row.data["cells"])
                return Item(NOTE, number, (Said(self._message("row-distrusted", what=cells)),))
            case "tray":
                return Item(NOTE, number, (Said(self._message(f"tray-{row.data['tray']}")),))
            case "notice":
                said = self._message(row.data["notice"], **row.data.get("values", {}))
                return Item(NOTE, number, (Said(said),))
        return None

    def _end(self, state: TableState) -> list[str]:
        stands = standing(self._game, state, ())
        return [*self._words.game(stands), *self._words.score(stands)]

    def _answer(self, answer: str) -> str:
        if answer in self._messages:
            answer = self._messages.sentence(answer)
        return self._message("row-answered", what=answer)

    def _facts(self, row: Row) -> tuple[Said, ...]:
        return tuple(self._said(Fact(**fact)) for fact in row.data["facts"])

    def _said(self, fact: Fact) -> Said:
        return Said(self._book.sentence(fact), fact.paragraph)

    def _texts(self, row: Row) -> list[str]:
        [event] = self._teller.events([row])
        texts: list[str] = event["text"]
        return texts

    def _message(self, key: str, **values: Any) -> str:
        return self._messages.sentence(key, values)
