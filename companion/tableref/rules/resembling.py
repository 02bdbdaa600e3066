"""The action that comes nearest to what is seen, for games whose turns are chosen freely.

A game names the actions that the board resembles; here the one is picked that leaves fewest cells
wrong, and what to say of it: why it is refused, or, if it is legal, what it does that was not done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tableref.rules.explain import EMPTY, Nearest, Sighting
from tableref.rules.surface import Action, Fact, Game, Ruling, UnreadableAction


def wrong_cells(board: Mapping[str, str], sighting: Sighting) -> set[str]:
    """The cells that are seen otherwise than on this board."""
    return {c for c, may in sighting.cells.items() if board.get(c, EMPTY) not in may}


def nearest_of(
    game: Game[Any], state: Any, sighting: Sighting, candidates: Iterable[Action]
) -> Nearest:
    """Of these actions, the simplest first, the one that leaves fewest cells wrong, a legal one
    before an illegal one. Where there is none, a piece was moved by accident (HR-3.1)."""
    board = game.board(state)
    best: tuple[int, bool] | None = None
    nearest: Nearest | None = None
    for action in candidates:
        ruling = game.judge(state, action)
        try:
            after, events = game.force(state, action)
        except UnreadableAction:
            continue
        after_board = game.board(after)
        wrong = wrong_cells(after_board, sighting)
        found = len(wrong), not ruling.allowed
        if best is None or found < best:
            best = found
            if ruling.allowed:
                undone = [fact for fact in events if _cells_of(fact) and _cells_of(fact) <= wrong]
                ruling = Ruling((undone[0] if undone else _accident(after_board, wrong),))
            nearest = Nearest(action, ruling)
    return nearest or Nearest(None, Ruling((_accident(board, wrong_cells(board, sighting)),)))


def _cells_of(fact: Fact) -> set[str]:
    return {fact.start, fact.to} - {EMPTY}


def _accident(board: Mapping[str, str], wrong: set[str]) -> Fact:
    """The first piece that is not seen where it stood goes back (HR-3.1)."""
    missing = [cell for cell in sorted(wrong) if cell in board]
    if not missing:
        return Fact("HR-3.1", "board")
    return Fact("HR-3.1", "moved", board[missing[0]], start=missing[0])
