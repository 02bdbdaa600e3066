"""`tableref update`: another version of Tableref on this table, and the one before again."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from tableref.errors import UserError
from tableref.updating import building, stick
from tableref.updating.release import KEYS, Release, code_name, numbers, read, this_target, unpack
from tableref.updating.slots import PLACE, Installed, Outcome, Slots, UpdateError

SERVICE = "tableref.service"
ROOM = 4
"""A release takes so many times its size while it is unpacked and installed."""
SPOILT = ("damaged", "unreadable", "no-release", "not-signed")
"""Codes of what is wrong with a file itself. On a stick an older one may be whole."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is taken, and where Tableref is installed."""
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a release file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--stick", action="store_true", help="the newest that is on a USB stick")
    what.add_argument("--back", action="store_true", help="the version that ran before")
    what.add_argument("--source", type=Path, metavar="FOLDER", help="a folder with the source")
    what.add_argument(
        "--check", action="store_true", help="only whether FILE is whole, signed and for this table"
    )
    parser.add_argument("--older", action="store_true", help="also a version that is older")
    parser.add_argument("--no-restart", action="store_true", help="leave the service as it runs")
    parser.add_argument(
        "--place", type=Path, metavar="FOLDER", default=PLACE, help="where it is installed"
    )
    parser.add_argument(
        "--keys", type=Path, metavar="FILE", default=KEYS, help="whose releases are taken"
    )


def run(args: argparse.Namespace) -> int:
    """What was done is said, and kept for the menu; so is why nothing was."""
    if bool(args.file) + args.stick + args.back + bool(args.source) != 1 or (
        args.check and not args.file
    ):
        raise UserError("say one of: a release FILE, --stick, --back (`tableref update --help`)")
    if args.check:
        print(_checked(read(args.file, args.keys)))
        return 0
    slots = Slots(args.place)
    first = not slots.running  # then no menu was there yet to ask for it
    if first and args.back:
        slots.before()
    with slots.alone():
        try:
            outcome = _done(slots, args)
        except UpdateError as error:
            if not first:
                with contextlib.suppress(OSError):
                    slots.tell(Outcome(error.code, str(error), error.values))
            raise
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            text = f"{where}{error.strerror or error}; the version that runs stays"
            if not first:
                with contextlib.suppress(OSError):  # a full disk
                    slots.tell(Outcome("not-built", text, (error.strerror or str(error),)))
            raise UpdateError("not-built", text) from error
        if outcome.code != "same" and not first:
            slots.tell(outcome)
    print(outcome.text)
    if outcome.code != "same" and not args.no_restart:
        return _restarted()
    return 0


def _done(slots: Slots, args: argparse.Namespace) -> Outcome:
    """UpdateError, OSError"""
    if args.back:
        held = slots.back()
        return Outcome("back", f"Tableref {held.version} runs again", (held.version,))
    if args.source:
        return _from_source(slots, args.source)
    if args.file:
        return _from_release(slots, read(args.file, args.keys), args.older)
    with stick.found() as paths:
        return _from_stick(slots, paths, args.keys, args.older)


def _checked(release: Release) -> str:
    """What a release file holds, once all of it was read. UpdateError where it may not be used."""
    _fits(release)
    unpack(release)
    return f"Tableref {release.version}, whole and signed, for {release.target}"


def _from_stick(slots: Slots, paths: list[Path], keys: Path, older: bool) -> Outcome:
    """Takes the newest of these release files that is whole and for this computer, and says which
    one was spoilt. UpdateError: why there is none."""
    releases, troubles = list[Release](), list[UpdateError]()
    for path in paths:
        try:
            release = read(path, keys)
            _fits(release)
            releases.append(release)
        except UpdateError as error:
            troubles.append(error)
    releases.sort(key=lambda release: numbers(release.version), reverse=True)
    for release in releases:
        try:
            outcome = _from_release(slots, release, older)
        except UpdateError as error:
            if error.code not in (*SPOILT, "older"):
                raise
            troubles.append(error)
            continue
        spoilt = [error for error in troubles if error.code in SPOILT]
        if not spoilt:
            return outcome
        if outcome.code == "same":  # what was to be installed is the spoilt one
            break
        return Outcome(
            "done-but", f"{outcome.text}; {spoilt[0]}", (*outcome.values, *spoilt[0].values)
        )
    if troubles:
        raise next((error for error in troubles if error.code in SPOILT), troubles[0])
    raise UpdateError(
        "no-stick",
        "no USB stick with a release of Tableref is plugged in (a file tableref-....release)",
    )


def _fits(release: Release) -> None:
    """UpdateError where it is for another computer."""
    here = this_target()
    if release.target != here:
        raise UpdateError(
            "other-system",
            f"{release.path}: is for {release.target}, and this computer is {here}: take the file"
            " that is for it",
            release.path.name,
            here,
        )


def _from_release(slots: Slots, release: Release, older: bool) -> Outcome:
    _fits(release)
    held = slots.holds(slots.running) if slots.running else None
    if held is not None:
        if release.source == held.source:
            return Outcome("same", f"Tableref {held.version} runs already", (held.version,))
        if numbers(release.version) <= numbers(held.version) and not older:
            raise UpdateError(
                "older",
                f"{release.path}: holds {release.version}, and {held.version} runs: add --older to"
                " take it all the same",
                release.version,
                held.version,
            )
    free = shutil.disk_usage(slots.place).free
    if free < ROOM * release.size:
        raise UpdateError(
            "no-room",
            f"{slots.place}: {free // 1_000_000} MB are free, and it takes"
            f" {ROOM * release.size // 1_000_000}: delete old games, or: sudo apt clean",
            ROOM * release.size // 1_000_000,
        )
    with tempfile.TemporaryDirectory(prefix=".wheels-", dir=slots.place) as wheels:
        unpack(release, Path(wheels))
        building.from_wheels(slots, Path(wheels), release.version)
    slots.take(Installed(release.version, release.source))
    return Outcome("done", f"Tableref {release.version} is installed", (release.version,))


def _from_source(slots: Slots, folder: Path) -> Outcome:
    from tableref import __version__

    if not (folder / building.BESIDE[0]).is_file():
        raise UpdateError("no-release", f"{folder}: is no folder with Tableref's source", folder)
    source = building.source_sum(folder)
    held = slots.holds(slots.running) if slots.running else None
    if held is not None and held.source == source:
        return Outcome("same", f"Tableref {held.version} runs already", (held.version,))
    # Its own code does this, so that its version is this one's.
    building.from_source(slots, folder, __version__, code_name())
    slots.take(Installed(__version__, source))
    return Outcome("done", f"Tableref {__version__} is installed", (__version__,))


def _restarted() -> int:
    """Starts the service again, where it runs; 1 where the new version does not come up."""
    active = ["systemctl", "is-active", "--quiet", SERVICE]
    try:
        if subprocess.run(active, capture_output=True, timeout=60).returncode:
            return 0  # it starts with what is there now
        done = subprocess.run(["systemctl", "restart", SERVICE], capture_output=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    if done.returncode == 0:
        return 0
    print(
        "The new version has not come up at its first start. After three the one before runs again;"
        " `journalctl -u tableref -n 30` says why."
    )
    return 1
