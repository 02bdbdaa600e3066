"""Plots that are handed over are read by the rules before the game starts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tableref.errors import UserError
from tableref.referee.evening import new_evening
from tableref.referee.games import load_game
from tableref.referee.plots import read_plots

GAME = load_game("autoscooter")
CARS = GAME.layout.cars  # type: ignore[attr-defined]
NUMBERS = GAME.layout.numbers  # type: ignore[attr-defined]


def rounds(count: int) -> list[dict[str, Any]]:
    """Rounds in which every car notes the next number of its column and no letter."""
    return [
        {
            "plots": {
                car: {"number": column[row], "letter": None}
                for car, column in zip(CARS, NUMBERS, strict=True)
            }
        }
        for row in range(count)
    ]


def check(folder: Path, given: list[Any], setup: dict[str, Any] | None = None) -> None:
    path = folder / "plots.json"
    setup = {"players": 8} if setup is None else setup
    data = {"format": "table-plots/1", "setup": setup, "rounds": given}
    path.write_text(json.dumps(data | {"game": "Autoscooter"}), encoding="utf-8-sig")
    plots = read_plots(str(path), GAME)
    new_evening(folder / "game", GAME.name, plots["setup"], plots["rounds"], "").journal.close()


def test_a_whole_game_of_legal_plots_is_taken(tmp_path: Path) -> None:
    check(tmp_path, rounds(11))


def test_plots_on_paper_need_no_rounds(tmp_path: Path) -> None:
    check(tmp_path, [], {"players": 4, "paper": True})


@pytest.mark.parametrize(
    ("car", "note", "words"),
    [
        ("yellow", {"letter": "l"}, r"round 2: yellow: .*letter: 'l'"),
        ("yellow", {"number": "49"}, r"rounds\[1\]\.plots\.yellow\.number: expected a whole"),
        ("pink", {"number": 3}, r"round 2: pink: .*'pink' is none of red"),
        ("yellow", {"number": 1000}, r"round 2: yellow: number 1000, letter None: .*AS-3\.1"),
        ("yellow", {"number": NUMBERS[2][0]}, r"round 2: yellow: number .*AS-3\.1"),
        ("yellow", [], r"rounds\[1\]\.plots\.yellow: expected a section"),
    ],
)
def test_a_wrong_plot_of_a_later_round_is_found_before_the_game(
    tmp_path: Path, car: str, note: Any, words: str
) -> None:
    given = rounds(3)
    given[1]["plots"][car] = note
    with pytest.raises(UserError, match=words):
        check(tmp_path, given)
    assert not (tmp_path / "game").exists()


def test_more_rounds_than_the_game_has_are_refused(tmp_path: Path) -> None:
    given = [*rounds(11), rounds(1)[0]]
    with pytest.raises(UserError, match="round 12: the game is over before"):
        check(tmp_path, given)


def test_rounds_beside_plots_on_paper_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="round 1: with this set-up nothing is plotted"):
        check(tmp_path, rounds(1), {"players": 4, "paper": True})


def test_a_letter_for_a_ghost_that_is_not_there_is_refused(tmp_path: Path) -> None:
    given = rounds(1)
    given[0]["plot_ghost"] = ["K"]
    with pytest.raises(UserError, match=r"round 1: player 0: letter K: "):
        check(tmp_path, given)


def test_a_car_that_stands_there_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plots.json"
    path.write_text('{"rounds": [{"plots": {"red": {}, "red": {}}}]}')
    with pytest.raises(UserError, match="'red' stands there twice"):
        read_plots(str(path), GAME)
