"""Fills an environment: from the wheels of a release, or from a folder with the source."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tableref.updating.slots import Slots, UpdateError

EXTRAS = "mqtt,web"
"""Of the pages for phones and of scoreboards; a table that was installed has both."""
WAIT_S = 3600.0
"""A Zero 2 W with a slow network; what takes longer hangs."""
PACKAGES = (
    "companion/tableref", "vision/tableref_vision", "hardware/tableref_hardware",
    "firmware/tableref_firmware",
)  # fmt: skip
BESIDE = ("pyproject.toml", "README.md", "LICENSE", "firmware/main.py")
CONSTRAINTS = "hardware/constraints/{}.txt"
"""What goes with the system's own packages, for the releases where that has to be said."""

Run = Callable[[Sequence[str | Path]], str]
"""Runs a program; what it said. UpdateError where it fails."""


def run(words: Sequence[str | Path]) -> str:
    """Runs a program. The installer has this folder's own packages in PYTHONPATH, which would take
    the place of those in the environment that is filled."""
    name = Path(words[0]).name
    around = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    try:
        done = subprocess.run(
            list(map(str, words)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=WAIT_S, env={**around, "LC_ALL": "C"},
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise _failed(name, f"it has not ended within {WAIT_S / 60:.0f} minutes") from error
    except OSError as error:
        raise _failed(name, error.strerror or str(error)) from error
    if done.returncode:
        raise _failed(name, _why(done.stderr) or _why(done.stdout) or f"exit {done.returncode}")
    return done.stdout


def _why(said: str) -> str:
    """The line that says most of what a program has said; pip's first error is about itself."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() and "subprocess" not in line]
    return (errors or lines[-1:] or [""])[0]


def _failed(name: str, what: str) -> UpdateError:
    return UpdateError("not-built", f"the new version could not be installed: {name}: {what}", what)


def python() -> Path:
    """The system's Python, whose packages the environments see."""
    return Path(getattr(sys, "_base_executable", sys.executable))


def from_wheels(slots: Slots, wheels: Path, version: str, call: Run = run) -> None:
    """Fills the environment that does not run from the wheels in a folder, and from nothing else.
    UpdateError, OSError"""
    pip = _made(slots, call)
    wanted = f"tableref[{EXTRAS}]=={version}"
    call([*pip, "--isolated", "install", *QUIET, "--no-index", "--find-links", wheels, wanted])
    _starts(slots, version, call)


def from_source(slots: Slots, folder: Path, version: str, release: str, call: Run = run) -> None:
    """Fills it from a folder with the source, and from the network. `release` is the system's code
    name. UpdateError, OSError"""
    pip = _made(slots, call)
    constraints = folder / CONSTRAINTS.format(release)
    held: list[str | Path] = ["-c", constraints] if constraints.is_file() else []
    call([*pip, "install", *QUIET, *held, f"{folder}[{EXTRAS}]"])
    _starts(slots, version, call)


QUIET = ("--quiet", "--no-cache-dir", "--disable-pip-version-check", "--no-input")


def _made(slots: Slots, call: Run) -> list[str | Path]:
    """An empty environment that sees the system's packages; its pip."""
    place = slots.cleared()
    call([python(), "-m", "venv", "--system-site-packages", place])
    return [place / "bin" / "python", "-m", "pip"]


def _starts(slots: Slots, version: str, call: Run) -> None:
    """UpdateError where the new version does not so much as say its name."""
    said = call([slots.place / slots.other / "bin" / "tableref", "--version"]).strip()
    if said != f"tableref {version}":
        raise _failed("tableref --version", f"it says {said!r}, and not {version}")


def source_sum(folder: Path) -> str:
    """A checksum of all that is installed from a folder with the source. OSError"""
    total = hashlib.sha256()
    for path in sorted(_sources(folder)):
        total.update(f"{path.relative_to(folder)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _sources(folder: Path) -> Iterator[Path]:
    yield from (folder / name for name in BESIDE)
    yield from (folder / CONSTRAINTS.format("x")).parent.glob("*.txt")
    for package in PACKAGES:
        for path in (folder / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path
