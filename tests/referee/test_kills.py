"""Ended at any point of a step, by any signal, and resumed: the same game, and all of it told."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tableref.referee.course import Step
from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import JOURNAL, new_evening_of
from tableref.referee.inputs import Choose, Input, LetStand
from tableref.referee.journal import Journal
from tableref.referee.resuming import resumed_evening, viewed_evening
from tableref.referee.table import Row, TableState
from tableref.rules.pieces import texts
from tests.conftest import ROOT
from tests.referee.conftest import REFEREE, Play, SceneGame, plots
from tests.referee.matplay import FOUR, MatPlay, lies
from tests.referee.matplay import REFEREE as mat_game

POINTS = ("write", "written", "told", "noted")
ENDS = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
CLEAN = {"SIGTERM": 143, "SIGINT": 130, "SIGHUP": 129}
PICTURES = 20
FULL = bool(os.environ.get("TABLEREF_FULL"))
Event = dict[str, Any]


# -- every point, in one process -------------------------------------------------------------------


class Killed(BaseException):
    """The process is gone, and with it all that is not on disk."""


class Listener:
    """A player who hears the events; `deaf_at` is the step at which the process is killed before
    anything is told."""

    def __init__(self, deaf_at: int = -1) -> None:
        self.events: list[Event] = []
        self._deaf_at, self._count = deaf_at, 0

    def tell(self, feedback: Feedback) -> None:
        self._count += 1
        if self._count == self._deaf_at:
            raise Killed
        self.events += json.loads(json.dumps(feedback.events))


def plain(event: Event) -> Event:
    """The event without what says that it is told again."""
    return {key: value for key, value in event.items() if key not in ("repeated", "text")}


def heard(events: Sequence[Event]) -> list[Event]:
    """What somebody knows who has heard these: what is repeated and known is nothing new."""
    known: list[Event] = []
    for event in events:
        if event["event"] in ("resumed", "evidence", "awaits", "markers"):
            continue
        if not (event.get("repeated") and plain(event) in known):
            known.append(plain(event))
    return known


def play(game: SceneGame, folder: Path, count: int, *deaf_at: int) -> list[Event]:
    """The first inputs, in as many processes as there are kills and one more."""
    events: list[Event] = []
    inputs = iter(game.inputs[:count])
    evening = new_evening_of(folder, game.head)
    for number, deaf in enumerate((*deaf_at, -1)):
        listener = Listener(deaf)
        desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [listener])
        try:
            if number:
                assert evening.before is not None
                desk.take_up(evening.before, evening.untold)
            for given in inputs:
                desk.take(given)
        except Killed:
            evening.journal.close()
            evening = resumed_evening(folder)
        events += listener.events
    evening.journal.close()
    return events


def test_a_kill_between_journal_and_telling_at_any_step_loses_no_ruling(
    game_4p: SceneGame, tmp_path: Path
) -> None:
    whole = play(game_4p, tmp_path / "whole", 30)
    rows = list(viewed_evening(tmp_path / "whole").journal.rows())
    steps = len({line.step for line in Journal.read(tmp_path / "whole" / JOURNAL)._lines})
    for deaf in range(1, steps + 1):
        folder = tmp_path / str(deaf)
        events = play(game_4p, folder, 30, deaf)
        assert heard(events) == heard(whole)
        assert list(viewed_evening(folder).journal.rows()) == rows
        again = [event for event in events if event.get("repeated")]
        told, before = ([e for e in each if e["event"] != "awaits"] for each in (events, whole))
        assert len(told) > len(before)
        assert all("(again)" in line for event in again for line in event.get("text", []))


def test_killed_again_while_it_tells_the_rest_it_tells_it_once_more(
    game_4p: SceneGame, tmp_path: Path
) -> None:
    whole = play(game_4p, tmp_path / "whole", 30)
    events = play(game_4p, tmp_path / "killed", 30, 5, 1, 1)
    assert heard(events) == heard(whole)


def test_what_was_told_is_not_told_again(game_4p: SceneGame, tmp_path: Path) -> None:
    play(game_4p, tmp_path, 20)
    evening = resumed_evening(tmp_path)
    assert evening.untold == ()
    evening.journal.close()


def test_where_no_note_was_kept_the_last_step_is_told_again_and_no_more(
    game_4p: SceneGame, tmp_path: Path
) -> None:
    play(game_4p, tmp_path, 20)
    (tmp_path / "journal.told").unlink()
    evening = resumed_evening(tmp_path)
    steps = [line.step for line in evening.journal._lines]
    assert len(evening.untold) == steps.count(steps[-1])
    evening.journal.close()


class Resumed(Play):
    """A game at which the power goes after every step: only its rows are left of it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.again = self.state

    def give(self, given: Input) -> Step:
        step = super().give(given)
        self.again = REFEREE.replayed(self.again, json_rows(step.rows))
        if step.rows:
            assert self.again.trouble == self.state.trouble
            assert self.again.ask == self.state.ask
            assert (self.again.told, self.again.phase) == (self.state.told, self.state.phase)
        return step


def json_rows(rows: Iterable[Row]) -> list[Row]:
    return [Row(row.kind, json.loads(json.dumps(row.data))) for row in rows]


def test_an_open_refusal_can_be_let_stand_after_a_resume() -> None:
    play = Resumed({"players": 8}, [plots("red 16K")])
    play.look()
    play.put("red", "c3", "E")
    assert play.again.trouble is not None
    play.state = play.again
    play.give(LetStand(9.0, tuple(range(8)), play.again.open))
    assert play.rows("let-stand")
    assert texts(REFEREE.game.board(play.state.table.state))["c3"] == "red E"


@pytest.mark.parametrize("pose", [(None, None), ("d2", None)])
def test_a_question_is_open_after_a_resume(pose: tuple[str | None, str | None]) -> None:
    play = Resumed({"players": 8}, [plots("red 16K")])
    play.look()
    play.put("red", *pose)
    assert play.again.ask is not None
    play.put("red", "a1", "NE")
    assert play.again.ask is None


def test_dice_that_were_asked_about_can_be_told_after_a_resume() -> None:
    play = MatPlay(FOUR)
    first = TableState(mat_game.house.start(FOUR))
    play.throw(lies("yellow", 3, why="unclear"))
    again = mat_game.replayed(first, json_rows(play.all_rows))
    assert (again.ask, again.phase) == (play.state.ask, play.state.phase)
    assert again.ask is not None
    assert again.ask.answers
    step = mat_game.step(again, Choose(play.time, 1, again.ask.number))
    assert [row.data["action"] for row in step.rows if row.kind == "action"]


# -- processes -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pictures(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first pictures of a game, in a folder of their own."""
    return first_pictures(shared, "game-4p", PICTURES, tmp_path_factory.mktemp("pictures"))


def first_pictures(shared: Path, name: str, count: int, folder: Path) -> Path:
    source = shared / "scenes" / name
    for picture in sorted(source.glob("*.jpg"))[:count]:
        (folder / picture.name).symlink_to(picture)
    shutil.copy(source / "plots.json", folder)
    return folder


def command(pictures: Path, out: Path) -> list[str]:
    """Begins the game, or goes on with it where it has begun."""
    if (out / JOURNAL).exists():
        return ["resume", str(out), "--json"]
    words = ["referee", "--game", "autoscooter", "--camera", f"folder:{pictures}", "--json"]
    return [*words, "--plots", str(pictures / "plots.json"), "--out", str(out)]


def run(words: list[str], point: str = "write", number: int = 0, name: str = "SIGKILL") -> tuple[
    int, list[Event], str
]:  # fmt: skip
    """Exit code, events and errors of a process that gets a signal at that point. One that is
    stopped is let go on."""
    driver = [sys.executable, "-m", "tests.referee.killing", point, str(number), name]
    process = subprocess.Popen(
        driver + words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    if name == "SIGSTOP":
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
    out, errors = process.communicate(timeout=300)
    return process.returncode, [json.loads(line) for line in out.splitlines()], errors


def pictures_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*.png")}


def survives(pictures: Path, tmp_path: Path, ends: Sequence[tuple[str, int, str]]) -> int:
    """Ends a game so often, and checks that it is the game that was never ended. Returns how often
    it was ended indeed."""
    code, whole, _ = run(command(pictures, tmp_path / "whole"))
    assert code == 0
    out, events, ended = tmp_path / "ended", [], 0
    for point, number, name in (*ends, ("write", 0, "SIGKILL")):
        before = pictures_in(out)
        code, more, errors = run(command(pictures, out), point, number, name)
        events += more
        assert "Traceback" not in errors
        if code in CLEAN.values():
            assert code == CLEAN[name]
            assert f"tableref resume {out}" in errors
        else:
            assert code in (0, -signal.SIGKILL), errors
        ended += code != 0
        after = pictures_in(out)
        assert before.items() <= after.items(), "nothing that was written is overwritten"
    assert heard(events) == heard(whole)
    journals = [list(viewed_evening(tmp_path / n).journal.rows()) for n in ("whole", "ended")]
    assert journals[0] == journals[1]
    return ended


def test_ended_by_every_signal_between_the_journal_and_the_telling(
    pictures: Path, tmp_path: Path
) -> None:
    ends = [
        ("write", 1, "SIGKILL"), ("written", 1, "SIGKILL"), ("told", 2, "SIGKILL"),
        ("written", 2, "SIGTERM"), ("told", 2, "SIGINT"), ("written", 2, "SIGHUP"),
        ("written", 1, "SIGSTOP"),
    ]  # fmt: skip
    # A signal that is obeyed may be so late that the pictures are over.
    assert survives(pictures, tmp_path, ends[:-1]) >= 5


def test_stopped_and_continued_nothing_is_lost(pictures: Path, tmp_path: Path) -> None:
    assert survives(pictures, tmp_path, [("written", 3, "SIGSTOP")]) == 0


@pytest.mark.skipif(not FULL, reason="200 kills take a quarter of an hour: TABLEREF_FULL=1")
@pytest.mark.parametrize("name", ["game-4p", "game-8p"])
def test_ended_a_hundred_times_at_random(shared: Path, tmp_path: Path, name: str) -> None:
    """Films of 40 pictures, ended at every second step or so, until there were 100 ends."""
    chance, ended, films = random.Random(name), 0, 0
    while ended < 100:
        films += 1
        folder = tmp_path / str(films)
        (folder / "pictures").mkdir(parents=True)
        few = first_pictures(shared, name, 40, folder / "pictures")
        ends = [
            (chance.choice(POINTS), chance.randint(1, 2), chance.choice(ENDS)) for _ in range(40)
        ]
        ends[chance.randrange(20, 40)] = ("written", 1, "SIGSTOP")  # goes on to the film's end
        ended += survives(few, folder, ends)
        assert films < 20


# -- two processes ---------------------------------------------------------------------------------


def test_a_second_process_is_refused_and_free_after_the_first_is_killed(
    pictures: Path, tmp_path: Path
) -> None:
    out = tmp_path / "game"
    driver = [sys.executable, "-m", "tests.referee.killing", "written", "2", "SIGSTOP"]
    first = subprocess.Popen(driver + command(pictures, out), cwd=ROOT, stdout=subprocess.DEVNULL)
    os.waitid(os.P_PID, first.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    try:
        for words in (["resume", str(out)], ["resume", str(out), "--repair"]):
            code, events, errors = run(words)
            assert (code, events) == (2, [])
            assert f"process {first.pid} (" in errors
            assert errors.count("\n") == 1
        code = subprocess.run(
            [sys.executable, "-m", "tableref", "ask", str(out), "who pays whom?"],
            capture_output=True,
        ).returncode
        assert code == 0
    finally:
        first.kill()
        first.wait()
    code, _, _ = run(command(pictures, out))
    assert code == 0
