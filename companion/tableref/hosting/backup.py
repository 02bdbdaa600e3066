"""Everything that a table knows in one file, and back again: games, configuration, calibration.

The file is a gzipped tar archive; its first member lists all others with their checksums, so that a
file that was cut off or changed is found out before anything is written.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tableref import __version__
from tableref.devices.trouble import not_written
from tableref.errors import UserError
from tableref.referee.evening import JOURNAL

FORMAT = "table-backup/1"
LIST = "backup.json"
GAMES = "games"
BESIDE = ("lens.json",)
"""Files that are kept beside the games."""
CONFIG = "tableref.toml"
SERVICE = "/var/lib/tableref"
"""Where a table that runs as a service keeps its games."""
LEFT_OUT = re.compile(r".*\.(lock|new|told)|.*-journal|playing")
"""Files that tell of a process or a step under way, and nothing of a game."""
MOST_LISTED = 64_000_000  # bytes of the list
PIECE = 1 << 20


class Restored(NamedTuple):
    """What came back: names of games and files, and of those that were there already and stayed."""

    written: tuple[str, ...]
    stayed: tuple[str, ...]


def back_up(root: Path, config: Path | None, target: Path) -> int:
    """Writes a backup of a table whose games lie in `root`; also while one is played. How many
    games are in it. UserError; then `target` is as it was."""
    if not target.name or target.is_dir():  # "", "." and "/", or a stick without a file's name
        raise UserError(f"{target}: name the file that the backup goes into, as table.tar.gz")
    if not root.is_dir():
        raise UserError(
            f"{root}: no games were ever kept there; a table that runs as a service keeps them in"
            f" {SERVICE}: say --state {SERVICE}"
        )
    new = target.with_name(target.name + ".new")
    try:
        with tempfile.TemporaryDirectory(prefix="tableref-") as scratch:
            files = dict(_files(root, config, Path(scratch)))
            sums = {name: _sum(path) for name, path in files.items()}
            told = {"format": FORMAT, "app_version": __version__, "files": sums}
            text = json.dumps(told, ensure_ascii=False, indent=1).encode()
            with tarfile.open(new, "w:gz", compresslevel=6) as archive:
                entry = tarfile.TarInfo(LIST)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text))
                for name, path in files.items():
                    archive.add(path, name, recursive=False, filter=_bare)
        os.chmod(new, 0o600)  # it holds what players plotted in secret
        with new.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(new, target)
    except OSError as error:
        with contextlib.suppress(OSError):  # there may be no such folder
            new.unlink()
        if error.filename in (None, str(new)):
            error.filename = str(target)
            raise not_written(target, error) from error
        cure = "; say sudo" if isinstance(error, PermissionError) else ""
        raise UserError(
            f"{error.filename}: cannot be backed up ({error.strerror or error}){cure}"
        ) from error
    return len({Path(name).parts[1] for name in files if name.startswith(f"{GAMES}/")})


def restore(source: Path, root: Path, config: Path | None) -> Restored:
    """Brings back what a backup holds. What is there already stays: a game that is another one
    comes back under a name of its own. UserError, before anything is written, where the file is
    not whole."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=root) as scratch:
            unpacked = Path(scratch)
            names = _unpacked(source, unpacked)
            return _taken_over(unpacked, names, root, config)
    except OSError as error:
        if error.filename == str(source):
            raise UserError(f"{source}: cannot be read ({error.strerror})") from error
        raise not_written(Path(error.filename or root), error) from error


# -- writing ---------------------------------------------------------------------------------------


def _files(root: Path, config: Path | None, scratch: Path) -> Iterator[tuple[str, Path]]:
    """Name in the backup -> the file that is taken; journals are copied as they stand between two
    steps. OSError"""
    if config is not None and config.is_file():
        yield CONFIG, config
    for name in BESIDE:
        if (root / name).is_file():
            yield name, root / name
    for number, path in enumerate(_all(root / GAMES)):
        if path.is_symlink() or not path.is_file() or LEFT_OUT.fullmatch(path.name):
            continue
        name = path.relative_to(root).as_posix()
        if path.name == JOURNAL:
            copy = scratch / str(number)
            _copy_journal(path, copy)
            path = copy
        yield name, path


def _all(folder: Path) -> Iterator[Path]:
    """All files in a folder and those in it. OSError, also where one may not be looked into"""

    def fails(error: OSError) -> None:
        raise error

    if folder.exists():
        for here, folders, names in os.walk(folder, onerror=fails):
            folders.sort()
            yield from (Path(here, name) for name in sorted(names))


def _copy_journal(path: Path, copy: Path) -> None:
    """One that cannot be read is taken as it is: who repairs it may want it. OSError"""
    try:
        with (
            contextlib.closing(
                sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            ) as a,
            contextlib.closing(sqlite3.connect(copy)) as b,
        ):
            a.backup(b)
    except sqlite3.Error:
        shutil.copyfile(path, copy)


def _bare(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without names and numbers of a user of this computer."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry


def _sum(path: Path) -> str:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            total.update(piece)
    return total.hexdigest()


# -- bringing back ---------------------------------------------------------------------------------


def _unpacked(source: Path, folder: Path) -> list[str]:
    """Unpacks all members that the list names, each checked; their names. UserError"""
    try:
        with tarfile.open(source, "r:gz") as archive:
            sums = _listed(source, archive.next(), archive)
            found = dict[str, str]()
            while (entry := archive.next()) is not None:
                name = entry.name
                if name not in sums or name in found or not entry.isreg():
                    raise UserError(f"{source}: holds {name!r}, which its list does not name")
                found[name] = _unpack(archive, entry, folder / name)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise UserError(
            f"{source}: is no backup of a table, or was cut off ({error}); nothing was restored"
        ) from error
    for name, sum in sums.items():
        if found.get(name) != sum:
            what = "has changed" if name in found else "is missing"
            raise UserError(f"{source}: {name} in it {what}; nothing was restored")
    return list(sums)


def _listed(
    source: Path, entry: tarfile.TarInfo | None, archive: tarfile.TarFile
) -> dict[str, str]:
    """Name -> checksum, as the first member has it. UserError"""
    none = UserError(f"{source}: is no backup of a table ({FORMAT})")
    if entry is None or entry.name != LIST or not entry.isreg() or entry.size > MOST_LISTED:
        raise none
    file = archive.extractfile(entry)
    assert file is not None
    try:
        told: Any = json.loads(file.read())
        sums = told["files"]
        if told["format"] != FORMAT or not isinstance(sums, dict):
            raise none
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise none from error
    for name, sum in sums.items():
        parts = Path(name).parts
        strange = name.startswith("/") or ".." in parts or "\0" in name or not isinstance(sum, str)
        game = len(parts) > 2 and parts[0] == GAMES
        if strange or not (game or name in (*BESIDE, CONFIG)):
            raise UserError(f"{source}: names {name!r}, which is no file of a table")
    return dict(sums)


def _unpack(archive: tarfile.TarFile, entry: tarfile.TarInfo, target: Path) -> str:
    """Writes one member; its checksum."""
    file = archive.extractfile(entry)
    assert file is not None
    target.parent.mkdir(parents=True, exist_ok=True)
    total = hashlib.sha256()
    with target.open("xb") as out:
        os.fchmod(out.fileno(), 0o600)
        while piece := file.read(PIECE):
            total.update(piece)
            out.write(piece)
    return total.hexdigest()


def _taken_over(unpacked: Path, names: list[str], root: Path, config: Path | None) -> Restored:
    written, stayed = list[str](), list[str]()
    places = {name: root / name for name in BESIDE}
    if config is not None:
        places[CONFIG] = config
    for name, place in places.items():
        if name not in names:
            continue
        if place.exists() and place.stat().st_size:
            stayed.append(name)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(unpacked / name, place)
        written.append(name)
    (root / GAMES).mkdir(exist_ok=True)
    for game in sorted({Path(name).parts[1] for name in names if name.startswith(f"{GAMES}/")}):
        here, place = unpacked / GAMES / game, root / GAMES / game
        if place.exists() and _same(here, place):
            stayed.append(game)
            continue
        number = 1
        while place.exists():
            number += 1
            place = root / GAMES / f"{game}-restored-{number}"
        os.rename(here, place)
        written.append(place.name)
    return Restored(tuple(written), tuple(stayed))


def _same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same game at the same point: journals may lie otherwise on the
    disk, but their last checksums tell."""
    from tableref.referee.journal import Journal

    try:
        tails = [list(Journal.read(folder / JOURNAL).lines())[-1:] for folder in (one, other)]
        heads = [Journal.read(folder / JOURNAL).head() for folder in (one, other)]
    except UserError:
        return False
    return heads[0] == heads[1] and [t.sum for t in tails[0]] == [t.sum for t in tails[1]]
