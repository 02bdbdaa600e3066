"""What an eye has learnt of one table's pieces, kept in a file for the next evening: the pictures
that it learnt from, and what lay where in them. It is learnt again from them, so that a better eye
makes the better of the same pictures.

The file is a zip: `looks.json` with its version, and a JPEG a picture.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tableref_hardware import Board
from tableref_hardware.files import FileError
from tableref_hardware.reading import Section
from tableref_vision.camera import Frame
from tableref_vision.errors import VisionError
from tableref_vision.opencv import Picture, cv2, np

VERSION = 1
"""Another is learnt anew."""
WORDS = "looks.json"
QUALITY = 95  # of the JPEGs: signs of pieces are a few pixels large
MOST = 24_000_000  # bytes of a picture in the file
PIXELS = 12_600_000  # of one


class Taught(NamedTuple):
    """A picture, and what lies where in it, as texts."""

    image: Picture
    cells: Mapping[str, str]


class Looks(NamedTuple):
    """The empty board, and the pictures from which pieces were learnt."""

    empty: Picture
    lessons: Sequence[Taught]


def save(path: Path, board: Board, looks: Looks) -> None:
    """Keep this for the next evening; what was kept before stays until all is written. OSError"""
    pictures = [looks.empty, *(lesson.image for lesson in looks.lessons)]
    words = {
        "version": VERSION,
        "board": _board(board),
        "lessons": [dict(lesson.cells) for lesson in looks.lessons],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    try:
        with zipfile.ZipFile(new, "w") as kept:
            kept.writestr(WORDS, json.dumps(words, ensure_ascii=False))
            for number, picture in enumerate(pictures):
                _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
                kept.writestr(f"{number}.jpg", data.tobytes())
        with new.open("rb") as written:
            os.fsync(written.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def load(path: Path, board: Board) -> Looks | None:
    """What was kept for this board; None where nothing was, or by another version, or of another
    board. VisionError where the file is damaged."""
    if not path.exists():
        return None
    try:
        with zipfile.ZipFile(path) as kept:
            words = Section(str(path), "", json.loads(_content(kept, WORDS)))
            if words.integer("version") != VERSION or words.section("board").values() != (
                _board(board)
            ):
                return None
            lessons = [
                {cell: told.text(cell) for cell in told} for told in words.sections("lessons")
            ]
            if any(cell not in board.cells for cells in lessons for cell in cells):
                return None
            pictures = [_picture(kept, number) for number in range(len(lessons) + 1)]
    except (
        OSError, zipfile.BadZipFile, KeyError, ValueError, FileError, RuntimeError,
        NotImplementedError, EOFError, RecursionError, cv2.error,
    ) as error:  # fmt: skip
        raise VisionError(f"{path}: what was learnt on another evening is damaged") from error
    taught = [Taught(image, cells) for image, cells in zip(pictures[1:], lessons, strict=True)]
    return Looks(pictures[0], taught)


def frame_of(picture: Picture, name: str) -> Frame:
    """A picture as a frame to learn from."""
    return Frame(picture, 0.0, name)


def _content(kept: zipfile.ZipFile, name: str) -> bytes:
    """ValueError where it would be larger than anything that was written."""
    if kept.getinfo(name).file_size > MOST:
        raise ValueError(f"{name} is too large")
    return kept.read(name)


def _picture(kept: zipfile.ZipFile, number: int) -> Picture:
    data = np.frombuffer(_content(kept, f"{number}.jpg"), np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if picture is None or picture.shape[0] * picture.shape[1] > PIXELS:
        raise ValueError(f"{number}.jpg is no picture")
    return np.asarray(picture, np.uint8)


def _board(board: Board) -> dict[str, object]:
    """Of the board file, that by which what was learnt depends on it."""
    return {
        "game": board.game,
        "plate": [board.plate.width, board.plate.depth],
        "cells": len(board.cells),
        "looks": sorted(board.looks),
    }
