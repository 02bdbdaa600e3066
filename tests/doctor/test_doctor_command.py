"""`tableref doctor`: exit code, JSON, and a report that tells nothing of people."""

from __future__ import annotations

import argparse
import getpass
import json
import subprocess
import sys

import pytest

from tableref.cli import main
from tableref.commands import doctor


@pytest.fixture(autouse=True)
def no_configuration(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TABLEREF_CONFIG", raising=False)


def call(pi, *words: str) -> int:
    parser = argparse.ArgumentParser()
    doctor.arguments(parser)
    return doctor.run(parser.parse_args(list(words)), pi.host)


def test_a_good_pi_is_0(pi, capsys):
    assert call(pi) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 20
    assert all(line.startswith("ok ") for line in lines)


def test_a_warning_is_1_and_its_cure_stands_below(pi, capsys):
    pi.tell("sys/class/thermal/thermal_zone0/temp", "71000")
    assert call(pi) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("WARNING"))
    assert "71 °C" in lines[at]
    assert "-> Give it air" in lines[at + 1]


def test_json_is_one_object(pi, capsys):
    assert call(pi, "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert {"tableref", "python", "machine", "checks"} == record.keys()
    assert record["checks"][0] == {
        "name": "model",
        "level": "ok",
        "what": "Raspberry Pi 4 Model B Rev 1.4",
        "cure": "",
    }


def test_a_report_tells_nothing_of_people_and_places(pi, tmp_path):
    held = f"alice@example.org 192.168.1.17 fe80::1 b8:27:eb:01:02:03 {getpass.getuser()}"
    pi.spoil(holder=lambda pin, device: held if pin == 5 else "")
    (pi.root / "dev/serial/by-id").mkdir(parents=True)
    name = pi.root / "dev/serial/by-id/usb-Raspberry_Pi_Pico_E6614103E7452A2F-if00"
    name.symlink_to(pi.root / "dev/ttyACM0")
    report = tmp_path / "report.json"
    assert call(pi, "--report", str(report)) == 1
    text = report.read_text()
    assert "GPIO5 by" in text
    for secret in ("alice", "192.168", "fe80", "b8:27", "E6614103E7452A2F", str(tmp_path)):
        assert secret not in text
    words = json.loads(text)["checks"]
    holders = next(each["what"] for each in words if each["name"] == "pin_holders")
    assert getpass.getuser() not in holders.split()


def test_a_configuration_that_cannot_be_used_is_a_finding(pi, tmp_path, monkeypatch, capsys):
    path = tmp_path / "tableref.toml"
    path.write_text("[buttons]\nokay = 5\n")
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    assert call(pi) == 1
    out = capsys.readouterr().out
    assert "ISSUE    configuration" in out
    assert "buttons.okay" in out
    assert "ok       computer" in out


@pytest.mark.parametrize(
    "words",
    [["--board", "no such board"], ["--report", "/nowhere/report.json"], ["--port", "virtual:x=1"]],
)
def test_wrong_words_are_2(words, capsys):
    assert main(["doctor", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_virtual_board_is_asked(capsys):
    main(["doctor", "--port", "virtual", "--json"])
    checks = json.loads(capsys.readouterr().out)["checks"]
    levels = {each["name"]: each["level"] for each in checks}
    assert [levels[name] for name in ("firmware", "switches", "lights")] == ["ok"] * 3


def test_neither_opencv_nor_numpy_is_loaded():
    code = (
        "import sys\nfrom tableref.cli import main\nmain(['doctor', '--json'])\n"
        "assert not {'cv2', 'numpy', 'onnxruntime', 'PIL'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
