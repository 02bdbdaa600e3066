"""`tableref board flash`: new firmware for the board, and its version before and after."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tableref.devices.link import LinkError, Ports, flash
from tableref.devices.link.errors import BoardSilent, PortNotFound
from tableref.devices.link.escape import await_prompt, send_to_prompt
from tableref.errors import UserError

_LOOK_S = 1.0  # a firmware that runs answers at once
_BACK_S = 20.0  # a board that starts, and a computer that gives it a port
_DRIVE_S = 20.0
_AGAIN_S = 0.2


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to flash, and where."""
    parser.add_argument(
        "image",
        nargs="?",
        type=Path,
        help="an image (.uf2, or the .zip of a release), onto the drive of a Pico in BOOTSEL mode; "
        "without it the firmware's files are copied onto a Pico that has MicroPython, through "
        "mpremote",
    )
    parser.add_argument("--drive", type=Path, help="the BOOTSEL drive, where it is not found")
    parser.add_argument(
        "--port", default="auto", help="the board's serial device (default: the one that answers)"
    )


def run(
    args: argparse.Namespace,
    ports: Ports | None = None,
    folders: Callable[[], Iterable[Path]] = flash.mounted,
) -> int:
    """0 when the board then runs this Tableref's firmware, 1 when it runs another or none."""
    ports = ports or Ports()
    if args.image is None:
        if args.drive is not None:
            raise UserError("--drive is for an image: name the .uf2 file too")
        return _files(ports, args.port)
    data = flash.check_image(args.image)
    return _image(ports, args.port, data, args.drive, folders)


def _image(
    ports: Ports,
    wanted: str,
    data: bytes,
    drive: Path | None,
    folders: Callable[[], Iterable[Path]],
) -> int:
    name, before = _who(ports, wanted, _LOOK_S)
    print(f"before: {before or 'no board answers'}")
    drive = drive or flash.find_drive(folders())
    if drive is None and name and before:
        _to_prompt(ports, name)
        flash.clear_files(name)
        flash.mpremote(name, "bootloader")
    flash.write_image(data, drive or flash.wait_for_drive(folders, _DRIVE_S if before else 0.0))
    return _report(ports, wanted)


def _files(ports: Ports, wanted: str) -> int:
    name, before = _who(ports, wanted, _LOOK_S)
    print(f"before: {before or 'no firmware of ours answers'}")
    if before:
        assert name is not None
        _to_prompt(ports, name)
    elif name is None:
        candidates = ports.candidates() if wanted == "auto" else [wanted]
        if len(candidates) != 1:
            raise PortNotFound(
                "no firmware of ours answers, and "
                + (f"there are {len(candidates)} ports" if candidates else "there is no port"),
                "Plug the board in, and name its port with --port",
            )
        name = candidates[0]
    with tempfile.TemporaryDirectory() as folder:
        flash.stage(Path(folder))
        flash.copy_files(name, Path(folder))
    return _report(ports, wanted)


def _to_prompt(ports: Ports, name: str) -> None:
    port = ports.open(name)
    try:
        send_to_prompt(port, _BACK_S)
    finally:
        port.close()
    await_prompt(lambda: ports.open(name), _BACK_S)


def _who(ports: Ports, wanted: str, seconds: float) -> tuple[str | None, str | None]:
    """The port on which our firmware answers, and its version; twice None where none does."""
    for name in ports.candidates() if wanted == "auto" else [wanted]:
        try:
            port = ports.open(name)
        except LinkError:
            if wanted != "auto":
                raise
            continue  # another program's port is none of ours
        try:
            version = flash.version_on(port, seconds)
        except LinkError:
            version = None  # it went away: a board that restarts
        finally:
            port.close()
        if version:
            return name, version
    return None, None


def _report(ports: Ports, wanted: str) -> int:
    end = time.monotonic() + _BACK_S
    after = None
    while after is None and time.monotonic() < end:
        with contextlib.suppress(LinkError):  # its port comes and goes while it starts
            _, after = _who(ports, wanted, _LOOK_S)
        if after is None:
            time.sleep(_AGAIN_S)
    if after is None:
        raise BoardSilent(
            f"the new firmware has not answered in {_BACK_S:.0f} s",
            "Unplug the board, wait 5 s, plug it in again, and see `tableref board status`",
        )
    print(f"after:  {after}")
    if after != flash.own_version():
        print(
            f"That is not the firmware of this Tableref ({flash.own_version()}). An image from "
            "another version was flashed, or files on the board hide it: "
            "`tableref board flash` without an image renews the files"
        )
        return 1
    return 0
