"""`tableref board selftest --guided`: a walk over all cells by their lights, and what it shows.

A person moves the magnet; at a virtual board its own hand does.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tableref.commands.terminal import typed
from tableref.devices.bringup import LEAST_MARGIN, Felt, Walked, findings
from tableref.devices.lights import Light, Pattern
from tableref.devices.link import BoardLink, VirtualPort
from tableref.errors import UserError
from tableref_firmware import protocol as p
from tableref_hardware.board import Board
from tableref_hardware.electronics.strip import southern, unit_of, where

WAYS = ("north", "east", "south", "west")
OFFS = (LEAST_MARGIN, 2.0, 6.0)
"""mm off the middle: the first comes first, then the second where it is not felt, else the last."""
_ALIKE = 3  # readings in a row
_HERE = Light((255, 255, 255), Pattern.PULSE)
_EDGE = Light((0, 255, 0), Pattern.STEADY)


class Hand(Protocol):
    """Who moves the magnet. `pause` s lie between two readings: a switch bounces meanwhile."""

    pause: float

    def clear(self) -> None:
        """Takes everything off the board."""

    def put(self, cell: str, place: str) -> None:
        """Sets the magnet on a cell."""

    def push(self, cell: str, way: str, off: float) -> None:
        """Sets it so many mm off the middle, and says when it is there."""

    def lift(self, cell: str) -> None:
        """Takes it off."""

    def turn_over(self, cell: str) -> None:
        """Holds it the other way up from now on, and sets it on the cell again."""

    def given_up(self) -> str | None:
        """What was said instead of a magnet that is felt: None as long as nothing was."""


class Person:
    """Somebody at the terminal: does what he is told, and says by Enter that nothing comes."""

    pause = 0.02

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in typed():
            self._lines.put(line.strip())
        self._lines.put("")

    def _until_enter(self, text: str) -> None:
        print(f"{text}, then press Enter", flush=True)
        self._lines.get()

    def clear(self) -> None:
        self._until_enter("Take all pieces and magnets off the board")

    def put(self, cell: str, place: str) -> None:
        print(
            f"Set a piece on {cell} ({place}), whose light pulses; Enter where nothing comes of it"
        )

    def push(self, cell: str, way: str, off: float) -> None:
        self._until_enter(f"Push the piece on {cell} {off:g} mm off the middle to the {way}")

    def lift(self, cell: str) -> None:
        print(f"Take it off {cell} again", flush=True)

    def turn_over(self, cell: str) -> None:
        print(f"Turn the piece upside down and set it on {cell} again; Enter where nothing comes")

    def given_up(self) -> str | None:
        try:
            return self._lines.get_nowait()
        except queue.Empty:
            return None


class VirtualHand:
    """The hand that a virtual board has."""

    PATIENCE_S = 0.2
    READINGS = 30
    """That came meanwhile, too: a busy computer may be away for longer than the patience."""
    pause = 0.001

    def __init__(self, port: VirtualPort) -> None:
        self._port, self._since, self._read = port, 0.0, 0

    def clear(self) -> None:
        """Nothing stands there."""

    def put(self, cell: str, place: str) -> None:
        self._port.put(cell)
        self._since, self._read = time.monotonic(), 0

    def push(self, cell: str, way: str, off: float) -> None:
        self._port.put(cell, off)

    def lift(self, cell: str) -> None:
        self._port.lift(cell)
        self._since, self._read = time.monotonic(), 0

    def turn_over(self, cell: str) -> None:
        self._port.turn_magnet()
        self.put(cell, "")

    def given_up(self) -> str | None:
        self._read += 1
        late = time.monotonic() - self._since > self.PATIENCE_S
        return "" if late and self._read > self.READINGS else None


class Readings:
    """What the chain of switches reads, as a whole, while a hand moves a magnet."""

    def __init__(self, link: BoardLink, board: Board, hand: Hand) -> None:
        self._link, self._hand, self._high = link, hand, board.magnet == "high"
        last = max(cell.switch for cell in board.cells.values() if cell.switch is not None)
        self._count = 8 * unit_of(last)

    def now(self) -> tuple[int, frozenset[int]]:
        """The tail, and the places that read as with a magnet. LinkError"""
        ((_, _, tail, raw),) = self._link.ask(p.CHECKED, p.SELFTEST, p.TEST_READ)[-1:]
        bits = int.from_bytes(raw, "little")
        return tail, frozenset(n for n in range(self._count) if bool(bits >> n & 1) == self._high)

    def settled(
        self,
        wanted: Callable[[frozenset[int]], bool],
        heard: Callable[[str], bool] = lambda said: False,
    ) -> frozenset[int] | None:
        """The reading that has come to rest and is as wanted; None where the hand gives up, by
        words that are not `heard` as something else. LinkError"""
        last, alike = None, 0
        while True:
            _, now = self.now()
            last, alike = now, alike + 1 if now == last else 1
            if alike >= _ALIKE and wanted(now):
                return now
            said = self._hand.given_up()
            if said is not None and not heard(said):
                return None
            time.sleep(self._hand.pause)


class Walk:
    """The walk over one board."""

    def __init__(self, link: BoardLink, board: Board, hand: Hand) -> None:
        self._link, self._board, self._hand = link, board, hand
        cells = [cell for cell in board.cells.values() if cell.switch is not None]
        self.places = {c.name: c.switch for c in cells if c.switch is not None}
        self._now = ""  # the cell that is lit
        self._turned = False  # the magnet is held upside down
        self._lights: list[str] = []

    def run(self, margins: tuple[str, ...]) -> list[str]:
        """What was found."""
        board, hand = self._board, self._hand
        if not self.places:
            raise UserError(f"{board.title} has no switches: nothing to test")
        readings = self._readings = Readings(self._link, board, hand)
        south = southern(board)
        print(f"south edge: {' '.join(south)} (green); it lies before whoever reads the names")
        self._link.show(dict.fromkeys(south, _EDGE))
        hand.clear()
        tail, rest = readings.now()
        if tail:
            return self._open_chain(rest)
        if len(self.places) > 8 and len(rest) == 8 * unit_of(max(self.places.values())):
            return [
                "every input reads as with a magnet: the data line touches ground, or all switches "
                "are of the other kind (NPN, PNP)"
            ]
        felt = {cell: self._felt(cell, rest) for cell in self._in_order()}
        found = {
            cell: self._margins(cell, felt[cell].turned, rest)
            for cell in margins
            if felt[cell].places
        }
        self._link.show({})
        return findings(board, Walked(rest, felt, found, tuple(self._lights)))

    def _in_order(self) -> list[str]:
        return sorted(self.places, key=self.places.__getitem__)

    def _of_lights(self, said: str) -> bool:
        """Whether somebody has told which light shines instead: a cell's name, or `dark`."""
        if said != "dark" and said not in self._board.cells:
            return False
        at = self._board.cells[self._now].light
        shines = "stays dark" if said == "dark" else f"shines under {said}"
        nth = "" if at is None else f", light {at + 1} of the strip,"
        self._lights.append(f"the light of {self._now}{nth} {shines}: look at the strip's order")
        return True

    def _felt(self, cell: str, rest: frozenset[int]) -> Felt:
        self._now, place = cell, self.places[cell]
        self._link.show({cell: _HERE})
        self._hand.put(cell, where(place))
        now = self._readings.settled(lambda reading: reading != rest, self._of_lights)
        if now is None:
            self._hand.lift(cell)
            self._hand.turn_over(cell)
            self._turned = not self._turned
            now = self._readings.settled(lambda reading: reading != rest, self._of_lights)
        self._hand.lift(cell)
        self._readings.settled(lambda reading: reading == rest, self._of_lights)
        if now is None:
            print(f"  {cell}: nothing", flush=True)
            return Felt(frozenset())
        changed = now ^ rest
        print(f"  {cell}: {', '.join(where(one) for one in sorted(changed))}", flush=True)
        return Felt(changed, bool(changed & rest), self._turned)

    def _margins(self, cell: str, turned: bool, rest: frozenset[int]) -> dict[str, float]:
        """Direction -> mm off the middle at which a piece is still felt."""
        found = {}
        self._link.show({cell: _HERE})
        if turned != self._turned:
            self._hand.turn_over(cell)
            self._turned = turned
        for way in WAYS:
            first, less, more = OFFS
            felt = self._is_felt(cell, way, first, rest)
            other = more if felt else less
            held = self._is_felt(cell, way, other, rest)
            found[way] = other if held else first if felt else 0.0
        self._hand.lift(cell)
        told = ", ".join(f"{way} {off:g} mm" for way, off in found.items())
        print(f"  {cell} is felt off its middle: {told}", flush=True)
        return found

    def _is_felt(self, cell: str, way: str, off: float, rest: frozenset[int]) -> bool:
        self._hand.push(cell, way, off)
        read = [self._readings.now()[1] for _ in range(_ALIKE)]
        return all(reading != rest for reading in read)

    def _open_chain(self, rest: frozenset[int]) -> list[str]:
        """Which units can still be read: the first cell of each is tried."""
        firsts = {unit_of(self.places[cell]): cell for cell in reversed(self._in_order())}
        for unit in sorted(firsts):
            if not self._felt(firsts[unit], rest).places:
                if unit == 1:
                    break
                return [
                    f"the chain is open between unit {unit - 1} and unit {unit}: look at the wire "
                    f"from QH of unit {unit} to DATA IN of unit {unit - 1}, and at the clock behind"
                ]
        else:
            return [f"the chain's end is open: DATA IN of unit {max(firsts)} belongs at ground"]
        return ["nothing can be read: look at the ribbon cable, and the registers' supply"]


def run(
    link: BoardLink,
    board: Board,
    port: str | VirtualPort,
    margins: list[str] | None,
    report: Path | None,
) -> int:
    """Walks, tells, and writes the report; 1 where something was found."""
    hand: Hand = VirtualHand(port) if isinstance(port, VirtualPort) else Person()
    walk = Walk(link, board, hand)
    for cell in margins or ():
        if cell not in walk.places:
            raise UserError(f"there is no switch under {cell!r} on {board.title}")
    firsts = {unit_of(place): cell for cell, place in reversed(walk.places.items())}
    found = walk.run(tuple(margins or sorted(firsts.values())))
    lines = found or ["all switches are where they belong"]
    print(*lines, sep="\n")
    if report:
        head = f"{board.title} ({board.source}), {time.strftime('%Y-%m-%d %H:%M')}"
        hello = link.hello
        who = f"board {hello.unit}, firmware {hello.firmware}" if hello else "the board is gone"
        try:
            report.write_text("\n".join([head, who, *lines, ""]), encoding="utf-8")
        except OSError as error:
            raise UserError(f"{report} cannot be written: {error.strerror}") from error
        print(f"written to {report}")
    return int(bool(found))
