"""What an action does in Skorpion Deep: placing, stepping, passing, giving up.

Nothing here asks whether the action is legal; `judging` does.
"""

from __future__ import annotations

from functools import lru_cache

from tableref.rules.skorpion_deep.facts import fact
from tableref.rules.skorpion_deep.judging import colour_on, spot_of, step
from tableref.rules.skorpion_deep.layout import Layout
from tableref.rules.skorpion_deep.state import (
    BEADS,
    COLOURS,
    NOBODY,
    Place,
    State,
    Step,
    position_key,
)
from tableref.rules.surface import Action, Fact, UnreadableAction

Played = tuple[State, tuple[Fact, ...]]

TIMES = 3
"""So often the same position may stand before it is drawn (SD-5.3)."""


def carry_out(layout: Layout, state: State, action: Action) -> Played:
    """The next state and what happened."""
    if isinstance(action, Place):
        return place(layout, state, layout.index[action.spot])
    if isinstance(action, Step):
        return walk(layout, state, action)
    passes = fact("passes", state.name(state.player))
    return _next(state, state.beads, state.skorpion, state.tail, (passes,))


def place(layout: Layout, state: State, spot: int) -> Played:
    """A bead goes on a spot (SD-2.1, SD-2.2); on the Gate it wins (SD-5.1)."""
    player = state.player
    red, blue = state.beads
    case = "places" if state.beads[player] else "begins"
    beads = (red | 1 << spot, blue) if player == 0 else (red, blue | 1 << spot)
    who = state.name(player)
    placed = fact(case, who, "", "", layout.names[spot])
    if spot != layout.gate:
        return _next(state, beads, state.skorpion, state.tail, (placed,))
    won = state._replace(beads=beads, winner=player, ended="SD-5.1")
    return won, (placed, fact("wins-gate", who))


def walk(layout: Layout, state: State, action: Step) -> Played:
    """The Skorpion steps once, or pays and steps again (SD-4); SD-5.2 ends the game at once."""
    who, beads, skorpion, tail = state.name(state.player), state.beads, state.skorpion, state.tail
    events: tuple[Fact, ...] = ()
    for number, name in enumerate(action.path):
        if number == 1 and action.pay:
            pay = 1 << layout.index[action.pay]
            red, blue = beads
            beads = (red & ~pay, blue) if state.player == 0 else (red, blue & ~pay)
            events += (fact("pays", who, "", action.pay),)
        spot = layout.index[name]
        events += _stepping(layout, who, skorpion, tail, spot)
        for owner in (0, 1):
            if beads[owner] >> spot & 1:
                events += (fact("bead-taken", state.name(owner), "", name),)
        beads, skorpion, tail, loser = step(layout, beads, skorpion, spot)
        if layout.sending >> spot & 1:
            gate = layout.names[layout.gate]
            events += (fact("sent-to-gate", "", layout.colours[spot], name, gate),)
        if loser is not None:
            winner = 1 - loser
            lost = fact("loses-last-bead", state.name(loser), other=state.name(winner))
            state = state._replace(beads=beads, skorpion=skorpion, tail=tail)
            return state._replace(winner=winner, ended="SD-5.2"), (*events, lost)
    return _next(state, beads, skorpion, tail, events)


@lru_cache(maxsize=4096)
def _stepping(layout: Layout, who: str, skorpion: int, tail: int, spot: int) -> tuple[Fact, Fact]:
    """What a step does to Skorpion and Tail (SD-4.1, SD-4.2); the same steps come again."""
    start, end = layout.names[skorpion], layout.names[tail]
    steps = fact("steps", who, start=start, to=layout.names[spot])
    if skorpion == tail:
        return steps, fact("tail-stays", start=end)
    return steps, fact("tail-follows", start=end, to=start)


def _next(
    state: State, beads: tuple[int, int], skorpion: int, tail: int, events: tuple[Fact, ...]
) -> Played:
    """The other player's turn, unless the position now stands for the third time (SD-5.3)."""
    setup, seen, player = state.setup, state.seen, 1 - state.player
    following, ended = fact("next", state.name(player)), ""
    if setup.repetition:
        key = position_key(beads, skorpion, tail, player)
        if seen.count(key) == TIMES - 1:
            following, ended = fact("drawn"), "SD-5.3"
        seen = *seen, key
    after = State(setup, beads, skorpion, tail, player, seen, NOBODY, ended)
    return after, (*events, following)


def resign(state: State, player: int) -> Played:
    """The other player wins (HR-1.1)."""
    gives_up = fact("gives-up", state.name(player), other=state.name(1 - player))
    return state._replace(winner=1 - player, ended="HR-1.1"), (gives_up,)


def forced(layout: Layout, state: State, action: Action) -> Played:
    """A refused action that the table lets stand (HR-2.3).

    UnreadableAction where it cannot be done: no bead to place or to pay, two pieces on a spot.
    """
    if state.ended:
        raise UnreadableAction("the game is over")
    own = state.beads[state.player]
    if isinstance(action, Place):
        spot = spot_of(layout, action.spot)
        if own.bit_count() >= BEADS:
            raise UnreadableAction("{who} has no bead left to place", who=COLOURS[state.player])
        if colour_on(state, spot) or spot in (state.skorpion, state.tail):
            raise UnreadableAction("{to} is taken", to=action.spot)
    elif isinstance(action, Step):
        before = state.skorpion
        for name in action.path:
            spot = spot_of(layout, name)
            if spot == before:
                raise UnreadableAction("the Skorpion stands on {to} already", to=name)
            before = spot
        if action.pay and (len(action.path) < 2 or not own >> spot_of(layout, action.pay) & 1):
            raise UnreadableAction("there is no bead on {to} to pay with", to=action.pay)
    return carry_out(layout, state, action)
