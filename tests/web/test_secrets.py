"""What a seat writes down is sent to no other seat, before it is used."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tableref.referee.inputs import Act
from tableref.web.noting import NONE, due_notes, noted
from tests.rules.harness import count
from tests.web.conftest import Phone, Table, drive

Lay = Callable[..., Table]


def chosen(table: Table, seat: int, rng: random.Random) -> dict[str, str]:
    """A form filled in by chance."""
    game, state = table.evening.referee.game, table.live.state.table.state
    return {
        f"{note.number}.{field.name}": rng.choice(field.values)
        for note in due_notes(game, state, seat)
        for field in note.fields
    }


def sent(phone: Phone) -> str:
    """All that the server sends to a phone, but for what is new with each page."""
    pages = [phone.page(path) for path in ("/", "/rules")]
    asked = [
        "\n".join(phone.said("/say", line=line))
        for line in ("what may red do?", "whose turn?", "score", "help", "what did red plot?")
    ]
    return re.sub(r'value="\w{64}"', "", "\n".join((*pages, *asked)))


def test_two_seats_note_a_round_and_it_begins_when_both_have(laid: Lay) -> None:
    table = laid("autoscooter", players=2, paper=False)
    one, two = table.phone(seat=0), table.phone(seat=1)
    assert "Write down in secret" in one.page()
    one.post("/note", **chosen(table, 0, random.Random(1)))
    assert "Write down in secret" not in one.page()
    assert "Waiting for the plots of player 2" in one.page()
    two.post("/note", **chosen(table, 1, random.Random(2)))
    assert "They move in this order" in one.page()


def test_a_seat_is_offered_its_own_cars_and_numbers_alone(laid: Lay) -> None:
    table = laid("autoscooter", players=4, paper=False)
    game, state = table.evening.referee.game, table.live.state.table.state
    abouts = [{note.about for note in due_notes(game, state, seat)} for seat in range(4)]
    assert abouts == [
        {"red", "blue"}, {"orange", "purple"}, {"yellow", "white"}, {"green", "black"},
    ]  # fmt: skip
    assert "Write down in secret" not in table.phone().page()


def test_where_each_letter_leads_is_offered_with_it(laid: Lay) -> None:
    table = laid("autoscooter", players=2, paper=False)
    house, rng = table.evening.referee.house, random.Random(3)
    for _ in range(60):
        state = table.desk.state.table.state
        if house.game.due(state).kind == "plot" and any(state.speeds):
            break
        table.desk.take(Act(0.0, rng.choice(list(house.game.legal(state))).record()))
    state = table.live.state.table.state
    notes = [n for seat in (0, 1) for n in due_notes(house.game, state, seat)]
    fields = [field for note in notes for field in note.fields if field.name == "letter"]
    moving = [field for field in fields if field.leads]
    assert moving
    for field in moving:
        assert set(field.values) == {NONE, *field.leads}
        assert all(cell in table.evening.board.cells for cell, _ in field.leads.values())


def test_what_was_not_offered_is_not_noted(laid: Lay) -> None:
    table = laid("autoscooter", players=2, paper=False)
    one = table.phone(seat=0)
    good = chosen(table, 0, random.Random(1))
    for bad in ({"0.number": "2"}, {"0.letter": "Z"}, {"0.number": "x" * 50}):
        assert one.post("/note", **{**good, **bad}).status_code == 403
    assert one.post("/note").status_code == 403
    assert table.given == []


def test_no_other_seat_and_no_onlooker_is_sent_a_byte_of_it(laid: Lay) -> None:
    """Deals that a seat cannot tell apart are sent to it alike, over random rounds."""
    compared = 0
    for seed in range(count(3, 200)):
        looks: list[tuple[str, str]] = []
        for deal in (1, 2):
            table = laid("autoscooter", players=2, paper=False)
            drive(table, random.Random(seed), rounds=seed % 3)
            other, onlooker = table.phone(seat=1), table.phone("10.0.0.9")
            game, state = table.evening.referee.game, table.live.state.table.state
            if game.due(state).kind != "plot":
                break
            own = chosen(table, 0, random.Random(f"{seed} {deal}"))
            for action in noted(game, state, 0, own):
                table.take(Act(1.0, action.record(), 0))
            looks.append((sent(other), sent(onlooker)))
        if looks:
            assert looks[0] == looks[1], seed
            compared += 1
    assert compared
