"""The eye that is shown what it has to learn goes on by itself, says what is amiss, remembers."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from tests.vision.disturbed import lit, pushed, shadow

from tableref.referee.games import load_game
from tableref.referee.lessons import lesson
from tableref.rules.pieces import Stack, spelled, texts
from tableref.sim.camera import Camera
from tableref.sim.draw import Hand
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_hardware.looks import Paint
from tableref_vision.camera import Frame
from tableref_vision.observation import Observation
from tableref_vision.untagged.learning import LearningEye, Plan, Said
from tableref_vision.wanted import AGAIN, EMPTY, KNOWN, LEARNT, MISFIT, START, TEACH, Wanted

FULL = bool(os.environ.get("TABLEREF_FULL"))


class Showing:
    """A drawn table before an eye that learns: a look is a second and a bit."""

    def __init__(self, name: str, kept: Path | None = None, seed: int = 4) -> None:
        self.board = load_board(name)
        self.game = load_game(name, self.board)
        self.known = spelled(self.game.stacks)
        state = self.game.start({})
        self.start = self.game.board(state)
        taught = texts(lesson(self.board, self.game, state))
        self.plan = Plan(taught, texts(self.start))
        self.stage = Stage(self.board, seed, Camera.above(tilt=8.0))
        self.kept, self.said, self.time = kept, Said(), 0.0
        self.light = np.zeros(3)
        self.switched_on()

    def switched_on(self) -> None:
        self.eye = LearningEye(self.board, lambda: self.plan, lambda: self.said, self.kept)

    def put(self, cells: Mapping[str, str]) -> None:
        self.lay({cell: self.known[text] for cell, text in cells.items()})

    def lay(self, board: Mapping[str, Stack]) -> None:
        """These pieces, and no others; tokens as their side's lie at the start."""
        self.stage.pieces.clear()
        ways = {s[0].side: self.stage.inward(c) for c, s in self.start.items() if s[0].face}
        for cell, stack in board.items():
            for piece in stack:
                self.stage.stand(piece, cell, yaw=ways.get(piece.side))

    def says(self, word: str) -> None:
        self.said = Said(self.said.times + 1, word)

    def look(self, hands: Iterable[Hand] = ()) -> Observation | Wanted:
        picture = self.stage.picture(hands=tuple(hands))
        return self.see(lit(picture, self.light) if self.light.any() else picture)

    def see(self, picture: np.ndarray) -> Observation | Wanted:
        self.time += 1.3
        return self.eye.read(Frame(picture, self.time, f"{self.time:.1f}"))

    def rests(self, looks: int = 2, hands: Iterable[Hand] = ()) -> Wanted:
        """The last of so many looks at a table at rest, while something is still wanted."""
        found = [self.look(hands) for _ in range(looks)][-1]
        assert isinstance(found, Wanted), found
        return found

    def shown(self) -> None:
        """All is shown as it is asked for."""
        assert self.rests().stage == (TEACH if self.plan.teach else START)
        for cells in filter(None, (self.plan.teach, self.plan.start)):
            self.put(cells)
            wanted = self.rests()
        assert wanted.stage == LEARNT


Known = Callable[[str], Showing]


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file of what was learnt of a game, learnt once."""
    folder = tmp_path_factory.mktemp("learnt")

    def file(name: str) -> Path:
        path = folder / f"looks-{name}.zip"
        if not path.exists():
            Showing(name, path).shown()
        return path

    return file


@pytest.fixture
def known(learnt: Callable[[str], Path], tmp_path: Path) -> Known:
    """A table of a game whose looks are known, with a file of its own; the start lies there."""

    def table(name: str) -> Showing:
        made = Showing(name, Path(shutil.copy(learnt(name), tmp_path / "looks.zip")))
        made.put(made.plan.start)
        return made

    return table


def lying_across(table: Showing, cells: Mapping[str, str], text: str) -> None:
    """These pieces, that of this text turned by 90 degrees."""
    table.put(cells)
    for name, placed in table.stage.pieces.items():
        if cells[placed.cell] == text:
            table.stage.pieces[name] = replace(placed, yaw=placed.yaw + 90.0)


def paint(table: Showing, side: str, colour: str) -> None:
    """This side's pieces are of another colour."""
    board, other = table.stage.board, Paint(colour)
    looks = {k: replace(look, sides={**look.sides, side: other}) for k, look in board.looks.items()}
    table.stage.board = replace(board, looks=looks)
    table.stage._bodies.clear()


def played(table: Showing) -> Showing:
    """The same as soon as it is played on."""
    found = table.look()
    assert isinstance(found, Wanted)
    assert found.stage == KNOWN
    assert isinstance(table.look(), Observation)
    return table


@pytest.mark.parametrize("name", ["arrows-and-stars", "skorpion-deep"])
def test_it_goes_on_by_itself_when_it_sees_what_it_wants(name: str) -> None:
    table = Showing(name)
    table.shown()
    seen = table.look()
    assert isinstance(seen, Observation)
    assert seen.cells is not None
    single = {c: text for c, text in table.plan.start.items() if len(table.known[text]) == 1}
    assert {c for c, text in single.items() if text not in seen.cells.get(c, {text})} == set()


def test_a_board_on_which_something_lies_is_not_taken_for_empty() -> None:
    table = Showing("arrows-and-stars")
    table.put(table.plan.start)
    wanted = table.rests(6)
    assert wanted.stage == EMPTY
    assert {*wanted.strange} == table.plan.start.keys()
    table.put({"c5": "white arrow up"})
    assert table.rests(6).strange == ("c5",)
    table.put({})
    assert table.rests().stage == START


def test_people_may_say_that_a_board_is_empty_whose_cells_differ() -> None:
    table = Showing("scorpion")
    wanted = table.rests(6)
    assert wanted.stage == EMPTY
    assert len(wanted.strange) > 4  # the two sides of the track
    table.says(EMPTY)
    assert table.rests().stage == TEACH


def test_nothing_is_learnt_while_a_hand_is_in_the_picture() -> None:
    table = Showing("arrows-and-stars")
    table.rests()
    table.put(table.plan.start)
    wanted = table.rests(4, [table.stage.hand_at(0.0, 0.0)])
    assert (wanted.stage, wanted.hand) == (START, True)
    assert table.rests().stage == LEARNT


def test_an_arm_in_the_empty_picture_is_out_of_it_once_it_has_gone() -> None:
    """It lay between the cells, where all of them look alike."""
    table = Showing("squod")
    assert table.rests(2, [table.stage.hand_at(-150.0, -120.0)]).stage in (EMPTY, TEACH)
    assert table.rests(3).stage == TEACH
    table.put(table.plan.teach)
    assert table.rests().stage == START


def test_what_is_missing_and_what_lies_elsewhere_is_said_after_a_while() -> None:
    table = Showing("skorpion-deep")
    table.rests()
    [(cell, text), *rest] = table.plan.teach.items()
    free = next(name for name in table.board.cells if name not in table.plan.teach)
    table.put(dict(rest))
    wanted = table.rests(2)
    assert not wanted.missing  # people are still at it
    assert table.rests(4).missing == (cell,)
    table.put({**dict(rest), free: text})
    wanted = table.rests(6)
    assert (wanted.missing, wanted.strange) == ((cell,), (free,))
    table.put(table.plan.teach)
    assert table.rests().stage == START


@pytest.mark.parametrize(("one", "other"), [("a1", "a9"), ("a1", "b1")], ids=["sides", "kinds"])
def test_another_piece_than_is_to_lie_there_is_not_learnt(one: str, other: str) -> None:
    """Two pieces are exchanged."""
    table = Showing("arrows-and-stars")
    table.rests()
    start = dict(table.plan.start)
    table.put(start | {one: start[other], other: start[one]})
    wanted = table.rests(6)
    assert wanted.stage == START
    assert {one, other} & {*wanted.other}
    table.put(start)
    assert table.rests().stage == LEARNT


def test_two_looks_that_are_exchanged_in_the_lesson_are_told() -> None:
    table = Showing("skorpion-deep")
    table.rests()
    taught = dict(table.plan.teach)
    red, blue = (next(c for c, text in taught.items() if text == side) for side in ("red", "blue"))
    table.put(taught | {red: "blue", blue: "red"})
    assert {*table.rests(6).other} == {red, blue}


@pytest.mark.parametrize("never", (False, True) if FULL else (False,))
def test_a_face_that_could_not_be_made_out_is_asked_for_once_more(never: bool) -> None:
    """And told, where it lies so again: it is asked for in play then."""
    table = Showing("squod")
    table.rests()
    cell, text = next(iter(table.plan.teach.items()))
    lying_across(table, table.plan.teach, text)
    table.rests()
    table.put(table.plan.start)
    wanted = table.rests()
    assert (wanted.stage, [*wanted.cells.values()]) == (AGAIN, [text])
    assert cell not in wanted.cells
    if never:
        lying_across(table, wanted.cells, text)
    else:
        table.put(wanted.cells)
    assert table.rests().stage == START
    table.put(table.plan.start)
    wanted = table.rests()
    assert wanted.stage == LEARNT
    assert (text in wanted.unsure) == never


def test_two_colours_that_are_too_much_alike_are_told() -> None:
    table = Showing("arrows-and-stars")
    paint(table, "white", "#9aa0a6")
    paint(table, "black", "#989ea4")
    table.rests()
    table.put(table.plan.start)
    wanted = table.rests()
    assert wanted.stage == LEARNT
    assert {text.split()[0] for text in wanted.unsure} == {"white", "black"}


def test_a_lamp_between_the_empty_board_and_the_start_does_not_matter() -> None:
    table = Showing("arrows-and-stars")
    table.rests()
    table.light = np.array([0.8, 0.9, 1.0]) * 0.8
    table.put(table.plan.start)
    assert table.rests().stage == LEARNT


def test_a_shadow_on_the_start_is_told_and_all_may_be_shown_anew() -> None:
    table = Showing("arrows-and-stars")
    table.rests()
    table.put(table.plan.start)
    for _ in range(6):
        wanted = table.see(shadow(table.stage.picture()))
    assert isinstance(wanted, Wanted)
    assert (wanted.stage, wanted.uneven) == (START, True)
    table.says("anew")
    table.put({})
    assert table.rests(1).stage == EMPTY
    table.shown()


def test_the_next_evening_needs_none_of_it(known: Known) -> None:
    played(known("arrows-and-stars"))


def test_what_does_not_fit_any_more_is_told_and_asked_for_anew(known: Known) -> None:
    """Coins are played with today; nothing is said while nothing lies there."""
    table = known("arrows-and-stars")
    table.put({})
    played(table)
    table.stage.coins = [(c.x, c.y) for c in (table.board.cells[n] for n in table.plan.start)]
    found = next(one for one in (table.look() for _ in range(6)) if isinstance(one, Wanted))
    assert found.stage == MISFIT
    assert table.rests().stage == EMPTY


def test_another_set_that_is_only_alike_is_not_half_believed(known: Known) -> None:
    """One side is of another colour today; the other would be told as ever."""
    table = known("arrows-and-stars")
    paint(table, "black", "#7a3b2a")
    found = [one for one in (table.look() for _ in range(6)) if isinstance(one, Wanted)]
    assert [one.stage for one in found][:2] == [KNOWN, MISFIT]


def test_what_fits_is_not_doubted_later(known: Known) -> None:
    """Once the start has been read, what comes after is a matter of the game."""
    table = played(known("arrows-and-stars"))
    assert isinstance(table.look(), Observation)
    table.put({})
    table.stage.coins = [(c.x, c.y) for c in (table.board.cells[n] for n in table.plan.start)]
    assert all(isinstance(table.look(), Observation) for _ in range(4))


@pytest.mark.parametrize("damage", ["cut", "words", "picture", "version", "none"])
def test_a_damaged_file_is_told_and_learnt_anew(
    known: Known, tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    table, path = known("squod"), tmp_path / "looks.zip"
    content = {}
    with zipfile.ZipFile(path) as kept:
        content = {name: kept.read(name) for name in kept.namelist()}
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:9000])
    else:
        words = content["looks.json"]
        if damage == "words":
            words = words[:-9]
        if damage == "version":
            words = words.replace(b'"version": 1', b'"version": 0')
        if damage == "picture":
            content["0.jpg"] = b"is none"
        with zipfile.ZipFile(path, "w") as kept:
            for name, data in (content | {"looks.json": words}).items():
                kept.writestr(name, data)
    table.switched_on()
    found = table.look()
    assert isinstance(found, Wanted)
    assert found.stage == (KNOWN if damage == "none" else EMPTY)
    assert bool(caplog.records) == (damage not in ("none", "version"))


def test_a_folder_that_cannot_be_written_is_told_and_the_game_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    table = Showing("skorpion-deep", tmp_path / "file" / "looks.zip")
    table.shown()
    assert isinstance(table.look(), Observation)
    assert "cannot be written" in caplog.text


# -- while it is played ---------------------------------------------------------------------------


def told_in(table: Showing, change: Callable[[np.ndarray], np.ndarray], looks: int) -> Observation:
    """The last of so many looks at a table in another light."""
    for _ in range(looks):
        seen = table.see(change(table.stage.picture()))
    assert isinstance(seen, Observation)
    return seen


@pytest.mark.parametrize("name", ["arrows-and-stars", "squod"])
def test_a_shadow_that_stays_is_the_light_from_then_on(name: str) -> None:
    """What lies in it is told, but for cells across which its edge goes, and none is told wrongly;
    also when a piece was moved meanwhile, and when the shadow goes."""
    table = Showing(name)
    table.shown()
    assert isinstance(table.look(), Observation)
    assert told_in(table, shadow, 1).hand  # as long as it may be an arm
    cell, text = next(iter(table.plan.start.items()))
    to = next(c for c in table.board.cells if c not in table.plan.start and c[0] == cell[0])
    moved = {c: t for c, t in table.plan.start.items() if c != cell} | {to: text}
    table.put(moved)
    seen = told_in(table, shadow, 5)
    assert (seen.pose, seen.hand, seen.strange) == ("ok", False, ())
    assert seen.cells is not None
    assert {c for c, may in seen.cells.items() if moved.get(c, "") not in may} == set()
    assert len(seen.cells) > 0.5 * len(table.board.cells)
    lit_again = told_in(table, lambda picture: picture, 5)
    assert lit_again.cells is not None
    assert len(lit_again.cells) > 0.95 * len(table.board.cells)


def test_a_burnt_out_board_is_told_at_set_up_and_in_play() -> None:
    table = Showing("arrows-and-stars")
    table.light = np.full(3, 8.0)
    wanted = table.rests(3)
    assert (wanted.stage, wanted.pose) == (EMPTY, "bright")
    table.light = np.zeros(3)
    table.shown()
    assert isinstance(table.look(), Observation)
    assert told_in(table, lambda picture: lit(picture, 8.0), 5).pose == "bright"
    assert told_in(table, lambda picture: picture, 1).pose == "ok"


def test_a_light_in_which_nothing_can_be_told_is_said(known: Known) -> None:
    table = played(known("arrows-and-stars"))
    rng = np.random.default_rng(3)
    dapples = rng.uniform(0.3, 1.6, (9, 16, 1)).repeat(3, axis=2).astype(np.float32)

    def dappled(picture: np.ndarray) -> np.ndarray:
        size = picture.shape[1], picture.shape[0]
        return lit(picture, cv2.resize(dapples, size, interpolation=cv2.INTER_NEAREST))

    assert told_in(table, dappled, 5).pose == "uneven"
    assert told_in(table, lambda picture: picture, 1).pose == "ok"


def test_a_camera_that_was_pushed_reads_on(known: Known) -> None:
    table = played(known("arrows-and-stars"))
    seen = told_in(table, pushed, 2)
    assert seen.cells is not None
    assert all(text in seen.cells.get(c, {text}) for c, text in table.plan.start.items())
    assert len(seen.cells) > 0.95 * len(table.board.cells)
