"""What the system gets: the unit names what is there, and systemd takes it."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tableref.cli import COMMANDS
from tableref.devices.pins import _lock_path
from tableref.doctor.checks import camera
from tableref.updating import release, slots

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "companion" / "install"
SCRIPT = (INSTALL / "install.sh").read_text(encoding="utf-8")
UNIT = INSTALL / "tableref.service"
UPDATE = INSTALL / "tableref-update@.service"
TABLEREF = f"{slots.PLACE}/{slots.CURRENT}/bin/tableref"


def options(unit: Path = UNIT) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit.read_text(encoding="utf-8"))
    return parser["Service"]


def listed(name: str) -> list[str]:
    """A list of the script."""
    found = re.search(rf"^{name}=\((.*?)\)$", SCRIPT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].split()


def put() -> dict[str, str]:
    """File of the folder -> where the script puts it."""
    found = re.search(r"^files=\((.*?)^\)$", SCRIPT, re.MULTILINE | re.DOTALL)
    assert found is not None
    entries = [line.strip(' "').split() for line in found[1].strip().splitlines()]
    return {name: f"{folder}/{name}" for name, folder, _ in entries}


def test_the_unit_runs_a_command_that_there_is_and_waits_for_it_to_be_up() -> None:
    service = options()
    program, name, *rest = service["ExecStart"].split()
    assert program == TABLEREF
    assert name in {command.name for command in COMMANDS}
    assert not rest
    assert service["Type"] == "notify"
    assert service["StateDirectory"] == "tableref"
    assert service["Restart"] == "on-failure"
    assert int(service["WatchdogSec"]) >= 60  # one check of the health may take 30 s


def test_the_unit_lets_the_service_write_what_it_must() -> None:
    service = options()
    assert service["ProtectSystem"] == "strict"
    # Where that is a link, as in some systems without systemd, the folder is named as well.
    assert service["ReadWritePaths"] == "/run/lock"
    assert _lock_path().parent in (Path("/run/lock"), Path("/tmp"))
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"


def test_a_new_version_is_on_trial_until_the_unit_says_that_it_is_up() -> None:
    trial = put()["tableref-trial"]
    assert options()["ExecStartPre"] == f"+{trial} begin"
    # Of a unit that notifies, this runs only when it has said that it is up.
    assert options()["ExecStartPost"] == f"+{trial} up"


def test_the_menus_unit_calls_what_the_command_takes_and_polkit_lets_it() -> None:
    assert options(UPDATE)["ExecStart"] == f"{TABLEREF} update --%i"
    rules = (INSTALL / "tableref-power.rules").read_text(encoding="utf-8")
    assert set(re.findall(r"tableref-update@(\w+)\.service", rules)) == {"stick", "back"}


def test_every_file_of_the_folder_is_put_somewhere() -> None:
    others = {"install.sh", "release-keys", "release.py"}
    assert {path.name for path in INSTALL.iterdir() if path.is_file()} - others == set(put())
    assert str(release.KEYS) in SCRIPT


def test_the_pages_name_the_packages_and_the_command_of_the_script() -> None:
    page = (ROOT / "docs" / "on-a-pi.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^sudo apt install (.*)$", page, re.MULTILINE)
    by_hand = set(line.split())
    ours = {*listed("packages"), *listed("pi_packages")}
    # Of the service alone, which by hand is not set up.
    assert by_hand == ours - {"openssh-client", "polkitd", "udev"}
    assert camera.PACKAGE in ours
    for name in ("README.md", "docs/on-a-pi.md", "docs/appliance.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "sudo companion/install/install.sh" in text, name


@pytest.mark.parametrize("name", ["install.sh", "tableref-trial", "tableref-unplug"])
def test_shellcheck_finds_nothing(name: str) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not here")
    done = subprocess.run(["shellcheck", INSTALL / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "words", [["--quick"], ["one", "two"], ["gone.release"], ["--remove", "x"]]
)
def test_wrong_words_are_2_and_change_nothing(words: list[str]) -> None:
    done = subprocess.run([INSTALL / "install.sh", *words], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_the_hook_only_speaks_when_the_power_goes(tmp_path: Path) -> None:
    hook = (INSTALL / "tableref-unplug").read_text(encoding="utf-8")
    assert TABLEREF in hook
    said = tmp_path / "said"
    fake = tmp_path / "tableref"
    fake.write_text(f"#!/bin/sh\necho $* >> {said}\n")
    fake.chmod(0o755)
    script = tmp_path / "hook"
    script.write_text(hook.replace(TABLEREF, str(fake)))
    script.chmod(0o755)
    for how in ("reboot", "kexec", "poweroff"):
        subprocess.run([script, how], check=True)
    assert said.read_text() == "panel --unplug\n"


@pytest.mark.parametrize("unit", [UNIT, UPDATE], ids=lambda path: path.name)
def test_systemd_takes_the_unit(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    text = unit.read_text(encoding="utf-8").replace(TABLEREF, "/bin/true")
    text = text.replace(put()["tableref-trial"], "/bin/true")
    copy = tmp_path / unit.name.replace("@", "@stick")
    copy.write_text(text.replace("User=tableref", "User=root"))
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert copy.name not in said.stderr, said.stderr
