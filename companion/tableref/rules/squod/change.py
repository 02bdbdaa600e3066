"""A working copy of a state's pieces, while one action is carried out."""

from __future__ import annotations

from collections.abc import Iterable

from tableref.rules.squod.deals import NOTHING, Deals, known_deal
from tableref.rules.squod.layout import KIND, LINES, OWNER, Layout, piece_of
from tableref.rules.squod.state import State, in_doubt, tell
from tableref.rules.surface import Outcome


class Change:
    """Pieces that go from place to place, into hands and out again; the deals follow (SQ-6.1).

    Where everything is known there are no deals, and nothing of theirs is looked at. Only what is
    shown and what is put back changes what is known of places and hands.
    """

    __slots__ = ("_layout", "_state", "cells", "deals", "hands", "occupied")

    def __init__(self, layout: Layout, state: State) -> None:
        self._layout, self._state = layout, state
        _, _, cells, self.occupied, hands, _, _, self.deals, _ = state
        self.cells, self.hands = list(cells), list(hands)

    def show(self, place: int, kind: int) -> None:
        """The piece on a ramp is known from now on."""
        owner = OWNER[self.cells[place]]
        if possible := self._deals_of(owner):
            self._learn(owner, possible.shown(self._on_ramp(owner, place), kind))
        else:
            self.cells[place] = piece_of(owner, kind)

    def tell(self, player: int, pieces: Iterable[tuple[int, int]]) -> None:
        """What stands on these places of a player's ramp is known from now on (place, kind)."""
        possible = self._deals_of(player)
        for place, kind in pieces:
            possible = possible.shown(self._on_ramp(player, place), kind)
        self._learn(player, possible)

    def shift(self, start: int, to: int) -> None:
        """A piece goes to a free place; one that comes onto the ring is known."""
        cells, ring = self.cells, self._layout.ring
        piece = cells[start]
        cells[start], cells[to] = 0, piece
        self.occupied = self.occupied & ~(1 << start) | 1 << to
        if self.deals and start >= ring and (possible := self._deals_of(owner := OWNER[piece])):
            at = self._on_ramp(owner, start)
            if to < ring:
                self._set_deals(owner, possible.gone(at))
            else:
                self._set_deals(owner, possible.moved(at, self._on_ramp(owner, to)))

    def lose(self, place: int) -> None:
        """The piece, which is known, goes back to its owner's hand (SQ-3.7)."""
        piece = self.cells[place]
        owner, kind = OWNER[piece], KIND[piece]
        self.cells[place] = 0
        self.occupied &= ~(1 << place)
        self.hands[owner] = tuple(sorted((*self.hands[owner], kind)))
        if possible := self._deals_of(owner):
            if place >= self._layout.ring:
                possible = possible.gone(self._on_ramp(owner, place))
            self._set_deals(owner, possible.lost(kind))

    def put_back(self, player: int, to: int, kinds: tuple[int, ...]) -> None:
        """A piece of one of these kinds goes out of the hand on a place of the ramp."""
        hand = self.hands[player]
        self.occupied |= 1 << to
        possible = self._deals_of(player)
        if not possible and len(kinds) == 1:
            at = hand.index(kinds[0])
            self.hands[player] = hand[:at] + hand[at + 1 :]
            self.cells[to] = piece_of(player, kinds[0])
            return
        if not possible:
            ramp, places = self._ramp(player), LINES * self._layout.size
            on_ramp = [KIND[piece] + 1 for piece in self.cells[ramp : ramp + places]]
            possible = known_deal(on_ramp, hand)
        self._learn(player, possible.put_back(self._on_ramp(player, to), kinds))

    def done(self, turn: int, over: Outcome | None) -> State:
        """The state that results; nobody has passed since."""
        setup, _, _, _, _, gone, _, _, _ = self._state
        cells, hands = tuple(self.cells), tuple(self.hands)
        return State(setup, turn, cells, self.occupied, hands, gone, over, self.deals)

    def _ramp(self, owner: int) -> int:
        return self._layout.tables[self._state.setup.players].ramps[owner]

    def _on_ramp(self, owner: int, place: int) -> int:
        return place - self._ramp(owner)

    def _deals_of(self, owner: int) -> Deals:
        return self.deals[owner] if self.deals else NOTHING

    def _set_deals(self, owner: int, possible: Deals) -> None:
        deals = self.deals or (NOTHING,) * len(self.hands)
        self.deals = (*deals[:owner], possible, *deals[owner + 1 :])

    def _learn(self, owner: int, possible: Deals) -> None:
        """These deals are left: what is known by them is written down."""
        tell(self._ramp(owner), owner, possible, self.cells, self.hands)
        self._set_deals(owner, possible)
        self.deals = in_doubt(self.deals)
