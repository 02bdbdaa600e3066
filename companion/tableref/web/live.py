"""What the phones may see: an outlet that keeps the last step and the events, as one view."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tableref.devices.lights import Standing
from tableref.referee.desk import Feedback
from tableref.referee.evening import Evening
from tableref.referee.inputs import Input
from tableref.referee.standing import StandingWords, standing
from tableref.referee.table import Phase, TableState
from tableref.referee.telling import paragraphs_of
from tableref.referee.timing import Timer, followed
from tableref.referee.wording import Wording
from tableref.rulebook.text import title
from tableref.rules.defaults import may_go
from tableref.rules.log import House
from tableref.rules.pieces import HIDDEN
from tableref.web.drawing import Mark, Touch, board_svg
from tableref.web.noting import Note, due_notes, leads_of
from tableref.web.steering import steered
from tableref.web.watchers import Watchers

KEPT = 200
"""Events of the log; more are in the journal."""

_SHOWN = ("ruling", "trouble", "question", "round", "notice", "resumed", "end")


class Logged(NamedTuple):
    """A line of the log: the number of its step's first row (0: none), its kind, what was said, and
    the paragraphs that say so."""

    step: int
    kind: str
    text: tuple[str, ...]
    paragraphs: tuple[str, ...]


class Asked(NamedTuple):
    """What stands open: its number, "question" or "trouble", what is said, the answers by number
    from 0 (a refusal has none), the paragraphs."""

    number: int
    kind: str
    text: tuple[str, ...]
    choices: tuple[str, ...]
    paragraphs: tuple[str, ...]


class Draft(NamedTuple):
    """A note that a seat has to make, with a picture of where its choices lead; "" for none."""

    note: Note
    picture: str


class Round(NamedTuple):
    """A line of the round sheet: the round, what each player had at its end."""

    number: int
    counts: tuple[int, ...]


class Time(NamedTuple):
    """A clock: whose time it is, the seconds that are left, whether it runs."""

    who: str
    left: int
    runs: bool


class Private(NamedTuple):
    """What one seat alone may see: its notes that are due, and its pieces that lie face down, as
    cell and face."""

    drafts: tuple[Draft, ...] = ()
    hidden: tuple[tuple[str, str], ...] = ()


class View(NamedTuple):
    """All that everybody may see. `version` counts the changes."""

    version: int
    name: str
    over: bool
    stands: tuple[str, ...]
    turn: tuple[str, ...]
    board: str
    asked: Asked | None
    log: tuple[Logged, ...]
    sheet: tuple[Round, ...] = ()


class Live:
    """The running game for the pages. `tell` is called by the referee, the rest by the server."""

    def __init__(
        self,
        evening: Evening,
        give: Callable[[Input], object],
        now: Callable[[], float] = time.monotonic,
        judge: Callable[[], bool] | None = None,
    ) -> None:
        """`give` takes what phones enter; `judge` calls one, or no longer, and says whether one is
        called then; None where nobody would hear it."""
        self.judge = judge
        game, head = evening.referee.game, evening.head
        self.evening, self.give = evening, give
        self.lang = str(head["lang"])
        self.players = game.players(evening.state.table.state)
        self._words = StandingWords(game, evening.board, self.lang)
        self._calls = Wording(game, evening.board, self.lang, self.players)
        self._ways = steered(evening.board)
        self._name = title(self.lang, game.name)
        self._lock = threading.Lock()
        self._log: deque[Logged] = deque(maxlen=KEPT)
        self._state: TableState = evening.state
        self._asked: Asked | None = None
        self._version = 0
        self._now, self._clock, self._timer = now, evening.clock(), Timer()
        self._rounds: dict[int, tuple[int, ...]] = {}
        if game.counted:
            for row in evening.journal.rows():
                self._count(row.kind, row.data)
        self._watchers = Watchers()
        self._pieces: tuple[Standing, ...] = ()
        self._private: dict[int, tuple[TableState, Private]] = {}
        self._view = self._viewed((), {})

    @property
    def state(self) -> TableState:
        """The table as it was told last."""
        return self._state

    def view(self) -> View:
        """What everybody may see now."""
        with self._lock:
            return self._view

    def may_go(self, cell: str) -> tuple[str, ...]:
        """Cells to which the piece on this one may go now."""
        return may_go(self.evening.referee.game, self._state.table.state, cell)

    def private(self, seat: int) -> Private:
        """What only this seat may see now."""
        now = self._state
        of, made = self._private.get(seat, (None, Private()))
        if of is not now:
            game, state = self.evening.referee.game, now.table.state
            over = House(game).outcome(now.table)  # by agreement, too
            notes = () if over else due_notes(game, state, seat)
            drafts = (Draft(note, self._picture(note)) for note in notes)
            seen, own = (game.view(state, who).get("pieces", {}) for who in (None, seat))
            hidden = tuple(
                (cell, str(text).split()[-1])
                for cell, text in own.items()
                if text != seen.get(cell) and not str(text).endswith(HIDDEN)
            )
            made = Private(tuple(drafts), hidden)
            self._private[seat] = now, made
        return made

    def _picture(self, note: Note) -> str:
        leads = leads_of(note)
        if not leads:
            return ""
        board = self.evening.board
        marks = [
            Mark(cell, board.headings.get(heading), text) for (cell, heading), text in leads.items()
        ]
        own = [piece for piece in self._pieces if piece.label == note.about[:1].upper()]
        return board_svg(board, own, {}, note.about, marks)

    def watch(self, changed: Callable[[], object]) -> Callable[[], None]:
        """Calls `changed` after each change, until what is returned is called."""
        return self._watchers.add(changed)

    def changed(self) -> None:
        """Something beside the game has changed, such as who sits where."""
        with self._lock:
            self._version += 1
            self._view = self._view._replace(version=self._version)
        self._watchers.call()

    def tell(self, feedback: Feedback) -> None:
        """Takes what a step led to."""
        with self._lock:
            if feedback.table is not None:
                self._state = feedback.table
                if self._clock is not None:
                    game = self.evening.referee.game
                    self._timer = followed(
                        self._timer, self._clock, game, feedback.table, self._now()
                    )
            for event in feedback.events:
                self._note(event, feedback)
            if not feedback.question:
                self._asked = None
            self._pieces = feedback.standing
            self._view = self._viewed(feedback.standing, feedback.lights)
        self.changed()

    def time(self) -> Time | None:
        """The clock as it stands now; None where nobody is timed."""
        with self._lock:
            if self._clock is None or not self._timer.who:
                return None
            who = ", ".join(self.players[player] for player in self._timer.who)
            left = self._timer.left(self._clock, self._now())
            return Time(who, max(0, math.ceil(left)), self._timer.since is not None)

    def _count(self, kind: str, data: Mapping[str, Any]) -> None:
        counts = data.get(self.evening.referee.game.counted)
        if kind == "round" and isinstance(counts, list):
            self._rounds[int(data["round"])] = tuple(counts)

    def _sheet(self) -> tuple[Round, ...]:
        """The rounds that ended, without those that were taken back."""
        now = self.evening.referee.game.facts(self._state.table.state).get("round", 0)
        over = self._state.phase is Phase.OVER
        return tuple(
            Round(number, counts)
            for number, counts in sorted(self._rounds.items())
            if over or number < now
        )

    def _note(self, event: Mapping[str, Any], feedback: Feedback) -> None:
        kind, said = str(event["event"]), event.get("text")
        self._count(kind, event)
        if kind not in _SHOWN or not isinstance(said, list):
            return
        paragraphs = paragraphs_of(event)
        self._log.append(Logged(feedback.step, kind, tuple(said), paragraphs))
        if kind in ("question", "trouble") and feedback.question:
            choices = tuple(map(str, event.get("choices", ())))
            text = tuple(said[: len(said) - len(choices)])
            self._asked = Asked(feedback.question, kind, text, choices, paragraphs)

    def _viewed(self, pieces: Iterable[Any], lights: Mapping[str, Any]) -> View:
        game = self.evening.referee.game
        stands = standing(game, self._state, ())
        turn = tuple(self._words.turn(stands))
        there = {
            cell: ", ".join(map(self._calls.piece, stack))
            for cell, stack in game.board(self._state.table.state).items()
        }
        touch = Touch(self._ways, there)
        return View(
            self._version,
            self._name,
            self._state.phase is Phase.OVER,
            (*self._words.game(stands), *self._words.score(stands)),
            turn,
            board_svg(
                self.evening.board, pieces, lights, " ".join((self._name, *turn)), touch=touch
            ),
            self._asked,
            tuple(reversed(self._log)),
            self._sheet(),
        )
