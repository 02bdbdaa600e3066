"""What `tableref see` says of one picture, be it a file or a camera's: as record, text, drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tableref.commands.see_words import DOUBT, POSE, SeeWords
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
        self,
        board: Board | None,
        calibration: Calibration | None,
        dice: DiceReader | None,
        words: SeeWords,
    ) -> None:
        self._board, self._calibration, self._dice = board, calibration, dice
        self._words = words
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
            from tableref_vision.drawing import draw

            seen = self._reader.read(frame)
            tags, reader = self._board.corner_tags, self._reader
            corners = self._words.corners(tags, reader.corners, reader.view)
            record, lines = _record(seen), _lines(seen, self._board, corners, self._words)
            drawing = partial(draw, frame, self._board, seen, self._reader.view)
        if self._dice is not None:
            found = self._dice.read(frame.image, alone)
            lines += _mat_lines(self._dice, self._words)
            record["dice"] = [die.record() for die in found]
            told = map(self._words.die, found) if found else [self._words("no-dice")]
            lines += (f"  {line}" for line in told)
            drawing = partial(_with_dice, drawing, found)
        return Sight(record, "\n".join(lines), drawing)


class UntaggedEye:
    """Looks at a board whose pieces wear no tags."""

    def __init__(self, reader: UntaggedReader, words: SeeWords) -> None:
        self._reader, self._words = reader, words

    def look(self, frame: Frame, alone: bool = False) -> Sight:
        """What this frame shows; each is read by itself, with what was taught."""
        from tableref_vision.drawing import draw_reading

        reader = self._reader
        reading = reader.read(frame)
        corners = self._words.corners(reader.board.corner_tags, reader.corners, reader.view)
        drawing = partial(draw_reading, frame, reader.board, reading, reader.view)
        return Sight(
            _reading_record(reading), _reading_text(reading, corners, self._words), drawing
        )


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


def _lines(seen: Observation, board: Board, corners: str, words: SeeWords) -> list[str]:
    lines = [f"{seen.image}: {words.wrong(POSE, seen.pose)}; {corners}"]
    if seen.hand:
        lines.append(f"  {words('hand')}")
    for piece in seen.pieces:
        where = piece.cell or words("between", x=round(piece.x), y=round(piece.y))
        heading = words.heading(piece.heading) if piece.heading else ""
        heading = heading or words("askew", degrees=round(piece.yaw))
        line = words("piece", piece=words.name(piece.id or ""), where=where, heading=heading)
        lines.append(f"  {line}")
    if all(piece.tag is None for piece in board.pieces):
        return [*lines, f"  {words('untagged')}"]
    for name in seen.not_seen:
        key = "not-seen-twice" if name in seen.twice else "not-seen"
        lines.append(f"  {words(key, piece=words.name(name))}")
    return lines


def _mat_lines(dice: DiceReader, words: SeeWords) -> list[str]:
    """How much of the dice mat is in view; nothing where none of it is, for dice need no mat."""
    from tableref_vision.dice.mat import TAGS

    if not dice.corners:
        return []
    key = "mat-in-view" if dice.view is not None else "mat-not-found"
    return [f"  {words(key, corners=words.corners(TAGS.values(), dice.corners, dice.view))}"]


def _reading_record(reading: Reading) -> dict[str, Any]:
    return {
        "image": reading.image,
        "pose": reading.pose,
        "cells": {cell: sorted(may) for cell, may in reading.cells.items()},
        "doubts": [doubt._asdict() for doubt in reading.doubts],
        "places": {cell: list(place) for cell, place in sorted(reading.places.items())},
        "beneath": dict(sorted(reading.beneath.items())),
    }


def _reading_text(reading: Reading, corners: str, words: SeeWords) -> str:
    lines = [f"{reading.image}: {words.wrong(POSE, reading.pose)}; {corners}"]
    if reading.pose != "ok":
        return lines[0]
    doubted = {doubt.cell for doubt in reading.doubts}
    for cell, may in reading.cells.items():
        if cell not in doubted and may != {""}:
            told = f" {words('or')} ".join(map(words.stack, sorted(may)))
            lines.append(f"  {cell}: {told}")
    by_words: dict[str, list[str]] = {}
    for doubt in reading.doubts:
        by_words.setdefault(words.wrong(DOUBT, doubt.code), []).append(doubt.cell)
    lines += [f"  {' '.join(names)}: {what}" for what, names in by_words.items()]
    return "\n".join(lines)
