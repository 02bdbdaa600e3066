"""Whether a table reads its own dice: each face laid up once in each tray, and in which light."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from tableref_vision.dice import crops, mat
from tableref_vision.dice.inputs import Levels
from tableref_vision.dice.seen import WHY_WORDS, SeenDie
from tableref_vision.dice.throw import Mat, follow
from tableref_vision.drawing import AMBER, GREEN, RED, Labels
from tableref_vision.opencv import Picture, cv2, np
from tableref_vision.view import View

if TYPE_CHECKING:
    from tableref_vision.camera import Frame
    from tableref_vision.dice.reader import DiceReader

PATIENCE = 60  # frames in which dice must come to rest after somebody said that they lie
DARK = 70.0  # brightness of the white around a tag, below which dice are hardly seen
UNEVEN = 2.0  # times, between the brightest and the darkest of these
GLARE, MUCH = 252, 0.02  # levels of what a lamp is mirrored in, and the share of a tray
TILE, ACROSS = 120, 46.0  # px and mm of the picture of one die


class Face(NamedTuple):
    """A die that was laid down with `asked` up in `tray`, and what was `seen` there."""

    asked: int
    tray: str
    seen: SeenDie | None

    @property
    def right(self) -> bool:
        """Whether it was read, and surely."""
        return self.seen is not None and self.seen.sure and self.seen.value == self.asked

    @property
    def wrong(self) -> bool:
        """Whether another value was read surely."""
        return self.seen is not None and self.seen.sure and self.seen.value != self.asked

    @property
    def said(self) -> str:
        """In words."""
        if self.seen is None:
            return "nothing is seen"
        if self.seen.sure:
            return "read surely" if self.right else f"read as {self.seen.value}"
        return WHY_WORDS[self.seen.why or "unclear"]


def faces(asked: int, dice: Sequence[SeenDie]) -> tuple[Face, ...]:
    """What was seen of the die in each tray that was to show this: the surest, where several lie
    there."""
    found = []
    for tray in mat.TRAYS:
        here = [die for die in dice if die.tray == tray and die.why != "not-a-die"]
        best = max(here, key=lambda die: (die.sure, die.confidence), default=None)
        found.append(Face(asked, tray, best))
    return tuple(found)


def at_rest(frames: Iterator[Frame], reader: DiceReader) -> Frame | None:
    """The frame in which the dice have come to rest; the last of many where they do not, None where
    there is none."""
    from tableref_vision.dice.eye import MatEye

    eye, lying = MatEye(reader), Mat()
    last: Frame | None = None
    for frame in islice(frames, PATIENCE):
        last = frame
        lying = follow(lying, eye.read(frame))
        if lying.settled:
            break
    return last


def light(picture: Picture, view: View) -> str:
    """What is wrong with the light on the mat: dark, uneven, glare; empty where it is good."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    whites = []
    for tag in mat.TAGS.values():
        rim = (mat.SQUARE + mat.QUIET) / 4  # in the white around the tag
        ring = [(tag.x + a * rim, tag.y + b * rim, 0.0) for a in (-1, 1) for b in (-1, 1)]
        x, y = view.pixels(np.array(ring)).astype(np.float32).T
        whites.append(float(np.median(cv2.remap(grey, x, y, cv2.INTER_LINEAR))))
    if max(whites) < DARK:
        return "dark"
    if max(whites) > UNEVEN * max(min(whites), 1.0):
        return "uneven"
    for x, y in mat.TRAYS.values():
        side = round(2 * mat.INSIDE)
        floor = crops.from_above(
            Levels(picture), view, np.array([x, y]), 1.6 * mat.INSIDE, side, mat.FLOOR
        )
        if float((floor.min(axis=2) >= GLARE).mean()) > MUCH:
            return "glare"
    return ""


def tiles(picture: Picture, view: View, found: Sequence[Face]) -> Picture:
    """The dice as they lay, (TILE, TILE * n, 3): framed green where they were read, amber where it
    was not sure, red where nothing or something else was read."""
    row = []
    for face in found:
        place = mat.TRAYS[face.tray] if face.seen is None else face.seen.middle
        tile = crops.from_above(Levels(picture), view, np.array(place), ACROSS, TILE, mat.FLOOR)
        tile = np.ascontiguousarray(tile)
        colour = GREEN if face.right else RED if face.wrong or face.seen is None else AMBER
        cv2.rectangle(tile, (0, 0), (TILE - 1, TILE - 1), colour, 4)
        Labels(tile).put(str(face.asked), (8, TILE - 12), colour)
        row.append(tile)
    return np.hstack(row)


def words(found: Sequence[Face], lights: Mapping[str, int], die: float | None) -> str:
    """What this table reads surely, in one sentence or two."""
    said = []
    for tray in mat.TRAYS:
        own = [face for face in found if face.tray == tray]
        not_sure = sorted({face.asked for face in own if not face.right})
        sure = sorted({face.asked for face in own} - set(not_sure))
        if not not_sure:
            said.append(f"{tray} tray: every face is read surely")
            continue
        told = f"surely {_list(sure)}, " if sure else ""
        said.append(f"{tray} tray: {told}not surely {_list(not_sure)}")
        said += [
            f"{face.asked} was read as {face.seen.value} there: did it lie up?"
            for face in own
            if face.wrong and face.seen is not None
        ]
    bad = max(lights, key=lambda kind: lights[kind], default="")
    said.append(LIGHT_WORDS[bad])
    if die is not None:
        said.append(f"the dice are about {die:.0f} mm large")
    return "; ".join(said) + "."


LIGHT_WORDS: Mapping[str, str] = {
    "": "this light is good",
    "dark": "it is too dark: turn on a lamp",
    "uneven": "one side of the mat is twice as bright as the other: move the lamp or add another",
    "glare": "a lamp is mirrored in a tray: move it, or the camera",
}
"""What `light` found, for a person."""


def _list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
