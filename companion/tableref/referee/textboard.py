"""A board in letters: every cell at its place, what stands there in short."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations, zip_longest

from tableref_hardware import Board
from tableref_hardware.board import Cell

_NEIGHBOURS = 1.1
"""Cells that lie so many times as far as the nearest one are neighbours too."""
_HARD_SPACE = "\N{NO-BREAK SPACE}"
_MOST_WHOLE = 6
"""Pieces whose short form is told whole; of more the first words alone."""
_LEGEND = 36
"""Columns that the legend may fill, also below a narrow board."""


def drawn(board: Board, pieces: Mapping[str, str], around: Collection[str] = ()) -> list[str]:
    """Lines with the name of every empty cell, and for the others the piece on it, in brackets.

    `pieces` is cell -> text, as of `Game.board`. What the short forms mean follows below. Only
    the cells `around` some and their neighbours are drawn, where any are given.
    """
    shown = _near(board, around) or board.cells
    pieces = {cell: text for cell, text in pieces.items() if cell in shown}
    short = _short_forms(pieces.values())
    labels = {c: f"[{short[pieces[c]]}]" if c in pieces else c for c in shown}
    places = {c: (labels[c], cell.x, cell.y) for c, cell in shown.items()}
    # No two cells lie closer: what shares a line of half that height lies apart along it.
    nearest = min(math.dist(a[1:], b[1:]) for a, b in combinations(places.values(), 2))
    height, apart = nearest / 2, nearest * math.sqrt(3) / 2
    per_mm = (max(map(len, labels.values())) + 1) / apart
    west = min(x for _, x, _ in places.values())
    lines: dict[int, list[tuple[int, str]]] = {}
    for label, x, y in places.values():
        middle = round((x - west) * per_mm)
        lines.setdefault(round(y / height), []).append((middle, label))
    told = [_line(lines[row]) for row in sorted(lines, reverse=True)]
    left = min(len(line) - len(line.lstrip()) for line in told)
    cut = [line[left:] for line in told]
    return cut + _legend(short, max(_LEGEND, *map(len, cut)))


def _near(board: Board, around: Collection[str]) -> dict[str, Cell]:
    """These cells of the board, and all that lie no further from one than its neighbours do."""
    middles = [cell for name, cell in board.cells.items() if name in around]
    reach = {
        middle.name: _NEIGHBOURS
        * min(
            math.dist((middle.x, middle.y), (cell.x, cell.y))
            for cell in board.cells.values()
            if cell is not middle
        )
        for middle in middles
    }
    return {
        name: cell
        for name, cell in board.cells.items()
        if any(math.dist((m.x, m.y), (cell.x, cell.y)) <= reach[m.name] for m in middles)
    }


def _line(labels: list[tuple[int, str]]) -> str:
    text = ""
    for middle, label in sorted(labels):
        start = max(middle - len(label) // 2 + 4, len(text) + bool(text))
        text = text.ljust(start) + label
    return text


def _short_forms(texts: Iterable[str]) -> dict[str, str]:
    """Text of a piece -> its words, each cut to what tells it from the others in its place."""
    whole = sorted(set(texts))
    columns = zip_longest(*(text.split(" ") for text in whole), fillvalue="")
    cut = [_cut(set(column)) for column in columns]
    return {t: "".join(cut[i][word] for i, word in enumerate(t.split(" "))) for t in whole}


def _cut(words: set[str]) -> dict[str, str]:
    """Word -> its shortest beginning that is no other's; headings and such stay whole."""
    found = {}
    for word in words:
        lengths = range(1, len(word))
        others = [other for other in words if other != word]
        free = (n for n in lengths if not any(o.startswith(word[:n]) for o in others))
        found[word] = word if len(word) <= 2 else word[: next(free, len(word))]
    return found


def _legend(short: Mapping[str, str], width: int) -> list[str]:
    """What the short forms mean: `bla = black` for words that are whole beside the first, else
    piece by piece, `wau = white arrow up`."""
    whole = {cut: text for text, cut in short.items() if _abbreviated(text, cut)}
    if len(whole) <= _MOST_WHOLE:
        meanings = [f"{cut} = {text}" for cut, text in sorted(whole.items())]
    else:
        words = {text.split(" ")[0] for text in short}
        meanings = [f"{cut} = {word}" for word, cut in sorted(_cut(words).items()) if cut != word]
    # A line ends between two meanings: the spaces inside one must not break.
    together = ", ".join(meaning.replace(" ", _HARD_SPACE) for meaning in meanings)
    return [line.replace(_HARD_SPACE, " ") for line in textwrap.wrap(together, width)]


def _abbreviated(text: str, cut: str) -> bool:
    return text.replace(" ", "") != cut
