"""What Squod allows: listing actions and giving the reasons against one.

Both ask the same tables: where a piece may go (`Layout.ahead`), what it may land on (`MAY_LAND`),
which attacks there are (`Target.attacks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from tableref.rules.squod.actions import Move, Pass, PutBack, Show, Squod, SquodAction, Tell
from tableref.rules.squod.layout import (
    ACTS,
    KIND,
    KIND_NAMES,
    KINDS,
    LINES,
    MAY_LAND,
    NAMES_OF,
    OWNER,
    SQUOD_LINE,
    START_2,
    TEAM,
    UNKNOWN,
    Layout,
    piece_of,
)
from tableref.rules.squod.state import State
from tableref.rules.surface import Action, Fact, UnreadableAction

# -- listing -----------------------------------------------------------------------------------


def legal(layout: Layout, state: State) -> Iterator[SquodAction]:
    """All legal actions: put-backs, moves, attacks; or a pass; then what could be shown."""
    if state.over is not None:
        return iter(())
    put = put_backs(layout, state) if state.hands[state.turn] else ()
    found = moves(layout, state)
    if found and not state.deals:
        return chain(put, found)
    # With hidden pieces a move may be possible or not: then a pass is possible, too.
    passes = () if _against_pass(layout, state, found) else (Pass(),)
    return chain(put, found, passes, _shows(layout, state))


def put_backs(layout: Layout, state: State) -> tuple[PutBack, ...]:
    """What can be put back, a kind unnamed where the referee need not be told (SQ-3.7)."""
    player = state.turn
    kinds = names_in_hand(layout, state, player)
    if state.setup.secret and len(kinds) > 1:
        kinds = (*kinds, "")
    tables = layout.tables[state.setup.players]
    line_1 = state.occupied >> tables.ramps[player] & layout.lanes_mask
    return tables.put_backs[player][kinds, line_1]


def moves(layout: Layout, state: State) -> list[Move | Squod]:
    """All moves and attacks of the player whose turn it is, without what could be put back."""
    setup, turn, cells, occupied, _, gone, _, deals, _ = state
    tables = layout.tables[setup.players]
    ramp = tables.ramps[turn]
    own = occupied >> ramp & layout.ramp_mask
    found: list[Move | Squod] = [*tables.steps[turn][own]]
    squod_line = ramp + SQUOD_LINE * layout.size
    for place in layout.places_of[own >> SQUOD_LINE * layout.size]:
        piece = cells[squod_line + place]
        to, move = tables.moves[squod_line + place][0]
        if KIND[piece] == UNKNOWN:
            found += _entries(layout, state, squod_line + place, to)
        elif MAY_LAND[piece][cells[to]]:
            found.append(move)
    acts = ACTS[turn % 2][gone]
    for place in layout.places_of[occupied & layout.ring_mask]:
        piece = cells[place]
        if acts[piece]:
            may_land = MAY_LAND[piece]
            for to, move in tables.moves[place]:
                if may_land[cells[to]]:
                    found.append(move)
    if upper := own >> START_2 * layout.size:
        for bit, lane, attacks in tables.targets[turn]:
            if occupied & bit:
                possible = attacks[upper, occupied & lane]
                found += _with_kinds(layout, state, possible) if deals else possible
    return found


def _entries(layout: Layout, state: State, place: int, to: int) -> Iterator[Move]:
    """Moves onto the ring of a piece that is not known: one for each kind it may be."""
    owner = OWNER[state.cells[place]]
    for kind in kinds_at(layout, state, place):
        if MAY_LAND[piece_of(owner, kind)][state.cells[to]]:
            yield Move(layout.names[place], layout.names[to], KINDS[kind])


def _with_kinds(layout: Layout, state: State, attacks: tuple[Squod, ...]) -> Iterator[Squod]:
    """The attacks with what they may show of pieces that are not known."""
    for start, via, target, _ in attacks:
        of_start = _names_to_show(layout, state, layout.index[start])
        of_target = _names_to_show(layout, state, layout.index[target])
        for kinds in product(of_start, of_target):
            yield Squod(start, via, target, kinds)


def _names_to_show(layout: Layout, state: State, place: int) -> tuple[str, ...]:
    if KIND[state.cells[place]] != UNKNOWN:
        return ("",)
    return NAMES_OF[kinds_at(layout, state, place)]


def _shows(layout: Layout, state: State) -> list[Show]:
    """What hidden pieces may turn out to be (SQ-6.1)."""
    found: list[Show] = []
    for ramp, possible in zip(layout.tables[state.setup.players].ramps, state.deals, strict=False):
        if possible:
            for place, kinds in enumerate(possible.on_ramp, ramp):
                found += layout.shows[place][kinds]
    return found


def kinds_at(layout: Layout, state: State, place: int) -> tuple[int, ...]:
    """The kinds that the piece on a place may be of (SQ-6.1)."""
    piece = state.cells[place]
    if KIND[piece] != UNKNOWN:
        return (KIND[piece],)
    ramp = layout.tables[state.setup.players].ramps[OWNER[piece]]
    return state.deals[OWNER[piece]].kinds_at(place - ramp)


def names_in_hand(layout: Layout, state: State, player: int) -> tuple[str, ...]:
    """The kinds that may be among a player's lost pieces, each once (SQ-6.1)."""
    if state.deals and state.deals[player]:
        return NAMES_OF[state.deals[player].kinds_in_hand()]
    return NAMES_OF[state.hands[player]]


# -- reasons -----------------------------------------------------------------------------------


def reasons(layout: Layout, state: State, action: Action, player: int | None) -> tuple[Fact, ...]:
    """The reasons against an action, the deciding one first; empty where it is allowed."""
    if state.over is not None:
        names, (winners, paragraph) = state.setup.names, state.over
        if not winners:
            return (Fact(paragraph, "over-drawn"),)
        return (Fact(paragraph, "game-over", other=names[winners[0]]),)
    if isinstance(action, Tell):
        return _against_tell(layout, state, action, player)
    if player is not None and player != state.turn and not isinstance(action, Show):
        names = state.setup.names
        return (Fact("SQ-1.2", "not-your-turn", names[player], other=names[state.turn]),)
    try:
        if isinstance(action, Move):
            place, to = layout.index[action.start], layout.index[action.to]
            return _against_move(layout, state, place, to, action.kind)
        if isinstance(action, Squod):
            return _against_squod(layout, state, action)
        if isinstance(action, PutBack):
            return _against_put_back(layout, state, action)
        if isinstance(action, Show):
            return _against_show(layout, state, action)
    except KeyError as error:
        raise UnreadableAction("{what!r} is not a cell of this board", what=error.args[0]) from None
    if isinstance(action, Pass):
        return _against_pass(layout, state, moves(layout, state))
    raise UnreadableAction(f"{action!r} is no action of Squod")


def _against_owner(
    layout: Layout, state: State, place: int, on_ramp_alone: bool = False
) -> Fact | None:
    """Why the player may not act with the piece on this place (SQ-3.0, SQ-3.6)."""
    piece, turn = state.cells[place], state.turn
    owner = OWNER[piece]
    if owner == turn:
        return None
    names, at = state.setup.names, layout.names[place]
    if not piece:
        return Fact("SQ-3.0", "nothing-there", names[turn], start=at)
    if owner % 2 != turn % 2:
        return Fact("SQ-3.0", "not-your-piece", names[turn], start=at, other=names[owner])
    if place >= layout.ring or on_ramp_alone:
        return Fact("SQ-3.6", "partners-ramp", names[turn], start=at, other=names[owner])
    if state.gone >> owner & 1:
        return Fact("HR-1.1", "piece-given-up", names[turn], start=at, other=names[owner])
    return None


def _against_move(layout: Layout, state: State, place: int, to: int, kind: str) -> tuple[Fact, ...]:
    if fact := _against_owner(layout, state, place):
        return (fact,)
    piece, there, ahead = state.cells[place], state.cells[to], to in layout.ahead[place]
    onto_ring = to < layout.ring <= place
    if kind and not onto_ring:
        raise UnreadableAction("a kind is named where a piece comes from a ramp onto the ring")
    hidden = onto_ring and KIND[piece] == UNKNOWN
    if ahead and not kind and not hidden and MAY_LAND[piece][there]:
        return ()
    who, start, end = state.setup.names[state.turn], layout.names[place], layout.names[to]
    broken = [] if ahead else [_wrong_way(layout, place, to, who)]
    if there and (to >= layout.ring or TEAM[there] == TEAM[piece]):
        other = _shown_name(layout, state, to)
        paragraph = "SQ-3.1" if to >= layout.ring else "SQ-3.2" if onto_ring else "SQ-3.3"
        broken.append(Fact(paragraph, "place-taken", who, "", start, end, 0, other))
        return tuple(broken)
    if onto_ring and ahead:
        if fact := _against_kind(layout, state, place, kind):
            # Nothing more can be said before the piece is shown, or of a kind that it is not.
            return (fact,)
        if kind:
            piece = piece_of(OWNER[piece], KINDS.index(kind))
    if KIND[piece] != UNKNOWN and not MAY_LAND[piece][there]:
        facts = (who, KIND_NAMES[KIND[piece]], start, end, 0, _shown_name(layout, state, to))
        broken.append(Fact("SQ-3.4", "not-weaker", *facts))
    return tuple(broken)


def _wrong_way(layout: Layout, place: int, to: int, who: str) -> Fact:
    start, end = layout.names[place], layout.names[to]
    if place < layout.ring:
        if to >= layout.ring:
            return Fact("SQ-3.5", "back-on-ramp", who, "", start, end)
        return Fact("SQ-3.3", "not-beside", who, "", start, end)
    back = layout.side[place] == layout.side[to] and layout.line[to] <= layout.line[place]
    if layout.line[place] == SQUOD_LINE and not back:
        before = layout.names[layout.ahead[place][0]]
        return Fact("SQ-3.2", "straight-on", who, "", start, end, 0, before)
    return Fact("SQ-3.1", "never-back" if back else "not-one-line-on", who, "", start, end)


def _against_kind(layout: Layout, state: State, place: int, kind: str) -> Fact | None:
    """Why a piece that is shown cannot be of this kind (SQ-6.1); "" names none."""
    piece, at = state.cells[place], layout.names[place]
    owner = state.setup.names[OWNER[piece]]
    if not kind:
        return Fact("SQ-1.5", "show-it", owner, start=at) if KIND[piece] == UNKNOWN else None
    if KINDS.index(kind) in kinds_at(layout, state, place):
        return None
    return Fact("SQ-6.1", "cannot-be", owner, kind, at)


def _against_squod(layout: Layout, state: State, action: Squod) -> tuple[Fact, ...]:
    index, cells = layout.index, state.cells
    start, via, target = index[action.start], index[action.via], index[action.target]
    if fact := _against_owner(layout, state, start, on_ramp_alone=True):
        return (fact,)
    who, turn, size = state.setup.names[state.turn], state.turn, layout.size
    ramp = layout.tables[state.setup.players].ramps[turn]
    facts = (who, "", action.start, action.target)
    broken: list[Fact] = []
    from_line = layout.line[start] if start >= ramp else -1
    if from_line not in (START_2, SQUOD_LINE):
        return (Fact("SQ-4.1", "not-from-there", *facts),)
    if not ramp + SQUOD_LINE * size <= via < ramp + LINES * size:
        return (Fact("SQ-4.1", "not-by-squod-line", *facts, 0, action.via),)
    if start != via:
        if from_line == SQUOD_LINE:
            broken.append(Fact("SQ-4.1", "stays-in-place", *facts, 0, action.via))
        elif via not in layout.ahead[start]:
            broken.append(Fact("SQ-3.1", "not-one-line-on", who, "", action.start, action.via))
        elif cells[via]:
            standing = _shown_name(layout, state, via)
            broken.append(
                Fact("SQ-3.1", "place-taken", who, "", action.start, action.via, 0, standing)
            )
    there = cells[target]
    if layout.line[target] != SQUOD_LINE or not there or OWNER[there] % 2 == turn % 2:
        broken.append(Fact("SQ-4.1", "not-at-that", *facts))
        return tuple(broken)
    crossing = layout.crossing[via, target]
    if cells[crossing]:
        broken.append(Fact("SQ-4.2", "crossing-taken", *facts, 0, layout.names[crossing]))
    for place, kind in zip((start, target), action.kinds, strict=True):
        if broken or not (kind or KIND[cells[place]] == UNKNOWN):
            continue
        if not (fact := _against_kind(layout, state, place, kind)):
            continue
        unshown = Fact("SQ-4.3", "both-show", who, "", layout.names[place])
        broken.append(unshown if fact.case == "show-it" else fact)
    return tuple(broken)


def _against_put_back(layout: Layout, state: State, action: PutBack) -> tuple[Fact, ...]:
    place, who = layout.index[action.to], state.setup.names[state.turn]
    ramp = layout.tables[state.setup.players].ramps[state.turn]
    broken: list[Fact] = []
    kinds = names_in_hand(layout, state, state.turn)
    if not kinds:
        broken.append(Fact("SQ-3.7", "hand-empty", who, action.kind, to=action.to))
    elif action.kind and action.kind not in kinds:
        broken.append(Fact("SQ-3.7", "not-in-hand", who, action.kind, to=action.to))
    elif not action.kind and not state.setup.secret:
        broken.append(Fact("SQ-6.1", "name-it", who, to=action.to))
    if not ramp <= place < ramp + layout.size:
        broken.append(Fact("SQ-3.7", "not-on-line-1", who, action.kind, to=action.to))
    elif state.cells[place]:
        broken.append(Fact("SQ-3.7", "put-back-taken", who, action.kind, to=action.to))
    return tuple(broken)


def _against_show(layout: Layout, state: State, action: Show) -> tuple[Fact, ...]:
    place = layout.index[action.at]
    piece = state.cells[place]
    if place < layout.ring or not piece or KIND[piece] != UNKNOWN:
        return (Fact("SQ-6.1", "nothing-hidden", what=action.kind, start=action.at),)
    fact = _against_kind(layout, state, place, action.kind)
    return (fact,) if fact else ()


def to_tell(layout: Layout, state: State, player: int) -> dict[str, tuple[str, ...]]:
    """Place -> kinds that may stand there, for what the referee does not know of a player's ramp
    (SQ-6.1)."""
    if not state.deals or not state.deals[player]:
        return {}
    ramp = layout.tables[state.setup.players].ramps[player]
    return {
        layout.names[place]: NAMES_OF[kinds_at(layout, state, place)]
        for place in range(ramp, ramp + LINES * layout.size)
        if state.cells[place] and KIND[state.cells[place]] == UNKNOWN
    }


def _against_tell(
    layout: Layout, state: State, action: Tell, player: int | None
) -> tuple[Fact, ...]:
    """A player tells what only he knows, and all of it: else how much there is to tell would
    tell the others something."""
    names, owner = state.setup.names, action.player
    if not 0 <= owner < state.setup.players:
        raise UnreadableAction("there is no player {who}; the first is 0", who=owner)
    if player is not None and player != owner:
        return (Fact("SQ-1.5", "not-yours-to-tell", names[player], other=names[owner]),)
    asked = to_tell(layout, state, owner)
    if not asked or asked.keys() != dict(action.pieces).keys():
        return (Fact("SQ-6.1", "tell-all", names[owner]),)
    ramp, possible = layout.tables[state.setup.players].ramps[owner], state.deals[owner]
    for place, kind in action.pieces:
        possible = possible.shown(layout.index[place] - ramp, KINDS.index(kind))
    return () if possible else (Fact("SQ-6.1", "cannot-be-these", names[owner]),)


def _against_pass(layout: Layout, state: State, found: list[Move | Squod]) -> tuple[Fact, ...]:
    """A pass needs that no move is possible, also after a put-back; where this hangs on hidden
    pieces, that it may be so (SQ-3.8, SQ-6.1). `found` are the `moves` of this state."""
    who = state.setup.names[state.turn]
    ramp = layout.tables[state.setup.players].ramps[state.turn]
    hanging: list[tuple[int, int]] = []
    can_take = False
    for move in found:
        start, to = layout.index[move.start], layout.index[move[1]]
        if isinstance(move, Move) and to < layout.ring <= start and state.cells[to]:
            # To name this move would tell everybody what the hidden piece is (SQ-1.5).
            can_take = can_take or not move.kind
            if move.kind:
                hanging.append((start - ramp, KINDS.index(move.kind)))
            continue
        end = move.target if isinstance(move, Squod) else move.to
        return (Fact("SQ-3.8", "must-move", who, "", move.start, end),)
    if state.hands[state.turn]:
        for place in range(ramp, ramp + layout.size):
            if not state.cells[place] and not all(state.cells[to] for to in layout.ahead[place]):
                return (Fact("SQ-3.8", "could-put-back", who, to=layout.names[place]),)
    if can_take or (hanging and not state.deals[state.turn].one_without(hanging)):
        return (Fact("SQ-3.8", "can-take", who),)
    return ()


def _shown_name(layout: Layout, state: State, place: int) -> str:
    """The piece on a place as everybody sees it: player and kind, or `?` on a ramp."""
    piece = state.cells[place]
    kind = KIND_NAMES[KIND[piece]] if place < layout.ring else "?"
    return f"{state.setup.names[OWNER[piece]]} {kind}"
