"""What a question is about: words reduced to stems, and the ideas that different words share.

Accents, plurals, German umlauts and compounds do not matter. The ideas are data: `synonyms.toml` of
each language. A term is a stem (`ramm`) or an idea (`_ram`).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Container, Mapping, Sequence
from typing import Protocol

import snowballstemmer

from tableref.rulebook.text import FOLDER

FAINT = 0.12
IDEA = 0.8
"""Weight of a word that says little by itself (`the`) and of a shared idea, beside 1 for the very
same word."""

_ALGORITHMS = {"en": "english", "fr": "french", "de": "german"}
_WORD = re.compile(r"[a-z]+|\d+")
_LONGEST_PHRASE = 4
_SHORTEST_PART = 3
_JOINTS = ("", "s", "n", "en", "es", "e")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


class Analyser:
    """Turns texts of one language into terms. `stems` are words whose stems are known already,
    because finding them is most of the work of starting."""

    def __init__(self, lang: str, stems: Mapping[str, str] | None = None) -> None:
        self.lang = lang
        self._stemmer: _Stemmer = snowballstemmer.stemmer(_ALGORITHMS[lang])
        self._stems = dict(stems or {})
        with (FOLDER / lang / "synonyms.toml").open("rb") as file:
            data = tomllib.load(file)
        self.faint = {self.stem(word) for word in self.words(data["faint"])}
        self._named = set(self.words(data["faint"]))
        self._ideas: dict[tuple[str, ...], list[str]] = {}
        for name, phrases in data["ideas"].items():
            for phrase in phrases.split(","):
                words = self.words(phrase)
                self._named.update(words)
                ideas = self._ideas.setdefault(tuple(map(self.stem, words)), [])
                if f"_{name}" not in ideas:
                    ideas.append(f"_{name}")

    def words(self, text: str) -> list[str]:
        """The words of a text in plain small letters."""
        return _WORD.findall(fold(text, self.lang))

    def stem(self, word: str) -> str:
        """The stem of a folded word."""
        stem = self._stems.get(word)
        if stem is None:
            stem = self._stemmer.stemWord(word)
            if self.lang == "de" and len(stem) > 4:
                stem = stem.removesuffix("s")  # Autos, Chips: plurals the algorithm leaves alone
            self._stems[word] = stem
        return stem

    def stems(self, text: str) -> list[str]:
        """The stems of a text, in order."""
        return [self.stem(word) for word in self.words(text)]

    def ideas(self, stems: Sequence[str]) -> list[str]:
        """The ideas that these words stand for, single words and phrases."""
        found: list[str] = []
        for start in range(len(stems)):
            for end in range(start + 1, min(start + _LONGEST_PHRASE, len(stems)) + 1):
                found += self._ideas.get(tuple(stems[start:end]), ())
        return list(dict.fromkeys(found))

    def known_words(self) -> set[str]:
        """The words that the ideas or the faint words name."""
        return self._named

    def strength(self, term: str) -> float:
        """How much a term says, however rare it is."""
        return FAINT if term in self.faint else IDEA if term[0] == "_" else 1.0


def fold(text: str, lang: str) -> str:
    """Small letters without accents; German umlauts in either spelling become plain vowels."""
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(c for c in text if not unicodedata.combining(c)).replace("œ", "oe")
    if lang == "en":
        return re.sub(r"['’]", "", text)
    if lang == "de":
        return re.sub(r"([aou])e", r"\1", text)
    return text


def parts(word: str, known: Container[str]) -> tuple[str, ...]:
    """The two known words that a German compound is made of, or nothing: the split whose shorter
    part is longest (`sternzuge` -> `stern`, `zuge`)."""
    best: tuple[str, ...] = ()
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        last = word[cut:]
        if last not in known:
            continue
        for joint in _JOINTS:
            first = word[:cut].removesuffix(joint)
            if first + joint != word[:cut] or len(first) < _SHORTEST_PART or first not in known:
                continue
            if not best or min(len(first), len(last)) > min(map(len, best)):
                best = (first, last)
    return best
