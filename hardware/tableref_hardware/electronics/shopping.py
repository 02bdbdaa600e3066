"""The parts list of a table: its electronics, and what else it takes, computed from board files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tableref_hardware.board import Board
from tableref_hardware.electronics.catalogue import KINDS
from tableref_hardware.electronics.circuit import Circuit, numbered

UNDER_CELLS = frozenset(
    (KINDS[kind].value, KINDS[kind].text)
    for kind in ("hall", "light", "register", "pull-up", "decoupling")
)
"""What each board has of its own."""


class Item(NamedTuple):
    """A line: how many, value or size, package or material, what it is, where, grams in all."""

    quantity: int
    value: str
    package: str
    text: str
    where: str
    mass: float


def electronics(circuit: Circuit) -> tuple[Item, ...]:
    """What the circuit is made of, but for the Pi, which every table has."""
    return tuple(
        Item(b.quantity, b.value, b.package, b.text, numbered(b.refs), round(b.mass, 1))
        for b in circuit.list()
        if b.text != KINDS["header"].text
    )


def list_faults(items: Iterable[Item], circuit: Circuit) -> tuple[str, ...]:
    """Sentences on parts of which a list has more or fewer than the circuit."""
    listed, wanted = (
        {(i.value, i.package, i.text): i.quantity for i in some}
        for some in (items, electronics(circuit))
    )
    return tuple(
        f"{value}, {text}: {listed.get(key, 0)} in the list, {wanted.get(key, 0)} in the circuit"
        for key in sorted({*listed, *wanted})
        for value, _, text in (key,)
        if listed.get(key) != wanted.get(key)
    )


def by_camera(boards: Iterable[Board]) -> tuple[Item, ...]:
    """What a table takes that only a camera watches: nothing to solder."""
    boards = tuple(boards)
    items = [
        Item(1, "Raspberry Pi", "Zero 2 W, 3B+, 4 or 5", "or any laptop", "", 50.0),
        Item(1, "camera", "Pi camera or USB webcam", "1280 x 720 at least", "over the board", 60.0),
        Item(1, "stand", "boom or shelf", "holds the camera 600 to 750 mm up", "", 0.0),
    ]
    for board in boards:
        size = f"{board.plate.width:.0f} x {board.plate.depth:.0f} mm"
        items.append(
            Item(1, size, "paper on card or wood", f"printed board of {board.title}", "", 0.0)
        )
    if any(board.senses.mat for board in boards):
        items.append(Item(1, "400 x 200 mm", "paper on card, felt", "dice mat", "", 0.0))
        items.append(Item(2, "16 mm", "dice", "with pips", "", 10.0))
    for board in boards:
        kinds: dict[str, int] = {}
        for piece in board.pieces:
            kinds[piece.kind] = kinds.get(piece.kind, 0) + 1
        for kind, count in kinds.items():
            look = board.looks.get(kind)
            size = f"{look.length:.0f} x {look.width:.0f} x {look.height:.0f} mm" if look else ""
            tagged = "with a printed tag" if any(p.tag is not None for p in board.pieces) else ""
            items.append(Item(count, size, tagged, f"{kind} of {board.title}", "", 0.0))
    return tuple(items)


def for_all(tables: Iterable[tuple[Item, ...]]) -> tuple[Item, ...]:
    """The electronics of one Pi, Pico and front that serve all these tables in turn, with switches
    and lights for each: of what sits under cells as many as all have, of the rest the most."""
    found: dict[tuple[str, str, str], Item] = {}
    for table in tables:
        for item in table:
            key = item.value, item.package, item.text
            before = found.get(key)
            if before is None:
                found[key] = item
            elif (item.value, item.text) in UNDER_CELLS:
                mass = round(before.mass + item.mass, 1)
                found[key] = before._replace(
                    quantity=before.quantity + item.quantity, where="", mass=mass
                )
            elif item.quantity > before.quantity:
                found[key] = item
    return tuple(found.values())


def magnets(board: Board) -> tuple[Item, ...]:
    """A magnet a piece, for a table with switches."""
    count = len(board.pieces)
    if not count:
        return ()
    return (
        Item(count, "8 x 3 mm", "N35, disc", "magnet under a piece", "", round(count * 1.1, 1)),
    )


def merged(items: Iterable[Item]) -> tuple[Item, ...]:
    """The same thing on one line, as one buys for several tables that are played in turn."""
    lines: dict[tuple[str, str, str], Item] = {}
    for item in items:
        key = item.value, item.package, item.text
        before = lines.get(key)
        if before is None:
            lines[key] = item
        else:
            quantity = before.quantity + item.quantity
            where = " ".join(filter(None, (before.where, item.where)))
            lines[key] = before._replace(
                quantity=quantity, where=where, mass=round(before.mass + item.mass, 1)
            )
    return tuple(lines.values())
