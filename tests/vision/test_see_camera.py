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
from tableref.commands.see_words import SeeWords
from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import CameraBusy, CameraLost, CameraMissing, Frame
from tableref_vision.drawing import write_picture
from tableref_vision.errors import PictureError
from tableref_vision.reader import BoardReader


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
    tags = board.corner_tags
    ids = [tag.id for tag in tags]
    words = SeeWords("en")
    assert words.corners(tags, ids, None) == "all four corners are seen"
    assert words.corners(tags, [], None).startswith("none of four corners: SW (tag 40), SE")
    assert words.corners(tags, ids[:2], None) == (
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


def test_dice_and_the_corners_of_their_mat_are_told(scenes, tmp_path, capsys):
    folder = tmp_path / "film"
    folder.mkdir()
    shutil.copy(sorted((scenes / "dice").glob("*.jpg"))[0], folder)
    assert main(["see", "--camera", f"folder:{folder}", "--dice"]) == 0
    text = capsys.readouterr().out
    assert "  die" in text
    assert "the dice mat is in view; all four corners are seen" in text
    (picture,) = folder.iterdir()
    height, width = cv2.imread(str(picture)).shape[:2]
    image = cv2.imread(str(picture))
    image[height // 2 :, width // 2 :] = 128
    cv2.imwrite(str(picture.with_suffix(".png")), image)
    picture.unlink()
    assert main(["see", "--camera", f"folder:{folder}", "--dice"]) == 0
    assert "three of four corners: SE (tag 45) is not seen" in capsys.readouterr().out


def test_dice_without_a_mat_need_no_corners(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "plain.png"), np.full((400, 600, 3), 120, np.uint8))
    assert main(["see", "--camera", f"folder:{tmp_path}", "--dice"]) == 0
    assert capsys.readouterr().out == "plain.png\n  no dice\n"


def test_what_is_covered_is_counted_and_shown_in_red(tmp_path, capsys):
    from tableref_vision.drawing import RED, draw_reading
    from tableref_vision.untagged.reader import Doubt, Reading

    table = Stage(load_board("autoscooter"), 1, replace(Camera.above(), size=(960, 540)))
    frame = Frame(table.picture(), 0.0, "a")
    reader = BoardReader(table.board)
    reader.read(frame)
    cells = dict.fromkeys(table.board.cells, frozenset({""}))
    reading = Reading("a", "ok", cells, (Doubt("covered", "c3", 0.0, 0.0),))
    drawn = draw_reading(frame, table.board, reading, reader.view)
    cell = table.board.cells["c3"]
    ((x, y),) = reader.view.pixels(np.array([(cell.x, cell.y, 0.0)]))
    assert tuple(drawn[round(y), round(x)]) == RED


def test_a_reader_that_has_gone_is_no_folder_that_cannot_be_made() -> None:
    with pytest.raises(BrokenPipeError):  # which ends any command without a word
        look(Shown(BrokenPipeError()))
