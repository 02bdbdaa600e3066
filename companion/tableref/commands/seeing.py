"""What `tableref see` says of one picture, be it a file or a camera's: as record, text, drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tableref_hardware import Board

if TYPE_CHECKING:
    from tableref_vision.calibration import Calibration
    from tableref_vision.camera import Frame
    from tableref_vision.dice.reader import DiceReader
    from tableref_vision.dice.seen import SeenDie
    from tableref_vision.observation import Observation
    from tableref_vision.opencv import Picture
    from tableref_vision.untagged.reader import Reading, UntaggedReader


class Sight(NamedTuple):
    """What is seen: a JSON object, the same for people, and what makes the picture with it drawn
    over, which takes a picture's memory once more."""

    record: dict[str, Any]
    text: str
    drawing: Callable[[], Picture]


class TaggedEye:
    """Looks at a board whose pieces wear tags, at dice, or at both."""

    def __init__(
        self, board: Board | None, calibration: Calibration | None, dice: DiceReader | None
    ) -> None:
        self._board, self._calibration, self._dice = board, calibration, dice
        self._start()

    def _start(self) -> None:
        from tableref_vision.reader import BoardReader

        self._reader = BoardReader(self._board, self._calibration) if self._board else None

    def look(self, frame: Frame, alone: bool = False) -> Sight:
        """What this frame shows; `alone`: it follows no other."""
        if alone:
            self._start()
        record: dict[str, Any] = {"image": frame.name}
        lines = [frame.name]
        drawing: Callable[[], Picture] = frame.image.copy
        if self._board is not None and self._reader is not None:
            from tableref_vision.corners import corner_words
            from tableref_vision.drawing import draw

            seen = self._reader.read(frame)
            corners = corner_words(self._board.corner_tags, self._reader.corners, self._reader.view)
            record, lines = _record(seen), _lines(seen, self._board, corners)
            drawing = partial(draw, frame, self._board, seen, self._reader.view)
        if self._dice is not None:
            from tableref_vision.dice.showing import text

            found = self._dice.read(frame.image, alone)
            lines += _mat_lines(self._dice)
            record["dice"] = [die.record() for die in found]
            lines += map(text, found) if found else ["  no dice"]
            drawing = partial(_with_dice, drawing, found)
        return Sight(record, "\n".join(lines), drawing)


class UntaggedEye:
    """Looks at a board whose pieces wear no tags."""

    def __init__(self, reader: UntaggedReader) -> None:
        self._reader = reader

    def look(self, frame: Frame, alone: bool = False) -> Sight:
        """What this frame shows; each is read by itself, with what was taught."""
        from tableref_vision.corners import corner_words
        from tableref_vision.drawing import draw_reading

        reader = self._reader
        reading = reader.read(frame)
        corners = corner_words(reader.board.corner_tags, reader.corners, reader.view)
        drawing = partial(draw_reading, frame, reader.board, reading, reader.view)
        return Sight(_reading_record(reading), _reading_text(reading, corners), drawing)


Eye = TaggedEye | UntaggedEye


def _with_dice(drawing: Callable[[], Picture], dice: Sequence[SeenDie]) -> Picture:
    from tableref_vision.dice.showing import draw

    picture = drawing()
    draw(picture, dice)
    return picture


def _record(seen: Observation) -> dict[str, Any]:
    keys = ("id", "kind", "colour", "cell", "heading", "x", "y", "confidence")
    return {
        "image": seen.image,
        "pieces": [{key: getattr(piece, key) for key in keys} for piece in seen.pieces],
        "not_seen": list(seen.not_seen),
        "pose": seen.pose,
    }


def _lines(seen: Observation, board: Board, corners: str) -> list[str]:
    from tableref_vision.observation import POSE_WORDS

    lines = [f"{seen.image}: {POSE_WORDS[seen.pose]}; {corners}"]
    if seen.hand:
        lines.append("  a hand or something else is over the board")
    for piece in seen.pieces:
        where = piece.cell or f"between cells, at {round(piece.x)}, {round(piece.y)} mm"
        lines.append(
            f"  {piece.id}: {where}, {piece.heading or f'askew ({round(piece.yaw)} degrees)'}"
        )
    if all(piece.tag is None for piece in board.pieces):
        lines.append(
            "  its pieces wear no tags: to have them read, take a picture of the empty board and "
            "one after set-up, and give both with --empty and --start"
        )
        return lines
    for name in seen.not_seen:
        more = " (its tag is in view twice)" if name in seen.twice else ""
        lines.append(f"  {name}: not seen{more}")
    return lines


def _mat_lines(dice: DiceReader) -> list[str]:
    """How much of the dice mat is in view; nothing where none of it is, for dice need no mat."""
    from tableref_vision.corners import corner_words
    from tableref_vision.dice.mat import TAGS

    if not dice.corners:
        return []
    found = "in view" if dice.view is not None else "not found"
    return [f"  the dice mat is {found}; {corner_words(TAGS.values(), dice.corners, dice.view)}"]


def _reading_record(reading: Reading) -> dict[str, Any]:
    return {
        "image": reading.image,
        "pose": reading.pose,
        "cells": {cell: sorted(may) for cell, may in reading.cells.items()},
        "doubts": [doubt._asdict() for doubt in reading.doubts],
        "places": {cell: list(place) for cell, place in sorted(reading.places.items())},
        "beneath": dict(sorted(reading.beneath.items())),
    }


def _reading_text(reading: Reading, corners: str) -> str:
    from tableref_vision.observation import POSE_WORDS

    lines = [f"{reading.image}: {POSE_WORDS[reading.pose]}; {corners}"]
    if reading.pose != "ok":
        return lines[0]
    doubted = {doubt.cell for doubt in reading.doubts}
    for cell, may in reading.cells.items():
        if cell not in doubted and may != {""}:
            lines.append(f"  {cell}: {' or '.join(text or 'nothing' for text in sorted(may))}")
    by_words: dict[str, list[str]] = {}
    for doubt in reading.doubts:
        by_words.setdefault(doubt.words(), []).append(doubt.cell)
    lines += [f"  {' '.join(names)}: {what}" for what, names in by_words.items()]
    return "\n".join(lines)
