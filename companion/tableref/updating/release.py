"""A release file: wheels, their checksums, and a signature over those.

It is a tar archive. Its first member, `release.json`, says which version for which system it is,
and the checksum of each wheel; the second is the signature of the first, as `ssh-keygen -Y sign`
makes it (namespace `tableref-release`). Nothing of a file is written before its signature was
found to be by a key of this table, and no wheel is used whose checksum is another.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tableref.updating.slots import UpdateError

FORMAT = "table-release/1"
LIST, SIGNATURE = "release.json", "release.json.sig"
NAMESPACE, PRINCIPAL = "tableref-release", "releases"
KEYS = Path("/etc/tableref/release-keys")
ENDING = ".release"
MOST_LISTED, MOST_SIGNED = 1_000_000, 64_000  # bytes
MOST_WHEELS = 500
LARGEST = 500_000_000
"""Bytes of a wheel."""
VERSION = re.compile(r"\d{1,6}(?:\.\d{1,6}){1,3}")
WHEEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*\.whl")
SUM = re.compile(r"[0-9a-f]{64}")
PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Target:
    """What a release is for: the system's code name, the machine, Python's version."""

    system: str
    machine: str
    python: str

    def __str__(self) -> str:
        return f"{self.system}, {self.machine}, Python {self.python}"


@dataclass(frozen=True, slots=True)
class Release:
    """What a release file says that it holds. `files`: wheel -> checksum and size; `source`: a
    checksum of the list itself."""

    path: Path
    version: str
    target: Target
    files: Mapping[str, tuple[str, int]]
    source: str

    @property
    def size(self) -> int:
        """Bytes of all wheels."""
        return sum(size for _, size in self.files.values())


def this_target(os_release: Path = Path("/etc/os-release")) -> Target:
    """What this computer is."""
    return Target(
        code_name(os_release),
        platform.machine(),
        f"{sys.version_info.major}.{sys.version_info.minor}",
    )


def code_name(os_release: Path = Path("/etc/os-release")) -> str:
    """The code name of this computer's system; "unknown" where it tells none."""
    try:
        lines = os_release.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    told = dict(line.partition("=")[::2] for line in lines)
    return told.get("VERSION_CODENAME", "").strip("\"'") or "unknown"


def numbers(version: str) -> tuple[int, ...]:
    """A version to compare: 0.10 comes after 0.9, and 1.0 is 1.0.0."""
    parts = [int(part) for part in re.findall(r"\d+", version)]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def read(path: Path, keys: Path = KEYS) -> Release:
    """What a release file holds, once its signature was found to be by one of these keys.
    UpdateError"""
    try:
        with tarfile.open(path, "r:") as archive:
            told = _member(path, archive, LIST, MOST_LISTED)
            signature = _member(path, archive, SIGNATURE, MOST_SIGNED)
    except tarfile.TarError as error:
        raise _no_release(path, str(error)) from error
    except OSError as error:
        raise UpdateError("unreadable", f"{path}: {error.strerror or error}", path.name) from error
    _check_signature(path, told, signature, keys)
    return _listed(path, told)


def unpack(release: Release, folder: Path | None = None) -> None:
    """Checks all wheels of a release, and writes them into a folder, if one is named. UpdateError;
    then nothing that is there is to be used."""
    left = dict(release.files)
    try:
        with tarfile.open(release.path, "r:") as archive:
            for entry in archive:
                if entry.name in (LIST, SIGNATURE):
                    continue
                sum, size = left.pop(entry.name, ("", -1))
                if not entry.isreg() or entry.size != size:
                    raise _damaged(release.path, entry.name)
                file = archive.extractfile(entry)
                assert file is not None
                total = hashlib.sha256()
                with (folder / entry.name if folder else Path(os.devnull)).open("wb") as out:
                    while piece := file.read(PIECE):
                        total.update(piece)
                        out.write(piece)
                if total.hexdigest() != sum:
                    raise _damaged(release.path, entry.name)
    except tarfile.TarError as error:
        raise _damaged(release.path, str(error)) from error
    except OSError as error:
        raise UpdateError(
            "unreadable", f"{release.path}: {error.strerror or error}", release.path.name
        ) from error
    if left:
        raise _damaged(release.path, next(iter(left)))


def _member(path: Path, archive: tarfile.TarFile, name: str, most: int) -> bytes:
    entry = archive.next()
    if entry is None or entry.name != name or not entry.isreg() or entry.size > most:
        raise _no_release(path, f"{name} is not where it should be")
    file = archive.extractfile(entry)
    assert file is not None
    data = file.read()
    if len(data) != entry.size:
        raise _damaged(path, name)
    return data


def _check_signature(path: Path, told: bytes, signature: bytes, keys: Path) -> None:
    """UpdateError where it is by no key of this table."""
    try:
        known = [
            line
            for line in keys.read_text(encoding="utf-8", errors="replace").splitlines()
            if line.strip() and not line.lstrip().startswith("#")
        ]
    except OSError:
        known = []
    if not known:
        raise UpdateError(
            "no-keys",
            f"this table trusts nobody's releases yet: whose key is right goes into {keys}",
        )
    with tempfile.NamedTemporaryFile(prefix="tableref-", suffix=".sig") as file:
        file.write(signature)
        file.flush()
        words = ["ssh-keygen", "-Y", "verify", "-f", str(keys), "-I", PRINCIPAL]
        words += ["-n", NAMESPACE, "-s", file.name]
        try:
            done = subprocess.run(words, input=told, capture_output=True, timeout=60)
        except FileNotFoundError as error:
            raise UpdateError(
                "not-signed",
                "no signature can be checked without ssh-keygen: sudo apt install openssh-client",
                path.name,
            ) from error
    if done.returncode:
        raise UpdateError(
            "not-signed",
            f"{path}: its signature is by none of the keys in {keys}, or the file has changed; "
            "nothing of it was used",
            path.name,
        )


def _listed(path: Path, told: bytes) -> Release:
    """What was signed; it may still be of another kind than this Tableref knows. UpdateError"""
    try:
        data: Any = json.loads(told)
        if data["format"] != FORMAT:
            raise _no_release(path, f"this Tableref knows {FORMAT}, not {data['format']}")
        version, target = data["version"], Target(data["system"], data["machine"], data["python"])
        files = {name: (one["sha256"], one["size"]) for name, one in data["files"].items()}
        strange = [
            name
            for name, (sum, size) in files.items()
            if not (WHEEL.fullmatch(name) and SUM.fullmatch(sum) and type(size) is int)
            or not 0 < size <= LARGEST
        ]
        right = VERSION.fullmatch(version) and all(isinstance(one, str) for one in _all(target))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise _no_release(path, f"its list cannot be read ({type(error).__name__})") from error
    if strange or not right or not 0 < len(files) <= MOST_WHEELS:
        raise _no_release(
            path, f"its list says strange things ({', '.join(strange[:3]) or version})"
        )
    return Release(path, version, target, files, hashlib.sha256(told).hexdigest())


def _all(target: Target) -> tuple[object, ...]:
    return target.system, target.machine, target.python


def _no_release(path: Path, why: str) -> UpdateError:
    return UpdateError("no-release", f"{path}: is no release of Tableref ({why})", path.name)


def _damaged(path: Path, what: str) -> UpdateError:
    return UpdateError(
        "damaged",
        f"{path}: is damaged ({what}): copy it again; nothing of it was used",
        path.name,
    )
