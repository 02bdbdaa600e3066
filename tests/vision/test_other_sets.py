"""Sets, boards and light that nobody chose for the eye: nothing is read wrongly."""

from __future__ import annotations

import pytest
from tests.vision.other_sets import Table, count


@pytest.mark.parametrize(("game", "seed"), [("scorpion", 9), ("skorpion-deep", 10), ("squod", 1)])
def test_no_cell_is_read_wrongly_with_a_set_of_other_colours_and_sizes(
    game: str, seed: int
) -> None:
    """A pale piece between two cells of a green board; beads as dark as it, under a tilted eye;
    pale green tokens, of which those on lit cells seem yellow when they are taught."""
    counts = count(Table(game, seed))
    assert counts.wrong == []
    assert counts.sure > 0.6 * counts.pieces
