"""Recordings: every input of an evening, a line of JSON each; played again they are a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from tableref.errors import UserError
from tableref.referee.inputs import Input, read_input

FORMAT = "table-recording/1"


class Recorder:
    """Writes a head and then every input to a file."""

    def __init__(self, stream: TextIO, head: dict[str, Any]) -> None:
        self._stream = stream
        self._write({"format": FORMAT, "head": head})

    def __call__(self, given: Input) -> None:
        """Notes one input."""
        self._write(given.record())

    def _write(self, record: dict[str, Any]) -> None:
        self._stream.write(json.dumps(record, ensure_ascii=False) + "\n")
        self._stream.flush()


def read_recording(path: Path) -> tuple[dict[str, Any], Iterator[Input]]:
    """Head and inputs of a recording. UserError names the line that cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from error
    head = _line(path, 1, lines[0] if lines else "")
    if head.get("format") != FORMAT or not isinstance(head.get("head"), dict):
        raise UserError(f"{path}: not a recording ({FORMAT})")
    return head["head"], _inputs(path, lines[1:])


def _inputs(path: Path, lines: list[str]) -> Iterator[Input]:
    for number, line in enumerate(lines, 2):
        try:
            yield read_input(_line(path, number, line))
        except ValueError as error:
            raise UserError(f"{path}: line {number}: {error}") from error


def _line(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise UserError(f"{path}: line {number}: not readable as JSON: {error}") from error
    if not isinstance(record, dict):
        raise UserError(f"{path}: line {number}: expected an object")
    return record
