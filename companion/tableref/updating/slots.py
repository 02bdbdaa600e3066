"""Two environments side by side, of which `current` names the one that runs.

    /opt/tableref/a, b      virtual environments; `installed.json` in one says what it holds, and
                            is written last
    /opt/tableref/current   a link to one of them
    /opt/tableref/trial     the one that ran before, while the new one has not been up yet
    /opt/tableref/outcome   what the last update came to, for the display

A power cut between any two steps leaves one of them running: the new one is whole on the disk
before `trial` is written, and `trial` before the link is swapped, in one step. Whether a new one
starts is watched by `tableref-trial` (companion/install), in sh: a Python that does not start
cannot mend itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tableref.durable import sync_folder, write_whole
from tableref.errors import UserError

PLACE = Path("/opt/tableref")
NAMES = ("a", "b")
CURRENT, TRIAL, TRIES, OUTCOME, LOCK = "current", "trial", "tries", "outcome", "lock"
INSTALLED = "installed.json"


class UpdateError(UserError):
    """An update that came to nothing; the version that runs stays. `code` names the kind for the
    menu, which says it with `values` in its own language."""

    def __init__(self, code: str, text: str, *values: object) -> None:
        super().__init__(text)
        self.code, self.values = code, tuple(map(str, values))


@dataclass(frozen=True, slots=True)
class Installed:
    """What an environment holds: the version, and a checksum of what it was made from."""

    version: str
    source: str


FINE = ("done", "done-but", "back", "same")
"""Codes of outcomes that are none of an error."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the last update came to: one of FINE, or the code of an error; the values that the
    menu's words for it need, and the same said in English."""

    code: str
    text: str
    values: tuple[str, ...] = ()


class Slots:
    """The two environments below `place`."""

    def __init__(self, place: Path = PLACE) -> None:
        self.place = place

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else changes them meanwhile. UpdateError where somebody does, or may not."""
        try:
            self.place.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.place / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UpdateError(
                "forbidden",
                f"{self.place}: cannot be changed ({error.strerror}); type: sudo tableref update",
            ) from error
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise UpdateError(
                    "busy", "another update is under way: wait for its end"
                ) from error
            yield
        finally:
            os.close(lock)

    @property
    def running(self) -> str:
        """The name of the environment that runs; empty where there is none yet."""
        try:
            name = os.readlink(self.place / CURRENT)
        except OSError:
            return ""
        return name if name in NAMES else ""

    @property
    def other(self) -> str:
        """The name of the one that does not run."""
        return NAMES[self.running == NAMES[0]]

    def holds(self, name: str) -> Installed | None:
        """What an environment holds; None where it is not whole."""
        try:
            told = json.loads((self.place / name / INSTALLED).read_text(encoding="utf-8"))
            return Installed(str(told["version"]), str(told["source"]))
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def cleared(self) -> Path:
        """The place of the environment that does not run, empty. OSError"""
        place = self.place / self.other
        # What tells that it is whole goes first: the rest may be cut off.
        with contextlib.suppress(FileNotFoundError):
            (place / INSTALLED).unlink()
        if place.exists():
            shutil.rmtree(place)
        return place

    def take(self, made: Installed) -> None:
        """The environment that did not run is whole, and runs from now on: on trial, where there
        is one to go back to. OSError"""
        name, before = self.other, self.running
        write_whole(self.place / name / INSTALLED, json.dumps(asdict(made), indent=1) + "\n")
        os.sync()  # thousands of files, which must not come after the link
        self._swap(name, before if before and self.holds(before) else "")

    def back(self) -> Installed:
        """The one that ran before runs again; what it holds. UpdateError"""
        held = self.before()
        self._swap(self.other, self.running)
        return held

    def before(self) -> Installed:
        """What the one that does not run holds. UpdateError where it is not whole"""
        held = self.holds(self.other)
        if held is None:
            raise UpdateError("no-other", "there is no other version here to go back to")
        return held

    def tell(self, outcome: Outcome) -> None:
        """Keeps what an update came to. OSError"""
        write_whole(
            self.place / OUTCOME, json.dumps(asdict(outcome), ensure_ascii=False, indent=1) + "\n"
        )

    def told(self) -> Outcome | None:
        """What the last update came to; None where nobody knows."""
        try:
            told = json.loads((self.place / OUTCOME).read_text(encoding="utf-8"))
            return Outcome(str(told["code"]), str(told["text"]), tuple(map(str, told["values"])))
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def _swap(self, name: str, before: str) -> None:
        (self.place / TRIES).unlink(missing_ok=True)
        if before:
            write_whole(self.place / TRIAL, before + "\n")
        new = self.place / f"{CURRENT}.new"
        new.unlink(missing_ok=True)
        os.symlink(name, new)
        os.replace(new, self.place / CURRENT)
        sync_folder(self.place)
