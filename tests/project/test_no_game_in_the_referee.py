"""Referee, hosting, outlets and commands know no game: its own words are the game's to say
(rules/defaults.py)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tableref.referee.games import GAMES
from tableref_hardware import load_board

COMPANION = Path(__file__).resolve().parents[2] / "companion" / "tableref"
PLACES = ("referee", "hosting", "commands", "devices")
TABLE = COMPANION / "referee" / "games.py"
"""The table of the games, the one place that names them."""
OWN = {
    "bead", "beads", "bumper", "bumpers", "car", "cars", "chip", "chips", "ghost", "ghosts",
    "pip", "pips", "plot_ghost", "ramp", "ramps", "star_moves", "stars_out",
}  # fmt: skip
"""Words of one game besides its name and its kinds of pieces."""
COMMON = {"piece", "arrow", "tail"}
"""Kinds that are words of everybody's, too: an arrow is drawn, a list has a tail."""
HARDWARE = {"chip", "chips", "pip"}
"""A Pi's, and what Python packages are installed with."""


@cache
def kinds() -> set[str]:
    """What pieces of the games are, by their board files, in one and in many."""
    found = {kind for name in GAMES for kind in load_board(name).looks}
    return {word for kind in found - COMMON for word in (kind, f"{kind}s")}


def files() -> Iterator[Path]:
    for place in PLACES:
        yield from (path for path in sorted((COMPANION / place).rglob("*.py")) if path != TABLE)


def named(path: Path) -> Iterator[str]:
    """All identifiers, and all texts that are no docstrings, of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(value=str(text)) if id(node) not in docs:
                yield text


EVERY = pytest.mark.parametrize("path", list(files()), ids=lambda p: f"{p.parent.name}/{p.name}")


@EVERY
def test_no_paragraph_and_no_name_of_a_game_stands_there(path: Path) -> None:
    names = "|".join(name.replace("-", "[-_ ]") for name in GAMES)
    for text in named(path):
        assert not re.search(r"\b(?:AS|SC|SD|AE|SQ)-\d", text)
        assert not re.search(rf"\b(?:{names})\b", text, re.IGNORECASE)


@EVERY
def test_nothing_there_is_called_by_a_word_of_one_game(path: Path) -> None:
    found = {
        word
        for text in named(path)
        for word in (text, *re.findall(r"[a-z]+", text.lower()))
        if word in OWN | kinds()
    }
    of_hardware = path.relative_to(COMPANION).parts[0] != "referee"
    assert not found - (HARDWARE if of_hardware else set())
