"""What a question about the table's state asks for: its kind, and the pieces and cells it names.

    hear = Listener("en", spoken(game, board))
    hear("can red go to b3?")    # Heard("can", side="red", cells=("b3",))
    hear("who pays if I ram a parked car?")    # None: one about the rules

The words are data, `asking.toml` of each language: ideas and the words for them, and for each kind
of question the ideas that make it. A word may be misspelt. A question that has words besides which
the rules are written in is one about the rules.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from tableref.rulebook import asked, text
from tableref.rulebook.book import Rulebook
from tableref.rulebook.covering import everyday_phrases
from tableref.rulebook.terms import fold

_WORD = re.compile(r"[a-z0-9]+")
_CELL_LIKE = re.compile(r"[a-z]{1,2}\d{1,2}")
_LETTER = re.compile(r"(?<![\w'’])([B-Z])(?![\w'’])|(?<=\s)([A-Z])(?=\s*\W*$)")
_LONGEST = 40
"""Words of a question; what is longer is none about the state."""
_SHORTEST_MISSPELT, _LONG_WORD = 4, 8
"""Words from these lengths on are put right by one letter, and by two behind the first."""
_SHORT_WORD = 5
"""Up to this length a word in which people ask for rules is no other one, misspelt."""
_DECIDING = {"why": ("why", "pays", "can"), "camera": ("seen",), "if": ("what-if",)}
"""Ideas that leave only these kinds."""
_MOST_FOREIGN = 2
"""Words that nobody knows in a question that names a piece and where it is to go."""
_ABOUT_A_PIECE = ("can", "may", "where", "what-if")
_TOLERANT = ("turn", "score", "leader", "last", "seen", "round", "over")
"""Kinds in which a word that nobody knows does no harm."""


class Spoken(NamedTuple):
    """What can be named in a game: `sides` and `kinds` as pieces have them, in the words of the
    rulebook too; cells; `places`: a word before a number that names a cell (`yellow 9` is `Y9`)."""

    game: str
    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    cells: tuple[str, ...]
    places: Mapping[str, str]
    people: tuple[str, ...] = ()


class Heard(NamedTuple):
    """A question that was understood. `side` and `kind` are those of the piece it is about,
    `number` says which of several (`red 2`); `cells` in the order of the words; `letter` of a
    manoeuvre; `die`: a number and the place where it lies (`4 on yellow`); `strangers` are what
    it names that the game has not."""

    asks: str
    side: str = ""
    kind: str = ""
    number: int = 0
    cells: tuple[str, ...] = ()
    letter: str = ""
    die: tuple[int, str] | None = None
    strangers: tuple[str, ...] = ()


class _Named(NamedTuple):
    """What the words of a question name, and the words that are left."""

    sides: list[str]
    kinds: list[str]
    number: int
    cells: list[str]
    die: tuple[int, str] | None
    strangers: list[str]
    left: list[str]


class Listener:
    """Understands questions about one game in one language."""

    def __init__(self, lang: str, spoken: Spoken) -> None:
        self._lang, self._spoken = lang, spoken
        self._data = asking(lang)
        self._ideas = _ideas(lang)
        self._small = frozenset(_words(self._data["small"], lang))
        self._strangers = frozenset(_words(self._data["strangers"], lang))
        self._cells = {cell.casefold(): cell for cell in spoken.cells}
        self._names = self._named_by()
        self._known = (*self._ideas, *self._names)

    def __call__(self, question: str) -> Heard | None:
        """What a question asks for; None where it is none about the state."""
        words = _words(question, self._lang)
        if not words or len(words) > _LONGEST:
            return None
        named = self._name(words)
        mended = [self._mended(word) for word in named.left]
        ideas = {idea for word in (*mended, *words) for idea in self._ideas.get(word, ())}
        if named.sides or named.kinds or named.strangers:
            ideas.add("piece")
        if named.sides or named.strangers:
            ideas.add("side")
        if named.cells or any(_CELL_LIKE.fullmatch(one) for one in named.strangers):
            ideas.add("cell")
        letter = self._letter(question)
        if letter:
            ideas.add("letter")
        asks = self._kind(ideas)
        foreign = [
            word for word in mended
            if word not in self._ideas and word not in self._small and not word.isdigit()
            and len(word) > 1
        ]  # fmt: skip
        if asks is None or not self._fits(asks, named, ideas, foreign):
            return None
        strangers = list(named.strangers)
        if asks in _ABOUT_A_PIECE and not (named.sides or named.kinds or strangers):
            strangers += foreign[:1]
        return Heard(
            asks,
            next(iter(named.sides), ""),
            next(iter(named.kinds), ""),
            named.number,
            tuple(named.cells),
            letter,
            named.die,
            tuple(dict.fromkeys(strangers)),
        )

    def _kind(self, ideas: set[str]) -> str | None:
        """The kind of which most ideas occur; of several the first in the file."""
        best: tuple[int, str] | None = None
        for kind, lines in self._data["kinds"].items():
            if any(idea in ideas and kind not in kinds for idea, kinds in _DECIDING.items()):
                continue
            for line in lines:
                wanted = [idea for idea in line.split() if idea[0] != "-"]
                barred = any(f"-{idea}" in line.split() for idea in ideas)
                if (
                    not barred
                    and ideas.issuperset(wanted)
                    and (best is None or len(wanted) > best[0])
                ):
                    best = len(wanted), kind
        return best[1] if best else None

    def _fits(self, asks: str, named: _Named, ideas: set[str], foreign: list[str]) -> bool:
        """Whether what is left of the words leaves it a question about the state."""
        if not foreign:
            return asks != "score" or not any(word.isdigit() for word in named.left)
        cells = [cell for cell in named.cells if any(char.isdigit() for char in cell)]
        if asks == "can" and cells and (len(cells) > 1 or "side" in ideas):
            return len(foreign) <= _MOST_FOREIGN
        if len(foreign) > 1 or self._of_the_rules(foreign[0]):
            return False
        return bool(cells) or asks in _TOLERANT

    def _of_the_rules(self, word: str) -> bool:
        return word in self._rules or any(
            known.startswith(word[:5]) for known in self._rules if len(word) > 5
        )

    @cached_property
    def _ruled(self) -> frozenset[str]:
        """The words in which the rules of the game and of the house are written, and those of
        everyday life: none of them is another word that is misspelt."""
        book, found = Rulebook(self._lang), set(_everyday(self._lang))
        for game in self._files:
            for id in book.ids(game):
                found.update(_words(book.paragraph(id).text, self._lang))
        return frozenset(found)

    @cached_property
    def _rules(self) -> frozenset[str]:
        """Those, and the words in which people ask for rules."""
        phrases = (asked.load(self._lang, game).values() for game in self._files)
        texts = (" ".join(one) for each in phrases for one in each)
        return self._ruled.union(*(_words(words, self._lang) for words in texts))

    @property
    def _files(self) -> tuple[str, ...]:
        both = (self._spoken.game, text.GAMES["HR"])
        return tuple(game for game in both if game in text.GAMES.values())

    # -- names ------------------------------------------------------------------------------------

    def _named_by(self) -> dict[str, tuple[str, str]]:
        """Word -> what it names: `side`, `kind` or `stranger`, and the game's own word for it."""
        book, told = Rulebook(self._lang), self._data["names"]
        found: dict[str, tuple[str, str]] = {}
        for own, words in told.items():
            for word in _words(words, self._lang):
                found[word] = ("stranger", own)
        for sort, owns in (("side", self._spoken.sides), ("kind", self._spoken.kinds)):
            for own in filter(None, owns):
                spellings = (own, told.get(own, ""), book.value(own, name=sort == "side"))
                for word in _words(" ".join(spellings), self._lang):
                    if not word.isdigit():
                        found[word] = (sort, own)
        for number, name in enumerate(self._spoken.people):
            if str(number) in self._spoken.sides:
                for word in _words(book.value(name, name=True), self._lang):
                    found[word] = ("side", str(number))
        return found

    def _name(self, words: list[str]) -> _Named:
        """Takes cells, pieces and dice out of the words."""
        named, number, left, skip = _Named([], [], 0, [], None, [], []), 0, [], 0
        die: tuple[int, str] | None = None
        for place, word in enumerate(words):
            if skip:
                skip -= 1
                continue
            after = words[place + 1] if place + 1 < len(words) else ""
            if cell := self._cell(word, after):
                named.cells.append(cell)
                skip = after.isdigit() and word not in self._cells
                continue
            if word.isdigit() and (lies := self._lies(words[place + 1 : place + 4])):
                die = (int(word), lies)
                continue
            sort, own = self._sort(word)
            if sort == "side":
                named.sides.append(own)
            elif sort == "kind":
                named.kinds.append(own)
            elif own in self._spoken.places:
                continue
            elif sort == "stranger" or word in self._strangers or _CELL_LIKE.fullmatch(word):
                named.strangers.append(word)
            else:
                left.append(word)
                continue
            if sort in ("side", "kind", "person") and after.isdigit() and not number:
                number, skip = int(after), 1
        return named._replace(number=number, die=die, left=left)

    def _cell(self, word: str, after: str) -> str:
        """The cell that this word names, or this word and the number after it; or none."""
        if word in self._cells:
            # A word of the language, as `gate`, is a cell too.
            return self._cells[word]
        sort, own = self._sort(word)
        if own in self._spoken.places and after.isdigit():
            return self._cells.get(f"{self._spoken.places[own]}{after}".casefold(), "")
        if len(word) <= 2 and after.isdigit() and word not in self._small:
            return self._cells.get(word + after, "")
        if turned := re.fullmatch(r"(\d+)([a-z]+)", word):
            return self._cells.get(turned[2] + turned[1], "")
        return self._cells.get(own.casefold(), "") if sort == "kind" else ""

    def _lies(self, after: list[str]) -> str:
        """The place of a die that is named by one of the next words."""
        for word in after:
            own = self._sort(word)[1]
            if own in self._spoken.places:
                return own
        return ""

    def _sort(self, word: str) -> tuple[str, str]:
        """What a word names; a misspelt name is put right unless it is a word of its own."""
        if word in self._names:
            return self._names[word]
        if word in self._ideas or word in self._small or word in self._strangers:
            return "", ""
        near = "" if word in self._ruled else _nearest(word, self._known)
        return self._names.get(near, ("", "")) if near else ("", "")

    def _mended(self, word: str) -> str:
        if word in self._ideas or word in self._small or word in self._ruled:
            return word
        known = (*self._ideas, *self._small)
        near = _nearest(word, known, close=word in self._rules)
        return word if not near or (word in self._rules and len(word) <= _SHORT_WORD) else near

    def _letter(self, question: str) -> str:
        """A capital that stands alone, or the last letter that is no word."""
        for match in _LETTER.finditer(question):
            letter = match[1] or match[2]
            if letter.casefold() not in self._small or match[2]:
                return letter
        alone = [
            word for word in _words(question, self._lang)
            if len(word) == 1 and word.isalpha() and word not in self._small
        ]  # fmt: skip
        return alone[-1].upper() if alone else ""


def _nearest(word: str, known: Iterable[str], close: bool = False) -> str:
    """The known word of which this one is a misspelling; empty where none is near enough.
    `close`: by one letter at most."""
    from tableref.rulebook.lookup import distance

    if len(word) < _SHORTEST_MISSPELT or word.isdigit():
        return ""
    allowed = 1 if close or len(word) < _LONG_WORD else 2
    near = [
        (distance(word, each), each[0] != word[0], each)
        for each in known
        if abs(len(each) - len(word)) <= allowed and len(each) >= _SHORTEST_MISSPELT - 1
    ]
    best, other_start, found = min(near, default=(allowed + 1, False, ""))
    return found if best <= (1 if other_start else allowed) else ""


def _words(text: str, lang: str) -> list[str]:
    return _WORD.findall(fold(text, lang))


@lru_cache(maxsize=4)
def _everyday(lang: str) -> frozenset[str]:
    return frozenset(word for each in everyday_phrases(lang) for word in _words(each, lang))


@lru_cache(maxsize=4)
def asking(lang: str) -> dict[str, Any]:
    """The data of a language."""
    with (text.FOLDER / lang / "asking.toml").open("rb") as file:
        return tomllib.load(file)


@lru_cache(maxsize=4)
def _ideas(lang: str) -> dict[str, tuple[str, ...]]:
    """Word -> the ideas that it stands for."""
    found: dict[str, list[str]] = {}
    for idea, words in asking(lang)["ideas"].items():
        for word in _words(words, lang):
            found.setdefault(word, []).append(idea)
    return {word: tuple(ideas) for word, ideas in found.items()}
