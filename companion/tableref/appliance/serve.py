"""The service: owns the panel, shows the menu, runs games, and comes back to the menu.

Who calls `run` does everything that takes time; buttons only put presses into a queue, or into the
game that runs. A file `playing` names the game that runs: where it is there at the start, the power
was cut or Tableref failed, and that game is offered first.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from tableref.appliance import steps
from tableref.appliance.dialogue import Dialogue, Stopped
from tableref.appliance.menu import Command, Menu, Page
from tableref.appliance.newgame import Draft
from tableref.appliance.notify import Notifier
from tableref.appliance.pages import Pages, Situation
from tableref.appliance.steps.table import SetUp
from tableref.appliance.table_front import TableFront
from tableref.appliance.updates import Updates
from tableref.devices.buttons import Press
from tableref.devices.oled import Marker, Screen
from tableref.devices.panel import Panel
from tableref.devices.status import Status
from tableref.devices.worker import in_words
from tableref.durable import write_whole
from tableref.errors import UserError
from tableref.hosting.config import Config
from tableref.hosting.opening import Game, Watching, is_finished, new_game, resumed_game
from tableref.hosting.shelf import Shelf, Stored
from tableref.referee.desk import Outlet
from tableref.referee.resuming import repaired_evening, viewed_evening
from tableref.referee.standing import StandingWords, standing
from tableref.rulebook.findings import FindingWords
from tableref.rulebook.text import title
from tableref.updating.slots import Outcome
from tableref_vision.memory import let_go

POWER_OFF = ("systemctl", "poweroff")


class Phones(Protocol):
    """Pages for phones: an outlet, and what is typed to reach them."""

    @property
    def outlet(self) -> Outlet: ...

    @property
    def address(self) -> str: ...

    @property
    def code(self) -> str: ...


class Publisher(Outlet, Protocol):
    """An outlet that tells those who are not at the table, and calls a judge there."""

    def call(self) -> bool: ...


Judge = Callable[[], bool] | None
"""What calls a judge, or no longer; it says whether one is called then."""
Found = tuple[str, str]
"""What was found wrong: its title, and what it is with its cure."""


class Appliance:
    """The table with its menu, on the panel that `open_panel` opens for whom presses are told."""

    def __init__(
        self,
        config: Config,
        root: Path,
        open_panel: Callable[[Callable[[Press], None]], Panel],
        *,
        notifier: Notifier | None = None,
        examine: Callable[[], Iterable[Found]] = lambda: (),
        power_off: Callable[[], None] | None = None,
        today: Callable[[], str] = lambda: time.strftime("%Y-%m-%d"),
        opened: Callable[[Game], object] = lambda game: None,
        phones: Callable[[Game, int, Judge], AbstractContextManager[Phones]] | None = None,
        between: Callable[[str, int], AbstractContextManager[Phones]] | None = None,
        publisher: Callable[[Game], AbstractContextManager[Publisher]] | None = None,
        updates: Updates | None = None,
        trouble: str = "",
    ) -> None:
        """`root` holds the games. `examine` finds what is wrong with this computer, `power_off`
        switches it off; `opened` is told of each game that begins; `phones` serves pages of a game
        at a port, `between` the host's alone, in a language; `publisher` tells others of a game;
        `updates` brings another version; `trouble` is shown first. PinBusy"""
        self._config, self._root = config, root
        self._shelf, self._playing = Shelf(root / "games"), root / "playing"
        self._notifier = notifier or Notifier()
        self._examine, self._opened, self._today = examine, opened, today
        self._phones, self._updates, self._trouble = phones, updates, trouble
        self._publisher = publisher
        self._power_off = power_off or _power_off
        self._pages = Pages(config.game.lang)
        self._dialogue = Dialogue(self._notifier.alive)
        self._game: Game | None = None
        self._front: TableFront | None = None
        self._asked: Command | None = None
        self._off = False
        self._joining = ("", "")
        self._between_games, self._between = between, contextlib.ExitStack()
        self._panel = open_panel(self.pressed)
        self._dialogue.begin(self._panel)

    # -- from any thread --------------------------------------------------------------------------

    def pressed(self, press: Press) -> None:
        """A button was pressed."""
        (self._front or self._dialogue).pressed(press)

    def stop(self) -> None:
        """Ends the service between two steps; a signal may call it."""
        self._dialogue.stop()
        self._leave(Command("stop"))

    def _leave(self, command: Command) -> None:
        """Ends the game that runs, and then does this."""
        self._asked = command
        if self._game is not None:
            self._game.queue.close()

    # -- the loop ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Until it is stopped, or switched off."""
        self._panel.status(Status.WAITING)
        self._serve_host()
        menu = self._first()
        self._notifier.ready()
        try:
            while True:
                self._dialogue.show(menu.screen())
                press = self._dialogue.press()
                if press is None:
                    continue
                menu, command = menu.pressed(press.button, press.long)
                if command is not None:
                    menu = self._done(menu, command)
                    let_go()  # a game that has ended
                    self._dialogue.forget()
        except Stopped:
            pass
        finally:
            self._notifier.stopping()
            self._between.close()
            self._panel.close(dark=not self._off)

    def _serve_host(self) -> None:
        """The host's pages, until a game begins."""
        port = self._config.web.port
        if not port or self._between_games is None:
            return
        try:
            pages = self._between.enter_context(self._between_games(self._pages.lang, port))
            self._joining = (pages.address, pages.code)
        except (UserError, OSError) as error:
            self._trouble = self._trouble or str(error)

    def _main(self) -> Menu:
        game, stored = self._config.game, list[Stored]()
        try:
            stored = self._shelf.games()
        except OSError as error:  # told; all else goes on, and a worn card may be read again
            self._trouble = self._trouble or in_words(error)
        now = Situation(tuple(stored), game.names, game.bell, *self._joining)
        if self._updates is not None:
            now = now._replace(version=self._updates.version, other=self._updates.other)
        return Menu((self._pages.main(now),))

    def _first(self) -> Menu:
        """The main menu; over it the game that was cut off, where one was."""
        menu = self._main()
        with contextlib.suppress(OSError):
            name = self._playing.read_text(encoding="utf-8", errors="replace").strip()
            left = next((one for one in self._shelf.left() if one.folder.name == name), None)
            if left is not None:
                menu = menu.opened(self._cut_off(left))
        if self._updates is not None and (outcome := self._updates.news()):
            menu = menu.opened(self._pages.outcome(outcome))
        return menu.opened(self._pages.failed(self._trouble)) if self._trouble else menu

    def _cut_off(self, left: Stored) -> Page:
        words = self._pages.words
        text = self._pages.named(title(self._pages.lang, left.game), words.text("stopped"))
        return Page.of(words.label("menu"), text, Command("resume", left.folder), marker=Marker.ASK)

    def _done(self, menu: Menu, command: Command) -> Menu:
        """Does what the menu asked for; the menu as it is then."""
        try:
            match command:
                case Command("look", Path() as folder):
                    return menu.opened(self._look(folder))
                case Command("resume", Path() as folder):
                    self._wait()
                    return self._played(resumed_game(folder, self._config.camera.look))
                case Command("mend", Path() as folder):
                    return self._mended(folder)
                case Command("begin", Draft() as draft):
                    return self._begun(menu, draft)
                case Command("health"):
                    return menu.opened(self._health())
                case Command("set-up"):
                    return menu.opened(self._pages.set_up(self._config.done))
                case Command("step", str() as step):
                    return self._set_up(menu, step)
                case Command("another", str() as how):
                    return menu.opened(self._another(how))
                case Command("off"):
                    self._switch_off()
                case Command("no"):
                    return Menu(menu.pages[:-1])
        except (UserError, OSError) as error:
            return menu.opened(self._told(error))
        return menu

    def _told(self, error: Exception) -> Page:
        """What went wrong, in the language; where games lie nobody needs to read."""
        told = in_words(error) if getattr(error, "strerror", "") else str(error)
        return self._pages.failed(told.replace(f"{self._shelf.root}/", ""))

    def _look(self, folder: Path) -> Page:
        """Where a game stands that lies here; OK goes on with it."""
        self._wait()
        evening = viewed_evening(folder)
        words = StandingWords(evening.referee.game, evening.board, self._pages.lang)
        rows = list(evening.journal.rows())
        stands = standing(evening.referee.game, evening.state, rows)
        go = None if is_finished(evening) else Command("resume", folder)
        name = title(self._pages.lang, evening.referee.game.name)
        return Page.of(name, "\n".join(words.all(stands)), go)

    def _mended(self, folder: Path) -> Menu:
        """A damaged game up to its last whole row, a copy of it kept; where it stands. UserError"""
        self._wait()
        if (mended := repaired_evening(folder)) is not None:
            mended.evening.journal.close()
        return self._main().opened(self._look(folder))

    def _begun(self, menu: Menu, draft: Draft) -> Menu:
        """A new game; back to the draft where the rules do not let it begin so."""
        if refused := draft.refused():
            return menu.opened(
                self._pages.trouble(self._pages.words.text("from-the-start", refused))
            )
        self._wait()
        folder = self._shelf.folder_for(draft.game, self._today())
        cameras = self._config.camera.look
        return self._played(
            new_game(
                folder,
                draft.game,
                draft.setup(),
                cameras=cameras,
                lang=draft.lang,
                clock=draft.clock,
            )
        )

    def _played(self, game: Game) -> Menu:
        """Plays until somebody leaves; what is asked for then is done."""
        lang, options = game.evening.head["lang"], self._config
        watching = Watching(
            options.link.port, options.camera.calibration, evidence=options.pictures.keep,
            looks=self._root,
        )  # fmt: skip
        self._between.close()
        with contextlib.ExitStack() as stack:
            stack.callback(self._serve_host)
            stack.enter_context(game)
            outlets: list[Outlet] = []
            joining, judge = ("", ""), None
            if self._publisher is not None:
                told = stack.enter_context(self._publisher(game))
                outlets.append(told)
                judge = told.call
            if options.web.port and self._phones is not None:
                try:
                    pages = stack.enter_context(self._phones(game, options.web.port, judge))
                    outlets.append(pages.outlet)
                    joining = (pages.address, pages.code)
                except (UserError, OSError) as error:  # told at the start; the game goes on
                    print(f"tableref: {error}", file=sys.stderr)
            self._asked, self._game = None, game
            front = self._front = TableFront(
                game, self._panel, Pages(lang), self._leave, joining, judge
            )
            self._notifier.status(f"{game.evening.referee.game.name} in {game.folder}")
            failed: Page | None = None
            try:
                self._mark(game.folder.name)
                self._opened(game)
                game.play([front, *outlets], watching, beat=self._notifier.alive)
            except (UserError, OSError) as error:  # what was told lies on the disk
                failed = self._told(error)
            finally:
                self._front, self._game = None, None
                front.close()
                self._dialogue.hidden()
        # Where the service is stopped the game goes on at the next start, and where it failed.
        if self._asked != Command("stop") and failed is None:
            self._playing.unlink(missing_ok=True)
        self._notifier.status("menu")
        self._panel.status(Status.WAITING)
        if self._asked == Command("off"):
            self._switch_off()
        return self._main() if failed is None else self._main().opened(failed)

    def _mark(self, name: str) -> None:
        """Notes which game runs, should it be cut off."""
        self._playing.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._playing, f"{name}\n")

    def _health(self) -> Page:
        """What is wrong with this computer and its devices."""
        self._wait()
        found, words = [], FindingWords(self._pages.lang)
        for what, cure in self._examine():
            found.append(words.colon.join(words.found(what, cure)))
            self._notifier.alive()
        text = "\n".join(found) or self._pages.words.text("healthy")
        return self._pages.said("health", text)

    def _set_up(self, menu: Menu, step: str) -> Menu:
        """Goes through a step; what it has found out holds from now on. UserError"""
        table = SetUp(self._dialogue, self._panel, self._config, self._root)
        try:
            done = steps.run(step, table)
        finally:
            self._config = table.config
        if self._pages.lang != self._config.game.lang:
            self._pages = Pages(self._config.game.lang)
            self._between.close()
            self._serve_host()
        at = min(menu.page.at + done, len(steps.STEPS) - 1)  # on to the next one
        page = self._pages.set_up(self._config.done, at)
        return Menu((*self._main().pages, page))

    def _another(self, how: str) -> Page:
        """Another version; where one is taken the service is ended meanwhile, and starts again
        with it. UserError, OSError"""
        assert self._updates is not None
        words = self._pages.words
        self._dialogue.show(Screen.of(words.label("update"), words.text("updating"), Marker.WAIT))
        with self._updates.begin(how) as process:
            try:
                while process.poll() is None:
                    self._dialogue.press(0.5)  # no press means anything now; a stop does
            except Stopped:
                process.kill()  # it would wait for the unit, which waits for our end
                raise
            _, said = process.communicate()
        if (outcome := self._updates.news()) is not None:
            return self._pages.outcome(outcome)
        if process.returncode:
            raise UserError(said.decode("utf-8", "replace").strip() or f"exit {process.returncode}")
        return self._pages.outcome(Outcome("same", "", (self._updates.version,)))

    def _switch_off(self) -> None:
        """Stopped, once the computer was told to switch itself off. UserError"""
        words = self._pages.words
        self._dialogue.show(Screen.of(words.label("off"), words.text("off"), Marker.WAIT))
        self._power_off()
        self._off = True
        raise Stopped

    def _wait(self) -> None:
        self._dialogue.show(Screen(self._pages.words.label("wait"), (), Marker.WAIT))


def _power_off() -> None:
    """UserError"""
    try:
        subprocess.run(POWER_OFF, check=True, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        said = str(getattr(error, "stderr", "") or error).strip()
        raise UserError(
            f"this computer cannot be switched off from here ({said}). Type: sudo poweroff"
        ) from error
