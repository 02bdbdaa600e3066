"""Questions about the state of the game, typed in three languages by people who mistype."""

from __future__ import annotations

import functools
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tableref.cli import main
from tableref.referee.evening import JOURNAL, new_evening_of
from tableref.referee.games import GAMES, load_game
from tableref.referee.questions import CHOICES, Positions, spoken, understood
from tableref.referee.table import Phase, Row
from tableref.rulebook.asking import Heard, Spoken
from tableref.rulebook.askingwords import asking
from tableref.rulebook.kinds import KINDS, RULES, WEIGHTS
from tableref.rulebook.letters import PLACES
from tableref.rulebook.letters import WEIGHTS as LETTERS
from tableref.rulebook.text import LANGUAGES
from tableref.rulebook.typed import command as word_for
from tableref.rules.house import Resign
from tableref.rules.log import House
from tableref.rules.surface import Fact
from tableref_hardware import load_board
from tests.bench.lookup import OWN, read
from tests.conftest import ROOT, heed_permissions
from tests.referee.conftest import REFEREE, Play, SceneGame
from tests.referee.standings import ask, table
from tests.referee.test_step import RED_FIRST

QUESTIONS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "table_questions.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def _right(question: dict[str, Any]) -> bool:
    found = ask(question["game"], question["q"], question["lang"])
    told = "\n".join(found[1]) if found else ""
    return (
        found is not None
        and found[0] == question["kind"]
        and all(says.casefold() in told.casefold() for says in question["says"])
    )


def test_questions_from_peoples_mouths_are_answered_from_the_state() -> None:
    wrong = [q["q"] for q in QUESTIONS if not _right(q)]
    assert len(wrong) <= 0.05 * len(QUESTIONS), wrong


@functools.cache
def _named(game: str) -> Spoken:
    return spoken(load_game(game), load_board(game).cells)


def _heard(question: dict[str, Any]) -> Heard | None:
    found = understood(question["q"], _named(question["game"]), question["lang"], only=True)
    return found.heard if found else None


def test_the_kind_of_a_question_about_the_state_is_understood() -> None:
    questions = list(read(OWN / "state_questions.jsonl"))
    wrong = []
    for question in questions:
        heard = _heard(question)
        unknown = question["kind"] == "unknown" and heard is not None and heard.strangers
        if not unknown and (heard is None or heard.asks != question["kind"]):
            wrong.append(question["q"])
    assert len(wrong) <= 0.05 * len(questions), wrong


def test_a_question_that_nothing_was_learned_from_is_seldom_taken_for_another() -> None:
    """Written down as people say them before the words of `asking.toml` or the weights were looked
    at; nothing is learned from them. A question among which the right one is offered is good."""
    questions = [q for name in ("fresh_questions", "mouths") for q in read(OWN / f"{name}.jsonl")]
    good, wrong = [], []
    for question in questions:
        heard = _heard(question)
        if heard is None:
            continue
        kinds = _offered(heard) if heard.perhaps else (heard.asks,)
        named = heard.side == question["side"] if "side" in question else True
        named = named and ("cell" not in question or question["cell"] in heard.cells)
        if question["kind"] in kinds and named and not heard.strangers:
            good.append(question["q"])
        elif not heard.perhaps:
            wrong.append(question["q"])
    assert len(good) >= 0.95 * len(questions)
    assert len(wrong) <= 0.015 * len(questions), wrong


def test_what_is_said_in_the_kitchen_is_seldom_about_the_state() -> None:
    """Nothing is learned from these either."""
    questions = list(read(OWN / "kitchen.jsonl"))
    taken = [q["q"] for q in questions if _heard(q)]
    assert len(taken) <= 0.08 * len(questions), taken


@pytest.mark.parametrize(
    ("lang", "question", "asks"),
    [
        ("en", "ok wait, mum says it's her go, right?", "turn"),
        ("en", "ok im stuck, what moves are there", "may"),
        ("de", "oma sagt sie wär dran stimmt das", "turn"),
        ("fr", "attends, c'est quoi le score déjà", "score"),
    ],
)
def test_what_is_said_around_a_question_does_not_change_it(
    lang: str, question: str, asks: str
) -> None:
    heard = _heard({"lang": lang, "q": question, "game": "autoscooter"})
    assert heard is not None
    assert (heard.asks, heard.perhaps) == (asks, ())


def test_a_question_after_what_happened_is_one_about_rules() -> None:
    for lang, question in (("de", "frontal zusammengestoßen, wer zahlt?"),
                           ("en", "if a parked car is hit, who pays")):  # fmt: skip
        assert _heard({"lang": lang, "q": question, "game": "autoscooter"}) is None


def test_a_verb_that_nobody_knows_is_no_piece() -> None:
    heard = _heard({"lang": "de", "q": "wer hockt da auf b2", "game": "squod"})
    assert heard is not None
    assert (heard.cells, heard.strangers) == (("b2",), ())


def _offered(heard: Heard) -> tuple[str, ...]:
    """The kinds of the questions that are offered where it is not sure which is meant."""
    fit = [kind for kind in heard.perhaps if heard.cells or kind not in ("can", "what-if")]
    return tuple(fit[:CHOICES])


def test_the_weights_of_letters_are_small_and_fit_the_kinds() -> None:
    weights = np.load(LETTERS)
    assert weights.shape == (len(LANGUAGES), PLACES + 1, len(KINDS) + 1)
    assert LETTERS.stat().st_size < 300_000


@pytest.mark.parametrize("name", list(GAMES))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_offered_where_it_is_not_sure_is_understood_as_it_is_meant(
    name: str, lang: str
) -> None:
    shown = table(name)
    asked = Positions(shown.game, shown.board, shown.state, shown.rows, lang)
    cell = next(iter(shown.board.cells))
    people = shown.game.players(shown.state.table.state)
    for kind in KINDS:
        [line] = asked.answer(Heard("turn", cells=(cell,), perhaps=(kind,)))
        question, rules = re.findall("`(.*?)`", line)
        assert rules == f"{word_for('rules', lang)} ..."
        found = understood(question, spoken(shown.game, shown.board.cells, people), lang)
        assert found is not None, question
        assert (found.heard.asks, found.heard.perhaps, found.lang) == (kind, (), lang), question
        assert not found.heard.strangers, question


@pytest.mark.parametrize("name", ["questions", "hard_questions", "everyday_questions"])
def test_questions_about_the_rules_and_about_life_are_none_about_the_state(name: str) -> None:
    questions = [q for q in read(OWN / f"{name}.jsonl") if q.get("game")]
    taken = [q["q"] for q in questions if _heard(q)]
    assert len(taken) <= 0.03 * len(questions), taken


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_languages_have_words_for_the_same_ideas(lang: str) -> None:
    data, english = asking(lang), asking("en")
    assert set(data["ideas"]) == set(english["ideas"])
    assert set(data["says"]) == set(english["says"])
    assert set(data["names"]) == set(english["names"])


def test_the_weights_speak_of_ideas_that_have_words() -> None:
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    named = {"piece", "side", "sides", "cell", "cells", "person", "die", "letter", "digit"}
    own = [feature for feature in weights if ":" not in feature]
    ideas = {idea for each in own for idea in each.split() if idea[0] != "#"}
    assert {idea.removeprefix("^") for idea in ideas} <= {*asking("en")["ideas"], *named}
    assert {kind for row in weights.values() for kind in row} == {*KINDS, RULES}


@pytest.mark.parametrize(
    ("question", "lang", "says"),
    [
        ("how fast is orange going", "en", "speed 2"),
        ("wie schnell ist das blaue auto", "de", "Tempo 1"),
        ("combien de manches reste-t-il", "fr", "encore 10"),
        ("which cars are mine", "en", "Player 1: red, blue."),
        ("wem gehört lila", "de", "Spieler 2"),
        ("which numbers has red left", "en", "sheets"),
        ("can silver go to b3", "en", "There is no silver here"),
        ("darf das rosafarbene auto nach c1", "de", "rosafarbene gibt es hier nicht"),
        ("what may player 9 do", "en", "There is no player 9 here"),
        ("et si vert joue C ?", "fr", "AS-4.5"),
        ("what happens if red plays A now", "en", "points NW"),
    ],
)
def test_what_is_asked_for_is_in_the_answer(question: str, lang: str, says: str) -> None:
    found = ask("autoscooter", question, lang)
    assert found is not None
    assert says in "\n".join(found[1])


def test_what_a_player_may_do_is_what_his_pieces_may_do() -> None:
    found = ask("autoscooter", "where are the cars of player 2")
    assert found is not None
    assert [line.split(":")[0] for line in found[1]] == ["Orange", "Purple"]


def test_numbers_left_are_told_where_the_referee_keeps_them() -> None:
    game = load_game("autoscooter")
    state = game.from_position({"players": 8}, {"used": {"red": [1]}, "round": 2})
    assert 1 not in game.numbers_left(state)["red"]
    assert len(game.numbers_left(state)["red"]) == 10


def test_where_nothing_is_counted_the_pieces_are() -> None:
    found = ask("squod", "how many pieces does west still have")
    assert found is not None
    assert found[1] == ["On the board: South (6), West (6)."]


def test_a_question_in_one_language_is_not_taken_for_another() -> None:
    game = load_game("squod")
    named = spoken(game, load_board("squod").cells)
    assert understood("why is the sky blue", named, "de") is None


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize(
    "question",
    ["whose turn is it?", "what is the score?", "what was the last move?", "what may I do?"],
)
def test_every_game_answers_what_everybody_asks(game: str, question: str) -> None:
    found = ask(game, question)
    assert found is not None
    assert all(found[1])


def test_a_piece_that_the_game_has_not_is_told_with_those_there_are() -> None:
    found = ask("autoscooter", "can pink go to b3?")
    assert found is not None
    assert found[1] == [
        "There is no pink here; there are red, orange, yellow, green, blue, purple, white, black."
    ]


@pytest.mark.parametrize(
    ("game", "question", "lang", "stranger"),
    [
        ("autoscooter", "can the beige car go to c3", "en", "beige"),
        ("autoscooter", "darf das beige auto nach c3", "de", "beige"),
        ("skorpion-deep", "can the green one jump", "en", "green"),
    ],
)
def test_a_colour_that_is_no_side_is_told_also_where_a_word_comes_near(
    game: str, question: str, lang: str, stranger: str
) -> None:
    asked = ask(game, question, lang)
    assert asked
    assert stranger in asked[1][0].casefold()


def test_words_that_belong_together_name_nothing_by_themselves() -> None:
    """A `train` is a stranger at the table, `en train de` is not."""
    asked = ask("autoscooter", "quel joueur est en train de jouer", "fr")
    assert asked
    assert asked[0] == "turn"
    assert "train" not in " ".join(asked[1])


@pytest.mark.parametrize(
    ("question", "lang"),
    [("where may the red go, d2?", "en"), ("la rouge elle peut aller en d2 ou pas", "fr")],
)
def test_a_cell_where_the_piece_is_not_is_where_it_would_go(question: str, lang: str) -> None:
    asked = ask("autoscooter", question, lang)
    assert asked
    assert "d2" in asked[1][0]


def test_a_cell_where_the_piece_stands_is_where_it_goes_from() -> None:
    asked = ask("squod", "options for the piece at s21")
    assert asked
    assert all("S21" in line for line in asked[1])


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        ("why are you so grumpfy", "en"),
        ("pourquoi tu grumfes", "fr"),
        ("was grumft dein mann", "de"),
    ],
)
def test_what_names_nothing_of_the_game_and_has_an_unknown_word_is_of_life(
    question: str, lang: str
) -> None:
    assert ask("squod", question, lang) is None


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        ("is it grandma or me now", "en"),
        ("should it be cousin Zubrella next or uncle Joe", "en"),
        ("soll tante Zubrella jetzt oder der Opa", "de"),
        ("c'est tante Zubrella ou papi qui joue", "fr"),
    ],
)
def test_relatives_may_be_players_whatever_they_are_called(question: str, lang: str) -> None:
    asked = ask("autoscooter", question, lang)
    assert asked
    assert asked[0] == "turn"


@pytest.mark.parametrize("question", ["wher is green", "where is grene", "where is gren"])
def test_of_words_as_near_the_one_that_begins_alike_is_meant(question: str) -> None:
    """And not `when`."""
    asked = ask("autoscooter", question)
    assert asked
    assert asked[0] == "where"
    assert asked[1][0].startswith("Green")


def test_a_short_word_that_begins_otherwise_is_no_misspelling() -> None:
    """`late` names no gate."""
    assert ask("skorpion-deep", "why are you so late") is None
    asked = ask("autoscooter", "where is lbue")
    assert asked
    assert asked[1][0].startswith("Blue")


def test_what_lies_face_down_is_never_told() -> None:
    asked = table("squod")
    for question in (
        "what may south do?",
        "what can west do",
        "what is on S21",
        "what did the camera see",
    ):
        found = ask("squod", question)
        assert found is not None
        told = " ".join(found[1]).lower()
        assert not any(kind in told for kind in ("rock", "paper", "scissors")), (question, told)
    assert asked.game.view(asked.state.table.state, None)


# -- the last ruling and refusal ---------------------------------------------------------------


@pytest.fixture
def play() -> Play:
    """Red is in turn; orange has just been refused."""
    game = Play({"players": 8}, [RED_FIRST])
    game.look()
    game.put("orange", "d2", "NE")
    return game


def positions(play: Play, lang: str = "en") -> Positions:
    board = load_board("autoscooter")
    return Positions(REFEREE.game, board, play.state, play.step.rows, lang)


def test_why_tells_the_last_refusal_and_its_paragraph(play: Play) -> None:
    told = positions(play).answer(Heard("why"))
    assert "(AS-4.1)" in told[0]
    assert told[-1].startswith("AS-4.1: ")


def asked_why(play: Play, *rows: Row, phase: Phase | None = None) -> list[str]:
    state = play.state._replace(phase=phase) if phase else play.state
    board = load_board("autoscooter")
    return Positions(REFEREE.game, board, state, rows, "en").answer(Heard("why"))


@pytest.fixture
def refusal(play: Play) -> Row:
    return next(row for row in reversed(play.step.rows) if row.kind == "trouble")


def ruling() -> Row:
    fact = Fact("AS-4.2", "drives", "red", "A", "b1", "b2", 1, "E")
    return Row("action", {"facts": [fact._asdict()]})


def test_why_is_about_what_was_told_last(play: Play, refusal: Row) -> None:
    [told, full] = asked_why(play, refusal, ruling())
    assert "(AS-4.2)" in told
    assert full.startswith("AS-4.2: ")
    due = Row("question", {"key": "", "question": "which-move", "who": "red"})
    assert asked_why(play, refusal, ruling(), due) == [told, full]
    question = Row("question", {"key": "", "question": "which-piece", "who": "red"})
    assert asked_why(play, refusal, question) == ["Red moves; which piece?"]


def test_why_is_not_about_setting_up_once_the_game_has_begun(play: Play, refusal: Row) -> None:
    assert asked_why(play, refusal, Row("set-up", {})) == ["Nothing was refused in this game."]
    told = asked_why(play, refusal, Row("set-up", {}), ruling())
    assert "(AS-4.2)" in told[0]
    before = asked_why(play, refusal, phase=Phase.SETTING_UP)
    assert before == asked_why(play, refusal)


def test_why_after_the_end_tells_how_it_ended(play: Play, refusal: Row) -> None:
    shown = table("skorpion-deep")
    house = House(shown.game)
    over, _ = house.apply(shown.state.table, Resign(0))
    state = shown.state._replace(table=over, phase=Phase.OVER)
    rows = (*shown.rows, refusal)
    told = Positions(shown.game, shown.board, state, rows, "en").answer(Heard("why"))
    assert any(line.startswith("HR-") for line in told)
    assert not any("AS-4.1" in line for line in told)


def test_what_may_be_done_leaves_nothing_out(play: Play) -> None:
    state = play.state.table.state
    texts = [REFEREE.game.text(state, action) for action in REFEREE.game.legal(state)]
    told = positions(play).answer(Heard("may", "red"))
    assert [line.partition(":")[0] for line in told] == texts


def test_a_car_that_would_crash_where_it_stands_may_still_drive() -> None:
    found = ask("autoscooter", "what may blue do?")
    assert found is not None
    assert any(line.startswith("blue!C: ") for line in found[1])


def test_a_plot_that_was_noted_stays_secret(play: Play) -> None:
    open_, noted = Heard("may", "orange"), positions(play)
    again = Play({"players": 8}, [RED_FIRST])
    again.look()
    assert noted.answer(open_) == positions(again).answer(open_)


def test_what_if_tells_the_outcome_with_paragraphs(play: Play) -> None:
    told = positions(play).what_if("red>b1NE")
    assert told is not None
    assert "(AS-4.5)" in told[0]


def test_what_if_of_an_illegal_action_tells_why_not(play: Play) -> None:
    told = positions(play).what_if("red>c3E")
    assert told is not None
    assert "(AS-4.5)" in told[0]


def test_what_if_a_car_that_is_not_in_turn_played_a_letter(play: Play) -> None:
    told = positions(play).answer(Heard("what-if", "orange", letter="K"))
    assert "not the turn of orange" in told[0]


def test_who_pays_whom_before_anybody_did(play: Play) -> None:
    assert positions(play).answer(Heard("pays")) == ["Nobody has paid anything yet."]


# -- the command -------------------------------------------------------------------------------


def test_a_games_folder_can_be_asked_though_it_is_read_only(
    game_4p: SceneGame, tmp_path: Path
) -> None:
    folder = tmp_path / "evening"
    evening = new_evening_of(folder, game_4p.head)
    state = evening.state
    for given in game_4p.inputs[:30]:
        step = evening.referee.step(state, given)
        state = step.state
        evening.journal.write(step.rows, given.time)
    evening.journal.close()
    files = {path.name for path in folder.iterdir()}
    assert JOURNAL in files
    os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
    try:
        for asked, says in (
            ((str(folder), "who pays whom?"), "pays"),
            ((str(folder), "a qui le tour"), "Ensuite roule"),
            (("--kind", "may", "--piece", "red", str(folder)), "red"),
            ((str(folder), "may I stop on purpose?"), "AS-3.5"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "tableref", "ask", *asked],
                cwd=ROOT, preexec_fn=heed_permissions, capture_output=True, text=True,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            assert says in done.stdout
    finally:
        os.chmod(folder, stat.S_IRWXU)
    assert {path.name for path in folder.iterdir()} == files


def test_a_picture_shows_where_may_be_gone_and_overwrites_nothing(
    game_4p: SceneGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, picture = tmp_path / "evening", tmp_path / "may.png"
    evening = new_evening_of(folder, game_4p.head)
    state = evening.state
    for given in game_4p.inputs[:30]:
        step = evening.referee.step(state, given)
        state = step.state
        evening.journal.write(step.rows, given.time)
    evening.journal.close()
    asked = ["ask", str(folder), "what may red do", "--picture", str(picture)]
    assert main(asked) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(asked) == 2
    assert "stays" in capsys.readouterr().err


def test_the_ways_of_a_question_are_those_of_its_piece(play: Play) -> None:
    ways = set(positions(play).ways(Heard("may", "red")))
    assert {start for start, _ in ways} == {"a1"}
    assert not set(positions(play).ways(Heard("turn")))
