"""What somebody types at the referee's terminal, as inputs.

2              the second answer to the question
undo           take back the last action (HR-2.1)
let stand      let stand what was refused (HR-2.3)
yellow         the tray on which the next die is thrown
red>b1NE       an action in the game's short notation
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tableref.devices.worker import Guard
from tableref.referee.inputs import Act, Choose, Input, LetStand, TrayChosen
from tableref.referee.step import Referee
from tableref.referee.table import TableState
from tableref.rules.surface import RulesError

LONGEST_NUMBER = 4  # digits that the number of an answer may have
HELP = "a number answers a question; also: undo, let stand, or an action such as red>b1NE"


def answer(referee: Referee, table: TableState, line: str, time: float) -> Input:
    """The input of a line. RulesError says why it is none. Who types speaks for the table, and
    answers what is open on it now."""
    words, state = line.strip().lower(), table.table.state
    everybody = tuple(range(len(referee.game.players(state))))
    if words.isdecimal():
        if len(words) > LONGEST_NUMBER:
            raise RulesError(f"no question has {words[:LONGEST_NUMBER]}... answers")
        return Choose(time, int(words) - 1, table.open)
    if words == "undo":
        return Act(time, {"take_back": {"player": 0, "agreed": list(everybody)}})
    if words == "let stand":
        return LetStand(time, everybody, table.open)
    throws = referee.game.throws(state)
    if throws is not None and words in throws.trays:
        return TrayChosen(time, words, table.open)
    return Act(time, referee.game.parse(state, line.strip()).record())


def listen(
    lines: Iterable[str],
    read: Callable[[str], Input],
    give: Callable[[Input], bool],
    say: Callable[[str], object],
) -> None:
    """Hands on what is typed until the lines or the game end; says what cannot be understood."""
    guard = Guard("the terminal", say)
    left = iter(lines)
    while True:
        with guard:
            line = next(left, None)
            if line is None:
                return
            if not line.strip():
                continue
            try:
                given = read(line)
            except RulesError as error:
                say(f"{error}; {HELP}")
                continue
            if not give(given):
                return
