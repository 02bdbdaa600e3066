"""What the referee can know of hidden pieces: the set of deals that agree with all he saw (SQ-6.1).

A deal is one number for one player: three bits a place, one for each kind that may stand there.
The first two places are his hand, in which each kind comes first once and then again, and after
them comes his ramp. So what is `ever` or `always` somewhere is one `or`, one `and`, of all deals.
A player has six pieces, so there are never more than 90 deals of a whole set, and all are kept:
nothing is lost by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, reduce
from operator import and_, or_

from tableref.rules.squod.layout import ALL_KINDS, KINDS, KINDS_OF, OF_EACH, UNKNOWN

WIDTH = len(KINDS)
"""Bits of a place."""
AGAIN = 1 << WIDTH
"""What a kind in the hand is multiplied by where it lies there a second time."""
RAMP = OF_EACH * WIDTH
"""The first bit of the ramp."""
HAND = (1 << RAMP) - 1

MOST_KEPT = 256
"""Sets of all deals that are kept: most games begin with the same ones."""


class Deals(frozenset[int]):
    """The deals of one player that are possible; none where there is nothing to find out."""

    @cached_property
    def ever(self) -> int:
        """What stands anywhere in any of them."""
        return reduce(or_, self, 0)

    @cached_property
    def always(self) -> int:
        """What stands there in all of them."""
        return reduce(and_, self)

    # -- asking -----------------------------------------------------------------------------------

    def kinds_at(self, place: int) -> tuple[int, ...]:
        """What may stand on a place of the ramp."""
        return KINDS_OF[self.ever >> RAMP + WIDTH * place & ALL_KINDS]

    def kinds_in_hand(self) -> tuple[int, ...]:
        """What may be in the hand."""
        return KINDS_OF[self.ever & ALL_KINDS]

    @cached_property
    def on_ramp(self) -> tuple[int, ...]:
        """What may stand on each place of the ramp, the kinds as bits; 0 where nothing stands. The
        empty places at its end are left out."""
        ever = self.ever
        return tuple([ever >> end & ALL_KINDS for end in range(RAMP, ever.bit_length(), WIDTH)])

    def hand(self) -> tuple[int, ...]:
        """The kinds that are in the hand for sure, and UNKNOWN for the rest."""
        pieces = (next(iter(self)) & HAND).bit_count()
        first, again = KINDS_OF[self.always & ALL_KINDS], KINDS_OF[self.always >> WIDTH & ALL_KINDS]
        sure = tuple(sorted(first + again))
        return sure + (UNKNOWN,) * (pieces - len(sure))

    def one_without(self, pieces: Iterable[tuple[int, int]]) -> bool:
        """Whether in one of them none of these kinds stands on its place (place, kind)."""
        unwanted = sum(1 << RAMP + WIDTH * place + kind for place, kind in pieces)
        return any(not deal & unwanted for deal in self)

    # -- following --------------------------------------------------------------------------------

    def shown(self, place: int, kind: int) -> Deals:
        """Those in which this kind stands on the place."""
        bit = 1 << RAMP + WIDTH * place + kind
        return Deals([deal for deal in self if deal & bit])

    def moved(self, start: int, to: int) -> Deals:
        """A piece went from one place of the ramp to another."""
        start, to = RAMP + WIDTH * start, RAMP + WIDTH * to
        stays = ~(ALL_KINDS << start)
        return Deals([deal & stays | (deal >> start & ALL_KINDS) << to for deal in self])

    def gone(self, place: int) -> Deals:
        """The piece left the ramp."""
        stays = ~(ALL_KINDS << RAMP + WIDTH * place)
        return Deals([deal & stays for deal in self])

    def lost(self, kind: int) -> Deals:
        """A piece of this kind came back into the hand."""
        return Deals([_taken_up(deal, kind) for deal in self])

    def put_back(self, to: int, kinds: Iterable[int]) -> Deals:
        """One out of the hand went on the place: one of these kinds."""
        return Deals(
            [
                (deal ^ (bit * AGAIN if deal & bit * AGAIN else bit)) | bit << RAMP + WIDTH * to
                for bit in (1 << kind for kind in kinds)
                for deal in self
                if deal & bit
            ]
        )


NOTHING = Deals()
"""Of a player of whom everything is known."""


def known_deal(ramp: Sequence[int], hand: Sequence[int]) -> Deals:
    """The one deal of a ramp (kind + 1 by place) and a hand (kinds) that are all known."""
    deal = sum(1 << RAMP + WIDTH * place + kind - 1 for place, kind in enumerate(ramp) if kind)
    return Deals([reduce(_taken_up, hand, deal)])


def _taken_up(deal: int, kind: int) -> int:
    """The deal with one more piece of this kind in the hand."""
    bit = 1 << kind
    return deal | (bit * AGAIN if deal & bit else bit)


@lru_cache(MOST_KEPT)
def all_deals(ramp: tuple[int, ...], hand: tuple[int, ...], shown: tuple[int, ...]) -> Deals:
    """Every deal of a ramp (kind + 1 by place, UNKNOWN + 1 where it is hidden) and a hand (kinds)
    that leaves each kind no more than twice, with those `shown` on the ring (SQ-1.3)."""
    left = tuple(
        OF_EACH - ramp.count(kind + 1) - hand.count(kind) - shown.count(kind)
        for kind in range(len(KINDS))
    )
    if min(left) < 0:
        return NOTHING
    (known,) = known_deal(
        [kind if kind != UNKNOWN + 1 else 0 for kind in ramp],
        [kind for kind in hand if kind != UNKNOWN],
    )
    found = {(known, left)}
    slots: list[int | None] = [p for p, kind in enumerate(ramp) if kind == UNKNOWN + 1]
    slots += [None] * hand.count(UNKNOWN)
    for place in slots:
        found = {
            (
                _taken_up(deal, kind) if place is None else deal | 1 << RAMP + WIDTH * place + kind,
                (*left[:kind], left[kind] - 1, *left[kind + 1 :]),
            )
            for deal, left in found
            for kind in range(len(KINDS))
            if left[kind]
        }
    return Deals([deal for deal, _ in found])
