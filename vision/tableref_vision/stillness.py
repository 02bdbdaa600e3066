"""What moves on the table, told from small grey pictures of it.

Light is not movement: exposure, lamps and flicker change whole rows, columns or the whole picture
by a factor, and such factors are taken out before two pictures are compared.
"""

from __future__ import annotations

from collections import deque

from numpy.typing import NDArray

from tableref_vision.opencv import Picture, Points, cv2, np

Mask = NDArray[np.bool_]

WIDTH = 160  # px of the small picture
SETTLED = 0.3  # s without a change until a place counts as still
FORGOTTEN = 0.6  # s after which an earlier picture tells nothing about movement any more
CHANGE = 0.09  # of the brightness, beyond what light does; wood under a hand changes by more
NOISE = 4.0  # times the picture's own noise that a change must be above
DARK = 12.0  # grey levels added, so that dark places are not all noise


class Stillness:
    """Compares each frame with those up to SETTLED before it.

    >>> stillness = Stillness()
    >>> stillness.look(frame.image, frame.time).any()
    False
    """

    def __init__(self) -> None:
        self._earlier: deque[tuple[float, Points]] = deque(maxlen=16)

    def look(self, image: Picture, time: float) -> Mask | None:
        """Where something moves: a mask of the small picture (h * WIDTH / w, WIDTH).

        None where the frame follows none, or one so long past that it tells nothing.
        """
        height, width = image.shape[:2]
        across, down = WIDTH, max(1, round(height * WIDTH / width))
        # Every fourth pixel of a large picture is plenty, and much quicker than all of them.
        half = cv2.resize(image, (2 * across, 2 * down), interpolation=cv2.INTER_LINEAR)
        small = cv2.resize(half, (across, down), interpolation=cv2.INTER_AREA)
        light = np.log(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32) + DARK)
        last = self._earlier[-1] if self._earlier else None
        if last is None or not 0 <= time - last[0] <= FORGOTTEN or last[1].shape != light.shape:
            self._earlier.clear()
        masks = [_changed(light - other) for other in self._compared(time)]
        self._earlier.append((time, light))
        return masks[0] | masks[1] if masks else None

    def _compared(self, time: float) -> list[Points]:
        """The last picture, and the newest of those that are SETTLED old: the one shows what is
        quick, the other what is slow."""
        while len(self._earlier) > 1 and self._earlier[1][0] <= time - SETTLED:
            self._earlier.popleft()
        return (
            [light for _, light in (self._earlier[0], self._earlier[-1])] if self._earlier else []
        )


def _changed(change: Points) -> Mask:
    """Where the logarithm of brightness changed by more than light and noise do."""
    # Sorting small rows is several times quicker than np.median.
    change = change - np.sort(change, axis=1)[:, [change.shape[1] // 2]]
    change = change - np.sort(change.T, axis=1)[:, change.shape[0] // 2]
    size = np.abs(change)
    noise = 1.48 * float(np.sort(size, axis=None)[size.size // 2])
    mask = size > max(CHANGE, NOISE * noise)
    # A finger changes several pixels side by side; a single one is noise.
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(opened > 0)
