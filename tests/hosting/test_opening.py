"""A game opened with all that watches it."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tableref.devices.buttons import Button, Press
from tableref.errors import UserError
from tableref.hosting import session as sessions
from tableref.hosting.opening import Game, Watching, new_game, resumed_game
from tableref.referee.desk import Feedback
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.table import Phase


class Listening:
    """An outlet that remembers, and leaves the game when something has happened."""

    def __init__(self, game: Game) -> None:
        self.told: list[Feedback] = []
        self._game = game

    def tell(self, feedback: Feedback) -> None:
        self.told.append(feedback)
        if any(event["event"] != "awaits" for event in feedback.events):
            self._game.queue.close()


def by_hand(game: Game, lines: str) -> Phase:
    typed = io.StringIO(lines)
    return game.play([], Watching(evidence=0), typed=typed).state.phase


def test_a_game_is_left_and_taken_up_days_later(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    assert by_hand(new_game(folder, "arrows-and-stars"), "a2-a3\n") is not Phase.OVER
    game = resumed_game(folder)
    assert [row.kind for row in game.evening.journal.rows()].count("action") >= 1
    assert by_hand(game, "resign white\n") is Phase.OVER


def test_the_game_on_the_table_is_held_until_it_is_closed(tmp_path: Path) -> None:
    with new_game(tmp_path, "squod"), pytest.raises(UserError, match="plays this game already"):
        new_game(tmp_path, "squod")
    with new_game(tmp_path, "squod"):
        pass


def test_a_camera_that_is_not_there_leaves_no_game_behind(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"camera folder:.*gone"):
        new_game(tmp_path / "game", "autoscooter", cameras=[f"folder:{tmp_path}/gone"])
    assert not (tmp_path / "game" / JOURNAL).exists()


def test_an_eye_that_cannot_see_this_board_leaves_no_game_behind(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "1.png").write_bytes(b"is not looked at")
    game = new_game(tmp_path / "game", "squod", cameras=[f"folder:{tmp_path}/pictures"])
    with pytest.raises(UserError, match="empty board"):
        game.play([])
    assert not (tmp_path / "game" / JOURNAL).exists()


def test_what_the_camera_sees_can_be_looked_at_though_no_picture_is_kept(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (640, 480), "grey").save(tmp_path / "pictures" / "1.png")
    camera = f"folder:{tmp_path}/pictures"
    game = new_game(tmp_path / "game", "autoscooter", cameras=[camera])
    game.play([], Watching(evidence=0))
    assert game.pictures is not None
    newest = game.pictures.newest("board")
    assert newest is not None
    assert newest.frame.name == "1.png"
    assert game.pictures.around("1.png") == {}  # nothing else is held


def test_a_demo_is_not_taken_up(tmp_path: Path) -> None:
    evening = new_evening(tmp_path, "squod", {}, [], "virtual:7")
    evening.journal.begin()
    evening.journal.close()
    with pytest.raises(UserError, match="demo cannot go on"):
        resumed_game(tmp_path)
    with pytest.raises(UserError, match="demo cannot go on"):
        resumed_game(tmp_path)  # its journal was let go


class Lights:
    """A link that feels nothing until it is closed."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def __iter__(self) -> Any:
        self.closed.wait()
        return iter(())

    def show(self, lights: Any) -> None:
        pass

    def close(self) -> None:
        self.closed.set()


def test_the_front_of_a_game_gives_it_what_buttons_say(tmp_path: Path) -> None:
    game = new_game(tmp_path, "squod")
    front, listening = game.front(), Listening(game)
    game._link = Lights()  # type: ignore[assignment]
    front.pressed(Press(Button.OK, True, 0.0))
    game.play([front, listening], Watching(evidence=0))
    texts = [line for told in listening.told for event in told.events for line in event["text"]]
    assert "Nothing is refused now, so there is nothing to let stand." in texts


def test_the_loop_beats_while_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "BEAT", 0.01)
    game, beats = new_game(tmp_path, "squod"), []

    def beat() -> None:
        beats.append(1)
        if len(beats) == 5:
            game.queue.close()

    game._link = Lights()  # type: ignore[assignment]
    game.play([], Watching(evidence=0), beat=beat)
    assert len(beats) == 5


def test_who_types_at_the_terminal_calls_a_judge(tmp_path: Path) -> None:
    said: list[str] = []
    game = new_game(tmp_path / "game", "skorpion-deep")
    game.play(
        [], Watching(evidence=0), typed=io.StringIO("judge\nquit\n"),
        say=lambda lines, wrong: said.extend(lines), judge=lambda: True,
    )  # fmt: skip
    assert said == ["A judge is called; the same once more takes it back."]
