"""Virtual people in front of the real loop: their cameras, their cable, their thread.

They wait after each thing that they do until all that comes of it has been told, so an evening is
the same however quick the computer is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping

from tableref.devices.lights import Light
from tableref.devices.link import LinkItem
from tableref.referee.clock import Clock
from tableref.referee.desk import Feedback
from tableref.referee.inputs import Input, Learning, MatSeen, Seen
from tableref.referee.queue import InputQueue
from tableref.sim.draw import Hand
from tableref.sim.mat import VirtualMat
from tableref.sim.materials import Picture
from tableref.sim.people import People
from tableref.sim.room import Room
from tableref.sim.stage import Stage
from tableref_vision.camera import Frame


class ShownCamera:
    """A camera that sees what it is shown. It shows the present: a picture is taken when the room
    has come so far."""

    waits = False

    def __init__(self, begun: threading.Event) -> None:
        self._begun, self._changed = begun, threading.Condition()
        self._shown: Frame | None = None
        self._ended = self._closed = False

    def show(self, frame: Frame) -> None:
        """The camera sees this; returns when it has been read, or nobody looks any more."""
        with self._changed:
            self._shown = frame
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed or self._shown is None)

    def end(self) -> None:
        """There is nothing more to see."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def frames(self, after: str = "") -> Iterator[Frame]:
        """What is shown from now on."""
        self._begun.set()
        while (frame := self._next()) is not None:
            yield frame
            with self._changed:
                self._shown = None
                self._changed.notify_all()

    def _next(self) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._ended or self._shown is not None)
            return None if self._closed else self._shown

    def close(self) -> None:
        """Nobody looks any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Cable:
    """Stands for the board's cable: what it tells the people put into the queue themselves, in
    their own time; its lights are the stage's."""

    def __init__(self, begun: threading.Event, stage: Stage) -> None:
        self._begun, self._closed, self._stage = begun, threading.Event(), stage

    def __iter__(self) -> Iterator[LinkItem]:
        """Nothing, until it is closed."""
        self._begun.set()
        self._closed.wait()
        return iter(())

    def next(self, timeout: float | None = None) -> LinkItem | None:
        """Nothing."""
        return None

    def show(self, lights: Mapping[str, Light]) -> None:
        """They shine on the stage."""
        self._stage.lights = dict(lights)

    def snapshot(self) -> None:
        """The people tell all switches when they sit down."""

    def close(self) -> None:
        """Nobody listens any more."""
        self._closed.set()


class Over(Exception):
    """The evening was ended while they played."""


class Playing:
    """People who play before a queue, in a thread of their own.

    `keep` gets each picture with its name, of the board's at once, of the mat's, which are many,
    when something is told of them.
    """

    def __init__(
        self,
        people: People,
        stage: Stage,
        senses: Collection[str],
        seed: int,
        keep: Callable[[str, Picture], None],
        first: int = 0,
        since: float = 0.0,
    ) -> None:
        """`first`: the number of the first picture; `since`: the evening's time at which they sit
        down, later than all that happened before."""
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._play, name="players", daemon=True)
        self.queue = InputQueue(every_frame=True)
        self.queue.clock = Clock(True, now=lambda: 0.0)  # time is what the people say
        places = [place for place in ("board", "mat") if place in senses]
        self.cameras: dict[str, ShownCamera] = {place: ShownCamera(self._begun) for place in places}
        self.cable = Cable(self._begun, stage) if "switches" in senses else None
        self.error: BaseException | None = None
        self._people, self._keep = people, keep
        self._room = Room(stage, VirtualMat(seed), senses, self)
        self._last: tuple[str, Picture] | None = None
        self._number, self._since = first, since

    def start(self) -> None:
        """They sit down, and begin when the evening does."""
        self._thread.start()

    @property
    def seconds(self) -> float:
        """How long they have played by now, in their own time."""
        return self._room.now

    def leave(self) -> None:
        """They get up, once the evening is over: nobody draws while the process ends."""
        self._begun.set()
        self.queue.close()
        self._thread.join()

    def give(self, given: Input) -> None:
        """Somebody says something, or a switch does; returns when what comes of it was told."""
        if not isinstance(given, Seen | MatSeen | Learning):  # those have the time of their frame
            given = given._replace(time=self._since + given.time)
        if not self.queue.put(given):
            raise Over
        self.queue.rest()

    def look(self, place: str, time: float, hands: tuple[Hand, ...]) -> bool:
        """A camera takes a picture; returns when what comes of it was told, and whether the lights
        went out for another."""
        stage = self._room.stage
        scene, shone = stage if place == "board" else self._room.mat, bool(stage.lights)
        picture, name = scene.picture(hands=hands), f"{self._number:05d}"
        self._number += 1
        self._last = (name, picture) if place == "mat" else None
        if place == "board":
            self._keep(name, picture)
        self.cameras[place].show(Frame(picture, self._since + time, name))
        self.queue.rest()
        return place == "board" and shone and not stage.lights

    def tell(self, feedback: Feedback) -> None:
        """What the referee tells: a picture of the mat of which it tells something is kept."""
        if feedback.events and self._last is not None:
            self._keep(*self._last)
            self._last = None

    def _play(self) -> None:
        self._begun.wait()
        try:
            self._people.play(self._room)
        except Over:
            pass
        except BaseException as error:
            self.error = error
        finally:
            self.queue.rest()
            for camera in self.cameras.values():
                camera.end()
            if not self.cameras or self.error is not None:
                self.queue.close()
