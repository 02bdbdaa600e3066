"""A circuit: parts with their references, and nets that join their pins. Immutable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from tableref_hardware.electronics.catalogue import KINDS, Kind, Role


class Terminal(NamedTuple):
    """A pin of a part: its reference (`U1`) and the pin's name (`SER`)."""

    ref: str
    pin: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its reference, its kind's name, and where it sits: a cell, or a word."""

    ref: str
    kind: str
    place: str = ""
    value: str = ""

    @property
    def of(self) -> Kind:
        """Its kind, with this part's own value where it has one."""
        kind = KINDS[self.kind]
        return replace(kind, value=self.value) if self.value else kind


class Bought(NamedTuple):
    """A line of a parts list; `mass` in grams is that of all of them."""

    quantity: int
    value: str
    package: str
    text: str
    refs: tuple[str, ...]
    mass: float


@dataclass(frozen=True, slots=True)
class Circuit:
    """Parts by reference, nets by name."""

    parts: Mapping[str, Part]
    nets: Mapping[str, frozenset[Terminal]]

    def net_of(self, ref: str, pin: str) -> str:
        """The net on which a pin is; empty where it is on none."""
        terminal = Terminal(ref, pin)
        return next((name for name, net in self.nets.items() if terminal in net), "")

    def of_kind(self, *kinds: str) -> tuple[Part, ...]:
        """The parts of these kinds, in order."""
        return tuple(part for part in self.parts.values() if part.kind in kinds)

    def list(self) -> tuple[Bought, ...]:
        """The parts list: parts that are bought as one line, in order of their first reference."""
        groups: dict[tuple[str, str, str], list[Part]] = {}
        for part in self.parts.values():
            kind = part.of
            groups.setdefault((kind.value, kind.package, kind.text), []).append(part)
        return tuple(
            Bought(
                len(parts),
                *key,
                tuple(part.ref for part in parts),
                sum(part.of.mass for part in parts),
            )
            for key, parts in groups.items()
        )

    def draw_ma(self, net: str) -> float:
        """What all parts fed by this net draw at most, in mA."""
        return sum(
            self.parts[terminal.ref].of.draws
            for terminal in self.nets[net]
            if self.parts[terminal.ref].of.pins[terminal.pin].role is Role.POWER_IN
        )


class Draft:
    """A circuit under way. Adding a part numbers it; joining puts pins on a net."""

    def __init__(self) -> None:
        self._parts: dict[str, Part] = {}
        self._nets: dict[str, set[Terminal]] = {}
        self._numbers: Counter[str] = Counter()

    def add(self, kind: str, place: str = "", **nets: str) -> str:
        """A part on these nets (pin name -> net; names that Python cannot write: `join`)."""
        letter = KINDS[kind].letter
        self._numbers[letter] += 1
        ref = f"{letter}{self._numbers[letter]}"
        self._parts[ref] = Part(ref, kind, place)
        for pin, net in nets.items():
            self.join(net, ref, pin)
        return ref

    def between(self, kind: str, one: str, other: str, place: str = "") -> str:
        """A part of two pins between two nets."""
        ref = self.add(kind, place)
        first, second = KINDS[kind].pins
        self.join(one, ref, first)
        self.join(other, ref, second)
        return ref

    def join(self, net: str, ref: str, *pins: str) -> None:
        """Puts pins of a part on a net. KeyError where the part has no such pin."""
        for pin in pins:
            KINDS[self._parts[ref].kind].pins[pin]
            self._nets.setdefault(net, set()).add(Terminal(ref, pin))

    def done(self) -> Circuit:
        """The circuit. ValueError where a pin is on two nets."""
        seen: dict[Terminal, str] = {}
        for name, net in self._nets.items():
            for terminal in net:
                if seen.setdefault(terminal, name) != name:
                    raise ValueError(f"{terminal} is on {seen[terminal]} and on {name}")
        return Circuit(dict(self._parts), {n: frozenset(t) for n, t in self._nets.items()})


def numbered(refs: Iterable[str]) -> str:
    """References as people write them: `R1 R2 R3` becomes `R1-R3`."""
    runs: list[tuple[str, int, int]] = []
    for ref in refs:
        letter = ref.rstrip("0123456789")
        number = int(ref[len(letter) :])
        if runs and runs[-1][0] == letter and runs[-1][2] == number - 1:
            runs[-1] = (letter, runs[-1][1], number)
        else:
            runs.append((letter, number, number))
    return " ".join(f"{a}{b}" if b == c else f"{a}{b}-{a}{c}" for a, b, c in runs)
