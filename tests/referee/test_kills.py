"""Ended at any point of a step, by any signal, and resumed: the same game, and all of it told."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import pytest

from tableref.referee.course import Step
from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import JOURNAL, new_evening_of
from tableref.referee.inputs import Choose, Input, LetStand
from tableref.referee.journal import Journal
from tableref.referee.resuming import resumed_evening, viewed_evening
from tableref.referee.table import Row, TableState
from tableref.rules.pieces import texts
from tableref_vision.pictures import read_picture
from tests.conftest import ROOT
from tests.referee.conftest import REFEREE, Play, SceneGame, plots
from tests.referee.matplay import FOUR, MatPlay, lies
from tests.referee.matplay import REFEREE as mat_game

POINTS = ("write", "written", "told", "noted")
ENDS = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGSTOP SIGKILL")
"""What ends a process; one that is stopped goes on before it is killed."""
CLEAN = {"SIGTERM": 143, "SIGINT": 130, "SIGHUP": 129}
PICTURES = 20
FULL = bool(os.environ.get("TABLEREF_FULL"))
NO_NEWS = ("resumed", "evidence")
"""Events that every process begins with."""
Event = dict[str, Any]


# -- every point, in one process -------------------------------------------------------------------


class Killed(BaseException):
    """The process is gone, and with it all that is not on disk."""


class Listener:
    """A player who hears the events; `last` is the step at which the process is killed, before
    anything is told or, where it is `heard`, before that is noted."""

    def __init__(self, last: int = -1, heard: bool = False) -> None:
        self.events: list[Event] = []
        self._last, self._heard, self._count = last, heard, 0

    def tell(self, feedback: Feedback) -> None:
        self._count += 1
        if self._count == self._last and not self._heard:
            raise Killed
        self.events += json.loads(json.dumps(feedback.events))
        if self._count == self._last:
            raise Killed


def plain(event: Event) -> Event:
    """The event without what says that it is told again."""
    text = [line.removeprefix("(again) ") for line in event.get("text", ())]
    return {key: value for key, value in event.items() if key != "repeated"} | {"text": text}


def heard(events: Sequence[Event]) -> list[Event]:
    """What somebody knows who has heard these: what is repeated and known is nothing new. Markers
    follow from rulings; whose turn it is, is said anew by every resume."""
    known: list[Event] = []
    for event in events:
        if event["event"] in (*NO_NEWS, "awaits", "markers"):
            continue
        if not (event.get("repeated") and plain(event) in known):
            known.append(plain(event))
    return known


def check_told(events: Sequence[Event], whole: Sequence[Event]) -> None:
    """All that the whole game told is told, in its order; what is told once more says so."""
    assert heard(events) == heard(whole)
    once, told = counted(whole), counted(events)
    assert [line for line in once - told if "awaits" not in line] == [], "never told"
    fresh = counted(event for event in events if not event.get("repeated"))
    assert list(fresh - once) == [], "told twice without a word"


def counted(events: Iterable[Event]) -> Counter[str]:
    """How often each thing is told."""
    return Counter(
        json.dumps(plain(event), sort_keys=True)
        for event in events
        if event["event"] not in NO_NEWS
    )


def play(game: SceneGame, folder: Path, count: int, *ends: int, heard: bool = False) -> list[Event]:
    """The first inputs, in as many processes as there are kills and one more."""
    events: list[Event] = []
    inputs = iter(game.inputs[:count])
    evening = new_evening_of(folder, game.head)
    for number, last in enumerate((*ends, -1)):
        listener = Listener(last, heard)
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


@pytest.mark.parametrize("told", [False, True], ids=["untold", "told"])
def test_a_kill_between_journal_and_telling_at_any_step_loses_no_ruling(
    game_4p: SceneGame, tmp_path: Path, told: bool
) -> None:
    inputs = 30 if FULL else 16
    whole = play(game_4p, tmp_path / "whole", inputs)
    rows = list(viewed_evening(tmp_path / "whole").journal.rows())
    steps = len({line.step for line in Journal.read(tmp_path / "whole" / JOURNAL)._lines})
    again: list[Event] = []
    for last in range(1, steps + 1):
        folder = tmp_path / str(last)
        events = play(game_4p, folder, inputs, last, heard=told)
        check_told(events, whole)
        assert list(viewed_evening(folder).journal.rows()) == rows
        again += [event for event in events if event.get("repeated")]
    assert {"ruling", "markers"} <= {event["event"] for event in again}
    assert all("(again)" in line for event in again for line in event.get("text", []))


@pytest.mark.parametrize("told", [False, True], ids=["untold", "told"])
def test_killed_again_while_it_tells_the_rest_it_tells_it_once_more(
    game_4p: SceneGame, tmp_path: Path, told: bool
) -> None:
    whole = play(game_4p, tmp_path / "whole", 30)
    events = play(game_4p, tmp_path / "killed", 30, 5, 1, 1, heard=told)
    check_told(events, whole)


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
def begun(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Begins a game of a few pictures."""
    return film(shared, "game-4p", tmp_path_factory.mktemp("pictures"), PICTURES)


def film(shared: Path, name: str, folder: Path, count: int) -> list[str]:
    """Begins a game that is seen in the first pictures of a folder in `shared`; they come to stand
    in a folder of their own."""
    source = (shared / "scenes" / name).resolve()
    for picture in sorted(source.glob("*.jpg"))[:count]:
        (folder / picture.name).symlink_to(picture)
    files = (source / "plots.json", source / "given.json")
    [plots] = [path for path in files if path.exists()]
    game = json.loads(plots.read_text()).get("game", "autoscooter")
    words = ["referee", "--game", game, "--camera", f"folder:{folder}", "--json"]
    return [*words, "--plots", str(plots)]


def as_video(begun: Sequence[str]) -> list[str]:
    """The same, seen in a video of these pictures."""
    folder = Path(begun[begun.index("--camera") + 1].removeprefix("folder:"))
    images = [read_picture(path) for path in sorted(folder.glob("*.jpg"))]
    path, size = folder / "film.avi", images[0].shape[1::-1]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 1.0, size)
    for image in images:
        writer.write(image)
    writer.release()
    return [f"video:{path}" if word == f"folder:{folder}" else word for word in begun]


def heed_signals() -> None:
    """Signals end a process, also where the tests run in the background or behind `nohup`."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def run(words: list[str], point: str = "write", number: int = 0, names: str = "SIGKILL") -> tuple[
    int, list[Event], str
]:  # fmt: skip
    """Exit code, events and errors of a process that gets signals at that point. One that is
    stopped is let go on."""
    driver = [sys.executable, "-m", "tests.referee.killing", point, str(number), names]
    process = subprocess.Popen(
        driver + words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=heed_signals,
    )  # fmt: skip
    if names.startswith("SIGSTOP"):
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
    out, errors = process.communicate(timeout=300)
    return process.returncode, [json.loads(line) for line in out.splitlines()], errors


def written(out: Path) -> dict[Path, bytes]:
    """Every picture and every line of the journal in a game's folder, with its time."""
    kept = {path: path.read_bytes() for path in out.rglob("*") if path.suffix in (".png", ".jpg")}
    if (out / JOURNAL).exists():
        for line in Journal.read(out / JOURNAL).lines():
            kept[out / JOURNAL / str(line.seq)] = repr(line).encode()
    return kept


def survives(
    begun: list[str], out: Path, ends: Sequence[tuple[str, int, str]]
) -> tuple[int, list[Event]]:
    """Begins a game by this command and ends it so often. Returns how often it was ended indeed,
    and all that it told."""
    told, ended = list[Event](), 0
    for point, number, names in (*ends, ("write", 0, "SIGKILL")):
        before = written(out)
        going_on = (out / JOURNAL).exists()
        words = ["resume", str(out), "--json"] if going_on else [*begun, "--out", str(out)]
        code, more, errors = run(words, point, number, names)
        told += more
        assert "Traceback" not in errors, errors
        assert "not ruled" not in errors, errors
        if code in CLEAN.values():
            assert code == CLEAN[names.split()[-1]]
            assert f"tableref resume {out}\n" in errors
        else:
            assert code in (0, -signal.SIGKILL), errors
        ended += code != 0
        if code == 0:  # the game is over
            break
        after = written(out)  # of the screens the last 500 stay
        changed = [path for path in before.keys() & after.keys() if before[path] != after[path]]
        assert changed == [], "what was written is changed"
        assert all(path.parent.name == "screens" for path in before.keys() - after.keys())
    return ended, told


class Whole(NamedTuple):
    """A game that was never ended."""

    out: Path
    told: list[Event]


def never_ended(begun: list[str], out: Path) -> Whole:
    """The game that this command begins."""
    code, told, errors = run([*begun, "--out", str(out)])
    assert code == 0, errors
    return Whole(out, told)


@pytest.fixture(scope="module")
def whole(begun: list[str], tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The game of a few pictures, never ended."""
    return never_ended(begun, tmp_path_factory.mktemp("whole") / "game")


def survives_a_film(
    begun: list[str], whole: Whole, out: Path, ends: Sequence[tuple[str, int, str]]
) -> int:
    """Ends a game so often, and checks that it is the game that was never ended. Returns how often
    it was ended indeed."""
    ended, told = survives(begun, out, ends)
    check_told(told, whole.told)
    evenings = [viewed_evening(folder) for folder in (whole.out, out)]
    rows = [list(evening.journal.rows()) for evening in evenings]
    assert rows[0] == rows[1]
    assert evenings[0].state == evenings[1].state
    return ended


def test_ended_by_every_signal_between_the_journal_and_the_telling(
    begun: list[str], whole: Whole, tmp_path: Path
) -> None:
    ends = [
        ("write", 1, "SIGKILL"), ("written", 1, "SIGKILL"), ("told", 2, "SIGKILL"),
        ("written", 2, "SIGTERM"), ("told", 2, "SIGINT"), ("written", 2, "SIGHUP"),
        ("written", 1, "SIGSTOP SIGKILL"),
    ]  # fmt: skip
    # A signal that is obeyed may be so late that the pictures are over.
    assert survives_a_film(begun, whole, tmp_path / "ended", ends) >= 5


def test_stopped_and_continued_nothing_is_lost(
    begun: list[str], whole: Whole, tmp_path: Path
) -> None:
    ends = [("written", 3, "SIGSTOP")]
    assert survives_a_film(begun, whole, tmp_path / "stopped", ends) == 0


def test_a_video_that_is_ended_goes_on_behind_its_last_frame(
    begun: list[str], tmp_path: Path
) -> None:
    ends = [("written", 5, "SIGKILL"), ("told", 2, "SIGTERM")]
    video = as_video(begun)
    whole = never_ended(video, tmp_path / "whole")
    assert survives_a_film(video, whole, tmp_path / "ended", ends) == 2


FILMS = ("game-4p", "game-8p", "film-arrows-and-stars-2", "film-squod-1")
"""Boards with tags and boards without."""


@pytest.mark.skipif(not FULL, reason="100 kills take a quarter of an hour: TABLEREF_FULL=1")
@pytest.mark.parametrize("name", FILMS)
def test_films_ended_a_hundred_times_at_random(shared: Path, tmp_path: Path, name: str) -> None:
    """Films of 40 pictures, ended at every second step or so, until there were 25 ends each; every
    other one as a video."""
    chance, ended, films = random.Random(name), 0, 0
    while ended < 25:
        films += 1
        folder = tmp_path / str(films)
        (folder / "pictures").mkdir(parents=True)
        begun = film(shared, name, folder / "pictures", 40)
        if films % 2 == 0:
            begun = as_video(begun)
        ends = [
            (chance.choice(POINTS), chance.randint(1, 2), chance.choice(ENDS)) for _ in range(40)
        ]
        whole = never_ended(begun, folder / "whole")
        ended += survives_a_film(begun, whole, folder / "ended", ends[: 25 - ended])
        assert films < 20


# -- two processes ---------------------------------------------------------------------------------


def test_a_second_process_is_refused_and_free_after_the_first_is_killed(
    begun: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "game"
    driver = [sys.executable, "-m", "tests.referee.killing", "written", "2", "SIGSTOP"]
    words = [*driver, *begun, "--out", str(out)]
    first = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
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
    code, _, _ = run(["resume", str(out), "--json"])
    assert code == 0
