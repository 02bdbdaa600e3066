"""An evening at the table: sets up a game with its journal, or takes one up again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tableref import __version__
from tableref.errors import UserError
from tableref.referee.games import load_game
from tableref.referee.journal import Journal
from tableref.referee.plots import check_plots
from tableref.referee.standing import StandingWords, standing
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.referee.telling import Teller
from tableref.referee.timing import Clock
from tableref.rulebook import Rulebook
from tableref.rules.surface import RulesError
from tableref_hardware import Board, BoardFileError, load_board, read_board
from tableref_hardware.files import read_text

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

    def clock(self) -> Clock | None:
        """How it is timed; None where it is not."""
        told = self.head.get("clock")
        return None if told is None else Clock.read(told)

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
