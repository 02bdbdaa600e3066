"""The rows of a journal, one after the other: the state that the table had after each, for which
only what they say is needed."""

from __future__ import annotations

from tableref.referee.course import Clerk
from tableref.referee.lying import lain
from tableref.referee.reopening import reopened, supposed_again
from tableref.referee.table import Finding, Phase, Row, TableState, phase_after
from tableref.rules.house import HouseAction
from tableref_vision.dice.throw import Mat


def after_row(clerk: Clerk, state: TableState, row: Row) -> TableState:
    """The state after this row."""
    state = state._replace(frame=row.data.get("frame", state.frame), rows=state.rows + 1)
    match row.kind:
        case "action":
            state = _after_action(clerk, state, row)
        case "trouble" | "question" | "unfinished":
            state = reopened(clerk.game, state, row, clerk.led)
        case "set-up":
            state = state._replace(phase=Phase.WAITING, told="", trouble=None, ask=None)
        case "cleared" | "distrusted":
            told = "" if row.kind == "cleared" else state.told
            state = state._replace(told=told, trouble=None, ask=None, blinded=False)
            state = state._replace(phase=phase_after(state.phase, Finding.AS_IT_WAS))
        case "answered":
            state = lain(clerk.game, state, row.data.get("cells", ()))
        case "dice":
            state = state._replace(mat=Mat.from_record(row.data))
        case "tray":
            state = state._replace(tray=row.data["tray"])
        case "said":
            state = state._replace(said=state.said[1:])
        case "supposed":
            state = state._replace(supposed=supposed_again(clerk.game, state, row, clerk.led))
        case "end":
            state = state._replace(phase=Phase.OVER)
    return state


def _after_action(clerk: Clerk, state: TableState, row: Row) -> TableState:
    house = clerk.house
    action = house.read(row.data["action"])
    left = row.data.get("plots_left", len(state.coming))
    before = state.with_entered(len(state.plots) - left).table
    player, followed = row.data.get("player"), row.data.get("followed", False)
    table = house.apply(before, action, player, followed)[0]
    if house.due(before).kind == "throw" and not isinstance(action, HouseAction):
        state = state._replace(tray="")
    state = state._replace(table=table, told="", phase=Phase.WAITING, blinded=False)
    left_over = clerk.left_over(before, action)
    return state._replace(left_over=left_over, trouble=None, ask=None, supposed=())
