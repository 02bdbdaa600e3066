"""Frames on which nothing has moved are not read again by an eye that goes by looks."""

from __future__ import annotations

import numpy as np

from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.reader import REREAD, RETRY
from tableref_vision.untagged.eye import Lookout
from tableref_vision.untagged.reader import Doubt, Reading

RATE = 30
TABLE = np.random.default_rng(1).integers(60, 200, (180, 320, 3), np.uint8)


class Read:
    """A reader that counts how often it reads."""

    board, view = load_board("squod"), None

    def __init__(self, *doubts: Doubt) -> None:
        self.times: list[float] = []
        self.doubts = doubts

    def read(self, frame: Frame, memory: object) -> Reading:
        self.times.append(frame.time)
        cells = {cell: frozenset({""}) for cell in self.board.cells}
        return Reading(frame.name, "ok", cells, tuple(self.doubts))


def watched(reader: Read, seconds: float, hand: tuple[float, float] = (0.0, 0.0)) -> list[float]:
    """The times at which a frame was read, of so many seconds at 30 frames a second."""
    lookout = Lookout(reader)  # type: ignore[arg-type]
    for number in range(round(seconds * RATE)):
        time = number / RATE
        image = TABLE.copy()
        if hand[0] <= time < hand[1]:
            image[60:120, 60 + 4 * number % 160 : 120 + 4 * number % 160] = 20
        seen = lookout.look(Frame(image, time, f"{number:04d}"))
        assert (seen.time, seen.image) == (time, f"{number:04d}")
    return reader.times


def test_a_calm_board_is_read_now_and_then_and_told_at_every_frame() -> None:
    times = watched(Read(), 10.0)
    assert len(times) <= 3 + 10.0 / REREAD


def test_while_a_hand_moves_every_frame_is_read_and_the_first_that_is_still() -> None:
    times = watched(Read(), 4.0, hand=(2.0, 3.0))
    assert len([time for time in times if 2.0 <= time < 3.0]) == RATE
    still = [time for time in times if time >= 3.0]
    assert any(3.3 <= time < 3.4 for time in still)


def test_what_is_in_doubt_is_looked_at_again_soon() -> None:
    times = watched(Read(Doubt("something", "E13", 0.0, 0.0)), 10.0)
    assert 10.0 / RETRY * 0.8 < len(times) < 10.0 / RETRY * 1.3
