"""What an eye by looks cannot see by itself, and how it is ruled all the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.referee.games import load_game
from tableref.rules.pieces import texts
from tests.conftest import shared_folder
from tests.referee.test_lying_on import played, verdict_on
from tests.rules.boards import SQUOD


def test_a_piece_put_back_is_ruled_with_its_kind_unknown() -> None:
    """On start line 1 it shows its back."""
    pieces = {"S22": "0 paper", "W11": "1 rock", "b2": "1 scissors"}
    state = SQUOD.from_position(
        {"players": 2}, {"pieces": pieces, "turn": 0, "hands": {"0": ["rock"]}}
    )
    shown = texts(SQUOD.board(state))
    found = verdict_on("squod", state, shown | {"S13": "0 ?"})
    assert found.kind == "done"
    [action] = found.answers[0].actions
    assert action.record()["put_back"]["to"] == "S13"


def test_a_turn_that_its_player_ended_follows_from_the_next_players_move() -> None:
    game = load_game("arrows-and-stars")
    moves = {"arrow": ["c1", "b3"]}, {"end_turn": True}, {"arrow": ["c8", "d7"]}
    before = played("arrows-and-stars", {"star_control": "any"}, moves[0])
    after = played("arrows-and-stars", {"star_control": "any"}, *moves)
    found = verdict_on("arrows-and-stars", before, texts(game.board(after)))
    assert found.kind == "done"
    assert [action.record() for action in found.answers[0].actions] == [*moves[1:]]


def test_each_action_has_a_ruling_and_several_may_name_one_frame(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = (shared_folder() or Path()) / "scenes" / "film-arrows-and-stars-2"
    if not film.exists():
        pytest.skip("no films beside the project")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for picture in sorted(film.glob("*.jpg"))[:4]:
        (pictures / picture.name).symlink_to(picture.resolve())
    words = ["referee", "--game", "arrows-and-stars", "--camera", f"folder:{pictures}", "--json"]
    plots = str((film / "given.json").resolve())
    assert main([*words, "--plots", plots, "--out", str(tmp_path / "game")]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    ruled = [(e["action"], e["frame"]) for e in events if e["event"] == "ruling"]
    assert ruled == [
        ({"arrow": ["f2", "g3"]}, "0002.jpg"),
        ({"end_turn": True}, "0002.jpg"),  # no jump, so no star moves
        ({"arrow": ["e8", "f7"]}, "0003.jpg"),
        ({"end_turn": True}, "0003.jpg"),
    ]


def film(name: str, folder: Path, count: int) -> tuple[str, str]:
    """The first pictures of a film in a folder, as camera, and what is handed over with it."""
    film = (shared_folder() or Path()) / "scenes" / name
    if not film.exists():
        pytest.skip("no films beside the project")
    folder.mkdir()
    for picture in sorted(film.glob("*.jpg"))[:count]:
        (folder / picture.name).symlink_to(picture.resolve())
    return f"folder:{folder}", str((film / "given.json").resolve())


def test_a_game_that_is_taken_up_again_learns_from_the_same_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They lie before the picture that was looked at last, and are not told again."""
    camera, plots = film("film-arrows-and-stars-2", tmp_path / "pictures", 3)
    words = ["referee", "--game", "arrows-and-stars", "--camera", camera, "--plots", plots]
    assert main([*words, "--out", str(tmp_path / "game")]) == 0
    more, _ = film("film-arrows-and-stars-2", tmp_path / "more", 4)
    for picture in Path(more.removeprefix("folder:")).glob("*.jpg"):
        picture.rename(tmp_path / "pictures" / picture.name)
    capsys.readouterr()
    assert main(["resume", str(tmp_path / "game"), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    ruled = [(e["action"], e["frame"]) for e in events if e["event"] == "ruling"]
    assert ruled == [
        ({"arrow": ["e8", "f7"]}, "0003.jpg"),
        ({"end_turn": True}, "0003.jpg"),
    ]
    assert not [event for event in events if event.get("question") == "camera"]
