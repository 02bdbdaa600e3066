"""Builds the wheel, installs it in a clean environment, runs `tableref` far from the checkout.

Run by `make test` after the other checks; prints what it does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    """Runs a command without any trace of the checkout in its environment."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "TABLEREF"))}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean, text=True, capture_output=True
    )
    if done.returncode:
        sys.exit(
            f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def main() -> None:
    """One line a step; exits with a message at the first that fails."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=folder)
        [wheel] = folder.glob("*.whl")
        print(f"built {wheel.name}, {wheel.stat().st_size // 1024} KiB")
        # Whose photographs the nets learnt from, and under which licences, must go with them.
        assert "tableref_vision/dice/weights/README.md" in zipfile.ZipFile(wheel).namelist()
        venv.create(folder / "venv", with_pip=True)
        bin_, empty = folder / "venv" / "bin", folder / "empty"
        empty.mkdir()
        run(bin_ / "pip", "install", "--quiet", "--no-compile", wheel, cwd=empty)
        tableref = bin_ / "tableref"
        assert "referee" in run(tableref, "--help", cwd=empty)
        record = {"format": "table-record/1", "game": "autoscooter", "setup": {}, "steps": []}
        (empty / "record.json").write_text(json.dumps(record), encoding="utf-8")
        assert run(tableref, "check", "record.json", cwd=empty) == "record.json: ok\n"
        events = run(tableref, "demo", "--rounds", "1", "--json", cwd=empty)
        rounds = [e for e in map(json.loads, events.splitlines()) if e["event"] == "round"]
        assert len(rounds) == 1, events
        assert len(list((empty / "demo-out" / "screens").glob("*.png"))) > 8
        print("the installed wheel refereed a round of its own, from an empty folder")


if __name__ == "__main__":
    main()
