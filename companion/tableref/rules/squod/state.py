"""State and set-up of Squod."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tableref.rules.pieces import HIDDEN, Piece, Stack
from tableref.rules.plain import choice, entries, flag, only_known, player_names, table, whole
from tableref.rules.squod.deals import NOTHING, Deals, all_deals
from tableref.rules.squod.layout import (
    ALL_KINDS,
    CLOCKWISE,
    KIND,
    KIND_NAMES,
    KIND_OF,
    KINDS,
    LINES,
    MADE_OF,
    OF_EACH,
    OWNER,
    PIECES,
    SQUOD_LINE,
    UNKNOWN,
    Layout,
    beats,
    piece_of,
)
from tableref.rules.surface import Outcome, Record, SetupError

POSITION = ("pieces", "hands", "turn", "winner", "drawn", "resigned", "passed")
"""The keys of a position, those of `SquodRules.facts`."""
DRAWN = Outcome((), "SQ-3.9")
"""Nobody can ever move again."""

UPRIGHT: tuple[Stack, ...] = (
    (),
    *(
        (Piece("piece", str(OWNER[piece]), face=KIND_NAMES[KIND[piece]], name=str(OWNER[piece])),)
        for piece in range(1, len(OWNER))
    ),
)
"""Piece -> what is seen of it on the ring, where its face shows."""

FACE_DOWN: tuple[Stack, ...] = (
    (),
    *((stack[0]._replace(face=HIDDEN),) for stack in UPRIGHT[1:]),
)
"""Piece -> what is seen of it on a ramp."""


class Setup(NamedTuple):
    """Options: number of players, who begins (SQ-2.1), whether pieces may be put down without the
    referee being told their kind (SQ-6.1), names."""

    players: int = 2
    first: int = 0
    secret: bool = False
    names: tuple[str, ...] = CLOCKWISE


class State(NamedTuple):
    """A position as the referee knows it.

    `cells`: place -> piece, of kind UNKNOWN where several are possible. `occupied`: the same as a
    mask. `hands`: player -> kinds of his lost pieces. `gone`: players who gave up, as bits.
    `deals`: player -> the deals that are possible, empty where `cells` and `hands` say it all; and
    no tuple at all where this holds for everybody. `passed`: who passed since the last move, as
    bits (SQ-3.9).
    """

    setup: Setup
    turn: int
    cells: tuple[int, ...]
    occupied: int
    hands: tuple[tuple[int, ...], ...]
    gone: int
    over: Outcome | None
    deals: tuple[Deals, ...]
    passed: int = 0


def begins(chosen: str, other: str) -> bool | None:
    """Whether the one who chose the first of two kinds begins; None: they choose again (SQ-2.1)."""
    if chosen == other:
        return None
    return beats(KINDS.index(chosen), KINDS.index(other))


def first_state(layout: Layout, record: Record) -> State:
    """The start with the options of a set-up (SQ-2); what is missing has its default, and where
    no placement is given no piece is known. SetupError"""
    known = ("players", "first", "placement", "secret", "names")
    only_known(record, "set-up", known)
    players = whole(record.get("players", 2), "set-up: players", 2, 4)
    if players not in layout.tables:
        raise SetupError(f"set-up: players: expected 2 or 4, found {players!r} (SQ-1.2)")
    names = player_names(record, players) or layout.tables[players].sides
    placement = record.get("placement", [None] * players)
    if not isinstance(placement, list | tuple) or len(placement) != players:
        raise SetupError(f"set-up: placement: expected a list for each of {players} players")
    cells = [0] * len(layout.names)
    for player, kinds in enumerate(placement):
        ramp = layout.tables[players].ramps[player]
        for place, kind in enumerate(_placed(layout, kinds, player), ramp):
            cells[place] = 0 if kind < 0 else piece_of(player, kind)
    secret = flag(record, "secret", default=any(KIND[piece] == UNKNOWN for piece in cells))
    first = whole(record.get("first", 0), "set-up: first", 0, players - 1)
    setup = Setup(players, first, secret, names)
    empty: State = State(setup, first, (), 0, ((),) * players, 0, None, ())
    return settled(layout, empty, cells, empty.hands)


def _placed(layout: Layout, kinds: Any, player: int) -> list[int]:
    """Kinds by place of the start lines, -1 for a free place (SQ-2.2)."""
    where, places = f"set-up: placement[{player}]", SQUOD_LINE * layout.size
    if kinds is None:
        if places != PIECES:
            raise SetupError(f"{where}: expected a list that says which places are free ('')")
        return [UNKNOWN] * PIECES
    if not isinstance(kinds, list | tuple) or len(kinds) != places:
        raise SetupError(f"{where}: expected {places} places, start line 1 first, found {kinds!r}")
    found = []
    for kind in kinds:
        if kind is None:
            found.append(UNKNOWN)
        else:
            found.append(("", *KINDS).index(choice(kind, where, ("", *KINDS))) - 1)
    if sum(kind >= 0 for kind in found) != PIECES:
        raise SetupError(f"{where}: expected {PIECES} pieces (SQ-1.3)")
    return found


def corrected(layout: Layout, state: State, position: Record) -> State:
    """The state with what the position names set as it says; who passed before does not count any
    more, unless it says so. SetupError"""
    only_known(position, "position", POSITION)
    players = state.setup.players
    cells, hands = list(state.cells), list(state.hands)
    if "pieces" in position:
        cells = [0] * len(layout.names)
        for name, text in table(position, "pieces", "position").items():
            place = layout.index.get(name)
            if place is None:
                raise SetupError(f"position: pieces: {name!r} is not a place of this board")
            cells[place] = _piece(layout, players, name, place, text)
    for key, kinds in table(position, "hands", "position", optional=True).items():
        if key not in map(str, range(players)):
            raise SetupError(f"position: hands: {key!r} is not a player, 0 to {players - 1}")
        where = f"position: hands.{key}"
        hands[int(key)] = tuple(
            sorted(
                KIND_NAMES.index(choice(k, where, KIND_NAMES)) for k in entries(kinds, where, str)
            )
        )
    turn = whole(position.get("turn", state.turn), "position: turn", 0, players - 1)
    gone = _who(position, "resigned", players) if "resigned" in position else state.gone
    passed = _who(position, "passed", players) if "passed" in position else 0
    state = state._replace(turn=turn, gone=gone, over=None, passed=passed)
    state = settled(layout, state, cells, tuple(hands))
    drawn = flag(position, "drawn", where="position")
    return state._replace(over=DRAWN) if drawn and state.over is None else state


def _who(position: Record, key: str, players: int) -> int:
    """The players whom a position names there, as bits. SetupError"""
    where = f"position: {key}"
    named = entries(position[key], where, int)
    return sum({1 << whole(player, where, 0, players - 1) for player in named})


def _piece(layout: Layout, players: int, name: str, place: int, text: object) -> int:
    words = text.split() if isinstance(text, str) else []
    if len(words) != 2 or words[0] not in map(str, range(players)) or words[1] not in KIND_NAMES:
        raise SetupError(
            f"position: pieces.{name}: expected player and kind as in '0 rock' or '0 ?', "
            f"found {text!r}"
        )
    owner, kind = int(words[0]), KIND_NAMES.index(words[1])
    if layout.side[place] < 0:
        if kind == UNKNOWN:
            raise SetupError(f"position: pieces.{name}: on the ring pieces lie face up (SQ-1.5)")
    elif layout.names[place][0] != layout.tables[players].sides[owner]:
        raise SetupError(f"position: pieces.{name}: on a ramp stand pieces of its owner alone")
    return piece_of(owner, kind)


def settled(
    layout: Layout, state: State, cells: list[int], hands: tuple[tuple[int, ...], ...]
) -> State:
    """A state with these pieces: what they leave possible, and whether somebody has won.

    SetupError where no deal of two of each kind agrees with them (SQ-1.3).
    """
    players = state.setup.players
    tables, places = layout.tables[players], LINES * layout.size
    deals = []
    for player, ramp in enumerate(tables.ramps):
        on_ramp = tuple(KIND[piece] + 1 for piece in cells[ramp : ramp + places])
        shown = tuple(KIND[piece] for piece in cells[: layout.ring] if OWNER[piece] == player)
        possible = all_deals(on_ramp, hands[player], shown)
        if not possible:
            raise SetupError(
                f"pieces of {state.setup.names[player]}: a player has {OF_EACH} of each kind "
                "(SQ-1.3)"
            )
        hidden = UNKNOWN + 1 in on_ramp or UNKNOWN in hands[player]
        deals.append(possible if hidden else NOTHING)
    secret = state.setup.secret or any(len(possible) > 1 for possible in deals)
    diagonal = range(0, layout.ring, layout.size + 1)  # every row and column goes through it
    won = [team for team in (0, 1) if any(has_line(layout, cells, team, c) for c in diagonal)]
    if len(won) > 1:
        raise SetupError("position: pieces: both sides have a winning line (SQ-5.1)")
    told = list(hands)
    for player, possible in enumerate(deals):
        if possible:
            tell(tables.ramps[player], player, possible, cells, told)
    return state._replace(
        setup=state.setup._replace(secret=secret),
        cells=tuple(cells),
        occupied=sum(1 << place for place, piece in enumerate(cells) if piece),
        hands=tuple(told),
        deals=in_doubt(deals),
        over=Outcome(team_players(players, won[0]), "SQ-5.1") if won else None,
    )


def in_doubt(deals: Sequence[Deals]) -> tuple[Deals, ...]:
    """As `State.deals` has them: of one deal alone nothing is left to find out."""
    doubt = tuple([possible if len(possible) > 1 else NOTHING for possible in deals])
    return doubt if any(doubt) else ()


def tell(
    ramp: int, player: int, possible: Deals, cells: list[int], hands: list[tuple[int, ...]]
) -> None:
    """Write into `cells` and `hands` what these deals say of the player whose ramp begins there."""
    hands[player] = possible.hand()
    for place, kinds in enumerate(possible.on_ramp, ramp):
        cells[place] = kinds and piece_of(player, KIND_OF[kinds])


def has_line(layout: Layout, cells: Sequence[int], team: int, cell: int) -> bool:
    """Whether the row or the column through a ring cell holds all kinds of a side (SQ-5.1)."""
    made_of = MADE_OF[team]
    for line in layout.lines_of[cell]:
        kinds = 0
        for place in line:
            kinds |= made_of[cells[place]]
        if kinds == ALL_KINDS:
            return True
    return False


def team_players(players: int, team: int) -> tuple[int, ...]:
    """The players of a side (SQ-1.2)."""
    return tuple(range(team, players, 2))


def pieces_of(layout: Layout, state: State) -> dict[str, Stack]:
    """Place -> piece as far as the referee knows it (`0 rock`, `0 ?`)."""
    return {layout.names[place]: UPRIGHT[piece] for place, piece in enumerate(state.cells) if piece}


def face_up(layout: Layout, state: State, player: int | None = None) -> dict[str, Stack]:
    """As `pieces_of`, but the pieces on ramps are face down except for this player's own."""
    return {
        layout.names[place]: UPRIGHT[piece]
        if place < layout.ring or OWNER[piece] == player
        else FACE_DOWN[piece]
        for place, piece in enumerate(state.cells)
        if piece
    }
