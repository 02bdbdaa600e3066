"""How many cars are still seen when pictures get worse, as the table of docs/seeing.md.

`python -m tests.vision.robustness SCENES` writes the tables into the page, between their marks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from tests.vision.scenes import Score, stills

from tableref_hardware import Board, load_board
from tableref_vision.camera import Frame
from tableref_vision.observation import POSE_WORDS
from tableref_vision.pictures import read_picture
from tableref_vision.reader import BoardReader
from tableref_vision.view import View, tag_corners

Worsen = Callable[[np.ndarray, View, Board], np.ndarray]


def painted(count: int) -> Worsen:
    """The first `count` corner tags under grey paint."""

    def worsen(image: np.ndarray, view: View, board: Board) -> np.ndarray:
        image = image.copy()
        for tag in board.corner_tags[:count]:
            cv2.fillConvexPoly(image, view.pixels(tag_corners(tag)).astype(int), (120, 120, 120))
        return image

    return worsen


def turned(degrees: float) -> Worsen:
    """The camera turned about its axis; the picture grows so that nothing is cut off."""

    def worsen(image: np.ndarray, view: View, board: Board) -> np.ndarray:
        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
        across, down = np.abs(turn[:, :2]) @ (width, height)
        size = int(np.ceil(across)), int(np.ceil(down))
        turn[:, 2] += (np.array(size) - (width, height)) / 2
        return cv2.warpAffine(image, turn, size, borderValue=(90, 90, 90))

    return worsen


def sized(width: int, height: int) -> Worsen:
    """Seen by a camera of this size; 4:3 has table added above and below."""

    def worsen(image: np.ndarray, view: View, board: Board) -> np.ndarray:
        tall = round(image.shape[1] * height / width)
        above = (tall - image.shape[0]) // 2
        image = cv2.copyMakeBorder(image, above, above, 0, 0, cv2.BORDER_REPLICATE)
        shrink = width < image.shape[1]
        return cv2.resize(
            image, (width, height), interpolation=cv2.INTER_AREA if shrink else cv2.INTER_CUBIC
        )

    return worsen


def compressed(quality: int) -> Worsen:
    """Saved as JPEG of this quality."""

    def worsen(image: np.ndarray, view: View, board: Board) -> np.ndarray:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return cv2.imdecode(data, cv2.IMREAD_COLOR)

    return worsen


def lighter(factor: float) -> Worsen:
    """Brightness times this; what is too bright is cut off."""

    def worsen(image: np.ndarray, view: View, board: Board) -> np.ndarray:
        return np.clip(image.astype(np.float32) * factor, 0, 255).astype(np.uint8)

    return worsen


def blurred(spread: float) -> Worsen:
    """Out of focus, by a Gaussian of this many px."""
    return lambda image, view, board: cv2.GaussianBlur(image, (0, 0), spread)


CONDITIONS: dict[str, Worsen] = {
    "as they are": lambda image, view, board: image,
    **{f"{n} corner tag{'s' * (n > 1)} painted over": painted(n) for n in (1, 2, 3)},
    **{f"turned by {angle} degrees": turned(angle) for angle in range(15, 360, 15)},
    "640 x 480": sized(640, 480),
    "1920 x 1080": sized(1920, 1080),
    "JPEG quality 40": compressed(40),
    "half as bright": lighter(0.5),
    "twice as bright": lighter(2.0),
    "blurred by 1.5 px": blurred(1.5),
}


def table(scenes: Path, every: int = 1, only: str = "") -> Iterator[tuple[str, Score, Score]]:
    """For each condition the scores of a reader that has just started, and of one that has seen
    the board from this place before; every so many-th picture is used."""
    board = load_board("autoscooter")
    pictures = list(stills(scenes, "board", "arm", "odd"))[::every]
    for condition, worsen in CONDITIONS.items():
        if only not in condition:
            continue
        fresh, known = Score(), Score()
        for path, cars in pictures:
            image = read_picture(path)
            reader = BoardReader(board)
            reader.read(Frame(image, 0.0, path.name))
            if reader.view is None:
                raise ValueError(f"{path}: the board was not found in the picture as it is")
            worse = worsen(image, reader.view, board)
            if worse.shape != image.shape or condition.startswith("turned"):
                reader = BoardReader(board)
                reader.read(Frame(worse, 0.0, path.name))
            known.add(reader.read(Frame(worse, 10.0, path.name)), cars)
            fresh.add(BoardReader(board).read(Frame(worse, 0.0, path.name)), cars)
        yield condition, fresh, known


def markdown(scenes: Path) -> str:
    """The table, one condition a row."""
    rows = [
        "| pictures | seen at first sight | with the board known | wrong | off, median | 95 % |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for condition, fresh, known in table(scenes):
        wrong = len(fresh.wrong + fresh.snapped + known.wrong + known.snapped)
        off = f"{known.off_at(0.5):.1f} mm | {known.off_at(0.95):.1f} mm" if known.off else "- | -"
        rows.append(
            f"| {condition} | {fresh.reported:.1%} | {known.reported:.1%} | {wrong} | {off} |"
        )
    return "\n".join(rows)


def poses() -> str:
    """The codes of an observation's pose, one a row."""
    rows = ["| code | what it tells |", "| --- | --- |"]
    return "\n".join([*rows, *(f"| `{code}` | {words} |" for code, words in POSE_WORDS.items())])


def between(page: str, mark: str, text: str | None = None) -> str:
    """What stands between two marks of a page; with a `text`, the page with that there."""
    start, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    before, rest = page.split(start)
    inside, after = rest.split(end)
    return inside.strip() if text is None else f"{before}{start}{text}\n{end}{after}"


PAGE = Path(__file__).parents[2] / "docs" / "seeing.md"


def main(scenes: Path) -> None:
    """Rewrite the tables in docs/seeing.md."""
    page = between(PAGE.read_text(encoding="utf-8"), "poses", poses())
    PAGE.write_text(between(page, "robustness", markdown(scenes)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
