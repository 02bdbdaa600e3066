"""The eye for pieces without tags, on films with exact truth."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from tests.vision.disturbed import CHANGES, STAYS
from tests.vision.films import Film, Score

from tableref.cli import main
from tableref_vision.camera import Frame
from tableref_vision.untagged.reader import Memory

FULL = bool(os.environ.get("TABLEREF_FULL"))
GAMES = ("arrows-and-stars", "scorpion", "skorpion-deep", "squod")
FILMS = [f"film-{game}-{number}" for game in GAMES for number in (1, 2, 3)]


@pytest.fixture(scope="session")
def films(scenes: Path) -> dict[str, Film]:
    """The films beside the project, those that are there."""
    return {name: Film(scenes / name) for name in FILMS if (scenes / name).exists()}


def beside(films: dict[str, Film], name: str) -> Film:
    """The film of this name."""
    if name not in films:
        pytest.skip(f"{name} is not beside the project")
    return films[name]


@pytest.fixture(scope="session")
def scores(films: dict[str, Film]) -> dict[str, Score]:
    """Film -> what reading it is worth; without TABLEREF_FULL one film a game and few frames."""
    names = FILMS if FULL else [f"film-{game}-1" for game in GAMES]
    scores = {}
    for name in names:
        if name not in films:
            continue
        film = films[name]
        reader, scores[name] = film.reader(), Score()
        frames = film.frames("start", "move", "arm", "wrong", "coin", "between")
        few = [f for f in frames if f["kind"] in ("coin", "between")][:2] + frames[5::11]
        for frame in frames if FULL else few:
            scores[name].add(film, frame, reader.read(film.frame(frame["image"])))
    if not scores:
        pytest.skip("no films beside the project")
    return scores


def test_no_cell_is_read_wrong(scores: dict[str, Score]) -> None:
    wrong = {name: score.wrong for name, score in scores.items() if score.wrong}
    assert not wrong


def test_most_pieces_are_read_and_sure(scores: dict[str, Score]) -> None:
    for name, score in scores.items():
        assert score.sure >= 0.95 * score.pieces, name
        assert score.empty_sure >= 0.97 * score.empty, name


@pytest.mark.parametrize(
    ("name", "image", "cell", "text"),
    [
        ("film-scorpion-1", "0015.jpg", "Y6", "white"),  # on a stack that leans over the next piece
        ("film-scorpion-2", "0013.jpg", "Y5", "green"),  # the lower one sticks out a little
        ("film-scorpion-2", "0022.jpg", "Y12", "red"),
        ("film-skorpion-deep-3", "0009.jpg", "w2", "tail"),  # no Skorpion is seen 4 mm beside it
        ("film-skorpion-deep-3", "0010.jpg", "n1", "tail"),
    ],
)
def test_a_piece_is_told_for_what_it_is_though_another_might_hide_it(
    films: dict[str, Film], name: str, image: str, cell: str, text: str
) -> None:
    film = beside(films, name)
    assert film.reader().read(film.frame(image)).cells[cell] == {text}


def test_ends_are_learnt_by_the_colours_of_both_pictures(films: dict[str, Film]) -> None:
    """By those of the start alone, ends on the ramps were learnt so that many more stayed open."""
    film = beside(films, "film-squod-1")
    reader, score = film.reader(), Score()
    for frame in film.frames("move"):
        score.add(film, frame, reader.read(film.frame(frame["image"])))
    assert not score.wrong
    assert score.sure >= 0.96 * score.pieces


@pytest.mark.parametrize("change", ["blur of 1.5 px", "15 % warmer", "15 % colder"])
def test_a_token_whose_box_lies_askew_is_not_taken_for_another(
    films: dict[str, Film], change: str
) -> None:
    """Dark ones whose shadow runs into the next one: the best box lies 15 degrees askew."""
    film = beside(films, "film-squod-3")
    frame = next(one for one in film.frames("coin") if one["image"] == "0026.jpg")
    picture = film.frame(frame["image"])
    score = Score()
    worse = Frame(CHANGES[change](picture.image), 0.0, picture.name)
    score.add(film, frame, film.reader().read(worse))
    assert not score.wrong


def test_a_pale_cell_that_is_burnt_out_is_not_taken_for_a_pale_token(
    films: dict[str, Film],
) -> None:
    """Both are white in that light."""
    film = beside(films, "film-squod-1")
    frame = next(one for one in film.frames("move") if one["image"] == "0025.jpg")
    picture = film.frame(frame["image"])
    score = Score()
    bright = Frame(CHANGES["light x 1.4"](picture.image), 0.0, picture.name)
    score.add(film, frame, film.reader().read(bright))
    assert not score.wrong


def test_whose_a_token_is_that_is_hardly_seen_is_not_told(films: dict[str, Film]) -> None:
    """It is white on a white cell but for its notch, and its box lies beside it."""
    film = beside(films, "film-squod-1")
    picture = film.frame("0028.jpg")
    bright = Frame(CHANGES["light x 1.2"](picture.image), 0.0, picture.name)
    assert "2 ?" in film.reader().read(bright).cells["N13"]


def test_the_end_of_a_token_in_a_shadow_that_stays_is_not_taken_for_another(
    films: dict[str, Film],
) -> None:
    """A box that is laid anew rules out nothing there, for its edges are faint."""
    film = beside(films, "film-squod-3")
    frame = next(one for one in film.frames("move") if one["image"] == "0018.jpg")
    picture = film.frame(frame["image"])
    shaded = Frame(CHANGES[STAYS](picture.image), 0.0, picture.name)
    reader, score = film.reader(), Score()
    assert reader.relight(shaded)
    score.add(film, frame, reader.read(shaded))
    assert not score.wrong


@pytest.mark.parametrize("game", GAMES)
def test_the_eye_needs_little_memory(films: dict[str, Film], game: str) -> None:
    """What it keeps, and the most that it takes while it learns and reads, without OpenCV's own."""
    film = beside(films, f"film-{game}-1")
    frame = film.frame(film.frames("move")[3]["image"])
    tracemalloc.start()
    try:
        reader = film.reader()
        reader.read(frame)
        kept, most = (size / 1e6 for size in tracemalloc.get_traced_memory())
    finally:
        tracemalloc.stop()
    assert kept < 30.0
    assert most < 50.0


def test_only_what_has_changed_is_looked_at_again(films: dict[str, Film]) -> None:
    """What is told stays what a look at the whole picture tells."""
    film = beside(films, "film-scorpion-1")
    reader, memory = film.reader(), Memory()
    first, then = (film.frame(frame["image"]) for frame in film.frames("start", "move")[:2])
    reader.read(first, memory)
    before = dict(memory)
    noise = np.random.default_rng(1).normal(0.0, 3.0, first.image.shape)
    noisy = np.clip(first.image + noise, 0, 255).astype(np.uint8)
    assert reader.read(Frame(noisy, 1.0, "noisy"), memory).cells == reader.read(first).cells
    assert memory == before
    assert reader.read(then, memory).cells == reader.read(then).cells
    moved = {cell for cell, seen in memory.items() if seen is not before.get(cell)}
    assert moved == changed(film, first.name, then.name) - {*before}


def changed(film: Film, *names: str) -> set[str]:
    """Cells on which not the same stands in two frames."""
    stands = [
        {(piece["cell"], piece["what"]) for piece in frame["pieces"]}
        for name in names
        for frame in film.said["frames"]
        if frame["image"] == name
    ]
    return {cell for cell, _ in stands[0] ^ stands[1] if cell}


def test_the_command_answers_a_line_a_picture_with_a_set_of_texts_a_cell(
    films: dict[str, Film], capsys: pytest.CaptureFixture[str]
) -> None:
    film = beside(films, "film-scorpion-1")
    empty, start, play = (str(film.folder / f"{number:04d}.jpg") for number in (0, 1, 6))
    words = ["see", "--board", "scorpion", "--setup=players=4", "--setup=cells_per_side=20"]
    teach = str(film.folder / "teach.json")
    assert main([*words, "--empty", empty, "--start", start, "--teach", teach, play, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["image"], record["pose"]) == ("0006.jpg", "ok")
    assert record["cells"]["Y2"] == ["blue"]
    assert record["cells"]["Y1"] == [""]
    assert "" in record["cells"]["K12"], "a coin lies there"
    assert {doubt["cell"] for doubt in record["doubts"]} == {"K12"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--start", "x.jpg"], "go with --empty"),
        (["--board", "squod", "--empty", "none.jpg"], "none.jpg"),
        (
            ["--board", "squod", "--empty", "E", "--start", "E", "--setup", "players"],
            "OPTION=VALUE",
        ),
        (["--board", "squod", "--empty", "E", "--start", "E", "--setup=players=9"], "players"),
        (["--board", "squod", "--empty", "E", "--teach", "none.json"], "none.json"),
        (["--board", "chess", "--empty", "E"], "no board named 'chess'"),
    ],
)
def test_wrong_use_is_one_line(
    films: dict[str, Film], words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    film = beside(films, "film-squod-1")
    empty = str(film.folder / "0000.jpg")
    assert main(["see", *(empty if word == "E" else word for word in words), empty]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_the_referee_rules_a_film_of_pieces_without_tags(
    films: dict[str, Film], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = beside(films, "film-squod-2")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for frame in film.said["frames"][:5]:
        (pictures / frame["image"]).symlink_to((film.folder / frame["image"]).resolve())
    words = ["referee", "--game", "squod", "--camera", f"folder:{pictures}", "--json"]
    plots = str((film.folder / "given.json").resolve())
    assert main([*words, "--plots", plots, "--out", str(tmp_path / "game")]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    ruled = [event["action"] for event in events if event["event"] == "ruling"]
    assert ruled[0] == {"move": ["W22", "W33"]}
    assert ruled[1]["squod"].items() >= {"from": "S23", "via": "S33", "target": "W33"}.items()
    asked = [event for event in events if event["event"] in ("trouble", "question")]
    assert [event["question"] for event in asked] == ["camera-ended"]
