"""The command line: quick to start, kind about mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
