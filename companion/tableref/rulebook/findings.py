"""What the doctor finds and what the menu could not do, in other languages than English:
`doctor.toml` of the rulebook.

Checks and devices say what is wrong in English. A language has each of these sentences as a
pattern, with the same names in braces for what differs: files, numbers, commands.

>>> FindingWords("de").said("300 MB are free")
'300 MB sind frei'
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import NamedTuple

from tableref.rulebook.text import FOLDER, LANGUAGES, typeset

GAP = re.compile(r"\{(\w+)\}")
SUDO = "sudo "


class _Pattern(NamedTuple):
    """An English sentence as a pattern, and the same in another language."""

    english: re.Pattern[str]
    other: str


class FindingWords:
    """Findings in one language. What nobody has put into it stays English."""

    def __init__(self, lang: str) -> None:
        self.colon, self._titles, self._patterns = _read(lang)
        """What stands between a title, what is wrong, and its cure."""

    def found(self, what: str, cure: str) -> tuple[str, str]:
        """A finding with its title before a colon, and its cure."""
        title, _, rest = what.partition(": ")
        if title not in self._titles:
            return self.said(what), self.said(cure)
        return f"{self._titles[title]}{self.colon}{self.said(rest)}", self.said(cure)

    def said(self, text: str) -> str:
        """A sentence, or several with semicolons or stops between them."""
        for pattern in self._patterns:
            if (match := pattern.english.fullmatch(text)) is not None:
                values = {name: self.said(value) for name, value in match.groupdict().items()}
                return pattern.other.format_map(values)
        for between in ("; ", ". "):
            first, mark, rest = text.partition(between)
            if mark:
                return f"{self.said(first)}{mark}{self.said(rest)}"
        return text


@lru_cache(maxsize=4)
def _read(lang: str) -> tuple[str, dict[str, str], tuple[_Pattern, ...]]:
    """The colon, titles, and patterns with those first of which more is said in words."""
    if lang == LANGUAGES[0]:
        return ": ", {}, ()
    with (FOLDER / lang / "doctor.toml").open("rb") as file:
        data = tomllib.load(file)
    said: dict[str, str] = {english: typeset(other) for english, other in data["said"].items()}
    # Who is root is told to do it without sudo.
    said |= {e.replace(SUDO, ""): o.replace(SUDO, "") for e, o in said.items() if SUDO in e}
    order = sorted(said, key=lambda english: len(GAP.sub("", english)), reverse=True)
    patterns = tuple(_Pattern(_pattern(one), said[one]) for one in order)
    return typeset(data["colon"]), data["titles"], patterns


def _pattern(english: str) -> re.Pattern[str]:
    """What fills the last gap of a sentence ends where another sentence begins; where it is one
    itself it is called `why`."""
    parts = GAP.split(english)
    names = parts[1::2]
    text = re.escape(parts[0])
    for name, after in zip(names, parts[2::2], strict=True):
        one = "." if after or name == "why" else "(?:(?!; ).)"
        text += f"(?P<{name}>{one}+?){re.escape(after)}"
    return re.compile(text, re.DOTALL)
