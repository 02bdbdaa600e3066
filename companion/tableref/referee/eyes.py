"""The eyes of an evening: who reads the frames of which camera, and what they become."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tableref.errors import UserError
from tableref.referee.inputs import Input, Learning, MatSeen, Seen
from tableref.referee.lessons import lesson
from tableref.referee.table import TableState
from tableref.rules.defaults import TableGame
from tableref.rules.pieces import texts
from tableref_hardware import Board
from tableref_vision.camera import Frame

if TYPE_CHECKING:
    from tableref_vision.calibration import Calibration
    from tableref_vision.untagged.eye import Lesson
    from tableref_vision.view import View

BOARD, MAT, BOTH = "board", "mat", "both"
PLACES = (BOARD, MAT, BOTH)
"""What a camera looks at: the board, the dice mat beside it, or both."""

Eye = Callable[[Frame, Collection[str]], Sequence[Input]]
"""Reads a frame while some cells are lit; of both places it is an input each."""

Looked = Callable[[str, Frame, "View | None", Input], None]
"""Is told what was seen: where, in which frame, from where, and what it became."""


def place_of(board: Board, pictures: Mapping[str, Any]) -> str:
    """What a camera looks at where nobody said so: a table with a dice mat has it over the mat,
    unless pictures of the board were handed over."""
    return MAT if board.senses.mat and not pictures else BOARD


def senses_of(places: Collection[str], link: bool) -> tuple[str, ...]:
    """The senses of a table with cameras over these places."""
    board = bool({BOARD, BOTH} & {*places})
    mat = bool({MAT, BOTH} & {*places})
    return tuple(
        name for name, there in (("board", board), ("switches", link), ("mat", mat)) if there
    )


def taught_by(board: Board, pictures: Mapping[str, Any]) -> frozenset[str]:
    """Names of the camera's frames from which an eye over this board learns."""
    if board.senses.board != "looks":
        return frozenset()
    named = [pictures.get("empty"), pictures.get("start"), pictures.get("teach", {}).get("frame")]
    return frozenset(filter(None, named))


class Lessons(NamedTuple):
    """How an eye that goes by looks learns by being shown. `game` and `told`: the table as it was
    told last; `kept`: the file where what was learnt stays for the next evening."""

    game: TableGame[Any]
    told: Callable[[], TableState]
    kept: Path | None = None


def eye(
    place: str,
    board: Board,
    pictures: Mapping[str, Any],
    start: Mapping[str, str],
    calibration: Calibration | None,
    die: float | None = None,
    looked: Looked | None = None,
    *,
    begun: bool = False,
    lessons: Lessons | None = None,
) -> Eye:
    """Who reads the frames of a camera over this place; `start`, what stands on the board after
    set-up, as texts, from which an eye by looks learns; `die` is the size of the dice in mm, where
    it is known, `looked` is told what was seen. Once a game has `begun`, its start teaches the eye
    and is no play. Where no `pictures` are handed over, people are asked to show what is to be
    learnt (`lessons`). UserError"""
    told = looked or forgotten
    if place == MAT:
        return _mat_eye(calibration, die, told)
    if board.senses.board == "looks" and not pictures and lessons is not None:
        over_board = _learning_eye(board, lessons, told)
    else:
        over_board = _board_eye(board, pictures, start, calibration, told, begun)
    if place == BOARD:
        return over_board
    over_mat = _mat_eye(calibration, die, told)
    return lambda frame, lit: (*over_board(frame, lit), *over_mat(frame, lit))


def _board_eye(
    board: Board,
    pictures: Mapping[str, Any],
    start: Mapping[str, str],
    calibration: Calibration | None,
    looked: Looked,
    begun: bool,
) -> Eye:
    if board.senses.board == "looks":
        return _looks_eye(board, pictures, start, looked, begun)
    if board.senses.board != "tags":
        raise UserError(f"{board.source}: [table] says that no camera is over the board")
    from tableref_vision.reader import BoardReader

    reader = BoardReader(board, calibration)

    def read(frame: Frame, lit: Collection[str]) -> Sequence[Input]:
        seen = Seen(reader.read(frame, lit))
        looked(BOARD, frame, reader.view, seen)
        return (seen,)

    return read


def _looks_eye(
    board: Board,
    pictures: Mapping[str, Any],
    start: Mapping[str, str],
    looked: Looked,
    begun: bool,
) -> Eye:
    """The eye for pieces without tags. It learns from the frames of the empty board and the
    start; the first is no play."""
    from tableref_vision.errors import VisionError
    from tableref_vision.untagged.eye import Lesson, LooksEye

    if "empty" not in pictures or "start" not in pictures:
        raise UserError(
            f"a camera over the board of {board.game} must be shown the empty board and the start:"
            ' name them under "pictures" in the file of --plots; without a camera its switches tell'
        )
    lessons = [Lesson(pictures["start"], start, play=not begun)]
    try:
        if teach := pictures.get("teach"):
            lessons.insert(0, _taught(teach))
        reader = LooksEye(board, pictures["empty"], lessons)
    except VisionError as error:
        raise UserError(str(error)) from error

    def read(frame: Frame, lit: Collection[str]) -> Sequence[Input]:
        observation = reader.read(frame)
        if observation is None:
            return ()
        seen = Seen(observation)
        looked(BOARD, frame, reader.view, seen)
        return (seen,)

    return _in_the_dark(board, lambda: reader.view, read)


def _learning_eye(board: Board, lessons: Lessons, looked: Looked) -> Eye:
    """The same, for people who show what it asks for."""
    from tableref_vision.untagged.learning import LearningEye, Plan, Said
    from tableref_vision.wanted import Wanted

    game, told = lessons.game, lessons.told

    def plan() -> Plan:
        state = told().table.state
        return Plan(texts(lesson(board, game, state)), texts(game.board(state)))

    reader = LearningEye(board, plan, lambda: Said(*told().showing), lessons.kept)

    def read(frame: Frame, lit: Collection[str]) -> Sequence[Input]:
        found = reader.read(frame)
        if isinstance(found, Wanted):
            return (Learning(found),)
        seen = Seen(found)
        looked(BOARD, frame, reader.view, seen)
        return (seen,)

    return _in_the_dark(board, lambda: reader.view, read)


def _in_the_dark(board: Board, view: Callable[[], View | None], read: Eye) -> Eye:
    """An eye that lights dazzle: of frames in which some may shine on the pieces only hands are
    told."""
    from tableref_vision.motion import PlateMotion
    from tableref_vision.observation import only_a_hand

    hands = PlateMotion(board)

    def look(frame: Frame, lit: Collection[str]) -> Sequence[Input]:
        if not lit:
            return read(frame, lit)
        moves = hands.look(frame, view(), lit).any
        return (Seen(only_a_hand(frame.time, frame.name)),) if moves else ()

    return look


def _taught(teach: Mapping[str, Any]) -> Lesson:
    """The lesson of a teaching picture: one of the camera's frames, or a file. VisionError"""
    from tableref_vision.pictures import read_picture
    from tableref_vision.untagged.eye import Lesson

    if "frame" in teach:
        return Lesson(teach["frame"], teach["cells"])
    return Lesson(teach["image"], teach["cells"], read_picture(Path(teach["image"])))


def _mat_eye(calibration: Calibration | None, die: float | None, looked: Looked) -> Eye:
    from tableref_vision.dice.eye import MatEye
    from tableref_vision.errors import VisionError

    try:
        from tableref_vision.dice.reader import DiceReader

        lens = calibration.lens if calibration else None
        dice = DiceReader(lens, die=die)
    except VisionError as error:
        raise UserError(str(error)) from error
    reader = MatEye(dice)

    def read(frame: Frame, lit: Collection[str]) -> Sequence[Input]:
        seen = MatSeen(reader.read(frame))
        looked(MAT, frame, dice.view, seen)
        return (seen,)

    return read


def shows_hand(seen: Input) -> bool:
    """Whether a hand was noticed over the board."""
    if isinstance(seen, Learning):
        return seen.wanted.hand
    return isinstance(seen, Seen) and seen.observation.hand


def forgotten(place: str, frame: Frame, view: View | None, given: Input) -> None:
    """Nothing is kept of what was seen."""
