"""`tableref panel`: what is seen, heard and felt, and what is not."""

import builtins

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tableref.cli import main
from tableref.commands import panel as command
from tableref.devices import panel as panels
from tableref.devices.buttons import Button, Press
from tableref.devices.oled import DisplayError, draw
from tableref.devices.pins import HardwareLock, open_with_pins

QUICK = ["panel", "--seconds", "0", "--patience", "0"]


class Shown:
    """A display that a person looks at."""

    def __init__(self, options):
        self.options = options

    def show(self, screen):
        Shown.driver = self.options.driver

    def close(self):
        pass


@pytest.fixture
def table(monkeypatch, tmp_path):
    """A Pi with the reference wiring, an SH1106, and a person who looks and answers."""
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(
        panels, "open_with_pins", lambda make: open_with_pins(make, {"mock": lambda: factory})
    )
    monkeypatch.setattr(panels, "HardwareLock", lambda: HardwareLock(tmp_path / "lock"))
    monkeypatch.setattr(command, "OledDisplay", Shown)
    monkeypatch.setattr(
        builtins, "input", lambda question: "yes" if Shown.driver == "sh1106" else "n"
    )
    monkeypatch.setenv("TABLEREF_CONFIG", str(tmp_path / "tableref.toml"))
    (tmp_path / "tableref.toml").write_text("")
    yield factory
    factory.close()


def test_the_driver_that_shows_a_frame_is_named_for_the_configuration(table, capsys):
    main(QUICK)
    out = capsys.readouterr().out
    assert "sh1106" in out
    assert '[[display]] driver = "sh1106"' in out


def test_light_and_buzzer_go_through_all_they_can_say(table, capsys):
    main(QUICK)
    out = capsys.readouterr().out
    for words in ("asking, slow blink", "trouble, fast blink", "buzzer: refused"):
        assert words in out


def test_buttons_that_nobody_pressed_are_named_and_the_code_tells(table, capsys):
    assert main(QUICK) == 1
    assert "not pressed: OK, BACK, UP, DOWN, WHY" in capsys.readouterr().out


class Felt:
    """Buttons that somebody has pressed, every one, before they were asked for."""

    stuck = ()

    def __init__(self, pins, pressed, factory):
        self.pins, self.pressed = pins, pressed

    def start(self):
        for button in self.pins:
            self.pressed(Press(button, False, 0.0))

    def close(self):
        pass


def test_all_well_is_code_0(table, monkeypatch, capsys):
    monkeypatch.setattr(panels, "GpioButtons", Felt)
    assert main(QUICK) == 0
    assert "WHY, short" in capsys.readouterr().out


def test_a_display_that_does_not_answer_is_told_with_its_cure(table, monkeypatch, capsys):
    def absent(options):
        raise DisplayError("no display answers", "Check its four wires.")

    monkeypatch.setattr(command, "OledDisplay", absent)
    assert main(QUICK) == 1
    assert "bus 1, 0x3C: no display answers. Check its four wires." in capsys.readouterr().out


def test_a_configuration_that_cannot_be_read_is_code_2(tmp_path, capsys):
    assert main(["panel", "--config", str(tmp_path / "gone.toml")]) == 2
    assert "gone.toml: cannot be read" in capsys.readouterr().err


def test_a_button_that_hangs_is_told(table, capsys):
    pin = table.pin(26)
    pin.input_with_pull("up")
    pin._set_pull = lambda value: None
    pin.drive_low()
    assert main(QUICK) == 1
    assert f"button {Button.WHY.name} hangs" in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_last_thing_says_that_the_plug_may_be_pulled(
    lang, tmp_path, monkeypatch, capsys, golden
):
    shown = []

    class Display:
        def __init__(self, options):
            self.stays = False

        def show(self, screen):
            shown.append(screen)

        def stay(self):
            self.stays = True

        def close(self):
            assert self.stays

    monkeypatch.setattr(command, "OledDisplay", Display)
    path = tmp_path / "table.toml"
    path.write_text(f'[game]\nlang = "{lang}"\n')
    assert main(["panel", "--unplug", "--config", str(path)]) == 0
    [screen] = shown
    golden(draw(screen), f"unplug-{lang}")


def test_a_display_that_cannot_say_so_is_code_1(monkeypatch, capsys):
    def absent(options):
        raise DisplayError("no display answers", "Check its four wires.")

    monkeypatch.setattr(command, "OledDisplay", absent)
    assert main(["panel", "--unplug"]) == 1
    assert "no display answers" in capsys.readouterr().out
