"""The panel as one: the table goes on without what is missing."""

import queue

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tableref.devices import panel as panels
from tableref.devices.buttons import Button
from tableref.devices.config import BuzzerOptions, DeviceConfig
from tableref.devices.oled import Screen
from tableref.devices.pins import HardwareLock, PinBusy, open_with_pins
from tableref.devices.sounds import Sound
from tableref.devices.status import Status


@pytest.fixture
def mock_pins(monkeypatch, tmp_path):
    """A Pi's pins as mocks, no display, and a lock of the test's own."""
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(
        panels, "open_with_pins", lambda make: open_with_pins(make, {"mock": lambda: factory})
    )
    monkeypatch.setattr(panels, "HardwareLock", lambda: HardwareLock(tmp_path / "lock"))
    yield factory
    factory.close()


def test_all_devices_of_the_reference_wiring_open(mock_pins):
    panel = panels.open_panel(DeviceConfig(displays=()), print)
    assert panel.trouble == ()
    panel.status(Status.WAITING)
    assert mock_pins.pin(27).state > 0
    panel.play(Sound.ACCEPTED)
    panel.close()


def test_one_taken_pin_costs_its_device_alone_and_is_reported(mock_pins):
    config = DeviceConfig(displays=(), buzzer=BuzzerOptions(pin=5))
    panel = panels.open_panel(config, print)
    [trouble] = panel.trouble
    assert "GPIO5" in str(trouble)
    assert panel.stuck == ()
    panel.play(Sound.ACCEPTED)
    panel.close()


def test_without_any_pin_library_the_table_goes_on(monkeypatch, mock_pins):
    def broken():
        raise ImportError("nothing here")

    monkeypatch.setattr(
        panels, "open_with_pins", lambda make: open_with_pins(make, {"lgpio": broken})
    )
    panel = panels.open_panel(DeviceConfig(displays=()), print)
    assert "nothing here" in str(panel.trouble[0])
    panel.show(Screen("a"))
    panel.status(Status.TROUBLE)
    panel.play(Sound.OVER)
    panel.close()


def test_a_second_tableref_is_refused_the_hardware(mock_pins):
    panel = panels.open_panel(DeviceConfig(displays=()), print)
    with pytest.raises(PinBusy, match="in use by process"):
        panels.open_panel(DeviceConfig(displays=()), print)
    panel.close()


def test_the_virtual_panel_leaves_what_it_showed_in_its_folder(tmp_path):
    inbox = queue.SimpleQueue()
    panel = panels.virtual_panel(tmp_path, inbox.put)
    panel.show(Screen("Tableref"))
    panel.status(Status.ASKING)
    panel.play(Sound.QUESTION)
    panel.buttons.press(Button.OK)
    panel.close()
    assert inbox.get_nowait().button is Button.OK
    assert (tmp_path / "status.txt").read_text() == "asking\n"
    assert (tmp_path / "sounds.txt").read_text() == "question\n"
