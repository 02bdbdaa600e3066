"""Who plays whom: Swiss and round robin."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("networkx", reason="the hub needs: pip install 'tableref[hub]'")

from tableref.hub.pairing import (
    DRAW,
    LOSS,
    NOBODY,
    ROUND_ROBIN,
    SWISS,
    WIN,
    Entrant,
    NotPaired,
    Pairing,
    Tournament,
    next_round,
    standings,
)
from tests.rules.harness import count


def tournament(players: int, system: str = SWISS) -> Tournament:
    return Tournament("club", system, tuple(Entrant(n, f"p{n}") for n in range(1, players + 1)))


def played(before: Tournament, rng: random.Random) -> Tournament:
    """With one round more, its results by chance."""
    games = (
        one if one.points else one._replace(points=rng.choice((WIN, WIN, DRAW, LOSS)))
        for one in next_round(before)
    )
    return before._replace(pairings=(*before.pairings, *games))


def pairs(tournament: Tournament) -> list[frozenset[int]]:
    return [frozenset((one.first, one.second)) for one in tournament.pairings]


@pytest.mark.parametrize("players", range(2, 13))
def test_in_a_round_robin_all_meet_once_in_the_order_of_berger(players: int) -> None:
    now, rng = tournament(players, ROUND_ROBIN), random.Random(players)
    for _ in range(players - 1 + players % 2):
        now = played(now, rng)
        last = [one for one in now.pairings if one.round == now.rounds]
        assert sorted(n for one in last for n in one[2:4] if n) == list(range(1, players + 1))
    assert len(set(pairs(now))) == len(pairs(now)) == (players + players % 2) * (now.rounds) // 2
    with pytest.raises(NotPaired, match="over"):
        next_round(now)
    if players == 6:  # FIDE Handbook C.05, annex 1
        told = "16 25 34 64 53 12 26 31 45 65 14 23 36 42 51"
        assert " ".join(f"{one.first}{one.second}" for one in now.pairings) == told


@pytest.mark.parametrize("seed", range(count(12, 300)))
def test_in_a_swiss_nobody_meets_another_twice_nor_has_two_byes(seed: int) -> None:
    rng = random.Random(seed)
    players = rng.randrange(4, 24)
    now = tournament(players)
    for _ in range(min(5, players // 2)):
        left = rng.choice(now.entrants)
        if rng.random() < 0.1 and len(now.entrants) > 8:
            now = now._replace(
                entrants=tuple(
                    one._replace(plays=False) if one == left else one for one in now.entrants
                )
            )
        now = played(now, rng)
        last = [one for one in now.pairings if one.round == now.rounds]
        there = sorted(one.number for one in now.entrants if one.plays)
        assert sorted(n for one in last for n in one[2:4] if n) == there
        assert [one.board for one in last] == list(range(1, len(last) + 1))
    assert len(set(pairs(now))) == len(pairs(now))


def test_in_a_swiss_players_of_like_points_meet_and_the_upper_half_meets_the_lower() -> None:
    now = tournament(8)
    first = next_round(now)
    assert {frozenset(one[2:4]) for one in first} == {
        frozenset(pair) for pair in ((1, 5), (2, 6), (3, 7), (4, 8))
    }
    # Those of higher rank win.
    now = now._replace(
        pairings=tuple(one._replace(points=WIN if one.first < 5 else LOSS) for one in first)
    )
    assert {frozenset(one[2:4]) for one in next_round(now)} == {
        frozenset(pair) for pair in ((1, 3), (2, 4), (5, 7), (6, 8))
    }


def test_a_bye_is_a_point_and_goes_to_one_of_the_last() -> None:
    now = tournament(5)
    for expected in (0, 1):
        bye = next(one for one in next_round(now) if one.second == NOBODY)
        assert bye.points == WIN
        place = [one.entrant.number for one in standings(now)].index(bye.first)
        assert standings(now)[place].points <= expected
        now = played(now, random.Random(1))


def test_who_has_begun_less_often_begins() -> None:
    now, rng = tournament(16), random.Random(2)
    for _ in range(6):
        now = played(now, rng)
    begun = [one.first for one in now.pairings]
    assert all(1 <= begun.count(one.number) <= 5 for one in now.entrants)


def test_no_round_is_paired_while_results_are_missing_or_nobody_is_left() -> None:
    now = tournament(4)
    now = now._replace(pairings=next_round(now))
    with pytest.raises(NotPaired, match="open"):
        next_round(now)
    with pytest.raises(NotPaired, match="few"):
        next_round(tournament(1))
    now = tournament(3)
    for _ in range(3):
        now = played(now, random.Random(3))
    with pytest.raises(NotPaired, match="met"):
        next_round(now)


def test_in_a_round_robin_who_has_gone_loses_without_a_game() -> None:
    now = tournament(4, ROUND_ROBIN)
    now = now._replace(entrants=(*now.entrants[:3], Entrant(4, "p4", plays=False)))
    assert next_round(now)[0] == Pairing(1, 1, 1, 4, WIN)


def test_equal_points_are_told_apart_by_the_points_of_opponents_then_by_wins() -> None:
    games = (
        Pairing(1, 1, 1, 3, WIN), Pairing(1, 2, 2, 4, WIN),
        Pairing(2, 1, 1, 2, DRAW), Pairing(2, 2, 3, 4, WIN),
    )  # fmt: skip
    now = tournament(4)._replace(pairings=games)
    found = [(one.place, one.entrant.number, one.points, one.buchholz) for one in standings(now)]
    assert found == [(1, 1, 3, 5), (2, 2, 3, 3), (3, 3, 2, 3), (4, 4, 0, 5)]
    assert [one.place for one in standings(tournament(3))] == [1, 1, 1]
