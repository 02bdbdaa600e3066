"""A session: the threads round the queue, from the first input of an evening to its last.

Camera and eye have a thread of their own each, the link and the terminal another; who calls `run`
is the referee, who takes one input at a time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.devices.worker import Guard
from tableref.errors import UserError
from tableref.hosting.darkness import Darkness
from tableref.referee.answers import (
    WIDE,
    Asked,
    Misunderstood,
    answer,
    listen,
    reply,
)
from tableref.referee.desk import Desk, Outlet
from tableref.referee.evening import Evening
from tableref.referee.eyes import (
    MAT,
    Eye,
    Lessons,
    eye,
    forgotten,
    senses_of,
    shows_hand,
    taught_by,
)
from tableref.referee.inputs import Begin, CameraEnded, CameraTrouble, Input, LinkGone
from tableref.referee.pictures import Pictures
from tableref.referee.queue import InputQueue
from tableref.referee.table import Phase, TableState
from tableref.rules.pieces import texts
from tableref.rules.surface import RulesError
from tableref_vision.camera import Camera, CameraError
from tableref_vision.errors import PictureError

if TYPE_CHECKING:
    from tableref.devices.link import Link
    from tableref_vision.calibration import Calibration

ANSWERED = 5.0
"""Seconds that pictures which can wait do so for an answer that comes from a pipe."""
BEAT = 5.0
"""Seconds within which the loop turns at least once where somebody waits for its beat."""


def unheard(lines: Sequence[str], misunderstood: bool) -> None:
    """Nobody hears what is replied."""


class Session:
    """Runs a game until there are no more frames, nobody says anything more, or its queue closes.

    `cameras`: what each looks at (`eyes.PLACES`) -> the camera; there may be none. Buttons and the
    lines `typed` at the terminal go into the queue too. A fault of any of them is told and the game
    goes on; only a journal that cannot be written ends it. `pictures` are handed what the eye saw.
    `script`: the lines were written before, so that an answer waits until there is a question.
    `say` is given what is replied to a line, and whether it was not understood; it has so many
    `columns`. `die`: the size of the dice in mm, where it was told; else the journal's. `beat` is
    called at every turn of the loop: where it is not, the loop is stuck. `shown`: people show an
    eye that goes by looks what it asks for, and what it learns stays in the file `looks`.
    `darkness`: the lights, where an eye over the board looks at it in the dark. `judge` is called
    where a judge is wanted, or no longer.
    """

    def __init__(
        self,
        evening: Evening,
        cameras: Mapping[str, Camera],
        outlets: Iterable[Outlet],
        queue: InputQueue,
        *,
        record: Callable[[Input], None] | None = None,
        link: Link | None = None,
        calibration: Calibration | None = None,
        typed: Iterable[str] | None = None,
        pictures: Pictures | None = None,
        script: bool = False,
        say: Callable[[Sequence[str], bool], object] = unheard,
        columns: int = WIDE,
        die: float | None = None,
        asks: float = 0.0,
        beat: Callable[[], object] | None = None,
        looks: Path | None = None,
        shown: bool = False,
        darkness: Darkness | None = None,
        judge: Callable[[], bool] | None = None,
    ) -> None:
        """UserError where an eye cannot see this board."""
        self._evening, self._cameras, self._queue, self._link = evening, cameras, queue, link
        self._typed, self._script, self._say, self._beat = typed, script, say, beat
        self._columns, self._darkness, self._asks = columns, darkness, asks
        self._judge = judge
        self._desk = Desk(
            evening.referee, evening.state, evening.journal, evening.teller(), outlets, record
        )
        handed = evening.head.get("pictures", {})
        looked = pictures.looked if pictures is not None else forgotten
        house = evening.referee.house
        start = texts(house.game.board(house.start(evening.head["setup"]).state))
        die = die or evening.state.mat.die
        begun = evening.state.phase is not Phase.SETTING_UP
        lessons = Lessons(evening.referee.game, lambda: self._desk.state, looks) if shown else None
        self._eyes = {
            place: eye(
                place,
                evening.board,
                handed,
                start,
                calibration,
                die,
                looked,
                begun=begun,
                lessons=lessons,
            )
            for place in cameras
        }
        self._taught_by = taught_by(evening.board, handed)
        self._closing = threading.Event()
        self._answered = 0
        self._hearing = script and queue.every_frame

    def run(self) -> Desk:
        """Takes every input; returns when all threads have ended. UserError"""
        evening, desk, queue = self._evening, self._desk, self._queue
        evening.journal.begin()
        if evening.before is not None:
            desk.take_up(evening.before, evening.untold)
        else:
            desk.begin()
        senses = senses_of(self._cameras, self._link is not None)
        queue.happened(Begin(time.monotonic(), senses, self._asks))
        if self._typed is not None:
            # It may wait for a line for ever, so nobody waits for it.
            threading.Thread(
                target=self._hear, args=(self._typed,), name="terminal", daemon=True
            ).start()
        threads = self._threads()
        for thread in threads:
            thread.start()
        guard = Guard("the referee", fatal=(UserError,))  # the journal cannot be written
        try:
            ended = 0
            while (given := queue.take(self._within())) is not None:
                with guard:
                    desk.take(given)
                if self._beat is not None:
                    self._beat()
                ended += isinstance(given, CameraEnded)
                if self._cameras and ended == len(self._cameras):
                    break
        finally:
            self._closing.set()
            with desk.changed:
                desk.changed.notify_all()
            queue.close()
            for camera in self._cameras.values():
                camera.close()
            if self._link is not None:
                self._link.close()
            for thread in threads:
                thread.join()
        return desk

    def _within(self) -> float | None:
        """Seconds until the time alone leads to something."""
        waits = self._evening.referee.waits(self._desk.state, self._queue.clock.time())
        if self._beat is None:
            return waits
        return BEAT if waits is None else min(waits, BEAT)

    def _threads(self) -> list[threading.Thread]:
        """Those that end with the session."""
        last = self._evening.state.frame if len(self._eyes) == 1 else ""
        threads = [
            threading.Thread(
                target=self._look,
                args=(place, read, self._cameras[place], last),
                name=f"eye over the {place}",
                daemon=True,
            )
            for place, read in self._eyes.items()
        ]
        if self._link is not None:
            feel = threading.Thread(
                target=self._feel, args=(self._link,), name="switches", daemon=True
            )
            threads.append(feel)
        return threads

    def _look(self, place: str, read: Eye, camera: Camera, last: str) -> None:
        """Reads the camera's frames, those behind the `last` one that was looked at."""
        darkness = self._darkness if place != MAT else None
        queue, clock = self._queue, self._queue.clock
        seen_at = clock.time() if queue.every_frame else 0.0
        guard = Guard("the eye", lambda text: queue.put(CameraTrouble(seen_at, text)))
        if last and self._taught_by and place != MAT:
            with guard:
                self._learn_again(read, camera, last)
        frames = camera.frames(last)
        going = True
        while going:
            with guard:
                try:
                    self._await_answer()
                    frame = clock.frame(next(frames))
                except StopIteration:
                    break
                except PictureError as error:
                    name = Path(str(error).partition(": ")[0]).name
                    going = queue.put(CameraTrouble(seen_at, str(error), name))
                    continue
                except CameraError as error:  # a camera that can go on does so at the next frame
                    if darkness is not None:
                        darkness.over()
                    going = queue.put(CameraTrouble(seen_at, str(error)))
                    continue
                seen_at = frame.time
                seen = read(frame, darkness.lit(frame.time) if darkness else self._lit)
                if darkness is not None:  # before what comes of it changes the lights
                    darkness.seen(frame.time, any(map(shows_hand, seen)))
                for given in seen:
                    going = queue.put(given) and going
            self._closing.wait(guard.pause)
        if darkness is not None:
            darkness.over()
        queue.put(CameraEnded(seen_at))

    def _learn_again(self, read: Eye, camera: Camera, last: str) -> None:
        """Reads those of the frames up to the `last` one from which the eye learnt the pieces; all
        of them have been told before."""
        left = set(self._taught_by)
        frames = camera.frames()
        while left:
            try:
                frame = next(frames, None)
            except CameraError:  # it was told when it was looked at
                continue
            if frame is None:
                break
            if frame.name in left:
                left.discard(frame.name)
                read(frame, frozenset())
            if frame.name == last:
                break

    @property
    def _lit(self) -> Collection[str]:
        """Cells whose light is on while pictures are taken, for an eye that can look past it."""
        past = self._link is not None and self._evening.board.senses.board == "tags"
        return self._desk.lit if past else ()

    def _feel(self, switches: Link) -> None:
        """Takes what the board's switches tell."""
        from tableref.referee.senses.switches import input_of

        happened = self._queue.happened
        guard = Guard("the link", lambda text: happened(LinkGone(time.monotonic(), text)))
        while not self._closing.is_set():
            with guard:
                for item in switches:
                    given = input_of(item)
                    if given is not None and not happened(given):
                        return
                return
            self._closing.wait(guard.pause)

    def _hear(self, lines: Iterable[str]) -> None:
        """Takes what is typed."""
        desk = self._desk
        desk.left = listen(lines, self._read, self._queue.happened, self._say)
        with desk.changed:
            self._hearing = False
            desk.changed.notify_all()
        if desk.left or (not self._cameras and self._link is None):  # nobody else says anything
            self._queue.rest()
            self._queue.close()

    def _read(self, line: str) -> Input | list[str]:
        """The input that a line is, or what is replied to it. RulesError"""
        if self._script and line.strip().isdecimal():
            self._await_question()
        evening, desk = self._evening, self._desk
        referee, lang = evening.referee, evening.head["lang"]
        if self._script or not self._cameras:  # what was typed before has been ruled
            self._queue.rest()
        try:
            return answer(referee, desk.told, line, time.monotonic(), lang)
        except Misunderstood:
            raise
        except RulesError as error:
            rows = list(evening.journal.rows())
            asked = Asked(
                referee, evening.board, desk.told, rows, lang, self._columns, judge=self._judge
            )
            return reply(asked, line, error)

    def _await_answer(self) -> None:
        """Until no question is open, where answers come from a pipe and pictures can wait: at a
        table nobody goes on before it is answered. Who does not answer once is waited for no
        more."""
        if not self._hearing:
            return
        self._queue.rest()
        desk = self._desk
        with desk.changed:
            settled = desk.changed.wait_for(
                lambda: self._closing.is_set() or not self._hearing or not _asks(desk.told),
                ANSWERED,
            )
            self._hearing = self._hearing and settled

    def _await_question(self) -> None:
        """Until a question with answers is open that no line has answered yet."""
        desk = self._desk

        def open_() -> bool:
            return _asks(desk.told) and desk.told.open > self._answered

        with desk.changed:
            desk.changed.wait_for(lambda: self._closing.is_set() or open_())
            self._answered = desk.told.open


def _asks(state: TableState) -> bool:
    """Whether a question with answers is open."""
    ask = state.ask
    return ask is not None and not ask.awaited and bool(ask.answers or ask.options)
