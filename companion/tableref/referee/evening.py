"""An evening at the table: sets up a game with its journal, or takes one up again, and runs it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tableref import __version__
from tableref.errors import UserError
from tableref.referee.answers import answer, listen
from tableref.referee.desk import Desk, Outlet
from tableref.referee.games import GAMES, TABLES, load_game
from tableref.referee.inputs import CameraEnded, CameraTrouble, Input, MatSeen, Seen
from tableref.referee.journal import Journal
from tableref.referee.plots import check_plots
from tableref.referee.queue import InputQueue
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.referee.telling import Teller
from tableref.referee.trays import TrayReferee
from tableref.rulebook import Rulebook
from tableref.rules.surface import RulesError
from tableref_hardware import Board, BoardFileError, load_board, read_board
from tableref_hardware.files import read_text
from tableref_vision.camera import Camera, CameraError, Frame

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
        return Teller(self.referee.game, self.board, self.head["lang"])


def new_evening(
    folder: Path,
    game: str,
    setup: dict[str, Any],
    plots: list[list[dict[str, Any]]],
    camera: str,
    board: str | None = None,
    lang: str = "en",
) -> Evening:
    """A new game whose journal begins in `folder`. UserError"""
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
    if head["game"] not in TABLES:
        raise UserError(
            f"there is no table for {head['game']} yet, only for {', '.join(TABLES)};"
            f" until then: `tableref play {head['game']}`"
        )
    if head["rules_version"] != rules.rules_version:
        raise UserError(
            f"it was played by version {head['rules_version']} of the rules, these are version"
            f" {rules.rules_version}; finish it with Tableref {head['app_version']}"
        )
    referee = TrayReferee if GAMES[head["game"]].camera_on == "mat" else Referee
    return referee(rules, board), board


def first_state(referee: Referee, head: dict[str, Any]) -> TableState:
    try:
        table = referee.house.start(head["setup"])
    except RulesError as error:
        raise UserError(str(error)) from error
    check_plots(referee.house, table, head["plots"], Rulebook(head["lang"]))
    return TableState(table, plots=tuple(map(tuple, head["plots"])))


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
    camera: Camera,
    outlets: Iterable[Outlet],
    queue: InputQueue,
    record: Callable[[Input], None] | None = None,
    link: Link | None = None,
    calibration: Calibration | None = None,
    typed: Iterable[str] | None = None,
) -> Desk:
    """Runs the game on a camera until there are no more frames, or the game is over.

    Camera and eye have a thread of their own, the link another; the referee takes one input at a
    time from the queue, into which buttons and the lines `typed` at the terminal go too.
    """
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), outlets, record)
    evening.journal.begin()
    if evening.before is not None:
        desk.take_up(evening.before, evening.untold)
    eye = _eye(evening, calibration)
    failed: list[BaseException] = []

    def look() -> None:
        seen_at = 0.0
        frames = after(camera.frames(), evening.state.frame if queue.every_frame else "")
        try:
            while True:
                try:
                    frame = next(frames)
                except StopIteration:
                    break
                except CameraError as error:  # a camera that can go on does so at the next frame
                    queue.put(CameraTrouble(seen_at, str(error)))
                    continue
                seen_at = frame.time
                if not queue.put(eye(frame, desk.lit)):
                    return
        except BaseException as error:  # handed to the main thread, which raises it
            failed.append(error)
            queue.close()
        queue.put(CameraEnded(seen_at))

    def feel(switches: Link) -> None:
        from tableref.referee.switches import input_of

        try:
            for item in switches:
                given = input_of(item)
                if given is not None and not queue.put(given):
                    return
        except BaseException as error:  # as above
            failed.append(error)
            queue.close()

    def read(line: str) -> Input:
        return answer(evening.referee, desk.told, line, time.monotonic())

    def hear(lines: Iterable[str]) -> None:
        listen(lines, read, queue.put, lambda text: print(f"? {text}", flush=True))

    if typed is not None:
        # It may wait for a line for ever, so nobody waits for it.
        threading.Thread(target=hear, args=(typed,), name="terminal", daemon=True).start()
    threads = [threading.Thread(target=look, name="eye", daemon=True)]
    if link is not None:
        threads.append(threading.Thread(target=feel, args=(link,), name="switches", daemon=True))
    for thread in threads:
        thread.start()
    try:
        while (given := queue.take()) is not None:
            desk.take(given)
            if isinstance(given, CameraEnded):
                break
    finally:
        queue.close()
        camera.close()
        if link is not None:
            link.close()
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
    return desk


def _eye(
    evening: Evening, calibration: Calibration | None
) -> Callable[[Frame, Collection[str]], Input]:
    """Who reads a frame while some cells are lit: of the board, or of the dice mat. UserError"""
    if GAMES[evening.head["game"]].camera_on == "board":
        from tableref_vision.reader import BoardReader

        board = BoardReader(evening.board, calibration)
        return lambda frame, lit: Seen(board.read(frame, lit))
    from tableref_vision.dice.eye import MatEye
    from tableref_vision.errors import VisionError

    try:
        from tableref_vision.dice.reader import DiceReader

        mat = MatEye(DiceReader(calibration.lens if calibration else None))
    except VisionError as error:
        raise UserError(str(error)) from error
    return lambda frame, lit: MatSeen(mat.read(frame))


def after(frames: Iterator[Frame], last: str) -> Iterator[Frame]:
    """The frames after the one named `last`; all of them where `last` is empty.

    Errors of the camera on the way to it were told the first time.
    """
    while last:
        try:
            if next(frames).name == last:
                break
        except StopIteration:
            break
        except CameraError:
            continue
    return frames
