"""Words of the pages, in one language."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from tableref.rulebook.text import FOLDER


@lru_cache(maxsize=8)
def labels(lang: str, pages: str = "web") -> dict[str, str]:
    """Key -> words, those of the phones' pages (`web`) or of the hub's (`hub`). Read-only."""
    with (FOLDER / lang / f"{pages}.toml").open("rb") as file:
        return tomllib.load(file)
