"""What a command cannot do, in any language.

It is said in English where it is found, by parts that know no language. `faults.toml` of each other
language has what stands for it: `{}` for each gap of the English text, and in the words their
number, `{0}`. What fills a gap is looked up as well.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache

from tableref.rulebook.text import FOLDER, LANGUAGES


def in_language(message: str, lang: str) -> str:
    """The message in a language; as it is where that has no words for it."""
    if lang == LANGUAGES[0]:
        return message
    for template, pattern in _patterns(lang):
        if found := pattern.fullmatch(message):
            told = (in_language(gap, lang) for gap in found.groups())
            return faults(lang)[template].format(*told)
    return message


@lru_cache(maxsize=len(LANGUAGES))
def faults(lang: str) -> Mapping[str, str]:
    """English text with gaps -> that of a language."""
    with (FOLDER / lang / "faults.toml").open("rb") as file:
        return tomllib.load(file)


@lru_cache(maxsize=len(LANGUAGES))
def _patterns(lang: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each English text and what it matches, those with most of their own words first."""
    order = sorted(faults(lang), key=lambda each: len(each) - 40 * each.count("{}"), reverse=True)
    return tuple(
        (each, re.compile("(.+?)".join(map(re.escape, each.split("{}"))), re.DOTALL))
        for each in order
    )
