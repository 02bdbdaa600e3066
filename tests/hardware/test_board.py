"""Board files: what they say, and how mistakes in them are told."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.referee.games import load_game
from tableref_hardware import BoardFileError, board_names, load_board, read_board, shown

TEXT = (resources.files("tableref_hardware") / "boards" / "autoscooter.toml").read_text()


def test_the_board_has_38_hexes_in_rows_of_5_and_6() -> None:
    board = load_board("autoscooter")
    rows = [sum(cell.endswith(str(row)) for cell in board.cells) for row in range(1, 8)]
    assert rows == [5, 6, 5, 6, 5, 6, 5]


def test_cells_lie_where_the_table_says() -> None:
    board = load_board("autoscooter")
    assert (board.cells["c4"].x, board.cells["c4"].y) == (-25.4, 0.0)
    assert (board.cells["a1"].x, board.cells["a1"].y) == (-101.6, -132.0)


def test_every_cell_has_one_switch_and_one_light() -> None:
    cells = load_board("autoscooter").cells.values()
    assert sorted(cell.switch for cell in cells if cell.switch is not None) == list(range(38))
    assert sorted(cell.light for cell in cells if cell.light is not None) == list(range(38))


def test_what_an_owner_should_check_is_named() -> None:
    assert set(load_board("autoscooter").unconfirmed) >= {"start", "log_sheet", "manoeuvres"}


@pytest.mark.parametrize("name", board_names())
def test_every_board_that_ships_loads(name: str) -> None:
    assert load_board(name).game == name


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('format = "table-board/1"', 'format = "x"', "format: expected 'table-board/1'"),
        ("width = 370.0", 'width = "wide"', "plate.width: expected a number"),
        ("width = 370.0", "", "plate.width: is missing, expected a number"),
        ("width = 370.0", "width = -1", "plate.width: expected at least 1"),
        ("rows = [5, 6, 5, 6, 5, 6, 5]", "rows = [5, 'six']", "cells.rows: expected whole numbers"),
        ('start = "a1"', 'start = "a9"', "pieces[0].start: 'a9' is not a cell"),
        ('heading = "NE"', 'heading = "N"', "pieces[0].heading: expected one of NE, E"),
        ("tag = 1", "tag = 0", "pieces[1].id: 'orange' or its tag 0 stands there twice"),
        ("ids = [40, 41, 42, 43]", "ids = [40, 41]", "corner_tags.centres: expected 2 centres"),
        (
            '"a1", "b1", "c1", "d1", "e1",',
            '"a1", "a1",',
            "wiring.switches: 'a1' stands there twice",
        ),
    ],
)
def test_a_mistake_is_told_with_file_key_and_what_was_expected(
    old: str, new: str, told: str
) -> None:
    assert old in TEXT
    with pytest.raises(BoardFileError, match=re.escape(f"my.toml: {told}")):
        read_board(TEXT.replace(old, new, 1), "my.toml")


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BoardFileError, match="no text in UTF-8"):
        load_board(str(path))
    with pytest.raises(BoardFileError, match="not readable as TOML"):
        read_board("a = = b", "x.toml")


def test_an_unknown_board_is_told_with_those_that_exist() -> None:
    with pytest.raises(BoardFileError, match=r"there are .*autoscooter"):
        load_board("chess")


# -- correcting the file changes play --------------------------------------------------------------


def test_another_letter_left_out_changes_play() -> None:
    """An owner finds that O is missing, and I stands where J stood, and so on."""
    letters = dict(zip("JKLMNO", "IJKLMN", strict=True))
    text = re.sub(r"^([J-O]) = ", lambda m: f"{letters[m[1]]} = ", TEXT, flags=re.MULTILINE)
    game = load_game("autoscooter", read_board(text, "owner.toml"))
    usual = load_game("autoscooter")
    position = {"cars": {"red": {"cell": "b3", "heading": "E", "speed": 2}}}
    for rules, letter, cell in ((usual, "K", "d3"), (game, "K", "d3"), (game, "J", "d3")):
        state = rules.from_position({"players": 8, "paper": True}, position)
        drive = rules.read({"drive": {"car": "red", "letter": letter}})
        after = rules.facts(rules.apply(state, drive)[0])["cars"]["red"]
        heading = {"K": "SE" if rules is game else "E", "J": "E"}[letter]
        assert (after["cell"], after["heading"]) == (cell, heading)
    assert "O" not in [m for m in tomllib.loads(text)["manoeuvres"] if len(m) == 1]


def test_other_numbers_on_the_log_sheet_change_play() -> None:
    rows = TEXT.replace("[16, 15, 14, 13, 12, 11, 10, 9]", "[9, 10, 11, 12, 13, 14, 15, 16]")
    game = load_game("autoscooter", read_board(rows, "owner.toml"))
    state = game.start({"players": 8})
    assert game.judge(
        state, game.read({"plot": {"car": "red", "number": 9, "letter": None}})
    ).allowed
    usual = load_game("autoscooter")
    state = usual.start({"players": 8})
    plot = usual.read({"plot": {"car": "red", "number": 9, "letter": None}})
    assert usual.judge(state, plot).paragraphs == ("AS-3.1",)


def test_a_corrected_board_file_can_be_played_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "mine.toml"
    board.write_text(TEXT.replace('start = "a1"', 'start = "b1"'))
    record = tmp_path / "r.json"
    step = '{"do": [], "expect": {"cars": {"red": {"cell": "b1"}}}}'
    record.write_text(f'{{"format": "table-record/1", "game": "autoscooter", "steps": [{step}]}}')
    assert main(["check", str(record), "--board", str(board)]) == 0
    assert main(["check", str(record)]) == 1
    assert "cars.red.cell: expected 'b1', found 'a1'" in capsys.readouterr().out


def test_every_piece_of_every_game_has_a_look() -> None:
    for name in board_names():
        board = load_board(name)
        assert board.looks
        assert {piece.kind for piece in board.pieces} <= board.looks.keys()


@pytest.mark.parametrize(
    ("board", "text", "pieces"),
    [
        ("arrows-and-stars", "white arrow up", [("arrow", "white", "up", "")]),
        ("arrows-and-stars", "black star", [("star", "black", "", "")]),
        ("scorpion", "blue", [("scorpion", "blue", "", "")]),
        ("scorpion", "blue red", [("scorpion", "blue", "", ""), ("scorpion", "red", "", "")]),
        ("skorpion-deep", "red", [("bead", "red", "", "")]),
        ("skorpion-deep", "skorpion tail", [("skorpion", "", "", ""), ("tail", "", "", "")]),
        ("squod", "2 rock", [("piece", "2", "", "rock")]),
        ("squod", "1 hidden", [("piece", "1", "", "?")]),
        ("squod", "1 ?", [("piece", "1", "", "?")]),
        ("autoscooter", "red NE", [("car", "red", "NE", "")]),
    ],
)
def test_a_text_names_pieces_by_the_words_of_their_looks(
    board: str, text: str, pieces: list[tuple[str, ...]]
) -> None:
    named = shown(load_board(board).looks, text)
    assert [(p.look.kind, p.side, p.facing, p.face) for p in named] == pieces


@pytest.mark.parametrize("text", ["purple arrow up", "white", "up", "arrow"])
def test_a_text_that_names_no_look_or_two_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="of this board's looks"):
        shown(load_board("arrows-and-stars").looks, text)


def test_a_face_is_hidden_on_a_ramp_and_open_on_the_ring() -> None:
    look = load_board("squod").looks["piece"]
    assert look.hides("S11")
    assert look.hides("E33")
    assert not look.hides("a1")
    assert not look.hides("c3")


def test_a_table_names_its_senses() -> None:
    assert {name: load_board(name).senses.board for name in board_names()} == {
        "arrows-and-stars": "looks",
        "autoscooter": "tags",
        "scorpion": "looks",
        "skorpion-deep": "looks",
        "squod": "looks",
    }
    assert load_board("scorpion").senses.mat
    assert not load_board("squod").senses.mat


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('shape = "box"', 'shape = "cube"', "looks.car.shape: expected 'disc'"),
        ('told = "tag"', 'told = "guess"', "looks.car.told: expected 'tag' or 'side'"),
        ('facings = ["NE",', 'facings = ["N",', "looks.car.facings: 'N' is none of this board's"),
        ('"#c82828"', '"red"', "looks.car.sides.red.colour: expected a colour as"),
        ('board = "tags"', 'board = "eyes"', "table.board: expected 'tags' or 'looks'"),
        ("switches = true", "switches = 1", "table.switches: expected true or false"),
    ],
)
def test_a_mistake_in_looks_or_senses_is_told(old: str, new: str, told: str) -> None:
    assert old in TEXT
    with pytest.raises(BoardFileError, match=re.escape(told)):
        read_board(TEXT.replace(old, new, 1), "x.toml")
