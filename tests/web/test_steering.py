"""Arrow keys reach every cell of every board."""

from __future__ import annotations

import pytest

from tableref.referee.games import GAMES
from tableref.web.steering import steered
from tableref_hardware import load_board


@pytest.mark.parametrize("game", GAMES)
def test_every_cell_is_reached_from_every_other(game: str) -> None:
    ways = steered(load_board(game))
    for start in ways:
        reached, ahead = {start}, [start]
        while ahead:
            new = set(ways[ahead.pop()]) - reached - {""}
            reached |= new
            ahead += new
        assert reached == set(ways), start


def test_a_key_leads_to_the_cell_beside() -> None:
    ways = steered(load_board("squod"))
    assert ways["b2"] == ("a2", "c2", "b3", "b1")
    assert ways["b1"][3] == "S32"  # from the ring to a ramp
    up, down = (steered(load_board("arrows-and-stars"))["b3"][way] for way in (2, 3))
    assert {up[1], down[1]} == {"4", "2"}  # rows are offset by half a cell
