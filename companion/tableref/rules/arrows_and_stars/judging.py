"""What arrows and stars allows: listing moves and giving the reasons against one.

Both rest on the tables of the layout and on the same three questions: which arrows must jump
(AE-2.6), what lies under a jump, what is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from tableref.rules.arrows_and_stars.actions import Arrow, EndTurn, Move, Pass, Star
from tableref.rules.arrows_and_stars.layout import COLOURS, SIDE, Jump, Layout
from tableref.rules.arrows_and_stars.state import ARROW_HALF, State
from tableref.rules.surface import Action, Fact, UnreadableAction


def legal(layout: Layout, state: State) -> Iterator[Move]:
    """All legal actions: steps, then chains of jumps, each as far as it can go; or star moves,
    then the end of the turn."""
    if state.over is not None:
        return iter(())
    if state.left == ARROW_HALF:
        arrows = arrow_moves(layout, state)
        return chain((next(arrows, Pass()),), arrows)
    if not state.left:
        return iter((EndTurn(),))
    stars = star_moves(layout, state)
    first = next(stars, None)
    if first is None:
        return iter((EndTurn(), Pass()))
    return chain((first,), stars, (EndTurn(),))


def arrow_moves(layout: Layout, state: State, among: int = -1) -> Iterator[Arrow]:
    """All moves of the arrows `among` (a mask) of the side whose turn it is (AE-2)."""
    turn = state.turn
    own = state.arrows[turn]
    by_heading = (own & state.up, own & ~state.up)
    opposing = state.arrows[1 - turn] | state.stars[1 - turn]
    occupied = own | opposing | state.stars[turn]
    free = layout.board & ~occupied
    jumped_first = opposing
    if not must_jump(layout, by_heading, opposing, free):
        jumped_first = occupied
        for movers, ways in zip(by_heading, layout.ways, strict=True):
            for right, left, arrows, _, _ in ways:
                able = movers & among & (free >> right << left)
                while able:
                    bit = able & -able
                    able ^= bit
                    yield arrows[bit]
    for movers, ways in zip(by_heading, layout.forward, strict=True):
        for right, left, _, _, jumps in ways:
            able = _able(movers & among, jumped_first, free, right, left)
            while able:
                bit = able & -able
                able ^= bit
                yield from _chains(layout, jumps[bit], occupied & ~bit, free | bit)


@lru_cache(64)  # Listing, judging and moving ask it of the same position one after the other.
def must_jump(layout: Layout, by_heading: tuple[int, int], opposing: int, free: int) -> int:
    """The arrows that can begin with a jump over an opposing piece: one of them must (AE-2.6)."""
    found = 0
    for movers, ways in zip(by_heading, layout.forward, strict=True):
        if movers:
            for right, left, _, _, _ in ways:
                if near := movers & (opposing >> right << left):
                    found |= near & (free >> 2 * right << 2 * left)
    return found


def _able(movers: int, jumped: int, free: int, right: int, left: int) -> int:
    """The movers that can jump one way over one of `jumped` onto a free cell."""
    return movers & (jumped >> right << left) & (free >> 2 * right << 2 * left)


def _chains(layout: Layout, first: tuple[str, Jump], occupied: int, free: int) -> Iterator[Arrow]:
    """A first jump and every way to go on from it (AE-2.3, AE-2.4)."""
    start, jump = first
    jumps = layout.jumps
    open_chains: list[tuple[tuple[str, ...], int, int, int]] = [
        ((start, jump.name), jump.cell, jump.heading, jump.over)
    ]
    while open_chains:
        path, cell, heading, jumped = open_chains.pop()
        yield Arrow(path)
        for over, to, landing, name, after in jumps[heading][cell]:
            if occupied & over and free & to and not jumped & over:
                open_chains.append(((*path, name), landing, after, jumped | over))


def unbound_chains(layout: Layout, state: State, start: str) -> Iterator[Arrow]:
    """The jump chains of an arrow, whether or not it must jump elsewhere (AE-2.6)."""
    bit = layout.masks[start]
    occupied = state.arrows[0] | state.arrows[1] | state.stars[0] | state.stars[1]
    free = layout.board & ~occupied
    for way in layout.forward[0 if state.up & bit else 1]:
        if _able(bit, occupied, free, way.right, way.left):
            yield from _chains(layout, way.jumps[bit], occupied & ~bit, free | bit)


def star_moves(layout: Layout, state: State, among: int = -1) -> Iterator[Star]:
    """All moves of the stars `among` (a mask), were one free: one's own stars first (AE-3.2,
    AE-3.3)."""
    occupied = state.arrows[0] | state.arrows[1] | state.stars[0] | state.stars[1]
    free = layout.board & ~occupied
    turn = state.turn
    for colour in (turn,) if state.setup.own_stars else (turn, 1 - turn):
        movers = state.stars[colour] & among
        for right, left, _, stars, jumps in layout.ways[colour]:
            able = movers & (free >> right << left)
            while able:
                bit = able & -able
                able ^= bit
                yield stars[bit]
            able = _able(movers, occupied, free, right, left)
            while able:
                bit = able & -able
                able ^= bit
                start, jump = jumps[bit]
                yield Star(start, jump.name)


class Trace(NamedTuple):
    """An arrow's path followed leg by leg: reasons against it, the heading at its end, where it
    was turned round, and what was jumped."""

    broken: tuple[Fact, ...]
    heading: int
    turned: tuple[str, ...]
    jumped: tuple[int, ...]


def trace(layout: Layout, state: State, path: tuple[str, ...]) -> Trace:
    """Follows the path of an own arrow up to the first leg that is not allowed."""
    _, turn, arrows, up, stars, _, _, _, _ = state
    own = arrows[turn]
    opposing = arrows[1 - turn] | stars[1 - turn]
    occupied = own | opposing | stars[turn]
    free = layout.board & ~occupied
    at, origin = path[0], layout.masks[path[0]]
    heading = 0 if up & origin else 1
    bound = must_jump(layout, (own & up, own & ~up), opposing, free)
    occupied &= ~origin
    free |= origin
    broken: list[Fact] = []
    turned: list[str] = []
    jumped: list[int] = []
    for name in path[1:]:
        leg = layout.legs.get((at, name))
        if leg is None:
            broken.append(_no_leg(turn, at, name, bool(jumped)))
            break
        _, to, over, way = leg
        if way == 1 - heading:
            broken.append(Fact("AE-2.1", "backwards", COLOURS[turn], "arrow", at, name))
        if not over and len(path) > 2:
            broken.append(Fact("AE-2.1", "step-in-chain", COLOURS[turn], "arrow", at, name))
        elif over and not occupied & over:
            broken.append(Fact("AE-2.2", "nothing-jumped", COLOURS[turn], "arrow", at, name))
        elif over in jumped:
            piece = piece_name(layout, state, over)
            broken.append(
                Fact("AE-2.4", "jumped-twice", COLOURS[turn], "arrow", at, name, 0, piece)
            )
        elif over and way == SIDE and not jumped:
            broken.append(Fact("AE-2.3", "first-jump-sideways", COLOURS[turn], "arrow", at, name))
        if not free & to:
            case = ("AE-2.2", "landing-taken") if over else ("AE-2.1", "taken")
            there = piece_name(layout, state, to)
            broken.append(Fact(*case, COLOURS[turn], "arrow", at, name, 0, there))
        if broken:
            break
        if over:
            jumped.append(over)
        if to & layout.far[heading]:
            heading = 1 - heading
            turned.append(name)
        at = name
    if bound and not (bound & origin and _begins_by_jumping(layout, path, opposing)):
        bound_one = layout.lowest(bound)
        broken.append(
            Fact("AE-2.6", "must-jump", COLOURS[turn], "arrow", path[0], path[1], 0, bound_one)
        )
    return Trace(tuple(broken), heading, tuple(turned), tuple(jumped))


def _no_leg(turn: int, at: str, name: str, in_chain: bool) -> Fact:
    if in_chain:
        return Fact("AE-2.2", "no-jump", COLOURS[turn], "arrow", at, name)
    return Fact("AE-2.1", "too-far", COLOURS[turn], "arrow", at, name)


def _begins_by_jumping(layout: Layout, path: tuple[str, ...], opposing: int) -> bool:
    leg = layout.legs.get((path[0], path[1]))
    return leg is not None and bool(leg.over & opposing)


def piece_name(layout: Layout, state: State, bit: int) -> str:
    """What stands on the cell of this mask: `white star`, or an empty text."""
    for colour, word in enumerate(COLOURS):
        if state.arrows[colour] & bit:
            return f"{word} arrow"
        if state.stars[colour] & bit:
            return f"{word} star"
    return ""


def reasons(layout: Layout, state: State, action: Action, player: int | None) -> tuple[Fact, ...]:
    """The reasons against an action, the deciding one first; empty where it is allowed."""
    if state.over is not None:
        winner = COLOURS[state.over.winners[0]] if state.over.winners else ""
        return (Fact(state.over.paragraph, "game-over", other=winner),)
    mover = COLOURS[state.turn]
    if player is not None and player != state.turn:
        return (Fact("AE-2.0", "not-your-turn", COLOURS[player], other=mover),)
    try:
        if type(action) is Arrow:  # the most frequent one; a match on classes takes longer
            return _against_arrow(layout, state, action.path, mover)
        match action:
            case Star(start, to):
                return _against_star(layout, state, start, to, mover)
            case EndTurn():
                if state.left == ARROW_HALF:
                    return (Fact("AE-2.0", "arrow-first", mover, "end_turn"),)
                return ()
            case Pass():
                return _against_pass(layout, state, mover)
    except KeyError as error:
        raise UnreadableAction("{what!r} is not a cell of this board", what=error.args[0]) from None
    raise UnreadableAction(f"{action!r} is no action of arrows and stars")


def _against_arrow(
    layout: Layout, state: State, path: tuple[str, ...], mover: str
) -> tuple[Fact, ...]:
    broken: tuple[Fact, ...] = ()
    if state.left != ARROW_HALF:
        broken = (Fact("AE-2.0", "arrow-moved-already", mover, "arrow", path[0], path[-1]),)
    if not state.arrows[state.turn] & layout.masks[path[0]]:
        there = piece_name(layout, state, layout.masks[path[0]])
        case = "not-your-arrow" if there else "nothing-there"
        return (*broken, Fact("AE-2.1", case, mover, "arrow", path[0], path[-1], 0, there))
    return broken or trace(layout, state, path).broken


def _against_star(
    layout: Layout, state: State, start: str, to: str, mover: str
) -> tuple[Fact, ...]:
    bit, broken = layout.masks[start], list[Fact]()
    colour = 0 if state.stars[0] & bit else 1
    if state.left == ARROW_HALF:
        broken.append(Fact("AE-2.0", "arrow-first", mover, "star", start, to))
    elif not state.left:
        broken.append(Fact("AE-3.1", "no-star-moves-left", mover, "star", start, to))
    if not state.stars[colour] & bit:
        there = piece_name(layout, state, bit)
        case = "not-a-star" if there else "no-star-there"
        return (*broken, Fact("AE-3.2", case, mover, "star", start, to, 0, there))
    if state.setup.own_stars and colour != state.turn:
        broken.append(Fact("AE-3.2", "not-your-star", mover, "star", start, to, 0, COLOURS[colour]))
    occupied = state.arrows[0] | state.arrows[1] | state.stars[0] | state.stars[1]
    leg = layout.legs.get((start, to))
    facts = (COLOURS[colour], "star", start, to)
    if leg is None:
        return (*broken, Fact("AE-3.3", "star-too-far", *facts))
    if leg.way == 1 - colour:
        broken.append(Fact("AE-3.3", "star-backwards", *facts))
    if leg.over and not occupied & leg.over:
        broken.append(Fact("AE-3.3", "star-jumps-nothing", *facts))
    if occupied & leg.to:
        there = piece_name(layout, state, leg.to)
        broken.append(Fact("AE-3.3", "star-place-taken", *facts, 0, there))
    return tuple(broken)


def _against_pass(layout: Layout, state: State, mover: str) -> tuple[Fact, ...]:
    if state.left == ARROW_HALF:
        if arrow := next(arrow_moves(layout, state), None):
            start, to = arrow.path[:2]
            return (Fact("AE-2.7", "arrow-can-move", mover, "arrow", start, to),)
        return ()
    if not state.left:
        return (Fact("AE-3.1", "no-star-moves-left", mover, "pass"),)
    if star := next(star_moves(layout, state), None):
        return (Fact("AE-3.5", "star-can-move", mover, "star", star.start, star.to),)
    return ()
