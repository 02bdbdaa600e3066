"""Tiny versions of Tableref: wheels that only say their name, and release files of them."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tableref.updating.release import FORMAT, LIST, NAMESPACE, PRINCIPAL, SIGNATURE, this_target


def wheel(folder: Path, version: str, says: str | None = None, needs: str = "") -> Path:
    """A wheel whose `tableref --version` says this; `needs` another package."""
    path = folder / f"tableref-{version}-py3-none-any.whl"
    info = f"tableref-{version}.dist-info"
    says = f"tableref {version}" if says is None else says
    files = {
        "tableref_tiny.py": f"def main():\n    print({says!r})\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tableref\nVersion: {version}\n"
        + "Provides-Extra: mqtt\nProvides-Extra: web\n"
        + (f"Requires-Dist: {needs}\n" if needs else ""),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\ntableref = tableref_tiny:main\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


class Maker:
    """Somebody who signs releases."""

    def __init__(self, folder: Path, name: str = "maker") -> None:
        self.folder, self.key = folder, folder / name
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(self.key)]
        subprocess.run(words, check=True)

    @property
    def trusted(self) -> str:
        """The line that has a table take what this one signs."""
        public = self.key.with_name(f"{self.key.name}.pub").read_text()
        return f'{PRINCIPAL} namespaces="{NAMESPACE}" {public}'

    def sign(self, data: bytes, namespace: str = NAMESPACE) -> bytes:
        words = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(self.key), "-n", namespace]
        return subprocess.run(words, input=data, capture_output=True, check=True).stdout

    def release(
        self,
        version: str,
        changes: Mapping[str, object] = MappingProxyType({}),
        says: str | None = None,
        needs: str = "",
    ) -> Path:
        """A release file of a tiny wheel of this version; `changes` of its list."""
        made = wheel(self.folder, version, says, needs)
        data, target = made.read_bytes(), this_target()
        listed: dict[str, object] = {
            "format": FORMAT,
            "version": version,
            "system": target.system,
            "machine": target.machine,
            "python": target.python,
            "files": {made.name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}},
        }
        told = json.dumps({**listed, **changes}).encode()
        path = self.folder / f"tableref-{version}.release"
        write(path, {LIST: told, SIGNATURE: self.sign(told), made.name: data})
        return path


def write(path: Path, members: Mapping[str, bytes]) -> None:
    """An archive of these members, in their order."""
    with tarfile.open(path, "w") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def members(path: Path) -> dict[str, bytes]:
    """The members of an archive, in their order."""
    with tarfile.open(path) as archive:
        return {entry.name: archive.extractfile(entry).read() for entry in archive}  # type: ignore[union-attr]
