"""Referee, hosting, outlets, pages and commands know no game: its own words are the game's to say
(rules/defaults.py). Sheets that are printed do, for what one game alone needs."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tableref.referee.games import GAMES
from tableref.rulebook.text import GAMES as RULEBOOKS
from tableref_hardware import load_board

IN_TEXT = {getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
"""What of a text with values is a token of its own, from Python 3.12 on."""
COMPANION = Path(__file__).resolve().parents[2] / "companion" / "tableref"
PLACES = (
    "referee", "hosting", "commands", "devices", "appliance", "web", "hub", "doctor", "sim",
)  # fmt: skip
TABLE = COMPANION / "referee" / "games.py"
"""The table of the games, the one place that names them."""
OWN = {
    "bead", "beads", "bumper", "bumpers", "car", "cars", "chip", "chips", "ghost", "ghosts",
    "pip", "pips", "plot_ghost", "ramp", "ramps", "star_moves", "stars_out",
}  # fmt: skip
"""Words of one game besides its name and its kinds of pieces."""
COMMON = {"piece", "arrow", "tail"}
"""Kinds that are words of everybody's, too: an arrow is drawn, a list has a tail."""
ELSEWHERE = {"chip", "chips", "pip", "pips"}
"""A Pi's, what Python packages are installed with, and what dice show, outside the referee."""


@cache
def kinds() -> set[str]:
    """What pieces of the games are, by their board files, in one and in many."""
    found = {kind for name in GAMES for kind in load_board(name).looks}
    return {word for kind in found - COMMON for word in (kind, f"{kind}s")}


def files() -> Iterator[Path]:
    for place in PLACES:
        yield from (path for path in sorted((COMPANION / place).rglob("*.py")) if path != TABLE)


def named(path: Path) -> Iterator[str]:
    """All names, imported ones too, and all texts that are no docstrings, of a file."""
    with path.open("rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    begun = {tokenize.ENCODING, tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.type == tokenize.STRING:
            statement = before.type in begun and after.type == tokenize.NEWLINE
            if not statement:
                yield token.string
        elif token.type == tokenize.NAME or token.type in IN_TEXT:
            yield token.string


EVERY = pytest.mark.parametrize("path", list(files()), ids=lambda p: f"{p.parent.name}/{p.name}")
PREFIXES = "|".join(prefix for prefix, game in RULEBOOKS.items() if game in GAMES)
NAMED = re.compile(
    "|".join(name.replace("-", "[-_ ]?") for name in GAMES)
    + rf"|(?<![A-Za-z0-9])(?:{PREFIXES})[-_ ]?\d",
    re.IGNORECASE,
)
PAGES = [
    path
    for place in ("web", "hub")
    for path in sorted((COMPANION / place).rglob("*"))
    if path.suffix in (".html", ".js", ".css", ".svg", ".xml", ".txt")
]


@EVERY
def test_no_paragraph_and_no_name_of_a_game_stands_there(path: Path) -> None:
    assert not [text for text in named(path) if NAMED.search(text)]


@EVERY
def test_nothing_there_is_called_by_a_word_of_one_game(path: Path) -> None:
    found = {
        word
        for text in named(path)
        for word in map(str.lower, re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text))
        if word in OWN | kinds()
    }
    elsewhere = path.relative_to(COMPANION).parts[0] != "referee"
    assert not found - (ELSEWHERE if elsewhere else set())


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_no_page_names_a_game(path: Path) -> None:
    assert not NAMED.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "line",
    [
        "from tableref.rules.squod import SquodGame",
        "import tableref.rules.skorpion_deep as rules",
        "class ArrowsAndStarsEye: ...",
        "if game.name == 'scorpion': ...",
        "told = f'{who} breaks AE-2.6'",
        "as_4_5 = 0",
        "case = {'sc-3.1': 1}",
    ],
)
def test_a_name_is_found_wherever_it_stands(tmp_path: Path, line: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(f'"""Scorpion may stand here (SC-1.1)."""\n\n{line}\n', encoding="utf-8")
    assert [text for text in named(path) if NAMED.search(text)]
    path.write_text('"""Scorpion may stand here (SC-1.1)."""\n', encoding="utf-8")
    assert not [text for text in named(path) if NAMED.search(text)]
