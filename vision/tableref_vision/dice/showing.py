"""Dice that were seen, drawn over their picture."""

from __future__ import annotations

from collections.abc import Iterable

from tableref_vision.dice.seen import SeenDie
from tableref_vision.drawing import AMBER, GREEN, RED, Labels
from tableref_vision.opencv import Picture, cv2


def draw(image: Picture, dice: Iterable[SeenDie]) -> None:
    """Frame each die in `image`: green with its value, amber with a guess, red with the code."""
    labels = Labels(image)
    scale = labels.scale
    for die in dice:
        x, y, w, h = (round(side) for side in die.box)
        colour = GREEN if die.sure else AMBER if die.value else RED
        words = str(die.value) if die.sure else f"{die.value or ''} {die.why}".strip()
        cv2.rectangle(image, (x, y), (x + w, y + h), colour, round(2 * scale))
        labels.put(words, (x, y - round(4 * scale)), colour)
