"""What is wrong with the switches under a board, going by where a magnet was read for each cell.

`findings` is given what a walk over all cells has shown, and names unit and input of each fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tableref_hardware.board import Board
from tableref_hardware.electronics.catalogue import INPUTS
from tableref_hardware.electronics.strip import opposite, southern, unit_of, where

LEAST_MARGIN = 4.0
"""mm that a piece should be felt off the middle: players do not set them down better."""


class Felt(NamedTuple):
    """What a magnet on one cell changed: places whose reading is not as at rest, whether the own
    input was released by it instead of pulled, and whether the magnet was upside down."""

    places: frozenset[int]
    released: bool = False
    turned: bool = False


class Walked(NamedTuple):
    """A walk: places that read as with a magnet while none was there, cell -> what was felt, cell
    -> direction -> mm off the middle at which a piece is still felt, faults of lights in words."""

    rest: frozenset[int]
    felt: Mapping[str, Felt]
    margins: Mapping[str, Mapping[str, float]] = {}
    lights: tuple[str, ...] = ()


def findings(board: Board, walked: Walked) -> list[str]:
    """What is wrong, a sentence each with its cure; empty where all is well."""
    places = {
        cell: switch for cell in walked.felt if (switch := board.cells[cell].switch) is not None
    }
    cell_at = {place: cell for cell, place in places.items()}
    felt, found = dict(walked.felt), list[str]()
    heard = {cell: one for cell, one in felt.items() if one.places}
    if not heard:
        return ["no switch has felt the magnet: look at their supply, and whether it is a magnet"]
    if all(one.released for one in heard.values()) and len(heard) > 1:
        other = "low" if board.magnet == "high" else "high"
        found.append(
            "all switches are of the other kind (NPN, PNP): they read a magnet where none is; "
            f'write magnet = "{other}" under [wiring] in the board file'
        )
        felt = {cell: one._replace(released=False) for cell, one in felt.items()}
    turned = sum(one.turned for one in heard.values())
    if turned * 2 > len(heard):
        found.append(
            "the magnets are upside down for these switches: the other pole must point down in all "
            "pieces (or all switches lie on their face)"
        )
        felt = {
            cell: one._replace(turned=bool(one.places) and not one.turned)
            for cell, one in felt.items()
        }
    at = {cell: next(iter(one.places)) for cell, one in felt.items() if len(one.places) == 1}
    found += _whole(board, places, at)
    told: set[str] = set()
    for cell, place in places.items():
        if cell in told:
            continue
        found += _one(cell, place, felt[cell], at, cell_at, walked.rest, told)
    found += walked.lights
    for cell, margins in walked.margins.items():
        weak = [f"{way} {off:g} mm" for way, off in margins.items() if off < LEAST_MARGIN]
        if weak and felt[cell].places:
            found.append(
                f"{cell} ({where(places[cell])}): a piece is felt only right over the switch "
                f"({', '.join(weak)}): set the switch higher or take a stronger magnet"
            )
    return found


def _whole(board: Board, places: Mapping[str, int], at: dict[str, int]) -> list[str]:
    """Faults of the whole board or of whole units. What they explain is put right in `at`."""
    turned = opposite(board)
    if len(at) > 1 and turned and all(places[turned[cell]] == place for cell, place in at.items()):
        if any(places[cell] != place for cell, place in at.items()):
            south = " ".join(southern(board))
            at.update({cell: places[cell] for cell in at})
            return [
                f"the switches are wired as if the board were turned by half: what is wired as its "
                f"south edge ({south}) lies north; turn the frame, or the order in [wiring]"
            ]
        return []
    found = list[str]()
    units = sorted({unit_of(place) for place in places.values()})
    size = len(INPUTS)
    for unit in units:
        own = {cell: at[cell] for cell in at if unit_of(places[cell]) == unit}
        if len(own) < 3 or all(places[cell] == place for cell, place in own.items()):
            continue
        first = (unit - 1) * size
        if all(place == 2 * first + size - 1 - places[cell] for cell, place in own.items()):
            found.append(f"unit {unit}: its inputs are wired the wrong way round, H to A")
            at.update({cell: places[cell] for cell in own})
            continue
        others = {unit_of(place) for place in own.values()}
        if len(others) == 1 and all(
            place % size == places[cell] % size for cell, place in own.items()
        ):
            [other] = others
            if other > unit or other not in units:
                found.append(
                    f"units {unit} and {other} are exchanged in the chain: look at the wires from "
                    "QH to DATA IN between them"
                )
            at.update({cell: places[cell] for cell in own})
    # The cells of the last unit may be too few to tell.
    return found


def _one(
    cell: str,
    place: int,
    felt: Felt,
    at: Mapping[str, int],
    cell_at: Mapping[int, str],
    rest: frozenset[int],
    told: set[str],
) -> list[str]:
    """What is wrong with one cell's switch. Others that it concerns go into `told`."""
    here = f"{cell} ({where(place)})"
    if not felt.places:
        if place in rest:
            return [
                f"{here} always reads as with a magnet: its input touches ground, or is shorted"
            ]
        return [f"{here} feels no magnet: no switch, a broken wire, or no supply"]
    found = list[str]()
    if len(felt.places) > 1:
        for other in sorted(felt.places - {place}):
            name = cell_at.get(other, "no cell")
            told.add(name)
            found.append(
                f"{here} and {name} ({where(other)}) are read together: their inputs touch"
            )
    elif at[cell] != place:
        name = cell_at.get(at[cell], "")
        if name and at.get(name) == place:
            told.add(name)
            found.append(f"{here} and {name} ({where(at[cell])}) are exchanged")
        else:
            found.append(f"{here} is read at {where(at[cell])}, the place of {name or 'no cell'}")
    if felt.released:
        found.append(f"{here} is inverted: its switch is of the other kind (NPN, PNP)")
    if felt.turned:
        found.append(f"{here} feels only the other pole: its switch lies on its face")
    return found
