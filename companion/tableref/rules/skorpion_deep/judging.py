"""What may be done in Skorpion Deep, and why not: one set of bars lists and judges (SD-2 to SD-5).

A bar is a case of `facts` and the spots that it bars, a bit mask. What no bar covers is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from tableref.rules.skorpion_deep.facts import fact
from tableref.rules.skorpion_deep.layout import Layout, spots_in
from tableref.rules.skorpion_deep.state import BEADS, COLOURS, Pass, Place, State, Step
from tableref.rules.surface import Action, Fact, UnreadableAction

PASS = Pass()


Bars = tuple[tuple[str, int], ...]


class HeldBars(NamedTuple):
    """What keeps a player from placing whatever else lies on the board: bars that come before
    those of the pieces, bars that come after; and the spots that none of them bars."""

    before: Bars
    after: Bars
    free: int


Walk = tuple[tuple[int, int], int, int, int | None]
"""Beads, Skorpion and Tail after a step, and who has lost his last bead by it, or None (SD-5.2)."""


def step(layout: Layout, beads: tuple[int, int], skorpion: int, spot: int) -> Walk:
    """The Skorpion steps to a spot (SD-4.1, SD-4.5, SD-4.6)."""
    (red, blue), bit = beads, 1 << spot
    loser = None
    if red & bit:
        beads = red ^ bit, blue
        loser = None if beads[0] else 0
    elif blue & bit:
        beads = red, blue ^ bit
        loser = None if beads[1] else 1
    if layout.sending & bit:
        return beads, layout.gate, layout.gate, loser
    return beads, spot, skorpion, loser


# -- bars -------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)  # The same beads lie together again and again.
def held_bars(layout: Layout, player: int, own: int) -> HeldBars:
    """What keeps a player who holds these spots from placing (SD-2.1, SD-2.3, SD-3.3 to SD-3.5)."""
    # `one` and `two`: spots with at least that many lines to a spot held.
    one = two = 0
    for spot in spots_in(own):
        joined = layout.lines[spot]
        two |= one & joined
        one |= joined
    before = (("no-bead-left", layout.all if own.bit_count() >= BEADS else 0),)
    after = (
        ("starts-first", 0 if own else layout.all & ~layout.starts[player]),
        ("one-line", layout.by_one[player] & ~one),
        ("two-lines", layout.by_two[player] & ~two),
        ("two-lines-black", layout.black & ~two),
        ("two-lines-gate", 1 << layout.gate & ~two),
    )
    free = layout.all
    for _, spots in before + after:
        free &= ~spots
    return HeldBars(before, after, free)


def piece_bars(layout: Layout, state: State) -> Bars:
    """What keeps anybody from placing where a piece is (SD-3.1, SD-3.6)."""
    skorpion, tail = 1 << state.skorpion, 1 << state.tail
    return (
        ("gate-guarded", 1 << layout.gate & (skorpion | tail)),
        ("bead-there", state.beads[0] | state.beads[1]),
        ("skorpion-there", skorpion),
        ("tail-there", tail),
    )


def placeable(layout: Layout, state: State) -> int:
    """The spots that the player may place on, a bit mask: no bar of beads held, and no piece."""
    player, (red, blue) = state.player, state.beads
    pieces = red | blue | 1 << state.skorpion | 1 << state.tail
    return held_bars(layout, player, blue if player else red).free & ~pieces


def payable(own: int) -> int:
    """The beads that may be paid for a second step, of those on the board: none or several, for
    the last cannot be paid (SD-4.8)."""
    return own if own & own - 1 else 0


@lru_cache(maxsize=4096)
def _paying(layout: Layout, beads: int, count: int) -> Callable[[Sequence[Step]], Sequence[Step]]:
    """Of the doubles of a `Lead` with so many second steps, those that pay with one of these
    beads."""
    spots = spots_in(beads)
    return itemgetter(*(row * len(layout.names) + spot for row in range(count) for spot in spots))


# -- listing ----------------------------------------------------------------------------------


def legal(layout: Layout, state: State) -> Sequence[Action]:
    """All legal actions in a fixed order."""
    if state.ended:
        return ()
    places, player, beads = layout.places, state.player, state.beads
    actions: list[Action] = [places[spot] for spot in spots_in(placeable(layout, state))]
    if not beads[player]:
        return actions or (PASS,)
    held, own = beads[0] | beads[1], payable(beads[player])
    for spot, single, seconds, doubles in layout.leads[state.skorpion][state.tail]:
        actions.append(single)
        paid = own
        if held >> spot & 1:
            left, _, _, loser = step(layout, beads, state.skorpion, spot)
            paid = payable(left[player]) if loser is None else 0
        if paid and seconds:
            actions += _paying(layout, paid, seconds)(doubles)
    return actions or (PASS,)


# -- reasons ----------------------------------------------------------------------------------


def reasons(
    layout: Layout, state: State, action: Action, player: int | None = None
) -> tuple[Fact, ...]:
    """The paragraphs that an action breaks, the deciding one first; empty where it is legal."""
    if state.ended:
        return (_over(state),)
    if player is not None and player != state.player:
        return (fact("not-your-turn", state.name(player), other=state.name(state.player)),)
    if isinstance(action, Place):
        return _against_place(layout, state, spot_of(layout, action.spot))
    if isinstance(action, Step):
        return _against_steps(layout, state, action)
    if isinstance(action, Pass):
        return _against_pass(layout, state)
    raise UnreadableAction(f"{action!r} is no action of Skorpion Deep")


def spot_of(layout: Layout, name: str) -> int:
    """The spot of this name. UnreadableAction"""
    spot = layout.index.get(name)
    if spot is None:
        raise UnreadableAction("{what!r} is not a cell of this board", what=name)
    return spot


def _over(state: State) -> Fact:
    if state.ended == "SD-5.3":
        return fact("over-drawn")
    case = {"SD-5.1": "over-gate", "SD-5.2": "over-last-bead", "HR-1.1": "over-given-up"}
    winner, loser = state.name(state.winner), state.name(1 - state.winner)
    return fact(case[state.ended], winner, other=loser)


def _against_place(layout: Layout, state: State, spot: int) -> tuple[Fact, ...]:
    if placeable(layout, state) >> spot & 1:
        return ()
    held = held_bars(layout, state.player, state.beads[state.player])
    bars = (*held.before, *piece_bars(layout, state), *held.after)
    return tuple(
        [_place_fact(layout, state, case, spot) for case, barred in bars if barred >> spot & 1]
    )


def _place_fact(layout: Layout, state: State, case: str, spot: int) -> Fact:
    player = state.player
    who, to, what, other = state.name(player), layout.names[spot], "", ""
    lines = (layout.lines[spot] & state.beads[player]).bit_count()
    if case == "gate-guarded":
        what = "Skorpion" if state.skorpion == spot else "Tail"
    elif case == "bead-there":
        other = state.name(0 if state.beads[0] >> spot & 1 else 1)
    elif case == "two-lines":
        what = layout.colours[spot]
    return fact(case, who, what, "", to, lines, other)


def _against_steps(layout: Layout, state: State, action: Step) -> tuple[Fact, ...]:
    index = layout.index
    try:
        path = [index[name] for name in action.path]
        pay = index[action.pay] if action.pay else None
    except KeyError as unknown:
        raise UnreadableAction(
            "{what!r} is not a cell of this board", what=unknown.args[0]
        ) from None
    if not path:
        raise UnreadableAction("the Skorpion steps to one spot or two")
    broken = _against_step(layout, state.skorpion, state.tail, path[0])
    if not state.beads[state.player]:
        broken = fact("starts-first", state.name(state.player)), *broken
    if len(path) == 1:
        return (
            broken if pay is None else (*broken, fact("nothing-to-pay", state.name(state.player)))
        )
    if len(path) > 2:
        broken += (fact("third-step"),)
    if broken:
        return broken
    beads, skorpion, tail, loser = step(layout, state.beads, state.skorpion, path[0])
    if loser is not None:
        return (fact("no-second-step", state.name(loser)),)
    broken, own = _against_step(layout, skorpion, tail, path[1]), beads[state.player]
    if pay is not None and payable(own) >> pay & 1:
        return broken
    return _against_paying(layout, state, own, pay), *broken


def _against_paying(layout: Layout, state: State, own: int, pay: int | None) -> Fact:
    who = state.name(state.player)
    if pay is None:
        return fact("unpaid", who)
    case = "last-bead" if own >> pay & 1 else "no-bead-to-pay"
    return fact(case, who, "", layout.names[pay])


def _against_step(layout: Layout, start: int, tail: int, spot: int) -> tuple[Fact, ...]:
    return () if spot in layout.ways[start][tail] else _step_facts(layout, start, tail, spot)


@lru_cache(maxsize=4096)
def _step_facts(layout: Layout, start: int, tail: int, spot: int) -> tuple[Fact, ...]:
    names = layout.names
    return tuple(
        fact(case, "", "", names[start], names[spot])
        for case, barred in layout.step_bars(start, tail)
        if barred >> spot & 1
    )


def _against_pass(layout: Layout, state: State) -> tuple[Fact, ...]:
    if legal(layout, state)[0] is PASS:
        return ()
    return (fact("can-play", state.name(state.player)),)


def colour_on(state: State, spot: int) -> str:
    """The colour of the bead on a spot, or an empty text."""
    return next((c for c, held in zip(COLOURS, state.beads, strict=True) if held >> spot & 1), "")
