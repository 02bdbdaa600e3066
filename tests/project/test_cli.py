"""The command line: quick to start, kind about mistakes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tableref.cli import COMMANDS, main

HEAVY = ("cv2", "numpy", "PIL", "luma", "serial", "gpiozero", "sqlite3", "onnxruntime", "reportlab")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom tableref.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr.strip() == "[]"
    assert "COMMAND" in run.stdout


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([command, "--help"])
    assert exit_.value.code == 0
    assert f"tableref {command}" in capsys.readouterr().out


def test_no_command_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "usage: tableref" in capsys.readouterr().out


def test_trouble_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["states", str(tmp_path / "no-such-file.json")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tableref: ")
    assert error.count("\n") == 1


def test_options_may_stand_between_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "autoscooter", "--lang", "fr", "4.5"]) == 0
    between = capsys.readouterr().out
    assert main(["rules", "autoscooter", "4.5", "--lang", "fr"]) == 0
    assert between == capsys.readouterr().out


def test_an_option_before_the_command_is_not_taken_for_one_of_its_own() -> None:
    assert main(["--lang", "fr", "rules", "autoscooter"]) == 2


def test_a_terminal_without_all_letters_gets_words() -> None:
    run = _tableref("rules", "autoscooter", "--lang", "de", encoding="ascii")
    assert run.returncode == 0, run.stderr
    assert "?" in run.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_the_output_is_one_line_and_exit_code_2() -> None:
    with open("/dev/full", "w") as full:
        run = _tableref("rules", "autoscooter", "4.5", out=full)
    assert run.returncode == 2
    assert run.stderr == "tableref: output: No space left on device\n"


def _tableref(
    *words: str, encoding: str = "utf-8", out: IO[str] | int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tableref", *words],
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
