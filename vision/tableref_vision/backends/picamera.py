"""Raspberry Pi cameras through picamera2 and libcamera: `picamera:` or `picamera:1`.

picamera2 comes from apt, not from pip, and is loaded here and nowhere else.
"""

from __future__ import annotations

import importlib
from typing import Any

from tableref_vision.backends.live import LiveCamera, brightness, now
from tableref_vision.errors import CameraBusy, CameraError, CameraLost, CameraMissing
from tableref_vision.opencv import Picture, np

SIZE = 1280, 720
FORMAT = "RGB888"  # which is B, G, R in memory: libcamera names bytes from the highest down
TIMEOUT = 3.0  # s to wait for a picture
NANO = 1e-9
# Grey levels beyond which a locked exposure no longer fits the light, and for how long.
TOO_DARK, TOO_BRIGHT, UNFIT_FOR = 25.0, 235.0, 5.0
AUTOMATIC = {"AeEnable": True, "AwbEnable": True}
KEPT = ("ExposureTime", "AnalogueGain", "ColourGains")


class PiDevice:
    """One open Pi camera. Exposure and white balance are kept once they have settled, so that
    neither a dark sleeve nor a red car changes the colours of the rest."""

    def __init__(self, number: int) -> None:
        module = _picamera2()
        if number >= len(module.Picamera2.global_camera_info()):
            raise CameraMissing(
                f"there is no Pi camera {number}; check its cable, and whether "
                "'rpicam-hello --list-cameras' shows it"
            )
        try:
            self._camera = module.Picamera2(number)
        except (RuntimeError, IndexError) as error:
            raise _refused(number, error) from error
        try:
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": SIZE, "format": FORMAT}, controls=dict(AUTOMATIC), buffer_count=3
                )
            )
            self._camera.start()
        except RuntimeError as error:
            self.close()
            raise _refused(number, error) from error
        self._last: dict[str, Any] = {}
        self._locked = False
        self._unfit_since: float | None = None

    def read(self) -> tuple[Picture, float]:
        """The next picture. CameraLost"""
        try:
            request = self._camera.capture_request(wait=TIMEOUT)
        except (TimeoutError, RuntimeError) as error:
            raise CameraLost(
                f"the Pi camera gives no more pictures ({error or 'no answer'}); check its cable"
            ) from error
        try:
            image = np.asarray(request.make_array("main"))
            self._last = request.get_metadata()
        finally:
            request.release()
        stamp = self._last.get("SensorTimestamp")
        taken = stamp * NANO if stamp else now()
        self._watch(image.astype(np.uint8, copy=False), taken)
        return image, taken

    def _watch(self, image: Picture, taken: float) -> None:
        """Give up what was kept when the light has changed for good."""
        if not self._locked or TOO_DARK < brightness(image) < TOO_BRIGHT:
            self._unfit_since = None
        elif self._unfit_since is None:
            self._unfit_since = taken
        elif taken - self._unfit_since > UNFIT_FOR:
            self._camera.set_controls(dict(AUTOMATIC))
            self._locked, self._unfit_since = False, None
            raise LightChanged("the light has changed; the camera finds its exposure again")

    def settled(self) -> None:
        """Keep exposure and white balance as they are."""
        kept = {name: self._last[name] for name in KEPT if name in self._last}
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **kept})
        self._locked = True

    def close(self) -> None:
        """Let the camera go; that a lost one cannot be stopped is no news."""
        try:
            self._camera.close()
        except RuntimeError:
            return


class LightChanged(CameraError):
    """The light is so different that the camera is opened anew to settle in it."""


def _picamera2() -> Any:
    try:
        return importlib.import_module("picamera2")
    except ModuleNotFoundError as error:
        raise CameraMissing(
            f"the Pi camera needs picamera2, and {error.name} is not installed: "
            "sudo apt install python3-picamera2, and make the virtual environment with "
            "--system-site-packages"
        ) from error
    except (ImportError, ValueError) as error:
        # A NumPy newer than the one that picamera2 was built with shows itself as a ValueError.
        raise CameraMissing(
            f"picamera2 cannot be loaded ({error}); on bookworm install Tableref with "
            "'-c constraints/bookworm.txt', which keeps NumPy below 2"
        ) from error


def _refused(number: int, error: Exception) -> CameraError:
    reason = str(error.__cause__ or error)
    return CameraBusy(f"Pi camera {number} does not open ({reason}); does another program hold it?")


def open_camera(words: str) -> LiveCamera:
    """The Pi camera with this number, the first where none is told. CameraMissing"""
    if words and not words.isdecimal():
        raise CameraMissing(f"Pi cameras are named by number, as in picamera:0, not by {words!r}")
    number = int(words or 0)
    return LiveCamera(lambda: PiDevice(number), f"picamera:{number}")
