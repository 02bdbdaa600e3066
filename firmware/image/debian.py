"""Debian's sources of MicroPython's RP2 port, of the Pico SDK and of TinyUSB, on any Debian.

They are all in Debian 13. apt fetches and verifies them with a source list, an index and a cache
of their own, so that nothing is installed and nothing of the machine's apt changes; the mirror is
the one that the machine's apt is set up for.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

RELEASE = "trixie"
_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
_PACKAGES = ("pico-sdk-source", "tinyusb-source")
_SOURCE = "micropython"
_APT_S = 180  # for each of apt's three errands


class Unavailable(Exception):
    """Something that the build needs cannot be had on this machine; says what, and the cure."""


def mirror() -> str:
    """Where this machine's apt gets Debian from."""
    if shutil.which("apt-get") is None:
        raise Unavailable("apt-get is not here: the sources come from Debian or a kind of it")
    form = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", form, "Created-By: Packages"],
        capture_output=True,
        text=True,
        check=True,
        timeout=_APT_S,
    ).stdout
    codename = _codename()
    for line in listed.splitlines():
        uri, release, component = line.split()
        if release == codename and component == "main":
            return uri
    raise Unavailable(f"apt has no source of Debian's {codename} main")


def _codename() -> str:
    for line in Path("/etc/os-release").read_text().splitlines():
        name, _, value = line.partition("=")
        if name == "VERSION_CODENAME":
            return value.strip('"')
    raise Unavailable("/etc/os-release names no release: the sources come from Debian")


def fetch(folder: Path) -> list[Path]:
    """Downloads what is not in `folder` yet; the packages' files. Raises Unavailable."""
    loot = folder / "packages"
    complete = folder / "complete"
    if not complete.exists():
        shutil.rmtree(loot, ignore_errors=True)
        for name in ("lists/partial", "cache/archives/partial", "packages"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        sources = folder / "debian.sources"
        sources.write_text(
            f"Types: deb deb-src\nURIs: {mirror()}\nSuites: {RELEASE}\nComponents: main\n"
            f"Signed-By: {_KEYRING}\n"
        )
        _apt(folder, sources, "update")
        _apt(folder, sources, "download", *_PACKAGES)
        _apt(folder, sources, "source", "--download-only", _SOURCE)
        complete.touch()
    return sorted(loot.iterdir())


def _apt(folder: Path, sources: Path, *errand: str) -> None:
    options = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "",
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
        "Debug::NoLocking": "1",
    }
    settings = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    try:
        done = subprocess.run(
            ["apt-get", "-qq", *settings, *errand],
            cwd=folder / "packages",
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            timeout=_APT_S,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"apt-get {errand[0]} has not ended after {_APT_S} s") from None
    if done.returncode:
        raise Unavailable(f"apt-get {' '.join(errand)} failed: {done.stderr.strip()[-600:]}")


def unpack(packages: list[Path], folder: Path) -> tuple[Path, Path, Path, str]:
    """Unpacks into `folder`: MicroPython, the SDK, TinyUSB, and all their licences in one text."""
    notices: list[str] = []
    for package in packages:
        if package.suffix == ".deb":
            subprocess.run(["dpkg-deb", "-x", package, folder / "debs"], check=True)
        elif package.suffixes[-2:] == [".tar", ".xz"]:
            subprocess.run(["tar", "-xf", package, "-C", folder], check=True)
    (micropython,) = folder.glob("micropython-*")
    documents = folder / "debs/usr/share/doc"
    copyrights = {
        f"MicroPython {micropython.name.split('-')[1]}": folder / "debian/copyright",
        "Pico SDK": documents / "pico-sdk-source/copyright",
        "TinyUSB": documents / "tinyusb-source/copyright",
    }
    for name, file in copyrights.items():
        notices.append(f"==== {name} ====\n\n{file.read_text()}\n")
    sources = folder / "debs/usr/src"
    return micropython, sources / "pico-sdk", sources / "tinyusb", "\n".join(notices)
