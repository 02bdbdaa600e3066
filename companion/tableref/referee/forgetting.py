"""Takes the players' names out of a game's folder; they are called player 1, player 2 then.

What was ruled stays, and the journal replays as before: actions name players by number, and what
happened is worked out anew under the new names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tableref.errors import UserError
from tableref.referee.chain import Line, text_of
from tableref.referee.evening import JOURNAL, first_state, referee_of
from tableref.referee.journal import Journal
from tableref.rules.surface import RulesError

FIELDS = ("who", "other", "what", "key", "why-who", "why-what")
"""Where names stand in the rows of questions and refusals."""
OF_A_PLAYER = frozenset({"die", "fewer", "reached", "restless", "thrown", "too-many", "which-move"})
"""Questions whose `who` is a player, also where he is called as a piece is."""


def forget_names(folder: Path) -> list[Path]:
    """Renames the players in the journal of a folder, and deletes the files beside it that show
    names: pictures of the display, and copies of the journal. Returns those. UserError"""
    journal = Journal.open(folder / JOURNAL)
    try:
        if journal.damage is not None:
            raise UserError(
                f"{folder / JOURNAL}: damaged, so names cannot be told apart from the rest; first"
                f" `tableref resume {folder} --repair`, or delete the folder"
            )
        head = journal.head()
        names = [str(name) for name in head["setup"].get("names") or ()]
        if names:
            plain = [f"player {number}" for number in range(1, len(names) + 1)]
            renamed = {**head, "setup": {**head["setup"], "names": plain}}
            lines = _renamed(renamed, list(journal.lines()), dict(zip(names, plain, strict=True)))
            journal.rewrite(renamed, lines)
        return _beside(folder)
    except (RulesError, LookupError, TypeError, ValueError) as error:
        raise UserError(f"{folder / JOURNAL}: does not replay: {error}") from error
    finally:
        journal.close()


def _renamed(head: dict[str, Any], lines: Sequence[Line], names: Mapping[str, str]) -> list[Line]:
    """The lines under other names; `head` has them already."""
    referee, _ = referee_of(head)
    game = referee.game
    of_game = {piece.called for stack in game.stacks for piece in stack}
    of_game |= {piece.side for stack in game.stacks for piece in stack}
    # Whose name is a word of the game's own is told by it no more than the game is.
    all_names = {name: plain for name, plain in names.items() if name}
    names = {name: plain for name, plain in all_names.items() if name not in of_game}
    state, made = first_state(referee, head), []
    for line in lines:
        row = line.row()
        of_player = row.data.get("question") in OF_A_PLAYER
        known = all_names if of_player else names
        data = {
            key: _without(value, known if key in ("who", "key") else names, key)
            for key, value in row.data.items()
        }
        if row.kind == "action":
            action, followed = referee.house.read(data["action"]), data.get("followed", False)
            left = data.get("plots_left", len(state.coming))
            table = state.with_entered(len(state.plots) - left).table
            facts = referee.house.apply(table, action, data.get("player"), followed)[1]
            data["facts"] = [fact._asdict() for fact in facts]
        line = line._replace(data=text_of(data))
        state = referee.replayed(state, (line.row(),))
        made.append(line)
    return made


def _without(value: Any, names: Mapping[str, str], key: str) -> Any:
    """A value of a row without names, where it is one that may hold them."""
    if isinstance(value, str) and key in FIELDS and names:
        longest = sorted(names, key=len, reverse=True)
        pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)"
        return re.sub(pattern, lambda match: names[match[0]], value)
    if isinstance(value, dict):
        return {inner: _without(one, names, inner) for inner, one in value.items()}
    if isinstance(value, list):
        return [_without(one, names, key) for one in value]
    return value


def _beside(folder: Path) -> list[Path]:
    """Deletes what shows names beside the journal. OSError"""
    stem = Path(JOURNAL).stem
    found = [
        *folder.glob("screens/screen-*.png"),
        *folder.glob(f"{stem}.damaged-*.sqlite3"),
        *folder.glob(f"{stem}.first-form-*.sqlite3"),
    ]
    for path in found:
        path.unlink(missing_ok=True)
    return found
