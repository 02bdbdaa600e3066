"""New firmware for the board: an image onto its BOOTSEL drive, or files through mpremote."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import tableref_firmware
from tableref.devices.link.errors import LinkError
from tableref.devices.link.serial_port import Port
from tableref_firmware.framing import Decoder, encode
from tableref_firmware.protocol import ASK, HELLO

DRIVE_SIGN = "INFO_UF2.TXT"  # the file by which a BOOTSEL drive is known
MPREMOTE_S = 60.0
COPY_S = 180.0
_AGAIN_S = 0.2
SUMS = "SHA256SUMS"
_MOST = 32 * 1024 * 1024  # a full flash of 16 MB, the RP2040's most, as UF2
_BLOCK = 512
_MAGIC, _SECOND, _END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_RP2040 = 0xE48BFF56
_NOT_ON_BOARD = ("hardware.py",)  # read by type checkers only
# As mpremote's own "reset", but so that no byte of a host in a hurry ends the pause, and with it
# the restart. The pause is for mpremote to let go of the port.
_RESTART = (
    "import machine, micropython, time\n"
    "micropython.kbd_intr(-1)\n"
    "time.sleep_ms(100)\n"
    "machine.reset()\n"
)
_CLEAR = (
    "import os\n"
    "def clear(path):\n"
    "    try:\n"
    "        names = os.listdir(path)\n"
    "    except OSError:\n"
    "        return\n"
    "    for name in names:\n"
    "        os.remove(path + '/' + name)\n"
    "    os.rmdir(path)\n"
    "clear('tableref_firmware')\n"
    "if 'main.py' in os.listdir(): os.remove('main.py')\n"
)


class FlashError(LinkError):
    """The firmware was not changed, or not as it should have been."""


class NotAnImage(FlashError):
    """The file is not an image for this board."""


class NoDrive(FlashError):
    """No BOOTSEL drive is in sight, or several, or another chip's."""


class ToolMissing(FlashError):
    """mpremote is not installed."""


class ToolFailed(FlashError):
    """mpremote could not do it."""


def own_version() -> str:
    """The firmware that came with this Tableref."""
    return ".".join(str(number) for number in tableref_firmware.VERSION)


def version_on(port: Port, seconds: float) -> str | None:
    """The firmware that answers on this port, of whatever protocol; None where none does."""
    decoder = Decoder()
    end, sequence = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        port.write(encode(ASK, sequence, b""))
        sequence = (sequence + 1) & 0xFF
        again = min(end, time.monotonic() + _AGAIN_S)
        while (left := again - time.monotonic()) > 0:
            for kind, payload in decoder.feed(port.read(left)):
                if kind == HELLO and len(payload) >= 8:
                    return ".".join(str(number) for number in payload[5:8])
    return None


def check_image(image: Path) -> bytes:
    """The content of a UF2 file for the RP2040, or of the one in a release file.

    It is whole and undamaged, by its checksum too where that lies beside it. Raises NotAnImage.
    """
    again = "Download or build it again"
    try:
        name, data, sums = _read(image)
    except OSError as error:
        raise NotAnImage(
            f"{image} cannot be read ({error.strerror})", "Give the file board.uf2"
        ) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise NotAnImage(f"{image} is a damaged release file ({error})", again) from error
    wanted = dict(line.split()[1::-1] for line in sums.splitlines() if len(line.split()) == 2)
    if name in wanted and hashlib.sha256(data).hexdigest() != wanted[name]:
        raise NotAnImage(f"{image} is damaged: its checksum differs from {SUMS}", again)
    count = len(data) // _BLOCK
    if not count or len(data) % _BLOCK:
        raise NotAnImage(f"{image} is no whole UF2 file", again)
    for number in range(count):
        block = data[number * _BLOCK : (number + 1) * _BLOCK]
        first, second, _, _, _, own, of, family = struct.unpack("<8I", block[:32])
        if (first, second, struct.unpack("<I", block[-4:])[0]) != (_MAGIC, _SECOND, _END):
            raise NotAnImage(f"{image} is damaged or no UF2 file (block {number})", again)
        if family != _RP2040:
            raise NotAnImage(f"{image} is for another chip than the RP2040", "Take the Pico's")
        if (own, of) != (number, count):
            raise NotAnImage(
                f"{image} is not whole: {of} blocks belong to it, {count} are there", again
            )
    return data


def _read(image: Path) -> tuple[str, bytes, str]:
    """An image's name, its content, and the checksums that came with it ("" for none)."""
    if image.suffix.lower() != ".zip":
        beside = image.with_name(SUMS)
        sums = beside.read_text("ascii", "replace") if beside.exists() else ""
        return image.name, _at_most(image.open("rb")), sums
    with zipfile.ZipFile(image) as release:
        names = [name for name in release.namelist() if name.lower().endswith(".uf2")]
        if len(names) != 1 or SUMS not in release.namelist():
            raise NotAnImage(
                f"{image} is no release of the board's firmware",
                f"It holds one .uf2 file and {SUMS}; download it again",
            )
        sums = _at_most(release.open(SUMS)).decode("ascii", "replace")
        return names[0], _at_most(release.open(names[0])), sums


def _at_most(file: IO[bytes]) -> bytes:
    """What is in a file; of one that is larger than any image only so much as shows that."""
    with file:
        return file.read(_MOST + 1)


def mounted() -> list[Path]:
    """Where file systems are mounted."""
    lines = Path("/proc/mounts").read_text().splitlines()
    # The kernel writes spaces and the like as three octal digits.
    return [
        Path(re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), line.split()[1]))
        for line in lines
    ]


def find_drive(folders: Iterable[Path]) -> Path | None:
    """The one BOOTSEL drive of an RP2040 among these folders. Raises NoDrive for several."""
    found = []
    for folder in folders:
        try:
            text = (folder / DRIVE_SIGN).read_text("ascii", "replace")
        except OSError:
            continue  # not readable, or no such drive: not the one that is looked for
        if "RPI-RP2" in text:
            found.append(folder)
    if len(found) > 1:
        names = ", ".join(str(folder) for folder in found)
        raise NoDrive(f"there are several BOOTSEL drives: {names}", "Name one with --drive")
    return found[0] if found else None


def wait_for_drive(folders: Callable[[], Iterable[Path]], seconds: float) -> Path:
    """The BOOTSEL drive as soon as it is there. Raises NoDrive."""
    end = time.monotonic() + seconds
    while True:
        drive = find_drive(folders())
        if drive:
            return drive
        if time.monotonic() >= end:
            raise NoDrive(
                "no drive of a Pico in BOOTSEL mode is in sight",
                "Hold BOOTSEL while you plug the Pico in; where drives are not mounted by "
                "themselves, mount it and name the folder with --drive",
            )
        time.sleep(0.2)


def write_image(data: bytes, drive: Path) -> None:
    """Puts an image onto a BOOTSEL drive; the Pico then starts it. Raises NoDrive, FlashError."""
    if find_drive([drive]) is None:
        raise NoDrive(
            f"{drive} is not the drive of a Pico in BOOTSEL mode: it has no {DRIVE_SIGN} that "
            "names an RPI-RP2",
            "Hold BOOTSEL while you plug the Pico in",
        )
    written = 0
    try:
        with open(drive / "tableref-board.uf2", "wb", buffering=0) as file:
            while written < len(data):
                written += file.write(data[written:])
            os.fsync(file.fileno())
    except OSError as error:
        # The Pico restarts, and takes its drive away, with the last block.
        if written < len(data) or (drive / DRIVE_SIGN).exists():
            raise FlashError(
                f"{drive} took {written} of {len(data)} bytes ({error.strerror})",
                "Hold BOOTSEL, plug the Pico in again, and repeat",
            ) from error


def stage(folder: Path) -> None:
    """Lays out in `folder` what goes into the root of a Pico with stock MicroPython."""
    package = Path(tableref_firmware.__file__).parent
    # Beside the package in a checkout, within it where Tableref is installed.
    main = next(p for p in (package.parent / "main.py", package / "main.py") if p.exists())
    target = folder / "tableref_firmware"
    target.mkdir()
    for file in sorted(package.glob("*.py")):
        if file.name not in (*_NOT_ON_BOARD, "main.py"):
            shutil.copy(file, target)
    shutil.copy(main, folder / "main.py")


def mpremote(
    port: str, *commands: str, cwd: Path | None = None, seconds: float | None = None
) -> None:
    """Runs mpremote on a board that is in its prompt. Raises ToolMissing, ToolFailed."""
    if importlib.util.find_spec("mpremote") is None:
        raise ToolMissing("mpremote is not installed", "pip install mpremote")
    seconds = MPREMOTE_S if seconds is None else seconds
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", "connect", port, *commands],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise ToolFailed(
            f"mpremote has not ended after {seconds:.0f} s on {port}",
            "Join GP22 to ground, plug the board in again, and repeat",
        ) from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise ToolFailed(
            f"mpremote failed on {port}: {said[-1] if said else 'it says nothing'}",
            "If the board is not in its prompt, join GP22 to ground and plug it in again",
        )


def copy_files(port: str, folder: Path) -> None:
    """Copies what `stage` laid out onto a board in its prompt, and restarts it."""
    files = ("tableref_firmware", "main.py")
    mpremote(port, "cp", "-r", *files, ":", cwd=folder, seconds=COPY_S)
    restart(port)


def clear_files(port: str) -> None:
    """Takes our files off a board in its prompt: they would hide what a new image brings."""
    mpremote(port, "exec", _CLEAR)


def restart(port: str) -> None:
    """Starts a board in its prompt anew, and returns before it does."""
    mpremote(port, "exec", "--no-follow", _RESTART)
