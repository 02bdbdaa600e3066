"""The games of a table, a folder each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableref.errors import UserError
from tableref.hosting.opening import is_finished
from tableref.hosting.shelf import Shelf, stored
from tableref.referee.desk import Desk
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.inputs import Act, Begin, Input
from tableref.referee.resuming import viewed_evening

EVERYBODY = [0, 1]


def act(**action: object) -> Act:
    return Act(1.0, action)


def played(folder: Path, *inputs: Input, game: str = "scorpion", camera: str = "") -> None:
    """A game of two in which this was said."""
    setup = {"players": 2, "names": ["Ada", "Ben"]} if game == "scorpion" else {}
    evening = new_evening(folder, game, setup, [], camera, lang="de")
    evening.journal.begin()
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [])
    for given in (Begin(0.0, ()), *inputs):
        desk.take(given)
    evening.journal.close()


def test_a_game_that_was_left_can_be_gone_on_with(tmp_path: Path) -> None:
    played(tmp_path / "a")
    [left] = Shelf(tmp_path).left()
    assert (left.folder, left.game, left.names, left.lang) == (
        tmp_path / "a", "scorpion", ("Ada", "Ben"), "de",
    )  # fmt: skip
    assert not left.over


@pytest.mark.parametrize(
    ("said", "over"),
    [
        ([act(resign={"player": 0})], True),
        ([act(draw={"agreed": EVERYBODY})], True),
        ([act(break_off=True)], False),
        ([act(break_off=True), act(take_up=True)], False),
        ([act(resign={"player": 0}), act(take_back={"player": 0, "agreed": EVERYBODY})], False),
    ],
)
def test_the_shelf_knows_without_a_replay_whether_a_game_is_over(
    tmp_path: Path, said: list[Act], over: bool
) -> None:
    played(tmp_path / "a", *said)
    assert stored(tmp_path / "a").over is over
    assert is_finished(viewed_evening(tmp_path / "a")) is over
    assert bool(Shelf(tmp_path).left()) is not over


def test_a_damaged_game_is_shown_with_its_trouble_and_not_offered(tmp_path: Path) -> None:
    played(tmp_path / "a")
    (tmp_path / "a" / JOURNAL).write_bytes(b"no database")
    [one] = Shelf(tmp_path).games()
    assert "damaged" in one.trouble
    assert not Shelf(tmp_path).left()


def test_virtual_games_and_other_folders_are_not_on_the_shelf(tmp_path: Path) -> None:
    played(tmp_path / "demo", camera="virtual:7")
    (tmp_path / "notes").mkdir()
    (tmp_path / "file").write_text("x")
    assert not Shelf(tmp_path).games()
    assert not Shelf(tmp_path / "gone").games()


def test_every_game_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    first = shelf.folder_for("squod", "2026-11-30")
    assert first == tmp_path / "2026-11-30-squod"
    first.mkdir()
    assert shelf.folder_for("squod", "2026-11-30") == tmp_path / "2026-11-30-squod-2"
    assert shelf.folder_for("squod", "2026-12-01") == tmp_path / "2026-12-01-squod"


def test_a_shelf_that_is_full_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda path: True)
    with pytest.raises(UserError, match="too many games"):
        Shelf(tmp_path).folder_for("squod", "2026-11-30")
