"""What may be done in Scorpion, and why not: one set of reasons lists and judges (SC-2 to SC-5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, repeat
from operator import itemgetter
from typing import Any, NamedTuple

from tableref.rules.scorpion.actions import EndTurn, Move, Throw
from tableref.rules.scorpion.facts import fact
from tableref.rules.scorpion.state import State
from tableref.rules.scorpion.track import COLOURS, FIRST_SIX, HAND, PIPS, TRAYS
from tableref.rules.surface import Action, Fact, UnreadableAction

END_TURN = EndTurn()
THROWS = tuple(tuple(Throw(tray, value) for value in range(1, PIPS + 1)) for tray in TRAYS)
"""Tray -> its throws."""
BOTH_TRAYS = (0, 1)
THROWS_ON = {BOTH_TRAYS: THROWS[0] + THROWS[1], (0,): THROWS[0], (1,): THROWS[1]}
"""The trays that may be thrown on -> the throws."""
DIE = {throw: number for number, throw in enumerate(THROWS_ON[BOTH_TRAYS], 1)}
"""A throw as an int: 1 to 6 on yellow, 7 to 12 on black."""


class Way(NamedTuple):
    """How dice make up a number of steps: which are used, which are left."""

    used: tuple[int, ...]
    left: tuple[int, ...]


def tray_and_value(die: int) -> tuple[int, int]:
    """The tray (0 yellow, 1 black) and the number of a die."""
    return (die - 1) // PIPS, (die - 1) % PIPS + 1


class Reach(NamedTuple):
    """The steps that dice make up on one tray, and how; the same steps as a bit mask; what picks
    the moves of these steps, of a scorpion's moves by steps; and the dice that are used in any of
    these ways."""

    ways: Mapping[int, Way]
    steps: int
    pick: Callable[[Sequence[Move]], Sequence[Move]]
    dice: frozenset[int]


def _reach(ways: Mapping[int, Way]) -> Reach:
    steps = sum(1 << number for number in ways)
    dice = frozenset(die for way in ways.values() for die in way.used)
    if len(ways) > 1:
        return Reach(ways, steps, itemgetter(*ways), dice)
    # Of one item, `itemgetter` makes no sequence, unless it is asked for a slice.
    number = next(iter(ways), 0)
    return Reach(ways, steps, itemgetter(slice(number, number + len(ways))), dice)


def _reaches(dice: tuple[int, ...]) -> tuple[Reach, Reach]:
    """Tray -> what these dice make up: each alone or all added (SC-2.1, SC-2.5)."""
    ways: tuple[dict[int, Way], dict[int, Way]] = ({}, {})
    for place, die in enumerate(dice):
        tray, value = tray_and_value(die)
        ways[tray].setdefault(value, Way((die,), dice[:place] + dice[place + 1 :]))
    trays = {tray_and_value(die)[0] for die in dice}
    if len(dice) == 2 and len(trays) == 1:
        ways[trays.pop()][sum(tray_and_value(die)[1] for die in dice)] = Way(dice, ())
    return _reach(ways[0]), _reach(ways[1])


def _entry(dice: tuple[int, ...]) -> tuple[Reach, Reach]:
    """As `_reaches` in a first turn: both dice on yellow, added (SC-2.4)."""
    whole = len(dice) == 2 and all(die <= PIPS for die in dice)
    return _reach({sum(dice): Way(dice, ())} if whole else {}), _reach({})


_DICE = tuple(range(1, 2 * PIPS + 1))
_HANDFULS = (
    (),
    *((die,) for die in _DICE),
    *combinations(_DICE, 2),
    *((die, die) for die in _DICE),
)
REACHES = {dice: _reaches(dice) for dice in _HANDFULS}
ENTRIES = {dice: _entry(dice) for dice in _HANDFULS}
EXTRA = tuple(_reach({die: Way((), ())} if die else {}) for die in range(PIPS + 1))
"""What an extra die makes up, by its number, on whatever tray (SC-3.4); 0: not yet thrown."""


def occupied(state: State) -> int:
    """The cells that hold a scorpion other than an attacker, as a bit mask."""
    blue, red, green, white = state.masks
    return blue | red | green | white


@lru_cache(maxsize=4096)
def cells_in(mask: int) -> tuple[int, ...]:
    """The cells of a bit mask in the track's order; most masks come again and again."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cells)


# -- listing ----------------------------------------------------------------------------------


def legal(state: State) -> Sequence[Action]:
    """All legal actions: what the reasons below leave over."""
    if state.winners:
        return () if _against_end(state) else (END_TURN,)
    if due := trays(state):
        return THROWS_ON[due]
    actions = _moves(state)
    # Who has stung moves on first (SC-3.4): no need to state it as facts that nobody reads.
    if state.attack is None and not _against_end(state):
        actions.append(END_TURN)
    return actions


def _moves(state: State) -> list[Action]:
    """Every scorpion that may move, by every number: the stung one stays, or is sent across."""
    actions: list[Action] = []
    movers = _movers(state)
    if not movers:
        return actions
    track, taken = state.track, occupied(state)
    exact = track.exact_exit
    for colour, starts, (ways, steps, pick, _) in movers:
        moves_from = track.moves[colour]
        for start in starts:
            moves, stung = moves_from[start], taken >> start & steps
            if not stung and not exact:
                actions += pick(moves)
                continue
            for number in ways:
                if exact and _against_leaving(state, moves[number], start):
                    continue
                actions.append(moves[number])
                if stung >> number & 1 and not _crossing_bars(state, colour, start, number):
                    actions.append(track.crossing[colour][start][number])
    return actions


def _movers(state: State) -> Sequence[tuple[int, Sequence[int], Reach]]:
    """The scorpions that dice may move: colour, cells, and what dice make up for those."""
    track, masks, hands, _, mover, opened, _, turn, attack, _, _ = state
    _, dice, _, moved, _ = turn
    if attack is not None:
        colour, cell, die = attack
        return ((colour, (cell,), EXTRA[die]),)
    if not dice:
        return ()
    movers: list[tuple[int, Sequence[int], Reach]] = []
    opened = opened >> mover & 1
    yellow, black = (REACHES if opened else ENTRIES)[dice]
    may_move = movable(opened, moved)
    on_yellow, on_black = track.yellow & may_move, track.black & may_move
    for colour in track.sets[mover]:
        scorpions = masks[colour]
        if yellow.steps and (may_go := scorpions & on_yellow | (hands[colour] and 1 << HAND)):
            movers.append((colour, cells_in(may_go), yellow))
        if black.steps and (may_go := scorpions & on_black):
            movers.append((colour, cells_in(may_go), black))
    return movers


def usable_dice(state: State) -> set[int]:
    """The dice of the turn by which a scorpion could move, alone or added (SC-2.3)."""
    track, usable = state.track, set[int]()
    for colour, starts, (ways, _, _, dice) in _movers(state):
        if not track.exact_exit:
            usable |= dice
            continue
        for number, (used, _) in ways.items():
            moves = (track.moves[colour][start][number] for start in starts)
            if not all(map(_against_leaving, repeat(state), moves, starts)):
                usable.update(used)
    return usable


def throw_due(state: State) -> bool:
    """Whether a die has to be thrown next."""
    return bool(trays(state))


def trays(state: State) -> tuple[int, ...]:
    """The trays that the next die may be thrown on: either (SC-2.2), or for an extra die that of
    the side that the attacker stands on (SC-3.4); none where no die is due."""
    if state.turn.throws:
        return BOTH_TRAYS
    attack = state.attack
    if attack is None or attack.die:
        return ()
    return (state.track.colour_side(attack.cell),)


def reaches(state: State) -> tuple[Reach, Reach]:
    """Tray -> what the dice of this turn make up (SC-2.1, SC-2.4, SC-2.5)."""
    return (REACHES if state.opened >> state.mover & 1 else ENTRIES)[state.turn.dice]


def movable(opened: int, moved: int) -> int:
    """The cells of the track, a bit mask, whose scorpions dice may move: none in a first turn
    (SC-2.4), and not the one that the first die moved (SC-2.5)."""
    return ~(1 << moved) if opened else 0


# -- reasons ----------------------------------------------------------------------------------


def reasons(state: State, action: Action, player: int | None = None) -> tuple[Fact, ...]:
    """The paragraphs that an action breaks, the deciding one first; empty where it is legal."""
    if player is not None and player != state.player and not state.winners:
        return _against_player(state, player)
    against = _AGAINST.get(type(action))
    if against is None:
        raise UnreadableAction(f"{action!r} is no action of Scorpion")
    return against(state, action)


def _against_player(state: State, player: int) -> tuple[Fact, ...]:
    names = state.track.names
    who, turn = names[player], names[state.player]
    waits = fact("not-your-turn", who, other=turn)
    if state.resigned >> player & 1:
        return fact("given-up", who), waits
    return (waits,)


def _over(state: State) -> Fact:
    case = {
        "SC-5.2": "over",
        "SC-5.3": "over-eight",
        "SC-5.4": "over-teams",
        "HR-1.1": "over-given-up",
    }[state.ended]
    return fact(case, names_of(state, state.winners))


def names_of(state: State, players: tuple[int, ...]) -> str:
    """The names of these players, as one text."""
    return " and ".join(state.track.names[player] for player in players)


def _against_throw(state: State, throw: Throw) -> tuple[Fact, ...]:
    if throw not in DIE:
        raise UnreadableAction(
            "no die rests on {to!r} with {what!r}", to=throw.tray, what=throw.value
        )
    if state.winners:
        return (_over(state),)
    if state.turn.throws:
        return ()
    if state.attack is None:
        return (fact("thrown", state.track.names[state.player]),)
    if state.attack.die:
        return (_extra_moves_it(state),)
    if TRAYS.index(throw.tray) not in trays(state):
        return (_extra(state, "extra-tray"),)
    return ()


def _against_end(state: State, action: EndTurn = END_TURN) -> tuple[Fact, ...]:
    track, _, _, player, mover, opened, _, turn, attack, winners, _ = state
    if winners:
        return () if player >= 0 else (_over(state),)
    if turn.throws:
        return (fact("throw-first", track.names[player]),)
    if attack is not None:
        owed = _extra_moves_it(state) if attack.die else _extra(state, "extra-first")
        kept = fact("extra-kept", track.names[player])
        if not occupied(state) >> attack.cell & 1:
            return owed, kept
        cell, other = track.cells[attack.cell], standing(state, attack.cell)
        return owed, kept, fact("shared", COLOURS[attack.colour], start=cell, other=other)
    if not opened >> mover & 1 and reaches(state)[0].ways:
        return (fact("entry-owed", track.names[player]),)
    return ()


def _against_move(state: State, move: Move) -> tuple[Fact, ...]:
    track, masks, hands, player, mover, opened, _, turn, attack, winners, _ = state
    who, cell, steps, cross = move
    start, colour = track.index.get(cell), track.colours.get(who)
    if start is None:
        return (fact("no-such-cell", start=cell, amount=track.side),)
    if colour is None:
        return (fact("not-in-play", who),)
    if winners:
        return (_over(state),)
    if turn.throws:
        return (fact("throw-first", track.names[player]),)
    broken: tuple[Fact, ...] = ()
    if attack is not None:
        if not attack.die:
            return (_extra(state, "extra-first"),)
        if (colour, start, steps) != attack:
            return (_extra_moves_it(state),)
    else:
        # SC-2.0: a scorpion of one's own, and it is there; SC-5.1: not one that is out.
        if colour not in track.sets[mover]:
            return (fact("not-your-colour", track.names[player], who),)
        if start == track.out:
            return (fact("out-already", who),)
        if not (masks[colour] >> start & 1 if start else hands[colour]):
            return (fact("nobody-there", who, start=cell),)
        on_black, opened = start > track.side, opened >> mover & 1
        may_move = start == HAND or movable(opened, turn.moved) >> start & 1
        by_tray = (REACHES if opened else ENTRIES)[turn.dice]
        if not may_move or steps not in by_tray[on_black].ways:
            against = _against_dice if opened else _against_first
            broken = against(state, move, start)
    if track.exact_exit:
        broken += _against_leaving(state, move, start)
    return broken + _against_crossing(state, move, colour, start) if cross else broken


def _against_dice(state: State, move: Move, start: int) -> tuple[Fact, ...]:
    """SC-2.1, SC-2.5, SC-2.6: why no dice move this scorpion so far."""
    track, turn = state.track, state.turn
    who, cell, steps, _ = move
    on_black = start > track.side
    broken: list[Fact] = []
    if start and turn.moved == start:
        broken.append(fact("same-scorpion", who, start=cell))
    by_tray = REACHES[turn.dice]
    own, other = by_tray[on_black].ways, by_tray[not on_black].ways
    if steps in other and steps not in own:
        if turn.changed >> start & 1:
            broken.append(fact("changed-sides", who, TRAYS[not on_black], cell))
        case = "yellow-die-on-black" if on_black else "black-die-on-yellow"
        broken.append(fact(case, who, start=cell, amount=steps))
    elif steps not in own:
        values = [tray_and_value(die)[1] for die in turn.dice]
        if len(values) == 2 and sum(values) == steps:
            broken.append(fact("trays-differ", who, amount=steps))
        elif any(tray_and_value(die) == (on_black, steps) for die in turn.used):
            broken.append(fact("die-used", amount=steps))
        else:
            broken.append(fact("no-die", who, start=cell, amount=steps))
    return tuple(broken)


def _against_first(state: State, move: Move, start: int) -> tuple[Fact, ...]:
    """SC-2.4: both dice on yellow, added, bring in the first scorpion."""
    who = state.track.names[state.player]
    if any(die > PIPS for die in state.turn.dice):
        return (fact("first-on-black", who),)
    broken: list[Fact] = []
    if start != HAND:
        broken.append(fact("first-enters", who, start=move.start))
    if move.steps != sum(state.turn.dice):
        broken.append(fact("first-adds-both", who, amount=sum(state.turn.dice)))
    return tuple(broken)


def _against_leaving(state: State, move: Move, start: int) -> tuple[Fact, ...]:
    """SC-5.1: points left over are lost, or with `exact_exit` the move is not made."""
    track = state.track
    if not track.exact_exit or start + move.steps <= track.out:
        return ()
    return (fact("exact-exit", move.colour, start=move.start, amount=track.out - start),)


def _against_crossing(state: State, move: Move, colour: int, start: int) -> tuple[Fact, ...]:
    track, target = state.track, min(start + move.steps, state.track.out)
    who, cell = move.colour, track.cells[target]
    broken: list[Fact] = []
    for case in _crossing_bars(state, colour, start, move.steps):
        if case == "nobody-stung":
            broken.append(fact(case, who, to=cell))
        else:
            opposite = track.cells[track.out - target] if case == "opposite-taken" else ""
            broken.append(fact(case, who, opposite, "", cell, 0, standing(state, target)))
    return tuple(broken)


def _crossing_bars(state: State, colour: int, start: int, steps: int) -> tuple[str, ...]:
    """SC-3.2, SC-3.3: why nobody is sent across there, as cases of facts."""
    track, masks, _, _, _, _, _, _, attack, _, _ = state
    taken, target = masks[0] | masks[1] | masks[2] | masks[3], start + steps
    if target > track.out:
        target = track.out
    if attack is None and start:
        taken ^= 1 << start
    if not taken >> target & 1:
        return ("nobody-stung",)
    bars = ("opposite-taken",) if taken >> track.out - target & 1 else ()
    if target <= FIRST_SIX:
        for own in track.sets[track.owner[colour]]:
            if masks[own] >> target & 1:
                return (*bars, "own-first-six")
    return bars


def standing(state: State, cell: int) -> str:
    """The colour of the scorpion that stands on an occupied cell, an attacker apart."""
    return COLOURS[[mask >> cell & 1 for mask in state.masks].index(1)]


def _extra(state: State, case: str) -> Fact:
    """The extra die has still to be thrown, on the tray of the attacker's side (SC-3.4)."""
    assert state.attack is not None
    colour, cell, _ = state.attack
    tray = TRAYS[state.track.colour_side(cell)]
    return fact(case, COLOURS[colour], tray, state.track.cells[cell])


def _extra_moves_it(state: State) -> Fact:
    """The extra die has been thrown and moves the attacker (SC-3.4)."""
    assert state.attack is not None
    colour, cell, die = state.attack
    return fact("extra-moves-it", COLOURS[colour], start=state.track.cells[cell], amount=die)


_AGAINST: dict[type, Callable[[State, Any], tuple[Fact, ...]]] = {
    Throw: _against_throw,
    Move: _against_move,
    EndTurn: _against_end,
}
