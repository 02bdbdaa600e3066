"""What can go wrong with the board's link: one class a failure, each with its cure."""

from __future__ import annotations

import errno

from tableref.devices.trouble import DeviceError

FLASH = "`tableref board flash`"


class LinkError(DeviceError):
    """The board cannot be reached, or not be used."""


class PortNotFound(LinkError):
    """No port of this name, or no port at all that a board answers on."""


class PortBusy(LinkError):
    """Another program holds the port."""


class PortForbidden(LinkError):
    """This user may not open the port."""


class PortGone(LinkError):
    """The port was there and failed: cable, power or a reset."""


class BoardSilent(LinkError):
    """The port is open and nothing sensible comes from it."""


class BoardRestarted(LinkError):
    """The board has reset and knows nothing any more."""


class WrongFirmware(LinkError):
    """The board speaks another version of the protocol."""


class BoardRefused(LinkError):
    """The board understood a message and will not obey it."""


class SeveralBoards(LinkError):
    """More than one port has a board, and nobody has said which one is meant."""


class LinkFault(LinkError):
    """Something in the link failed that must not; it begins anew."""


_FORBIDDEN = (errno.EACCES, errno.EPERM)
_BUSY = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
_MISSING = (errno.ENOENT, errno.ENXIO, errno.ENODEV)


def open_error(path: str, error: BaseException) -> LinkError:
    """The error that opening `path` failed with, in our words."""
    number = _number(error)
    if number in _FORBIDDEN:
        return PortForbidden(
            f"{path} may not be opened by this user",
            "Add yourself to its group and log in again: sudo usermod -aG dialout $USER",
        )
    # pyserial says that a lock failed in words alone.
    if number in _BUSY or "exclusively lock" in str(error):
        return PortBusy(
            f"{path} is in use by another program",
            f"Close that (another Tableref, a terminal, ModemManager); `fuser {path}` names it",
        )
    if number == errno.ENOTTY:
        return PortNotFound(
            f"{path} is no serial port", "See `ls /dev/serial/by-id` for those here"
        )
    if number in _MISSING:
        return PortNotFound(f"there is no {path}", "Plug the board in; `ls /dev/serial/by-id`")
    return PortGone(
        f"{path} cannot be opened ({error})", "Unplug the board, wait 5 s and plug it in again"
    )


def use_error(path: str, error: BaseException) -> LinkError:
    """The error that reading or writing `path` failed with, in our words."""
    if _number(error) in _BUSY:
        return PortBusy(
            f"{path} was taken by another program",
            f"Close that (a terminal, ModemManager); `fuser {path}` names it",
        )
    return PortGone(f"{path} failed ({error})", "Check the board's cable and power")


def _number(error: BaseException) -> int | None:
    """The errno of an error. termios.error keeps it in its arguments, and pyserial only says in
    words what it got there."""
    number = getattr(error, "errno", None)
    if number is None and error.args and isinstance(error.args[0], int):
        number = error.args[0]
    if number is None and error.__context__ is not None:
        return _number(error.__context__)
    return number
