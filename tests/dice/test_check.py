"""`tableref dice --check`: which faces this table reads, and in which light."""

from __future__ import annotations

import io
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tableref.cli import main
from tableref.commands import dice
from tableref.devices.config import ConfigError, load_config, remember
from tableref.sim.mat import VirtualMat
from tableref.sim.turned import TurnedDice, open_turned
from tableref_vision.dice import check
from tableref_vision.dice.mat import MatTracker
from tableref_vision.dice.seen import SeenDie


def checked(camera, folder, *more):
    return main(["dice", "--check", "--camera", camera, "--out", str(folder / "dice.png"), *more])


def test_the_virtual_mat_reads_its_dice_and_shows_them(tmp_path, capsys):
    assert checked("virtual-mat:1", tmp_path) == 0
    told = capsys.readouterr().out
    assert told.count("read surely\n") >= 12
    assert "yellow tray: every face is read surely; black tray: every face" in told
    assert "16 mm" in told
    assert cv2.imread(str(tmp_path / "dice.png")).shape == (6 * check.TILE, 2 * check.TILE, 3)


def test_a_folder_with_a_wrong_face_and_an_empty_tray_is_no_good_table(tmp_path, capsys):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    frames = list(TurnedDice(1, 16.0).frames())
    frames[3] = frames[1]  # where a four is asked a two lies
    for number, frame in enumerate(frames, 1):
        cv2.imwrite(str(pictures / f"{number}.png"), frame.image)
    cv2.imwrite(str(pictures / "5.png"), VirtualMat(1).picture())
    assert checked(f"folder:{pictures}", tmp_path) == 1
    told = capsys.readouterr().out
    assert "yellow tray: surely 1, 2, 3, 6, not surely 4, 5; 4 was read as 2 there" in told
    assert "5, yellow tray: nothing is seen" in told


def test_pictures_without_the_mat_are_refused_in_a_sentence(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "1.png"), np.full((480, 640, 3), 120, np.uint8))
    assert checked(f"folder:{tmp_path}", tmp_path) == 2
    assert "no picture shows the dice mat" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["x", "-1", "1,99", "1,y"])
def test_a_virtual_mat_that_is_none_is_refused(words, tmp_path, capsys):
    assert checked(f"virtual-mat:{words}", tmp_path) == 2
    assert "expected a seed" in capsys.readouterr().err


def test_with_a_live_camera_every_face_is_asked_for_and_waited_for(monkeypatch, capsys):
    shown = [frame for frame in TurnedDice(3, 16.0).frames() for _ in range(8)]
    times = [frame.__class__(frame.image, 0.2 * n, str(n)) for n, frame in enumerate(shown)]
    camera = SimpleNamespace(waits=False, frames=lambda: iter(times), close=lambda: None)
    monkeypatch.setattr(dice, "typed", lambda: io.StringIO("\n" * 6))
    from tableref_vision.dice.reader import DiceReader

    asked = [asked for asked, frame in dice._steps(camera, DiceReader(die=16.0)) if frame]
    assert asked == [1, 2, 3, 4, 5, 6]
    told = capsys.readouterr().err
    assert all(f"with {face} up" in told for face in asked)


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [
        ("", lambda picture: picture),
        ("dark", lambda picture: picture // 5),
        (
            "uneven",
            lambda picture: picture * np.linspace(1, 0.25, picture.shape[1])[None, :, None],
        ),
        ("glare", lambda picture: cv2.circle(picture.copy(), (430, 370), 60, (255, 255, 255), -1)),
    ],
)
def test_the_light_is_judged_by_the_mat(kind, spoil):
    picture = VirtualMat(2).picture()
    view = MatTracker().find(picture)
    assert check.light(spoil(picture).astype(np.uint8), view) == kind


def test_the_surest_of_what_lies_in_a_tray_is_that_tray_s_die():
    def seen(value, sure, tray, why=None):
        return SeenDie(value, sure, 0.9, (0, 0, 9, 9), tray, why, (0.0, 0.0))

    two = check.faces(
        4, [seen(2, False, "yellow", "unclear"), seen(4, True, "yellow"), seen(4, True, None)]
    )
    assert [(face.tray, face.right, face.said) for face in two] == [
        ("yellow", True, "read surely"),
        ("black", False, "nothing is seen"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[buzzer]\npresent = false\n",
        "[dice]\nsize = 12\n\n[buzzer]\npresent = false\n",
        "[dice]\n",
    ],
)
def test_the_size_is_written_beside_what_the_configuration_says(text, tmp_path, monkeypatch):
    path = tmp_path / "table.toml"
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    path.write_text(f"# ours\n{text}")
    assert remember("dice", {"size": 18.2}) == path
    config = load_config()
    assert config.die == 18.2
    assert (config.buzzer is None) == ("buzzer" in text)
    assert path.read_text().startswith("# ours\n")
    assert path.read_text().count("size") == 1


def test_a_configuration_that_cannot_be_read_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "table.toml"
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    path.write_text("[dice\n")
    with pytest.raises(ConfigError):
        remember("dice", {"size": 18.0})
    assert path.read_text() == "[dice\n"


def test_checking_remembers_what_it_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TABLEREF_CONFIG", str(tmp_path / "table.toml"))
    assert checked("virtual-mat:2,19", tmp_path, "--remember") == 0
    assert load_config().die == pytest.approx(19.0, abs=1.5)
    assert "for all games" in capsys.readouterr().out
    assert open_turned("2,19").waits
