"""The outlet that keeps pictures as evidence, beside the game: nobody waits for the disk."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tableref.devices.trouble import DeviceError
from tableref.devices.worker import Worker
from tableref.referee.album import MB, Album
from tableref.referee.desk import Feedback
from tableref.referee.inputs import MatSeen, Seen
from tableref.referee.pictures import Pair, Pictures, Sight
from tableref.referee.table import Phase
from tableref_hardware import Board

KINDS = frozenset({"ruling", "trouble", "question", "unfinished", "let-stand"})
"""Events of which pictures are kept."""
WAITING = 4
"""Steps that may wait to be written; each holds two frames of a place at most, 2.7 MB a frame."""
SIDE = 592
"""Pixels of the longer side of a picture: 1.6 a mm of the largest board."""


class Job(NamedTuple):
    """A step of which evidence is to be written."""

    step: int
    pairs: Mapping[str, Pair]
    read: dict[str, Any]


class Keeper:
    """Writes the pictures of each ruling, refusal and question into a game's folder.

    `patient`: the source of frames waits, so where the disk is slow the game does; otherwise what
    does not fit into the queue is not kept, and told.
    """

    def __init__(self, folder: Path, board: Board, most: int, patient: bool = False) -> None:
        """`most` MB are kept."""
        self.pictures = Pictures()
        self._album = Album(folder, most * MB)
        self._patient = patient
        self._sizes = {"board": (board.plate.width, board.plate.depth)}
        self._jobs: deque[Job] = deque()
        self._writing = threading.Lock()
        self._trouble: DeviceError | None = None
        self._worker = Worker("evidence", lambda now: self._next())
        self._worker.start()

    def tell(self, feedback: Feedback) -> None:
        """Has evidence of a step written, where it has any. DeviceError says what is not kept."""
        if feedback.step and any(event["event"] in KINDS for event in feedback.events):
            pairs = self.pictures.around(feedback.frame)
            if feedback.phase in (Phase.WAITING, Phase.OVER):
                self.pictures.all_is_well(pairs)
            self._add(Job(feedback.step, pairs, _read(feedback, pairs)))
        if self._trouble is not None:
            raise self._trouble

    def close(self) -> None:
        """Writes what still waits."""
        self._worker.close()
        while self._next() is not None:
            pass

    def _add(self, job: Job) -> None:
        if len(self._jobs) >= WAITING:
            if not self._patient:
                self._trouble = DeviceError(
                    f"pictures of row {job.step} are not kept: the disk is too slow",
                    "The game goes on.",
                )
                return
            self._next()
        self._jobs.append(job)
        self._worker.wake()

    def _next(self) -> float | None:
        """Writes the oldest that waits; None where none did."""
        with self._writing:
            try:
                job = self._jobs.popleft()
            except IndexError:
                return None
            try:
                self._album.add(job.step, self._drawn(job), job.read)
                self._trouble = None
            except DeviceError as error:
                self._trouble = error
        return 0.0

    def _drawn(self, job: Job) -> dict[str, bytes]:
        pictures: dict[str, bytes] = {}
        made: dict[int, bytes] = {}
        for place, pair in job.pairs.items():
            for when, sight in (("before", pair.before), ("after", pair.after)):
                if sight is not None:
                    if id(sight) not in made:
                        made[id(sight)] = self._picture(sight)
                    pictures[f"{place}-{when}"] = made[id(sight)]
        return pictures

    def _picture(self, sight: Sight) -> bytes:
        from tableref_vision.above import from_above, jpeg
        from tableref_vision.dice.mat import DEPTH, WIDTH

        width, depth = self._sizes.get(sight.place, (WIDTH, DEPTH))
        scale = SIDE / max(width, depth)
        return jpeg(from_above(sight.frame.image, sight.view, width, depth, scale))


def _read(feedback: Feedback, pairs: Mapping[str, Pair]) -> dict[str, Any]:
    """What was read in the pictures, and what the switches felt, for the file."""
    read: dict[str, Any] = {"step": feedback.step, "frame": feedback.frame}
    read["seen"] = {
        f"{place}-{when}": _look(sight)
        for place, pair in pairs.items()
        for when, sight in (("before", pair.before), ("after", pair.after))
        if sight is not None
    }
    if feedback.switches is not None:
        felt = feedback.switches
        read["switches"] = {
            "occupied": sorted(felt.occupied),
            "unsteady": sorted(felt.unsteady),
            "distrusted": sorted(felt.distrusted),
        }
    return read


def _look(sight: Sight) -> dict[str, Any]:
    match sight.given:
        case Seen(observation):
            return observation.record()
        case MatSeen(look):
            return look.record()
    raise AssertionError(sight.given)
