"""Words of the pages, in the game's language."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from tableref.rulebook.text import FOLDER


@lru_cache(maxsize=4)
def labels(lang: str) -> dict[str, str]:
    """Key -> words. Read-only."""
    with (FOLDER / lang / "web.toml").open("rb") as file:
        return tomllib.load(file)
