"""Where a game stands, and the sentences that say so: the one source of `resume`, `ask`, the
journal and the terminal.

    stands = standing(game, state, rows)
    words = StandingWords(game, board, "de")
    words.all(stands)    # game, round, score, turn, what was told last, what is open
    words.turn(stands)   # or one of them

Nothing of it is secret: it is what everybody at the table may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tableref.referee.asking import ENTERED
from tableref.referee.table import Phase, Row, TableState
from tableref.referee.telling import Teller
from tableref.referee.wording import Wording
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import title
from tableref.rules.defaults import Score, TableGame
from tableref.rules.log import House
from tableref.rules.surface import Due, Fact, Outcome
from tableref_hardware import Board

PASSING = ("next", "turn", "turn-ended", "order")
"""Cases that only say whose turn it is."""
REFUSALS = ("trouble", "refused")
"""Rows of what was not allowed."""


class Stands(NamedTuple):
    """Where a game stands: `round` is None in games without rounds, `score` where nothing is
    counted. `away`: players who left for a while. `last` is the row of the last ruling that was
    told, `open` that of the question or refusal that stands open."""

    phase: Phase
    due: Due
    players: tuple[str, ...]
    round: int | None = None
    score: Score | None = None
    away: tuple[int, ...] = ()
    outcome: Outcome | None = None
    last: Row | None = None
    open: Row | None = None

    @property
    def leaders(self) -> tuple[int, ...]:
        """Who has the most of what is counted."""
        of = self.score.of if self.score else ()
        return tuple(player for player, count in enumerate(of) if count == max(of))


def standing(game: TableGame[Any], state: TableState, rows: Sequence[Row]) -> Stands:
    """Where the game stands after these rows of its journal."""
    house, inner = House(game), state.table.state
    outcome = house.outcome(state.table)
    opened = state.ask is not None or state.trouble is not None
    return Stands(
        Phase.OVER if outcome else state.phase,
        house.due(state.table),
        game.players(inner),
        game.facts(inner).get("round"),
        game.score(inner),
        tuple(sorted(state.table.away)),
        outcome,
        next((row for row in reversed(rows) if _tells(row)), None),
        rows[state.asked - 1] if opened and 0 < state.asked <= len(rows) else None,
    )


def _tells(row: Row) -> bool:
    """Whether a row is of a ruling by which more happened than that it is somebody's turn."""
    return row.kind == "action" and any(f["case"] not in PASSING for f in row.data["facts"])


def told_in_play(rows: Sequence[Row], phase: Phase) -> Iterator[Row]:
    """Rulings, refusals and questions that were told, the last first, but for the question what
    somebody does next; what was told while the game was set up belongs to them as long as it is."""
    for row in reversed(rows):
        if row.kind == "set-up" and phase is not Phase.SETTING_UP:
            return
        asked = row.kind == "question" and row.data["question"] != ENTERED
        if row.kind in REFUSALS or asked or _tells(row):
            yield row


class StandingWords:
    """Says where a game stands, in one language."""

    def __init__(self, game: TableGame[Any], board: Board, lang: str = "en") -> None:
        self._name = game.name
        self._game, self._board = game, board
        self._book = Rulebook(lang)
        self._messages = Messages(self._book)

    def all(self, stands: Stands) -> list[str]:
        """Everything, in the order in which people ask for it."""
        return [
            *self.game(stands), *self.score(stands), *self.turn(stands),
            *self.last(stands), *self.open(stands),
        ]  # fmt: skip

    def game(self, stands: Stands) -> list[str]:
        """Which game it is, in which round, or that it is over and who has won."""
        if stands.outcome is not None:
            return self._words(stands).ended(stands.outcome.winners, stands.outcome.paragraph)
        name = title(self._book.lang, self._name)
        if stands.phase is Phase.SETTING_UP:
            return [self._messages.sentence("stands-set-up", {"what": name})]
        if stands.round is None:
            return [self._messages.sentence("stands", {"what": name})]
        values = {"what": name, "to": str(stands.round)}
        return [self._messages.sentence("stands-round", values)]

    def score(self, stands: Stands) -> list[str]:
        """What is counted, by player; nothing where nothing is."""
        if stands.score is None:
            return []
        counts = self._words(stands).counted(stands.score.of)
        return [self._messages.sentence(f"score-{stands.score.unit}", {"what": counts})]

    def turn(self, stands: Stands) -> list[str]:
        """Who is to do what now; who is away. Nothing once the game is over."""
        if stands.due.kind == "over":
            return []
        told = []
        if stands.phase is Phase.SETTING_UP:
            told.append(self._messages.sentence("set-up"))
        words = self._words(stands)
        told.append(self._messages.sentence(*words.turn(stands.due)))
        if stands.away:
            away = {"who": words.players(stands.away)}
            told.append(self._messages.sentence("stands-away", away))
        return told

    def last(self, stands: Stands) -> list[str]:
        """The last ruling that was told, with its paragraphs."""
        facts = [Fact(**told) for told in stands.last.data["facts"]] if stands.last else []
        lines = [self._book.cited(fact) for fact in facts]
        return self._under("stands-last", lines)

    def open(self, stands: Stands) -> list[str]:
        """The question that is open, with its answers, or the refusal with the way back."""
        return self._under("stands-open", self.row(stands, stands.open) if stands.open else [])

    def row(self, stands: Stands, row: Row) -> list[str]:
        """What a row of the journal says."""
        teller = Teller(self._game, self._board, self._book.lang, stands.players)
        return [line for event in teller.events([row]) for line in event["text"]]

    def resumed(self, stands: Stands) -> dict[str, Any]:
        """The event that a game is taken up again; what is open follows as events of its own."""
        event: dict[str, Any] = {"event": "resumed", "game": self._name}
        if stands.round is not None:
            event["round"] = stands.round
        if stands.score is not None:
            event["score"] = {stands.score.unit: list(stands.score.of)}
        due = stands.due
        event |= {"due": due.kind, "players": list(due.players), "piece": due.piece}
        told = (self.game(stands), self.score(stands), self.turn(stands), self.last(stands))
        return event | {"text": [line for lines in told for line in lines]}

    def _under(self, key: str, lines: Sequence[str]) -> list[str]:
        return [self._messages.sentence(key), *(f"  {line}" for line in lines)] if lines else []

    def _words(self, stands: Stands) -> Wording:
        return Wording(self._game, self._board, self._book.lang, stands.players)
