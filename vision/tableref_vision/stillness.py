"""What moves on the table, told from small grey pictures of it.

Light is not movement: exposure, lamps and flicker change whole rows, columns or the whole picture
by a factor, and such factors are taken out before two pictures are compared.
"""

from __future__ import annotations

from collections import deque

from numpy.typing import NDArray

from tableref_vision.opencv import Picture, cv2, np

Mask = NDArray[np.bool_]
Light = NDArray[np.float32]  # grey levels of a small picture

WIDTH = 160  # px of the small picture
SETTLED = 0.3  # s without a change until a place counts as still
FORGOTTEN = 0.6  # s after which an earlier picture tells nothing about movement any more
CHANGE = 0.09  # of the brightness, beyond what light does; wood under a hand changes by more
NOISE = 4.0  # times the picture's own noise that a change must be above
DARK = 12.0  # grey levels added to what a change is measured by: dark places are mostly noise


class Stillness:
    """Compares each frame with those up to SETTLED before it.

    >>> stillness = Stillness()
    >>> stillness.look(frame.image, frame.time).any()
    False
    """

    def __init__(self) -> None:
        self._earlier: deque[tuple[float, Light]] = deque(maxlen=16)

    def look(self, image: Picture, time: float) -> Mask | None:
        """Where something moves: a mask of the small picture (h * WIDTH / w, WIDTH).

        None where the frame follows none, or one so long past that it tells nothing.
        """
        height, width = image.shape[:2]
        across, down = WIDTH, max(1, round(height * WIDTH / width))
        # Every fourth pixel of a large picture is plenty, and much quicker than all of them.
        half = cv2.resize(image, (2 * across, 2 * down), interpolation=cv2.INTER_LINEAR)
        small = cv2.resize(half, (across, down), interpolation=cv2.INTER_AREA)
        light: Light = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        last = self._earlier[-1] if self._earlier else None
        if last is None or not 0 <= time - last[0] <= FORGOTTEN or last[1].shape != light.shape:
            self._earlier.clear()
        masks = [_changed(other, light) for other in self._compared(time)]
        self._earlier.append((time, light))
        return np.logical_or.reduce(masks) if masks else None

    def _compared(self, time: float) -> list[Light]:
        """The last picture, and the newest of those that are SETTLED old: the one shows what is
        quick, the other what is slow."""
        while len(self._earlier) > 1 and self._earlier[1][0] <= time - SETTLED:
            self._earlier.popleft()
        return (
            [light for _, light in (self._earlier[0], self._earlier[-1])] if self._earlier else []
        )


def _changed(before: Light, after: Light) -> Mask:
    """Where brightness changed by more than light and noise explain."""
    # What light does to rows and columns, as logarithms of factors. Sorting small rows is several
    # times quicker than np.median.
    change = np.log(after + 1.0) - np.log(before + 1.0)
    rows = np.sort(change, axis=1)[:, [change.shape[1] // 2]]
    columns = np.sort((change - rows).T, axis=1)[:, change.shape[0] // 2]
    expected = before * np.exp(rows + columns)
    size = np.abs(after - expected) / (np.maximum(after, expected) + DARK)
    noise = 1.48 * float(np.sort(size, axis=None)[size.size // 2])
    mask = size > max(CHANGE, NOISE * noise)
    # A finger changes several pixels side by side; a single one is noise.
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(opened > 0)
