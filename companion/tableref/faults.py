"""The last resort: a fault of Tableref itself becomes a report in a file and one sentence."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from tableref import __version__

EXIT_CODE = 70
"""Of a command that ended by a fault of its own (EX_SOFTWARE of sysexits.h)."""
_SECRET = re.compile(r"pass|secret|token|key|pin\b", re.IGNORECASE)


def report(error: BaseException, arguments: Sequence[str]) -> str:
    """Writes what is needed to find a fault; the sentence that says where it was written."""
    text = "\n".join(
        (
            f"Tableref {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"arguments: {' '.join(map(ascii, without_secrets(arguments)))}",
            "",
            "".join(traceback.format_exception(error)),
        )
    )
    what = f"a fault of Tableref ({type(error).__name__})"
    for folder in _folders():
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            name = time.strftime("fault-%Y%m%d-%H%M%S-") + f"{os.getpid()}.txt"
            path = folder / name
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError:
            continue
        return f"{what}, written to {path}; please send us that file"
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"{what} at {place}; no folder takes a report of it, so please send us this line"


def _folders() -> Iterator[Path]:
    """Where a report may go: where programs keep such things, else where all may write."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(
        os.path.expanduser("~"), ".local/state"
    )
    yield Path(state) / "tableref"
    try:
        yield Path(tempfile.gettempdir())
    except OSError:
        return


def without_secrets(arguments: Sequence[str]) -> list[str]:
    """The arguments, with `...` for what an option like --password says."""
    told: list[str] = []
    hide = False
    for word in arguments:
        name, equals, _ = word.partition("=")
        secret = word.startswith("-") and bool(_SECRET.search(name))
        if secret and equals:
            word = f"{name}=..."
        told.append("..." if hide and not word.startswith("-") else word)
        hide = secret and not equals
    return told


def open_streams() -> None:
    """Gives a program that was started without input or output (`>&-`) streams that lead nowhere.

    Otherwise the next file that is opened, a journal perhaps, would get the number of the output.
    """
    for number, mode, name in ((0, "r", "stdin"), (1, "w", "stdout"), (2, "w", "stderr")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)
