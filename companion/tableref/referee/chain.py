"""What a journal's file holds, line by line, each with a checksum over itself and all before it.

Whatever is changed, lost or added shows at the line where it happened. Pure; `journal.py` keeps it
in a database.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tableref.referee.table import ROW_KINDS, Row

FORMAT = "table-journal/2"
FIRST_FORMAT = "table-journal/1"
"""Without checksums: still read, and kept in the newer form as soon as its game goes on."""

SUM = "sum"
"""The head's key under which its own checksum stands."""


class Line(NamedTuple):
    """A row as it is kept: its number from 1, the number of the first row of its step, its kind and
    data (JSON), when it was written, and the checksum."""

    seq: int
    step: int
    kind: str
    data: str
    monotonic: float
    boot: str
    wall: str
    sum: str

    def row(self) -> Row:
        """The row. ValueError where its data are none."""
        return Row(self.kind, as_object(self.data))


class Damage(NamedTuple):
    """What is wrong with a journal: the first row that is not to be trusted, 0 for the head, and
    why."""

    row: int
    why: str


def text_of(value: Any) -> str:
    """The JSON of a value, always the same for the same value."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a character, which JSON can say and UTF-8 cannot
        return json.dumps(value, sort_keys=True)
    return text


def as_object(text: str) -> dict[str, Any]:
    """The object of a JSON text. ValueError"""
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"it is not readable as JSON: {error}") from error
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    return value


def head_sum(texts: Mapping[str, str]) -> str:
    """The checksum of a head: key -> JSON."""
    pairs = [(key, text) for key, text in texts.items() if key != SUM]
    # A damaged file may hold bytes or numbers where a text was.
    return _digest("", sorted(pairs, key=lambda pair: tuple(map(str, pair))))


def line_sum(before: str, line: Line) -> str:
    """The checksum of a line that follows one with the checksum `before`."""
    return _digest(before, list(line[:-1]))


def linked(before: str, last: int, lines: Iterable[Line]) -> list[Line]:
    """The lines numbered from `last` + 1 on, with checksums; `before` is that of the line before.

    `step` is moved along with the numbers.
    """
    made: list[Line] = []
    for seq, line in enumerate(lines, last + 1):
        line = line._replace(seq=seq, step=line.step + seq - line.seq)
        before = line_sum(before, line)
        made.append(line._replace(sum=before))
    return made


def first_damage(head: str | None, lines: Sequence[Line], tail: tuple[int, str]) -> Damage | None:
    """The first line that does not fit, where there is one.

    `head` is the head's checksum, None in a journal of the first form, whose lines have none;
    `tail` the number and the checksum that the last line should have.
    """
    before = head or ""
    for number, line in enumerate(lines, 1):
        if line.seq != number:
            return Damage(number, "it is missing")
        if type(line.step) is not int or not 1 <= line.step <= number:
            return Damage(number, "its step is no number of a row")
        if head is not None:
            before = line_sum(before, line)
            if line.sum != before:
                return Damage(number, "its checksum does not fit")
        if line.kind not in ROW_KINDS:
            return Damage(number, f"{line.kind!r} is no kind of row that this Tableref knows")
        try:
            line.row()
        except ValueError as error:
            return Damage(number, str(error))
    if head is not None and tail != (len(lines), before):
        return Damage(len(lines) + 1, "the rows end before or after their count")
    return None


def _digest(before: str, value: Any) -> str:
    # A damaged file may hold bytes where a text was.
    content = json.dumps([before, value], default=repr).encode("ascii")
    return hashlib.blake2b(content, digest_size=16).hexdigest()
