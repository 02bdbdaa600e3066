"""The Pi's pins: the right chip, a library that works, and who holds a pin that is taken.

gpiozero would pick a library by import alone. Here one counts only when the devices asked for
could be made with it, for a library may import well and then fail to watch edges.
"""

from __future__ import annotations

import errno
import fcntl
import importlib
import importlib.metadata
import logging
import os
import struct
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from tableref.devices.lock import FileLock, LockHeld
from tableref.devices.trouble import DeviceError

T = TypeVar("T")
log = logging.getLogger(__name__)

FACTORIES: Mapping[str, tuple[str, str]] = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
}
# The chip whose lines are the 40-pin header's: Pi 5; Pi 4; Pi 3 and Zero 2 W.
HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
CHIP_INFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL: name[32], label[32], number of lines
LINE_INFO = 0xC100B405  # GPIO_V2_GET_LINEINFO_IOCTL: name[32], consumer[32], line, ...: 256 bytes


class PinError(DeviceError):
    """The Pi's pins cannot be used."""


class PinBusy(PinError):
    """Somebody else has the pin."""


def chip_label(device: Path) -> str:
    """What the kernel calls this `/dev/gpiochip*`: `pinctrl-rp1`. OSError"""
    with device.open("rb") as chip:
        answer = fcntl.ioctl(chip, CHIP_INFO, bytes(68))
    _, label, _ = struct.unpack("32s32sI", answer)
    return str(label.rstrip(b"\0").decode("ascii", "replace"))


def header_chip(
    folder: Path = Path("/dev"), label_of: Callable[[Path], str] = chip_label
) -> int | None:
    """The number of the chip that the header hangs on, told by its label; None where none is.

    Its number is 0 or 4 on a Pi 5, depending on the kernel, and 0 on the others.
    """
    for device in sorted(folder.glob("gpiochip[0-9]*")):
        try:
            if label_of(device) in HEADER_CHIPS:
                return int(device.name.removeprefix("gpiochip"))
        except OSError as error:
            log.info("%s does not tell its label: %s", device, error)
    return None


def line_holder(pin: int, device: Path | None = None) -> str:
    """Who holds this line of the header, as the kernel has it: the name that the holder gave.

    Empty where nobody does, or where the kernel cannot be asked.
    """
    number = header_chip()
    device = device or Path(f"/dev/gpiochip{number or 0}")
    request = bytearray(256)
    struct.pack_into("I", request, 64, pin)
    try:
        with device.open("rb") as chip:
            fcntl.ioctl(chip, LINE_INFO, request)
    except OSError as error:
        log.info("%s does not tell who holds line %d: %s", device, pin, error)
        return ""
    return request[32:64].rstrip(b"\0").decode("ascii", "replace")


def claim(pin: int, option: str, device: Callable[..., T], factory: Any, **more: Any) -> T:
    """`device(pin)` of gpiozero. PinBusy names pin, holder and the option that sets the pin."""
    from gpiozero.exc import GPIOPinInUse

    try:
        return device(pin, pin_factory=factory, **more)
    except Exception as error:
        # Each library has its own class for it; all have the kernel's word "busy".
        if not isinstance(error, GPIOPinInUse) and "busy" not in str(error).lower():
            raise
        holder = line_holder(pin) or "another program or another part of this one"
        raise PinBusy(
            f"GPIO{pin} is held by {holder} ({error})",
            f"Stop that, or set {option} to another pin in the configuration.",
        ) from error


def clashing_packages(installed: Callable[[], Iterable[str]] | None = None) -> tuple[str, ...]:
    """RPi.GPIO and rpi-lgpio where both are installed: they overwrite each other's files."""
    names = installed() if installed else _installed()
    both = {"rpi.gpio", "rpi-lgpio"}
    found = {name.lower() for name in names} & both
    return tuple(sorted(found)) if found == both else ()


def _installed() -> Iterable[str]:
    return (d.metadata["Name"] or "" for d in importlib.metadata.distributions())


def open_with_pins(
    make: Callable[[Any], T],
    factories: Mapping[str, Callable[[], Any]] | None = None,
) -> T:
    """`make(factory)` with the first gpiozero pin factory under which it works.

    Says once, in the log, that it had to fall back. PinBusy at once where a pin is taken, for
    another library would only fight over it; PinError where no library works.
    """
    failures: list[str] = []
    for name, open_factory in (factories or _factories()).items():
        factory = None
        try:
            factory = open_factory()
            made = make(factory)
        except PinError:  # the request is at fault, not the library
            _close(factory)
            raise
        except Exception as error:  # libraries raise all sorts of things here, ImportError to own
            _close(factory)
            failures.append(f"{name}: {error or type(error).__name__}")
            continue
        if failures:
            log.warning("using the pin library %s, for others failed: %s", name, failures)
        return made
    raise PinError(
        f"no pin library works here ({'; '.join(failures)})",
        "On a Pi: sudo apt install python3-lgpio, and make the virtual environment with "
        "--system-site-packages. Without pins leave --panel away: what buttons say can be typed.",
    )


def _factories() -> Mapping[str, Callable[[], Any]]:
    """The known factories, or only the one that GPIOZERO_PIN_FACTORY names, as with gpiozero."""
    _let_lgpio_write()
    wanted = os.environ.get("GPIOZERO_PIN_FACTORY")
    if wanted == "mock":
        return {"mock": lambda: _factory("gpiozero.pins.mock", "MockFactory")()}
    names = [wanted] if wanted and wanted in FACTORIES else list(FACTORIES)
    return {name: _opener(name) for name in names}


def _opener(name: str) -> Callable[[], Any]:
    def opened() -> Any:
        factory = _factory(*FACTORIES[name])
        if name != "lgpio":
            return factory()
        return factory(chip=header_chip())

    return opened


def _factory(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def _let_lgpio_write() -> None:
    """lgpio keeps a pipe in the working folder; a service's may be read-only."""
    if "LG_WD" not in os.environ and not os.access(os.getcwd(), os.W_OK):
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="tableref-lgpio-")


def _close(factory: Any) -> None:
    if factory is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a library that failed may complain once more
            factory.close()


class HardwareLock:
    """One Tableref at a time on this computer's pins and displays.

    The lock is the kernel's and ends with its process, so a crash leaves none behind; the file
    tells the next one who holds it.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Take the lock. PinBusy, naming the holder."""
        path = path or _lock_path()
        try:
            self._lock = FileLock(path, 0o644)
        except LockHeld as held:
            raise PinBusy(
                f"the table's hardware is in use by process {held.process} ({held.command})",
                f"`ps {held.process}` tells more; a service ends with: "
                "sudo systemctl stop tableref",
            ) from held
        except OSError as error:
            why = "it is a link" if error.errno == errno.ELOOP else str(error)
            raise PinError(f"{path}: cannot be opened ({why})", "May you write there?") from error

    def close(self) -> None:
        """Give the lock back."""
        self._lock.close()


def _lock_path() -> Path:
    """The same for all users: a service and a person must not both drive the table."""
    folder = Path("/run/lock")
    return (folder if folder.is_dir() else Path(tempfile.gettempdir())) / "tableref.lock"
