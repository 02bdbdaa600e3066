"""What the players are told: screens, lights, events, and what is kept from them."""

from __future__ import annotations

import pytest

from tableref.devices.lights import Meaning
from tableref.devices.oled import Marker, Screen
from tableref.referee.course import Step
from tableref.referee.games import GAMES, load_game
from tableref.referee.inputs import Act, Begin, Input, Occupied, Seen, Tick
from tableref.referee.step import Referee
from tableref.referee.table import Phase, TableState
from tableref.referee.telling import Teller, paragraphs_of
from tableref_hardware import load_board
from tableref_vision.observation import Observation
from tests.referee.conftest import BOARD, REFEREE, Play, SceneGame, first_state, plots, seen
from tests.referee.test_step import RED_FIRST

TELLER = Teller(REFEREE.game, BOARD)


def shown(before: TableState, step: Step) -> list[str]:
    """Every page as one text: title, lines, paragraph."""
    pages: tuple[Screen, ...] = TELLER.screens(before, step)
    return [" | ".join((page.title, *page.lines, page.paragraph)).strip() for page in pages]


@pytest.fixture
def play() -> Play:
    game = Play({"players": 8}, [RED_FIRST])
    game.look()
    return game


def test_a_ruling_says_what_happened_the_markers_and_who_is_next(play: Play) -> None:
    before = play.state
    play.put("red", "b2", "E")
    first, markers, following = shown(before, play.step)
    assert first.startswith("Red a1-b2")
    assert first.endswith("AS-4.5")
    assert "red 1" in markers
    assert following.startswith("Orange restarts")


def test_a_letter_for_the_ghost_is_told_to_nobody_before_it_is_used() -> None:
    game = Play({"players": 5, "ghost": True}, [])
    game.look()
    for player, letter in enumerate("KCPKC"):
        step = game.give(Act(1.0, {"plot_ghost": {"player": player, "letter": letter}}, player))
        assert [row.kind for row in step.rows] == ["action"]
        assert TELLER.events(step.rows) == []


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("by", ["break_off", "draw"])
def test_once_all_have_agreed_to_end_it_nobody_is_on_turn_any_more(name: str, by: str) -> None:
    referee = Referee(load_game(name), load_board(name))
    game = referee.game
    before = TableState(referee.house.start({}))
    everybody = list(range(len(game.players(before.table.state))))
    said = {"break_off": True} if by == "break_off" else {"draw": {"agreed": everybody}}
    step = referee.step(before, Act(1.0, said))
    teller = Teller(game, load_board(name))
    told = teller.told(before, step)
    assert step.state.phase is Phase.OVER
    assert told.awaited == []
    assert told.screens[-1].marker is Marker.OK
    assert told.screens[-1].title == "The game is over"
    assert not teller.lights(before, step)


def test_an_event_names_each_of_its_paragraphs_once() -> None:
    facts = [{"paragraph": "AS-4.1"}, {"paragraph": "AS-4.1"}, {"paragraph": ""}]
    assert paragraphs_of({"facts": facts, "paragraphs": ["AS-4.2"]}) == ("AS-4.1", "AS-4.2")
    assert paragraphs_of({"event": "end", "paragraph": "AS-6.1"}) == ("AS-6.1",)
    assert paragraphs_of({"event": "notice"}) == ()


def test_trouble_names_the_paragraph_and_the_way_back(play: Play) -> None:
    before = play.state
    play.put("orange", "d2", "NE")
    [page] = shown(before, play.step)
    assert "→ orange c1 NE" in page
    assert page.endswith("AS-4.1")


def test_two_pieces_that_start_on_one_cell_are_both_named() -> None:
    referee = Referee(load_game("skorpion-deep"), load_board("skorpion-deep"))
    state = TableState(referee.house.start({}))
    teller = Teller(referee.game, referee.board)
    rows = []
    begin = Begin(0.0, ("switches",))
    for given in (begin, Occupied(1.0, frozenset()), Tick(5.0)):
        step = referee.step(state, given)
        state, rows = step.state, [*rows, *step.rows]
    assert teller.events(rows)[-1]["text"][1:] == [
        "Put the Skorpion on the Gate.",
        "Put the Tail on the Gate.",
    ]


def test_the_lights_show_the_last_move_and_who_is_due(play: Play) -> None:
    before = play.state
    play.put("red", "b2", "E")
    lights = TELLER.lights(before, play.step)
    assert lights == {
        "a1": Meaning.CAME_FROM.value,
        "b2": Meaning.LAST_MOVE.value,
        "c1": Meaning.DUE.value,
    }


def test_the_lights_show_what_stands_wrong_and_where_it_belongs(play: Play) -> None:
    before = play.state
    play.put("orange", "d2", "NE")
    lights = TELLER.lights(before, play.step)
    assert lights == {"d2": Meaning.TROUBLE.value, "c1": Meaning.EXPECTED.value}


def test_a_forced_drive_lights_where_it_leads() -> None:
    game = Play({"players": 8}, [RED_FIRST, plots("red 16K", "black 9C")])
    game.look()
    for car, cell, heading in (
        ("red", "b2", "E"), ("orange", "d2", "NE"), ("yellow", "e2", "NW"), ("green", "e4", "W"),
        ("blue", "e6", "SW"), ("purple", "c6", "SW"), ("white", "b6", "SE"),
    ):  # fmt: skip
        game.put(car, cell, heading)
    before = game.state
    game.put("black", "b4", "E")
    assert "Round 1 is over" in " ".join(shown(before, game.step))


def test_a_hidden_car_is_lit_as_asked(play: Play) -> None:
    cars = {car: pose for car, pose in play.cars.items() if car != "white"}
    before = play.state
    step = play.give(seen(cars, "0009", 9.0))
    assert TELLER.lights(before, step) == {"a7": Meaning.ASKED.value}
    assert shown(before, step)[0].lower().startswith("white: | not seen")


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_every_event_of_a_game_has_words_in_every_language(game_4p: SceneGame, lang: str) -> None:
    teller = Teller(REFEREE.game, BOARD, lang)
    state = first_state(game_4p.head)
    for given in game_4p.inputs:
        state = tell_all(teller, state, given)


def tell_all(teller: Teller, before: TableState, given: Input) -> TableState:
    step = REFEREE.step(before, given)
    for event in teller.events(step.rows):
        assert all(isinstance(line, str) and line for line in event.get("text", []))
        assert "plot" not in event.get("action", {})
    assert teller.screens(before, step)
    assert teller.lights(before, step) is not None
    return step.state


def test_no_letter_shows_before_its_car_has_moved(game_4p: SceneGame) -> None:
    """What is told before a drive names no letter but of cars that have moved (AS-4.1)."""
    state = first_state(game_4p.head)
    for given in game_4p.inputs[:30]:
        before = state
        step = REFEREE.step(state, given)
        state = step.state
        queue = state.table.state.queue
        waiting = {REFEREE.game.layout.cars[car] for car in queue[1:]}
        page = TELLER.screens(before, step)[-1]  # what is awaited; the pages before are past
        for line in (page.title, *page.lines):
            words = line.lower().split()
            if len(words) > 2 and words[0] in waiting:
                assert words[1].upper() not in "ABCDEFGHJKLMNOP"


def test_where_a_piece_of_a_player_goes_names_player_and_piece() -> None:
    board = load_board("squod")
    referee = Referee(load_game("squod"), board)
    nothing = {cell: frozenset({""}) for cell in board.cells}
    look = Observation(1.0, "", "ok", (), (), frozenset(), False, True, cells=nothing)
    state = TableState(referee.house.start({}))
    for given in (Begin(0.0, ("board",)), Seen(look)):
        step = referee.step(state, given)
        state = step.state
    teller = Teller(referee.game, board, names=referee.game.players(state.table.state))
    [event] = [event for event in teller.events(step.rows) if event["event"] == "trouble"]
    assert "Put a hidden piece (South) on S11." in event["text"]
