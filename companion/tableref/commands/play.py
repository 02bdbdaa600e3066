"""`tableref play GAME`: a game in the terminal, by people, or against random players."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import tempfile
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tableref.commands import words
from tableref.commands.check import one_line
from tableref.commands.terminal import typed
from tableref.commands.textboard import drawn
from tableref.errors import UserError
from tableref.referee.games import load_game
from tableref.rulebook import Rulebook
from tableref.rulebook.text import LANGUAGES
from tableref.rules.house import BreakOff, HouseAction, Redo, Resign, TakeBack
from tableref.rules.log import House, Table
from tableref.rules.pieces import texts
from tableref.rules.records import Logged, write_record
from tableref.rules.surface import Action, Fact, Refused, RulesError
from tableref_hardware import Board, BoardFileError, load_board

WIDTH = 96
MOST_LISTED = 24
"""Actions that a list shows; more are shown as groups."""
LONGEST = 2000
"""Actions in a row that random players may take: some games go on for ever."""

HELP = """\
  {action:13} an action in the notation of the game; `list` shows some
  7             number 7 of the last list
  list          what may be done now; `list {start}` what begins so
  why {action:9} whether that may be done, and if not, which paragraph says so
  (just Enter)  a die is thrown for you; else the list
  board, facts  the board, and everything that lies open
  undo, redo    takes back, does again; all are taken to agree
  resign [NAME] who is due, or who is named, gives up
  save FILE     writes the game as a record (`tableref check FILE` replays it)
  quit          leaves"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref play`."""
    parser.add_argument("game", metavar="GAME", type=words.game, help="which game")
    parser.add_argument(
        "--random",
        type=words.whole(0, 99),
        default=0,
        metavar="N",
        help="the last N players play at random",
    )
    parser.add_argument("--seed", type=words.SEED, help="of the random players and dice")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="an option of the set-up, such as players=3 or ghost=true; may be given again",
    )
    parser.add_argument(
        "--board", type=words.board, help="a board file to play on instead of the one that ships"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="of the sentences")
    parser.add_argument("--save", metavar="FILE", help="where to write the record at the end")


def run(args: argparse.Namespace) -> int:
    """Plays until `quit` or the end of the input."""
    words.writable(args.save)
    try:
        board = load_board(args.board or args.game)
    except BoardFileError as error:
        raise UserError(str(error)) from error
    house = House(load_game(args.game, board))
    setup = words.options(args.set, "--set")
    try:
        table = house.start(setup)
    except RulesError as error:
        raise UserError(str(error)) from error
    players = len(house.game.players(table.state))
    if not 0 <= args.random <= players:
        raise UserError(f"--random: expected 0 to {players}, found {args.random}")
    machines = range(players - args.random, players)
    rng = random.Random(args.seed)
    Play(house, board, setup, table, machines, rng, Rulebook(args.lang)).go(_lines(), args.save)
    return 0


def _lines() -> Iterator[str]:
    """Lines of the standard input, each asked for by a prompt."""
    lines = typed()
    while True:
        print("> ", end="", flush=True)
        line = lines.readline()
        if not line:
            print()
            return
        yield line


class Play:
    """One game in the terminal."""

    def __init__(
        self,
        house: House,
        board: Board,
        setup: dict[str, Any],
        table: Table,
        machines: Iterable[int],
        rng: random.Random,
        book: Rulebook,
    ) -> None:
        self.house, self.game, self.board, self.setup = house, house.game, board, setup
        self.table, self.machines, self.rng, self.book = table, frozenset(machines), rng, book
        self.log: list[Logged] = []
        self.listed: list[Action] = []
        self.commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.help(),
            "?": lambda _: self.help(),
            "list": self.list_actions,
            "why": self.why,
            "board": lambda _: self.show(),
            "facts": lambda _: self.facts(),
            "undo": lambda _: self.undo(),
            "redo": lambda _: self.redo(),
            "resign": self.resign,
            "save": self._save,
        }

    def go(self, lines: Iterable[str], save: str | None = None) -> None:
        """Takes line by line until `quit`, then saves where asked to. Where that cannot be, `quit`
        does not leave yet; UserError where nobody is there to say another file."""
        self.go_on()
        self.show()
        saved = save is None
        try:
            for line in lines:
                if line.strip() in ("quit", "exit"):
                    if saved or (saved := self.save(save or "")):
                        return
                    print("`save FILE` and `quit`, or `quit` once more to leave without saving.")
                    saved = True
                    continue
                self.line(one_line(line))
        finally:  # also where the player leaves by Ctrl-C
            if not saved and save and not self.save(save):
                self.save_somewhere(save)

    def save_somewhere(self, save: str) -> None:
        """Nobody is there any more to say another file: a place where every program may write."""
        handle, name = tempfile.mkstemp(prefix="tableref-", suffix=".json")
        os.close(handle)
        if self.save(name):
            raise UserError(f"{save}: cannot be written any more; the game is in {name} instead")
        raise UserError(f"{save}: cannot be written any more, nor {name}; the game is not saved")

    def line(self, line: str) -> None:
        """Does what one line says, or says why not."""
        word, _, rest = line.partition(" ")
        try:
            if line in self.commands or (word in self.commands and word != "?"):
                self.commands[word](rest.strip())
            elif not line:
                self.enter()
            else:
                self.act(self._action(line))
        except Refused as refused:
            self.refused(refused)
        except RulesError as error:
            print(f"{one_line(str(error))} (`help` says what can be typed)")

    # -- acting -----------------------------------------------------------------------------------

    def _action(self, line: str) -> Action:
        """The action of a text, or of a number of the last list."""
        if line.isdecimal() and len(line) < 5 and 1 <= int(line) <= len(self.listed):
            return self.listed[int(line) - 1]
        return self.game.parse(self.table.state, line)

    def act(self, action: Action) -> None:
        """An action of a person, and all that follows before a person is asked again."""
        self._apply(action, None)
        self.go_on()
        self.show()

    def _apply(
        self, action: Action | HouseAction, player: int | None, followed: bool = False
    ) -> None:
        before = self.table
        self.table, facts = self.house.apply(self.table, action, player, followed)
        self.log.append(Logged(action, followed))
        self.listed = []
        if player is not None and self.house.due(before).kind == "plot":
            print(f"  {self.game.players(before.state)[player]} notes something.")
        elif not isinstance(action, HouseAction):
            print(f"  {self.game.text(before.state, action)}")
        self.tell(facts)

    def go_on(self) -> None:
        """What comes by itself, and the turns of the random players."""
        for _ in range(LONGEST):
            if self.house.outcome(self.table):
                return
            forced = self.game.forced(self.table.state)
            if forced is not None:
                self._apply(forced, None, followed=True)
                continue
            due = [p for p in self.house.due(self.table).players if p in self.machines]
            if not due:
                return
            self._apply(self.chosen(due[0]), due[0], followed=True)
        print(f"After {LONGEST} actions in a row nobody has won; the game is broken off.")
        self._apply(BreakOff(), None, followed=True)

    def chosen(self, player: int) -> Action:
        """A random action of this player."""
        actions = list(self.game.legal(self.table.state))
        self.rng.shuffle(actions)
        return next(a for a in actions if self.game.judge(self.table.state, a, player).allowed)

    def enter(self) -> None:
        """Nothing was typed: throws where a die is due, else lists."""
        if self.house.due(self.table).kind == "throw":
            self.act(self.rng.choice(list(self.game.legal(self.table.state))))
        else:
            self.list_actions("")

    def undo(self) -> None:
        """Takes back the last action of a person and what followed it."""
        everybody = self._everybody()
        self._apply(TakeBack(everybody[0], everybody), None)
        self.show()

    def redo(self) -> None:
        """Does again what was taken back last and what followed it."""
        self._apply(Redo(self._everybody()), None)
        self.show()

    def _everybody(self) -> tuple[int, ...]:
        return tuple(range(len(self.game.players(self.table.state))))

    def resign(self, name: str) -> None:
        """The player named, or the one who is due, gives up."""
        names = self.game.players(self.table.state)
        due = self.house.due(self.table).players
        if name and name not in names:
            print(f"There is no player {name!r}; there are {', '.join(names)}.")
            return
        self._apply(Resign(names.index(name) if name else next(iter(due), 0)), None)
        self.go_on()
        self.show()

    def _save(self, name: str) -> None:
        self.save(name)

    def save(self, name: str) -> bool:
        """Writes the game as a record; whether that could be done."""
        if not name:
            print("Say where: save FILE")
            return False
        record = write_record(self.game, self.setup, self.log, note="played in a terminal")
        try:
            Path(name).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            print(f"{name} cannot be written: {reason}. The game goes on; save it elsewhere.")
            return False
        print(f"Saved: {name}")
        return True

    # -- telling ----------------------------------------------------------------------------------

    def tell(self, facts: Iterable[Fact]) -> None:
        """What happened, a sentence each with its paragraph."""
        for fact in facts:
            self._say(f"{self.book.sentence(fact)} ({fact.paragraph})")

    def refused(self, refused: Refused) -> None:
        """Why an action is refused."""
        print("That is refused:")
        self.tell(refused.ruling.broken)

    def why(self, text: str) -> None:
        """Whether an action may be taken, and why not; nothing is done."""
        ruling = self.house.judge(self.table, self._action(text))
        if ruling.broken:
            raise Refused(ruling)
        print("That may be done.")

    def help(self) -> None:
        """What can be typed, with something that may be done now as the example."""
        state = self.table.state
        action = next((self.game.text(state, a) for a in self.game.legal(state)), "ACTION")
        print(HELP.format(action=action, start=_parts(action)[0]))

    def show(self) -> None:
        """The board, and who is to do what."""
        for line in drawn(self.board, texts(self.game.board(self.table.state))):
            print(line)
        print(self.prompt())

    def prompt(self) -> str:
        """Who is to do what, in one line."""
        names = self.game.players(self.table.state)
        outcome = self.house.outcome(self.table)
        if outcome:
            winners = " and ".join(names[player] for player in outcome.winners) or "nobody"
            return f"The game is over: {winners} won ({outcome.paragraph}). undo, save FILE, quit"
        due = self.house.due(self.table)
        who = ", ".join(names[player] for player in due.players) or "all"
        return f"To {due.kind}: {who}{f', {due.piece}' if due.piece else ''}. (help)"

    def facts(self) -> None:
        """What somebody at the table may know."""
        for key, value in self.game.view(self.table.state, None).items():
            if told := _told(value):
                self._say(f"{key}: {told}")

    def list_actions(self, prefix: str) -> None:
        """Legal actions that begin so, numbered; where they are many, how they go on."""
        state = self.table.state
        actions = [] if self.house.outcome(self.table) else self.game.legal(state)
        found = [
            (text, a) for a in actions if (text := self.game.text(state, a)).startswith(prefix)
        ]
        if not found:
            print(f"Nothing that may be done begins with {prefix!r}." if prefix else "Nothing.")
        elif len(found) <= MOST_LISTED:
            self.listed = [action for _, action in found]
            for number, (text, _) in enumerate(found, 1):
                print(f"  {number:3}  {text}")
        else:
            groups = _groups([text for text, _ in found])
            for start, texts in list(groups.items())[:MOST_LISTED]:
                print(f"  {start + '...':20} {len(texts)}, such as {texts[0]}")
            if len(groups) > MOST_LISTED:
                print(f"  and {len(groups) - MOST_LISTED} groups more")
            print("  `list` and a beginning shows more of it")

    def _say(self, text: str) -> None:
        print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    "))


def _parts(text: str) -> list[str]:
    """The words, numbers and signs of an action's text."""
    return re.findall(r"[^\W\d_]+|\d+|.", text)


def _groups(texts: list[str]) -> dict[str, list[str]]:
    """Texts by the words they begin with, as many words as it takes to tell groups apart."""
    words = [_parts(text) for text in texts]
    for length in range(1, max(map(len, words)) + 1):
        groups: dict[str, list[str]] = {}
        for text, parts in zip(texts, words, strict=True):
            groups.setdefault("".join(parts[:length]), []).append(text)
        if len(groups) > 1:
            return groups
    return {text: [text] for text in texts}


def _told(value: Any) -> str:
    """A value of the facts on one line."""
    if isinstance(value, dict):
        inner = (
            f"{key} {' '.join(map(_told, v.values())) if isinstance(v, dict) else _told(v)}"
            for key, v in value.items()
            if v not in ([], {})
        )
        return "; ".join(inner)
    if isinstance(value, list):
        return ", ".join(map(_told, value))
    return "-" if value is None else str(value)
