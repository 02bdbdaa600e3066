"""The action that comes nearest to what is seen, for games whose turns are chosen freely.

A game names the actions that the board resembles; here the one is picked that leaves fewest cells
wrong, and what to say of it: why it is refused, or, if it is legal, what it does that was not done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tableref.rules.explain import Nearest, Sighting
from tableref.rules.pieces import EMPTY, Stack, text_of
from tableref.rules.surface import Action, Fact, Game, Ruling, UnreadableAction


def wrong_cells(board: Mapping[str, Stack], sighting: Sighting) -> set[str]:
    """The cells that are seen otherwise than on this board."""
    return {c for c, may in sighting.cells.items() if board.get(c, EMPTY) not in may}


def nearest_of(
    game: Game[Any],
    state: Any,
    sighting: Sighting,
    candidates: Iterable[Action],
    count_wrong: Callable[[Any], int] | None = None,
) -> Nearest:
    """Of these actions, the simplest first, the one that leaves fewest cells wrong, a legal one
    before an illegal one. Where there is none, a piece was moved by accident (HR-3.1).

    `count_wrong` counts the cells that are seen otherwise than in a state, where a game knows a
    quicker way than comparing boards.
    """
    if count_wrong is None:

        def count_wrong(after: Any) -> int:
            return len(wrong_cells(game.board(after), sighting))

    nearest: tuple[Action, Ruling, Any, tuple[Fact, ...]] | None = None
    fewest = 0
    for action in candidates:
        try:
            after, events = game.force(state, action)
        except UnreadableAction:
            continue
        count = count_wrong(after)
        if nearest and (count > fewest or (count == fewest and nearest[1].allowed)):
            continue
        ruling = game.judge(state, action)
        if not nearest or count < fewest or ruling.allowed:
            nearest, fewest = (action, ruling, after, events), count
    if not nearest:
        board = game.board(state)
        return Nearest(None, Ruling((_accident(board, wrong_cells(board, sighting)),)))
    action, ruling, after, events = nearest
    if not ruling.allowed:
        return Nearest(action, ruling)
    board = game.board(after)
    wrong = wrong_cells(board, sighting)
    undone = [fact for fact in events if _cells_of(fact) and _cells_of(fact) <= wrong]
    return Nearest(action, Ruling((undone[0] if undone else _accident(board, wrong),)))


def _cells_of(fact: Fact) -> set[str]:
    return {fact.start, fact.to} - {""}


def _accident(board: Mapping[str, Stack], wrong: set[str]) -> Fact:
    """The first piece that is not seen where it stood goes back (HR-3.1)."""
    missing = [cell for cell in sorted(wrong) if cell in board]
    if not missing:
        return Fact("HR-3.1", "board")
    return Fact("HR-3.1", "moved", text_of(board[missing[0]]), start=missing[0])
