"""The front of the case: pages that turn by themselves, status, sounds; buttons become inputs.

    UP, DOWN    another page
    OK          choose the answer on the page; held: let stand what was refused (HR-2.3)
    BACK        the first page again, from there the menu, where there is one; held: take back the
                last action (HR-2.1)
    WHY         the paragraph of the page, in full, then what the camera saw, where pictures are
                kept; BACK leads to the page again; held: a judge is called, where there is a desk
                that hears it, or no longer

Whoever holds a button speaks for the table: everybody sees him do it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tableref.devices import font
from tableref.devices.buttons import Button, Press
from tableref.devices.oled import COLUMNS, ROWS, Dots, Marker, Screen
from tableref.devices.panel import Panel
from tableref.devices.sounds import Sound
from tableref.devices.status import Status
from tableref.devices.worker import Worker
from tableref.referee.desk import Feedback
from tableref.referee.inputs import Act, Choose, Input, LetStand
from tableref.referee.pages import OK
from tableref.referee.table import Phase
from tableref.rulebook import Rulebook

PAGE = 2.5
"""Seconds until the next page, unless somebody turns pages himself."""

READ = 0.4
"""Seconds before which nobody can have read a new question: a press that follows the answer to the
last one so closely is no answer to this one."""

STATUS = {
    Phase.SETTING_UP: Status.WAITING,
    Phase.WAITING: Status.WAITING,
    Phase.HAND: Status.WATCHING,
    Phase.MOVED: Status.WATCHING,
    Phase.ASKING: Status.ASKING,
    Phase.DISAGREEING: Status.ASKING,
    Phase.REFUSED: Status.TROUBLE,
    Phase.OVER: Status.WAITING,
}
SOUND = {
    "trouble": Sound.REFUSED,
    "question": Sound.QUESTION,
    "bell": Sound.BELL,
    "end": Sound.OVER,
    "ruling": Sound.ACCEPTED,
}
"""Event -> melody; of several the first named here."""


Glimpses = Callable[[int, Sequence[tuple[float, float]]], Iterable[tuple[str, Dots]]]
"""Step and places (mm) -> when (`after`, `before`) and what was seen there then."""


def nothing_seen(step: int, places: Sequence[tuple[float, float]]) -> tuple[tuple[str, Dots], ...]:
    """Where no pictures are kept."""
    return ()


class Front:
    """An outlet on a panel. `give` takes the inputs that buttons make."""

    def __init__(
        self,
        book: Rulebook,
        players: int,
        give: Callable[[Input], Any],
        page: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        leave: Callable[[], None] | None = None,
        glimpses: Glimpses = nothing_seen,
        judge: Callable[[], bool] | None = None,
    ) -> None:
        """`leave` is called where BACK leads no further back; `glimpses` has what was seen;
        `judge` calls one, or no longer: it says whether one is called then."""
        self._judge = judge
        self._leave, self._glimpses = leave, glimpses
        self._step = 0
        self._book, self._everybody, self._give = book, tuple(range(players)), give
        self._seconds, self._clock = PAGE if page is None else page, clock
        self._panel: Panel | None = None
        self._pages: tuple[Screen, ...] = ()
        self._page = 0
        self._asked_from: tuple[tuple[Screen, ...], int] | None = None  # where WHY was pressed
        self._felt = ""
        self._turns: float | None = None
        self._by_hand = False
        self._question, self._came = 0, 0.0
        self._lock = threading.Lock()
        self._worker = Worker("pages", self.step)

    def start(self, panel: Panel) -> None:
        """Begins to show on this panel."""
        self._panel = panel
        self._worker.start()

    def tell(self, feedback: Feedback) -> None:
        """Takes the pages of a step; they turn up to the last, which says what is awaited."""
        panel = self._panel
        if panel is None:
            return
        with self._lock:
            self._felt = feedback.felt
            if feedback.news:
                self._pages, self._page = feedback.screens, 0
                self._by_hand, self._turns = False, None
                self._asked_from, self._step = None, feedback.step
            if feedback.question != self._question:
                self._question, self._came = feedback.question, self._clock()
        panel.status(STATUS[feedback.phase])
        kinds = {event["event"] for event in feedback.events}
        sound = next((SOUND[kind] for kind in SOUND if kind in kinds), None)
        if sound is not None:
            panel.play(sound)
        self._worker.wake()

    def step(self, now: float) -> float | None:
        """Shows the page that is due at `now`; the seconds until the next, or None."""
        with self._lock:
            if not self._pages or self._panel is None:
                return None
            if self._turns is not None and now >= self._turns and not self._by_hand:
                self._page, self._turns = self._page + 1, None
            last = self._page >= len(self._pages) - 1
            if last or self._answers_follow() or self._by_hand:
                self._turns = None
            elif self._turns is None:
                self._turns = now + self._seconds
            self._panel.show(self._pages[self._page].marked(self._felt))
            return None if self._turns is None else self._turns - now

    def _answers_follow(self) -> bool:
        """Whether what is awaited has been shown, and only answers come, which nobody asked for."""
        shown, left = self._pages[: self._page + 1], self._pages[self._page + 1 :]
        return left[0].hint.startswith(OK) and any(page.marker is Marker.WAIT for page in shown)

    def pressed(self, press: Press) -> None:
        """A button was pressed; called from the buttons' thread."""
        match press.button, press.long:
            case Button.UP, _:
                self._turn(-1)
            case Button.DOWN, _:
                self._turn(1)
            case Button.OK, False:
                self._choose(press.time)
            case Button.OK, True:
                self._give(LetStand(press.time, self._everybody, self._question))
            case Button.BACK, True:
                agreed = {"player": 0, "agreed": list(self._everybody)}
                self._give(Act(press.time, {"take_back": agreed}))
            case Button.BACK, False:
                self._back()
            case Button.WHY, True if self._judge is not None:
                self._called(self._judge())
            case Button.WHY, _:
                self._why()

    def _turn(self, by: int) -> None:
        with self._lock:
            self._by_hand = True
            self._page = max(0, min(self._page + by, len(self._pages) - 1))
        self._worker.wake()

    def _back(self) -> None:
        with self._lock:
            asked_from, first = self._asked_from, self._page == 0
            if asked_from is not None:
                (self._pages, self._page), self._asked_from = asked_from, None
        if asked_from is None and first and self._leave is not None:
            self._leave()
        elif asked_from is None:
            self._turn(-len(self._pages))
        self._worker.wake()

    def _choose(self, pressed: float) -> None:
        with self._lock:
            answers = [
                number for number, page in enumerate(self._pages) if page.hint.startswith(OK)
            ]
            page, question = self._page, self._question
            unread = pressed - self._came < READ
        if page in answers and not unread:
            self._give(Choose(pressed, answers.index(page), question))

    def _why(self) -> None:
        """The paragraph of the page that is shown, in full, as pages of its own, then what was
        seen."""
        with self._lock:
            shown = self._pages[self._page] if self._pages else Screen("")
            if not shown.paragraph:
                return
            if self._asked_from is None:
                self._asked_from = self._pages, self._page
            paragraph = self._book.paragraph(shown.paragraph)
            lines = font.wrap(paragraph.text, COLUMNS, 99)
            told = [
                Screen(paragraph.title, lines[first : first + ROWS], Marker.NONE, paragraph.id)
                for first in range(0, len(lines), ROWS)
            ]
            labels = self._book.words.labels
            told += [
                Screen(labels[f"seen_{when}"], paragraph=paragraph.id, dots=dots)
                for when, dots in self._glimpses(self._step, self._places(paragraph.id))
            ]
            self._pages, self._page, self._by_hand = tuple(told), 0, True
        self._worker.wake()

    def _called(self, called: bool) -> None:
        """Says whether a judge is called; BACK leads to the page again."""
        labels = self._book.words.labels
        lines = font.wrap(labels["judge_called" if called else "judge_free"], COLUMNS, ROWS)
        with self._lock:
            if self._asked_from is None:
                self._asked_from = self._pages, self._page
            self._pages, self._page, self._by_hand = (Screen(labels["judge"], lines),), 0, True
        self._worker.wake()

    def _places(self, paragraph: str) -> tuple[tuple[float, float], ...]:
        """Where on the board it is what the pages of this paragraph are about."""
        pages, _ = self._asked_from or (self._pages, 0)
        maps = [page.board for page in pages if page.board and page.paragraph == paragraph]
        named = {
            cell: board.cells[cell]
            for board in maps
            for stroke in board.strokes
            for cell in (stroke.start, stroke.to)
            if cell in board.cells
        }
        return tuple(named.values())

    def close(self) -> None:
        """Stops turning pages."""
        self._worker.close()
