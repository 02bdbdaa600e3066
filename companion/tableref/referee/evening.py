"""An evening at the table: sets up a game with its journal, or takes one up again, and runs it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tableref import __version__
from tableref.devices.worker import Guard
from tableref.errors import UserError
from tableref.referee.answers import answer, help_of, listen, replied
from tableref.referee.desk import Desk, Outlet
from tableref.referee.eyes import eye, forgotten, senses_of
from tableref.referee.games import load_game
from tableref.referee.inputs import Begin, CameraEnded, CameraTrouble, Input, LinkGone
from tableref.referee.journal import Journal
from tableref.referee.pictures import Pictures
from tableref.referee.plots import check_plots
from tableref.referee.queue import InputQueue
from tableref.referee.standing import StandingWords, standing
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.referee.telling import Teller
from tableref.rulebook import Rulebook
from tableref.rules.pieces import texts
from tableref.rules.surface import RulesError
from tableref_hardware import Board, BoardFileError, load_board, read_board
from tableref_hardware.files import read_text
from tableref_vision.camera import Camera, CameraError

if TYPE_CHECKING:
    from tableref.devices.link import Link
    from tableref_vision.calibration import Calibration

JOURNAL = "journal.sqlite3"


class Evening(NamedTuple):
    """A game on the table: who judges it, where it stands, its journal, and its head. `before` is
    how it stood before the rows at the journal's end that nobody may have been told (`untold`)."""

    referee: Referee
    state: TableState
    journal: Journal
    board: Board
    head: dict[str, Any]
    before: TableState | None = None
    untold: tuple[Row, ...] = ()

    def teller(self) -> Teller:
        """Who puts this game's events into words."""
        names = self.referee.game.players(self.state.table.state)
        return Teller(self.referee.game, self.board, self.head["lang"], names)

    def stands(self) -> dict[str, Any]:
        """Where the game stands, as the event that it is taken up again."""
        game = self.referee.game
        words = StandingWords(game, self.board, self.head["lang"])
        return words.resumed(standing(game, self.state, list(self.journal.rows())))

    def camera(self) -> str:
        """The camera through which it was seen last."""
        return list(self._last_frames())[-1]

    def seen_through(self, camera: str) -> Evening:
        """The evening as it goes on with this camera, behind the frame of it that was looked at
        last: frames of another camera say nothing, be they named alike. Journals a change of it.
        """
        last = self._last_frames()
        if list(last)[-1] == camera:
            return self
        row = Row("camera", {"camera": camera, "frame": last.get(camera, "")})
        self.journal.write([row], time.monotonic())
        return self._replace(state=self.referee.replayed(self.state, [row]))

    def _last_frames(self) -> dict[str, str]:
        """Camera -> the frame of it that was looked at last; the camera that was used last last."""
        camera = str(self.head["camera"])
        frames = {camera: ""}
        for row in self.journal.rows():
            if row.kind == "camera":
                camera = str(row.data["camera"])
            frames[camera] = row.data.get("frame", frames.pop(camera, ""))
        return frames


def new_evening(
    folder: Path,
    game: str,
    setup: dict[str, Any],
    plots: list[list[dict[str, Any]]],
    camera: str,
    board: str | None = None,
    lang: str = "en",
    handed: Mapping[str, Any] | None = None,
) -> Evening:
    """A new game whose journal begins in `folder`. `handed`: throws, what is said, and pictures for
    setting up, as a file of plots brings them. UserError"""
    rules = load_game(game, _board(board or game))
    head = {
        "game": game,
        "rules_version": rules.rules_version,
        "app_version": __version__,
        "setup": setup,
        "board": _text_of(board or game),
        "plots": plots,
        "camera": camera,
        "lang": lang,
    }
    head |= {key: value for key, value in (handed or {}).items() if value}
    return new_evening_of(folder, head)


def new_evening_of(folder: Path, head: dict[str, Any]) -> Evening:
    """A new game with the head of a recording. UserError"""
    referee, board = referee_of(head)
    state = first_state(referee, head)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be made a folder: {error.strerror}") from error
    return Evening(referee, state, Journal.create(folder / JOURNAL, head), board, head)


def referee_of(head: dict[str, Any]) -> tuple[Referee, Board]:
    """The rules and the board that a head names. UserError"""
    try:
        board = read_board(head["board"], "board file")
    except BoardFileError as error:
        raise UserError(str(error)) from error
    rules = load_game(head["game"], board)
    if head["rules_version"] != rules.rules_version:
        raise UserError(
            f"it was played by version {head['rules_version']} of the rules, these are version"
            f" {rules.rules_version}; finish it with Tableref {head['app_version']}"
        )
    return Referee(rules, board), board


def first_state(referee: Referee, head: dict[str, Any]) -> TableState:
    try:
        table = referee.house.start(head["setup"])
    except RulesError as error:
        raise UserError(str(error)) from error
    check_plots(referee.house, table, head["plots"], Rulebook(head["lang"]))
    throws = tuple(head.get("throws", ()))
    said = tuple((one["before"], one["action"]) for one in head.get("said", ()))
    return TableState(table, plots=tuple(map(tuple, head["plots"])), throws=throws, said=said)


def _board(name: str) -> Board:
    try:
        return load_board(name)
    except BoardFileError as error:
        raise UserError(str(error)) from error


def _text_of(name: str) -> str:
    from importlib import resources

    if name.endswith(".toml"):
        return read_text(name)
    file = resources.files("tableref_hardware") / "boards" / f"{name}.toml"
    return file.read_text(encoding="utf-8")


def run(
    evening: Evening,
    cameras: Mapping[str, Camera],
    outlets: Iterable[Outlet],
    queue: InputQueue,
    record: Callable[[Input], None] | None = None,
    link: Link | None = None,
    calibration: Calibration | None = None,
    typed: Iterable[str] | None = None,
    pictures: Pictures | None = None,
    script: bool = False,
    say: Callable[[str], object] = print,
) -> Desk:
    """Runs the game until there are no more frames, or nobody says anything more.

    `cameras`: what each looks at (`eyes.PLACES`) -> the camera; there may be none. Camera and eye
    have a thread of their own each, the link another; the referee takes one input at a
    time from the queue, into which buttons and the lines `typed` at the terminal go too. A fault of
    any of them is told and the game goes on; only a journal that cannot be written ends it.
    `pictures` are handed what the eye saw. `script`: the lines were written before, so that an
    answer waits until there is a question. `say` is given what is replied to a line. UserError
    """
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), outlets, record)
    evening.journal.begin()
    if evening.before is not None:
        desk.take_up(evening.before, evening.untold)
    handed, die = evening.head.get("pictures", {}), evening.state.mat.die
    looked = pictures.looked if pictures is not None else forgotten
    house = evening.referee.house
    start = texts(house.game.board(house.start(evening.head["setup"]).state))
    eyes = {
        place: eye(place, evening.board, handed, start, calibration, die, looked)
        for place in cameras
    }
    clock, closing = queue.clock, threading.Event()
    last = evening.state.frame if len(cameras) == 1 else ""
    queue.happened(Begin(time.monotonic(), senses_of(cameras, link is not None)))

    def look(place: str) -> None:
        read, camera = eyes[place], cameras[place]
        seen_at = clock.time() if queue.every_frame else 0.0
        guard = Guard("the eye", lambda text: queue.put(CameraTrouble(seen_at, text)))
        frames = camera.frames(last)
        going = True
        while going:
            with guard:
                try:
                    frame = clock.frame(next(frames))
                except StopIteration:
                    break
                except CameraError as error:  # a camera that can go on does so at the next frame
                    going = queue.put(CameraTrouble(seen_at, str(error)))
                    continue
                seen_at = frame.time
                for given in read(frame, desk.lit):
                    going = queue.put(given) and going
            closing.wait(guard.pause)
        queue.put(CameraEnded(seen_at))

    def hear(lines: Iterable[str]) -> None:
        listen(lines, read, queue.happened, lambda text: say(f"? {text}"))
        if not cameras and link is None:  # nobody else can say anything
            queue.rest()
            queue.close()

    def feel(switches: Link) -> None:
        from tableref.referee.senses.switches import input_of

        guard = Guard("the link", lambda text: queue.happened(LinkGone(time.monotonic(), text)))
        while not closing.is_set():
            with guard:
                for item in switches:
                    given = input_of(item)
                    if given is not None and not queue.happened(given):
                        return
                return
            closing.wait(guard.pause)

    answered = 0

    def await_question() -> None:
        """Until a question with answers is open that no line has answered yet."""
        nonlocal answered

        def open_() -> bool:
            ask = desk.told.ask
            return bool(ask and (ask.answers or ask.options) and ask.number > answered)

        with desk.changed:
            desk.changed.wait_for(lambda: closing.is_set() or open_())
            answered = desk.told.open

    def read(line: str) -> Input | list[str]:
        if script and line.strip().isdecimal():
            await_question()
        referee, lang = evening.referee, evening.head["lang"]
        try:
            return answer(referee, desk.told, line, time.monotonic(), lang)
        except RulesError as error:
            rows = list(evening.journal.rows())
            told = replied(referee, evening.board, desk.told, rows, line, lang)
            if told is None:
                said = [str(error), *help_of(referee, desk.told, lang)]
                raise RulesError("; ".join(said)) from error
            return told

    if typed is not None:
        # It may wait for a line for ever, so nobody waits for it.
        threading.Thread(target=hear, args=(typed,), name="terminal", daemon=True).start()
    threads = [
        threading.Thread(target=look, args=(place,), name=f"eye over the {place}", daemon=True)
        for place in cameras
    ]
    if link is not None:
        threads.append(threading.Thread(target=feel, args=(link,), name="switches", daemon=True))
    for thread in threads:
        thread.start()
    referee = Guard("the referee", fatal=(UserError,))  # the journal cannot be written
    try:
        ended = 0
        while (given := queue.take(evening.referee.waits(desk.state, clock.time()))) is not None:
            with referee:
                desk.take(given)
            ended += isinstance(given, CameraEnded)
            if cameras and ended == len(cameras):
                break
    finally:
        closing.set()
        with desk.changed:
            desk.changed.notify_all()
        queue.close()
        for camera in cameras.values():
            camera.close()
        if link is not None:
            link.close()
        for thread in threads:
            thread.join()
    return desk
