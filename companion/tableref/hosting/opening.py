"""A game opened on the table with all that watches it: a new one, or one that is taken up again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TextIO

from tableref.errors import UserError
from tableref.hosting.bell import Ringer
from tableref.hosting.cameras import absolute, calibrated, opened_all, placed
from tableref.hosting.darkness import Darkness
from tableref.hosting.doubts import DiceDoubts
from tableref.hosting.session import Session, unheard
from tableref.referee.album import USUAL, Album
from tableref.referee.answers import WIDE
from tableref.referee.desk import Desk, Outlet
from tableref.referee.evening import Evening, new_evening
from tableref.referee.eyes import BOARD, BOTH, place_of
from tableref.referee.front import Front
from tableref.referee.games import load_game
from tableref.referee.glimpse import glimpses
from tableref.referee.keeping import Keeper
from tableref.referee.outlets import LightOutlet
from tableref.referee.pictures import Pictures
from tableref.referee.plots import PlotError, read_plots
from tableref.referee.queue import InputQueue
from tableref.referee.recording import Recorder, new_recording
from tableref.referee.resuming import resumed_evening
from tableref.referee.timing import Clock
from tableref.rulebook import Rulebook
from tableref.rules.house import TakeUp

if TYPE_CHECKING:
    from tableref.devices.config import DeviceConfig
    from tableref.devices.lights import Lights
    from tableref.devices.link import Link
    from tableref_vision.camera import Camera


RECORDED = ("folder:", "video:")
"""How cameras are named whose pictures were taken before."""
DEMO = "demo"
"""Key of a head under which a demo keeps how its virtual players play."""


class Watching(NamedTuple):
    """How a game is watched, and what is kept of it; nothing here is of the game itself.

    `link`: the port of the board's Pico, "" for none; `calibration`, `record`: files, "" for none;
    `evidence`: MB of pictures that are kept with the rulings; `die`: mm of the dice's edge, None as
    the configuration says. `looks`: the folder in which is kept what pieces of this table look
    like, None for beside the configuration.
    """

    link: str = ""
    calibration: str = ""
    record: str = ""
    evidence: int = USUAL
    die: float | None = None
    looks: Path | None = None

    def looks_of(self, game: str) -> Path:
        """The file of what is learnt of the pieces of a game."""
        from tableref.devices.config import PLACES, config_path

        beside = config_path() or Path(PLACES[0]).expanduser()
        return (self.looks or beside.parent) / f"looks-{game}.zip"


class Game:
    """A game whose journal is held and whose cameras are open. `play` ends it, or `with` does."""

    def __init__(
        self,
        folder: Path,
        evening: Evening,
        cameras: Mapping[str, Camera],
        queue: InputQueue | None = None,
        link: Link | None = None,
    ) -> None:
        """`queue` and `link` where they are virtual ones."""
        self.folder, self.evening, self.cameras = folder, evening, cameras
        # Sources that can wait do.
        self.queue = queue or InputQueue(any(camera.waits for camera in cameras.values()))
        self._link = link
        self.pictures: Pictures | None = None
        """What the eyes saw last, while it is played."""

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players."""
        return self.evening.referee.game.players(self.evening.state.table.state)

    def front(
        self, leave: Callable[[], None] | None = None, judge: Callable[[], bool] | None = None
    ) -> Front:
        """The front of a case for this game, an outlet; start it on a panel. `leave` is called
        where its BACK leads no further back, `judge` where its WHY is held."""
        book = Rulebook(self.evening.head["lang"])
        seen = partial(glimpses, Album(self.folder), self.evening.board.plate)
        return Front(
            book, len(self.players), self.queue.happened, leave=leave, glimpses=seen, judge=judge
        )

    def play(
        self,
        outlets: Iterable[Outlet],
        watching: Watching | None = None,
        *,
        typed: TextIO | None = None,
        say: Callable[[Sequence[str], bool], object] = unheard,
        columns: int = WIDE,
        beat: Callable[[], object] | None = None,
        judge: Callable[[], bool] | None = None,
    ) -> Desk:
        """Plays until it is over, or until somebody closes the queue. UserError

        `typed`, `say`, `columns`, `beat` and `judge` as a `Session` takes them.
        """
        how = watching or Watching()
        told = list(outlets)
        with contextlib.ExitStack() as stack:
            stack.callback(self.close)
            # All that may be missing is opened before the journal begins.
            calibration = calibrated(how.calibration)
            if how.link:
                self._link = self._opened_link(how.link)
            darkness = None
            if self._link is not None:
                darkness = self._darkness(self._link)
                told.append(LightOutlet(darkness or self._link))
            if how.evidence:
                keeper = Keeper(
                    self.folder, self.evening.board, how.evidence, self.queue.every_frame
                )
                stack.callback(keeper.close)
                told.append(keeper)
                self.pictures = keeper.pictures
            else:  # a host may look through the camera none the less
                self.pictures = Pictures(rows=0)
            if (clock := self.evening.clock()) is not None:
                ringer = Ringer(clock, self.evening.referee.game, self.queue.happened)
                stack.callback(ringer.close)
                ringer.start()
                told.append(ringer)
            configured = self._configured()
            if self._is_live() and not is_demo(self.evening.head):
                told.append(DiceDoubts(configured.asks))
            recorder = None
            if how.record:
                stream = stack.enter_context(new_recording(Path(how.record)))
                recorder = Recorder(stream, self.evening.head)
            # Without a camera or a board that feels nothing asks before it has heard.
            watched = bool(self.cameras or self._link)
            session = Session(
                self.evening, self.cameras, told, self.queue,
                record=recorder, link=self._link, calibration=calibration, typed=typed,
                pictures=self.pictures, script=typed is not None and not typed.isatty() and watched,
                say=say, columns=columns, beat=beat, die=how.die or configured.die,
                asks=configured.asks, shown=self._is_live(),
                looks=how.looks_of(self.evening.board.game), darkness=darkness, judge=judge,
            )  # fmt: skip
            return session.run()

    def _is_live(self) -> bool:
        """Whether people can show something to the cameras: those of a folder or film cannot."""
        names = (placed(name)[1] for name in self.evening.camera().split("\n"))
        return not any(name.startswith(RECORDED) for name in names)

    def _darkness(self, lights: Lights) -> Darkness | None:
        """The board's lights for an eye that they dazzle; None where none looks at the present."""
        looks = self.evening.board.senses.board == "looks"
        live = any(not self.cameras[place].waits for place in {BOARD, BOTH} & self.cameras.keys())
        return Darkness(lights, self.queue.clock.time) if looks and live else None

    def _configured(self) -> DeviceConfig:
        """What the configuration says of this table's dice; those of a demo are drawn."""
        from tableref.devices.config import DeviceConfig, load_config

        return DeviceConfig() if is_demo(self.evening.head) else load_config()

    def close(self) -> None:
        """Lets the cameras, the link and the journal go."""
        for camera in self.cameras.values():
            camera.close()
        if self._link is not None:
            self._link.close()
        self.evening.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _opened_link(self, port: str) -> Link:
        from tableref.devices.link import BoardLink, keep_log, port_named
        from tableref.devices.taught import taught

        board = self.evening.board
        wired = taught(board)
        keep_log(self.folder / "link.log")
        return BoardLink(wired, port_named(port, board))


def new_game(
    folder: Path,
    game: str,
    setup: Mapping[str, Any] | None = None,
    *,
    cameras: Sequence[str] = (),
    plots: str | None = None,
    board: str | None = None,
    lang: str = "en",
    clock: Clock | None = None,
) -> Game:
    """A new game in an empty folder. `plots` is a file of what the players wrote down, `board` a
    board file in place of the one that ships; without a `clock` nobody is timed. UserError"""
    rules = load_game(game)
    # Without plots the players keep them on paper, and moves are read off the board.
    told = read_plots(plots, rules) if plots else {}
    options = {**told.get("setup", rules.unplotted), **(setup or {})}
    handed = {key: told[key] for key in ("throws", "said", "pictures") if told.get(key)}
    if clock is not None:
        handed["clock"] = clock.record()
    names, rounds = absolute(cameras), told.get("rounds", [])
    try:
        evening = new_evening(folder, game, options, rounds, names, board, lang, handed)
    except PlotError as error:
        raise UserError(f"{plots}: {error}") from error
    return _opened(folder, evening, names)


def resumed_game(folder: Path, cameras: Sequence[str] = ()) -> Game:
    """The game of a folder, to go on with; through other cameras than before where any are named.
    UserError, also where it is a demo"""
    return taken_up(folder, resumed_evening(folder), cameras)


def taken_up(folder: Path, evening: Evening, cameras: Sequence[str] = ()) -> Game:
    """The same, of an evening that was read already."""
    if is_demo(evening.head):
        evening.journal.close()
        if DEMO in evening.head:
            raise UserError(
                f"{folder}: a demo cannot go on with other players than its own: say `tableref"
                f" resume {folder}` without a camera"
            )
        raise UserError(
            f"{folder}: a demo cannot go on, for its virtual players ended with it; play another"
            f" with `tableref demo --out {folder}`"
        )
    names = absolute(cameras) if cameras else evening.camera()
    game = _opened(folder, evening, names)
    game.evening = evening.seen_through(names)
    return game


def is_demo(head: Mapping[str, Any]) -> bool:
    """Whether virtual players play this game."""
    return str(head.get("camera")).startswith("virtual:")


def is_finished(evening: Evening) -> bool:
    """Whether the game has ended, and was not only broken off (HR-1.4): it is not taken up again
    but by naming a camera, to take back what ended it."""
    house, table = evening.referee.house, evening.state.table
    return house.outcome(table) is not None and not house.judge(table, TakeUp()).allowed


def _opened(folder: Path, evening: Evening, cameras: str) -> Game:
    usual = place_of(evening.board, evening.head.get("pictures", {}))
    try:
        return Game(folder, evening, opened_all(cameras, usual))
    except UserError:
        evening.journal.close()
        raise
