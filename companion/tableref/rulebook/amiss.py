"""What is amiss with what somebody typed, in any language.

The rules say it in English, as a template and what fills it in (`RulesError`); `amiss.toml` of each
other language has what stands for it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache

from tableref.rulebook.notating import Notation
from tableref.rulebook.text import FOLDER, LANGUAGES, typeset
from tableref.rules.surface import RulesError


def amiss(error: RulesError, lang: str, notation: Notation) -> str:
    """The message in a language; empty where it has no words for it."""
    if lang == LANGUAGES[0]:
        return str(error)
    template = templates(lang).get(error.message)
    if template is None:
        return ""
    told = template.format(**{key: notation.shown(str(v)) for key, v in error.values.items()})
    return typeset(told) if lang == "fr" else told


@lru_cache(maxsize=len(LANGUAGES))
def templates(lang: str) -> Mapping[str, str]:
    """English template -> that of a language."""
    with (FOLDER / lang / "amiss.toml").open("rb") as file:
        return tomllib.load(file)
