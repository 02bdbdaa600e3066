"""What can be said of the firmware without running it: it compiles, and it fits MicroPython's API.

    python tests/emulator/static_checks.py

mpy-cross compiles every module for the RP2040; mypy holds `hal` and `ws2812`, which know the
hardware, against the published stubs of the Pico's MicroPython. The stubs have errors of their
own, and assembler of a PIO is no Python: both are left out. Ends with 1 where something is wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIRMWARE = ROOT / "firmware"
STUBS = "micropython-rp2-rpi-pico-stubs==1.29.0.post1"
_ONLY_BOARD = ("tableref_usb",)  # our own image's module, which no stub knows


def compile_all(folder: Path) -> list[str]:
    """Compiles each module; what mpy-cross says against it."""
    said = []
    for file in (FIRMWARE / "main.py", *sorted((FIRMWARE / "tableref_firmware").glob("*.py"))):
        for emit in ("bytecode", "native"):
            if file.name == "hardware.py":
                continue  # read by type checkers only
            done = subprocess.run(
                [
                    sys.executable,
                    *("-m", "mpy_cross", "-march=armv6m", "-X", f"emit={emit}"),
                    *("-o", str(folder / f"{file.stem}.mpy"), str(file)),
                ],
                capture_output=True,
                text=True,
            )
            if done.returncode:
                said.append(f"{file.relative_to(ROOT)} ({emit}): {done.stderr.strip()}")
    return said


def stubs() -> Path | None:
    """The folder of the stubs, fetched once; None where they cannot be had."""
    cache = Path(os.environ.get("TABLEREF_CACHE") or Path.home() / ".cache/tableref")
    folder = cache / "firmware" / STUBS.replace("==", "-")
    if not (folder / "machine").exists() and not (folder / "machine.pyi").exists():
        done = subprocess.run(
            [
                sys.executable,
                *("-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20"),
                *("--target", folder, STUBS),
            ],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            print(f"The stubs cannot be had: {done.stderr.strip()[-300:]}", file=sys.stderr)
            return None
    return folder


def check_types(folder: Path, scratch: Path) -> list[str]:
    """What mypy says against the two modules that know the hardware."""
    config = scratch / "mypy.ini"
    config.write_text(
        f"[mypy]\nmypy_path = {folder}:{FIRMWARE}\ncustom_typeshed_dir = {folder}\n"
        "follow_imports = silent\nno_error_summary = True\nshow_error_codes = True\n"
        f"cache_dir = {scratch / 'cache'}\nplatform = linux\n"
    )
    done = subprocess.run(
        [
            sys.executable,
            *("-m", "mypy", "--config-file", str(config)),
            *("-p", "tableref_firmware"),
        ],
        capture_output=True,
        text=True,
        cwd=scratch,
    )
    if not done.stdout and done.returncode:
        return [done.stderr]
    ours = [line for line in done.stdout.splitlines() if "/tableref_firmware/" in line]
    return [line for line in ours if not _excused(line)]


def _excused(line: str) -> bool:
    assembler = "ws2812.py" in line and "[name-defined]" in line
    # Ticks are plain numbers on every port, which the stubs hide.
    return (
        assembler
        or "_TicksUs" in line
        or ": note:" in line
        or any(name in line for name in _ONLY_BOARD)
    )


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        said = compile_all(scratch)
        folder = stubs()
        if folder:
            said += check_types(folder, scratch)
    for line in said:
        print(line)
    print(f"firmware: {len(said)} findings of mpy-cross and of the Pico's stubs")
    return int(bool(said))


if __name__ == "__main__":
    sys.exit(main())
