"""What a host may do from a phone: the display and the buttons of the case, what the camera sees,
the games that lie here, what is wrong with this computer.

    host = Host(press=appliance.pressed, games=shelf.games, examine=found)
    panel.watchers.append(host.shown)      # all that the display shows

It outlives games: while none is played its pages are there alone.
"""

from __future__ import annotations

import csv
import io
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from tableref.devices.buttons import Button, Press
from tableref.devices.oled import Screen
from tableref.hosting.shelf import Stored
from tableref.referee.exporting import record_of, score_sheet
from tableref.referee.pictures import Pictures
from tableref.referee.resuming import readable_evening
from tableref.web.seats import SCORER, Seats, new_code
from tableref.web.watchers import Watchers
from tableref_hardware import Board

IDLE = 600.0
"""Seconds after which a host who does nothing is none any more, so that another may be."""
KINDS = {"record": "application/json", "sheet": "text/csv"}
"""What a game can be taken along as, and its type."""


class Looked(NamedTuple):
    """What a camera looks at: the board, and where its newest pictures are, once there are any."""

    board: Board
    pictures: Callable[[], Pictures | None]


class Host:
    """All that pages for a host show. Safe to call from several threads."""

    def __init__(
        self,
        press: Callable[[Press], None] | None = None,
        games: Callable[[], Sequence[Stored]] = lambda: (),
        examine: Callable[[], Iterable[tuple[str, str]]] = lambda: (),
        code: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`press` takes presses where there is a case; `examine` says what is wrong, and its
        cure."""
        self.code = code or new_code()
        self.games, self.examine = games, examine
        self.looked: Looked | None = None
        self._press, self._clock = press, clock
        self._seat = Seats((), self.code, clock=clock)
        self._token, self._seen = secrets.token_urlsafe(24), float("-inf")
        self._screen, self.version = Screen(""), 0
        self._watchers = Watchers()
        self._drawn: tuple[object, bytes] = (None, b"")
        self._lock = threading.Lock()

    # -- who is host ------------------------------------------------------------------------------

    def enter(self, address: str, code: str) -> str:
        """The token of the host. WrongCode, TooManyTries, Taken where there is one who is there"""
        with self._lock:
            idle = self._clock() - self._seen > IDLE
        if idle:
            self._seat.leave(self._token)
        token = self._seat.enter(address, code, SCORER)
        with self._lock:
            self._token, self._seen = token, self._clock()
        return token

    def is_host(self, token: str) -> bool:
        """Whether this is the host's; who asks is there."""
        if not token or self._seat.viewer(token).seat is None:
            return False
        with self._lock:
            self._seen = self._clock()
        return True

    def leave(self, token: str) -> None:
        """The host is none any more."""
        self._seat.leave(token)

    # -- the case ---------------------------------------------------------------------------------

    def begin(self, press: Callable[[Press], None]) -> None:
        """There is a case, which takes presses."""
        self._press = press

    @property
    def has_case(self) -> bool:
        """Whether there are a display and buttons."""
        return self._press is not None

    @property
    def screen(self) -> Screen:
        """What the display shows."""
        with self._lock:
            return self._screen

    def shown(self, screen: Screen) -> None:
        """The display shows this from now on."""
        with self._lock:
            self._screen = screen
            self.version += 1
        self._watchers.call()

    def press(self, button: Button, held: bool) -> None:
        """A button is pressed, or held."""
        if self._press is not None:
            self._press(Press(button, held, time.monotonic()))

    def watch(self, changed: Callable[[], object]) -> Callable[[], None]:
        """Calls `changed` after each change of the display, until what is returned is called."""
        return self._watchers.add(changed)

    def display(self) -> bytes:
        """The display as a PNG. ImportError where nothing draws"""
        from tableref.devices.oled import draw

        drawn = io.BytesIO()
        draw(self.screen).save(drawn, "png")
        return drawn.getvalue()

    # -- the camera -------------------------------------------------------------------------------

    def looks(self, board: Board, pictures: Callable[[], Pictures | None]) -> None:
        """A game is played on this board."""
        self.looked = Looked(board, pictures)

    def looks_no_more(self) -> None:
        """It is over."""
        self.looked, self._drawn = None, (None, b"")

    def camera(self) -> bytes | None:
        """The newest picture of the board with what was read drawn over it, as a JPEG; None where
        there is none."""
        looked = self.looked
        pictures = looked.pictures() if looked is not None else None
        newest = pictures.newest("board") if pictures is not None else None
        if looked is None or newest is None:
            return None
        if self._drawn[0] is not newest:
            from tableref_vision.above import jpeg
            from tableref_vision.drawing import draw_seen

            image = draw_seen(newest.frame, looked.board, newest.observation, newest.view)
            self._drawn = newest, jpeg(image)
        return self._drawn[1]

    # -- games ------------------------------------------------------------------------------------

    def export(self, name: str, kind: str) -> bytes:
        """A game that lies here as a file of a kind in `KINDS`. LookupError, UserError"""
        known = {one.folder.name: one.folder for one in self.games() if not one.trouble}
        folder = known[name]
        if kind not in KINDS:
            raise KeyError(kind)
        found = readable_evening(folder)
        with closing(found.evening.journal):
            if kind == "record":
                record: dict[str, Any] = record_of(found.evening, found.rows)
                text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
            else:
                stream = io.StringIO()
                rows = score_sheet(found.evening, found.rows, found.evening.head["lang"])
                csv.writer(stream, lineterminator="\n").writerows(rows)
                text = stream.getvalue()
        return text.encode()
