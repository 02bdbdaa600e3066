"""What somebody types at the referee's terminal, as inputs, and questions that it answers.

2              the second answer to the question
undo           take back the last action (HR-2.1); redo
let stand      let stand what was refused (HR-2.3)
resign red     give up (HR-1.1); leave, back (HR-1.2); draw (HR-1.3); break off, take up (HR-1.4)
yellow         the tray on which the next die is thrown
red>b1NE       an action in the game's short notation
help           what can be typed now, with an example of this position
whose turn?    a question about the state (`questions`)

The words are those of the game's language (`typed` in `asking.toml`), and the English ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from tableref.devices.worker import Guard
from tableref.referee.inputs import Act, Choose, Input, LetStand, TrayChosen
from tableref.referee.questions import Positions, spoken, understood
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.rulebook.asking import asking
from tableref.rulebook.text import LANGUAGES
from tableref.rules.surface import RulesError
from tableref_hardware import Board

LONGEST_NUMBER = 4  # digits that the number of an answer may have
_PERSONAL = ("resign", "leave", "return")
_EXAMPLES = 2
"""Moves that `help` shows."""


def answer(
    referee: Referee, table: TableState, line: str, time: float, lang: str = LANGUAGES[0]
) -> Input:
    """The input of a line. RulesError says why it is none. Who types speaks for the table, and
    answers what is open on it now."""
    words, state = " ".join(line.split()).casefold(), table.table.state
    names = referee.game.players(state)
    everybody = tuple(range(len(names)))
    if words.isdecimal():
        if len(words) > LONGEST_NUMBER:
            raise RulesError(f"no question has {words[:LONGEST_NUMBER]}... answers")
        return Choose(time, int(words) - 1, table.open)
    command, rest = _command(words, lang)
    if command in _PERSONAL:
        player = _player(rest, names, command, lang)
        others = [each for each in everybody if each != player]
        agreed = {"agreed": others} if command == "leave" else {}
        return Act(time, {command: {"player": player, **agreed}})
    agreeing: dict[str, dict[str, Any]] = {
        "take-back": {"take_back": {"player": 0, "agreed": list(everybody)}},
        "redo": {"redo": {"agreed": list(everybody)}},
        "draw": {"draw": {"agreed": list(everybody)}},
        "break-off": {"break_off": True},
        "take-up": {"take_up": True},
    }
    if command in agreeing and not rest:
        return Act(time, agreeing[command])
    if command == "let-stand" and not rest:
        return LetStand(time, everybody, table.open)
    throws = referee.game.throws(state)
    if throws is not None and words in throws.trays:
        return TrayChosen(time, words, table.open)
    return Act(time, referee.game.parse(state, line.strip()).record())


def replied(
    referee: Referee, board: Board, table: TableState, rows: Sequence[Row], line: str, lang: str
) -> list[str] | None:
    """The answer to a line that asks something, `help` too; None where it is no question."""
    game, state = referee.game, table.table.state
    if _command(" ".join(line.split()).casefold(), lang) == ("help", ""):
        return help_of(referee, table, lang)
    if len(line.split()) < 2 and "?" not in line and not line.strip().isalpha():
        return None
    asked = understood(line, spoken(game, board.cells, game.players(state)), lang)
    if asked is None:
        return None
    return Positions(game, board, table, rows, asked.lang).answer(asked.heard)


def help_of(referee: Referee, table: TableState, lang: str) -> list[str]:
    """What can be typed now, with moves of this position that are no secret."""
    data, game, state = asking(lang), referee.game, table.table.state
    words = ", ".join(said.split(", ")[0] for said in data["typed"].values())
    legal = (
        action for action in game.legal(state)
        if not game.secret(action) and not game.reveals(state, action)
    )  # fmt: skip
    moves = ", ".join(game.text(state, action) for action in islice(legal, _EXAMPLES))
    return [data["says"]["type-help"].format(what=words, to=moves or "-")]


def _command(words: str, lang: str) -> tuple[str, str]:
    """The command that a line begins with, and the rest of it; empty where it is none."""
    for each in dict.fromkeys((lang, LANGUAGES[0])):
        for command, said in asking(each)["typed"].items():
            for phrase in said.split(", "):
                if words == phrase or (command in _PERSONAL and words.startswith(f"{phrase} ")):
                    return command, words.removeprefix(phrase).strip()
    return "", words


def _player(words: str, names: Sequence[str], command: str, lang: str) -> int:
    """The player who is named, by name, number or colour. RulesError"""
    for player, name in enumerate(names):
        parts = (name.casefold(), str(player + 1), *name.casefold().split("/"))
        if words in parts:
            return player
    data = asking(lang)
    phrase = data["typed"][command].split(", ")[0]
    said = data["says"]["type-who"].format(what=phrase, to=f"{phrase} {names[0]}")
    raise RulesError(said)


def listen(
    lines: Iterable[str],
    read: Callable[[str], Input | list[str]],
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
                say(str(error))
                continue
            if isinstance(given, list):
                for said in given:
                    say(said)
                continue
            if not give(given):
                return
