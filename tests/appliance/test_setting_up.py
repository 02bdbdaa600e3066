"""Setting up by display and buttons alone: every step on virtual devices, in the real loop."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.appliance.table import SeenPanel, Table, text_of
from tests.vision.test_calibration import VIEWS, photo, sheet  # noqa: F401

from tableref.appliance import steps
from tableref.appliance.steps import aim, camera, dice, feeling, lens
from tableref.devices.buttons import Button
from tableref.devices.config import DeviceConfig
from tableref.devices.oled import Marker, Screen, draw
from tableref.errors import UserError
from tableref.hosting.config import CameraOptions, Config, GameOptions, load
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.text import LANGUAGES
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref.sim.turned import TurnedDice
from tableref_hardware import load_board
from tableref_vision.camera import Frame

BOARD = CameraOptions(("board=usb:", "mat=picamera:"))


@pytest.fixture(autouse=True)
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tableref.toml"
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    return path


def begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, config: Config | None = None
) -> Table:
    """The table in this step."""
    config = config or Config(camera=BOARD)
    table = Table(tmp_path, config, monkeypatch)
    table.power()
    words = MenuWords(config.game.lang)
    table.choose(words.label("set-up"))
    table.choose(f"· {words.label(f'step-{step}')}")
    return table


class Shown:
    """A camera that sees these frames; the last again and again until it is closed."""

    waits = False

    def __init__(self, *pictures: Any) -> None:
        self.pictures = list(pictures)
        self.turn = threading.Semaphore(0)
        self.closed = False

    def frames(self, after: str = "") -> Iterator[Frame]:
        number = 0
        while True:
            picture = self.pictures[min(number, len(self.pictures) - 1)]
            yield Frame(picture, float(number), str(number))
            number += 1

    def close(self) -> None:
        self.closed = True


def opens(monkeypatch: pytest.MonkeyPatch, module: Any, shown: Any) -> list[str]:
    """Cameras that a step opens are this one; their names."""
    names: list[str] = []

    def opened(name: str) -> Any:
        names.append(name)
        return shown

    monkeypatch.setattr(module, "opened", opened)
    return names


def done(table: Table, step: str) -> None:
    """Back on the page of the steps, where this one is marked."""
    words = MenuWords(load().game.lang)
    table.panel.see(words.label("set-up"))
    if not any("✓" in line for line in table.panel.last.lines):  # the next step is on a new page
        table.press(Button.UP)
    table.panel.see(f"✓ {words.label(f'step-{step}')}")
    assert load().done[step] == steps.version(step)
    table.stop()


def test_a_language_that_is_chosen_is_the_menus_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, monkeypatch, "language")
    table.choose("Deutsch")
    table.panel.see("Tisch einrichten", "✓ Sprache")
    assert load().game.lang == "de"
    table.press(Button.BACK)
    table.panel.see("Neues Spiel")
    table.stop()


def test_the_driver_that_shows_a_frame_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, monkeypatch, "display")
    assert table.panel.see("frame", "ssd1306").framed
    table.press(Button.BACK)
    table.panel.see("frame", "sh1106")
    table.press(Button.OK)
    done(table, "display")
    assert table.panel.driven == [["ssd1306"], ["sh1106"]]
    assert [options.driver for options in load().devices.displays] == ["sh1106"]


def test_without_a_driver_that_shows_a_frame_all_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, monkeypatch, "display")
    table.panel.see("ssd1306")
    table.press(Button.BACK)
    table.panel.see("sh1106")
    table.press(Button.BACK)
    table.panel.see("No driver shows a frame")
    assert table.panel.driven[-1] == ["ssd1306"]
    assert not load().done
    table.stop()


def test_a_table_without_a_display_has_no_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(devices=replace(DeviceConfig(), displays=()))
    table = begun(tmp_path, monkeypatch, "display", config)
    table.panel.see("No display")
    table.stop()


@pytest.mark.parametrize(
    ("board", "mat", "look"),
    [
        ("The Pi's camera", "No camera", ("board=picamera:",)),
        ("No camera", "USB camera", ("mat=usb:",)),
        ("USB camera", "The Pi's camera", ("board=usb:", "mat=picamera:")),
        ("USB camera", "The same", ("both=usb:",)),
        ("No camera", "No camera", ()),
    ],
)
def test_cameras_are_chosen_and_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str, mat: str, look: tuple[str, ...]
) -> None:
    shown = Shown(np.zeros((9, 16, 3), np.uint8))
    names = opens(monkeypatch, camera, shown)
    table = begun(tmp_path, monkeypatch, "camera", Config())
    table.choose(board, mat)
    done(table, "camera")
    assert load().camera.look == look
    assert names == [name.partition("=")[2] for name in look]
    assert shown.closed == bool(look)


def test_one_camera_for_two_places_must_be_called_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, monkeypatch, "camera", Config())
    table.choose("USB camera", "USB camera")
    assert table.panel.see("That did not work").marker is Marker.TROUBLE
    assert not load().done
    table.stop()


def test_a_camera_that_is_not_there_is_told_and_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(name: str) -> Any:
        raise UserError(f"camera {name}: there is no such camera")

    monkeypatch.setattr(camera, "opened", opened)
    table = begun(tmp_path, monkeypatch, "camera", Config())
    table.choose("USB camera", "No camera")
    table.panel.see("no such camera")
    assert not load().camera.look
    table.stop()


@pytest.fixture(scope="module")
def views() -> list[Any]:
    """Autoscooter's board as a camera sees it: a corner out of view, half of it, whole."""
    stage = Stage(load_board("autoscooter"), 3, Camera.above(tilt=12.0, turn=20.0))
    whole = stage.picture()
    hidden = whole.copy()
    height, width = whole.shape[:2]
    hidden[: height // 2, : width // 2] = 120
    nothing = np.full_like(whole, 120)
    return [nothing, hidden, whole]


def aimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, *pictures: Any) -> Table:
    opens(monkeypatch, aim, Shown(*pictures))
    config = Config(camera=BOARD, game=GameOptions(lang))
    table = begun(tmp_path, monkeypatch, "aim", config)
    table.choose("Autoscooter")
    return table


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_camera_sees_is_drawn_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, views: list[Any], golden: Any, lang: str
) -> None:
    words, screens = MenuWords(lang), dict[str, Screen]()
    for name, picture, seen in (
        ("nothing", views[0], 0), ("hidden", views[1], 3), ("whole", views[2], 4),
    ):  # fmt: skip
        folder = tmp_path / name
        folder.mkdir()
        table = aimed(folder, monkeypatch, lang, picture)
        screens[name] = table.panel.see(words.text("corners", seen, 4).split()[0])
        table.stop()
    failed = []
    for name, screen in screens.items():
        try:
            golden(draw(screen), f"aim-{name}-{lang}")
        except pytest.fail.Exception as error:
            failed.append(str(error))
    assert not failed, failed


def test_ok_counts_only_once_all_corners_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, views: list[Any]
) -> None:
    shown = Shown(views[1])
    opens(monkeypatch, aim, shown)
    table = begun(tmp_path, monkeypatch, "aim")
    table.choose("Autoscooter")
    screen = table.panel.see("3 of 4")
    assert "without" in text_of(screen)
    assert screen.hint == ""
    table.press(Button.OK)
    shown.pictures = [views[2]]
    assert table.panel.see("4 of 4").hint == "OK"
    assert not load().done
    table.press(Button.OK)
    done(table, "aim")
    assert shown.closed


def test_aiming_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, views: list[Any]
) -> None:
    table = aimed(tmp_path, monkeypatch, "en", views[2])
    table.panel.see("4 of 4")
    table.press(Button.BACK)
    table.panel.see("· Aim the camera")
    assert not load().done
    table.stop()


@pytest.mark.parametrize("step", ["aim", "lens", "dice"])
def test_a_step_that_wants_a_camera_says_which_step_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    table = begun(tmp_path, monkeypatch, step, Config())
    assert table.panel.see("That did not work").marker is Marker.TROUBLE
    table.reads_on("Cameras")
    table.stop()


def test_a_lens_is_measured_and_used_from_then_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sheet: Any,  # noqa: F811
) -> None:
    monkeypatch.setattr(lens, "WANTED", len(VIEWS))
    pictures = [photo(sheet, turn, shift) for turn, shift in VIEWS]
    names = opens(monkeypatch, lens, Shown(*pictures))
    table = begun(tmp_path, monkeypatch, "lens")
    table.reads_on("OK")
    table.press(Button.OK)
    table.panel.see(f"1 of {len(VIEWS)}")
    table.panel.see(f"{len(VIEWS) - 1} of {len(VIEWS)}")
    done(table, "lens")
    assert names == ["usb:"]
    assert load().camera.calibration == str(tmp_path / "lens.json")
    assert (tmp_path / "lens.json").exists()


class Lying(TurnedDice):
    """Dice that lie still for a while each time they are laid down."""

    waits = False

    def frames(self, after: str = "") -> Iterator[Frame]:
        now = 0.0
        for frame in super().frames(after):
            for _ in range(4):
                now += 0.5
                yield Frame(frame.image, now, f"{now:.1f}")


def test_every_face_is_laid_up_once_and_the_size_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens(monkeypatch, dice, Lying(2, 18.0))
    table = begun(tmp_path, monkeypatch, "dice")
    for face in range(1, 7):
        table.panel.see(f"with {face}")
        table.reads_on("OK")
        table.press(Button.OK)
    told = table.panel.see("mm large")
    assert "18" in text_of(told) or "19" in text_of(told)
    table.reads_on("OK")
    table.press(Button.OK)
    done(table, "dice")
    size = load().devices.die
    assert size == pytest.approx(18.0, abs=1.5)


def test_a_walk_over_the_switches_names_those_that_felt_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, monkeypatch, "switches")
    table.choose("Skorpion Deep")
    cells = [c.name for c in load_board("skorpion-deep").cells.values() if c.switch is not None]
    for number, cell in enumerate(cells, 1):
        table.panel.see(f"{cell}: ", f"({number} of {len(cells)})".split()[0])
        if number == 3:
            table.press(Button.DOWN)
        else:
            assert table.port is not None
            table.port.put(cell)
            table.port.lift(cells[number - 2]) if number > 1 else None
    table.panel.see(f"No magnet was felt on: {cells[2]}.".split(":")[0])
    table.reads_on("OK")
    table.press(Button.OK)
    done(table, "switches")
    assert load().link.port == "auto"


def test_a_board_that_does_not_answer_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeling, "ANSWERS", 0.5)
    table = begun(tmp_path, monkeypatch, "switches")
    monkeypatch.setattr("tableref.devices.link.port_named", lambda text, board: "/dev/none")
    table.choose("Squod")
    table.panel.see("That did not work")
    assert not load().done
    table.stop()


def test_a_board_that_may_not_be_opened_is_told_with_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeling, "ANSWERS", 0.5)

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("serial.Serial", forbidden)
    table = begun(tmp_path, monkeypatch, "switches", Config(game=GameOptions("de")))
    monkeypatch.setattr("tableref.devices.link.port_named", lambda text, board: "/dev/ttyACM0")
    table.choose("Squod")
    assert "/dev/ttyACM0" in text_of(table.panel.see("Das ging nicht"))
    table.reads_on("usermod")


def test_a_board_that_is_unplugged_on_the_walk_is_told_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, monkeypatch, "switches")
    table.choose("Skorpion Deep")
    first = table.panel.see("(1 of").lines
    assert table.port is not None
    table.port.set_fault("silence", "1")
    assert table.panel.see("does not").hint == ""
    table.port.set_fault("silence", "0")
    assert table.panel.see("(1 of").lines == first


def test_what_is_new_in_a_version_is_to_be_done_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps.is_done("lens", {"lens": 1})
    monkeypatch.setattr(lens, "VERSION", 2)
    assert not steps.is_done("lens", {"lens": 1})
    assert not steps.is_done("lens", {})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_of_the_steps_looks_as_its_reference_picture(golden: Any, lang: str) -> None:
    from tableref.appliance.menu import Menu
    from tableref.appliance.pages import Pages

    page = Pages(lang).set_up({"language": 1, "camera": 1}, 4)
    golden(draw(Menu((page,)).screen()), f"menu-set-up-{lang}")


def test_a_small_panel_shows_no_sketch() -> None:
    from tableref.devices.oled import Sketch

    with_sketch = Screen("t", ("a",), sketch=Sketch(1.5, (), ((0.5, 0.5, True),)))
    assert draw(with_sketch, (128, 32)).tobytes() == draw(Screen("t", ("a",)), (128, 32)).tobytes()
    assert draw(with_sketch).tobytes() != draw(Screen("t", ("a",))).tobytes()


def test_a_panel_can_be_driven_anew() -> None:
    panel = SeenPanel(print)
    panel.drive([])
    assert panel.driven == [[]]
