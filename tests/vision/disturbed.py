"""What a reading of boards without tags is worth when pictures get worse after set-up.

The set-up pictures stay as they are; each frame is made darker or brighter, of another tint, noisy,
blurred, crossed by a hard shadow, lit by one more lamp, or taken by a camera that was pushed.
`python -m tests.vision.disturbed SCENES` makes the table in docs/seeing.md; `--only ROW` one row of
it, `--every N` from every so manieth picture of a film.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import cv2
import numpy as np
from tests.vision.films import Film, Score

from tableref_vision.camera import Frame
from tableref_vision.opencv import Picture

GAMMA = 2.2
EVERY = 6
GAMES = ("arrows-and-stars", "scorpion", "skorpion-deep", "squod")
Change = Callable[[Picture], Picture]
STAYS = "a hard shadow that stays"
"""In a game: it is the light from then on."""


def lit(image: Picture, factor: np.ndarray | float) -> Picture:
    """The picture under so many times its light, burnt out where that is too much."""
    linear = (image.astype(np.float32) / 255.0) ** GAMMA * factor
    return (np.clip(linear, 0.0, 1.0) ** (1.0 / GAMMA) * 255.0 + 0.5).astype(np.uint8)


def places(image: Picture) -> tuple[np.ndarray, np.ndarray]:
    """x and y of every pixel, -1 to 1 across the picture."""
    height, width = image.shape[:2]
    return np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))


def shadow(image: Picture) -> Picture:
    """A hard shadow with a narrow edge over half of the picture, a little bluer than the light."""
    x, y = places(image)
    dark = 1.0 / (1.0 + np.exp(-(x + 0.4 * y) * 120.0))
    depth = np.array([0.55, 0.5, 0.46])
    return lit(image, 1.0 - (1.0 - depth) * dark[..., None])


def lamp(image: Picture) -> Picture:
    """One more warm lamp at the left, switched on in the middle of a game."""
    x, y = places(image)
    near = 0.7 / (1.0 + ((x + 1.2) ** 2 + (y + 0.3) ** 2) / 0.8)
    return lit(image, 1.0 + near[..., None] * np.array([0.7, 0.9, 1.1]))


def pushed(image: Picture) -> Picture:
    """As a camera sees it that was pushed by 20 px and turned by 2 degrees."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 2.0, 1.0)
    matrix[:, 2] += (16.0, -12.0)
    moved = cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def noisy(image: Picture) -> Picture:
    noise = np.random.default_rng(1).normal(0.0, 8.0, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


CHANGES: dict[str, Change] = {
    "as they are": lambda image: image,
    "light x 0.6": lambda image: lit(image, 0.6),
    "light x 0.8": lambda image: lit(image, 0.8),
    "light x 1.2": lambda image: lit(image, 1.2),
    "light x 1.4": lambda image: lit(image, 1.4),
    "15 % warmer": lambda image: lit(image, np.array([0.85, 1.0, 1.15])),
    "15 % colder": lambda image: lit(image, np.array([1.15, 1.0, 0.85])),
    "noise of 8 grey levels": noisy,
    "blur of 1.5 px": lambda image: cv2.GaussianBlur(image, (0, 0), 1.5).astype(np.uint8),
    "a hard shadow": shadow,
    STAYS: shadow,
    "one more lamp": lamp,
    "camera pushed by 20 px": pushed,
}


def measured(
    folder: Path,
    changes: Collection[str] = tuple(CHANGES),
    films: tuple[int, ...] = (1, 2, 3),
    every: int = EVERY,
) -> Iterator[tuple[str, str, Score]]:
    """Disturbance, film, score."""
    for game in GAMES:
        for number in films:
            if not (folder / f"film-{game}-{number}").exists():
                continue
            film = Film(folder / f"film-{game}-{number}")
            frames = film.frames("start", "move", "coin", "between", "wrong")
            odd = [frame for frame in frames if frame["kind"] in ("coin", "between")]
            for name in changes:
                change = CHANGES[name]
                reader, score = film.reader(), Score()
                for frame in (*frames[2::every], *odd):
                    seen = film.frame(frame["image"])
                    shown = Frame(change(seen.image), 0.0, seen.name)
                    if name == STAYS:
                        reader.relight(shown)
                    score.add(film, frame, reader.read(shown))
                yield name, film.folder.name, score


def table(folder: Path, changes: Collection[str], every: int) -> list[str]:
    """The rows of the table in docs/seeing.md."""
    total: dict[str, Score] = {}
    for name, film, score in measured(folder, changes, every=every):
        print(name, film, score, file=sys.stderr, flush=True)
        total.setdefault(name, Score()).merge(score)
    rows = ["| pictures | pieces told | empty cells told | wrong |", "| --- | --- | --- | --- |"]
    for name, score in total.items():
        pieces, empty = score.sure / max(score.pieces, 1), score.empty_sure / max(score.empty, 1)
        rows.append(f"| {name} | {pieces:.1%} | {empty:.1%} | {len(score.wrong)} |")
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.vision.disturbed")
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--only", choices=CHANGES, help="of these rows alone")
    parser.add_argument("--every", type=int, default=EVERY, help="so manieth picture of a film")
    asked = parser.parse_args()
    print("\n".join(table(asked.scenes, [asked.only] if asked.only else [*CHANGES], asked.every)))
