"""Text files as people hand them over: read, and parsed as JSON or TOML, with kind errors.

What comes out is plain: text in UTF-8, numbers that are finite and fit a double exactly, no name
twice in an object, nothing nested deeper than `DEEPEST`. So whoever reads on needs to check only
kinds and ranges. Every error is a FileError of one line: file, place, what is wrong.
"""

from __future__ import annotations

import json
import math
import os
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

MOST_BYTES = 16_000_000
"""Of a file that is read at once, and of one line of a file that is read line by line."""
DEEPEST = 40
"""Lists and objects inside one another; the deepest of our formats needs seven."""
MOST_DIGITS = 15
"""Of a whole number: more, and a double does not hold it exactly."""
SHOWN = 60
"""Characters of a value that a message quotes."""


class FileError(ValueError):
    """A file cannot be read, or is not what its format asks for."""


def shown(value: object) -> str:
    """A value in a message: on one line, cut where it is long."""
    try:
        text = ascii(value)
    except (RecursionError, ValueError):  # nested too deep, a number of thousands of digits
        return f"a {type(value).__name__} too large to show"
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def read_text(path: Path | str) -> str:
    """The text of a file, without a byte order mark. FileError"""
    with open_file(path) as file:
        try:
            raw = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise FileError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(raw) > MOST_BYTES:
        raise FileError(f"{path}: is larger than {MOST_BYTES // 1_000_000} MB; is it another file?")
    return _text(raw, str(path))


def read_lines(path: Path | str) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, one in memory at a time. FileError"""
    with open_file(path) as file:
        yield from lines_of(file, str(path))


def lines_of(file: BinaryIO, source: str) -> Iterator[tuple[int, str]]:
    """The same of an open file. Lines end with a line feed alone: others may stand in a text."""
    number = 0
    while True:
        try:
            raw = file.readline(MOST_BYTES + 1)
        except OSError as error:
            raise FileError(f"{source}: cannot be read: {error.strerror or error}") from error
        if not raw:
            return
        number += 1
        where = f"{source}: line {number}"
        if len(raw) > MOST_BYTES:
            raise FileError(f"{where}: is longer than {MOST_BYTES // 1_000_000} MB")
        text = _text(raw, where, "utf-8-sig" if number == 1 else "utf-8")
        yield number, text.rstrip("\r\n")


def open_file(path: Path | str) -> BinaryIO:
    """A file, or what a shell hands over as `/dev/stdin` or `<(...)`; no other device. FileError"""
    try:
        mode = os.stat(path).st_mode
        handed_over = stat.S_ISFIFO(mode) and str(path).startswith(("/dev/", "/proc/"))
        if stat.S_ISREG(mode) or handed_over:
            return open(path, "rb")
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a zero byte in the name
        raise FileError(f"{path!r}: is no name of a file: {error}") from error
    kind = "a folder" if stat.S_ISDIR(mode) else "no regular file"
    raise FileError(f"{path}: cannot be read: it is {kind}")


def parse_json(text: str, source: str) -> Any:
    """What this JSON says; `source` names it in errors. FileError"""
    try:
        value = json.loads(
            text,
            parse_constant=_no_number,
            parse_int=_whole,
            parse_float=_finite,
            object_pairs_hook=_once,
        )
    except RecursionError:
        raise FileError(f"{source}: is nested too deep to be read") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FileError(f"{source}: not readable as JSON: {error.msg} ({place})") from error
    except ValueError as error:
        raise FileError(f"{source}: not readable as JSON: {error}") from error
    _check(value, source)
    return value


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """What this TOML says; `source` names it in errors. FileError"""
    try:
        value = tomllib.loads(text)
    except RecursionError:
        raise FileError(f"{source}: is nested too deep to be read") from None
    except ValueError as error:
        raise FileError(f"{source}: not readable as TOML: {error}") from error
    _check(value, source)
    return value


def read_json(path: Path | str) -> Any:
    """What a JSON file says. FileError"""
    return parse_json(read_text(path), str(path))


def _text(raw: bytes, source: str, encoding: str = "utf-8-sig") -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileError(
            f"{source}: is no text in UTF-8 (byte {error.start + 1}); save it as UTF-8"
        ) from None


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits; {MOST_DIGITS} are the most")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{shown(digits)} is too large a number")
    return number


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shown(twice)} stands there twice")
    return found


def _check(value: Any, source: str) -> None:
    """FileError where a value is nested too deep, has half a character, or a number too large."""
    todo: list[tuple[Any, str, int]] = [(value, "", 0)]
    while todo:
        value, place, depth = todo.pop()
        if depth > DEEPEST:
            raise FileError(f"{source}: {place}: is nested deeper than {DEEPEST} levels")
        if isinstance(value, dict):
            for key, inner in value.items():
                if not _whole_text(key):
                    raise FileError(f"{source}: {place}{key!a}: has half a character in it")
                todo.append((inner, f"{place}.{key}" if place else key, depth + 1))
        elif isinstance(value, list):
            todo += [(inner, f"{place}[{n}]", depth + 1) for n, inner in enumerate(value)]
        elif isinstance(value, str):
            if not _whole_text(value):
                raise FileError(f"{source}: {place}: {shown(value)} has half a character in it")
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise FileError(f"{source}: {place}: {value} is no number that can be used")
        elif isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
            raise FileError(f"{source}: {place}: a number of more than {MOST_DIGITS} digits")


def _whole_text(text: str) -> bool:
    """Whether every character can be written: none is half of a surrogate pair."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)
