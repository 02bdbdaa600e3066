"""Builds the image that is flashed: MicroPython for the Pico with the firmware frozen in, as UF2.

    python firmware/image/build.py [--out FOLDER]

Prints where the image is; beside it lie the licences of what is in it, and with --out checksums and
one file of all three to hand on, which `tableref board flash` takes. The image is kept under the
hash of its inputs in $TABLEREF_CACHE (or ~/.cache/tableref), and built again only when they change.
Ends with 0 when there is an image, 2 when the build fails, 3 when a tool or the sources cannot be
had here.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import debian
import uf2

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tableref_firmware

HERE = Path(__file__).resolve().parent
FIRMWARE = HERE.parent
NAME = "tableref-board.uf2"
_LICENCES, _SUMS = "LICENCES.txt", "SHA256SUMS"
_CROSS = "arm-none-eabi-gcc"
_NEWLIB = "libnewlib-arm-none-eabi"
_TOOLS = {
    _CROSS: f"gcc-arm-none-eabi {_NEWLIB}",
    "cmake": "cmake",
    "make": "make",
    "gcc": "gcc",
    "g++": "g++",
    "dpkg-deb": "dpkg",
    "xz": "xz-utils",
}
_BUILD_S = 1200
_TELLING = re.compile(r"error|undefined reference|overflowed|\*\*\*", re.IGNORECASE)

# Debian's source leaves out mbedtls and the rest of MicroPython's submodules; we need none of them.
_PATCHES = {
    "ports/rp2/CMakeLists.txt": (
        ("set(MICROPY_SSL_MBEDTLS ON)", ""),
        ("list(APPEND GIT_SUBMODULES lib/mbedtls)", ""),
        ("    mbedtls/mbedtls_port.c\n", ""),
        ("target_link_libraries(${MICROPY_TARGET} micropy_lib_mbedtls)", ""),
        # Machine code for what is frozen: the loop turns twice as often as with bytecode.
        ("-march=armv6m)", '"-march=armv6m -X emit=native")'),
    ),
    # Its ARMv6-M code has constants that are loaded by words; 1.25 lays it out by halfwords, and
    # every second function reads its constants two bytes off.
    "tools/mpy-tool.py": (("aligned (2)", "aligned (4)"),),
    "ports/rp2/mpconfigport.h": (
        ("#define MICROPY_PY_HASHLIB_SHA1                 (1)", ""),
        ("#define MICROPY_PY_CRYPTOLIB                    (1)", ""),
        ("#define MICROPY_SSL_MBEDTLS                     (1)", ""),
    ),
}

# The SDK has one C++ file, which wants malloc and free from these; the whole C++ library is 1.5 GB.
_CXX_HEADERS = {
    "cstdlib": "#pragma once\n#include <stdlib.h>\nnamespace std { using ::size_t; using ::malloc;"
    " using ::calloc; using ::realloc; using ::free; }\n",
    **{
        f"c{name}": f"#pragma once\n#include <{name}.h>\n"
        for name in ("assert", "stdint", "stddef", "stdio", "string", "math")
    },
}


class BuildError(Exception):
    """The build failed; says at which step, and ends with what the step said."""


def cache() -> Path:
    """Where images and sources are kept."""
    return Path(os.environ.get("TABLEREF_CACHE") or Path.home() / ".cache/tableref") / "firmware"


def inputs() -> list[Path]:
    """Everything of ours that goes into the image."""
    own = [FIRMWARE / "main.py", *(FIRMWARE / "tableref_firmware").glob("*.py")]
    return sorted([*own, *HERE.glob("*.py"), *HERE.glob("board/*")])


def digest() -> str:
    """The image's name: what its inputs say, and this compiler."""
    says = hashlib.sha256(_compiler().encode())
    for file in inputs():
        content = file.read_bytes()
        says.update(f"{file.relative_to(FIRMWARE)} {len(content)}\n".encode() + content)
    return says.hexdigest()[:16]


def _tree_digest() -> str:
    """A name for the sources as we leave them."""
    says = repr((_PATCHES, _CXX_HEADERS)).encode() + Path(debian.__file__).read_bytes()
    return hashlib.sha256(says).hexdigest()[:16]


def _compiler() -> str:
    missing = {tool: package for tool, package in _TOOLS.items() if shutil.which(tool) is None}
    if missing:
        raise debian.Unavailable(
            f"{', '.join(missing)} not found; as root: "
            f"apt-get install --no-install-recommends {' '.join(missing.values())}"
        )
    # gcc gives the bare name back where newlib, which is a package of its own, is not installed.
    if not Path(_ask_compiler("-print-file-name=libc.a")).is_absolute():
        raise debian.Unavailable(f"{_CROSS} has no C library; as root: apt-get install {_NEWLIB}")
    return _ask_compiler("--version").splitlines()[0]


def _ask_compiler(question: str) -> str:
    done = subprocess.run([_CROSS, question], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def build() -> Path:
    """The image's folder. Raises Unavailable, BuildError."""
    folder = cache() / "images" / digest()
    if (folder / NAME).exists():
        return folder
    cache().mkdir(parents=True, exist_ok=True)
    with open(cache() / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / NAME).exists():
            return folder
        tree = cache() / f"tree-{_tree_digest()}"
        if not (tree / "ready").exists():
            _plant(tree)
        binary = _compile(tree)
        folder.parent.mkdir(exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent))
        (fresh / NAME).write_bytes(uf2.encode(binary))
        shutil.copy(tree / _LICENCES, fresh)
        fresh.rename(folder)
    return folder


def _plant(tree: Path) -> None:
    """Unpacks the sources into `tree` and makes them fit for what Debian's leave out."""
    packages = debian.fetch(cache() / "debian")
    for old in cache().glob("tree-*"):
        shutil.rmtree(old)
    tree.mkdir()
    micropython, sdk, tinyusb, notices = debian.unpack(packages, tree)
    (tree / "LICENCES.txt").write_text(notices)
    for name, changes in _PATCHES.items():
        file = micropython / name
        text = file.read_text()
        for old, new in changes:
            if text.count(old) != 1:
                raise BuildError(f"{name} of {micropython.name} does not have {old!r} once")
            text = text.replace(old, new)
        file.write_text(text)
    shutil.rmtree(micropython / "lib/tinyusb")
    (micropython / "lib/tinyusb").symlink_to(tinyusb)
    (micropython / "lib/micropython-lib/README.md").write_text("Not needed.\n")
    headers = tree / "cxx"
    headers.mkdir()
    for name, text in _CXX_HEADERS.items():
        (headers / name).write_text(text)
    for name in ("libstdc++.a", "libsupc++.a"):
        (headers / name).write_bytes(b"!<arch>\n")
    (tree / "micropython").symlink_to(micropython)
    (tree / "sdk").symlink_to(sdk)
    (tree / "ready").touch()


def _compile(tree: Path) -> bytes:
    """Compiles what has changed since the last time; the program as it lies in flash."""
    target = tree / "build"
    headers = tree / "cxx"
    linker = f"-nostartfiles -Wl,--undefined=_init -Wl,--undefined=_fini -L{headers}"
    jobs = f"-j{os.cpu_count() or 1}"
    _run("mpy-cross", "make", jobs, "-C", tree / "micropython/mpy-cross")
    _run(
        "cmake",
        "cmake",
        "-S",
        tree / "micropython/ports/rp2",
        "-B",
        target,
        f"-DMICROPY_BOARD_DIR={HERE / 'board'}",
        "-DMICROPY_BOARD=TABLEREF",
        f"-DPICO_SDK_PATH_OVERRIDE={tree / 'sdk'}",
        f"-DPICO_SDK_PATH={tree / 'sdk'}",
        # Debian 12's own picotool is none, and 13's is not needed: we make the UF2 ourselves.
        "-DPICO_NO_PICOTOOL=1",
        f"-DCMAKE_CXX_FLAGS=-isystem {headers}",
        f"-DCMAKE_EXE_LINKER_FLAGS={linker}",
    )
    _run("compiling", "make", jobs, "-C", target)
    return (target / "firmware.bin").read_bytes()


def _run(step: str, *command: str | Path) -> None:
    try:
        done = subprocess.run(
            command,
            env={**os.environ, "LC_ALL": "C"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_BUILD_S,
        )
    except subprocess.TimeoutExpired:
        raise BuildError(f"{step} has not ended after {_BUILD_S} s") from None
    if done.returncode:
        telling = [line for line in done.stdout.splitlines() if _TELLING.search(line)]
        raise BuildError(f"{step} failed:\n" + "\n".join(telling[:20] or [done.stdout[-2000:]]))


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds the board's image.")
    parser.add_argument("--out", type=Path, help="copy image and licences into this folder")
    args = parser.parse_args()
    try:
        folder = build()
    except debian.Unavailable as error:
        print(f"The image cannot be built here: {error}", file=sys.stderr)
        return 3
    except BuildError as error:
        print(f"The image was not built: {error}", file=sys.stderr)
        return 2
    if args.out is None:
        print(folder / NAME)
        return 0
    shutil.copytree(folder, args.out, dirs_exist_ok=True)
    print(args.out / NAME)
    print(release(args.out))
    return 0


def release(folder: Path) -> Path:
    """Packs image and licences with their checksums into one file for people to download."""
    files = sorted(path for path in folder.iterdir() if path.name in (NAME, _LICENCES))
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in files)
    (folder / _SUMS).write_text(sums, encoding="ascii")
    version = ".".join(map(str, tableref_firmware.VERSION))
    packed = folder / f"tableref-board-{version}.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for path in (*files, folder / _SUMS):
            # A fixed day, so that the same image makes the same file.
            file.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed


if __name__ == "__main__":
    sys.exit(main())
