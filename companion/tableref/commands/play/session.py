"""One game in the terminal: what people type, what comes by itself, and the program's turns."""

from __future__ import annotations

import json
import os
import random
import shlex
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tableref.commands.check import one_line
from tableref.commands.play.saved import Saved, load_saved
from tableref.commands.play.screen import Screen
from tableref.errors import UserError
from tableref.rules.house import BreakOff, HouseAction, Redo, Resign, TakeBack
from tableref.rules.log import House, Table
from tableref.rules.opponent import choose
from tableref.rules.records import Logged, write_record
from tableref.rules.surface import Action, Refused, RulesError

LONGEST = 2000
"""Actions in a row that the program may take: some games go on for ever."""
COMPUTER, RANDOM = "computer", "random"
"""How a player is played who is no person."""


class Play:
    """One game in the terminal. `machines`: player -> how the program plays him."""

    def __init__(
        self, house: House, setup: dict[str, Any], table: Table, rng: random.Random, screen: Screen
    ) -> None:
        self.house, self.game, self.screen = house, house.game, screen
        self.setup, self.table, self.rng = setup, table, rng
        self.position: dict[str, Any] | None = None
        self.machines: dict[int, str] = {}
        self.log: list[Logged] = []
        self.listed: list[Action] = []
        self.covered = False
        """Whether something stands on the screen that one player alone may see."""
        self.kept = ("", 0)
        """The file that the game was written to last, and how many actions it had then."""
        self.refused: Refused | None = None
        """What was refused last, for who asks why; nothing where an action was taken since."""
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: screen.help(self.table),
            "list": self._list,
            "why": self.why,
            "hint": lambda _: self.hint(),
            "board": lambda _: self.show(),
            "facts": lambda _: screen.facts(self.table),
            "score": lambda _: screen.score(self.table),
            "mine": self.mine,
            "rules": screen.rules,
            "undo": lambda _: self.undo(),
            "redo": lambda _: self.redo(),
            "resign": self.resign,
            "save": self._save,
            "load": self.load,
        }
        self.commands = {word: commands[name] for word, name in screen.command_words(commands)}

    def take_up(self, saved: Saved, name: str) -> None:
        """Goes on with a saved game, that of this file."""
        self.setup, self.position, self.table, self.log = saved
        self.listed = []
        self.kept = (name, len(self.log))

    def go(self, lines: Iterable[str], save: str | None = None) -> None:
        """Takes line by line until `quit`, then saves where asked to. Where that cannot be, `quit`
        does not leave yet; UserError where nobody is there to say another file."""
        self.go_on()
        self.show()
        saved = save is None
        try:
            for line in lines:
                if self.screen.leaves(line.strip()):
                    if saved or (saved := self.save(save or "")):
                        return
                    self.screen.say("quit-unsaved")
                    saved = True
                    continue
                self.line(one_line(line))
        finally:  # also where the player leaves by Ctrl-C
            if not saved and save and not self.save(save):
                self.save_somewhere(save)
            self._tell_what_is_kept()

    def _tell_what_is_kept(self) -> None:
        """How to go on with the game, or that nothing of it is left."""
        name, actions = self.kept
        if name and actions == len(self.log):
            self.screen.say("goes-on", game=self.game.name, name=shlex.quote(name))
        elif self.log:
            self.screen.not_kept()

    def save_somewhere(self, save: str) -> None:
        """Nobody is there any more to say another file: a place where every program may write."""
        handle, name = tempfile.mkstemp(prefix="tableref-", suffix=".json")
        os.close(handle)
        if self.save(name):
            raise UserError(f"{save}: cannot be written any more; the game is in {name} instead")
        raise UserError(f"{save}: cannot be written any more, nor {name}; the game is not saved")

    def line(self, line: str) -> None:
        """Does what one line says, or says why not."""
        if self.covered:
            self.covered = False
            self.screen.clear()
            if not line:
                self.show()
                return
        word, _, rest = line.partition(" ")
        try:
            if line in self.commands or (word in self.commands and word != "?"):
                self.commands[word](rest.strip())
            elif not line:
                self.enter()
            else:
                self.act(self._action(line))
        except Refused as refused:
            self.refused = refused
            self.screen.refused(refused)
        except RulesError as error:
            self.screen.not_understood(line, error)
        except UserError as error:
            print(one_line(str(error)))

    # -- acting -----------------------------------------------------------------------------------

    def _action(self, line: str) -> Action:
        """The action of a text, or of a number of the last list."""
        if line.isdecimal() and len(line) < 5 and 1 <= int(line) <= len(self.listed):
            return self.listed[int(line) - 1]
        return self.game.parse(self.table.state, self.screen.read(line))

    def act(self, action: Action) -> None:
        """An action of a person, and all that follows before a person is asked again."""
        private = self.screen.private(action) and self._people() > 1
        self._apply(action, None, private=private)
        if private:
            self.screen.clear()
            self.screen.say("noted")
        self.go_on()
        self.show()

    def show(self) -> None:
        """The board, as the only person sees it, or as all may."""
        people = [player for player in self._everybody() if player not in self.machines]
        self.screen.show(self.table, people[0] if len(people) == 1 else None)

    def _people(self) -> int:
        return len(self.game.players(self.table.state)) - len(self.machines)

    def _apply(
        self,
        action: Action | HouseAction,
        player: int | None,
        followed: bool = False,
        private: bool = False,
    ) -> None:
        before = self.table
        self.table, facts = self.house.apply(self.table, action, player, followed)
        self.log.append(Logged(action, followed))
        self.listed, self.refused = [], None
        if player is not None and self.screen.private(action):
            self.screen.say("notes", who=self.screen.player(before, player))
        elif not private and not isinstance(action, HouseAction):
            self.screen.action(before, action)
        self.screen.tell(facts)

    def go_on(self) -> None:
        """What comes by itself, and the turns of the program's players."""
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
        self.screen.say("broken-off", count=LONGEST)
        self._apply(BreakOff(), None, followed=True)

    def chosen(self, player: int) -> Action:
        """What the program does for this player."""
        if self.machines[player] == COMPUTER:
            return choose(self.game, self.table.state, player, self.rng)
        actions = list(self.game.legal(self.table.state))
        self.rng.shuffle(actions)
        return next(a for a in actions if self.game.judge(self.table.state, a, player).allowed)

    def enter(self) -> None:
        """Nothing was typed: throws where a die is due, else lists."""
        if self.house.due(self.table).kind == "throw":
            self.act(self.rng.choice(list(self.game.legal(self.table.state))))
        else:
            self._list("")

    def _list(self, prefix: str) -> None:
        self.listed = self.screen.list_actions(self.table, prefix)

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

    def _named(self, name: str) -> int | None:
        """The player of a name, or who is due where none is given; None where nobody is called
        so, which is said."""
        if not name:
            return next(iter(self.house.due(self.table).players), 0)
        for player in self._everybody():
            names = {self.game.players(self.table.state)[player]}
            names |= {self.screen.player(self.table, player)}
            if name.casefold() in {each.casefold() for each in names}:
                return player
        self.screen.no_such_player(self.table, name)
        return None

    def resign(self, name: str) -> None:
        """The player named, or the one who is due, gives up."""
        player = self._named(name)
        if player is not None:
            self._apply(Resign(player), None)
            self.go_on()
            self.show()

    # -- asking -----------------------------------------------------------------------------------

    def why(self, text: str) -> None:
        """Whether an action may be taken, and why not; nothing is done. Without an action, why the
        last one was refused."""
        if not text:
            if self.refused is not None:
                raise self.refused
            self.screen.why_which(self.table)
            return
        ruling = self.house.judge(self.table, self._action(text))
        if ruling.broken:
            raise Refused(ruling)
        self.screen.say("may-be-done")

    def hint(self) -> None:
        """What the program would do for who is due, knowing only what he may know."""
        due = [p for p in self.house.due(self.table).players if p not in self.machines]
        if self.house.outcome(self.table) or not due:
            self.screen.say("nothing")
            return
        action = choose(self.game, self.table.state, due[0], self.rng)
        self.screen.hint(self.table, action)

    def mine(self, name: str) -> None:
        """What one player alone may see; the next line clears it where others play, too."""
        player = self._named(name)
        if player is None:
            return
        if player in self.machines:
            self.screen.say("not-yours", who=self.screen.player(self.table, player))
            return
        self.screen.facts(self.table, player)
        if self._people() > 1:
            self.covered = True
            self.screen.say("then-enter", who=self.screen.player(self.table, player))

    # -- saving -----------------------------------------------------------------------------------

    def _save(self, name: str) -> None:
        self.save(name)

    def save(self, name: str) -> bool:
        """Writes the game as a record; whether that could be done."""
        if not name:
            self.screen.say("save-where")
            return False
        record = write_record(
            self.game, self.setup, self.log, self.position, note="played in a terminal"
        )
        try:
            Path(name).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self.screen.say("cannot-be-written", name=name, reason=reason)
            return False
        self.kept = (name, len(self.log))
        self.screen.say("saved", name=name)
        return True

    def load(self, name: str) -> None:
        """Goes on with the game of a file, in place of this one. UserError"""
        if not name:
            self.screen.say("load-where")
            return
        if not os.path.exists(name):
            self.screen.say("no-such-file", name=name)
            return
        saved = load_saved(self.house, name)
        if len(self.game.players(saved.table.state)) <= max(self.machines, default=-1):
            self.screen.say("other-players", name=name)
            return
        self.take_up(saved, name)
        self.go_on()
        self.show()
