"""Whole games seen by a camera, read once; and observations made up by hand."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tableref.cli import main
from tableref.referee.course import Step
from tableref.referee.games import load_game
from tableref.referee.inputs import Begin, Input, Seen
from tableref.referee.recording import read_recording
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref_hardware import load_board
from tableref_vision.observation import Observation, SeenPiece

BOARD = load_board("autoscooter")
REFEREE = Referee(load_game("autoscooter"), BOARD)


class SceneGame(NamedTuple):
    """A game of pictures: what the referee said, the inputs it had, and the truth."""

    folder: Path
    events: list[dict[str, Any]]
    head: dict[str, Any]
    inputs: list[Input]
    record: dict[str, Any]
    frames: list[dict[str, Any]]


@pytest.fixture(scope="session", params=["game-4p", "game-8p"])
def scene_game(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> SceneGame:
    """Each game of pictures, refereed once by the command and recorded."""
    return referee_scene(shared / "scenes" / request.param, tmp_path_factory)


_PLAYED: dict[Path, SceneGame] = {}


@pytest.fixture(scope="session")
def game_4p(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> SceneGame:
    """The game of four players."""
    return referee_scene(shared / "scenes" / "game-4p", tmp_path_factory)


def referee_scene(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> SceneGame:
    """The game of these pictures; of several processes that test at once only one referees it."""
    if folder not in _PLAYED:
        base = tmp_path_factory.getbasetemp()
        out = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / folder.name
        with (out.parent / f"{folder.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not out.exists():
                _referee(folder, out)
        head, inputs = read_recording(out / "inputs")
        _PLAYED[folder] = SceneGame(
            folder,
            [json.loads(line) for line in (out / "events").read_text("utf-8").splitlines()],
            head,
            [given for given in inputs if not isinstance(given, Begin)],
            json.loads((folder / "record.json").read_text("utf-8")),
            json.loads((folder / "frames.json").read_text("utf-8"))["frames"],
        )
    return _PLAYED[folder]


def _referee(folder: Path, out: Path) -> None:
    """Runs `tableref record` on the pictures, as any user would."""
    out.mkdir()
    with (out / "events").open("w", encoding="utf-8") as stream, pytest.MonkeyPatch.context() as m:
        m.setattr("sys.stdout", stream)
        code = main(
            f"record {out}/inputs --game autoscooter --json --camera folder:{folder}"
            f" --plots {folder}/plots.json --out {out}/game".split()
        )
    assert code == 0


def first_state(head: Mapping[str, Any]) -> TableState:
    """The table before the first input."""
    return TableState(REFEREE.house.start(head["setup"]), plots=tuple(map(tuple, head["plots"])))


def play(head: Mapping[str, Any], inputs: Iterable[Input]) -> list[Row]:
    """Rows of a game: every input taken in order."""
    return [row for step in steps(first_state(head), inputs) for row in step.rows]


def steps(state: TableState, inputs: Iterable[Input]) -> Iterator[Step]:
    """The steps of a game from a state on."""
    for given in inputs:
        step = REFEREE.step(state, given)
        state = step.state
        yield step


def of_kind(rows: Iterable[Row], *kinds: str) -> list[dict[str, Any]]:
    """Data of the rows of these kinds."""
    return [row.data for row in rows if row.kind in kinds]


def seen(
    cars: Mapping[str, tuple[str | None, str | None]],
    name: str = "made up",
    time: float = 0.0,
    off: float = 0.0,
    **more: Any,
) -> Seen:
    """A look at a board on which just these cars stand, all `off` mm east of the middle."""
    pieces = tuple(
        SeenPiece(car, "car", car, cell, heading, middle.x + off, middle.y, 0.0, 1.0)
        for car, (cell, heading) in cars.items()
        for middle in [BOARD.cells[cell or "c4"]]
    )
    missing = tuple(piece.id for piece in BOARD.pieces if piece.id not in cars)
    told = {
        "time": time, "image": name, "pose": "ok", "pieces": pieces, "not_seen": missing,
        "covered": frozenset(), "hand": False, "still": True,
    }  # fmt: skip
    return Seen(Observation(**(told | more)))


class Play:
    """A game played by hand in a test: `look` at a board, `told` is what came of it."""

    def __init__(self, setup: dict[str, Any], plots: list[list[dict[str, Any]]]) -> None:
        self.state = first_state({"setup": setup, "plots": plots})
        self.cars: dict[str, tuple[str | None, str | None]] = {
            piece.id: (piece.start, piece.heading) for piece in BOARD.pieces
        }
        self.step = Step(self.state)
        self._frame = 0

    def give(self, given: Input) -> Step:
        """Any input."""
        self.step = REFEREE.step(self.state, given)
        self.state = self.step.state
        return self.step

    def look(self, **more: Any) -> Step:
        """The camera looks at the cars as they stand."""
        self._frame += 1
        return self.give(seen(self.cars, f"{self._frame:04d}", self._frame * 1.0, **more))

    def put(self, car: str, cell: str | None, heading: str | None) -> Step:
        """A hand puts a car there, and the camera looks."""
        self.cars[car] = (cell, heading)
        return self.look()

    def rows(self, *kinds: str) -> list[dict[str, Any]]:
        """Rows of the last step."""
        return of_kind(self.step.rows, *kinds)


def plots(*notes: str) -> list[dict[str, Any]]:
    """Plots of a round from short texts: `red 1K`."""
    game = load_game("autoscooter")
    return [dict(game.parse(None, note).record()) for note in notes]
