"""Recordings: every input of an evening, a line of JSON each; played again they are a test."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from tableref.errors import UserError
from tableref.referee.heads import read_head
from tableref.referee.inputs import Input, misfit, read_input
from tableref_hardware import Board
from tableref_hardware.files import FileError, parse_json, read_lines
from tableref_hardware.reading import Section

FORMAT = "table-recording/1"


def new_recording(path: Path) -> TextIO:
    """A file for a recording, which tells secrets: only its owner may read it. UserError where
    there is one of that name, for nothing that was recorded is overwritten."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        return open(os.open(path, flags, 0o600), "w", encoding="utf-8")
    except FileExistsError as error:
        raise UserError(
            f"{path}: it is there already, and nothing recorded is overwritten; name another file"
        ) from error
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error


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
    lines = _records(path)
    try:
        _, head = next(lines, (1, {}))
        if head.get("format") != FORMAT:
            raise FileError(f"{path}: not a recording ({FORMAT})")
        told = read_head(Section(f"{path}: line 1", "", head).section("head"))
    except FileError as error:
        raise UserError(str(error)) from error
    return told, _inputs(path, lines)


def _inputs(path: Path, lines: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Input]:
    try:
        for number, record in lines:
            yield read_input(record, f"{path}: line {number}")
    except FileError as error:
        raise UserError(str(error)) from error


def _records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a recording with their numbers. FileError"""
    for number, line in read_lines(path):
        record = parse_json(line, f"{path}: line {number}")
        if not isinstance(record, dict):
            raise FileError(f"{path}: line {number}: expected an object")
        yield number, record


def fitting(inputs: Iterator[Input], board: Board, players: int) -> Iterator[Input]:
    """The inputs, as long as they are of this table. UserError names the first that is not."""
    for number, given in enumerate(inputs, 1):
        if wrong := misfit(given, board, players):
            raise UserError(f"input {number} of the recording: {wrong}")
        yield given
