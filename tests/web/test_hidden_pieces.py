"""Squod: what a seat tells the referee of its pieces is sent to no other seat (SQ-1.5, SQ-6.1)."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tableref.referee.inputs import Act, Choose
from tableref.rules.squod.actions import PutBack, Show
from tableref.rules.squod.layout import KINDS
from tests.rules.harness import count
from tests.web.conftest import Phone, Table

Lay = Callable[..., Table]
RAMP = tuple(f"S{line}{lane}" for line in (1, 2) for lane in (1, 2, 3))
QUESTIONS = (
    "whose turn?", "help", "score", "what may south do?", "what may west do?",
    "may the piece on S31 take a1?", "can S32 go to b1?", "where is the rock of south?",
    "what does S21 hold?", "may south pass?", "can W31 attack S31?", "S31-a1", "r>S11", "0:S11=r",
    "S31 is rock", "S11 is paper", "S21 is empty", "a1 is rock", "what if S31-a1?", "west is away",
)  # fmt: skip


def dealt(rng: random.Random) -> list[str]:
    """Six pieces by chance."""
    return rng.sample([*KINDS, *KINDS], 6)


def form(ramp: tuple[str, ...], kinds: list[str]) -> dict[str, str]:
    """What a page sends that tells them."""
    return {f"0.{cell}": kind for cell, kind in zip(ramp, kinds, strict=True)}


def sent(phone: Phone, cells: list[str], lines: list[str]) -> str:
    """What the server sends to a phone, but for what is new with each page."""
    parts = [phone.page(), *(phone.client.get(f"/cells/{cell}").text for cell in cells)]
    parts += ["\n".join(phone.said("/say", line=line)) for line in lines]
    return re.sub(r'value="\w{64}"', "", "\n".join(parts))


def test_a_seat_tells_what_stands_on_its_ramp_and_sees_it_alone(laid: Lay) -> None:
    table = laid("squod", players=2)
    south, west = table.phone(seat=0), table.phone("10.0.0.2", seat=1)
    assert "Your pieces face down" in south.page()
    kinds = ["rock", "rock", "paper", "paper", "scissors", "scissors"]
    assert south.post("/note", **form(RAMP, kinds)).status_code == 200
    known = table.evening.referee.game.facts(table.desk.state.table.state)["pieces"]
    assert [known[cell] for cell in RAMP] == [f"0 {kind}" for kind in kinds]
    assert "S11 rock" in south.page()
    assert "S11 rock" not in west.page()
    assert "South has told me in secret what stands on the ramp" in west.page()


@pytest.mark.parametrize(
    "kinds",
    [["rock"] * 6, ["rock", "rock", "paper", "paper", "scissors", ""], ["boat"] * 6],
)
def test_what_no_deal_allows_is_not_taken(laid: Lay, kinds: list[str]) -> None:
    table = laid("squod", players=2)
    assert table.phone(seat=0).post("/note", **form(RAMP, kinds)).status_code == 403
    assert table.given == []


def test_nobody_tells_the_pieces_of_another(laid: Lay) -> None:
    table = laid("squod", players=2)
    kinds = ["rock", "rock", "paper", "paper", "scissors", "scissors"]
    west = table.phone(seat=1)
    assert west.post("/note", **form(RAMP, kinds)).status_code == 403
    told = {"tell": {"player": 0, "pieces": dict(zip(RAMP, kinds, strict=True))}}
    table.take(Act(1.0, told, 1))
    assert "Only South tells me what stands on that ramp" in west.page()


def test_with_pieces_told_a_move_is_judged_at_once(laid: Lay) -> None:
    """An attack needs no word of kinds; what it shows is told then, and nothing before."""
    table = laid("squod", players=2)
    kinds = ["rock", "rock", "paper", "paper", "scissors", "scissors"]
    table.phone(seat=0).post("/note", **form(RAMP, kinds))
    west = tuple(cell.replace("S", "W") for cell in RAMP)
    page = table.phone("10.0.0.2", seat=1)
    page.post("/note", **form(west, kinds[::-1]))
    for line in ("S22-S32", "W21-W31"):
        table.take(Act(1.0, table.evening.referee.game.parse(None, line).record()))
    table.take(Act(1.0, {"squod": {"from": "S32", "via": "S32", "target": "W31"}}))
    assert "Squod" in page.page()
    assert table.desk.state.trouble is None
    assert table.desk.state.ask is None or table.desk.state.ask.key == "which-move"


@pytest.mark.parametrize("how", ["told", "set-up", "secret"])
def test_deals_that_a_seat_cannot_tell_apart_are_sent_to_it_alike(laid: Lay, how: str) -> None:
    """Whole games, driven alike as long as the pieces that are shown are the same."""
    compared = 0
    for seed in range(count(3, 100)):
        rng = random.Random(f"{how} {seed}")
        west, south = dealt(rng), [dealt(rng), dealt(rng)]
        tables = [_begun(laid, how, deal, west) for deal in south]
        phones = [(table.phone(seat=1), table.phone("10.0.0.9")) for table in tables]
        for turn in range(count(6, 20)):
            cells = rng.sample(list(tables[0].evening.board.cells), 4)
            lines = rng.sample(QUESTIONS, 3)
            for own, other in zip(*phones, strict=True):
                assert sent(own, cells, lines) == sent(other, cells, lines), (seed, turn)
                compared += 1
            if not _same_move(tables, rng):
                break
    assert compared


def _begun(laid: Lay, how: str, south: list[str], west: list[str]) -> Table:
    known: dict[str, Any] = {"placement": [south, west]} if how != "told" else {}
    if how == "secret":
        known["secret"] = True
    table = laid("squod", players=2, **known)
    table.pages.rates.clock = itertools.count(0, 60).__next__  # phones may ask at any time
    if known:
        return table
    ramps = (RAMP, tuple(cell.replace("S", "W") for cell in RAMP))
    for seat, (ramp, kinds) in enumerate(zip(ramps, (south, west), strict=True)):
        phone = table.phone(seat=seat)
        assert phone.post("/note", **form(ramp, kinds)).status_code == 200
        phone.post("/leave")
    return table


def _same_move(tables: list[Table], rng: random.Random) -> bool:
    """A move by chance that shows the same in both; whether there is any."""
    game = tables[0].evening.referee.game
    states: list[Any] = [table.desk.state.table.state for table in tables]
    if any(game.due(state).kind == "over" for state in states):
        return False
    actions = [one for one in game.legal(states[0]) if not isinstance(one, Show)]
    rng.shuffle(actions)
    for action in actions:
        if game.judge(states[1], action).broken:
            continue
        (one, facts), (two, others) = (game.apply(state, action) for state in states)
        seen: list[Mapping[str, Any]] = [game.view(state, 1) for state in (one, two)]
        if facts == others and seen[0] == seen[1]:
            _carry_out(tables, action, rng)
            return True
    return False


def _carry_out(tables: list[Table], action: Any, rng: random.Random) -> None:
    """By a line, or by the button that offers it."""
    game = tables[0].evening.referee.game
    offered = tables[0].desk.state.ask
    wanted = game.unnamed(action)
    by_button = [
        number
        for number, answer in enumerate(offered.answers if offered else ())
        if answer.actions == (wanted,) and offered and not offered.about
    ]
    # Where a set-up told all pieces a put-back is named, so that no button alone does it (SQ-6.1).
    named = isinstance(action, PutBack) and not tables[0].desk.state.table.state.setup.secret
    press = by_button and not named and rng.random() < 0.5
    for table in tables:
        if press:
            assert table.desk.state.ask is not None
            table.take(Choose(2.0, by_button[0], table.desk.state.ask.number))
        else:
            table.take(Act(2.0, action.record()))


def test_what_is_in_a_hand_is_not_told_by_examples(laid: Lay) -> None:
    """A hand from which something was put back hidden: rock or paper is left, nobody knows."""
    heard = []
    for left in ("rock", "paper"):
        table = laid("squod", players=2)
        hands = {"0": [left], "1": []}
        position = {"pieces": {"S12": "0 ?", "W11": "1 ?", "a1": "1 rock"}, "hands": hands}
        agreed = {"position": {**position, "turn": 0}, "agreed": [0, 1]}
        table.take(Act(1.0, {"correct": agreed}))
        assert table.desk.state.trouble is None
        west = table.phone("10.0.0.2", seat=1)
        heard.append([west.said("/say", line=line) for line in ("help", "what may south do?")])
    assert heard[0] == heard[1]
    assert "S11" in str(heard[0])


def test_a_seat_is_told_what_its_own_piece_face_down_may_do_and_nobody_else(laid: Lay) -> None:
    table = laid("squod", players=2)
    south, west, onlooker = table.phone(seat=0), table.phone("10.0.0.2", seat=1), table.phone()
    south.post("/note", **form(RAMP, ["rock", "paper", "scissors"] * 2))
    game = table.evening.referee.game
    for line in ("S21-S31", "W21-W31", "S22-S32", "W22-W32"):
        table.take(Act(1.0, game.parse(table.desk.state.table.state, line).record()))
    question = {"line": "what if S31-a1?"}
    assert "S31-a1: South brings onto the ring, from S31 to a1: rock." in south.said(
        "/say", **question
    )
    for other in (west, onlooker):
        assert "depends on what lies face down" in str(other.said("/say", **question))
    # What stands against it lies face down for everybody who asks.
    attack = {"line": "what if S31 attacks W32?"}
    assert "depends on what lies face down" in str(south.said("/say", **attack))
