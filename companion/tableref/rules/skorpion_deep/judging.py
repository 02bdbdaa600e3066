"""What may be done in Skorpion Deep, and why not: one set of bars lists and judges (SD-2 to SD-5).

A bar is a case of `facts` and the spots that it bars, a bit mask. What no bar covers is legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from tableref.rules.skorpion_deep.facts import fact
from tableref.rules.skorpion_deep.layout import Layout, spots_in
from tableref.rules.skorpion_deep.state import BEADS, COLOURS, Pass, Place, State, Step
from tableref.rules.surface import Action, Fact, UnreadableAction

PASS = Pass()
Bars = tuple[tuple[str, int], ...]


class Walk(NamedTuple):
    """Beads, Skorpion and Tail after a step; `loser` has lost his last bead by it (SD-5.2)."""

    beads: tuple[int, int]
    skorpion: int
    tail: int
    loser: int | None


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
        return Walk(beads, layout.gate, layout.gate, loser)
    return Walk(beads, spot, skorpion, loser)


def has_begun(state: State) -> bool:
    """Whether the player has a bead on the board; before, he places one on a start (SD-2.1)."""
    return state.beads[state.player] != 0


# -- bars -------------------------------------------------------------------------------------


def place_bars(layout: Layout, state: State) -> Bars:
    """What keeps the player from placing where, the deciding bar first (SD-2.1, SD-2.3, SD-3)."""
    player = state.player
    own, other = state.beads[player], state.beads[1 - player]
    # `one` and `two`: spots with at least that many lines to a spot held.
    one = two = 0
    for spot in spots_in(own):
        joined = layout.lines[spot]
        two |= one & joined
        one |= joined
    gate, skorpion, tail = 1 << layout.gate, 1 << state.skorpion, 1 << state.tail
    return (
        ("no-bead-left", layout.all if own.bit_count() >= BEADS else 0),
        ("starts-first", 0 if has_begun(state) else layout.all & ~layout.starts[player]),
        ("gate-guarded", gate & (skorpion | tail)),
        ("bead-there", own | other),
        ("skorpion-there", skorpion),
        ("tail-there", tail),
        ("one-line", layout.by_one[player] & ~one),
        ("two-lines", layout.by_two[player] & ~two),
        ("two-lines-black", layout.black & ~two),
        ("two-lines-gate", gate & ~two),
    )


def placeable(layout: Layout, state: State) -> int:
    """The spots that the player may place on, a bit mask."""
    barred = 0
    for _, spots in place_bars(layout, state):
        barred |= spots
    return layout.all & ~barred


def payable(own: int) -> tuple[int, ...]:
    """The beads that may be paid for a second step, of those on the board: none or several, for
    the last cannot be paid (SD-4.8)."""
    return spots_in(own) if own & own - 1 else ()


# -- listing ----------------------------------------------------------------------------------


def legal(layout: Layout, state: State) -> Sequence[Action]:
    """All legal actions in a fixed order."""
    if state.ended:
        return ()
    actions: list[Action] = [layout.places[spot] for spot in spots_in(placeable(layout, state))]
    if has_begun(state):
        for first in layout.ways[state.skorpion][state.tail]:
            actions.append(layout.single[first])
            walk = step(layout, state.beads, state.skorpion, first)
            paid = () if walk.loser is not None else payable(walk.beads[state.player])
            if paid:
                pick = itemgetter(*paid)
                double = layout.double[first]
                for second in layout.ways[walk.skorpion][walk.tail]:
                    actions += pick(double[second])
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
        raise UnreadableAction(f"{name!r} is no spot of this board")
    return spot


def _over(state: State) -> Fact:
    if state.ended == "SD-5.3":
        return fact("over-drawn")
    case = {"SD-5.1": "over-gate", "SD-5.2": "over-last-bead", "HR-1.1": "over-given-up"}
    winner, loser = state.name(state.winner), state.name(1 - state.winner)
    return fact(case[state.ended], winner, other=loser)


def _against_place(layout: Layout, state: State, spot: int) -> tuple[Fact, ...]:
    bars = place_bars(layout, state)
    return tuple(
        _place_fact(layout, state, case, spot) for case, barred in bars if barred >> spot & 1
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
    return fact(case, who, what, to=to, amount=lines, other=other)


def _against_steps(layout: Layout, state: State, action: Step) -> tuple[Fact, ...]:
    who = state.name(state.player)
    path = [spot_of(layout, name) for name in action.path]
    pay = spot_of(layout, action.pay) if action.pay else None
    if not path:
        raise UnreadableAction("the Skorpion steps to one spot or two")
    broken: tuple[Fact, ...] = () if has_begun(state) else (fact("starts-first", who),)
    broken += _against_step(layout, state.skorpion, state.tail, path[0])
    if len(path) == 1:
        return broken if pay is None else (*broken, fact("nothing-to-pay", who))
    if len(path) > 2:
        broken += (fact("third-step"),)
    if broken:
        return broken
    walk = step(layout, state.beads, state.skorpion, path[0])
    if walk.loser is not None:
        return (fact("no-second-step", state.name(walk.loser)),)
    broken += _against_paying(layout, state, walk.beads[state.player], pay)
    return broken + _against_step(layout, walk.skorpion, walk.tail, path[1])


def _against_paying(layout: Layout, state: State, own: int, pay: int | None) -> tuple[Fact, ...]:
    who = state.name(state.player)
    if pay is None:
        return (fact("unpaid", who),)
    if pay in payable(own):
        return ()
    case = "last-bead" if own >> pay & 1 else "no-bead-to-pay"
    return (fact(case, who, start=layout.names[pay]),)


def _against_step(layout: Layout, start: int, tail: int, spot: int) -> tuple[Fact, ...]:
    if spot in layout.ways[start][tail]:
        return ()
    names = layout.names
    return tuple(
        fact(case, start=names[start], to=names[spot])
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
