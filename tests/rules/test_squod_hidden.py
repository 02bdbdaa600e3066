"""Squod with pieces that the referee does not know (SQ-6.1), against a brute-force reckoning."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.boards import SQUOD, dealt
from tests.rules.harness import FULL, choose

from tableref.referee.games import load_game
from tableref.rules.log import House
from tableref.rules.squod.actions import Move, PutBack, Show, Squod, Tell
from tableref.rules.squod.layout import KINDS
from tableref.rules.surface import Refused, UnreadableAction

WHOLE = tuple(sorted({tuple(deal) for deal in permutations((*KINDS, *KINDS))}))
"""All deals of six pieces."""


class Table:
    """A real game of two, and beside it every deal of one player's pieces that agrees with what
    was shown: pieces numbered from 0, each with its place, worlds as kinds by number.

    In a world a number may be anywhere the hand leaves open: what was put back is one of the
    numbers in the hand. So a world is (kind by number, place by number).
    """

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        setup = dealt(2, seed) | {"first": 0}
        self.real: Any = SQUOD.start(setup)
        self.known: Any = SQUOD.start({"first": 0})
        places = [f"{side}{line}{lane}" for side in "S" for line in (1, 2) for lane in (1, 2, 3)]
        self.worlds = {(deal, tuple(places)) for deal in WHOLE}

    def step(self) -> None:
        """One random action, as the referee hears of it."""
        actions = [a for a in SQUOD.legal(self.real) if not isinstance(a, Show)]
        action = choose(self.rng, actions)
        told = self.told(action)
        after, _ = SQUOD.apply(self.known, told)
        if self.real.turn == 0 or isinstance(action, Squod | Move):
            self.follow(action)
        self.known = after
        self.real, _ = SQUOD.apply(self.real, action)

    def told(self, action: Any) -> Any:
        """Put-backs are not told; what is shown is."""
        pieces, known = SQUOD.facts(self.real)["pieces"], SQUOD.facts(self.known)["pieces"]

        def shown(place: str) -> str:
            return pieces[place].split()[1] if known[place].endswith("?") else ""

        if isinstance(action, PutBack):
            return PutBack("", action.to)
        if isinstance(action, Move) and action.to[0] in "abc":
            return action._replace(kind=shown(action.start))
        if isinstance(action, Squod):
            return action._replace(kinds=(shown(action.start), shown(action.target)))
        return action

    def follow(self, action: Any) -> None:
        """The worlds of player 0 after an action."""
        pieces = SQUOD.facts(self.real)["pieces"]
        after, _ = SQUOD.apply(self.real, action)
        now = SQUOD.facts(after)["pieces"]
        if isinstance(action, PutBack):
            self.worlds = {
                (kinds, (*at[:n], action.to, *at[n + 1 :]))
                for kinds, at in self.worlds
                for n, place in enumerate(at)
                if place == "hand"
            }
            return
        places = [action.start, getattr(action, "target", getattr(action, "to", ""))]
        onto_ring = isinstance(action, Squod) or action.to[0] in "abc"
        for place in places:
            if onto_ring and pieces.get(place, "").startswith("0 "):
                kind = pieces[place].split()[1]
                self.worlds = {w for w in self.worlds if w[0][w[1].index(place)] == kind}
        goes = self.goes(action, pieces, now)
        self.worlds = {(kinds, tuple(goes.get(p, p) for p in at)) for kinds, at in self.worlds}

    def goes(self, action: Any, pieces: dict[str, str], now: dict[str, str]) -> dict[str, str]:
        """Where the pieces of player 0 went: place before -> place after."""
        gone = [p for p, piece in pieces.items() if piece[0] == "0" and now.get(p) != piece]
        come = [p for p, piece in now.items() if piece[0] == "0" and pieces.get(p) != piece]
        return dict.fromkeys(gone, come[0] if come else "hand")


@settings(max_examples=300 if FULL else 30, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_possible_is_just_what_some_deal_allows(seed: int) -> None:
    table = Table(seed)
    for _ in range(60):
        if SQUOD.outcome(table.real) or next(SQUOD.legal(table.real)).record() == {"pass": True}:
            break
        table.step()
        told = SQUOD.facts(table.known)
        for place, piece in told["pieces"].items():
            if piece[0] == "0":
                allowed = {kinds[at.index(place)] for kinds, at in table.worlds}
                assert set(SQUOD.possible(table.known, place)) == allowed, place
        hands = {
            tuple(sorted(k for k, place in zip(kinds, at, strict=True) if place == "hand"))
            for kinds, at in table.worlds
        }
        sure = Counter(min((Counter(hand) for hand in hands), key=len))
        for hand in hands:
            sure &= Counter(hand)
        assert Counter(k for k in told["hands"]["0"] if k != "?") == sure


@settings(max_examples=100 if FULL else 10, deadline=None)
@given(st.integers(0, 2**32))
def test_a_player_may_tell_just_what_some_deal_allows_and_then_all_is_known(seed: int) -> None:
    table = Table(seed)
    for _ in range(table.rng.randrange(40)):
        if SQUOD.outcome(table.real) or next(SQUOD.legal(table.real)).record() == {"pass": True}:
            break
        table.step()
    places = SQUOD.to_tell(table.known, 0)
    deals = {
        tuple((place, kinds[at.index(place)]) for place in places) for kinds, at in table.worlds
    }
    for told in {*deals, *(tuple((place, "rock") for place in places),)} if places else ():
        tell = SQUOD.telling(0, dict(told))
        assert SQUOD.judge(table.known, tell, 0).allowed == (told in deals), told
        assert SQUOD.read(tell.record()) == tell
        assert SQUOD.parse(table.known, SQUOD.text(table.known, tell)) == tell
        assert SQUOD.public_text(table.known, tell) == "S ?"
        if told in deals:
            after, _ = SQUOD.apply(table.known, tell)
            assert SQUOD.to_tell(after, 0) == {}
            assert "?" not in SQUOD.facts(after)["hands"]["0"]


def test_only_a_part_of_the_hidden_pieces_cannot_be_told() -> None:
    """SQ-6.1: how many are told would tell the others something."""
    state = position({"S31": "0 ?", "S32": "0 ?", **RING})
    ruling = SQUOD.judge(state, Tell(0, (("S31", "paper"),)), 0)
    assert [(fact.paragraph, fact.case) for fact in ruling.broken] == [("SQ-6.1", "tell-all")]


def test_all_deals_of_a_whole_set_are_ninety() -> None:
    assert len(WHOLE) == 90
    assert [len(deals) for deals in SQUOD.start({}).deals] == [90, 90]


def position(pieces: dict[str, str], hands: dict[str, list[str]] | None = None) -> Any:
    return SQUOD.from_position({}, {"pieces": pieces, "hands": hands or {}, "turn": 0})


def refused(state: Any, text: str) -> list[tuple[str, str]]:
    ruling = SQUOD.judge(state, SQUOD.parse(state, text))
    return [(fact.paragraph, fact.case) for fact in ruling.broken]


RING = {"a1": "0 rock", "b2": "0 rock", "W11": "1 ?"}


def test_a_piece_cannot_be_what_two_others_are() -> None:
    state = position({"S31": "0 ?", "S32": "0 ?", **RING})
    assert SQUOD.possible(state, "S32") == ("paper", "scissors")
    assert refused(state, "S32-b1=r") == [("SQ-6.1", "cannot-be")]
    assert refused(state, "S32-b1=p") == []


def test_a_piece_that_comes_onto_the_ring_is_shown() -> None:
    state = position({"S32": "0 ?", "W11": "1 ?"})
    assert refused(state, "S32-b1") == [("SQ-1.5", "show-it")]


def test_a_move_that_hangs_on_a_hidden_piece_is_judged_when_it_is_shown() -> None:
    """Found illegal it is taken back; the piece counts as known; the same player moves again."""
    state = position({"S32": "0 ?", "b1": "1 paper", "W11": "1 ?"})
    tried = SQUOD.parse(state, "S32-b1=r")
    with pytest.raises(Refused) as refusal:
        SQUOD.apply(state, tried)
    assert refusal.value.ruling.paragraphs == ("SQ-3.4",)
    for show in SQUOD.learned(state, tried):
        state, _ = SQUOD.apply(state, show)
    assert SQUOD.facts(state)["pieces"]["S32"] == "0 rock"
    assert SQUOD.due(state).players == (0,)
    assert SQUOD.learned(state, tried) == ()


def test_known_pieces_make_the_last_ones_known() -> None:
    pieces = {"S11": "0 rock", "S12": "0 rock", "S13": "0 paper", "S21": "0 paper",
              "S22": "0 scissors", "S23": "0 ?", "W11": "1 ?"}  # fmt: skip
    assert SQUOD.facts(position(pieces))["pieces"]["S23"] == "0 scissors"


def test_both_show_their_piece_in_an_attack() -> None:
    state = position({"S32": "0 ?", "W32": "1 ?"})
    assert refused(state, "S32/S32xW32") == [("SQ-4.3", "both-show")]
    after, _ = SQUOD.apply(state, SQUOD.parse(state, "S32/S32xW32=rr"))
    assert SQUOD.facts(after)["pieces"] == {"S32": "0 rock", "W32": "1 rock"}
    assert set(SQUOD.view(after, None)["pieces"].values()) == {"0 ?", "1 ?"}


def test_an_attack_that_stands_by_a_house_ruling_shows_what_the_pieces_can_be() -> None:
    """HR-2.3: S21 goes two lanes aside; that stands, and its kind is still one of 2-2-2."""
    rest = {"S31": "0 rock", "S32": "0 rock"}
    state = position({"S21": "0 ?", **rest, "W31": "1 ?", "W11": "1 ?"})
    assert refused(state, "S21/S33xW31=rp") == [("SQ-3.1", "not-one-line-on")]
    for named in ("", "=rp"):
        with pytest.raises(UnreadableAction, match="S21"):
            SQUOD.force(state, SQUOD.parse(state, f"S21/S33xW31{named}"))
    after, _ = SQUOD.force(state, SQUOD.parse(state, "S21/S33xW31=sp"))
    assert SQUOD.facts(after)["pieces"]["c1"] == "0 scissors"


def test_what_was_put_back_without_a_word_is_one_of_the_hand() -> None:
    state = position({"S21": "0 ?", "W11": "1 ?"}, {"0": ["rock", "paper"]})
    state, facts = SQUOD.apply(state, SQUOD.parse(state, "?>S11"))
    assert SQUOD.possible(state, "S11") == ("paper", "rock")
    assert SQUOD.facts(state)["hands"]["0"] == ["?"]
    assert [fact.what for fact in facts] == [""]


def test_where_all_is_known_a_put_back_is_named() -> None:
    state = position({"S21": "0 rock", "W11": "1 rock"}, {"0": ["rock", "paper"]})
    assert refused(state, "?>S11") == [("SQ-6.1", "name-it")]
    assert refused(state, "r>S11") == []


def test_a_pass_is_possible_where_some_deal_leaves_no_move() -> None:
    state = position({"S32": "0 ?", "b1": "1 paper", "W11": "1 ?"})
    assert refused(state, "pass") == []
    sure = position({"S32": "0 ?", "S12": "0 ?", "b1": "1 paper", "W11": "1 ?"})
    assert refused(sure, "pass") == [("SQ-3.8", "must-move")]


def test_a_refused_pass_does_not_tell_what_a_hidden_piece_is() -> None:
    state = position({"S32": "0 scissors", "b1": "1 paper", "W11": "1 rock"})
    assert refused(state, "pass") == [("SQ-3.8", "can-take")]
    assert "scissors" not in repr(SQUOD.judge(state, SQUOD.parse(state, "pass")))


def test_a_refused_move_leaves_the_shown_piece_known() -> None:
    """SQ-6.1: scissors may not take the rock; taken back, they are known as scissors."""
    house = House(load_game("squod"))
    pieces = {"S31": "0 ?", "a1": "1 rock", "W11": "1 ?"}
    table = house.start({"players": 2}, {"pieces": pieces, "hands": {}, "turn": 0})
    move = house.read({"move": ["S31", "a1", "scissors"]})
    assert "SQ-3.4" in house.judge(table, move).paragraphs
    for shown in house.learned(table, move):
        table = house.apply(table, shown)[0]
    assert house.game.facts(table.state)["pieces"]["S31"] == "0 scissors"
    assert house.due(table).players == (0,)
