"""What the referee can know of hidden pieces: the set of deals that agree with all he saw (SQ-6.1).

A deal is one number for one player: two bits for each place of his ramp (0: nothing, else kind +
1), then two bits for each kind, how many of it are in his hand. A player has six pieces, so there
are never more than 90 deals of a whole set, and all are kept: nothing is lost by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import and_, or_

from tableref.rules.squod.layout import KINDS, OF_EACH, UNKNOWN

Deals = tuple[int, ...]

MOST_KEPT = 256
"""Answers that are kept a question: an action changes the deals of one player at the most, and
listing, judging and telling ask the same of them."""


@lru_cache(MOST_KEPT)  # Most games begin with the same ones.
def all_deals(
    places: int, ramp: tuple[int, ...], hand: tuple[int, ...], shown: tuple[int, ...]
) -> Deals:
    """Every deal of a ramp (kind + 1 by place, UNKNOWN + 1 where it is hidden) and a hand (kinds)
    that leaves each kind no more than twice, with those `shown` on the ring (SQ-1.3)."""
    left = tuple(
        OF_EACH - ramp.count(kind + 1) - hand.count(kind) - shown.count(kind)
        for kind in range(len(KINDS))
    )
    if min(left) < 0:
        return ()
    on_ramp = [kind if kind != UNKNOWN + 1 else 0 for kind in ramp]
    in_hand = [kind for kind in hand if kind != UNKNOWN]
    found = {(known_deal(places, on_ramp, in_hand)[0], left)}
    slots: list[int | None] = [p for p in range(places) if ramp[p] == UNKNOWN + 1]
    slots += [None] * hand.count(UNKNOWN)
    for place in slots:
        found = {
            (
                deal + (_in_hand(places, kind) if place is None else kind + 1 << 2 * place),
                (*left[:kind], left[kind] - 1, *left[kind + 1 :]),
            )
            for deal, left in found
            for kind in range(len(KINDS))
            if left[kind]
        }
    return tuple(sorted(deal for deal, _ in found))


def known_deal(places: int, ramp: Sequence[int], hand: Sequence[int]) -> Deals:
    """The one deal of a ramp (kind + 1 by place) and a hand (kinds) that are all known."""
    on_ramp = sum(kind << 2 * place for place, kind in enumerate(ramp))
    return (on_ramp + sum(_in_hand(places, kind) for kind in hand),)


def moved(deals: Deals, start: int, to: int) -> Deals:
    """A piece went from one place of the ramp to another."""
    return _deals(deal & ~(3 << 2 * start) | (deal >> 2 * start & 3) << 2 * to for deal in deals)


def shown(deals: Deals, place: int, kind: int) -> Deals:
    """Those deals in which this kind stands on the place."""
    return tuple(deal for deal in deals if deal >> 2 * place & 3 == kind + 1)


def gone(deals: Deals, place: int) -> Deals:
    """The piece left the ramp."""
    return _deals(deal & ~(3 << 2 * place) for deal in deals)


def lost(deals: Deals, places: int, kind: int) -> Deals:
    """A piece of this kind came back into the hand."""
    return tuple(deal + _in_hand(places, kind) for deal in deals)


def put_back(deals: Deals, places: int, to: int, kinds: Iterable[int]) -> Deals:
    """One out of the hand went on the place: one of these kinds."""
    return _deals(
        deal - _in_hand(places, kind) | kind + 1 << 2 * to
        for kind in kinds
        for deal in deals
        if hand_of(deal, places)[kind]
    )


@lru_cache(MOST_KEPT)
def kinds_at(deals: Deals, place: int) -> tuple[int, ...]:
    """What may stand on a place."""
    return tuple(sorted({(deal >> 2 * place & 3) - 1 for deal in deals} - {-1}))


@lru_cache(MOST_KEPT)
def kinds_in_hand(deals: Deals, places: int) -> tuple[int, ...]:
    """What may be in the hand."""
    hands = [hand_of(deal, places) for deal in deals]
    return tuple(kind for kind in range(len(KINDS)) if any(hand[kind] for hand in hands))


@lru_cache(MOST_KEPT)
def known(deals: Deals, places: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What all deals agree on, and UNKNOWN for the rest: the ramp (kind + 1 by place, 0: nothing)
    and the hand (kinds)."""
    always, ever = reduce(and_, deals), reduce(or_, deals)
    ramp = tuple(
        UNKNOWN + 1 if (always ^ ever) >> 2 * place & 3 else always >> 2 * place & 3
        for place in range(places)
    )
    hands = [hand_of(deal << 2 * places, places) for deal in {deal >> 2 * places for deal in deals}]
    sure = [min(hand[kind] for hand in hands) for kind in range(len(KINDS))]
    kinds = [kind for kind, count in enumerate(sure) for _ in range(count)]
    return ramp, tuple(kinds) + (UNKNOWN,) * (sum(hands[0]) - len(kinds))


def hand_of(deal: int, places: int) -> tuple[int, ...]:
    """How many of each kind are in the hand."""
    return tuple(deal >> 2 * (places + kind) & 3 for kind in range(len(KINDS)))


def _in_hand(places: int, kind: int) -> int:
    return 1 << 2 * (places + kind)


def _deals(found: Iterable[int]) -> Deals:
    return tuple(sorted(set(found)))
