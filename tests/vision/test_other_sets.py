"""Sets, boards and light that nobody chose for the eye: nothing is read wrongly."""

from __future__ import annotations

import os

import pytest
from tests.vision.other_sets import Table, count

FULL = bool(os.environ.get("TABLEREF_FULL"))
TABLES = [
    ("arrows-and-stars", 11, 0),
    ("scorpion", 9, 2),
    ("skorpion-deep", 7, 3),
    *([("skorpion-deep", 5, 3), ("skorpion-deep", 10, 4), ("squod", 1, 4)] if FULL else []),
]


@pytest.mark.parametrize(("game", "seed", "last"), TABLES)
def test_no_cell_is_read_wrongly_with_a_set_of_other_colours_and_sizes(
    game: str, seed: int, last: int
) -> None:
    """An arrow on a disc as brown as the wood around it; a pale piece between two cells of a green
    board; the dim side of a large ball; a pale ball on white; beads as dark as their board, under a
    tilted eye; pale green tokens, of which those on lit cells seem yellow when they are taught."""
    table = Table(game, seed, last + 1)
    counts = count(table, numbers=None if FULL else (last,))
    assert counts.wrong == []
    assert counts.sure > 0.6 * counts.pieces
