"""Sources of pictures that can wait: every picture is looked at, in order, and none twice; one
clock for them and for everything else; the queue keeps only the newest frame of those that cannot.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from tableref.hosting import session as sessions
from tableref.hosting.cameras import absolute
from tableref.hosting.session import Session
from tableref.referee.clock import Clock
from tableref.referee.evening import Evening, new_evening
from tableref.referee.inputs import CameraTrouble, Choose, Input, Occupied, Seen, Switched
from tableref.referee.queue import InputQueue
from tableref.referee.resuming import resumed_evening
from tableref.referee.table import Row
from tableref_vision.camera import Camera, Frame, open_camera
from tableref_vision.errors import FrameMissing
from tests.referee.conftest import seen


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A folder with photo1 to photo11."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(1, 12):
        picture = np.full((4, 5, 3), number, np.uint8)
        cv2.imwrite(str(folder / f"photo{number}.png"), picture)
    return folder


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A film of ten frames."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (128, 72))
    for number in range(10):
        writer.write(np.full((72, 128, 3), 20 * number, np.uint8))
    writer.release()
    return path


def evening_of(folder: Path, camera: str) -> Evening:
    """A game that needs no plots."""
    return new_evening(folder, "autoscooter", {"players": 4, "paper": True}, [], camera)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[Frame]:
    """The frames that an eye has looked at that needs no board."""
    frames: list[Frame] = []

    def eye(frame: Frame, lit: Collection[str]) -> Input:
        frames.append(frame)
        return seen({}, frame.name, frame.time)

    monkeypatch.setattr(sessions, "eye", lambda *_, **__: lambda frame, lit: (eye(frame, lit),))
    return frames


def run(evening: Evening, camera: Camera, **more: Any) -> list[Input]:
    """Runs an evening; the inputs that the referee took."""
    taken: list[Input] = []
    queue = InputQueue(camera.waits)
    Session(evening, {"board": camera}, [], queue, record=taken.append, **more).run()
    return taken


# Folders and films


def test_pictures_behind_the_last_one_come_without_reading_those_before(
    pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(
        "tableref_vision.backends.folder.read_picture", lambda path: read.append(path.name)
    )
    frames = list(open_camera(f"folder:{pictures}").frames("photo9.png"))
    assert [frame.name for frame in frames] == ["photo10.png", "photo11.png"]
    assert [frame.time for frame in frames] == [18.0, 20.0]
    assert read == ["photo10.png", "photo11.png"]


def test_a_last_picture_that_is_not_there_is_told_and_all_are_looked_at(pictures: Path) -> None:
    frames = open_camera(f"folder:{pictures}").frames("gone.png")
    with pytest.raises(FrameMissing, match=r"gone\.png.*first picture"):
        next(frames)
    assert len(list(frames)) == 11


def test_behind_the_last_picture_there_is_none(pictures: Path) -> None:
    assert list(open_camera(f"folder:{pictures}").frames("photo11.png")) == []


def test_a_film_goes_on_behind_its_last_frame(film: Path) -> None:
    whole = list(open_camera(f"video:{film}").frames())
    rest = list(open_camera(f"video:{film}").frames(whole[6].name))
    assert [frame.name for frame in rest] == [frame.name for frame in whole[7:]]
    assert [frame.time for frame in rest] == [frame.time for frame in whole[7:]]
    assert [frame.image.mean() for frame in rest] == [frame.image.mean() for frame in whole[7:]]


@pytest.mark.parametrize("after", ["film.avi 00010", "other.avi 00003"])
def test_a_frame_that_a_film_does_not_have_is_told_and_all_are_looked_at(
    film: Path, after: str
) -> None:
    frames = open_camera(f"video:{film}").frames(after)
    with pytest.raises(FrameMissing, match=after):
        next(frames)
    assert [frame.name for frame in frames] == [f"film.avi {number:05d}" for number in range(10)]


@pytest.mark.parametrize("source", ["folder", "video"])
def test_no_picture_is_lost_however_slow_the_referee_is(
    pictures: Path, film: Path, tmp_path: Path, looked: list[Frame], source: str
) -> None:
    camera = open_camera(f"folder:{pictures}" if source == "folder" else f"video:{film}")
    evening = evening_of(tmp_path / "out", "folder:x")
    referee = SimpleNamespace(tell=lambda feedback: time.sleep(0.01))
    taken: list[Input] = []

    def slowly(given: Input) -> None:
        time.sleep(0.005)
        taken.append(given)

    queue = InputQueue(camera.waits)
    Session(evening, {"board": camera}, [referee], queue, record=slowly).run()
    images = [given.observation.image for given in taken if isinstance(given, Seen)]
    assert images == [frame.name for frame in looked]
    assert len(images) == (11 if source == "folder" else 10)


# Taken up again


def resumed(folder: Path, camera: str) -> str:
    """The frame behind which a game goes on with this camera."""
    evening = resumed_evening(folder).seen_through(camera)
    evening.journal.close()
    return evening.state.frame


def test_another_source_begins_with_its_first_picture_and_each_knows_its_last(
    tmp_path: Path,
) -> None:
    evening = evening_of(tmp_path, "folder:/one")
    evening.journal.write([Row("cleared", {"frame": "photo5.png"})], 0.0)
    evening.journal.close()
    assert resumed(tmp_path, "folder:/one") == "photo5.png"
    assert resumed(tmp_path, "folder:/two") == ""
    assert resumed(tmp_path, "folder:/two") == ""
    evening = resumed_evening(tmp_path)
    assert evening.camera() == "folder:/two"
    evening.journal.write([Row("cleared", {"frame": "photo2.png"})], 0.0)
    evening.journal.close()
    assert resumed(tmp_path, "folder:/two") == "photo2.png"
    assert resumed(tmp_path, "folder:/one") == "photo5.png"
    assert resumed(tmp_path, "folder:/two") == "photo2.png"


def test_a_resumed_game_looks_at_what_it_has_not_seen(
    pictures: Path, tmp_path: Path, looked: list[Frame]
) -> None:
    out = tmp_path / "out"
    evening = evening_of(out, f"folder:{pictures}")
    evening.journal.write([Row("cleared", {"frame": "photo8.png"})], 0.0)
    evening.journal.close()
    again = resumed_evening(out).seen_through(f"folder:{pictures}")
    run(again, open_camera(f"folder:{pictures}"))
    again.journal.close()
    assert [frame.name for frame in looked] == ["photo9.png", "photo10.png", "photo11.png"]


def test_renamed_pictures_are_all_looked_at_and_it_is_told(
    pictures: Path, tmp_path: Path, looked: list[Frame]
) -> None:
    out = tmp_path / "out"
    evening = evening_of(out, f"folder:{pictures}")
    evening.journal.write([Row("cleared", {"frame": "photo8.jpg"})], 0.0)
    evening.journal.close()
    again = resumed_evening(out).seen_through(f"folder:{pictures}")
    taken = run(again, open_camera(f"folder:{pictures}"))
    again.journal.close()
    assert len(looked) == 11
    [trouble] = [given for given in taken if isinstance(given, CameraTrouble)]
    assert "photo8.jpg" in trouble.message


@pytest.mark.parametrize("scheme", ["folder", "video"])
def test_the_journal_keeps_the_whole_path_of_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute([f"{scheme}:a"]) == f"{scheme}:{tmp_path.resolve()}/a"
    assert absolute([f"mat={scheme}:a"]) == f"mat={scheme}:{tmp_path.resolve()}/a"
    assert absolute(["usb:0", "mat=usb:1"]) == "usb:0\nmat=usb:1"


# One clock


class Time:
    """Monotonic seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 5000.0

    def __call__(self) -> float:
        return self.now


def frame(taken: float) -> Frame:
    return Frame(np.zeros((1, 1, 3), np.uint8), taken, "made up")


def test_pictures_of_a_source_that_waits_come_behind_the_lifts_before_them() -> None:
    passing = Time()
    clock = Clock(True, passing)
    assert clock.frame(frame(0.0)).time == 0.0
    passing.now += 0.5
    lift = clock.stamped(Switched(passing.now, "A1", False))
    assert lift.time == pytest.approx(0.5)
    assert clock.frame(frame(2.0)).time == 2.0
    passing.now += 30.0
    late = clock.stamped(Switched(passing.now, "A1", True))
    assert late.time == pytest.approx(32.0)
    after = [clock.frame(frame(taken)).time for taken in (4.0, 6.0)]
    assert after[0] > late.time
    assert after[1] - after[0] == pytest.approx(2.0)


def test_the_clock_never_goes_back_whatever_comes_late() -> None:
    passing = Time()
    clock = Clock(True, passing)
    stamps = []
    for number in range(20):
        stamps.append(clock.frame(frame(2.0 * number)).time)
        passing.now += 0.3
        stamps += [clock.stamped(Choose(passing.now - back, 0)).time for back in (0.0, 9.0)]
    assert stamps == sorted(stamps)


def test_without_other_inputs_a_folder_has_its_own_times() -> None:
    passing = Time()
    clock = Clock(True, passing)
    for number in range(9):
        passing.now += 7.0
        assert clock.frame(frame(2.0 * number)).time == 2.0 * number


def test_of_a_live_camera_nothing_is_dated_anew() -> None:
    clock = Clock(False)
    taken, press = frame(17.0), Choose(18.0, 1)
    assert clock.frame(taken) is taken
    assert clock.stamped(press) is press


class Magnets:
    """A link that feels a board while the first picture is looked at, and then nothing."""

    def __init__(self) -> None:
        self.told, self.over = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Any]:
        from tableref.devices.link.items import Snapshot

        yield Snapshot(frozenset(), frozenset(), time.monotonic(), False, False)
        self.told.set()
        self.over.wait(10)

    def close(self) -> None:
        self.over.set()


def test_with_a_link_no_picture_of_a_folder_is_older_than_the_switches(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = Magnets()

    def eye(frame: Frame, lit: Collection[str]) -> Input:
        assert link.told.wait(10)
        return seen({}, frame.name, frame.time)

    monkeypatch.setattr(sessions, "eye", lambda *_, **__: lambda frame, lit: (eye(frame, lit),))
    evening = evening_of(tmp_path / "out", f"folder:{pictures}")
    taken = run(evening, open_camera(f"folder:{pictures}"), link=link)
    evening.journal.close()
    [changed] = [given.time for given in taken if isinstance(given, Occupied)]
    times = [given.time for given in taken if isinstance(given, Seen)]
    assert len(times) == 11
    assert all(time > changed for time in times[1:])


# The queue

PATIENCE = 5.0
"""Seconds in which what is waited for has come, on any machine."""


@contextlib.contextmanager
def giving(queue: InputQueue, *given: Input) -> Iterator[threading.Thread]:
    """Somebody who puts these in, and is let go at the end even where the queue holds him."""
    giver = threading.Thread(target=lambda: [queue.put(one) for one in given], daemon=True)
    giver.start()
    try:
        yield giver
    finally:
        queue.close()
        giver.join(PATIENCE)


def test_of_a_live_camera_only_the_newest_frame_waits() -> None:
    queue = InputQueue()
    one, two, three = (seen({}, name, time) for name, time in (("1", 1.0), ("2", 2.0), ("3", 3.0)))
    with giving(queue, one, Choose(1.5, 0), two, three) as camera:
        camera.join(PATIENCE)
        assert not camera.is_alive(), "a newer frame waits for an older one"
        first, second = queue.take(PATIENCE), queue.take(PATIENCE)
        assert isinstance(first, Seen)
        assert first.observation.image == "3"
        assert second == Choose(1.5, 0)
    assert queue.take() is None


def test_a_source_that_waits_loses_no_frame() -> None:
    queue = InputQueue(every_frame=True)
    names = [f"{number}" for number in range(30)]
    taken: list[str] = []
    with giving(queue, *(seen({}, name, float(name)) for name in names)) as camera:
        while isinstance(given := queue.take(PATIENCE if len(taken) < 30 else 0.0), Seen):
            taken.append(given.observation.image)
        camera.join(PATIENCE)
        assert not camera.is_alive(), f"the queue holds the camera after {taken}"
    assert taken == names
