"""Where a game stands: round, score, turn, what was told last, what is open; by whoever asks."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tableref.cli import main
from tableref.hosting.opening import is_finished
from tableref.referee.desk import Desk
from tableref.referee.evening import new_evening_of
from tableref.referee.games import GAMES, load_game
from tableref.referee.inputs import Act, Input
from tableref.referee.resuming import resumed_evening
from tableref.referee.standing import StandingWords, Stands, standing
from tableref.referee.step import Step
from tableref.referee.table import Phase, Row, TableState
from tableref.rulebook.text import LANGUAGES, title
from tableref.rules.house import BreakOff, Draw, HouseAction, Leave
from tableref.rules.log import House
from tableref_hardware import load_board
from tests.referee.conftest import BOARD, REFEREE, Play, plots
from tests.referee.standings import table
from tests.referee.test_kills import Listener

FIRST = plots(
    "red 1-", "orange 2-", "yellow 3-", "green 4-", "blue 5-", "purple 6-", "white 7-", "black 8-"
)


class Written(Play):
    """A game whose rows are kept, as its journal keeps them."""

    def __init__(self) -> None:
        super().__init__({"players": 4}, [FIRST])
        self.written: list[Row] = []

    def give(self, given: Input) -> Step:
        step = super().give(given)
        self.written += step.rows
        return step


@pytest.fixture
def play() -> Written:
    """Four players who wrote down a round and have set up."""
    play = Written()
    play.look()
    return play


def stands(play: Written) -> Stands:
    return standing(REFEREE.game, play.state, play.written)


def words(lang: str = "en") -> StandingWords:
    return StandingWords(REFEREE.game, BOARD, lang)


def test_it_says_round_chips_and_whose_car_is_next(play: Written) -> None:
    now = stands(play)
    assert words().game(now) == ["Autoscooter, round 1."]
    assert words().score(now) == [
        "Chips: player 1 (20), player 2 (20), player 3 (20), player 4 (20)."
    ]
    assert words().turn(now) == ["Red restarts next (player 1)."]


def test_before_the_board_is_set_up_it_says_so() -> None:
    play = Written()
    told = words().all(stands(play))
    assert told[0] == "Autoscooter has not begun yet."
    assert "Please set up the board." in told


def test_what_was_told_last_is_told_with_its_paragraph(play: Written) -> None:
    play.put("red", "b2", "E")
    [head, line] = words().last(stands(play))
    assert head == "Told last:"
    assert line.endswith("(AS-4.5)")


@pytest.mark.parametrize("name", ["scorpion", "skorpion-deep"])
def test_that_it_is_somebodys_turn_is_not_what_was_told_last(name: str) -> None:
    game, _, state, rows = table(name)
    stands = standing(game, state, rows)
    assert stands.last is not None
    assert {fact["case"] for fact in stands.last.data["facts"]} - {"turn", "turn-ended", "next"}
    assert stands.last == rows[-2 if name == "scorpion" else -1]


def test_a_refusal_that_is_open_is_told_with_its_way_back(play: Written) -> None:
    play.put("orange", "d2", "NE")
    assert play.state.phase is Phase.REFUSED
    told = words().open(stands(play))
    assert told[0] == "Still open:"
    assert told[-1] == "  Put the orange car on c1, pointing NE."


def test_a_refusal_that_was_put_right_is_not_open_any_more(play: Written) -> None:
    at = play.cars["orange"]
    play.put("orange", "d2", "NE")
    play.put("orange", *at)
    assert words().open(stands(play)) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_game_says_where_it_stands_in_every_language(name: str, lang: str) -> None:
    game = load_game(name)
    said = StandingWords(game, load_board(name), lang)
    house = House(game)
    table = house.start({})
    for phase in Phase:
        told = said.all(standing(game, TableState(table, phase), ()))
        assert told[0].startswith(title(lang, name)) or title(lang, name) in told[0]
        assert all(line and "{" not in line for line in told)
    drawn = house.apply(table, Draw(tuple(range(len(game.players(table.state))))))[0]
    told = said.all(standing(game, TableState(drawn), ()))
    assert "HR-1.3" in told[0]
    assert len(told) == 1 + len(said.score(standing(game, TableState(drawn), ())))


def test_who_is_away_is_told() -> None:
    game = load_game("skorpion-deep")
    house = House(game)
    table = house.apply(house.start({}), Leave(1))[0]
    told = StandingWords(game, load_board("skorpion-deep")).turn(
        standing(game, TableState(table, Phase.WAITING), ())
    )
    assert told[-1] == "Away for a while: blue."


def test_a_game_that_was_broken_off_has_no_winner() -> None:
    game = load_game("scorpion")
    house = House(game)
    table = house.apply(house.start({}), BreakOff())[0]
    told = StandingWords(game, load_board("scorpion")).all(standing(game, TableState(table), ()))
    assert told[0] == "Scorpion is over; nobody has won. (HR-1.4)"


def test_who_leads_is_known_where_something_is_counted() -> None:
    game = load_game("skorpion-deep")
    state: Any = game.start({})
    assert standing(game, TableState(House(game).start({})), ()).leaders == (0, 1)
    assert game.score(state) is not None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game of German players whose board is set up, red having moved."""
    head = {
        "game": "autoscooter", "rules_version": REFEREE.game.rules_version, "app_version": "0",
        "setup": {"players": 4}, "board": text_of_board(), "plots": [FIRST],
        "camera": f"folder:{tmp_path}", "lang": "de",
    }  # fmt: skip
    play, evening = Written(), new_evening_of(tmp_path / "out", head)
    play.look()
    play.put("red", "b2", "E")
    evening.journal.write(play.written, 1.0)
    evening.journal.close()
    return tmp_path / "out"


def text_of_board() -> str:
    file = resources.files("tableref_hardware") / "boards" / "autoscooter.toml"
    return file.read_text(encoding="utf-8")


def end_by(folder: Path, action: HouseAction) -> None:
    """The players agree that it ends."""
    evening = resumed_evening(folder)
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [])
    desk.take(Act(2.0, action.record()))
    evening.journal.close()


def test_a_finished_game_says_so_in_its_language_and_needs_no_camera(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    end_by(folder, Draw((0, 1, 2, 3)))
    assert main(["resume", str(folder)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].strip() == "Autoscooter ist zu Ende: unentschieden. (HR-1.3)"
    assert "Chips: Spieler 1 (20)" in told[1]


def test_a_game_that_was_broken_off_can_be_taken_up_again(folder: Path) -> None:
    end_by(folder, BreakOff())
    assert not is_finished(resumed_evening(folder))


def test_resume_says_round_score_turn_and_what_was_told_last(folder: Path) -> None:
    listener = Listener()
    evening = resumed_evening(folder)
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [listener])
    evening.journal.begin()
    evening.journal.note_told()
    desk.take_up(evening.state, ())
    evening.journal.close()
    [resumed] = listener.events
    assert resumed["round"] == 1
    assert resumed["score"] == {"chips": [20, 20, 20, 20]}
    assert resumed["text"][0] == "Autoscooter, Runde 1."
    assert resumed["text"][2] == "Als Nächstes startet Orange neu (Spieler 2)."
    assert resumed["text"][-1].endswith("(AS-4.5)")
