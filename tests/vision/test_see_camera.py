"""`tableref see --camera`: what the camera sees now, in words and as a picture that is kept new."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableref.cli import main
from tableref.commands import see
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import CameraBusy, CameraLost, CameraMissing, Frame
from tableref_vision.corners import corner_words
from tableref_vision.drawing import write_picture
from tableref_vision.errors import PictureError


class Shown:
    """A live camera that shows these pictures, or has these faults, and is stopped at the end."""

    waits = False

    def __init__(self, *things, every: float = 1.0) -> None:
        self.things, self.every, self.closed = iter(enumerate(things)), every, False

    def frames(self, after: str = "") -> Iterator[Frame]:
        return self

    def __iter__(self):
        return self

    def __next__(self) -> Frame:
        number, thing = next(self.things, (0, KeyboardInterrupt()))
        if isinstance(thing, BaseException):
            raise thing
        return Frame(thing, number * self.every, f"frame {number}")

    def close(self) -> None:
        self.closed = True


def look(camera, *words: str) -> int:
    parser = argparse.ArgumentParser()
    see.arguments(parser)
    return see.run(parser.parse_args(["--camera", "usb:0", *words]), lambda spec: camera)


def without(picture: np.ndarray, board, reader, tag_id: int) -> np.ndarray:
    """The picture with paper over this corner tag."""
    tag = next(tag for tag in board.corner_tags if tag.id == tag_id)
    ((x, y),) = reader.view.pixels(np.array([(tag.x, tag.y, 0.0)]))
    hidden = picture.copy()
    cv2.circle(hidden, (round(x), round(y)), 40, (200, 200, 200), -1)
    return hidden


def test_a_picture_is_taken_and_told(film, capsys):
    camera = Shown(film.table.picture())
    assert look(camera) == 0
    text = capsys.readouterr().out
    assert "the board is in view; all four corners are seen" in text
    assert "red: a1, NE" in text
    assert camera.closed


def test_a_corner_that_is_not_seen_is_named(film, board, capsys):
    picture = without(film.table.picture(), board, film.reader, 42)
    assert look(Shown(picture)) == 0
    assert "three of four corners: NE (tag 42) is not seen" in capsys.readouterr().out


def test_a_corner_over_the_edge_is_told_with_the_edge(board, capsys):
    camera = Camera.above()
    x, y, height = camera.target
    aside = replace(camera, size=(960, 540), target=(x - 170, y, height))
    assert look(Shown(Stage(board, 1, aside).picture())) == 0
    text = capsys.readouterr().out
    assert "three of four corners: SE (tag 41), over the picture's right edge, is not seen" in text


def test_words_for_none_one_and_all_corners(board):
    ids = [tag.id for tag in board.corner_tags]
    assert corner_words(board, ids, None) == "all four corners are seen"
    assert corner_words(board, [], None).startswith("none of four corners: SW (tag 40), SE")
    assert corner_words(board, ids[:2], None) == (
        "two of four corners: NE (tag 42) and NW (tag 43) are not seen"
    )


def test_watching_speaks_when_something_changes_and_ends_by_ctrl_c(film, tmp_path, capsys):
    out = tmp_path / "now.png"
    before = film.table.picture()
    film.table.lift("red")
    after = film.table.picture()
    camera = Shown(before, before, before, after, after)
    assert look(camera, "--watch", "--out", str(out)) == 0
    text = capsys.readouterr().out
    assert text.count("corners are seen") == 2
    assert text.index("red: a1") < text.index("red: not seen")
    drawn = cv2.imread(str(out))
    assert drawn.shape == after.shape
    assert (drawn != after).any()
    assert [path.name for path in tmp_path.iterdir()] == ["now.png"]
    assert camera.closed


def test_a_few_pictures_a_second_are_looked_at(film, capsys):
    pictures = [film.table.picture()] * 20
    assert look(Shown(*pictures, every=0.05), "--watch", "--json") == 0
    looked = [json.loads(line)["image"] for line in capsys.readouterr().out.splitlines()]
    assert looked == ["frame 0", "frame 5", "frame 10", "frame 15"]


def test_a_camera_that_goes_and_comes_back_is_told_once(film, capsys):
    picture = film.table.picture()
    gone = CameraLost("usb:0 is gone")
    assert look(Shown(picture, gone, gone, gone, picture), "--watch") == 0
    out, error = capsys.readouterr()
    assert error.count("usb:0 is gone") == 1
    assert "red: a1" in out


def test_a_device_that_gives_nothing_is_passed_over_for_the_next(film, capsys):
    assert look(Shown(CameraBusy("no pictures"), film.table.picture())) == 0
    out, error = capsys.readouterr()
    assert "no pictures" in error
    assert "red: a1" in out


def test_a_camera_that_is_not_there_is_given_up_at_once(monkeypatch, tmp_path, capsys):
    camera = Shown(CameraMissing("no camera"), KeyboardInterrupt())
    with pytest.raises(see.UserError, match="no camera"):
        look(camera)
    assert camera.closed


@pytest.mark.parametrize(
    "words",
    [
        ["see"],
        ["see", "a.png", "--camera", "usb:0"],
        ["see", "a.png", "--watch"],
        ["see", "a.png", "--out", "b.png"],
        ["see", "--camera", "folder:nowhere"],
        ["see", "--camera", "hologram:1"],
        ["see", "--camera", "usb:no-such-device"],
        ["see", "--camera", "folder:.", "--draw", "d"],
        ["see", "--camera", "folder:.", "--out", "b.docx"],
    ],
)
def test_wrong_words_are_one_line(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_is_watched_to_its_end_and_a_bad_picture_does_not_stop_it(film, tmp_path, capsys):
    folder = tmp_path / "film"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), film.table.picture())
    (folder / "2.png").write_bytes(b"rubbish")
    film.table.lift("red")
    cv2.imwrite(str(folder / "3.png"), film.table.picture())
    assert main(["see", "--camera", f"folder:{folder}", "--watch"]) == 2
    out, error = capsys.readouterr()
    assert "2.png" in error
    assert "1.png: the board is in view" in out
    assert "red: not seen" in out


def test_a_picture_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "now.png"
    write_picture(path, np.zeros((4, 4, 3), np.uint8))
    before = path.read_bytes()

    def full(self, data):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PictureError, match="No space left"):
        write_picture(path, np.ones((4, 4, 3), np.uint8))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["now.png"]


def test_a_board_without_tags_on_its_pieces_tells_its_corners(scenes, tmp_path, capsys):
    """Its pieces need the pictures of set-up, and that is said."""
    folder = tmp_path / "film"
    folder.mkdir()
    shutil.copy(scenes / "film-scorpion-1" / "0000.jpg", folder)
    assert main(["see", "--camera", f"folder:{folder}", "--board", "scorpion"]) == 0
    text = capsys.readouterr().out
    assert "all four corners are seen" in text
    assert "--empty" in text
    assert "not seen" not in text


def test_a_board_without_tags_is_read_by_its_set_up_pictures(scenes, tmp_path, capsys):
    film = scenes / "film-scorpion-1"
    said = json.loads((film / "frames.json").read_text())
    named = {frame["kind"]: film / frame["image"] for frame in reversed(said["frames"])}
    folder = tmp_path / "film"
    folder.mkdir()
    shutil.copy(named["start"], folder)
    out = tmp_path / "now.png"
    words = ["--board", "scorpion", "--empty", str(named["empty"])]
    words += ["--start", str(named["start"]), "--out", str(out)]
    assert (film / "teach.json").exists() or load_board("scorpion").looks
    for key, value in said["setup"].items():
        if not isinstance(value, list | dict):
            words += ["--setup", f"{key}={json.dumps(value)}"]
    if (film / "teach.json").exists():
        words += ["--teach", str(film / "teach.json")]
    assert main(["see", "--camera", f"folder:{folder}", *words]) == 0
    assert "all four corners are seen" in capsys.readouterr().out
    assert (cv2.imread(str(out)) != cv2.imread(str(named["start"]))).any()


def test_dice_are_told_through_the_camera(scenes, tmp_path, capsys):
    folder = tmp_path / "film"
    folder.mkdir()
    shutil.copy(sorted((scenes / "dice").glob("*.jpg"))[0], folder)
    assert main(["see", "--camera", f"folder:{folder}", "--dice"]) == 0
    assert "die" in capsys.readouterr().out
