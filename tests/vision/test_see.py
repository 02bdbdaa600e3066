"""`tableref see` answers for every picture it can read, and says which it cannot."""

from __future__ import annotations

import json

import cv2
import pytest
from tests.vision.robustness import CONDITIONS, PAGE, between, poses

from tableref.cli import main
from tableref_vision.observation import POSE_WORDS, Observation, SeenPiece


@pytest.fixture
def picture(film, tmp_path):
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), film.table.picture())
    return path


def test_one_json_object_a_picture(picture, board, capsys):
    assert main(["see", str(picture), str(picture), "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second
    assert first["image"] == "table.png"
    assert (first["pose"], first["not_seen"]) == ("ok", [])
    keys = {"id", "kind", "colour", "cell", "heading", "x", "y", "confidence"}
    assert all(piece.keys() == keys for piece in first["pieces"])
    found = {(piece["id"], piece["cell"], piece["heading"]) for piece in first["pieces"]}
    assert found == {(piece.id, piece.start, piece.heading) for piece in board.pieces}


def test_readable_text_names_what_is_seen_and_what_is_not(film, tmp_path, capsys):
    film.table.lift("red")
    film.table.put_at("blue", 0.0, 66.0, 90.0)
    cv2.imwrite(str(tmp_path / "odd.png"), film.table.picture())
    assert main(["see", str(tmp_path / "odd.png")]) == 0
    text = capsys.readouterr().out
    assert "red: not seen" in text
    assert "blue: between cells, at 0, 66 mm, askew (90 degrees)" in text
    assert "green: f4, W" in text


def test_what_is_seen_is_told_in_the_language_asked_for_or_that_of_the_system(
    picture, capsys, monkeypatch
):
    assert main(["see", str(picture), "--lang", "de"]) == 0
    text = capsys.readouterr().out
    assert "das Brett ist im Bild; alle vier Ecken sind zu sehen" in text
    assert "grün: f4, W" in text
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert main(["see", str(picture)]) == 0
    assert "vert : f4, O" in capsys.readouterr().out


def test_a_picture_that_cannot_be_read_is_named_and_the_others_answered(picture, tmp_path, capsys):
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"rubbish")
    assert main(["see", str(bad), str(tmp_path / "none.png"), str(picture), "--json"]) == 2
    out, error = capsys.readouterr()
    assert json.loads(out)["pose"] == "ok"
    assert "bad.jpg" in error
    assert "none.png" in error
    assert error.count("\n") == 2


def test_drawings_are_written(picture, tmp_path):
    assert main(["see", str(picture), "--draw", str(tmp_path / "drawn")]) == 0
    drawn, plain = cv2.imread(str(tmp_path / "drawn" / "table.png")), cv2.imread(str(picture))
    assert drawn.shape == plain.shape
    assert (drawn != plain).any()


def test_pictures_of_one_name_are_drawn_side_by_side(picture, tmp_path):
    others = [tmp_path / "other" / name for name in ("table.jpg", "table-2.jpg")]
    others[0].parent.mkdir()
    for other in others:
        cv2.imwrite(str(other), cv2.imread(str(picture)))
    drawn = tmp_path / "drawn"
    assert main(["see", *map(str, (picture, *others)), "--draw", str(drawn)]) == 0
    names = sorted(path.name for path in drawn.iterdir())
    assert names == ["table-2-2.png", "table-2.png", "table.png"]


@pytest.mark.parametrize("words", [["--board", "no such board"], ["--calibration", "nowhere.json"]])
def test_wrong_options_are_one_line(picture, words, capsys):
    assert main(["see", str(picture), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_observation_comes_back_from_its_record():
    piece = SeenPiece("red", "car", "red", None, "NE", 1.5, -2.5, 61.0, 0.9)
    seen = Observation(
        1.25, "a.png", "ok", (piece,), ("blue",), frozenset({"c4"}), True, False, ("blue",)
    )
    assert Observation.from_record(json.loads(json.dumps(seen.record()))) == seen


@pytest.mark.parametrize("record", [{}, {"time": "never"}, {"time": 1, "pieces": [{"id": 1}]}])
def test_a_record_that_is_none_is_refused(record):
    with pytest.raises(ValueError, match="observation: "):
        Observation.from_record(record)


def test_every_pose_is_told_in_words():
    assert all(words and not words.endswith(".") for words in POSE_WORDS.values())


def test_the_page_about_seeing_lists_every_pose_and_condition():
    page = PAGE.read_text(encoding="utf-8")
    assert between(page, "poses") == poses()
    rows = between(page, "robustness").splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == list(CONDITIONS)
    assert {row.split("|")[4].strip() for row in rows} == {"0"}, "a car was reported wrongly"
