"""How likely each kind of question is by the letters and words of a question, not by ideas.

    likely("en", ("where", "did", "@s", "come", "from"))    # {"last": 0.41, "where": 0.37, ...}

It stands beside `kinds`, which weighs ideas: what both say alike is sure, and where they differ
people are asked what they mean. Words are cut into pieces of two to four letters, so a word that
is misspelt or that nobody gathered still speaks. Weights: `letters.npy`, one byte each, written by
`python -m tests.bench.letters`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tableref.rulebook.kinds import KINDS, RULES
from tableref.rulebook.text import FOLDER, LANGUAGES

if TYPE_CHECKING:
    from numpy import ndarray

WEIGHTS = FOLDER / "letters.npy"
"""(languages, `PLACES` + 1, kinds and `RULES`), int8; the last place is the bias."""
CLASSES = (*KINDS, RULES)
PLACES = 4096
"""Features share so many places by their checksum: few weights, and any text has some."""
SCALE = 12.0
"""Weights are kept as whole numbers of so many parts."""
_PIECES = (2, 3, 4)


def places(tokens: Sequence[str]) -> list[int]:
    """Where the weights of a question stand. `tokens`: its words, what is named as `@` and a
    letter for its sort."""
    return sorted({zlib.crc32(one.encode()) % PLACES for one in _features(tokens)} | {PLACES})


def _features(tokens: Sequence[str]) -> Iterator[str]:
    words = ("^", *tokens, "$")
    yield from (f"{one} {other}" for one, other in pairwise(words))
    yield from (f"{one} . {other}" for one, other in zip(words, words[2:], strict=False))
    yield from (f"first {word}" for word in tokens[:1])
    yield f"length {min(6, len(tokens) // 2)}"
    for word in tokens:
        yield f"word {word}"
        if word[0] != "@":
            edged = f"<{word}>"
            for size in _PIECES:
                yield from (edged[at : at + size] for at in range(len(edged) - size + 1))


def likely(lang: str, tokens: Sequence[str]) -> dict[str, float]:
    """Class -> how likely it is; together 1."""
    import numpy as np

    rows = _weights()[LANGUAGES.index(lang), places(tokens)]
    odds = np.exp(rows.sum(0, dtype=np.float64) / SCALE / np.sqrt(len(rows)))
    return dict(zip(CLASSES, (odds / odds.sum()).tolist(), strict=True))


@lru_cache(maxsize=1)
def _weights() -> ndarray:
    import numpy as np

    weights: ndarray = np.load(WEIGHTS)
    return weights
