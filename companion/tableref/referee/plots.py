"""Files of plots, `table-plots/1`: what the players wrote down, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tableref.errors import UserError

FORMAT = "table-plots/1"


def read_plots(path: str) -> dict[str, Any]:
    """Game, set-up and rounds of a file: `rounds` is a list of lists of actions as records.

    Anything else in the file is left aside. UserError says what is wrong and where.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not readable as JSON: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(f"{path}: expected an object with format {FORMAT!r}")
    rounds, setup = data.get("rounds"), data.get("setup", {})
    if not isinstance(rounds, list) or not isinstance(setup, dict):
        raise UserError(f"{path}: expected `rounds`, a list, and `setup`, an object")
    return {
        "game": data.get("game"),
        "setup": setup,
        "rounds": [_actions(path, number, each) for number, each in enumerate(rounds, 1)],
    }


def _actions(path: str, number: int, data: Any) -> list[dict[str, Any]]:
    """The plots of one round, as actions: cars in the file's order, then letters for the ghost."""
    where = f"{path}: round {number}"
    if not isinstance(data, dict) or not isinstance(data.get("plots"), dict):
        raise UserError(f"{where}: expected an object with `plots`")
    actions = []
    for car, plot in data["plots"].items():
        if not isinstance(plot, dict):
            raise UserError(f"{where}: {car}: expected number and letter, found {plot!r}")
        note = {"car": car, "number": plot.get("number"), "letter": plot.get("letter")}
        actions.append({"plot": note})
    for player, letter in _ghost_letters(where, data.get("plot_ghost", {})).items():
        actions.append({"plot_ghost": {"player": player, "letter": letter}})
    return actions


def _ghost_letters(where: str, data: Any) -> dict[int, str | None]:
    """Player -> letter for the ghost car (AS-7.1): an object by index, or a list by player."""
    pairs: Any = data.items() if isinstance(data, Mapping) else None
    if isinstance(data, list):
        pairs = enumerate(data)
    if pairs is None:
        raise UserError(f"{where}: plot_ghost: expected letters by player, found {data!r}")
    letters = {}
    for player, note in pairs:
        try:
            letters[int(player)] = note.get("letter") if isinstance(note, Mapping) else note
        except ValueError:
            raise UserError(f"{where}: plot_ghost: {player!r} is no player") from None
    return letters
