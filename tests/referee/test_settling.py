"""What one picture leaves open, later ones settle: the question is asked once, nobody need answer,
and nothing is ruled that no picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tableref.referee.games import load_game
from tableref.referee.inputs import Act, CameraEnded, Choose, Seen
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.rules.pieces import text_of
from tableref_hardware import load_board
from tableref_vision.observation import Observation


class Play:
    """A game under way whose board is looked at, picture by picture."""

    def __init__(
        self,
        name: str,
        setup: Mapping[str, Any],
        position: Mapping[str, Any],
        throws: Iterable[int] = (),
        tray: str = "yellow",
    ) -> None:
        self.board = load_board(name)
        self.referee = Referee(load_game(name), self.board)
        self.game = self.referee.game
        table = self.referee.house.start(setup, position)
        thrown = tuple({"throw": {"tray": tray, "value": value}} for value in throws)
        self.begun = TableState(table, throws=thrown, eye=True)
        self.state, self.rows = self.begun, list[Row]()
        self.stands = {cell: text_of(stack) for cell, stack in self.game.board(table.state).items()}
        self.look()

    def look(self, *unknown: str, beneath: Mapping[str, str] | None = None, **changes: Any) -> None:
        """A picture after these changes; of `unknown` cells it says that something strange lies
        there. A change to several texts says that one of them stands there."""
        self.stands = {**self.stands, **changes}
        number = len(self.rows) + 1
        cells = {
            cell: frozenset(
                {told} if isinstance(told := self.stands.get(cell, ""), str) else {*told}
            )
            for cell in self.board.cells
            if cell not in unknown
        }
        seen = Observation(
            float(number),
            f"{number}.png",
            "ok",
            (),
            (),
            frozenset(),
            False,
            True,
            cells=cells,
            strange=unknown,
            beneath=beneath or {},
        )
        self.give(Seen(seen))

    def give(self, given: Any) -> None:
        step = self.referee.step(self.state, given)
        self.state = step.state
        self.rows += step.rows

    def told(self, kind: str) -> list[dict[str, Any]]:
        return [row.data for row in self.rows if row.kind == kind]

    @property
    def ruled(self) -> list[dict[str, Any]]:
        """The moves that were ruled."""
        actions = [row["action"] for row in self.told("action")]
        return [action for action in actions if not {"throw", "end_turn"} & action.keys()]


def scorpion(throws: Iterable[int], tray: str = "yellow", **scorpions: list[str]) -> Play:
    """Four players, blue to throw; scorpions that are not named are in hand."""
    full = {
        colour: [*cells, *["hand"] * (4 - len(cells))]
        for colour in ("blue", "red", "green", "white")
        for cells in [scorpions.get(colour, ["Y1"])]
    }
    position = {"scorpions": full, "turn": 0, "mover": 0}
    return Play("scorpion", {"players": 4}, position, throws, tray)


STING = {"move": {"colour": "blue", "from": "Y3", "steps": 3}}
ON = {"move": {"colour": "blue", "from": "Y6", "steps": 4}}


def test_a_piece_onto_one_of_its_look_is_asked_and_settled_by_what_it_does_next() -> None:
    play = scorpion([3, 6, 4], blue=["Y3", "Y6"], red=[], green=[], white=[])
    play.look(Y3="")
    assert play.ruled == []
    assert [row["question"] for row in play.told("question")] == ["confirm"]
    play.look(Y10="blue")
    assert play.ruled == [STING, ON]


def test_a_disc_that_sticks_out_from_under_another_settles_it_at_once() -> None:
    play = scorpion([3, 6, 4], blue=["Y3", "Y6"], red=[], green=[], white=[])
    play.look(Y3="", beneath={"Y6": "blue"})
    assert play.ruled == [STING]
    assert not play.told("question")


def test_something_under_a_piece_of_a_game_that_stacks_none_is_strange() -> None:
    play = Play("arrows-and-stars", {}, {})
    play.look(beneath={"a1": "black arrow down"})
    assert [row["who"] for row in play.told("question")] == ["a1"]


def test_by_which_die_a_scorpion_leaves_is_not_asked_where_the_rest_is_lost() -> None:
    play = scorpion([6, 3], "black", blue=["K16"], red=[], green=[], white=[])
    play.look(K16="")
    assert [action["move"]["from"] for action in play.ruled] == ["K16"]
    assert not play.told("question")


def test_a_move_onto_a_cell_that_could_not_be_told_is_ruled_with_the_next() -> None:
    play = scorpion([3, 6, 4, 5, 6], blue=["Y2"], red=["Y5"], green=[], white=[])
    play.look("Y5", Y2="")
    assert play.ruled == []
    play.look(Y5="red", Y9="blue")
    assert [action["move"]["from"] for action in play.ruled] == ["Y2", "Y5"]


def test_which_of_two_it_is_need_not_be_told_of_a_piece_that_left_one_cell_for_another() -> None:
    play = Play("arrows-and-stars", {}, {})
    play.look(a2="", b3=("white arrow up", "white star up"))
    assert play.ruled == [{"arrow": ["a2", "b3"]}]


def skorpion_sent(play: Play) -> Any:
    """The state after an action that a board does not tell from another: the Skorpion stepped on
    one of two rim spots, and was sent to the Gate."""
    state = play.state.table.state
    ways: dict[Any, list[Any]] = {}
    for action in play.game.legal(state):
        ways.setdefault(play.game.apply(state, action)[0], []).append(action)
    ends = {after: {*map(play.game.ending, actions)} for after, actions in ways.items()}
    return next(after for after, each in ends.items() if len(each) > 1)


def places(play: Play, state: Any) -> tuple[str, str, Any]:
    """A spot on which whose turn it is may place a bead, its colour, and the state after that."""
    before = play.game.board(state)
    for action in play.game.legal(state):
        after = play.game.apply(state, action)[0]
        [*came] = play.game.board(after).keys() - before.keys()
        if "place" in action.record() and came:
            return came[0], text_of(play.game.board(after)[came[0]]), after
    raise AssertionError("no bead may be placed")


def sends_the_skorpion(play: Play) -> Any:
    """The Skorpion is seen to have been sent to the Gate; the state after that."""
    sent = skorpion_sent(play)
    gone = dict.fromkeys(play.stands.keys() - play.game.board(sent).keys(), "")
    play.look(**gone, gate="skorpion")
    return sent


DEEP = {
    "turn": "red",
    "skorpion": "n1",
    "tail": "nw2",
    "pieces": {"n3": "red", "s1": "red", "s2": "red", "s3": "blue"},
}


def test_what_no_picture_tells_is_asked_once_and_never_ruled() -> None:
    play = Play("skorpion-deep", {}, DEEP)
    state = sends_the_skorpion(play)
    for _ in range(3):
        spot, bead, state = places(play, state)
        play.look(**{spot: bead})
    assert play.ruled == []
    assert [row["question"] for row in play.told("question")] == ["several"]


def test_the_answer_rules_also_what_was_seen_since() -> None:
    play = Play("skorpion-deep", {}, DEEP)
    spot, bead, _ = places(play, sends_the_skorpion(play))
    play.look(**{spot: bead})
    play.give(Choose(9.0, 0))
    play.look()
    assert len(play.ruled) == 2
    assert play.ruled[1] == {"place": spot}


def test_what_may_have_been_done_is_known_again_after_a_power_cut() -> None:
    play = scorpion([3, 6, 4], blue=["Y3", "Y6"], red=[], green=[], white=[])
    play.look(Y3="")
    again = play.referee.replayed(play.begun, play.rows)
    assert again.supposed == play.state.supposed != ()
    play.state = again
    play.look(Y10="blue")
    assert play.ruled == [STING, ON]


def test_a_picture_that_fits_nothing_that_was_supposed_is_told() -> None:
    play = scorpion([3, 6, 4], blue=["Y3", "Y6"], red=["K2"], green=[], white=[])
    play.look(Y3="")
    play.look(K2="", K5="red")
    assert [row["question"] for row in play.told("question")] == ["confirm", "not-sure"]
    play.look(K2="red", K5="", Y10="blue")
    assert play.ruled == [STING, ON]


def test_what_is_said_settles_what_it_follows_from() -> None:
    play = scorpion([3, 6, 4], blue=["Y3", "Y6"], red=[], green=[], white=[])
    play.look(Y3="")
    play.give(Act(9.0, ON))
    assert play.ruled == [STING, ON]


def test_a_piece_put_back_ends_the_question() -> None:
    play = scorpion([3, 6, 4], blue=["Y3", "Y6"], red=[], green=[], white=[])
    play.look(Y3="")
    play.look(Y3="blue")
    assert play.ruled == []
    assert play.state.ask is None or play.state.ask.awaited


def test_a_turn_that_was_ended_unsaid_follows_from_the_throw_and_move_of_the_next_player() -> None:
    play = scorpion([2, 3, 4, 5], blue=["Y5"], red=["Y9"], green=[], white=[])
    play.look(Y5="", Y7="blue")
    play.look(Y9="", Y13="red")
    moved = [(action["move"]["colour"], action["move"]["steps"]) for action in play.ruled]
    assert moved == [("blue", 2), ("red", 4)]


def test_no_picture_is_named_where_the_pictures_have_ended() -> None:
    from tableref.referee.telling import Teller

    play = scorpion([3, 6], blue=["Y3"], red=[], green=[], white=[])
    play.give(CameraEnded(9.0))
    [event] = Teller(play.game, play.board).events(play.rows[-1:])
    assert event["question"] == "camera-ended"
    assert "frame" not in event


def test_a_turn_that_its_player_ended_follows_from_the_next_players_throw_and_move() -> None:
    """Blue has a six left and lets it be; nobody says so. Red's throws were handed over."""
    play = scorpion([3, 6, 4, 5], blue=["Y3"], red=[], green=[], white=[])
    play.look(Y3="", Y6="blue")
    assert play.ruled == [STING]
    play.look(Y9="red")
    enters = {"move": {"colour": "red", "from": "hand", "steps": 9}}
    assert [row["action"] for row in play.told("action")][3:] == [
        {"end_turn": True},
        {"throw": {"tray": "yellow", "value": 4}},
        {"throw": {"tray": "yellow", "value": 5}},
        enters,
        {"end_turn": True},
    ]
    assert not play.told("trouble")
    assert not play.told("question")
