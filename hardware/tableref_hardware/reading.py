"""Typed reading of objects out of TOML and JSON files: every error names file, key and what was
expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from tableref_hardware.files import FileError, shown


class BoardFileError(FileError):
    """A board file cannot be read, or does not say what a board must say."""


T = TypeVar("T")

MOST = 1e9
"""Of a length, an angle, a time in seconds or a count: nothing that our formats hold is larger."""


class Section:
    """One table of a file. It knows its own path, so that errors can name the key."""

    def __init__(self, source: str, path: str, values: Mapping[str, Any]) -> None:
        if not isinstance(values, Mapping):
            raise BoardFileError(f"{source}: expected an object, found {shown(values)}")
        self._source, self._path, self._values = source, path, values

    def __bool__(self) -> bool:
        return bool(self._values)

    def __iter__(self) -> Iterator[str]:
        """Keys of this section, in the file's order."""
        return iter(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def values(self) -> dict[str, Any]:
        """What stands in this section, for a reader that takes it whole."""
        return dict(self._values)

    def wrong(self, key: str, expected: str) -> BoardFileError:
        """An error that says what is wrong with `key`."""
        return BoardFileError(f"{self._source}: {self._path}{_key(key)}: {expected}")

    def _get(self, key: str, expected: str) -> Any:
        if key not in self._values:
            raise self.wrong(key, f"is missing, expected {expected}")
        return self._values[key]

    def text(self, key: str, default: str | None = None) -> str:
        """A text; `default` where the key is missing."""
        if default is not None and key not in self._values:
            return default
        value = self._get(key, "a text")
        if not isinstance(value, str):
            raise self.wrong(key, f"expected a text, found {shown(value)}")
        return value

    def perhaps(self, read: Callable[[str], T], key: str) -> T | None:
        """What `read` makes of a key; None where it is missing or null."""
        return None if self._values.get(key) is None else read(key)

    def choice(self, key: str, allowed: Iterable[str]) -> str:
        """A text out of `allowed`."""
        value, names = self.text(key), tuple(allowed)
        if value not in names:
            raise self.wrong(key, f"expected {' or '.join(map(repr, names))}, found {shown(value)}")
        return value

    def number(self, key: str, least: float = -MOST, most: float = MOST) -> float:
        """A number from `least` to `most`."""
        value = self._get(key, "a number")
        if not _is_number(value):
            raise self.wrong(key, f"expected a number, found {shown(value)}")
        if value < least:
            raise self.wrong(key, f"expected at least {least:g}, found {shown(value)}")
        if value > most:
            raise self.wrong(key, f"expected at most {most:g}, found {shown(value)}")
        return float(value)

    def integer(self, key: str, least: int = -int(MOST), most: int = int(MOST)) -> int:
        """A whole number from `least` to `most`."""
        value = self._get(key, "a whole number")
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(key, f"expected a whole number, found {shown(value)}")
        if not least <= value <= most:
            raise self.wrong(key, f"expected {least} to {most}, found {value}")
        return value

    def flag(self, key: str) -> bool:
        """true or false."""
        value = self._get(key, "true or false")
        if not isinstance(value, bool):
            raise self.wrong(key, f"expected true or false, found {shown(value)}")
        return value

    def integers(self, key: str) -> list[int]:
        """A list of whole numbers."""
        return list(self._list(key, "whole numbers", int))

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        return list(self._list(key, "texts", str))

    def lists(self, key: str) -> list[list[Any]]:
        """A list of lists."""
        return list(self._list(key, "lists", list))

    def points(self, key: str) -> list[tuple[float, float]]:
        """A list of [x, y]."""
        points = self._list(key, "[x, y] pairs", list)
        for point in points:
            if len(point) != 2 or not all(_is_number(n) and abs(n) <= MOST for n in point):
                raise self.wrong(key, f"expected [x, y], found {shown(point)}")
        return [(float(x), float(y)) for x, y in points]

    def numbers(self, key: str, count: int) -> list[float]:
        """A list of so many numbers."""
        values = self._get(key, f"{count} numbers")
        if (
            not isinstance(values, list)
            or len(values) != count
            or not all(_is_number(n) and abs(n) <= MOST for n in values)
        ):
            raise self.wrong(key, f"expected {count} numbers, found {shown(values)}")
        return list(map(float, values))

    def _list(self, key: str, of: str, kind: type) -> list[Any]:
        values = self._get(key, f"a list of {of}")
        if not isinstance(values, list):
            raise self.wrong(key, f"expected a list of {of}, found {values!r}")
        for value in values:
            if not isinstance(value, kind) or isinstance(value, bool):
                raise self.wrong(key, f"expected {of}, found {shown(value)}")
        return values

    def section(self, key: str, optional: bool = False) -> Section:
        """A table below this one; an empty one where it is missing and `optional`."""
        value = self._values.get(key, {}) if optional else self._get(key, "a section")
        if not isinstance(value, dict):
            raise self.wrong(key, f"expected a section [{self._path}{key}], found {shown(value)}")
        return Section(self._source, f"{self._path}{key}.", value)

    def sections(self, key: str) -> list[Section]:
        """A list of tables (`[[key]]`), empty where there is none."""
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(v, dict) for v in values):
            raise self.wrong(key, f"expected sections [[{self._path}{key}]]")
        return [
            Section(self._source, f"{self._path}{key}[{number}].", value)
            for number, value in enumerate(values)
        ]


def _key(key: str) -> str:
    """A key in a message: as it is where people wrote a plain word."""
    return key if key.isprintable() and len(key) <= 40 else shown(key)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
