"""What a question about the table's state asks for: its kind, and the pieces and cells it names.

    hear = Listener("en", spoken(game, board))
    hear("can red go to b3?")    # Heard("can", side="red", cells=("b3",))
    hear("who pays if I ram a parked car?")    # None: one about the rules

The words are data, `asking.toml` of each language: ideas and the words for them. A word may be
misspelt, have another ending, or be part of a German compound. Which kind of question the ideas
make is weighed in `kinds`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from tableref.rulebook import asked, letters, text, wrapping
from tableref.rulebook.askingwords import (
    WORD,
    analyser_of,
    around_of,
    asking,
    everyday_words,
    ideas_of,
    joined,
    nearest,
    stems_of,
    stems_of_life,
    words_of,
)
from tableref.rulebook.book import Rulebook
from tableref.rulebook.kinds import KINDS, RULES, Signs, kind_of, likely
from tableref.rulebook.life import likeness
from tableref.rulebook.terms import parts

_CELL_LIKE = re.compile(r"[a-z]{1,2}\d{1,2}")
_LETTER = re.compile(
    r"(?<![\w'’])([B-HJ-Z]|(?<=\w )A)(?![\w'’])|(?<=\s)([a-hj-zA-HJ-Z])(?=\s*\W*$)"
)
_LONGEST = 40
"""Words of a question; what is longer is none about the state."""
_SURE, _SURE_NONE, _NONE_AFTER_ALL = 0.45, 0.45, 0.55
"""How likely a kind is at least, or that a question is none about the state, for it to be taken so;
the last where its ideas say a kind. Chosen on questions that were left out of learning
(`tests/bench/letters.py`) or that nothing was learned from: of those about the state one in a
hundred is taken for another, and one in eight asked about."""
_SHORT_WORD = 5
"""Up to this length a word in which people ask for rules is no other one, misspelt."""
_HARDLY_NONE = 0.25
"""How likely it is at most that a question is none about the state, for a kind to be offered though
a word of it is one of everyday life, if it has one of `_PLAYED` too."""
_PLAYED = frozenset(("round", "score", "turn", "throw", "side", "referee"))
_ASKING = frozenset(("who", "what", "which", "how", "where", "why", "if"))
"""Ideas of words that begin a question: a relative before one is whom it is put to."""
_ABOUT_A_PIECE = ("can", "may", "where", "what-if")
_OF_THE_GAME = frozenset(
    (
        "piece", "side", "cell", "person", "die", "letter", "counted", "game", "round", "camera",
        "turn", "score", "throw", "moves", "referee", "rule", "number", "cellword", "lead", "won",
        "over", "belong", "take", "order", "wrong", "pay", "put", "facing", "speed",
    )
)  # fmt: skip
"""Signs of which a question has one, if it has a word that nobody knows: else it is of life."""
_OF_NAMES = (*_ABOUT_A_PIECE, "whose", "numbers")
"""Kinds in which it matters whether there is what a question names."""


class Spoken(NamedTuple):
    """What can be named in a game: `sides` and `kinds` as pieces have them, in the words of the
    rulebook too; cells; `places`: a word before a number that names a cell (`yellow 9` is `Y9`);
    the names of the players."""

    game: str
    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    cells: tuple[str, ...]
    places: Mapping[str, str]
    people: tuple[str, ...] = ()


class Heard(NamedTuple):
    """A question that was understood. `side` and `kind` are those of the piece it is about,
    `number` says which of several (`red 2`); `person` the player it names; `cells` in the order of
    the words; `letter` of a manoeuvre; `die`: a number and the place where it lies (`4 on yellow`);
    `strangers` are what it names that the game has not. `perhaps`: where it is not sure what is
    asked, the kinds that it may be, the likeliest first."""

    asks: str
    side: str = ""
    kind: str = ""
    number: int = 0
    cells: tuple[str, ...] = ()
    letter: str = ""
    die: tuple[int, str] | None = None
    strangers: tuple[str, ...] = ()
    person: str = ""
    perhaps: tuple[str, ...] = ()


class _Named(NamedTuple):
    """What the words of a question name, and the words that are left."""

    sides: list[str]
    kinds: list[str]
    people: list[str]
    number: int
    cells: list[str]
    die: tuple[int, str] | None
    strangers: list[str]
    left: list[str]

    def signs(self) -> Iterator[str]:
        """What sorts of things are named."""
        if self.sides or self.kinds or self.strangers:
            yield "piece"
        if self.sides or self.strangers:
            yield "side"
        if len(self.sides) > 1:
            yield "sides"
        if self.people:
            yield "person"
        if self.die:
            yield "die"
        cells = [*self.cells, *filter(_CELL_LIKE.fullmatch, self.strangers)]
        if cells:
            yield "cell"
        if len(cells) > 1:
            yield "cells"


class Listener:
    """Understands questions about one game in one language."""

    def __init__(self, lang: str, spoken: Spoken) -> None:
        self._lang, self._spoken = lang, spoken
        self._data = asking(lang)
        self._ideas, self._stems = ideas_of(lang), stems_of(lang)
        self._small = frozenset(words_of(self._data["small"], lang))
        self._strangers = frozenset(words_of(self._data["strangers"], lang))
        self._players = frozenset(words_of(self._data["players"], lang))
        self._relatives = frozenset(words_of(self._data["relatives"], lang))
        self._spoken_to = self._relatives.union(words_of(self._data["spoken-to"], lang))
        self._around = around_of(lang)
        self._cells = {cell.casefold(): cell for cell in spoken.cells}
        self._names = self._named_by()
        self._says = (*self._ideas, *self._small)
        self._known = (*self._says, *self._names)

    def __call__(self, question: str) -> Heard | None:
        """What a question asks for; None where it is none about the state."""
        whole = self._hear(question)
        if whole is not None and not whole.perhaps:
            return whole
        *before, last = wrapping.parts(question)
        found = self._hear(last) if before else None
        if found is None or found.perhaps:
            return whole
        if whole is not None:
            return found
        # What is told before may make it a question about rules.
        if any(self._matters(part) for part in before):
            return None
        return found._replace(perhaps=(found.asks,))

    def _matters(self, told: str) -> bool:
        """Whether something of the game, a condition or everyday life is told."""
        signs = self.signs(told)
        conditions = self._around.conditions.intersection(words_of(told, self._lang))
        of_the_game = signs.ruled or _OF_THE_GAME.intersection(signs.ideas)
        return bool(conditions or of_the_game or signs.everyday)

    def _hear(self, question: str) -> Heard | None:
        """The same of a question in one piece."""
        words = self._words(question)
        if not words or len(words) > _LONGEST:
            return None
        named = self._name(words)
        letter = self._letter(question)
        signs, unknown = self._signs(words, named, letter)
        asks = kind_of(signs)
        chances = self._likely(words, named, signs)
        of_life = unknown and not _OF_THE_GAME.intersection(signs.ideas)
        if of_life and likeness(analyser_of(self._lang), question) > 0:
            return None
        if asks is None and self._is_of_a_stranger(named, signs):
            asks = "may"
        perhaps = () if named.strangers else _perhaps(chances, asks, len(words))
        if perhaps and chances[RULES] >= _NONE_AFTER_ALL:
            return None
        if asks is None and perhaps:
            asks = perhaps[0]
        if asks is None:
            return None
        if signs.everyday and not (named.people or "cell" in signs.ideas):
            if chances[RULES] > _HARDLY_NONE or not _PLAYED.intersection(signs.ideas):
                return None
            perhaps = perhaps or _by_chance(chances)
        if asks not in _ABOUT_A_PIECE and self._strangers.intersection(named.strangers):
            return None
        strangers = list(named.strangers) if asks in _OF_NAMES else []
        # Of a cell it is asked what stands there, and how it does so may be any word.
        of_a_cell = asks == "where" and named.cells
        if asks in _ABOUT_A_PIECE and not (named.sides or named.people or strangers or of_a_cell):
            strangers += self._nameless(words, named, unknown, "me" in signs.ideas)
        return Heard(
            asks,
            next(iter(named.sides), ""),
            next(iter(named.kinds), ""),
            named.number,
            tuple(named.cells),
            letter,
            named.die,
            tuple(dict.fromkeys(strangers)),
            next(iter(named.people), ""),
            perhaps,
        )

    def _likely(self, words: list[str], named: _Named, signs: Signs) -> dict[str, float]:
        """Kind, or `RULES` -> how likely it is by ideas and by letters."""
        by_letters = letters.likely(self._lang, [*self._tokens(words, named)])
        return {kind: (one + by_letters[kind]) / 2 for kind, one in likely(signs).items()}

    @staticmethod
    def _is_of_a_stranger(named: _Named, signs: Signs) -> bool:
        """Whether what may be done with a piece is asked, and the game has no such piece."""
        return (
            bool(named.strangers)
            and not (named.sides or signs.everyday or signs.unknown)
            and {"may", "go"} <= {*signs.ideas}
        )

    def _nameless(
        self, words: list[str], named: _Named, unknown: list[str], mine: bool
    ) -> list[str]:
        """A word that nobody knows, where a question names no piece but by it: `the zebra`, or
        beside the kind of a piece, `the striped car`."""
        for word in unknown:
            place = words.index(word)
            beside = words[place + 1 : place + 2] if self._lang != "fr" else words[:place][-1:]
            if any(self._names.get(one, ("",))[0] == "kind" for one in beside):
                return [word]
        return unknown[:1] if not (named.kinds or named.cells[1:] or mine) else []

    def tokens(self, question: str) -> tuple[str, ...]:
        """The words of a question one by one, what they name as `@` and a letter for its sort."""
        words = self._words(question)
        return tuple(self._tokens(words, self._name(words)))

    def _tokens(self, words: list[str], named: _Named) -> Iterator[str]:
        left = iter(named.left)
        pending = next(left, None)
        for word in words:
            if word == pending:
                pending = next(left, None)
                yield from ("@n",) if word.isdigit() else word.split("_")
            elif _CELL_LIKE.fullmatch(word):
                yield "@c"
            else:
                yield f"@{self._names.get(word, ('x',))[0][:1]}"

    def signs(self, question: str) -> Signs:
        """What the kind of a question is weighed by."""
        words = self._words(question)
        return self._signs(words, self._name(words), self._letter(question))[0]

    def _words(self, question: str) -> list[str]:
        """The words of a question without whom it is put to; those that belong together are
        one."""
        words = words_of(question, self._lang)
        if len(words) > 1 and self._is_spoken_to(question, words):
            words = words[1:]
        asked, comma, last = question.rpartition(",")
        if comma and asked and self._spoken_to.issuperset(words_of(last, self._lang)):
            words = words[: len(words) - len(words_of(last, self._lang))]
        words = wrapping.bare(words, self._around)
        return WORD.findall(joined(" ".join(words), self._lang))

    def _is_spoken_to(self, question: str, words: list[str]) -> bool:
        """Whether the first word says to whom it is spoken; a relative may be who it is about."""
        if words[0] not in self._relatives:
            return words[0] in self._spoken_to
        begun = words_of(question.partition(",")[0], self._lang)
        return begun == words[:1] or not _ASKING.isdisjoint(self._ideas.get(words[1], ()))

    def _signs(self, words: list[str], named: _Named, letter: str) -> tuple[Signs, list[str]]:
        """The signs, and the words that nobody knows."""
        ideas, unknown, ruled, everyday = dict[str, None](), [], 0, 0
        left = iter(named.left)
        pending = next(left, None)
        relative = False
        for word in words:
            if word != pending:
                # What names something may stand for an idea, too.
                ideas.update(dict.fromkeys(self._ideas.get(word, ())))
                continue
            pending = next(left, None)
            called, relative = relative, word in self._relatives
            if relative:
                # Who plays, until more is known: `is it grandma or me`, `uncle Joe`.
                ideas["person"] = None
                continue
            meant = self._meant(word)
            if meant is not None:
                ideas.update(dict.fromkeys(meant))
            elif word.isdigit():
                ideas["digit"] = None
            elif len(word) < 2:
                continue
            elif word in self._rules:
                ruled += 1
            elif self._is_everyday(word):
                everyday += 1
            elif not called:
                unknown.append(word)
        ideas.update(dict.fromkeys(named.signs()))
        if letter:
            ideas["letter"] = None
        stems = tuple(dict.fromkeys(map(self._stem, named.left)))
        return Signs(tuple(ideas), stems, ruled, everyday, len(unknown), len(words)), unknown

    def _stem(self, word: str) -> str:
        """The stem of a word, put right where it is misspelt, with the language before it."""
        if word.isdigit():
            return f"{self._lang}:0"
        if word not in self._small and word not in self._ruled:
            word = nearest(word, self._says) or word
        return f"{self._lang}:{analyser_of(self._lang).stem(word)}"

    def _is_everyday(self, word: str) -> bool:
        """Whether a word is one of everyday life, in any ending, and none of the rules."""
        return word not in self._rules and (
            word in everyday_words(self._lang)
            or analyser_of(self._lang).stem(word) in stems_of_life(self._lang)
        )

    def _meant(self, word: str) -> tuple[str, ...] | None:
        """The ideas that a word stands for, in any ending, put together or misspelt; none for a
        word that says nothing, None for one that is not known."""
        if word in self._ideas:
            return self._ideas[word]
        if word in self._small:
            return ()
        if self._is_everyday(word):
            return None
        if found := self._stems.get(analyser_of(self._lang).stem(word)):
            return found
        if word in self._ruled:
            return None
        if halves := parts(word, self._ideas) if self._lang == "de" else ():
            return tuple(idea for half in halves for idea in self._ideas[half])
        close = word in self._rules
        if close and len(word) <= _SHORT_WORD:
            return None
        near = nearest(word, self._says, close)
        return self._ideas.get(near, ()) if near else None

    @cached_property
    def _ruled(self) -> frozenset[str]:
        """The words in which the rules of the game and of the house are written, and those of
        everyday life: none of them is another word that is misspelt."""
        book, found = Rulebook(self._lang), set(everyday_words(self._lang))
        for game in self._files:
            for id in book.ids(game):
                found.update(words_of(book.paragraph(id).text, self._lang))
        return frozenset(found)

    @cached_property
    def _rules(self) -> frozenset[str]:
        """Those of rules, and the words in which people ask for rules."""
        phrases = (asked.load(self._lang, game).values() for game in self._files)
        texts = (" ".join(one) for each in phrases for one in each)
        told = self._ruled - everyday_words(self._lang)
        return told.union(*(words_of(words, self._lang) for words in texts))

    @property
    def _files(self) -> tuple[str, ...]:
        both = (self._spoken.game, text.GAMES["HR"])
        return tuple(game for game in both if game in text.GAMES.values())

    # -- names ------------------------------------------------------------------------------------

    def _named_by(self) -> dict[str, tuple[str, str]]:
        """Word -> what it names: `side`, `kind`, `person` or `stranger`, and the game's own word
        for it."""
        book, told = Rulebook(self._lang), self._data["names"]
        found: dict[str, tuple[str, str]] = {}
        for own, words in told.items():
            for word in words_of(words, self._lang):
                found[word] = ("stranger", own)
        for sort, owns in (("side", self._spoken.sides), ("kind", self._spoken.kinds)):
            for own in filter(None, owns):
                spellings = (own, told.get(own, ""), book.value(own, name=sort == "side"))
                for word in words_of(" ".join(spellings), self._lang):
                    if not word.isdigit():
                        found[word] = (sort, own)
        for number, name in enumerate(self._spoken.people):
            side = str(number) in self._spoken.sides
            what = ("side", str(number)) if side else ("person", name)
            called = f"{book.value(name, name=True)} {told.get(name, '')}"
            for word in words_of(called, self._lang):
                known = found.get(word, ("stranger",))[0] != "stranger"
                if (side or not known) and not word.isdigit() and word not in self._players:
                    found[word] = what
        return found

    def _name(self, words: list[str]) -> _Named:
        """Takes cells, pieces, players and dice out of the words."""
        named, number, left, skip = _Named([], [], [], 0, [], None, [], []), 0, [], 0
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
            if word in self._players:
                if not after.isdigit():
                    continue
                skip = 1
                if person := self._player(int(after)):
                    (named.sides if person in self._spoken.sides else named.people).append(person)
                else:
                    named.strangers.append(f"{word} {after}")
                continue
            sort, own = self._sort(word)
            if sort == "side":
                named.sides.append(own)
            elif sort == "kind":
                named.kinds.append(own)
            elif sort == "person":
                named.people.append(own)
            elif own in self._spoken.places and self._names.get(after, ("",))[0] != "kind":
                continue
            elif sort == "stranger" or word in self._strangers or _CELL_LIKE.fullmatch(word):
                named.strangers.append(word)
            else:
                left.append(word)
                continue
            if sort in ("side", "kind") and after.isdigit() and not number:
                number, skip = int(after), 1
        return named._replace(number=number, die=die, left=left)

    def _player(self, number: int) -> str:
        """The player of this number, from 1 on, as the game names him; or none."""
        people = self._spoken.people
        if not 0 < number <= len(people):
            return ""
        return str(number - 1) if str(number - 1) in self._spoken.sides else people[number - 1]

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
        near = "" if word in self._ruled else nearest(word, self._known)
        return self._names.get(near, ("", "")) if near else ("", "")

    def _letter(self, question: str) -> str:
        """A capital that stands alone, or the last letter that is no word and no name."""
        said = {*self._small, *self._ideas, *self._names}
        for match in _LETTER.finditer(question):
            letter = str(match[1] or match[2])
            if match.start() and not question.isupper() and letter.casefold() not in self._names:
                return letter.upper()
        alone = [
            word for word in words_of(question, self._lang)
            if len(word) == 1 and word.isalpha() and word not in said
        ]  # fmt: skip
        return alone[-1].upper() if alone else ""


def _perhaps(likely: Mapping[str, float], asks: str | None, words: int) -> tuple[str, ...]:
    """The kinds that a question of so many words may be, the likeliest first; none where it is sure
    which."""
    # A word alone that stands for no kind may be a command.
    none = likely[RULES] >= _SURE_NONE or words < 2
    sure = likely[asks] >= _SURE if asks else none
    return () if sure else _by_chance(likely)


def _by_chance(likely: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(KINDS, key=lambda kind: likely[kind], reverse=True))
