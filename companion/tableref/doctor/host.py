"""The computer that is looked at. Everything a check asks for goes through here, so that a folder
with a few files stands for a whole Pi in tests."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tableref.devices.link import LinkError, Ports
from tableref.devices.oled import Display, DisplayOptions, OledDisplay
from tableref.devices.pins import chip_label, line_holder
from tableref.doctor.board import BoardAnswer

COMMAND_S = 30.0
"""A program that says nothing for so long is stopped; loading picamera2 on a Zero 2 W takes 10."""


class Said(NamedTuple):
    """What a program answered: its exit code, output and errors."""

    code: int
    out: str
    err: str


def run_command(words: Sequence[str]) -> Said:
    """Run a program; code 127 where there is none, 124 where it takes too long."""
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=COMMAND_S,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        return Said(124, "", f"{words[0]} has not answered for {COMMAND_S:.0f} seconds")
    except OSError as error:
        return Said(127, "", f"{words[0]}: {error.strerror}")
    return Said(done.returncode, done.stdout.strip(), done.stderr.strip())


def _installed() -> Iterable[tuple[str, str]]:
    for found in importlib.metadata.distributions():
        yield found.metadata["Name"] or "", found.version


def _free(path: Path) -> int:
    place = os.statvfs(path)
    return place.f_bavail * place.f_frsize


def _writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK)


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError:  # it was removed under our feet
        return Path(os.environ.get("PWD", "."))


def _open_display(options: DisplayOptions) -> Display:
    return OledDisplay(options)


@dataclass(frozen=True)
class Host:
    """A computer. `root` is where its files are; the rest stands in for what is no file."""

    root: Path = Path("/")
    run: Callable[[Sequence[str]], Said] = run_command
    installed: Callable[[], Iterable[tuple[str, str]]] = _installed
    """Names and versions of the Python packages."""
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    working_folder: Path = field(default_factory=_working_folder)
    temporary: Callable[[], str] = tempfile.gettempdir
    state: Path = Path("~/.local/state")
    """Where journals and pictures go; its disk is looked at."""
    python: str = sys.executable
    prefix: Path = Path(sys.prefix)
    """The virtual environment, or where Python is installed."""
    bits: int = 64 if sys.maxsize > 2**32 else 32
    now: Callable[[], float] = time.time
    free: Callable[[Path], int] = _free
    """Bytes that are free on the disk of this folder; OSError."""
    label_of: Callable[[Path], str] = chip_label
    holder: Callable[[int, Path], str] = line_holder
    """Who holds this line of this `/dev/gpiochip*`; empty where nobody does."""
    open_display: Callable[[DisplayOptions], Display] = _open_display
    ports: Ports = field(default_factory=Ports)
    ask_board: Callable[[], BoardAnswer] | None = None
    """Asks the board under the table; LinkError. None where it is not to be asked."""

    may_write: Callable[[Path], bool] = _writable
    """Whether this user may change a folder."""
    is_root: bool = field(default_factory=lambda: os.geteuid() == 0)

    def path(self, name: str) -> Path:
        """A file of this computer, named as from its root without the first slash."""
        return self.root / name

    def read(self, name: str) -> str:
        """The text of a file, stripped of spaces and zero bytes; empty where it cannot be read."""
        try:
            return self.path(name).read_text("utf-8", "replace").strip("\0 \n")
        except OSError:
            return ""

    @cached_property
    def model(self) -> str:
        """What the Pi says that it is; empty on other computers."""
        model = self.read("proc/device-tree/model")
        return model if model.startswith("Raspberry Pi") else ""

    @cached_property
    def release(self) -> str:
        """The code name of its Debian: `trixie`; empty where it tells none."""
        for line in self.read("etc/os-release").splitlines():
            name, _, value = line.partition("=")
            if name == "VERSION_CODENAME":
                return value.strip("\"'")
        return ""

    @cached_property
    def packages(self) -> Mapping[str, str]:
        """Python packages: name in small letters -> version. Of one that both the virtual
        environment and the system have, the first, for that is the one that is loaded."""
        found: dict[str, str] = {}
        for name, version in self.installed():
            found.setdefault(name.lower().replace("_", "-"), version)
        return found

    def pip(self, words: str) -> str:
        """A command for the pip of this very Python; another may not be let, or change nothing."""
        sudo = "" if self.may_write(self.prefix) else "sudo "
        return f"{sudo}{self.python} -m pip {words}"

    def apt(self, package: str) -> str:
        """A command that installs a package; where this system offers none, who does."""
        said = self.run(["apt-cache", "show", package])
        if said.code == 100:  # apt's own word for "no such package"
            return f"use 64-bit Raspberry Pi OS: this system does not offer {package}"
        return f"sudo apt install {package}"

    @cached_property
    def sees_system_packages(self) -> bool:
        """Whether Python sees what apt has installed: no virtual environment, or one that may."""
        try:
            text = (self.prefix / "pyvenv.cfg").read_text("utf-8")
        except OSError:
            return True
        settings = dict(line.partition("=")[::2] for line in text.splitlines())
        said = {name.strip(): value.strip() for name, value in settings.items()}
        return said.get("include-system-site-packages") == "true"

    @cached_property
    def board(self) -> BoardAnswer | LinkError | None:
        """What the board under the table answers, asked once for all checks; None: not asked."""
        if self.ask_board is None or not (self.ports.candidates() or self.asks_elsewhere):
            return None
        try:
            return self.ask_board()
        except LinkError as error:
            return error

    asks_elsewhere: bool = False
    """Whether the board was named, so that it is asked though no port is there by itself."""
