"""What is typed at the terminal becomes an input; what cannot be understood is said."""

from __future__ import annotations

from io import StringIO

import pytest

from tableref.referee.answers import (
    Asked,
    Misunderstood,
    Quit,
    answer,
    help_of,
    listen,
    replied,
    reply,
    wording,
)
from tableref.referee.correcting import example
from tableref.referee.games import load_game
from tableref.referee.inputs import Act, Begin, Choose, Input, LetStand, PutRight
from tableref.referee.outlets import EventLines
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.referee.telling import Teller
from tableref.rulebook import Rulebook
from tableref.rulebook.typed import command, typed
from tableref.rules.surface import RulesError
from tableref_hardware import load_board
from tests.referee.conftest import REFEREE, Play
from tests.referee.test_step import RED_FIRST

PLAY = Play({"players": 8}, [RED_FIRST])


def read(line: str) -> Input:
    return answer(REFEREE, PLAY.state, line, 5.0)


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("2", Choose(5.0, 1, 0)),
        ("Undo", Act(5.0, {"take_back": {"player": 0, "agreed": list(range(8))}})),
        ("let stand", LetStand(5.0, tuple(range(8)), 0)),
        (
            "red>b2E",
            Act(5.0, {"restart": {"car": "red", "to": "b2", "heading": "E"}}),
        ),
    ],
)
def test_a_line_is_an_input(line: str, given: Input) -> None:
    assert read(line) == given


@pytest.mark.parametrize(
    ("line", "lang", "record"),
    [
        ("resign player 2", "en", {"resign": {"player": 1}}),
        ("aufgeben 2", "de", {"resign": {"player": 1}}),
        ("partir 1", "fr", {"leave": {"player": 0, "agreed": [1, 2, 3, 4, 5, 6, 7]}}),
        ("back 1", "de", {"return": {"player": 0}}),
        ("remis", "de", {"draw": {"agreed": list(range(8))}}),
        ("break  off", "en", {"break_off": True}),
        ("fortsetzen", "de", {"take_up": True}),
        ("refaire", "fr", {"redo": {"agreed": list(range(8))}}),
    ],
)
def test_every_action_of_the_house_can_be_typed(
    line: str, lang: str, record: dict[str, object]
) -> None:
    assert answer(REFEREE, PLAY.state, line, 5.0, lang) == Act(5.0, record)


def asked(lang: str = "en", play: Play = PLAY, columns: int = 80) -> Asked:
    board = load_board("autoscooter")
    return Asked(REFEREE, board, play.state, play.step.rows, lang, columns)


@pytest.mark.parametrize(
    ("lang", "line", "said"),
    [
        ("en", "resign", "resign player 1"),
        ("fr", "abandonner", "abandonner joueur 1"),
        ("de", "aufgeben", "aufgeben Spieler 1"),
    ],
)
def test_who_resigns_must_be_said(lang: str, line: str, said: str) -> None:
    with pytest.raises(Misunderstood, match=said):
        answer(REFEREE, PLAY.state, line, 5.0, lang)


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "d4 is red, NE"),
        ("en", "d4 is red"),  # turned as it stands
        ("fr", "d4 est rouge, vers NE"),
        ("de", "d4 ist Rot, NO"),
        ("de", "d4 is red NE"),
    ],
)
def test_a_position_is_put_right_by_hand(lang: str, line: str) -> None:
    given = answer(REFEREE, PLAY.state, line, 5.0, lang)
    assert given == PutRight(5.0, "d4", "red NE", tuple(range(8)))
    action = REFEREE.step(PLAY.state, given).rows[0].data["action"]
    assert action["correct"]["position"] == {"cars": {"red": {"cell": "d4", "heading": "NE"}}}


@pytest.mark.parametrize("name", ["arrows-and-stars", "skorpion-deep", "squod"])
def test_what_is_ruled_while_a_correction_is_typed_is_not_undone_by_it(name: str) -> None:
    """HR-2.2: one cell is put right; a move that was ruled in the same moment stays."""
    board, game = load_board(name), load_game(name)
    referee = Referee(game, board)
    table = referee.step(TableState(referee.house.start({})), Begin(1.0, ())).state
    before = game.board(table.table.state)
    move = next(
        action
        for action in game.legal(table.table.state)
        if game.board(game.apply(table.table.state, action)[0]) != before
    )
    later = referee.step(table, Act(4.0, move.record())).state
    moved = game.board(later.table.state)
    assert moved != before
    # It was typed with the board from before in view.
    line = example(wording(referee, board, later, "en"), later.table.state)
    given = answer(referee, table, line, 5.0)
    assert isinstance(given, PutRight)
    stands = game.board(referee.step(later, given).state.table.state)
    changed = {cell for cell in {*moved, *stands} if moved.get(cell) != stands.get(cell)}
    put = {*stands.get(given.cell, ())}
    from_there = {cell for cell in changed if put.intersection(moved.get(cell, ()))}
    assert changed - from_there == {given.cell}


@pytest.mark.parametrize("stands", ["green toad", ""])
def test_a_correction_that_the_game_cannot_tell_is_said_to_be_none(stands: str) -> None:
    """As a recording of another game might bring it: a car is somewhere."""
    step = REFEREE.step(PLAY.state, PutRight(5.0, "c1", stands, tuple(range(8))))
    assert step.told.ask is not None
    assert step.told.ask.key == "unreadable"
    assert step.state.table == PLAY.state.table


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("d4 is pink", "no such piece"),
        ("d4 is NE", "say which piece"),
        ("a1 is empty", "where it stands instead"),
        ("c1 is red", "cannot be"),  # orange stands there
    ],
)
def test_what_cannot_be_put_right_so_is_said(line: str, said: str) -> None:
    with pytest.raises(Misunderstood, match=said):
        read(line)


def test_leaving_is_no_input() -> None:
    with pytest.raises(Quit):
        read("quit")
    assert listen(["quit\n", "1\n"], read, lambda _: pytest.fail("it was left"), print)


def test_a_question_is_answered_and_is_no_input() -> None:
    told = replied(asked(), "wer ist dran")
    assert told is not None
    assert "player" in " ".join(told).lower() or "Spieler" in " ".join(told)
    assert replied(asked(), "red>q") is None


def test_rules_are_looked_up_by_number_and_by_question() -> None:
    for line in ("rules AS-5.7", "rules 5.7", "rules too few chips"):
        told = replied(asked(), line)
        assert told is not None
        assert told[0].startswith("AS-5.7"), line
    titles = replied(asked("de"), "regeln")
    assert titles is not None
    assert any(line.startswith("AS-1.1") for line in titles)


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_board_is_drawn_and_in_a_narrow_terminal_listed(lang: str) -> None:
    drawn = replied(asked(lang), command("board", lang))
    narrow = replied(asked(lang, columns=30), command("board", lang))
    assert drawn is not None
    assert narrow is not None
    assert any(line.count("  ") > 4 for line in drawn)
    assert max(map(len, narrow[1:])) <= 30
    colon = "\u00a0:" if lang == "fr" else ":"
    assert any(line.startswith(f"a1{colon} ") for line in narrow)


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "picture what may red do"),
        ("fr", "image que peut faire rouge"),
        ("de", "bild was darf rot"),
    ],
)
def test_a_question_is_answered_with_a_picture_on_request(lang: str, line: str) -> None:
    wide, plain = replied(asked(lang), line), replied(asked(lang), line.partition(" ")[2])
    assert wide is not None
    assert plain is not None
    assert wide[: len(plain)] == plain
    drawn = wide[len(plain) :]
    targets = {told.partition(">")[2][:2] for told in plain if ">" in told}
    assert len(targets) == 3
    assert sum(row.count("[*]") for row in drawn) == len(targets), drawn
    assert drawn[-1].startswith("*")
    assert not any("*" in row for row in plain)


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_help_shows_everything_with_examples_of_this_position(lang: str) -> None:
    game = Play({"players": 8}, [RED_FIRST])
    game.look()
    told = "\n".join(help_of(asked(lang, game)))
    state = game.state.table.state
    text = REFEREE.game.text(state, next(iter(REFEREE.game.legal(state))))
    for key in typed(lang)["help"]:
        if key in typed(lang)["typed"] and key not in ("let-stand", "judge", "trust"):
            assert command(key, lang) in told, key
    assert Rulebook(lang).notation.shown(text) in told
    examples = [line.partition("  ")[0] for line in told.splitlines()]
    move = next(each for each in examples if ">" in each).partition(",")[0]
    assert isinstance(answer(REFEREE, game.state, move, 5.0, lang), Act)


@pytest.mark.parametrize(
    ("lang", "word"), [("en", "judge"), ("fr", "arbitre"), ("de", "Schiedsrichter")]
)
def test_a_judge_is_called_by_a_word_and_by_the_same_word_no_longer(lang: str, word: str) -> None:
    called = [False]

    def judge() -> bool:
        called[0] = not called[0]
        return called[0]

    table = asked(lang)._replace(judge=judge)
    labels = Rulebook(lang).words.labels
    for line, key in (
        (word, "judge_called"),
        (f" {word} ", "judge_free"),
        ("judge", "judge_called"),
    ):
        with pytest.raises(RulesError) as none:
            answer(REFEREE, PLAY.state, line, 5.0, lang)
        assert reply(table, line, none.value) == [labels[key]]
    assert any(line.startswith(word.casefold()) for line in help_of(table))


def test_where_no_judge_can_be_called_the_word_is_not_understood() -> None:
    with pytest.raises(RulesError, match="Not understood: judge"):
        reply(asked(), "judge", RulesError("none"))
    assert not any(line.startswith("judge") for line in help_of(asked()))


def test_a_line_that_is_none_is_answered_with_what_can_be_typed() -> None:
    said: list[str] = []
    given: list[Input] = []

    def give(one: Input) -> bool:
        given.append(one)
        return True

    listen(["what?\n", "\n", "1\n"], read, give, lambda lines, wrong: said.extend(lines))
    assert given == [Choose(5.0, 0, 0)]
    assert len(said) == 1


@pytest.mark.parametrize(("lang", "said"), [("fr", "= La manche 1"), ("de", "= Runde 1")])
def test_the_end_of_a_round_is_told_in_the_games_language(lang: str, said: str) -> None:
    stream = StringIO()
    teller = Teller(REFEREE.game, load_board("autoscooter"), lang)
    [event] = teller.events([Row("round", {"round": 1, "cars": {}, "chips": [20, 20]})])
    EventLines(stream, as_json=False).write(event)
    assert stream.getvalue().startswith(said)


def test_where_no_dice_are_thrown_nobody_trusts_them() -> None:
    with pytest.raises(RulesError):
        answer(REFEREE, PLAY.state, "trust", 0.0)
