"""The referee's desk: takes one input at a time, writes the journal, then tells the players."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from tableref.devices.lights import Light, Standing
from tableref.devices.oled import Screen
from tableref.devices.worker import in_words
from tableref.referee.course import Step
from tableref.referee.inputs import Input
from tableref.referee.journal import Journal
from tableref.referee.senses.switches import Switches
from tableref.referee.standing import StandingWords, standing
from tableref.referee.step import Referee
from tableref.referee.table import Phase, Row, TableState
from tableref.referee.telling import Teller, Told
from tableref.rules.surface import Fact

log = logging.getLogger(__name__)


class Outlet(Protocol):
    """Where the players are told: a display, lights, a page, a terminal."""

    def tell(self, feedback: Feedback) -> None:
        """Shows what a step led to. DeviceError"""
        ...


class Feedback(NamedTuple):
    """All that a step tells: events in order, pages for the display, lights, pieces, phase, and the
    number of the question that is open, 0 where none is. `step` is the number of its first row, 0
    where it has none; `frame` the last frame that was looked at, `switches` what they say; `table`
    is the table as it is then. `felt`: what hands are changing by the switches, as words for the
    display; where that is all that is new, `news` is false, and pages stay as they were turned."""

    events: tuple[Mapping[str, Any], ...]
    screens: tuple[Screen, ...]
    lights: Mapping[str, Light]
    standing: tuple[Standing, ...]
    phase: Phase
    question: int = 0
    step: int = 0
    frame: str = ""
    switches: Switches | None = None
    table: TableState | None = None
    felt: str = ""
    news: bool = True


class Desk:
    """Runs the pure step against the world. Nothing is told that is not on disk before."""

    def __init__(
        self,
        referee: Referee,
        state: TableState,
        journal: Journal,
        teller: Teller,
        outlets: Iterable[Outlet],
        record: Callable[[Input], None] | None = None,
    ) -> None:
        self.state = self.told = state
        self.changed = threading.Condition()
        """Notified whenever something has been told."""
        self._referee, self._journal, self._teller = referee, journal, teller
        self._outlets = tuple(outlets)
        self._record = record
        self._broken = set[int]()
        self.left = False
        """Whether who sat at the terminal has left."""
        self._awaited: list[dict[str, Any]] = []
        self.lit: frozenset[str] = frozenset()
        """Cells whose light is on, for the eye: no colour is read there."""
        self.troubles: list[str] = []
        """What the outlets had to say, once each."""

    def take(self, given: Input) -> Step:
        """One input: step, journal, feedback. UserError where the journal cannot be written."""
        if self._record is not None:
            self._record(given)
        before = self.state
        step = self._referee.step(before, given)
        if step.rows:
            self._journal.write(step.rows, given.time)
        self.state = step.state
        if step.rows or step.state.phase is not before.phase:
            self._tell_step(before, step)
        elif self._referee.moving(step.state) != self._referee.moving(before):
            # A hand goes on: at once it is shown that this was felt.
            self._tell(before, step, (), self._teller.told(before, step), news=False)
        return step

    def begin(self) -> None:
        """Says what is awaited before anything has happened."""
        self._tell_step(self.state, self._referee.standing(self.state))

    def take_up(self, before: TableState, untold: tuple[Row, ...]) -> None:
        """After a resume: says where the game stands and what is open. What nobody may have been
        told since `before` is told, marked as repeated."""
        step = self._referee.standing(self.state)
        ruled = (row.data["facts"] for row in untold if row.kind == "action")
        facts = tuple(Fact(**fact) for told in ruled for fact in told)
        step = step._replace(rows=untold, told=step.told._replace(facts=facts))
        game, written = self._referee.game, list(self._journal.rows())
        stands = standing(game, self.state, written)
        rows = list(untold)
        if stands.open is not None and stands.open not in rows:
            rows.append(stands.open)
        if stands.last in rows:
            stands = stands._replace(last=None)  # it is told again by itself
        words = StandingWords(game, self._referee.board, self._teller.lang)
        told = self._teller.told(before, step)
        self._awaited = told.awaited
        happened = in_order(told._replace(rows=self._teller.events(rows)))
        if step.state.open:
            happened += told.awaited  # otherwise it is said whose turn it is
        self._tell(before, step, [words.resumed(stands), *self._teller.repeated(happened)], told)

    def _tell_step(self, before: TableState, step: Step) -> None:
        """What a step leads to, which nobody knows yet."""
        told = self._teller.told(before, step)
        happened = in_order(told)
        if happened or told.awaited != self._awaited:
            # What is awaited stands below what happened, and once where nothing has.
            happened += told.awaited
            self._awaited = told.awaited
        first = before.rows + 1 if step.state.rows > before.rows else 0
        self._tell(before, step, happened, told, first)

    def _tell(
        self,
        before: TableState,
        step: Step,
        events: Iterable[Mapping[str, Any]],
        told: Told,
        first: int = 0,
        news: bool = True,
    ) -> None:
        """Tells everybody these events; `first` is the number of the step's first row."""
        moving = self._referee.moving(step.state)
        feedback = Feedback(
            tuple(events),
            told.screens,
            self._teller.lights(before, step, moving),
            self._teller.standing(step.state),
            step.state.phase,
            step.state.open,
            first,
            step.state.frame,
            step.state.switches,
            step.state,
            self._teller.felt(step.state, moving),
            news,
        )
        self.lit = frozenset(feedback.lights)
        for outlet in self._outlets:
            try:
                outlet.tell(feedback)
                self._broken.discard(id(outlet))
            except Exception as error:  # only the journal is worth ending a game for
                # The game goes on without a display; it is told once, until it works again.
                if id(outlet) not in self._broken:
                    self._broken.add(id(outlet))
                    self.troubles.append(in_words(error))
                    log.warning("%s", self.troubles[-1])
        with self.changed:
            self.told = step.state
            self.changed.notify_all()
        try:
            self._journal.note_told()
        except OSError as error:  # it is told once more after a resume, and nothing else
            trouble = f"what was told cannot be noted: {error.strerror}"
            if trouble not in self.troubles:
                self.troubles.append(trouble)
                log.warning("%s", trouble)


def in_order(told: Told) -> list[dict[str, Any]]:
    """What happened, in the order in which it is told: markers are set before a round is over."""
    ends = (at for at, event in enumerate(told.rows) if event["event"] in ("round", "end"))
    at = next(ends, len(told.rows))
    return [*told.rows[:at], *told.other, *told.rows[at:]]
