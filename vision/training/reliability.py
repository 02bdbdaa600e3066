"""A reliability diagram: how often values of each confidence were right, as SVG."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0001)
SIDE, MARGIN = 320, 40


def bins(pairs: Sequence[tuple[float, bool]]) -> list[tuple[int, float, float]]:
    """For each range of `EDGES` that is not empty: how many, mean confidence, share right."""
    rows = []
    for low, high in itertools.pairwise(EDGES):
        inside = [(c, right) for c, right in pairs if low <= c < high]
        if inside:
            count = len(inside)
            rows.append(
                (count, sum(c for c, _ in inside) / count, sum(r for _, r in inside) / count)
            )
    return rows


def plot(pairs: Sequence[tuple[float, bool]]) -> str:
    """The diagram; the diagonal is what a perfect confidence gives."""

    def at(x: float, y: float) -> tuple[float, float]:
        return MARGIN + x * SIDE, MARGIN + (1 - y) * SIDE

    whole = SIDE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{whole}" height="{whole}" fill="white"/>',
        f'<path d="M{MARGIN} {MARGIN}v{SIDE}h{SIDE}" fill="none" stroke="black"/>',
        f'<path d="M{MARGIN} {MARGIN + SIDE}L{MARGIN + SIDE} {MARGIN}" stroke="silver"/>',
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = at(tick, tick)
        parts.append(f'<text x="{x}" y="{MARGIN + SIDE + 16}" text-anchor="middle">{tick}</text>')
        parts.append(f'<text x="{MARGIN - 6}" y="{y + 4}" text-anchor="end">{tick}</text>')
    for count, mean, share in bins(pairs):
        x, y = at(mean, share)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + count**0.35:.1f}" fill="#2a6f97" '
            f'fill-opacity="0.6"><title>{count} values, confidence {mean:.3f}, right {share:.3f}'
            "</title></circle>"
        )
    middle = whole / 2
    parts.append(f'<text x="{middle}" y="{whole - 6}" text-anchor="middle">confidence</text>')
    parts.append(
        f'<text x="12" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 12 {middle})">share read right</text>'
    )
    return "\n".join([*parts, "</svg>", ""])
