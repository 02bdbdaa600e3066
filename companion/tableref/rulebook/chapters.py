"""Titles of the chapters of the rules, in one language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache

from tableref.rulebook.text import FOLDER


@lru_cache(maxsize=4)
def chapter_titles(lang: str) -> Mapping[str, str]:
    """Chapter, such as AS-5 -> its title, as the quick reference has it (`sheet.toml`)."""
    with (FOLDER / lang / "sheet.toml").open("rb") as file:
        titles: Mapping[str, str] = tomllib.load(file)["sections"]
    return titles
