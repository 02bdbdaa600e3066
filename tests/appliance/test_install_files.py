"""What the system gets: the unit names what is there, and systemd takes it."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from tableref.cli import COMMANDS

INSTALL = Path(__file__).parents[2] / "companion" / "install"
UNIT = INSTALL / "tableref.service"


def options() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(UNIT.read_text(encoding="utf-8"))
    return parser["Service"]


def test_the_unit_runs_a_command_that_there_is_and_waits_for_it_to_be_up() -> None:
    service = options()
    _, name, *rest = service["ExecStart"].split()
    assert name in {command.name for command in COMMANDS}
    assert not rest
    assert service["Type"] == "notify"
    assert service["StateDirectory"] == "tableref"
    assert service["Restart"] == "on-failure"
    assert int(service["WatchdogSec"]) >= 60  # one check of the health may take 30 s


def test_the_hook_only_speaks_when_the_power_goes(tmp_path: Path) -> None:
    hook = (INSTALL / "tableref-unplug").read_text(encoding="utf-8")
    said = tmp_path / "said"
    fake = tmp_path / "tableref"
    fake.write_text(f"#!/bin/sh\necho $* >> {said}\n")
    fake.chmod(0o755)
    script = tmp_path / "hook"
    script.write_text(hook.replace("/opt/tableref/bin/tableref", str(fake)))
    script.chmod(0o755)
    for how in ("reboot", "kexec", "poweroff"):
        subprocess.run([script, how], check=True)
    assert said.read_text() == "panel --unplug\n"


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    text = UNIT.read_text(encoding="utf-8").replace("/opt/tableref/bin/tableref", "/bin/true")
    unit = tmp_path / UNIT.name
    unit.write_text(text.replace("User=tableref", "User=root"))
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert UNIT.name not in said.stderr, said.stderr
