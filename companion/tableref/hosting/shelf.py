"""The games of a table, a folder each: those that were left, and room for a new one.

>>> shelf = Shelf(Path("games"))
>>> [(stored.game, stored.over) for stored in shelf.games()]
[('scorpion', False), ('squod', True)]
>>> shelf.folder_for("squod", "2026-11-30")
PosixPath('games/2026-11-30-squod')
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tableref.errors import UserError
from tableref.referee.chain import Line
from tableref.referee.evening import JOURNAL
from tableref.referee.games import GAMES
from tableref.referee.journal import Journal
from tableref.rules.house import BROKEN_OFF


class Stored(NamedTuple):
    """A game that lies on the shelf: which one, who plays, in which language, when something was
    last ruled in it (UTC, as `2026-11-30T18:02:11Z`, "" where nothing was), whether it had an end.
    `trouble` says why nothing more is known of it; then it cannot be gone on with as it is, but up
    to its damage where it `mends`."""

    folder: Path
    game: str
    names: tuple[str, ...] = ()
    lang: str = "en"
    last: str = ""
    over: bool = False
    trouble: str = ""
    mends: bool = False


class Shelf:
    """A folder with a folder for every game."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def games(self) -> list[Stored]:
        """All games, the one that was played last first. What cannot be read is among them, with
        its trouble; virtual games and folders without a journal are not."""
        found = []
        with contextlib.suppress(FileNotFoundError):
            for path in self.root.iterdir():
                if (path / JOURNAL).is_file():
                    found.append(stored(path))
        games = [one for one in found if one.trouble or one.game in GAMES]
        return sorted(games, key=lambda one: (one.last, one.folder.name), reverse=True)

    def left(self) -> list[Stored]:
        """Games that can be gone on with, the one that was played last first."""
        return [one for one in self.games() if not (one.over or one.trouble)]

    def folder_for(self, game: str, day: str) -> Path:
        """A folder that is not there yet, named after day and game. UserError"""
        for number in range(1, 1000):
            path = self.root / (f"{day}-{game}" + (f"-{number}" if number > 1 else ""))
            if not path.exists():
                return path
        raise UserError(f"{self.root}: there are too many games of {day}; remove some")


def stored(folder: Path) -> Stored:
    """What the journal of a folder says of its game, without playing it again."""
    try:
        journal = Journal.read(folder / JOURNAL)
        head: dict[str, Any] = journal.head()
        if journal.damage is not None:
            return Stored(folder, str(head["game"]), trouble=journal.damage.why, mends=True)
        lines = list(journal.lines())
        names = head["setup"].get("names") or ()
        return Stored(
            folder,
            "" if str(head["camera"]).startswith("virtual:") else head["game"],
            tuple(map(str, names)),
            head["lang"],
            lines[-1].wall if lines else "",
            _over(lines),
        )
    except (UserError, sqlite3.Error, OSError, LookupError, TypeError, ValueError) as error:
        return Stored(folder, "", trouble=str(error))


def _over(lines: Sequence[Line]) -> bool:
    """Whether it had an end that nobody took back; one that was broken off can go on."""
    for line in reversed(lines):
        if line.kind == "end":
            return line.row().data.get("paragraph") != BROKEN_OFF
        if line.kind == "action":
            break
    return False
