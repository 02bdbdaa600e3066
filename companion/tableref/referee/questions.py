"""Questions about the position on the table: why not, what may be done, what if, who pays whom.

The answers come from the journal and from the rules themselves: a "what if" is carried out on a
copy of the state and told as any ruling is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, Protocol, runtime_checkable

from tableref.referee.table import Row
from tableref.rulebook import Rulebook
from tableref.rulebook.terms import fold
from tableref.rulebook.text import FOLDER
from tableref.rules.defaults import TableGame
from tableref.rules.surface import Action, Fact, RulesError

KINDS = ("what-if", "who-pays", "why", "what-may")
MOST = 12
"""Actions that are told before the rest is only counted."""


@runtime_checkable
class Supposes(Protocol):
    """A game that can suppose that it were a piece's turn."""

    def as_if_turn(self, state: Any, piece: str) -> Any:
        """The state were it this piece's turn, with every choice open."""
        ...


class Asked(NamedTuple):
    """A question that was understood: its kind, the piece it names, and the action or letter."""

    kind: str
    piece: str = ""
    action: str = ""


class Positions:
    """Answers about one game, in one language. `rows` are those of its journal."""

    def __init__(
        self, game: TableGame[Any], state: Any, rows: Iterable[Row], lang: str = "en"
    ) -> None:
        self._game, self._state, self._rows = game, state, list(rows)
        self._book = Rulebook(lang)
        self._data = _asking(lang)

    def understand(self, question: str) -> Asked | None:
        """The kind of a question and what it names; None where it is none about the position."""
        text = fold(question, self._book.lang)
        for kind in KINDS:
            for phrase in self._data[kind]:
                if all(word in text for word in fold(phrase, self._book.lang).split()):
                    return Asked(kind, self._piece(text), self._action(question))
        return None

    def answer(self, asked: Asked) -> list[str]:
        """Sentences, each with its paragraph where it rests on one."""
        match asked.kind:
            case "why":
                return self._why()
            case "who-pays":
                return self._who_pays()
            case "what-may":
                return self._what_may(asked.piece)
        return self._what_if(asked)

    # -- the four kinds ---------------------------------------------------------------------------

    def _why(self) -> list[str]:
        """The last refusal, with its paragraphs in full."""
        for row in reversed(self._rows):
            if row.kind == "trouble":
                facts = [Fact(**fact) for fact in row.data["facts"]]
                told = [self._told(fact) for fact in facts]
                ids = dict.fromkeys(fact.paragraph for fact in facts)
                return told + [f"{id}: {self._book.paragraph(id).text}" for id in ids]
        return [self._say("nothing-refused")]

    def _who_pays(self) -> list[str]:
        """The payments of the last action that had any."""
        for row in reversed(self._rows):
            facts = [Fact(**fact) for fact in row.data.get("facts", ())]
            paid = [fact for fact in facts if fact.case in ("pays", "short")]
            if row.kind == "action" and paid:
                return [self._told(fact) for fact in facts if fact.case != "order"]
        return [self._say("nothing-paid")]

    def _what_may(self, piece: str) -> list[str]:
        """The legal actions, of this piece or of all, and where each leads."""
        state, told = self._turn_of(piece)
        actions = self._actions(state, piece)
        outcomes = [self._outcome(state, action) for action in islice(actions, MOST)]
        if not outcomes and not piece:
            return [self._say("nothing-legal-at-all")]
        if not outcomes:
            return [self._say("nothing-legal", who=self._book.value(piece))]
        more = sum(1 for _ in actions)
        return told + outcomes + ([self._say("more", what=str(more))] if more else [])

    def _what_if(self, asked: Asked) -> list[str]:
        """What an action would lead to, step by step, or why it may not be."""
        if not asked.action:
            return self._what_may(asked.piece)
        state: Any = self._state
        told: list[str] = []
        text = asked.action
        if len(text) == 1:
            state, told = self._turn_of(asked.piece)
            text = f"{asked.piece}!{text}"
        action = self._game.parse(state, text)
        facts = self._game.judge(state, action).broken or self._game.apply(state, action)[1]
        return told + [self._told(fact) for fact in facts]

    def _turn_of(self, piece: str) -> tuple[Any, list[str]]:
        """The state as if it were this piece's turn, and a word on it where it is not."""
        if not piece or not isinstance(self._game, Supposes):
            return self._state, []
        state = self._game.as_if_turn(self._state, piece)
        if self._game.due(self._state).piece == piece:
            return state, []
        return state, [self._say("not-its-turn", who=self._book.value(piece))]

    # -- words ------------------------------------------------------------------------------------

    def _actions(self, state: Any, piece: str) -> Iterator[Action]:
        """The legal actions in which a piece acts. Secret plots are too many to tell."""
        for action in self._game.legal(state):
            record = action.record()
            if any(kind.startswith(("plot", "announce", "prefer")) for kind in record):
                continue
            if not piece or piece in re.split(r"\W", self._game.text(state, action)):
                yield action

    def _outcome(self, state: Any, action: Action) -> str:
        facts = self._game.apply(state, action)[1]
        text = self._game.text(state, action)
        return f"{text}: " + " ".join(self._book.sentence(fact) for fact in facts[:3])

    def _told(self, fact: Fact) -> str:
        return f"{self._book.sentence(fact)} ({fact.paragraph})"

    def _say(self, key: str, **values: str) -> str:
        text: str = self._data["says"][key].format(**values)
        return text

    def _piece(self, text: str) -> str:
        """The piece that a folded question names, by its word in this language or in English."""
        board = self._game.board(self._state)
        for piece in dict.fromkeys(one.called for stack in board.values() for one in stack):
            names = (piece, fold(self._book.value(piece), self._book.lang))
            if any(re.search(rf"\b{re.escape(name)}\b", text) for name in names):
                return piece
        return ""

    def _action(self, question: str) -> str:
        """A letter that stands alone, or the first words that read as an action."""
        words = question.rstrip("?!. ").split()
        for count in range(len(words), 0, -1):
            for start in range(len(words) - count + 1):
                text = " ".join(words[start : start + count])
                try:
                    self._game.parse(self._state, text)
                except RulesError:
                    continue
                return text
        return next((word for word in reversed(words) if re.fullmatch("[A-Z]", word)), "")


@lru_cache(maxsize=4)
def _asking(lang: str) -> dict[str, Any]:
    with (FOLDER / lang / "asking.toml").open("rb") as file:
        return tomllib.load(file)
