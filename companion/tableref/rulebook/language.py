"""Which language a question is in: told by its small words, else as the system is set.

language_of("wer zahlt hier", "en")  # de
"""

from __future__ import annotations

import os
import tomllib
from functools import lru_cache

from tableref.rulebook.terms import WORD, fold
from tableref.rulebook.text import FOLDER, LANGUAGES


def language_of(words: str, otherwise: str) -> str:
    """The language whose small words are most in a text; `otherwise` where two have as many.

    A word of one language alone counts more than one that another has, too, and a letter less.
    """
    known = _small_words()
    score = dict.fromkeys(LANGUAGES, 0.0)
    for language in LANGUAGES:
        for word in WORD.findall(fold(words, language)):
            owners = [each for each in LANGUAGES if word in known[each]]
            if language in owners:
                score[language] += min(len(word), 2) / 2 / len(owners)
    best = max(score.values())
    winners = [language for language in LANGUAGES if score[language] == best]
    return winners[0] if len(winners) == 1 else otherwise


def system_language(default: str = LANGUAGES[0]) -> str:
    """The language of LC_ALL, LC_MESSAGES or LANG, where there is a rulebook in it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            found = value[:2].lower()
            return found if found in LANGUAGES else default
    return default


@lru_cache(maxsize=1)
def _small_words() -> dict[str, frozenset[str]]:
    """Language -> its small words, and those for its ideas and for what games name, folded."""
    found = {}
    for language in LANGUAGES:
        with (FOLDER / language / "synonyms.toml").open("rb") as file:
            data = tomllib.load(file)
        with (FOLDER / language / "asking.toml").open("rb") as file:
            asked = tomllib.load(file)
        texts = [data["faint"], data["asking"], *data["ideas"].values()]
        texts += [asked["small"], *asked["ideas"].values(), *asked["names"].values()]
        found[language] = frozenset(
            word for text in texts for word in WORD.findall(fold(text, language))
        )
    return found
