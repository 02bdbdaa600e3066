"""A game as files for others: the record of it, and its score sheet.

As long as a game goes on an export holds what everybody at the table may know, and no more.
"""

from __future__ import annotations

from typing import Any

from tableref.errors import UserError
from tableref.referee.evening import Evening, first_state
from tableref.referee.page import labels
from tableref.referee.table import Row
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rules.house import HouseAction
from tableref.rules.records import Logged, write_record


def record_of(evening: Evening, rows: int) -> dict[str, Any]:
    """The first rows of a game as a record, `table-record/1`. While it goes on it ends before what
    was noted in secret since the last round. UserError where pieces are hidden."""
    house, game = evening.referee.house, evening.referee.game
    over = house.outcome(evening.state.table) is not None
    log = _log(evening, list(evening.journal.rows())[:rows], over)
    if not over and _hides(evening):
        raise UserError(
            f"the game of {evening.head['game']} goes on, and its record would tell what lies"
            " hidden; export it when it is over"
        )
    return write_record(game, evening.head["setup"], log, note="exported from a journal")


def _log(evening: Evening, rows: list[Row], over: bool) -> list[Logged]:
    house, game = evening.referee.house, evening.referee.game
    log, open_up_to = list[Logged](), 0
    secret = False
    for row in rows:
        if row.kind == "action":
            action = house.read(row.data["action"])
            if not isinstance(action, HouseAction) and game.secret(action) and not secret:
                secret, open_up_to = True, len(log)
            log.append(Logged(action, row.data.get("followed", False)))
        elif row.kind == "round":
            secret = False
    return log if over or not secret else log[:open_up_to]


def _hides(evening: Evening) -> bool:
    """Whether something lies hidden that the referee knows."""
    game, state = evening.referee.game, evening.state.table.state
    known, seen = game.facts(state), game.view(state, None)
    return any(seen.get(key) != value for key, value in known.items())


def score_sheet(evening: Evening, rows: int, lang: str) -> list[list[str]]:
    """A line of names, a line each round, and how it stands or ended: what is counted, then who
    has won (1) where it is over."""
    referee, game = evening.referee, evening.referee.game
    words, book = labels(lang), Rulebook(lang)
    state = first_state(referee, evening.head)
    players = game.players(state.table.state)
    sheet = [["", *(book.value(player, name=True) for player in players)]]
    for row in list(evening.journal.rows())[:rows]:
        state = referee.replayed(state, (row,))
        if row.kind == "round" and (score := game.score(state.table.state)):
            round = words["sheet-round"].format(what=row.data["round"])
            sheet.append([round, *map(str, score.of)])
    inner, outcome = state.table.state, referee.house.outcome(state.table)
    if score := game.score(inner):
        counted = Messages(book).screen(f"score-{score.unit}", {"what": ""})[0].rstrip(" \u00a0:")
        when = words["sheet-end" if outcome else "sheet-now"]
        sheet.append([f"{counted}, {when}", *map(str, score.of)])
    if outcome:
        won = (str(int(player in outcome.winners)) for player in range(len(players)))
        sheet.append([words["sheet-won"], *won])
    return sheet
