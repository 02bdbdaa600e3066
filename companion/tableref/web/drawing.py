"""The board as SVG: cells by name, pieces as they stand, lit rings. On a board that can be touched
each cell is a button, which the arrow keys reach and of which screen readers say what stands there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from tableref.devices.lights import BODY, Light, Pattern, Standing
from tableref_hardware.board import Board
from tableref_hardware.outline import Points, cell_outline, ring

_NAME = 7.0  # mm: the size of a cell's name
_PATTERNS = {
    Pattern.STEADY: "steady",
    Pattern.PULSE: "pulse",
    Pattern.SLOW_BLINK: "slow",
    Pattern.FAST_BLINK: "fast",
}


class Touch(NamedTuple):
    """What makes a board one that can be touched: where the arrow keys lead from each cell
    (`steered`), and what stands on the cells, in words."""

    ways: Mapping[str, tuple[str, ...]]
    stands: Mapping[str, str]


class Mark(NamedTuple):
    """A text at the side of a cell to which a heading points, in its middle where there is none."""

    cell: str
    heading: float | None
    text: str


def board_svg(
    board: Board,
    pieces: Iterable[Standing],
    lights: Mapping[str, Light],
    said: str,
    marks: Iterable[Mark] = (),
    touch: Touch | None = None,
) -> str:
    """The picture; `said` is what it says to those who do not see it. Without `touch` it is a
    picture and nothing else."""
    width, depth = board.plate.width, board.plate.depth
    outline = cell_outline(board)
    inner = math.hypot(*outline[0]) * math.cos(math.pi / len(outline))
    hexes = len(outline) == 6
    parts = [
        f'<svg class="board" viewBox="{-width / 2:.0f} {-depth / 2:.0f} {width:.0f} {depth:.0f}" '
        f'role="{"group" if touch else "img"}" aria-label="{escape(said)}">',
        f'<rect class="plate" x="{-width / 2:.0f}" y="{-depth / 2:.0f}" width="{width:.0f}" '
        f'height="{depth:.0f}" rx="6"/>',
    ]
    # A hex has its name inside, a spot below it.
    low = 0.72 * inner if hexes else inner + 0.6 * _NAME
    for cell in board.cells.values():
        shape = (
            f'<polygon points="{_points(outline, cell.x, cell.y)}"/>'
            if hexes
            else f'<circle cx="{cell.x:.1f}" cy="{-cell.y:.1f}" r="{inner:.1f}"/>'
        )
        parts.append(
            f'<g class="cell" data-cell="{escape(cell.name)}"{_touched(cell.name, touch)}>{shape}'
            f'<text x="{cell.x:.1f}" y="{-cell.y + low:.1f}" font-size="{_NAME}">'
            f"{escape(cell.name)}</text></g>"
        )
    reach = inner if hexes else 1.7 * inner
    for piece in pieces:
        parts.append(_piece(board, piece, reach))
    for name, light in lights.items():
        cell = board.cells[name]
        parts.append(
            f'<circle class="light {_PATTERNS[light.pattern]}" '
            f'cx="{cell.x:.1f}" cy="{-cell.y:.1f}" r="{0.82 * reach:.1f}" '
            f'stroke="{_colour(light.colour)}" stroke-width="{0.13 * reach:.1f}"/>'
        )
    parts += (_mark(board, mark, reach) for mark in marks)
    return "".join((*parts, "</svg>"))


def _touched(cell: str, touch: Touch | None) -> str:
    """What makes a cell a button. The first one is where Tab comes to."""
    if touch is None:
        return ""
    first = cell == next(iter(touch.ways))
    said = f"{cell}: {touch.stands[cell]}" if cell in touch.stands else cell
    ways = ",".join(touch.ways[cell])
    return (
        f' role="button" tabindex="{0 if first else -1}" data-ways="{escape(ways)}"'
        f' aria-label="{escape(said)}"'
    )


def _mark(board: Board, mark: Mark, reach: float) -> str:
    cell = board.cells[mark.cell]
    turn, far = math.radians(mark.heading or 0.0), 0.0 if mark.heading is None else 0.7 * reach
    x, y = cell.x + far * math.cos(turn), cell.y + far * math.sin(turn)
    return (
        f'<text class="mark" x="{x:.1f}" y="{-y:.1f}" font-size="{_NAME}">'
        f"{escape(mark.text)}</text>"
    )


def _piece(board: Board, piece: Standing, inner: float) -> str:
    cell = board.cells[piece.cell]
    turn = math.radians(piece.heading or 0.0)
    cos, sin = math.cos(turn) * inner, math.sin(turn) * inner
    shape = ring(0.55, 24) if piece.heading is None else BODY
    turned = tuple((x * cos - y * sin, x * sin + y * cos) for x, y in shape)
    ink = "#fff" if sum(piece.colour) < 300 else "#000"
    return (
        f'<g class="piece" data-cell="{escape(piece.cell)}" aria-hidden="true">'
        f'<polygon points="{_points(turned, cell.x, cell.y)}" '
        f'fill="{_colour(piece.colour)}"/>'
        f'<text x="{cell.x:.1f}" y="{-cell.y:.1f}" font-size="{0.42 * inner:.1f}" fill="{ink}">'
        f"{escape(piece.label)}</text></g>"
    )


def _points(points: Points, x: float, y: float) -> str:
    """mm around a cell's middle; y counts upwards on a board, downwards on a page."""
    return " ".join(f"{x + px:.1f},{-y - py:.1f}" for px, py in points)


def _colour(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
