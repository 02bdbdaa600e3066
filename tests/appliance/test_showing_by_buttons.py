"""The pieces are shown to a camera over the board by buttons alone, and the next game needs none of
it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.appliance.table import Table, text_of

from tableref.devices.buttons import Button
from tableref.hosting.config import CameraOptions, Config, GameOptions, PictureOptions
from tableref.referee.games import load_game
from tableref.referee.lessons import lesson
from tableref.rulebook import Rulebook
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import title
from tableref.rules.pieces import Stack
from tableref.sim.camera import Camera
from tableref.sim.playing import ShownCamera
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import Frame

GAME = "scorpion"  # the two sides of its track differ, so that people say that it is empty


class Filmed:
    """A drawn table before a camera that the appliance opens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.board = load_board(GAME)
        self.stage = Stage(self.board, 4, Camera.above(tilt=8.0))
        self.time = 0.0
        monkeypatch.setattr("tableref.hosting.cameras.opened", self._opened)

    def _opened(self, name: str) -> ShownCamera:
        assert name == "usb:0"
        self.camera = ShownCamera(threading.Event())
        return self.camera

    def shows(self, cells: Mapping[str, Stack], looks: int = 2) -> None:
        self.stage.show(cells)
        picture = self.stage.picture()
        for _ in range(looks):
            self.time += 1.3
            self.camera.show(Frame(picture, self.time, f"{self.time:.1f}"))


def test_the_board_and_the_pieces_are_shown_by_buttons_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, says = MenuWords("en"), Messages(Rulebook("en")).screen
    film = Filmed(monkeypatch)
    config = Config(
        camera=CameraOptions(("board=usb:0",)),
        game=GameOptions("en", ("Ada", "Ben")),
        pictures=PictureOptions(0),
    )
    table = Table(tmp_path / "state", config, monkeypatch)
    panel = table.power()
    panel.see(words.label("new"))
    table.choose(words.label("new"), title("en", GAME), words.label("begin"))
    panel.see(says("set-up")[0])
    rules = load_game(GAME)
    assert table.game is not None
    state = table.game.evening.state.table.state
    film.shows({}, 6)
    panel.see("Board empty?")
    panel.see("OK 1/1")
    table.press(Button.OK)
    table.game.queue.rest()
    film.shows({})
    panel.see("Put these", "blue")
    film.shows(lesson(film.board, rules, state))
    panel.see("Take them off again")
    film.shows({})
    panel.see("Pieces learnt")
    film.shows({})
    panel.see("SC-2.2")
    table.stop()
    assert (tmp_path / "state" / f"looks-{GAME}.zip").exists()

    # The next evening none of it is asked for.
    later = Table(tmp_path / "state", config, monkeypatch)
    panel = later.power()
    panel.see(title("en", GAME))
    later.press(Button.BACK)
    panel.see(words.label("new"))
    later.choose(words.label("new"), title("en", GAME), words.label("begin"))
    panel.see(says("set-up")[0])
    film.shows({}, 3)
    panel.see("SC-2.2")
    assert not [screen for screen in panel.shown if "Clear the board" in text_of(screen)]
    later.stop()
