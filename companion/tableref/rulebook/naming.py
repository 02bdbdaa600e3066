"""What game somebody means: by its name in any case and form, in any language, or its beginning.

candidates("Arrows & Stars", GAMES.values())    # (arrows-and-stars,), as "pfeile" or "AE"
candidates("s", GAMES.values())    # (scorpion, skorpion-deep, squod)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from functools import lru_cache

from tableref.rulebook.text import GAMES, LANGUAGES, title

_Name = tuple[str, ...]
_LINKS = frozenset(("and", "et", "und", "the", "les", "die"))
"""Words that people leave out of a name."""
_LETTERS = {game: letters.casefold() for letters, game in GAMES.items()}


def candidates(typed: str, games: Collection[str]) -> tuple[str, ...]:
    """The games that may be meant: those of exactly this name, else those whose name begins so,
    else those whose second or later word does."""
    words, whole = _words(typed), _words(typed, linked=True)
    if not words:
        return ()
    names = {game: _spellings(game) for game in games}

    def those(fits: Callable[[_Name], bool]) -> tuple[str, ...]:
        return tuple(game for game, spelt in names.items() if any(map(fits, spelt)))

    return (
        those(lambda name: "".join(name) in ("".join(words), "".join(whole)))
        or those(lambda name: _begins(name, words))
        or those(lambda name: any(_begins(name[at:], words) for at in range(1, len(name))))
    )


def _begins(name: _Name, words: _Name) -> bool:
    """Whether a name begins with these words; the last may be cut off, and one alone may be
    several that are written as one."""
    *before, last = words
    rest = name[len(before) :] if before else ("".join(name),)
    return name[: len(before)] == tuple(before) and "".join(rest[:1]).startswith(last)


@lru_cache(maxsize=32)
def _spellings(game: str) -> tuple[_Name, ...]:
    """The words of a game's names, with and without those that people leave out; its letters."""
    names = (game, _LETTERS.get(game, game), *(title(lang, game) for lang in LANGUAGES))
    found = (_words(name, linked) for name in names for linked in (True, False))
    return tuple(dict.fromkeys(filter(None, found)))


def _words(name: str, linked: bool = False) -> _Name:
    """The words of a name in plain small letters; `linked`: with those that people leave out."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", parted.casefold()))
    words = re.findall(r"[^\W_]+", plain)
    return tuple(word for word in words if linked or word not in _LINKS)
