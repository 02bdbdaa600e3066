"""Who plays whom in a tournament's next round, and how all stand: Swiss and round robin.

>>> players = tuple(Entrant(number, name) for number, name in enumerate("ABCD", 1))
>>> [(one.first, one.second) for one in next_round(Tournament("club", SWISS, players))]
[(1, 3), (4, 2)]

Swiss: players of like points meet, nobody meets the same one twice, and where their number is odd
one of the last has a bye, nobody two of them. Round robin: each meets each once (the circle method,
the order of the Berger tables). The pairings of a Swiss round are a matching of least weight in the
graph of those who have not met (Edmonds' blossoms, by networkx).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

SWISS, ROUND_ROBIN = "swiss", "round-robin"
SYSTEMS = (SWISS, ROUND_ROBIN)
WIN, DRAW, LOSS = (2, 0), (1, 1), (0, 2)
"""Points of both in halves of a point; a bye counts as a win."""
NOBODY = 0
"""Number of an opponent who is not there: a bye."""
LIKELY = 8
"""Opponents of each player that are tried first; all are, should they not do."""


class NotPaired(Exception):
    """There is no next round. `args[0]`: "open" (results are missing), "few" (fewer than two
    players), "over" (all have met), "met" (nobody can be paired but with some who have met)."""


class Entrant(NamedTuple):
    """A player: his number from 1, which is his rank at the start; whether he still plays."""

    number: int
    name: str
    plays: bool = True


class Pairing(NamedTuple):
    """A game of a round: who begins and who does not; NOBODY is a bye. `points` of both in halves;
    None until they are known."""

    round: int
    board: int
    first: int
    second: int
    points: tuple[int, int] | None = None


class Tournament(NamedTuple):
    """All that a next round hangs on."""

    name: str
    system: str
    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...] = ()

    @property
    def rounds(self) -> int:
        """Rounds that were paired."""
        return max((one.round for one in self.pairings), default=0)


class Standing(NamedTuple):
    """How a player stands: his place (those who are equal share one), his points in halves, the sum
    of his opponents' points (Buchholz), his wins over somebody, the games that he has played."""

    place: int
    entrant: Entrant
    points: int
    buchholz: int
    wins: int
    games: int


def standings(tournament: Tournament) -> list[Standing]:
    """All players, the best first: by points, Buchholz, wins, and then by number."""
    points = _points(tournament)
    buchholz, wins, games = (dict.fromkeys(points, 0) for _ in range(3))
    for one in tournament.pairings:
        if one.points is None or one.second == NOBODY:
            continue
        for own, other, score in zip(
            (one.first, one.second), (one.second, one.first), one.points, strict=True
        ):
            buchholz[own] += points[other]
            wins[own] += score == WIN[0]
            games[own] += 1

    def worth(entrant: Entrant) -> tuple[int, int, int]:
        return points[entrant.number], buchholz[entrant.number], wins[entrant.number]

    ranked = sorted(tournament.entrants, key=lambda one: (*(-x for x in worth(one)), one.number))
    found: list[Standing] = []
    for place, entrant in enumerate(ranked, 1):
        equal = found and worth(found[-1].entrant) == worth(entrant)
        shared = found[-1].place if equal else place
        found.append(Standing(shared, entrant, *worth(entrant), games[entrant.number]))
    return found


def next_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """The pairings of the next round; a bye has its points. NotPaired"""
    if any(one.points is None for one in tournament.pairings):
        raise NotPaired("open")
    paired = _round_robin if tournament.system == ROUND_ROBIN else _swiss
    pairs = paired(tournament)
    number = tournament.rounds + 1
    return tuple(
        Pairing(number, board, first, second, _settled(tournament, first, second))
        for board, (first, second) in enumerate(pairs, 1)
    )


def _settled(tournament: Tournament, first: int, second: int) -> tuple[int, int] | None:
    """Points of those who have nobody to play with."""
    there = {one.number for one in tournament.entrants if one.plays}
    match first in there, second in there:
        case True, True:
            return None
        case True, False:
            return WIN
        case False, True:
            return LOSS
    return 0, 0


def _points(tournament: Tournament) -> dict[int, int]:
    points = {one.number: 0 for one in tournament.entrants}
    for one in tournament.pairings:
        for player, score in zip((one.first, one.second), one.points or (0, 0), strict=True):
            if player != NOBODY:
                points[player] += score
    return points


# -- round robin ----------------------------------------------------------------------------------


def _round_robin(tournament: Tournament) -> list[tuple[int, int]]:
    """The circle method: the last one sits still, all others move on by half a circle each round.
    Who is no longer there is paired as he would have been."""
    players = [one.number for one in tournament.entrants]
    if len(players) < 2:
        raise NotPaired("few")
    if len(players) % 2:
        players.append(NOBODY)
    *circle, still = players
    turn, size = tournament.rounds, len(circle)
    if turn >= size:
        raise NotPaired("over")
    ring = [circle[(turn * (size + 1) // 2 + step) % size] for step in range(size)]
    head = (ring[0], still) if turn % 2 == 0 else (still, ring[0])
    pairs = [head, *((ring[step], ring[-step]) for step in range(1, (size + 1) // 2))]
    return [(b, a) if a == NOBODY else (a, b) for a, b in pairs]


# -- Swiss ----------------------------------------------------------------------------------------


def _swiss(tournament: Tournament) -> list[tuple[int, int]]:
    there = {one.number for one in tournament.entrants if one.plays}
    if len(there) < 2:
        raise NotPaired("few")
    ranked = [one for one in standings(tournament) if one.entrant.number in there]
    points = {one.entrant.number: one.points for one in ranked}
    order = list(points)
    if len(order) % 2:
        order.append(NOBODY)
        points[NOBODY] = min(points.values())
    met = {frozenset((one.first, one.second)) for one in tournament.pairings}
    weights = {
        frozenset((a, b)): weight
        for (a, b), weight in _weights(order, points).items()
        if frozenset((a, b)) not in met
    }
    pairs = _matched(order, weights)
    began = [one.first for one in tournament.pairings if one.second != NOBODY]
    boards = sorted(
        (sorted(pair, key=order.index) for pair in pairs),
        key=lambda pair: (NOBODY in pair, order.index(pair[0])),
    )
    return [_seated(better, other, began, board) for board, (better, other) in enumerate(boards)]


def _weights(order: Sequence[int], points: Mapping[int, int]) -> dict[tuple[int, int], int]:
    """How much speaks against each pair: first of all that their points differ; and among those
    whose points are like that the upper half does not meet the lower one, rank by rank."""
    rank = {player: number for number, player in enumerate(order)}
    groups: dict[int, list[int]] = {}
    for player in order:
        groups.setdefault(points[player], []).append(player)
    first = len(order) ** 2
    found = {}
    for a, b in combinations(order, 2):
        differ = abs(points[a] - points[b])
        apart = abs(rank[a] - rank[b])
        wanted = len(groups[points[a]]) // 2 if not differ else 0
        found[a, b] = differ**2 * first + abs(apart - wanted)
    return found


def _matched(order: Sequence[int], weights: Mapping[frozenset[int], int]) -> list[frozenset[int]]:
    """The pairs that are lightest together. Among hundreds of players all edges take minutes, so
    that each has his likeliest opponents at first. NotPaired"""
    from networkx import Graph, max_weight_matching

    of: dict[int, list[tuple[int, int]]] = {player: [] for player in order}
    for pair, weight in weights.items():
        a, b = pair
        of[a].append((weight, b))
        of[b].append((weight, a))
    likely = LIKELY
    while True:
        graph = Graph()
        for player, others in of.items():
            for weight, other in sorted(others)[:likely]:
                graph.add_edge(player, other, weight=-weight)
        pairs = max_weight_matching(graph, maxcardinality=True)
        if 2 * len(pairs) == len(order):
            return [frozenset(pair) for pair in pairs]
        if likely >= len(order):
            raise NotPaired("met")
        likely *= 4


def _seated(better: int, other: int, began: Sequence[int], board: int) -> tuple[int, int]:
    """The one first who has begun less often; where both have alike, in turn by board."""
    if other == NOBODY:
        return better, other
    often, less = began.count(better), began.count(other)
    swapped = often > less or (often == less and board % 2 == 1)
    return (other, better) if swapped else (better, other)
