"""What may be chosen is told in words: what goes where, then what happens, in whole sentences."""

from __future__ import annotations

import random
import re

import pytest

from tableref.referee import asking
from tableref.referee.asking import choices, entered
from tableref.referee.games import GAMES, load_game
from tableref.referee.wording import Wording
from tableref.rulebook.text import LANGUAGES
from tableref.rules.explain import Put
from tableref_hardware import load_board


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_what_follows_a_move_is_told_in_sentences(name: str, lang: str) -> None:
    board, chance = load_board(name), random.Random(3)
    game = load_game(name, board)
    state = game.start(dict(game.shown_setup))
    words = Wording(game, board, lang, game.players(state))
    told = set[str]()
    for _ in range(120):
        legal = list(game.legal(state))
        if not legal:
            break
        if game.due(state).kind == "act":
            told |= {words.choice(one) for one in choices(game, state, entered(game, state, ""))}
        state = game.apply(state, chance.choice(legal))[0]
    assert name != "scorpion" or any(". " in text for text in told)  # two dice are given up
    for text in told:
        assert not re.search(r"[.!?] ?,|\.\.|, \.|,$", text), text


def test_nobody_is_asked_which_piece_where_all_come_from_one_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "MOST_PAGES", 2)
    game = load_game("skorpion-deep")
    start = game.start({})
    ask = entered(game, start, "red")
    assert len(choices(game, start, ask)) == 3  # beads from the hand, each to a spot of its own


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_no_word_stands_twice_where_it_is_said_what_goes_where(name: str, lang: str) -> None:
    """A direction may bring its own preposition: "vers le bas"."""
    game = load_game(name)
    words = Wording(game, load_board(name), lang)
    for cell, stack in game.board(game.start({})).items():
        for piece in stack:
            said = words.put(Put(piece, "", cell))
            assert not re.search(r"\b(\w+) \1\b", said), said


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "red>b1NE"), ("fr", "rouge>b1NE"), ("de", "rot>b1NO")]
)
def test_what_is_asked_to_be_taken_back_is_told_in_the_language(lang: str, said: str) -> None:
    words = Wording(load_game("autoscooter"), load_board("autoscooter"), lang)
    asked = {"question": "take-back", "done": "red>b1NE", "choices": []}
    assert said in words.question(asked)
    assert said in " ".join(words.messages.screen("take-back", words.asked(asked)))
