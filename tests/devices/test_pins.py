"""Which chip, which pin library, and who has a pin (rows G1, G2, G4, G5)."""

import logging
import os
import subprocess
import sys
import tempfile

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from tableref.devices.buttons import Button, GpioButtons
from tableref.devices.pins import (
    HardwareLock,
    PinBusy,
    PinError,
    clashing_packages,
    header_chip,
    line_holder,
    open_with_pins,
)


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, 0),
        ({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, 4),
        ({"gpiochip0": "pinctrl-rp1", "gpiochip10": "gpio-brcmstb@107d508500"}, 0),
        ({"gpiochip0": "pinctrl-bcm2835", "gpiochip1": ""}, 0),
        ({"gpiochip0": "INT34C5:00"}, None),
        ({}, None),
    ],
)
def test_the_header_is_told_by_the_label_of_its_chip(tmp_path, labels, number):
    for name in labels:
        (tmp_path / name).touch()
    assert header_chip(tmp_path, lambda device: labels[device.name]) == number


def test_a_chip_that_may_not_be_asked_is_passed_over(tmp_path):
    for name in ("gpiochip0", "gpiochip4"):
        (tmp_path / name).touch()

    def label(device):
        if device.name == "gpiochip0":
            raise PermissionError(13, "no")
        return "pinctrl-rp1"

    assert header_chip(tmp_path, label) == 4


def test_a_file_that_is_no_chip_has_no_label(tmp_path):
    (tmp_path / "gpiochip0").touch()
    assert header_chip(tmp_path) is None


def missing():
    raise ImportError("No module named 'lgpio'")


class EdgeBlind(MockFactory):
    """A library that loads and then cannot watch edges, as RPi.GPIO does on new kernels."""

    def __init__(self):
        super().__init__()
        self.closed = False

    def pin(self, name):
        pin = super().pin(name)

        def fail():
            raise RuntimeError("Failed to add edge detection")

        pin._enable_event_detect = fail
        return pin

    def close(self):
        self.closed = True
        super().close()


def open_buttons(factory):
    return GpioButtons({Button.OK: 5}, lambda press: None, factory)


def test_a_library_that_cannot_watch_edges_gives_way_to_the_next_with_one_warning(caplog):
    blind, good = EdgeBlind(), MockFactory()
    with caplog.at_level(logging.WARNING):
        open_with_pins(
            open_buttons, {"lgpio": missing, "rpigpio": lambda: blind, "pigpio": lambda: good}
        )
    [record] = caplog.records
    assert "pigpio" in record.getMessage()
    assert "edge detection" in record.getMessage()
    assert blind.closed


def test_the_first_library_that_works_is_used_without_a_word(caplog):
    open_with_pins(open_buttons, {"lgpio": MockFactory, "rpigpio": missing})
    assert caplog.records == []


def test_where_no_library_works_the_error_names_each_and_the_cure():
    with pytest.raises(PinError, match=r"lgpio: No module.*rpigpio.*python3-lgpio"):
        open_with_pins(open_buttons, {"lgpio": missing, "rpigpio": EdgeBlind})


def test_a_pin_that_another_part_has_is_named_with_its_option_and_holder():
    factory = MockFactory()
    holder = gpiozero.LED(5, pin_factory=factory)
    with pytest.raises(PinBusy, match=r"GPIO5 .*LED.*\[buttons\] ok"):
        open_with_pins(open_buttons, {"mock": lambda: factory, "next": missing})
    holder.close()


def test_a_pin_that_another_program_has_is_named_and_no_other_library_is_tried():
    class Busy(MockFactory):
        def pin(self, name):
            raise OSError("'GPIO busy'")

    with pytest.raises(PinBusy, match=r"GPIO5 .*busy.*\[buttons\] ok"):
        open_with_pins(open_buttons, {"lgpio": Busy, "rpigpio": missing})


@pytest.mark.parametrize(
    ("installed", "clash"),
    [
        (["RPi.GPIO", "rpi-lgpio", "numpy"], ("rpi-lgpio", "rpi.gpio")),
        (["RPi.GPIO"], ()),
        (["rpi-lgpio", "lgpio"], ()),
    ],
)
def test_two_packages_that_overwrite_each_other_are_found(installed, clash):
    assert clashing_packages(lambda: installed) == clash


def test_a_second_tableref_is_told_which_process_has_the_hardware(tmp_path):
    path = tmp_path / "lock"
    lock = HardwareLock(path)
    with pytest.raises(PinBusy, match=rf"process {os.getpid()}\b"):
        HardwareLock(path)
    lock.close()
    HardwareLock(path).close()


def test_the_lock_ends_with_its_process(tmp_path):
    path = tmp_path / "lock"
    code = "import sys; from pathlib import Path; from tableref.devices.pins import HardwareLock;"
    code += "HardwareLock(Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert path.read_text().strip() != str(os.getpid())
    HardwareLock(path).close()


@pytest.mark.usefixtures("soon")
def test_a_lock_that_is_a_link_is_not_followed_and_what_it_leads_to_stays(tmp_path):
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(PinError, match="it is a link"):
        HardwareLock(tmp_path / "lock")
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_lock_in_a_folder_that_is_not_there_says_so(tmp_path):
    with pytest.raises(PinError, match="nowhere"):
        HardwareLock(tmp_path / "nowhere" / "lock")


def test_a_folder_that_may_not_be_written_does_not_stop_lgpio(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.delenv("LG_WD", raising=False)
    open_with_pins(open_buttons)
    assert os.environ["LG_WD"].startswith(str(tmp_path))
    assert os.path.isdir(os.environ["LG_WD"])


def test_where_the_kernel_cannot_be_asked_nobody_is_named_as_holder(tmp_path):
    assert line_holder(5, tmp_path / "gpiochip0") == ""
    (tmp_path / "gpiochip0").touch()
    assert line_holder(5, tmp_path / "gpiochip0") == ""
