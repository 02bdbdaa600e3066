"""What all live cameras share: settling, watching for faults, coming back, the newest frame only.

A device is one open camera. `supervise` opens it, lets it settle, checks what it gives, and opens
it again after a fault; `LiveCamera` runs that in a thread, so that frames that nobody had time
for are gone instead of waiting in a buffer and being taken for the present.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Protocol

from tableref_vision.camera import Frame
from tableref_vision.errors import CameraBlack, CameraError, CameraFormat, CameraLost
from tableref_vision.opencv import Picture, np

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0  # s before a camera is opened again, doubling between
STEADY = 0.02  # of the brightness that it may differ by within STEADY_FOR frames once settled
STEADY_FOR = 5  # frames
SETTLE_LIMIT = 3.0  # s; some cameras never say, or show, that they have settled
BLACK = 3.0  # grey levels: a picture nowhere brighter shows nothing
BLACK_FOR = 10  # frames
PATIENCE = 3.0  # s without a picture after which that is said


class Device(Protocol):
    """An open camera."""

    def read(self) -> tuple[Picture, float]:
        """The next picture, and when it was taken in monotonic seconds. CameraError"""
        ...

    def settled(self) -> None:
        """Told once brightness is steady: whoever can keeps exposure and white balance now."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


class Settling:
    """Whether a camera that was just opened has found its exposure."""

    def __init__(self) -> None:
        self._recent: deque[float] = deque(maxlen=STEADY_FOR)
        self._since: float | None = None

    def done(self, image: Picture, time: float) -> bool:
        """Whether brightness has been steady, or the camera has had its time."""
        self._since = time if self._since is None else self._since
        self._recent.append(brightness(image))
        low, high = min(self._recent), max(self._recent)
        steady = len(self._recent) == STEADY_FOR and high - low <= STEADY * max(high, 1.0)
        return steady or time - self._since >= SETTLE_LIMIT


def brightness(image: Picture) -> float:
    """The mean grey level of every sixteenth pixel each way."""
    return float(image[::16, ::16].mean())


def supervise(
    open_device: Callable[[], Device], pause: Callable[[float], bool]
) -> Generator[Frame | CameraError, None, None]:
    """Frames and faults of a camera that is opened again and again, until `pause` says to stop.

    A fault is told once, and again only after frames have come in between or as another kind.
    `pause` waits for so many seconds and returns whether to stop.
    """
    wait, told, number = FIRST_PAUSE, None, 0
    while True:
        device: Device | None = None
        try:
            device = open_device()
            for image, taken in _settled_pictures(device):
                yield Frame(image, taken, f"frame {number}")
                wait, told, number = FIRST_PAUSE, None, number + 1
        except Exception as error:  # a driver raises anything; opening it anew is all that helps
            if type(error) is not told:
                told = type(error)
                yield _camera_error(error)
        finally:
            if device is not None:
                # It has failed, or is let go for good: nothing comes of an error in closing it.
                with suppress(Exception):
                    device.close()
        if pause(wait):
            return
        wait = min(2 * wait, LONGEST_PAUSE)


def _camera_error(error: Exception) -> CameraError:
    if isinstance(error, CameraError):
        return error
    return CameraLost(f"the camera failed ({type(error).__name__}: {error}); it is opened again")


def _settled_pictures(device: Device) -> Iterator[tuple[Picture, float]]:
    settling: Settling | None = Settling()
    black = 0
    while True:
        image, taken = device.read()
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or not image.size:
            raise CameraFormat(
                f"the camera gives pictures of {image.shape} {image.dtype}, not of rows, columns "
                "and 3 bytes; choose another format or camera"
            )
        black = black + 1 if float(image[::16, ::16].max()) <= BLACK else 0
        if black >= BLACK_FOR:
            raise CameraBlack("the camera's pictures are black: is its cap on, or is it no camera?")
        if settling is None:
            if not black:
                yield image, taken
        elif settling.done(image, taken):
            device.settled()
            settling = None


class LiveCamera:
    """A camera whose frames are taken as they are wanted: always the newest, none twice."""

    waits = False

    def __init__(self, open_device: Callable[[], Device], name: str) -> None:
        self._name = name
        self._closing = threading.Event()
        self._arrived = threading.Condition()
        self._newest: Frame | CameraError | None = None
        self._ended = False
        self._silent = False
        self._thread = threading.Thread(
            target=self._run, args=(open_device,), name=f"camera {name}", daemon=True
        )

    def frames(self, after: str = "") -> Iterator[Frame]:
        """Frames until `close`. A CameraError says what is wrong; `next` then waits for more."""
        if self._thread.ident is None:
            self._thread.start()
        return _Frames(self._take)

    def close(self) -> None:
        """Stop and let the camera go; a device that hangs is left to itself."""
        self._closing.set()
        with self._arrived:
            self._arrived.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(PATIENCE)

    def _run(self, open_device: Callable[[], Device]) -> None:
        given = supervise(open_device, self._closing.wait)
        try:
            for thing in given:
                with self._arrived:
                    # A fault that nobody has heard of yet is not pushed out by a frame.
                    if isinstance(thing, CameraError) or not isinstance(self._newest, CameraError):
                        self._newest = thing
                    self._arrived.notify_all()
                if self._closing.is_set():
                    break
        finally:
            given.close()
            with self._arrived:
                self._ended = True
                self._arrived.notify_all()

    def _take(self) -> Frame:
        with self._arrived:
            while self._newest is None:
                if self._closing.is_set() or self._ended:
                    raise StopIteration
                arrived = self._arrived.wait(None if self._silent else PATIENCE)
                if not arrived and self._newest is None:
                    self._silent = True  # say it once
                    raise CameraLost(
                        f"camera {self._name} has given no picture for {PATIENCE:.0f} seconds; "
                        "check its cable"
                    )
            thing, self._newest, self._silent = self._newest, None, False
        if isinstance(thing, CameraError):
            raise thing
        return thing


class _Frames:
    """An iterator that goes on after an error, as a generator would not."""

    def __init__(self, take: Callable[[], Frame]) -> None:
        self._take = take

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        return self._take()


def now() -> float:
    """Monotonic seconds, for devices that do not tell when a picture was taken."""
    return time.monotonic()
