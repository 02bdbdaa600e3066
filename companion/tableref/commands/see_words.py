"""What `tableref see` says of a picture, in one language: `see.toml` of the rulebook."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from tableref.rulebook import Rulebook
from tableref.rulebook.text import FOLDER, LANGUAGES
from tableref_hardware import CornerTag

if TYPE_CHECKING:
    from tableref_vision.dice.seen import SeenDie
    from tableref_vision.view import View

NUMBERS = ("none", "one", "two", "three", "four")
POSE, WHY, DOUBT = "pose", "why", "doubt"
"""Sorts of what is wrong, each with its codes: of a picture, of a die, of a cell."""


class SeeWords:
    """Texts by key; gaps are filled like `str.format`."""

    def __init__(self, lang: str = LANGUAGES[0]) -> None:
        self._lang, self._book = lang, Rulebook(lang)
        self._texts = texts(lang)

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key."""
        return self._texts[key].format(**values)

    def wrong(self, sort: str, code: str) -> str:
        """What a code of `POSE`, `WHY` or `DOUBT` tells a person."""
        return wrong(sort)[code] if self._lang == LANGUAGES[0] else self(f"{sort}-{code}")

    def name(self, value: str) -> str:
        """A piece, a colour or a tray."""
        return self._book.notation.token(value)

    def stack(self, text: str) -> str:
        """What stands on a cell, word by word."""
        return " ".join(map(self.name, text.split(" "))) if text else self("nothing")

    def heading(self, name: str) -> str:
        """A direction as this language has it: `NO` for `NE`."""
        return self._book.words.headings.get(name, name)

    def corners(self, tags: Collection[CornerTag], seen: Collection[int], view: View | None) -> str:
        """How many of these corner tags are seen, and which are not: "three of four corners:
        NE (tag 42) is not seen". Where the view is known it also says over which edge of the
        picture a tag lies. `seen` are ids of tags."""
        from tableref_vision.corners import compass, edges_over

        missing = [tag for tag in tags if tag.id not in seen]
        total = self._number(len(tags))
        if not missing:
            return self("corners-all", total=total)
        names = []
        for tag in missing:
            over = f" {self('and')} ".join(map(self, edges_over(tag, view) if view else ()))
            key, corner = "corner-over" if over else "corner", self.heading(compass(tag))
            names.append(self(key, corner=corner, tag=tag.id, edges=over))
        listed = f" {self('and')} ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        key = "corners-one" if len(names) == 1 else "corners-many"
        return self(key, seen=self._number(len(tags) - len(names)), total=total, names=listed)

    def die(self, die: SeenDie) -> str:
        """One line about one die."""
        tray = self.name(die.tray) if die.tray else ""
        key = "die-in-tray" if tray else "die"
        if die.sure:
            return self(key, tray=tray, value=die.value)
        x, y, w, h = die.box
        what = self.wrong(WHY, die.why or "unclear")
        if die.value:
            what = self("perhaps", value=die.value, why=what)
        return self(f"{key}-at", tray=tray, x=round(x + w / 2), y=round(y + h / 2), what=what)

    def _number(self, count: int) -> str:
        return self(NUMBERS[count]) if count < len(NUMBERS) else str(count)


def wrong(sort: str) -> Mapping[str, str]:
    """Code -> what it tells a person, in English."""
    from tableref_vision.dice.seen import WHY_WORDS
    from tableref_vision.observation import POSE_WORDS
    from tableref_vision.untagged.reader import DOUBT_WORDS

    return {POSE: POSE_WORDS, WHY: WHY_WORDS, DOUBT: DOUBT_WORDS}[sort]


@lru_cache(maxsize=len(LANGUAGES))
def texts(lang: str) -> Mapping[str, str]:
    """The words of `see.toml`."""
    with (FOLDER / lang / "see.toml").open("rb") as file:
        return tomllib.load(file)
