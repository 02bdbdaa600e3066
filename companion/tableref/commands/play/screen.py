"""What `tableref play` prints, in the language of the game: `play.toml` of the rulebook."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from tableref.commands.check import one_line
from tableref.referee.questions import Positions
from tableref.referee.table import Phase, TableState
from tableref.referee.textboard import drawn
from tableref.rulebook import Rulebook
from tableref.rulebook.amiss import amiss
from tableref.rulebook.asking import Heard
from tableref.rulebook.consulting import consulted
from tableref.rulebook.notating import played
from tableref.rules.defaults import TableGame
from tableref.rules.house import HouseAction
from tableref.rules.log import House, Table
from tableref.rules.pieces import texts
from tableref.rules.surface import Action, Fact, Refused, RulesError
from tableref_hardware import Board

WIDTH = 96
MOST_LISTED = 24
"""Actions that a list shows; more are shown as groups."""
CLEAR = "\033[3J\033[2J\033[H"
"""For terminals: nothing that was printed can be read or scrolled to any more."""
PLAYERS = ("turn", "mover")
"""Facts that name a player by his number."""


class Screen:
    """Prints boards, lists, refusals and answers in one language."""

    def __init__(self, board: Board, game: TableGame[Any], lang: str) -> None:
        self.board, self.house, self.game, self.lang = board, House(game), game, lang
        self.book = Rulebook(lang)
        data = played(lang)
        self._says: dict[str, str] = data["says"]
        self._commands: dict[str, str] = data["commands"]
        self._facts: dict[str, str] = data["facts"]
        self._notation = self.book.notation

    # -- words ------------------------------------------------------------------------------------

    def say(self, key: str, **values: object) -> None:
        """One of the sentences of `play.toml`."""
        print(self._says[key].format(**values))

    def command_words(self, names: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Words that may be typed, and the command that each is: English ones, and those of the
        language."""
        yield "?", "help"
        for name in names:
            yield name, name
            yield self._commands[name], name

    def leaves(self, line: str) -> bool:
        """Whether this line ends the game."""
        return line in ("quit", "exit", self._commands["quit"])

    def player(self, table: Table, player: int) -> str:
        """The name of a player in the language."""
        return self.book.value(self.game.players(table.state)[player], name=True)

    def no_such_player(self, table: Table, name: str) -> None:
        """Nobody is called so; who there is."""
        players = range(len(self.game.players(table.state)))
        names = ", ".join(self.player(table, player) for player in players)
        self.say("no-such-player", name=repr(name), names=names)

    def private(self, action: Action | HouseAction) -> bool:
        """Whether an action is nobody's business but its player's."""
        return not isinstance(action, HouseAction) and self.game.secret(action)

    def token(self, word: str) -> str:
        """A word of a piece's or a fact's text in the language: `red`, `NE`, `up`."""
        return self._notation.token(word)

    def shown(self, table: Table, action: Action) -> str:
        """An action in the notation of the game, its words in the language."""
        return self._notation.shown(self.game.text(table.state, action))

    def read(self, line: str) -> str:
        """What was typed as the game's notation has it; English words are taken, too."""
        return self._notation.read(line)

    # -- telling ----------------------------------------------------------------------------------

    def clear(self) -> None:
        """Nothing that stands on the screen can be read any more, where it is one."""
        print(CLEAR if sys.stdout.isatty() else "-" * 40)

    def action(self, table: Table, action: Action) -> None:
        """What was done, in notation, as one could type it."""
        print(f"  {self.shown(table, action)}")

    def tell(self, facts: Iterable[Fact]) -> None:
        """What happened, a sentence each with its paragraph."""
        for fact in facts:
            self._fill(f"{self.book.sentence(fact)} ({fact.paragraph})")

    def refused(self, refused: Refused) -> None:
        """Why an action is refused."""
        self.say("refused")
        self.tell(refused.ruling.broken)

    def not_understood(self, line: str, error: RulesError) -> None:
        """What was typed is no action, and why."""
        why = amiss(error, self.lang, self._notation)
        self.say("not-understood" if why else "unclear", line=line[:60], why=one_line(why))

    def why_which(self, table: Table) -> None:
        """Nothing was refused that one could ask about; how one asks about an action."""
        self.say("why-which", example=self._example(table))

    def _example(self, table: Table) -> str:
        return next((self.shown(table, a) for a in self.game.legal(table.state)), "ACTION")

    def help(self, table: Table) -> None:
        """What can be typed, with something that may be done now as the example."""
        action = self._example(table)
        rows = {
            "action": action,
            "number": "7",
            "list": f"{self._commands['list']} {_parts(action)[0]}",
            "why": f"{self._commands['why']} {action}",
            "enter": self._says["enter-key"],
            **{
                name: f"{word} {self._says[f'after-{name}']}".rstrip()
                if f"after-{name}" in self._says
                else word
                for name, word in self._commands.items()
                if name not in ("list", "why", "help", "quit")
            },
            "quit": self._commands["quit"],
        }
        wide = max(map(len, rows.values()))
        for name, typed in rows.items():
            print(f"  {typed:{wide}}  {self._says[f'help-{name}']}")

    def show(self, table: Table, viewer: int | None = None) -> None:
        """The board with what lies beside it, and who is to do what; hidden pieces as `viewer`
        sees them, where he alone looks."""
        view = self.game.view(table.state, viewer)
        pieces = texts(self.game.board(table.state))
        own = view.get("pieces")
        if viewer is not None and own and own.keys() == pieces.keys():
            pieces = own
        carried = self.game.carried(table.state)
        numbers = {cell: str(number) for cell, number in carried.numbers.items()} if carried else {}
        stands = {
            cell: " ".join(filter(None, [self._words(text, table), numbers.get(cell, "")]))
            for cell, text in pieces.items()
        }
        for line in drawn(self.board, stands):
            print(line)
        if carried:
            self.say(carried.key)
        for line in self._spots():
            self._fill(line)
        for key in self.game.beside:
            if view.get(key) and (told := self._told(view[key], table)):
                self._fill(f"{self._key(key)}{self._colon} {told}")
        print(self.prompt(table))

    def _spots(self) -> Iterator[str]:
        """Which empty cells have which colour, where colours matter."""
        colours: dict[str, list[str]] = {}
        for name, spot in self.board.data.get("spots", {}).items():
            colours.setdefault(spot.get("colour", ""), []).append(self.token(name))
        if colours:
            told = (f"{self.token(colour)} {' '.join(cells)}" for colour, cells in colours.items())
            yield f"{self._key('spots')}{self._colon} {'; '.join(told)}"

    @property
    def _colon(self) -> str:
        return self.book.words.labels["colon"]

    def prompt(self, table: Table) -> str:
        """Who is to do what, in one line."""
        outcome = self.house.outcome(table)
        if outcome:
            between = f" {self.book.words.conjunction} "
            winners = between.join(self.player(table, player) for player in outcome.winners)
            who = winners or self._says["nobody"]
            return self._says["over"].format(who=who, paragraph=outcome.paragraph)
        due = self.house.due(table)
        who = ", ".join(self.player(table, player) for player in due.players) or self._says["all"]
        if due.piece:
            who += f", {self.book.value(due.piece)}"
        return self._says[f"due-{due.kind}"].format(who=who)

    def facts(self, table: Table, player: int | None = None) -> None:
        """What somebody at the table may know, or this player."""
        for key, value in self.game.view(table.state, player).items():
            if key in PLAYERS and isinstance(value, int):
                value = self.player(table, value)
            if told := self._told(value, table):
                self._fill(f"{self._key(key)}{self._colon} {told}")

    def _words(self, text: str, table: Table) -> str:
        """A text of the facts word by word; a number in it is a player's."""
        players = range(len(self.game.players(table.state)))
        return " ".join(
            self.player(table, int(word))
            if word.isdecimal() and int(word) in players
            else self.token(word)
            for word in text.split(" ")
        )

    def _key(self, key: str) -> str:
        return self._facts.get(key, key)

    def _told(self, value: Any, table: Table) -> str:
        """A value of the facts on one line."""
        if isinstance(value, dict):
            inner = (
                f"{self._words(key, table)} "
                + (
                    " ".join(self._told(v, table) for v in part.values())
                    if isinstance(part, dict)
                    else self._told(part, table)
                )
                for key, part in value.items()
                if part not in ([], {})
            )
            return "; ".join(inner)
        if isinstance(value, list):
            return ", ".join(
                " ".join(self._told(v, table) for v in part.values())
                if isinstance(part, dict)
                else self._told(part, table)
                for part in value
            )
        if isinstance(value, bool):
            return self._says["yes" if value else "no"]
        if isinstance(value, str):
            return self._words(value, table)
        return "-" if value is None else str(value)

    def list_actions(self, table: Table, prefix: str) -> list[Action]:
        """Legal actions that begin so, numbered, and returned; where they are many, how they go
        on."""
        actions = [] if self.house.outcome(table) else self.game.legal(table.state)
        said = ((self.shown(table, action), action) for action in actions)
        begun = (prefix, self._notation.shown(self.read(prefix)))
        found = [(text, action) for text, action in said if text.startswith(begun)]
        if not found:
            self.say("nothing-begins" if prefix else "nothing", prefix=repr(prefix))
        elif len(found) <= MOST_LISTED:
            wide = max(len(text) for text, _ in found)
            for number, (text, action) in enumerate(found, 1):
                line = f"  {number:3}  {text:{wide}}  {self.in_words(table, action)}"
                print(line.rstrip()[:WIDTH])
            return [action for _, action in found]
        else:
            groups = _groups([text for text, _ in found])
            for start, told in list(groups.items())[:MOST_LISTED]:
                such_as = self._says["such-as"].format(count=len(told), example=told[0])
                print(f"  {start + '...':20} {such_as}")
            if len(groups) > MOST_LISTED:
                self.say("more-groups", count=len(groups) - MOST_LISTED)
            self.say("list-more", list=self._commands["list"])
        return []

    def in_words(self, table: Table, action: Action) -> str:
        """What an action would do, in a sentence; empty where that is secret or would show what
        is hidden."""
        if self.private(action) or self.game.reveals(table.state, action):
            return ""
        facts = self.game.apply(table.state, action)[1]
        return self.book.sentence(facts[0]) if facts else ""

    def score(self, table: Table) -> None:
        """Who has how much, as it is told wherever a game is asked for it."""
        state = TableState(table, phase=Phase.WAITING)
        for line in Positions(self.game, self.board, state, (), self.lang).answer(Heard("score")):
            self._fill(line)

    def not_kept(self) -> None:
        """That nothing is left of the game, and how one would keep it."""
        typed = {"save": self._commands["save"], "quit": self._commands["quit"]}
        self.say("not-kept", game=self.game.name, **typed)

    def hint(self, table: Table, action: Action) -> None:
        """What might be done, and what would come of it; a throw without its number."""
        if self.house.due(table).kind == "throw":
            tray = getattr(action, "tray", "")
            self.say("hint-throw", tray=self.token(tray))
            return
        self.say("hint", action=self.shown(table, action))
        if not self.game.reveals(table.state, action):
            self.tell(self.game.apply(table.state, action)[1])

    def rules(self, asked: str) -> None:
        """The titles of all paragraphs, one paragraph, or what answers a question."""
        command = self._commands["rules"]
        for line in consulted(self.book, self.game.name, asked, command, WIDTH):
            print(line)

    def _fill(self, text: str) -> None:
        print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    "))


def _parts(text: str) -> list[str]:
    """The words, numbers and signs of an action's text."""
    return re.findall(r"[^\W\d_]+|\d+|.", text)


def _groups(found: list[str]) -> dict[str, list[str]]:
    """Texts by the words they begin with, as many words as it takes to tell groups apart."""
    words = [_parts(text) for text in found]
    for length in range(1, max(map(len, words)) + 1):
        groups: dict[str, list[str]] = {}
        for text, parts in zip(found, words, strict=True):
            groups.setdefault("".join(parts[:length]), []).append(text)
        if len(groups) > 1:
            return groups
    return {text: [text] for text in found}
