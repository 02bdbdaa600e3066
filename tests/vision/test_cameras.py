"""Cameras of all kinds: frames in order, the newest only, and a typed word for every fault."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import types

import cv2
import numpy as np
import pytest

from tableref_vision.backends import live, picamera, usb
from tableref_vision.backends.live import LiveCamera, supervise
from tableref_vision.camera import Frame, open_camera
from tableref_vision.errors import (
    CameraBlack,
    CameraBusy,
    CameraError,
    CameraFormat,
    CameraLost,
    CameraMissing,
    PictureError,
    UnknownCamera,
)

GREY = np.full((72, 128, 3), 120, np.uint8)


# Folders and films


@pytest.fixture
def folder(tmp_path):
    for name in ("b.png", "a.png", "c.PNG"):
        data = cv2.imencode(".png", np.full((4, 5, 3), ord(name[0]), np.uint8))[1]
        (tmp_path / name).write_bytes(data.tobytes())
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_a_folder_is_played_in_name_order(folder):
    frames = list(open_camera(f"folder:{folder}").frames())
    assert [frame.name for frame in frames] == ["a.png", "b.png", "c.PNG"]
    assert [frame.image[0, 0, 0] for frame in frames] == [ord("a"), ord("b"), ord("c")]
    assert [frame.time for frame in frames] == sorted({frame.time for frame in frames})


def test_a_damaged_picture_is_named_and_the_next_ones_come(folder):
    (folder / "b.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    frames = open_camera(f"folder:{folder}").frames()
    assert next(frames).name == "a.png"
    with pytest.raises(PictureError, match=r"b\.png"):
        next(frames)
    assert next(frames).name == "c.PNG"
    with pytest.raises(StopIteration):
        next(frames)


def test_a_picture_that_is_cut_off_is_not_taken_for_a_whole_one(tmp_path):
    noise = np.random.default_rng(0).integers(0, 255, (90, 160, 3), np.uint8)
    data = cv2.imencode(".jpg", noise)[1].tobytes()
    (tmp_path / "half.jpg").write_bytes(data[: len(data) // 2])
    with pytest.raises(PictureError, match=r"half\.jpg"):
        next(open_camera(f"folder:{tmp_path}").frames())


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_a_folder_without_pictures_is_a_missing_camera(tmp_path, name):
    with pytest.raises(CameraMissing):
        open_camera(f"folder:{tmp_path / name}")


def test_a_film_is_played_frame_by_frame(tmp_path):
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (128, 72))
    for level in (40, 120, 200):
        film.write(np.full((72, 128, 3), level, np.uint8))
    film.release()
    with contextlib.closing(open_camera(f"video:{path}")) as camera:
        frames = list(camera.frames())
    assert [round(frame.image.mean(), -1) for frame in frames] == [40, 120, 200]
    assert [frame.time for frame in frames] == pytest.approx([0.0, 0.1, 0.2], abs=0.02)


class SlowFilm:
    """A capture whose next frame takes until `go_on`; `log` is what was done with it."""

    def __init__(self, path):
        self.decoding, self.go_on, self.log = threading.Event(), threading.Event(), []

    def isOpened(self):
        return True

    def open(self, path):
        return True

    def read(self):
        self.decoding.set()
        assert self.go_on.wait(60)
        self.log.append("decoded")
        return self.log.count("decoded") < 9, GREY

    def get(self, prop):
        return 0.0

    def release(self):
        self.log.append("released")


def test_a_film_that_is_closed_by_another_thread_is_released_behind_the_frame_it_decodes(
    tmp_path, monkeypatch
):
    path = tmp_path / "film.avi"
    path.touch()
    film, frames = SlowFilm(path), []
    monkeypatch.setattr(cv2, "VideoCapture", lambda path: film)
    camera = open_camera(f"video:{path}")
    eye = threading.Thread(target=lambda: frames.extend(camera.frames()))
    eye.start()
    assert film.decoding.wait(60)
    closer = threading.Thread(target=camera.close)
    closer.start()
    closer.join(0.05)  # it waits for the frame
    film.go_on.set()
    for thread in (closer, eye):
        thread.join(60)
    assert film.log.index("released") == film.log.count("decoded")
    assert len(frames) == film.log.count("decoded")


def test_a_film_that_was_closed_has_no_next_frame(tmp_path):
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (128, 72))
    film.write(GREY)
    film.release()
    for after in ("", "film.avi 00000", "other"):
        camera = open_camera(f"video:{path}")
        camera.close()
        assert list(camera.frames(after)) == []


def test_what_is_no_film_is_said(tmp_path):
    with pytest.raises(CameraMissing):
        open_camera(f"video:{tmp_path}/nowhere.mp4")
    (tmp_path / "a.mp4").write_bytes(b"rubbish")
    with pytest.raises(CameraFormat):
        open_camera(f"video:{tmp_path}/a.mp4")


def test_an_unknown_camera_is_told_what_there_is():
    with pytest.raises(UnknownCamera, match=r"folder:.*picamera:.*usb:.*virtual:"):
        open_camera("webcam", {"virtual": lambda words: pytest.fail("not asked for")})


def test_other_kinds_of_camera_are_opened_by_name():
    assert open_camera("virtual:seed=3", {"virtual": lambda words: words}) == "seed=3"


def test_the_package_is_imported_without_opencv():
    code = (
        "import sys; sys.modules['cv2'] = None\n"
        "import tableref_vision.camera, tableref_vision.observation\n"
        "try: import tableref_vision.reader\n"
        "except tableref_vision.VisionError as error: print(error)\n"
        "else: raise SystemExit('read without OpenCV')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install" in done.stdout
    assert done.stdout.count("\n") == 1


# Live cameras


class Script:
    """A device that does what it is told: pictures, or faults; then it is lost."""

    def __init__(self, *steps, period=0.1):
        self.steps, self.time, self.period = list(steps), 0.0, period
        self.log = []

    def read(self):
        if not self.steps:
            raise CameraLost("the script is over")
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        self.time += self.period
        return step, self.time

    def settled(self):
        self.log.append("settled")

    def close(self):
        self.log.append("closed")


def run(*openings):
    """What `supervise` gives for devices that open, or fail to, one after the other; and the
    pauses it made."""
    pauses, waiting = [], list(openings)

    def open_device():
        opening = waiting.pop(0)
        if isinstance(opening, Exception):
            raise opening
        return opening

    def pause(seconds):
        pauses.append(seconds)
        return not waiting

    return list(supervise(open_device, pause)), pauses


def frames(given):
    return [thing for thing in given if isinstance(thing, Frame)]


def faults(given):
    return [type(thing) for thing in given if isinstance(thing, CameraError)]


def test_no_frame_is_given_until_brightness_has_settled():
    ramp = [np.full_like(GREY, level) for level in range(20, 120, 10)]
    device = Script(*ramp, *[GREY] * 8)
    given, _ = run(device)
    assert len(frames(given)) == 8 - live.STEADY_FOR
    assert device.log == ["settled", "closed"]


def test_a_camera_that_never_settles_has_its_time_and_then_gives_frames():
    flicker = [np.full_like(GREY, 80 + 60 * (i % 2)) for i in range(60)]
    given, _ = run(Script(*flicker))
    assert frames(given)[0].time == pytest.approx(live.SETTLE_LIMIT + 0.2, abs=0.11)


def test_an_unplugged_camera_comes_back_by_itself():
    given, _ = run(Script(*[GREY] * 8), CameraMissing("gone"), Script(*[GREY] * 8))
    assert faults(given) == [CameraLost, CameraMissing, CameraLost]
    names = [frame.name for frame in frames(given)]
    assert names == [f"frame {number}" for number in range(6)]


def test_the_same_fault_is_told_once_and_tried_again_less_and_less_often():
    busy = [CameraBusy("held") for _ in range(8)]
    given, pauses = run(*busy)
    assert faults(given) == [CameraBusy]
    assert pauses == [0.5, 1, 2, 4, 8, 8, 8, 8]


def test_black_pictures_are_a_fault():
    given, _ = run(Script(*[GREY * 0] * 30))
    assert faults(given)[0] is CameraBlack
    assert frames(given) == []


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((72, 128), np.uint8),
        np.zeros((72, 128, 4), np.uint8),
        np.zeros((72, 128, 3), np.uint16),
        np.zeros((0, 0, 3), np.uint8),
    ],
)
def test_pictures_of_a_wrong_shape_or_type_are_a_fault(wrong):
    given, _ = run(Script(wrong))
    assert faults(given)[0] is CameraFormat


def test_a_live_camera_runs_in_a_thread_and_gives_the_newest_frame_only():
    all_read = live.threading.Event()

    class Fast(Script):
        def read(self):
            if not self.steps:
                all_read.set()
            return super().read()

    levels = [np.full_like(GREY, 120 + (i == 19)) for i in range(20)]
    openings = iter([Fast(*levels)])

    def open_device():
        for device in openings:
            return device
        raise CameraLost("gone for good")

    camera = LiveCamera(open_device, "fast")
    taken = camera.frames()
    assert all_read.wait(5)
    with pytest.raises(CameraLost):
        next(frame for frame in taken if frame.image[0, 0, 0] != 121)
    camera.close()
    with pytest.raises(StopIteration):
        next(taken)


def test_a_camera_that_hangs_is_said_once(monkeypatch):
    monkeypatch.setattr(live, "PATIENCE", 0.01)
    goes_on = live.threading.Event()

    class Hanging(Script):
        def read(self):
            goes_on.wait(5)
            return super().read()

    camera = LiveCamera(lambda: Hanging(*[GREY] * 8), "hanging")
    taken = camera.frames()
    with pytest.raises(CameraLost, match="no picture"):
        next(taken)
    goes_on.set()
    with pytest.raises(CameraLost, match="script"):
        list(taken)
    camera.close()


# USB cameras


@pytest.fixture
def plugged(monkeypatch, tmp_path):
    """USB cameras: name in /dev -> what its pictures are; None does not open, [] is empty."""
    cameras = {}

    class Capture:
        def __init__(self, path, api):
            assert api == cv2.CAP_V4L2
            self.pictures = cameras[path.rpartition("/")[2]]

        def isOpened(self):
            return self.pictures is not None

        def set(self, setting, value):
            return True

        def read(self):
            return (True, self.pictures.pop(0)) if self.pictures else (False, None)

        def release(self):
            pass

    monkeypatch.setattr(usb, "DEVICES", tmp_path)
    monkeypatch.setattr(usb.cv2, "VideoCapture", Capture)

    def plug(name, pictures):
        cameras[name] = pictures
        (tmp_path / name).touch()

    return plug


def test_a_usb_camera_gives_pictures_until_it_is_lost(plugged, tmp_path):
    plugged("video0", [GREY])
    device = usb.UsbDevice(str(tmp_path / "video0"))
    assert device.read()[0] is GREY
    with pytest.raises(CameraLost):
        device.read()


def test_a_usb_camera_that_another_program_holds_is_busy(plugged, tmp_path):
    plugged("video0", None)
    with pytest.raises(CameraBusy):
        usb.UsbDevice(str(tmp_path / "video0"))
    plugged("video1", [])
    with pytest.raises(CameraBusy):
        usb.UsbDevice(str(tmp_path / "video1")).read()


def test_a_usb_camera_that_is_not_there_is_missing(plugged, tmp_path):
    with pytest.raises(CameraMissing, match="plugged"):
        usb.UsbDevice(str(tmp_path / "video7"))
    with pytest.raises(CameraMissing):
        open_camera("usb:")


def test_the_next_usb_camera_is_tried_where_one_is_black(plugged):
    plugged("video0", [GREY * 0] * 20)
    plugged("video2", [GREY] * 20)
    paths = usb._paths("")
    given, left = [], [2]

    def pause(seconds):
        left[0] -= 1
        return not left[0]

    given = list(supervise(lambda: usb.UsbDevice(next(paths)), pause))
    assert faults(given) == [CameraBlack, CameraLost]
    assert len(frames(given)) == 20 - live.STEADY_FOR


# Pi cameras, against a module with picamera2's documented interface


class FakePicamera2:
    """As `picamera2.Picamera2`: RGB888 arrays are B, G, R; requests must be given back."""

    cameras = 1
    refuses = None
    lost = False
    level = 120

    def __init__(self, number=0):
        if self.refuses:
            raise RuntimeError("Camera __init__ sequence did not complete.") from self.refuses
        self.controls, self.open_requests, self.number, self.started = {}, 0, 0, False

    @classmethod
    def global_camera_info(cls):
        return [{"Num": number, "Model": "imx708"} for number in range(cls.cameras)]

    def create_video_configuration(self, main, controls, buffer_count):
        assert main == {"size": (1280, 720), "format": "RGB888"}
        self.controls.update(controls)
        return {"main": main}

    def configure(self, configuration):
        self.size = configuration["main"]["size"]

    def start(self):
        self.started = True

    def capture_request(self, wait=None):
        assert self.started
        assert wait, "must not wait for ever"
        if self.lost:
            raise TimeoutError
        assert self.open_requests == 0, "a request was not released"
        self.open_requests += 1
        self.number += 1
        camera = self

        class Request:
            def make_array(self, name):
                assert name == "main"
                width, height = camera.size
                return np.full((height, width, 3), camera.level, np.uint8)

            def get_metadata(self):
                return {
                    "SensorTimestamp": camera.number * 33_000_000,
                    "ExposureTime": 10_000,
                    "AnalogueGain": 2.0,
                    "ColourGains": (1.5, 1.7),
                }

            def release(self):
                camera.open_requests -= 1

        return Request()

    def set_controls(self, controls):
        self.controls.update(controls)

    def close(self):
        self.started = False


@pytest.fixture
def fake(monkeypatch):
    kind = type("Picamera2", (FakePicamera2,), {})
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=kind))
    return kind


def test_a_pi_camera_keeps_exposure_and_white_balance_once_settled(fake):
    device = picamera.PiDevice(0)
    assert device._camera.controls["AeEnable"] is True
    for _ in range(3):
        image, taken = device.read()
    assert image.shape == (720, 1280, 3)
    assert taken == pytest.approx(3 * 0.033)
    device.settled()
    assert device._camera.controls == {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 10_000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 1.7),
    }
    device.close()
    device.close()


def test_a_pi_camera_settles_anew_when_the_light_has_changed_for_good(fake):
    device = picamera.PiDevice(0)
    device.read()
    device.settled()
    fake.level = 5
    with pytest.raises(picamera.LightChanged):
        [device.read() for _ in range(200)]
    assert device._camera.controls["AeEnable"] is True


def test_a_lamp_that_is_switched_on_leaves_the_exposure_locked(fake):
    device = picamera.PiDevice(0)
    device.read()
    device.settled()
    fake.level = 190
    for _ in range(300):
        device.read()
    assert device._camera.controls["AeEnable"] is False


def test_faults_of_a_pi_camera_are_told_apart(fake, monkeypatch):
    with pytest.raises(CameraMissing, match="cable"):
        picamera.PiDevice(1)
    device = picamera.PiDevice(0)
    fake.lost = True
    with pytest.raises(CameraLost):
        device.read()
    fake.refuses = RuntimeError("Device or resource busy")
    with pytest.raises(CameraBusy, match="resource busy"):
        picamera.PiDevice(0)
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraMissing, match="apt install python3-picamera2"):
        picamera.PiDevice(0)
    with pytest.raises(CameraMissing, match="by number"):
        open_camera("picamera:front")


def test_a_numpy_that_does_not_fit_picamera2_is_told_with_the_cure(monkeypatch):
    def clash(name):
        raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    monkeypatch.setattr(picamera.importlib, "import_module", clash)
    with pytest.raises(CameraMissing, match=r"bookworm\.txt"):
        picamera.PiDevice(0)
