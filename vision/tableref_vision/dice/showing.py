"""Dice that were seen, in words and drawn over their picture."""

from __future__ import annotations

from collections.abc import Iterable

from tableref_vision.dice.seen import WHY_WORDS, SeenDie
from tableref_vision.drawing import AMBER, GREEN, RED, Labels
from tableref_vision.opencv import Picture, cv2


def text(die: SeenDie) -> str:
    """One line about one die."""
    where = f" in the {die.tray} tray" if die.tray else ""
    if die.sure:
        return f"  die{where}: {die.value}"
    x, y, w, h = die.box
    at = f"at {round(x + w / 2)}, {round(y + h / 2)} px"
    guess = f"perhaps {die.value}: " if die.value else ""
    return f"  die{where}, {at}: {guess}{WHY_WORDS[die.why or 'unclear']}"


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
