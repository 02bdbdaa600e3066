"""Each check of the doctor has something that makes it fail, and a cure for it."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tableref.devices.config import DeviceConfig
from tableref.devices.link import BoardLink, Ports, VirtualPico, VirtualPort
from tableref.devices.link.errors import BoardSilent, PortBusy
from tableref.devices.link.flash import own_version
from tableref.devices.lock import FileLock
from tableref.devices.oled import DisplayError
from tableref.doctor import CHECKS, Level, examine
from tableref.doctor.board import BoardAnswer, ask
from tableref.doctor.checks import seeing
from tableref.doctor.host import Host, Said, run_command

OK, INFO, WARNING, ISSUE = Level
CV = "opencv-python-headless"


def test_on_a_good_pi_nothing_is_wrong(pi):
    for name, result in pi.look().items():
        assert result.level == OK, (name, result)
        assert not result.cure


def test_every_module_is_a_check_and_every_check_a_module():
    import tableref.doctor.checks

    folder = Path(tableref.doctor.checks.__path__[0])
    assert sorted(CHECKS) == sorted(p.stem for p in folder.glob("*.py") if p.stem != "__init__")


FILES = [
    ("model", "proc/device-tree/model", "Raspberry Pi 2 Model B Rev 1.1\0", ISSUE, "Zero 2 W"),
    ("model", "proc/device-tree/model", "Raspberry Pi Zero W Rev 1.1\0", ISSUE, "Zero 2 W"),
    ("system", "etc/os-release", "VERSION_CODENAME=bullseye\n", WARNING, "trixie"),
    ("power", "sys/devices/platform/soc/soc:firmware/get_throttled", "50005", ISSUE, "supply"),
    ("power", "sys/devices/platform/soc/soc:firmware/get_throttled", "50000", WARNING, "supply"),
    ("power", "sys/devices/platform/soc/soc:firmware/get_throttled", "8", WARNING, "heat sink"),
    ("temperature", "sys/class/thermal/thermal_zone0/temp", "84100", ISSUE, "heat sink"),
    ("temperature", "sys/class/thermal/thermal_zone0/temp", "71000", WARNING, "heat sink"),
    ("disk", "proc/mounts", "/dev/root / ext4 ro,noatime 0 0", ISSUE, "remount,rw"),
    ("wear", "sys/fs/ext4/mmcblk0p2/errors_count", "3", ISSUE, "fsck.mode=force"),
    ("wear", "sys/block/mmcblk0/device/life_time", "0x01 0x09", WARNING, "Copy"),
    ("brltty", "usr/lib/udev/rules.d/90-brltty.rules", "", WARNING, "apt remove brltty"),
    ("modem_manager", "usr/sbin/ModemManager", "", WARNING, "systemctl disable --now ModemM"),
]


@pytest.mark.parametrize(("check", "file", "text", "level", "cure"), FILES)
def test_a_file_that_tells_of_trouble(pi, check, file, text, level, cure):
    pi.tell(file, text)
    assert cure in pi.only(check, level).cure


def packages(*named: tuple[str, str]):
    return {"installed": lambda: list(named)}


def fails(error: Exception):
    def call(*_):
        raise error

    return call


GOOD_BOARD = BoardAnswer(own_version(), True, frozenset(), True, True)
CHANGES = [
    ("system", {"bits": 32}, ISSUE, "64-bit"),
    ("clock", {"now": lambda: 0.0}, ISSUE, "set-ntp"),
    ("disk", {"free": lambda path: 50_000_000}, ISSUE, "Delete"),
    ("disk", {"free": lambda path: 300_000_000}, WARNING, "Delete"),
    ("seeing", packages(("numpy", "2.2.4")), ISSUE, "pip install"),
    ("seeing", packages((CV, "4.13.0.92")), ISSUE, "pip install"),
    ("seeing", packages(("numpy", "1.26.4"), (CV, "4.12.0.88")), ISSUE, "numpy>=2"),
    ("seeing", packages(("numpy", "1.26.4"), (CV, "4.9.0.80")), ISSUE, ">=4.10"),
    (
        "seeing",
        packages(("numpy", "2.2.4"), (CV, "4.13.0.92"), ("opencv_python", "4.13.0.92")),
        WARNING,
        "uninstall opencv-python",
    ),
    (
        "rpi_gpio",
        packages(("numpy", "2.2.4"), (CV, "5.0.0.93"), ("RPi.GPIO", "0.7.1"), ("rpi-lgpio", "0.6")),
        ISSUE,
        "uninstall",
    ),
    ("pin_library", {"label_of": lambda device: "brcmvirt-gpio"}, ISSUE, "usermod -aG gpio"),
    ("pin_library", {"environ": {"GPIOZERO_PIN_FACTORY": "mock"}}, WARNING, "unset"),
    ("working_folder", {"environ": {"LG_WD": "/nowhere"}}, ISSUE, "LG_WD=/run/tableref"),
    (
        "working_folder",
        {"working_folder": Path("/nowhere"), "temporary": lambda: "/nowhere"},
        ISSUE,
        "WorkingDirectory=",
    ),
    ("working_folder", {"working_folder": Path("/nowhere")}, INFO, "WorkingDirectory="),
    (
        "pin_holders",
        {"holder": lambda pin, device: "gpioset" if pin == 5 else ""},
        ISSUE,
        "gpioinfo",
    ),
    (
        "display",
        {"open_display": fails(DisplayError("no display answers", "i2cdetect -y 1"))},
        WARNING,
        "i2cdetect",
    ),
    ("firmware", {"ask_board": fails(BoardSilent("silent", "Unplug it"))}, ISSUE, "Unplug it"),
    ("firmware", {"ask_board": fails(PortBusy("held", "Stop that"))}, ISSUE, "Stop that"),
    (
        "firmware",
        {"ask_board": lambda: replace(GOOD_BOARD, firmware="0.0.9")},
        WARNING,
        "tableref board flash",
    ),
    ("switches", {"ask_board": lambda: replace(GOOD_BOARD, chain=False)}, ISSUE, "ribbon"),
    (
        "switches",
        {"ask_board": lambda: replace(GOOD_BOARD, unsteady=frozenset({"c4"}))},
        WARNING,
        "selftest",
    ),
    ("lights", {"ask_board": lambda: replace(GOOD_BOARD, shown=False)}, WARNING, "selftest"),
    ("lights", {"ask_board": lambda: replace(GOOD_BOARD, lights=False)}, INFO, ""),
]


@pytest.mark.parametrize(("check", "changes", "level", "cure"), CHANGES)
def test_a_computer_that_is_not_right(pi, check, changes, level, cure):
    pi.spoil(**changes)
    assert cure in pi.only(check, level).cure


def test_the_voltage_is_asked_of_vcgencmd_where_no_file_tells(pi):
    pi.take("sys/devices/platform/soc/soc:firmware/get_throttled")
    pi.commands["vcgencmd"] = Said(0, "throttled=0x50005", "")
    pi.only("power", ISSUE)
    del pi.commands["vcgencmd"]
    pi.host = replace(pi.host)
    pi.only("power", INFO)


CAMERA = ("import libcamera, picamera2",)
PINS = ("import lgpio", "import RPi.GPIO", "import pigpio")


def python_fails(asked: tuple[str, ...], error: str):
    """Where Python is asked for one of these, it fails."""

    def spoil(pi):
        real = pi.host.run
        pi.spoil(run=lambda words: Said(1, "", error) if words[-1] in asked else real(words))

    return spoil


def without_the_systems_packages(pi):
    pi.tell("venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n")
    python_fails(CAMERA, "Traceback\nModuleNotFoundError: No module named 'libcamera'")(pi)


def without_picamera(pi):
    pi.tell("venv/pyvenv.cfg", "include-system-site-packages = true\n")
    python_fails(CAMERA, "ModuleNotFoundError: No module named 'picamera2'")(pi)


NUMPY = "ValueError: numpy.dtype size changed, may indicate"
CHIP = "ImportError: libcamera.so.0.5: cannot open shared object file"
OTHERS = [
    ("camera", without_the_systems_packages, ISSUE, "--system-site-packages"),
    ("camera", without_picamera, ISSUE, "sudo apt install python3-picamera2 "),
    ("camera", python_fails(CAMERA, NUMPY), ISSUE, "pip install 'numpy<2' 'opencv"),
    ("camera", python_fails(CAMERA, CHIP), ISSUE, "python3-picamera2 --reinstall"),
    ("pin_library", python_fails(PINS, "No module named 'lgpio'"), ISSUE, "python3-lgpio"),
    (
        "seeing",
        lambda pi: pi.tell("etc/os-release", 'VERSION_CODENAME="bookworm"\n'),
        ISSUE,
        "pip install 'numpy<2' 'opencv",
    ),
    (
        "serial",
        lambda pi: pi.spoil(ports=Ports(pi.root, groups=frozenset, user=12345)),
        ISSUE,
        "sudo usermod -aG ",
    ),
    ("clock", lambda pi: pi.commands.update(timedatectl=Said(0, "no", "")), WARNING, "set-ntp"),
]


@pytest.mark.parametrize(("check", "spoil", "level", "cure"), OTHERS)
def test_what_is_neither_a_file_nor_one_answer(pi, check, spoil, level, cure):
    spoil(pi)
    assert cure in pi.only(check, level).cure


def test_every_trouble_that_a_check_can_tell_of_is_brought_about_by_a_row(pi, monkeypatch):
    """Each call of `issue` and `warning` in each check, and so each check."""
    told, known = set(), set()

    def noted(name, call):
        def noting(*words):
            told.add((name, sys._getframe(1).f_lineno))
            return call(*words)

        return noting

    for name in CHECKS:
        module = importlib.import_module(f"tableref.doctor.checks.{name}")
        for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("issue", "warning"):
                known.add((name, node.lineno))
        for call in {"issue", "warning"} & vars(module).keys():
            monkeypatch.setattr(module, call, noted(name, getattr(module, call)))
    spoilings = [lambda pi, f=file, t=text: pi.tell(f, t) for _, file, text, *_ in FILES]
    spoilings += [lambda pi, c=changes: pi.spoil(**c) for _, changes, *_ in CHANGES]
    spoilings += [spoil for _, spoil, *_ in OTHERS]
    for number, spoil in enumerate(spoilings):
        other = type(pi)(pi.root / str(number))
        spoil(other)
        other.look()
    assert known - told == set()
    assert {name for name, _ in known} == set(CHECKS)


def test_with_numpy_1_bookworms_camera_software_is_well(pi):
    pi.tell("etc/os-release", 'VERSION_CODENAME="bookworm"\n')
    pi.spoil(**packages(("numpy", "1.26.4"), (CV, "4.11.0.86")))
    pi.only("seeing", OK)


def test_of_two_versions_the_one_that_is_loaded_counts(pi):
    """The virtual environment's come first, the system's behind them."""
    pi.spoil(**packages(("numpy", "2.2.4"), (CV, "4.13.0.92"), ("numpy", "1.24.2")))
    pi.only("seeing", OK)


def test_cures_by_pip_name_the_python_that_runs(pi):
    pi.spoil(**packages())
    assert pi.only("seeing", ISSUE).cure.startswith("python -m pip install ")


def test_what_bookworm_is_told_is_what_its_constraints_say():
    file = Path(__file__).parents[2] / "hardware" / "constraints" / "bookworm.txt"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    assert seeing.BOOKWORM.split()[1:] == [f"'{line}'" for line in lines]


def test_what_is_missing_on_bookworm_comes_in_the_version_that_goes_with_it(pi):
    pi.tell("etc/os-release", "VERSION_CODENAME=bookworm\n")
    pi.spoil(**packages(("numpy", "1.26.4")))
    assert "opencv-python-headless==4.11" in pi.only("seeing", ISSUE).cure


def test_an_environment_that_is_the_systems_is_cured_with_sudo(pi):
    pi.spoil(**packages(), may_write=lambda folder: False)
    assert pi.only("seeing", ISSUE).cure.startswith("sudo python -m pip install ")


def test_who_is_root_needs_no_sudo_which_may_not_be_there(pi):
    pi.tell("usr/sbin/ModemManager", "")
    pi.spoil(is_root=True)
    cure = pi.only("modem_manager", WARNING).cure
    assert "systemctl disable" in cure
    assert "sudo" not in cure


def test_a_package_that_this_system_does_not_offer_is_no_cure(pi):
    pi.commands["apt-cache"] = Said(100, "", "E: No packages found")
    python_fails(CAMERA, "No module named 'picamera2'")(pi)
    assert pi.only("camera", ISSUE).cure.startswith("use 64-bit Raspberry Pi OS")


def test_without_a_port_the_board_is_not_asked(pi):
    pi.take("dev/ttyACM0")
    pi.spoil(ask_board=fails(AssertionError("asked")))
    results = pi.look()
    assert results["serial"].level == INFO
    assert [results[name].level for name in ("firmware", "switches", "lights")] == [INFO] * 3


def test_a_board_that_does_not_answer_is_told_once(pi):
    pi.spoil(ask_board=fails(BoardSilent("no board has answered", "Unplug it")))
    against = [name for name, result in pi.look().items() if result.level >= WARNING]
    assert against == ["firmware"]


def test_a_running_tableref_is_named_and_its_devices_left_alone(pi):
    path = pi.root / "run/lock/tableref.lock"
    path.parent.mkdir(parents=True)
    pi.spoil(
        open_display=fails(AssertionError("opened")),
        ask_board=fails(PortBusy("its port is held", "Stop that")),
    )
    lock = FileLock(path)
    try:
        results = pi.look()
    finally:
        lock.close()
    assert f"process {os.getpid()}" in results["pin_holders"].what
    assert results["pin_holders"].level == results["display"].level == INFO
    for name in ("display", "firmware"):
        assert results[name].level == INFO
        assert "left alone" in results[name].what


def test_a_lock_that_nobody_holds_any_more_is_nothing(pi):
    pi.tell("run/lock/tableref.lock", "4711\ntableref resume\n")
    pi.only("pin_holders", OK)


def test_a_check_that_fails_itself_does_not_stop_the_others(pi):
    pi.spoil(free=fails(OSError(5, "Input/output error", "/")))
    result = pi.only("disk", ISSUE)
    assert "Input/output error" in result.what
    pi.spoil(free=fails(ZeroDivisionError("a fault")))
    assert "ZeroDivisionError" in pi.only("disk", ISSUE).what


def test_devices_that_are_not_configured_are_left_out(pi):
    pi.config = replace(DeviceConfig(), displays=(), buttons={}, status=None, buzzer=None)
    pi.spoil(open_display=fails(AssertionError("opened")), holder=fails(AssertionError("asked")))
    results = pi.look()
    assert results["display"].level == INFO
    assert results["pin_holders"].level == OK


def test_on_a_laptop_what_is_a_pis_is_left_out(tmp_path):
    host = Host(root=tmp_path, run=lambda words: Said(127, "", ""), ports=Ports(tmp_path))
    results = {finding.name: finding.result for finding in examine(host, DeviceConfig())}
    for name in ("power", "camera", "pin_library", "pin_holders", "display"):
        assert results[name].level == INFO
        assert "not a Pi" in results[name].what
    assert results["model"].level == INFO


def test_a_real_board_is_asked_and_its_lights_go_out_again(board):
    pico = VirtualPico(board)
    lit = []
    with BoardLink(board, VirtualPort(pico)) as link:
        show = link.show
        link.show = lambda lights: (lit.append(len(lights)), show(lights))
        answer = ask(link, board)
    assert answer == BoardAnswer(own_version(), True, frozenset(), True, True)
    assert lit == [len(board.cells), 0]
    assert not any(pico.hardware.words)


def test_a_board_without_its_chain_says_so(board):
    pico = VirtualPico(board)
    pico.hardware.chain_whole = False
    with BoardLink(board, VirtualPort(pico)) as link:
        assert not ask(link, board).chain


def test_a_program_that_is_not_there_or_fails_is_an_answer():
    assert run_command(["no-such-program-at-all"]).code == 127
    assert run_command(["false"]).code == 1
    assert run_command(["echo", "a"]) == Said(0, "a", "")
