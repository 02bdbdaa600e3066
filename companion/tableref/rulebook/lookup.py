"""Which paragraph answers a question that a player asks in his own words.

    Lookup("en").ask("I rammed my own car, who gets the chips?", "autoscooter").results[0].id

Every line of the index (headings, sentences, phrases that people use) is compared with the
question by the terms both have, weighed by how rare they are. A paragraph counts by its best
lines. Phrases that no paragraph covers take part like a paragraph; when they win, or when nothing
comes near, the answer is that none covers it.
"""

from __future__ import annotations

import math
import operator
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tableref.rulebook import asked
from tableref.rulebook.book import Rulebook, UnknownParagraph
from tableref.rulebook.covering import ASKING, KNOWN, MENDED, RARE, Signs, count_everyday, uncovered
from tableref.rulebook.index import BODY, open_index, sentences, terms_of
from tableref.rulebook.life import likeness
from tableref.rulebook.terms import IDEA, Analyser, parts
from tableref.rulebook.text import GAMES, typed_id

HOUSE = GAMES["HR"]
_LETTERS = {game: letters for letters, game in GAMES.items()}

_MOST_WORDS = 60
"""What is longer is no question; its first words are looked up."""
_CANDIDATES = 100
_UNKNOWN = 6.0
"""Weight of a word that no text has."""
_SHORTEST_MISSPELT, _LONG_WORD = 4, 7
"""Words from these lengths on are put right by one letter, and by two."""
_FOLLOWING = (0.5, 0.25, 0.15, 0.1)
"""How much the best, the second and further lines of a paragraph count."""
_WHOLE, _BM25_OF_A_TERM = 0.3, 3.0
"""How much the whole paragraph counts beside its best lines, by BM25 for a term of the question."""
_RULE_TEXT = 0.9
"""Sentences of the rule count a little less than the words of players."""
_HOUSE_SHARE = 0.95


class Result(NamedTuple):
    """A paragraph that may answer; `text` is its sentence that fits best, `score` 0 to about 1."""

    id: str
    score: float
    text: str


class Answer(NamedTuple):
    """Paragraphs, best first. `none`: no paragraph covers the question, these are only near."""

    results: tuple[Result, ...]
    none: bool


class _Key(NamedTuple):
    """A paragraph, or what none covers in a game (`asked.NONE`)."""

    id: str
    game: str


class Lookup:
    """Answers questions in one language. The index is made or opened at once. text.TextError"""

    def __init__(self, lang: str = "en", cache: Path | None = None) -> None:
        self.book = Rulebook(lang)
        self._index = open_index(lang, cache)
        weakref.finalize(self, self._index.close)
        self._words: dict[str, str] = dict(self._index.execute("SELECT word, stem FROM word"))
        self._analyser = Analyser(lang, self._words)
        self._splits = lang == "de"
        self._everyday = {stems for (stems,) in self._index.execute("SELECT stems FROM everyday")}

    def ask(self, question: str, game: str | None = None, limit: int = 5) -> Answer:
        """The paragraphs of this game (None: of all games) and of the house that answer best.
        UnknownParagraph for a game that there is none of."""
        if game is not None and game not in GAMES.values():
            raise UnknownParagraph(f"no game {game!r}; there are {', '.join(GAMES.values())}")
        id = typed_id(question) or (typed_id(f"{_LETTERS[game]}-{question}") if game else None)
        if id is not None:
            return self._paragraph(id)
        terms = self._terms(question)
        scores, rivals = self._parted(terms, game)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        results = tuple(
            Result(key.id, round(score, 4), self._best_sentence(key.id, terms))
            for key, score in ranked
        )
        signs = self._signs(question, terms, scores, rivals, game)
        return Answer(results, none=signs is None or uncovered(signs))

    def signs(self, question: str, game: str | None = None) -> Signs | None:
        """What speaks for and against the best paragraph; None where nothing comes near."""
        terms = self._terms(question)
        return self._signs(question, terms, *self._parted(terms, game), game)

    def _parted(
        self, terms: dict[str, float], game: str | None
    ) -> tuple[dict[_Key, float], dict[str, float]]:
        """The scores of paragraphs, and of what none covers in each game."""
        scores = self._scores(terms, game)
        rivals = {key.game: scores.pop(key) for key in list(scores) if key.id == asked.NONE}
        return scores, rivals

    def _signs(
        self,
        question: str,
        terms: Mapping[str, float],
        scores: Mapping[_Key, float],
        rivals: Mapping[str, float],
        game: str | None,
    ) -> Signs | None:
        if not scores:
            return None
        best = min(scores, key=lambda key: (-scores[key], key))
        games = {HOUSE, game, best.game} if game else rivals
        rival = max((rivals.get(each, 0.0) for each in games), default=0.0)
        [whole] = self._index.execute(
            "SELECT terms FROM whole WHERE paragraph = ? AND game = ?", best
        ).fetchone()
        has = set(whole.split())
        plain = self._analyser.words(question)[:_MOST_WORDS]
        said = [word for raw in plain for word in self._known(raw)]
        sure = set(self._analyser.stems(plain))
        held = total = 0.0
        unknown = 0
        strong = dict.fromkeys(s for s in self._analyser.stems(said) if self._says(s))
        for stem in strong:
            ideas = self._analyser.ideas([stem])
            known = self._is_term(stem)
            weight = terms[stem] if known and stem in terms else KNOWN if ideas else RARE
            unknown += not known and not ideas and not stem.isdigit()
            total += weight
            if stem in has:
                held += weight if stem in sure else MENDED * weight
            elif has.intersection(ideas):
                held += IDEA * weight
        for stem in self._analyser.asking.intersection(self._analyser.stems(said)):
            total += ASKING
            held += ASKING * (stem in has)
        everyday = count_everyday(self._analyser.stems(said), self._everyday, has)
        share = held / total if total else 0.0
        return Signs(
            scores[best], rival, share, unknown, everyday, len(strong), best.game == HOUSE,
            likeness(self._analyser, question),
        )  # fmt: skip

    def _says(self, stem: str) -> bool:
        return stem not in self._analyser.faint and stem not in self._analyser.asking

    def _said(self, question: str) -> list[str]:
        """The words of a question, misspelt ones put right."""
        plain = self._analyser.words(question)[:_MOST_WORDS]
        return [word for raw in plain for word in self._known(raw)]

    def _paragraph(self, id: str) -> Answer:
        """The answer to an id that was typed, whatever is being played."""
        try:
            return Answer((Result(id, 1.0, self._best_sentence(id, {})),), none=False)
        except UnknownParagraph:
            return Answer((), none=True)

    def _terms(self, question: str) -> dict[str, float]:
        """The terms of a question and their weights; misspelt words are put right first."""
        words = self._said(question)
        terms = terms_of(words, self._analyser, {})
        marks = ",".join("?" * len(terms))
        known = dict(
            self._index.execute(f"SELECT term, weight FROM term WHERE term IN ({marks})", terms)
        )
        return {
            term: known.get(term, _UNKNOWN) for term in terms if term[0] != "_" or term in known
        }

    def _known(self, word: str) -> tuple[str, ...]:
        """The word itself if the texts know it, else its known parts, else the nearest word."""
        compound = parts(word, self._words) if self._splits else ()
        if word.isdigit() or word in self._words or self._is_term(self._analyser.stem(word)):
            return (word, *compound)
        return compound or self._nearest(word) or (word,)

    def _is_term(self, stem: str) -> bool:
        found = self._index.execute("SELECT 1 FROM term WHERE term = ?", (stem,))
        return found.fetchone() is not None

    def _nearest(self, word: str) -> tuple[str, ...]:
        """The known word that this one is a misspelling of, if one is near enough."""
        if len(word) < _SHORTEST_MISSPELT:
            return ()
        padded = f" {word} "
        grams = " OR ".join(f'"{padded[i : i + 3]}"' for i in range(len(padded) - 2))
        rows = self._index.execute(
            "SELECT trim(word) FROM likely WHERE likely MATCH ? ORDER BY rank LIMIT 12", (grams,)
        )
        allowed = 1 if len(word) < _LONG_WORD else 2
        # Of words that are equally near, the one that shares more groups of letters comes first.
        near = [(distance(word, row), place, row) for place, (row,) in enumerate(rows)]
        return (min(near)[2],) if near and min(near)[0] <= allowed else ()

    def _scores(self, terms: dict[str, float], game: str | None) -> dict[_Key, float]:
        """Paragraph (or `none` of a game) -> how well it answers, 0 to about 1."""
        strong = [term for term in terms if term not in self._analyser.faint] or list(terms)
        if not strong:
            return {}
        match = " OR ".join(f'"{term}"' for term in strong)
        games = tuple(GAMES.values()) if game is None else (game, HOUSE)
        lines: dict[_Key, list[float]] = {}
        norm = math.sqrt(sum(weight * weight for weight in terms.values()))
        for key, kind, line, line_norm in self._found("line", "kind, terms, norm", match, games):
            shared = sum(terms[term] ** 2 for term in line.split() if term in terms)
            similarity = shared / (norm * line_norm) * (_RULE_TEXT if kind == BODY else 1.0)
            lines.setdefault(key, []).append(similarity)
        scores = {
            key: sum(map(operator.mul, sorted(found, reverse=True), _FOLLOWING))
            for key, found in lines.items()
        }
        most = _BM25_OF_A_TERM * len(strong)
        for key, rank in self._found("whole", "-rank", match, games):
            scores[key] = scores.get(key, 0.0) + _WHOLE * rank / most
        if game is not None:
            for key in scores:
                # The game's own word on a matter goes before that of the house.
                scores[key] *= _HOUSE_SHARE if key.game == HOUSE else 1.0
        return scores

    def _found(
        self, table: str, columns: str, match: str, games: tuple[str, ...]
    ) -> Iterator[tuple[Any, ...]]:
        """The key and these columns of the best rows, best first."""
        marks = ",".join("?" * len(games))
        rows = self._index.execute(
            f"SELECT paragraph, game, {columns} FROM {table} WHERE {table} MATCH ? "
            f"AND game IN ({marks}) ORDER BY rank LIMIT {_CANDIDATES}",
            (match, *games),
        )
        for paragraph, key_game, *values in rows:
            yield _Key(paragraph, key_game), *values

    def _best_sentence(self, id: str, terms: Mapping[str, float]) -> str:
        """The sentence of a paragraph that has most of these terms by weight; else its first. What
        all of its sentences have tells nothing."""
        found = sentences(self.book.paragraph(id).text)
        words = map(self._analyser.words, found)
        held = [set(terms_of(each, self._analyser, {})) for each in words]
        count = Counter(term for own in held for term in own)

        def shared(number: int) -> float:
            own = held[number].intersection(terms)
            return sum(terms[term] ** 2 * (1 - (count[term] - 1) / len(found)) for term in own)

        return found[max(range(len(found)), key=shared)]


def distance(one: str, other: str) -> int:
    """Letters to change, add, leave out or swap with their neighbour (optimal string alignment)."""
    before: list[int] = []
    last: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        before, last, row = last, row, [i]
        for j, b in enumerate(other, start=1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            row.append(best)
    return row[-1]
