"""The eye over the dice mat: frame -> MatLook.

While nothing moves on the mat most frames cost a comparison of two small pictures.
"""

from __future__ import annotations

from typing import Protocol

from tableref_vision.camera import Frame
from tableref_vision.dice.mat import DEPTH, WIDTH
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import FRAMES, MatLook, alike
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.stillness import Stillness
from tableref_vision.view import View

REREAD = 2.0  # s after which dice that lie still are read again
SCALE = 0.8  # px a mm of the mat in which movement is looked for
INSET = 3.0  # mm inside the mat's edge, where nothing is printed, at which hands reach across
STEP = 4.0  # mm along the edge between two places that are looked at
REACHES = 6  # places side by side that look otherwise: 24 mm, less than a wrist
OTHERWISE = 0.25  # natural logarithm of a change of brightness that light alone does not make
HABIT = 6.0  # s after which what lies across the edge and does not stir is no hand


class ReadsDice(Protocol):
    """What the eye needs of a `DiceReader`."""

    view: View | None

    @property
    def die(self) -> float | None:
        """How large the dice are in mm, once that is known."""
        ...

    def read(self, picture: Picture, alone: bool = False) -> tuple[SeenDie, ...]:
        """What is seen of each die in this picture (h, w, 3)."""
        ...


class MatEye:
    """Reads the mat off the frames of one camera, which come in the order of their times."""

    def __init__(self, reader: ReadsDice) -> None:
        self._reader = reader
        self._stillness, self._edge = Stillness(), _Edge()
        self._last: MatLook | None = None
        self._alike = 0  # frames in a row that were read and said the same
        self._due = 0.0

    def read(self, frame: Frame) -> MatLook:
        """What this frame shows of the mat."""
        view = self._reader.view
        if view is not None and self._alike >= FRAMES and frame.time < self._due:
            still, hand = self._stirs(frame, view)
            if still and not hand and self._last is not None:
                return self._last._replace(time=frame.time, image=frame.name)
        dice = self._reader.read(frame.image)
        view = self._reader.view
        if view is None:
            self._alike = 0
            self._last = MatLook(frame.time, frame.name, in_view=False)
            return self._last
        still, hand = self._stirs(frame, view)
        look = MatLook(frame.time, frame.name, dice, True, still, hand, self._reader.die)
        calm = still and not hand and self._last is not None and alike(self._last.dice, dice)
        self._alike = self._alike + 1 if calm else 0
        self._last, self._due = look, frame.time + REREAD
        return look

    def _stirs(self, frame: Frame, view: View) -> tuple[bool, bool]:
        """Whether nothing moves on the mat, and whether something reaches over its edge."""
        mask = self._stillness.look(_from_above(frame.image, view), frame.time)
        still = mask is None or not mask.any()
        return still, self._edge.crossed(frame, view, still)


class _Edge:
    """The mat's edge as it looks when nobody reaches over it."""

    def __init__(self) -> None:
        self._plain: Points | None = None
        self._crossed_since: float | None = None
        x, y = WIDTH / 2 - INSET, DEPTH / 2 - INSET
        ring = [(-x, -y), (x, -y), (x, y), (-x, y)]
        self._places = np.concatenate(
            [
                np.linspace(a, b, round(abs(a[0] - b[0] + a[1] - b[1]) / STEP), endpoint=False)
                for a, b in zip(ring, ring[1:] + ring[:1], strict=True)
            ]
        )

    def crossed(self, frame: Frame, view: View, still: bool) -> bool:
        """Whether something reaches over the edge in this frame."""
        light = self._light(frame.image, view)
        if self._plain is None:
            self._plain = light
            return False
        change = light - self._plain
        change -= np.median(change, axis=0)
        other = (np.abs(change) > OTHERWISE).any(axis=1)
        # The edge is a ring, so a run may go over its beginning.
        runs = np.all([np.roll(other, -step) for step in range(REACHES)], axis=0)
        if not runs.any():
            self._crossed_since = None
            self._plain += 0.1 * (light - self._plain)
            return False
        if not still or self._crossed_since is None:
            self._crossed_since = frame.time
        if frame.time - self._crossed_since > HABIT:
            self._plain, self._crossed_since = light, None
            return False
        return True

    def _light(self, image: Picture, view: View) -> Points:
        """Logarithms of the brightness along the edge: (n, 3); out of the picture as its rim."""
        flat = np.column_stack([self._places, np.zeros(len(self._places))])
        x, y = view.pixels(flat).astype(np.float32).T
        seen = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.log(np.asarray(seen, np.float64).reshape(-1, 3) + 12.0)


def _from_above(image: Picture, view: View) -> Picture:
    """The mat from straight above, small."""
    x, y = WIDTH / 2, DEPTH / 2
    ring = np.array([(-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0)])
    wide, high = round(WIDTH * SCALE), round(DEPTH * SCALE)
    frame = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32) - np.float32(0.5)
    move = cv2.getPerspectiveTransform(view.pixels(ring).astype(np.float32), frame)
    flat = cv2.warpPerspective(image, move, (wide, high), flags=cv2.INTER_LINEAR)
    return np.asarray(flat, np.uint8)
