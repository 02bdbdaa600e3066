"""The frames that may have to be shown later: how each place looked whenever it lay still.

The eye hands over every frame with what it read. Of frames in a row that show the same only the
newest stays, and only the last few such rows, so the memory is bounded.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from tableref.referee.inputs import Input, MatSeen, Seen
from tableref_vision.camera import Frame
from tableref_vision.dice.throw import alike
from tableref_vision.observation import Observation

if TYPE_CHECKING:
    from tableref_vision.view import View

RUNS = 3
"""Rows of like frames that are remembered of each place."""
NAMES = 64
"""Frames of a row that are known by name."""


class Sight(NamedTuple):
    """A place that lay still: which (`board`, `mat`), the frame, how the camera saw the place in
    it, and what was read."""

    place: str
    frame: Frame
    view: View
    given: Input


class Newest(NamedTuple):
    """The last frame of a board that was read, calm or not, and what was read in it."""

    frame: Frame
    view: View | None
    observation: Observation


class Pair(NamedTuple):
    """How a place looked before and after; None where it was not seen lying still."""

    before: Sight | None
    after: Sight | None


class _Run:
    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.names = deque([sight.frame.name], maxlen=NAMES)


class Pictures:
    """What the eyes saw last. Eyes and referee may be in different threads."""

    def __init__(self, rows: int = RUNS) -> None:
        """`rows` of like frames are remembered of each place; 0: only the newest frame."""
        self._most = rows
        self._lock = threading.Lock()
        self._runs: dict[str, deque[_Run]] = {}
        self._stood: dict[str, Sight] = {}
        self._newest: dict[str, Newest] = {}

    def looked(self, place: str, frame: Frame, view: View | None, given: Input) -> None:
        """A frame was read."""
        if isinstance(given, Seen):
            self._newest[place] = Newest(frame, view, given.observation)
        if view is None or not self._most or not _calm(given):
            return
        sight = Sight(place, frame, view, given)
        with self._lock:
            runs = self._runs.setdefault(place, deque(maxlen=self._most))
            if runs and _same(runs[-1].sight.given, given):
                runs[-1].sight = sight
                runs[-1].names.append(frame.name)
            else:
                runs.append(_Run(sight))

    def newest(self, place: str) -> Newest | None:
        """The last frame that was read; None where none was."""
        return self._newest.get(place)

    def around(self, frame: str) -> dict[str, Pair]:
        """Each place as it lay in this frame or after it, and as it stood when all was well last,
        or else when it lay still before."""
        with self._lock:
            found = {place: _found(runs, frame) for place, runs in self._runs.items()}
            return {
                place: Pair(self._stood.get(place) or before, after)
                for place, (before, after) in found.items()
            }

    def all_is_well(self, pairs: dict[str, Pair]) -> None:
        """What was seen was ruled: from here on that is how it was before."""
        with self._lock:
            self._stood |= {p: pair.after for p, pair in pairs.items() if pair.after is not None}


def _found(runs: deque[_Run], frame: str) -> tuple[Sight | None, Sight | None]:
    """The sight before and the one of this frame; the newest where none has its name."""
    at = next((i for i in reversed(range(len(runs))) if frame in runs[i].names), len(runs) - 1)
    return (runs[at - 1].sight if at else None), runs[at].sight


def _calm(given: Input) -> bool:
    match given:
        case Seen(seen):
            return seen.pose == "ok" and seen.still and not seen.hand
        case MatSeen(look):
            return look.in_view and look.still and not look.hand
    return False


def _same(before: Input, now: Input) -> bool:
    """Whether two looks at a place that lay still show the same."""
    match before, now:
        case Seen(was), Seen(seen):
            return _stands(was) == _stands(seen)
        case MatSeen(was), MatSeen(look):
            return alike(was.dice, look.dice)
    return False


def _stands(seen: Observation) -> Collection[object]:
    """What was read: pieces by their tags, or what may stand on each cell."""
    if seen.cells is not None:
        return seen.cells.items()
    return {(piece.id, piece.colour, piece.cell, piece.heading) for piece in seen.pieces}
