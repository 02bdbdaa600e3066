"""What seeing costs beside plain tag detection on the same pictures, in CPU time on one core."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import cv2

from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.opencv import Picture
from tableref_vision.pictures import read_picture
from tableref_vision.reader import REREAD, BoardReader
from tableref_vision.stillness import Stillness
from tests.conftest import shared_folder

PICTURES, TURNS = 12, 5
IDLE = 50  # frames at ten a second


def run() -> list[str]:
    """Lines with figures; first frames and known poses as multiples of plain detection."""
    cv2.setNumThreads(1)
    board = load_board("autoscooter")
    pictures = _pictures()
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    readers = [BoardReader(board) for _ in pictures]
    clocks = [0.0 for _ in pictures]

    def plain(number: int) -> object:
        return finder.detectMarkers(cv2.cvtColor(pictures[number], cv2.COLOR_BGR2GRAY))

    def first(number: int) -> object:
        return BoardReader(board).read(Frame(pictures[number], 0.0, ""))

    def watch(number: int) -> object:
        clocks[number] += REREAD / 4
        return readers[number].read(Frame(pictures[number], clocks[number], ""))

    def known(number: int) -> float:
        """The cost of the one frame in four that is read again while nothing moves."""
        return max(_cost(lambda: watch(number)) for _ in range(4))

    for number in range(len(pictures)):
        known(number)
    # In turns, so that what else the machine does weighs on all three alike.
    rows = [
        [_cost(lambda n=number: plain(n)), _cost(lambda n=number: first(n)), known(number)]
        for _ in range(TURNS)
        for number in range(len(pictures))
    ]
    detection, start, again = (median(row[i] for row in rows) for i in range(3))
    stillness = Stillness()
    still = median(_cost(lambda t=t: stillness.look(pictures[0], t / 10)) for t in range(IDLE))
    reader = BoardReader(board)
    idle = sum(_cost(lambda t=t: reader.read(Frame(pictures[0], t / 10, ""))) for t in range(IDLE))
    return [
        f"plain detection, whole picture: {detection:.1f} ms",
        f"first frame: {start:.1f} ms, {start / detection:.2f} x (limit 1.5)",
        f"with the pose known: {again:.1f} ms, {again / detection:.2f} x (limit 0.8)",
        f"stillness: {still:.2f} ms a frame (limit 2)",
        f"idle table at 10 frames/s: {idle / (IDLE * 100):.1%} of a core (limit 10 %)",
    ]


def _pictures() -> list[Picture]:
    """Path-traced pictures where they are, else the virtual table's."""
    folder = shared_folder()
    if folder:
        files = sorted((folder / "scenes" / "board").glob("*.jpg"))
        return [read_picture(file) for file in files[:: max(1, len(files) // PICTURES)]]
    table = Stage(load_board("autoscooter"), 1, Camera.above(tilt=15.0))
    table.set_up()
    return [table.picture() for _ in range(PICTURES)]


def _cost(action: Callable[[], object]) -> float:
    """CPU milliseconds."""
    began = time.process_time()
    action()
    return 1000 * (time.process_time() - began)
