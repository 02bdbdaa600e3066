"""Where pictures to learn from come from: photographs with labels, and path-traced tables."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref_hardware.dice import USUAL
from tableref_vision.dice.mat import MatTracker, top
from tableref_vision.view import View
from training.drawings import COCKED

SOURCES = ("byler", "damian", "epanemu", "penlington", "piechowiak")
FACES = frozenset({"penlington"})
"""Sources whose boxes hold the pips of the top face, not the whole die."""
PIPS_TO_DIE = 1.75  # of such a box, the whole die
UNLABELLED = {
    ("byler", "0004.jpg"): (115, 579),
    ("byler", "0078.jpg"): (269, 147),
    ("byler", "0079.jpg"): (312, 378),
    ("byler", "0112.jpg"): (316, 377),
    ("epanemu", "0116.jpg"): (266, 282),
    ("epanemu", "0282.jpg"): (100, 164),
    ("penlington", "0316.jpg"): (369, 318),
}
"""Where a die lies that nobody labelled, in px: a value that is read there is no invention."""

RELABELLED = {
    ("n3pxl", "PXL_20240219_192137038_j.jpg"): ((399, 436, 3),),
    ("n3pxl", "PXL_20240219_191801871_j.jpg"): ((429, 369, 5),),
    ("n3pxl", "PXL_20240219_192405902_j.jpg"): ((413, 146, 3),),
    ("n3pxl", "PXL_20240219_192231792_j.jpg"): ((303, 179, 1), (391, 191, 1)),
    ("n3pxl", "PXL_20240219_191703482_j.jpg"): ((243, 284, 1),),
    ("n3pxl", "PXL_20240219_192106262_j.jpg"): ((339, 208, 4),),
    ("n3pxl", "PXL_20240219_192240931_j.jpg"): ((270, 171, 4),),
    ("n3pxl", "PXL_20240219_192342359_j.jpg"): ((291, 297, 4),),
    ("n3pxl", "PXL_20240219_191333849_j.jpg"): ((462, 443, 4),),
}
"""x, y in px of dice, and what they show, where a label says otherwise or there is none. Found by
cutting out and looking at whatever was read surely and not as its label says."""

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Die:
    """A die of a picture: `kind` as in `drawings`, its middle and its size (longer side) in px.

    `face`: the middle is that of the top face, not of the whole die; `sized`: the size is sure.
    """

    kind: int
    x: float
    y: float
    size: float
    face: bool
    sized: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture with its dice; `view` where it shows the mat."""

    name: str
    source: str
    levels: tuple[Picture, ...]  # the picture, and half and a quarter of it
    dice: tuple[Die, ...]
    view: View | None = None
    truth: tuple[dict[str, Any], ...] = ()

    @property
    def image(self) -> Picture:
        """The picture at full size (h, w, 3), B, G, R."""
        return self.levels[0]


def load_photos(folder: Path, sources: tuple[str, ...] = SOURCES) -> list[Scene]:
    """All photographs of these sources. OSError where the folder does not hold them."""
    scenes = []
    for source in sources:
        labels = json.loads((folder / source / "labels.json").read_text(encoding="utf-8"))
        for name, truth in sorted(labels.items()):
            if not truth:  # two of epanemu's, full of dice: nobody labelled them
                continue
            dice = _from_boxes(cleaned(source, name, truth), source in FACES)
            scenes.append(_scene(folder / source / name, source, dice))
    return scenes


def even_minute(name: str) -> bool:
    """Whether this photograph of n3pxl was taken in an even minute: those of odd ones are kept to
    measure on."""
    return int(name.split("_")[2][:4]) % 2 == 0


def load_tables(*folders: Path) -> list[Scene]:
    """All path-traced dice mats of these folders, their dice told by the mat's own tags."""
    scenes = []
    for path in sorted(file for folder in folders for file in folder.glob("*.jpg")):
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["dice"]
        scene = _scene(path, path.parent.name, ())
        view = MatTracker().find(scene.image)
        if view is None:
            continue
        stacked = len(truth) == 2 and all(die["value"] is None for die in truth)
        dice = tuple(_from_table(die, view, stacked) for die in truth[-1 if stacked else 0 :])
        scenes.append(Scene(scene.name, scene.source, scene.levels, dice, view, tuple(truth)))
    return scenes


def load_traced(folder: Path) -> list[Scene]:
    """All tables that `training.traced` made here."""
    scenes = []
    for told in sorted(folder.glob("*.json")):
        dice = json.loads(told.read_text(encoding="utf-8"))["dice"]
        # Of those that are hidden in part only the place is learnt.
        known = [Die(d["value"] or COCKED, d["x"], d["y"], d["size"], True) for d in dice]
        scenes.append(_scene(told.with_suffix(".png"), "traced", tuple(known)))
    return scenes


def load_boards(folder: Path, count: int = 24) -> list[Scene]:
    """Path-traced boards with cars, beads and arms, and no die: this many of each kind."""
    paths = [
        path for kind in ("board", "arm") for path in sorted((folder / kind).glob("*.jpg"))[:count]
    ]
    return [_scene(path, "board", ()) for path in paths]


def _scene(path: Path, source: str, dice: tuple[Die, ...]) -> Scene:
    image = cv2.imread(str(path))
    if image is None:
        raise OSError(f"{path}: cannot be read")
    half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    quarter = cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return Scene(path.name, source, (image, half, quarter), dice)


def _from_boxes(truth: list[dict[str, Any]], faces: bool) -> tuple[Die, ...]:
    sizes = [max(die["box"][2:]) for die in truth]
    dice = []
    for die, size in zip(truth, sizes, strict=True):
        x, y, w, h = die["box"]
        if faces:  # a one or a steep two has a small box: dice of one picture are much alike
            size = max(size, float(np.median(sizes))) * PIPS_TO_DIE
        dice.append(Die(die["value"], x + w / 2, y + h / 2, size, faces, not faces))
    return tuple(dice)


def _from_table(die: dict[str, Any], view: View, stacked: bool) -> Die:
    height = top(USUAL) + (USUAL if stacked else 0)
    half = USUAL / 2
    angles = np.radians(die["yaw"] + np.array([45, 135, 225, 315]))
    ring = np.stack([np.cos(angles), np.sin(angles)], 1) * half * np.sqrt(2) + (die["x"], die["y"])
    corners = np.concatenate(
        [np.column_stack([ring, np.full(4, z)]) for z in (height - USUAL, height)]
    )
    pixels = view.pixels(corners)
    face = view.pixels(np.array([[die["x"], die["y"], height]]))[0]
    size = float(np.max(pixels.max(0) - pixels.min(0)))
    return Die(die["value"] or COCKED, float(face[0]), float(face[1]), size, True)


def cleaned(source: str, name: str, boxes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """These labels of a photograph, as `RELABELLED` corrects them; a die without one gets one."""
    boxes = [dict(box) for box in boxes]
    usual = float(np.median([max(box["box"][2:]) for box in boxes])) if boxes else 0.0
    for x, y, value in RELABELLED.get((source, name), ()):
        off = [_off(x, y, die["box"]) for die in boxes]
        if min(off, default=1.0) < 0.5:
            boxes[int(np.argmin(off))]["value"] = value
        else:
            box = [x - usual / 2, y - usual / 2, usual, usual]
            boxes.append({"value": value, "box": box})
    return boxes


def _off(x: float, y: float, box: list[float]) -> float:
    """How far from its middle this place is, in parts of the box."""
    left, top, w, h = box
    return max(abs(x - left - w / 2) / w, abs(y - top - h / 2) / h)
