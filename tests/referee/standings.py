"""A position of each game to ask about: `table("squod")`, as its journal would have it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from tableref.referee.games import load_game
from tableref.referee.questions import Positions, spoken, understood
from tableref.referee.table import Phase, Row, TableState
from tableref.rules.defaults import TableGame
from tableref.rules.log import House, Table
from tableref_hardware import Board, load_board

PLAYED: dict[str, tuple[dict[str, Any], dict[str, Any] | None, tuple[str, ...]]] = {
    "autoscooter": (
        {"players": 4, "paper": True},
        {"cars": {
            "red": {"cell": "b1", "heading": "E", "speed": 1},
            "orange": {"cell": "d4", "heading": "NE", "speed": 2},
            "blue": {"cell": "c2", "heading": "SW", "speed": 1},
        }, "chips": {"0": 22, "1": 18, "2": 20, "3": 20}},
        (),
    ),
    "scorpion": ({"players": 2}, None, ("y4", "y3", "bH+7", ".", "y2", "y6", "rH+8", ".")),
    "skorpion-deep": ({}, None, ("s3", "n3", "sw3")),
    "arrows-and-stars": ({}, None, ("d2-d3",)),
    "squod": ({"players": 2}, None, ()),
}  # fmt: skip


class Asked(NamedTuple):
    """A game to ask about."""

    game: TableGame[Any]
    board: Board
    state: TableState
    rows: tuple[Row, ...]


@lru_cache(maxsize=8)
def table(name: str) -> Asked:
    """The game of `PLAYED`, with the rows that its journal would have."""
    board = load_board(name)
    game = load_game(name, board)
    setup, position, texts = PLAYED[name]
    house = House(game)
    now: Table = house.start(setup, position)
    rows = []
    for text in texts:
        action = game.parse(now.state, text)
        now, facts = house.apply(now, action)
        data = {"action": action.record(), "facts": [f._asdict() for f in facts], "frame": "7.png"}
        rows.append(Row("action", data))
    state = TableState(now, phase=Phase.WAITING, frame="7.png", rows=len(rows))
    return Asked(game, board, state, tuple(rows))


def ask(name: str, question: str, lang: str = "en") -> tuple[str, list[str]] | None:
    """The kind and the sentences of the answer; None where it is none about the state."""
    asked = table(name)
    people = asked.game.players(asked.state.table.state)
    found = understood(question, spoken(asked.game, asked.board.cells, people), lang)
    if found is None:
        return None
    positions = Positions(asked.game, asked.board, asked.state, asked.rows, found.lang)
    return found.heard.asks, positions.answer(found.heard)
