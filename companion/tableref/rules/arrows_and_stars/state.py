"""State, set-up and actions of arrows and stars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tableref.rules.arrows_and_stars.layout import ARROWS, COLOURS, HEADINGS, STARS, Layout
from tableref.rules.pieces import Piece, Stack
from tableref.rules.plain import choice, only_known, table, whole
from tableref.rules.surface import Outcome, Record, SetupError

ARROW_HALF = -1
"""`State.left` while the arrow move is due (AE-2.0)."""

MOST_REPEATED = 99

ARROW: tuple[tuple[Stack, ...], ...] = tuple(
    tuple((Piece("arrow", colour, heading),) for heading in HEADINGS) for colour in COLOURS
)
"""Colour -> heading -> such an arrow."""

STAR: tuple[Stack, ...] = tuple(
    (Piece("star", colour, heading),) for colour, heading in zip(COLOURS, HEADINGS, strict=True)
)
"""Colour -> a star of it, which keeps its direction (AE-3.3)."""


class Setup(NamedTuple):
    """Options: only one's own stars (AE-3.2); how often a position makes a draw, 0: never
    (AE-4.2)."""

    own_stars: bool = False
    repetition: int = 3


class State(NamedTuple):
    """A position and what led to it. Pieces are masks of cells, by colour: white, black.

    `up`: arrows that point up. `left`: star moves still free in this turn, or ARROW_HALF.
    `seen`: positions at the beginning of turns that can still come back (AE-4.2).
    """

    setup: Setup
    turn: int
    arrows: tuple[int, int]
    up: int
    stars: tuple[int, int]
    left: int
    out: tuple[int, int]
    seen: tuple[tuple[object, ...], ...]
    over: Outcome | None


def read_setup(record: Record) -> Setup:
    """The options of a set-up; what is missing has its default. SetupError"""
    only_known(record, "set-up", ("star_control", "repetition"))
    control = choice(record.get("star_control", "any"), "set-up: star_control", ("any", "own"))
    repetition = record.get("repetition", 3)
    if repetition in (0, None) or repetition is True:
        # `false` and `null` switch the draw off, `true` is the usual one.
        repetition = 3 if repetition is True else 0
    else:
        repetition = whole(repetition, "set-up: repetition", 2, MOST_REPEATED)
    return Setup(control == "own", repetition)


def first_state(layout: Layout, setup: Setup) -> State:
    """The start on this layout; white begins (AE-1.2, AE-1.3)."""

    def mask(key: str) -> int:
        return sum(layout.masks[name] for name in layout.starts[key])

    arrows = mask("white_arrows"), mask("black_arrows")
    stars = mask("white_stars"), mask("black_stars")
    return opened(State(setup, 0, arrows, arrows[0], stars, ARROW_HALF, (0, 0), (), None))


def opened(state: State) -> State:
    """The state with its position as the first that can come back (AE-4.2)."""
    if state.setup.repetition and state.left == ARROW_HALF:
        key = position_key(state.turn, state.arrows, state.up, state.stars)
        return state._replace(seen=(key,))
    return state._replace(seen=())


def position_key(
    turn: int, arrows: tuple[int, int], up: int, stars: tuple[int, int]
) -> tuple[object, ...]:
    """Equal for equal positions (AE-4.2)."""
    return (up, arrows, stars, turn)


def corrected(layout: Layout, state: State, position: Record) -> State:
    """The state with `pieces`, `stars_out`, `turn`, `star_moves` set as the position says.

    `stars_out` defaults to the stars that are missing on the board. SetupError
    """
    only_known(position, "position", ("pieces", "stars_out", "turn", "star_moves", "winner"))
    if "pieces" in position:
        state = _with_pieces(layout, state, table(position, "pieces", "position"))
    if "turn" in position:
        names = {COLOURS[0]: 0, COLOURS[1]: 1}
        state = state._replace(turn=names[choice(position["turn"], "position: turn", COLOURS)])
    on_board = tuple(mask.bit_count() for mask in state.stars)
    out = tuple(STARS - count for count in on_board) if "pieces" in position else state.out
    if "stars_out" in position:
        given = table(position, "stars_out", "position")
        only_known(given, "position: stars_out", COLOURS)
        out = tuple(
            whole(given.get(colour, 0), f"position: stars_out.{colour}", 0, STARS)
            for colour in COLOURS
        )
    for word, missing, count in zip(COLOURS, out, on_board, strict=True):
        if (found := count + max(missing, 0)) > STARS:
            raise SetupError(f"position: {word} has {STARS} stars, found {found} (AE-1.2)")
    left = position.get("star_moves")
    left = ARROW_HALF if left is None else whole(left, "position: star_moves", 0, 99)
    won = [side for side in (0, 1) if out[side] == STARS]
    if len(won) > 1:
        raise SetupError("position: stars_out: both sides have won (AE-4.1)")
    return opened(
        state._replace(
            out=(out[0], out[1]),
            left=left,
            over=Outcome((won[0],), "AE-4.1") if won else None,
        )
    )


def _with_pieces(layout: Layout, state: State, pieces: Record) -> State:
    arrows, stars, up = [0, 0], [0, 0], 0
    for name, piece in pieces.items():
        if name not in layout.masks:
            raise SetupError(f"position: pieces: {name!r} is not a cell of this board")
        side, kind, heading = _piece(piece, name)
        bit = layout.masks[name]
        if kind == "arrow":
            arrows[side] |= bit
            up |= bit if heading == 0 else 0
            continue
        if heading != side:
            raise SetupError(f"position: pieces.{name}: a star keeps its direction (AE-3.3)")
        if bit & layout.far[side]:
            raise SetupError(
                f"position: pieces.{name}: a star on its far edge is taken off (AE-3.4)"
            )
        stars[side] |= bit
    for colour, mask in zip(COLOURS, arrows, strict=True):
        if mask.bit_count() > ARROWS:
            raise SetupError(
                f"position: {colour} has {ARROWS} arrows, found {mask.bit_count()} (AE-1.2)"
            )
    return state._replace(arrows=(arrows[0], arrows[1]), stars=(stars[0], stars[1]), up=up)


def _piece(piece: object, name: str) -> tuple[int, str, int]:
    words = piece.split() if isinstance(piece, str) else []
    if (
        len(words) != 3
        or words[0] not in COLOURS
        or words[1] not in ("arrow", "star")
        or words[2] not in HEADINGS
    ):
        raise SetupError(
            f"position: pieces.{name}: expected colour, kind and direction as in "
            f"'white arrow up', found {piece!r}"
        )
    return COLOURS.index(words[0]), words[1], HEADINGS.index(words[2])


def pieces_of(layout: Layout, state: State) -> dict[str, Stack]:
    """Cell -> piece (`white arrow up`), in the order of the cells."""
    (white, black), (white_star, black_star), up = state.arrows, state.stars, state.up
    kinds = (
        (white & up, ARROW[0][0]),
        (white & ~up, ARROW[0][1]),
        (black & up, ARROW[1][0]),
        (black & ~up, ARROW[1][1]),
        (white_star, STAR[0]),
        (black_star, STAR[1]),
    )
    pieces = [(bit, stack) for mask, stack in kinds for bit in cells_of(mask)]
    return {layout.names[bit.bit_length() - 1]: stack for bit, stack in sorted(pieces)}


def cells_of(mask: int) -> Iterator[int]:
    """The masks of the single cells of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit
