"""What a question is about: words reduced to stems, and the ideas that different words share.

Accents, plurals, German umlauts and compounds do not matter. The ideas are data: `synonyms.toml` of
each language. A term is a stem (`ramm`) or an idea (`_ram`).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence

import Stemmer

from tableref.rulebook.text import FOLDER

FAINT = 0.12
IDEA = 0.8
"""Weight of a word that says little by itself (`the`) and of a shared idea, beside 1 for the very
same word."""

_ALGORITHMS = {"en": "english", "fr": "french", "de": "german"}
WORD = re.compile(r"[a-z]+|\d+")
_MARKS = re.compile("[\u0300-\u036f]")  # accents that stand by themselves
_SHORTEST_PART = 3
_JOINTS = ("", "s", "n", "en", "es", "e")


class _Stems(dict[str, str]):
    """Word -> stem; a new word gets its own when it is asked for."""

    def __init__(self, lang: str, known: Mapping[str, str]) -> None:
        super().__init__(known)
        self._stemmer = Stemmer.Stemmer(_ALGORITHMS[lang])
        self._drops_s = lang == "de"

    def __missing__(self, word: str) -> str:
        stem = str(self._stemmer.stemWord(word))
        if self._drops_s and len(stem) > 4:
            stem = stem.removesuffix("s")  # Autos, Chips: plurals the algorithm leaves alone
        self[word] = stem
        return stem


class _Phrases:
    """Phrases that begin alike: the ideas of the words so far, and what may follow them."""

    __slots__ = ("ideas", "longer")

    def __init__(self) -> None:
        self.ideas: list[str] = []
        self.longer: dict[str, _Phrases] = {}


class Analyser:
    """Turns texts of one language into terms. `stems` are words whose stems are known already."""

    def __init__(self, lang: str, stems: Mapping[str, str] | None = None) -> None:
        self.lang = lang
        self._stems = _Stems(lang, stems or {})
        with (FOLDER / lang / "synonyms.toml").open("rb") as file:
            data = tomllib.load(file)
        faint = self.words(data["faint"])
        self.faint = set(self.stems(faint))
        self.asking = set(self.stems(self.words(data["asking"])))
        self._named = set(faint)
        self._phrases = _Phrases()
        for name, phrases in data["ideas"].items():
            for phrase in phrases.split(","):
                words = self.words(phrase)
                self._named.update(words)
                said = self._phrases
                for stem in self.stems(words):
                    said = said.longer.setdefault(stem, _Phrases())
                if f"_{name}" not in said.ideas:
                    said.ideas.append(f"_{name}")

    def words(self, text: str) -> list[str]:
        """The words of a text in plain small letters."""
        return WORD.findall(fold(text, self.lang))

    def stem(self, word: str) -> str:
        """The stem of a folded word."""
        return self._stems[word]

    def stems(self, words: Iterable[str]) -> list[str]:
        """The stems of folded words."""
        return [self._stems[word] for word in words]

    def ideas(self, stems: Sequence[str]) -> list[str]:
        """The ideas that these words stand for, single words and phrases."""
        found: list[str] = []
        first = self._phrases.longer
        for start, stem in enumerate(stems):
            said, end = first.get(stem), start + 1
            while said:
                found += said.ideas
                said, end = said.longer.get(stems[end]) if end < len(stems) else None, end + 1
        return list(dict.fromkeys(found))

    def known_words(self) -> set[str]:
        """The words that the ideas or the faint words name."""
        return self._named

    def strength(self, term: str) -> float:
        """How much a term says, however rare it is."""
        return FAINT if term in self.faint else IDEA if term[0] == "_" else 1.0


def fold(text: str, lang: str) -> str:
    """Small letters without accents; German umlauts in either spelling become plain vowels."""
    text = text.casefold()
    if not text.isascii():
        text = _MARKS.sub("", unicodedata.normalize("NFKD", text)).replace("œ", "oe")
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
