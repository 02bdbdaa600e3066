"""The first evening as the page tells it: its commands exist, its files can be read and played."""

import json
import re
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import load_board

PAGE = Path(__file__).parents[2] / "docs" / "first-evening.md"
BLOCKS = re.findall(r"```(json)?\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = [
    line.split()[1:]
    for kind, block in BLOCKS
    for line in block.splitlines()
    if not kind and line.startswith("tableref ")
]
GAMES = [block for kind, block in BLOCKS if kind == "json"]


def of(command):
    """The page's commands of this name."""
    found = [words for words in COMMANDS if words[0] == command]
    assert found
    return found


@pytest.fixture
def table():
    table = Stage(load_board("autoscooter"), 7, Camera.above(tilt=15.0, turn=5.0))
    table.set_up()
    return table


def test_every_printing_command_writes_its_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in of("print"):
        assert main(words) == 0
    assert len(list(tmp_path.glob("*.pdf"))) == len(of("print")) == 5


def test_the_photograph_is_looked_at_as_told(tmp_path, monkeypatch, table, capsys):
    monkeypatch.chdir(tmp_path)
    words = of("see")[0]
    [photo] = table.write(tmp_path, [table.picture()])
    photo.rename(words[1])
    assert main(words) == 0
    assert "red: a1, NE" in capsys.readouterr().out
    assert list((tmp_path / "seen").iterdir())


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_page_is_refereed_and_taken_up_again(
    game, tmp_path, monkeypatch, table, capsys
):
    monkeypatch.chdir(tmp_path)
    table.write(
        tmp_path / "pictures",
        [table.picture(), *table.move("blue", "e6", "SW", markers=1, hands=False)],
    )
    [words] = of("referee")
    (tmp_path / words[words.index("--plots") + 1]).write_text(game, encoding="utf-8")
    assert json.loads(game)["format"] == "table-plots/1"
    words = ["folder:pictures" if word == "usb:0" else word for word in words]
    assert main(words) == 0
    assert "Blue starts again from e7 to e6, points SW, speed 1." in capsys.readouterr().out
    assert main([*of("resume")[0], "--camera", "folder:pictures"]) == 0


def test_the_calibration_command_is_understood(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    [words] = of("calibrate")
    words = ["folder:nowhere" if word == "usb:0" else word for word in words]
    assert main(words) == 2
    assert "nowhere" in capsys.readouterr().err
