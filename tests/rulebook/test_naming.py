"""Games are known in any case and form, by a part that says enough, in three languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableref.cli import main
from tableref.devices.config import read_config as read
from tableref.errors import UserError
from tableref.referee.games import GAMES, named
from tableref.rulebook.naming import candidates


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("arrows", "arrows-and-stars"),
        ("Arrows and Stars", "arrows-and-stars"),
        ("arrows_and_stars", "arrows-and-stars"),
        ("arrows & stars", "arrows-and-stars"),
        ("ArrowsAndStars", "arrows-and-stars"),
        ("arrowsandstars", "arrows-and-stars"),
        ("stars", "arrows-and-stars"),
        ("PFEILE", "arrows-and-stars"),
        ("Pfeile und Sterne", "arrows-and-stars"),
        ("fleches", "arrows-and-stars"),
        ("flèches et étoiles", "arrows-and-stars"),
        ("AE", "arrows-and-stars"),
        ("skorpion deep", "skorpion-deep"),
        (" Skorpion_Deep ", "skorpion-deep"),
        ("SkorpionDeep", "skorpion-deep"),
        ("deep", "skorpion-deep"),
        ("SD", "skorpion-deep"),
        ("sk", "skorpion-deep"),
        ("SCORP", "scorpion"),
        ("auto", "autoscooter"),
        ("Squ", "squod"),
    ],
)
def test_a_game_is_known_in_any_form(typed: str, game: str) -> None:
    assert named(typed, GAMES) == game


@pytest.mark.parametrize(("typed", "may_be"), [("a", "autoscooter or"), ("s", "squod or")])
def test_of_several_games_all_are_told(typed: str, may_be: str) -> None:
    with pytest.raises(UserError, match=f"'{typed}' may be .*{may_be}"):
        named(typed, GAMES)


@pytest.mark.parametrize("typed", ["chess", "", " ", "-", "und", "autoscooters", "deep scorpion"])
def test_what_is_no_game_is_none(typed: str) -> None:
    assert candidates(typed, GAMES) == ()
    with pytest.raises(UserError, match="there is no game"):
        named(typed, GAMES)


@pytest.mark.parametrize(
    "command",
    [
        "rules DEEP 1.1",
        "lookup --game deep --json what wins",
        "parts deep",
        "print pieces Deep --out {out}",
        "demo --game deep --senses switches --turns 1 --out {demo}",
    ],
)
def test_every_command_takes_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = command.format(out=tmp_path / "pieces.pdf", demo=tmp_path / "demo").split()
    assert main(words) == 0, capsys.readouterr().err


@pytest.mark.parametrize("command", ["rules s", "lookup --game s x", "print tags s", "play s"])
def test_every_command_tells_which_it_may_be(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 2
    assert "squod" in capsys.readouterr().err


def test_the_configuration_takes_it_in_any_case_and_form() -> None:
    wiring = read('[wiring]\n"Skorpion Deep" = ["n1"]\nArrows_and_Stars = ["a1"]\n', "x").wiring
    assert dict(wiring) == {"skorpion-deep": ("n1",), "arrows-and-stars": ("a1",)}


def test_in_the_configuration_its_own_name_goes_before_another_form() -> None:
    wiring = read('[wiring]\nskorpion-deep = ["n2"]\nSkorpion_Deep = ["n1"]\n', "x").wiring
    assert dict(wiring) == {"skorpion-deep": ("n2",)}
