"""The circuit in SKiDL: its electrical rules, and a netlist that KiCad reads.

SKiDL only checks and writes; what is wired where stands in `tableref_hardware.electronics`. Every
part is made here from its kind, so that none of KiCad's libraries is needed.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tableref_hardware.electronics import Circuit, Role

SUPPLIES = ("+3V3", "+5V", "+5V IN", "GND", "PI +3V3", "PI GND")


class Checked(NamedTuple):
    """What SKiDL found: its errors and warnings, and the netlist as KiCad's text."""

    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    netlist: str


def checked(circuit: Circuit, title: str) -> Checked:
    """The circuit under SKiDL's electrical rules. ImportError where SKiDL is not installed."""
    with _elsewhere():
        import skidl

        skidl.reset()
        _build(skidl, circuit, title)
        with _notes() as notes:
            skidl.ERC()
            netlist = str(skidl.generate_netlist(file_=os.devnull))
        skidl.reset()
        _leave_no_files()
    return Checked(
        tuple(n.removeprefix("ERROR: ") for n in notes if n.startswith("ERROR")),
        tuple(n.removeprefix("WARNING: ") for n in notes if _counts(n)),
        netlist,
    )


def _counts(note: str) -> bool:
    """Whether it is a warning on the circuit; tags are names that SKiDL gives to sheets."""
    return note.startswith("WARNING: ") and "Missing tag" not in note


def _build(skidl: Any, circuit: Circuit, title: str) -> None:
    types = skidl.Pin.types
    role = {
        Role.PASSIVE: types.PASSIVE,
        Role.INPUT: types.INPUT,
        Role.OUTPUT: types.OUTPUT,
        Role.OPEN_DRAIN: types.OPENCOLL,
        Role.POWER_IN: types.PWRIN,
        Role.POWER_OUT: types.PWROUT,
        Role.BOTH: types.BIDIR,
        Role.OPEN: types.NOCONNECT,
    }
    nets = {name: skidl.Net(name) for name in circuit.nets}
    for name in SUPPLIES:
        if name in nets:
            nets[name].drive = skidl.POWER
    for part in circuit.parts.values():
        kind = part.of
        made = skidl.Part(
            tool=skidl.SKIDL,
            name=kind.name,
            ref=part.ref,
            tag=part.ref,
            value=kind.value,
            footprint=f"tableref:{kind.package}",
            description=kind.text,
            dest=skidl.NETLIST,
            pins=[
                skidl.Pin(num=p.number, name=p.name, func=role[p.role]) for p in kind.pins.values()
            ],
        )
        for pin in kind.pins.values():
            net = circuit.net_of(part.ref, pin.name)
            if net:
                nets[net] += made[pin.number]
            elif pin.role is not Role.INPUT and pin.role is not Role.POWER_IN:
                made[pin.number].do_erc = False  # an output or a spare pin may stay open


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """SKiDL leaves files where it runs; it runs in a folder that goes."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            with (
                contextlib.redirect_stderr(io.StringIO()),
                contextlib.redirect_stdout(io.StringIO()),
            ):
                yield
        finally:
            os.chdir(before)


def _loggers() -> list[logging.Logger]:
    return [logging.getLogger(name) for name in ("skidl", "ERC_Logger")]


def _leave_no_files() -> None:
    """Takes away the handlers that would write a log at exit, wherever the process is then."""
    for log in _loggers():
        for handler in [h for h in log.handlers if isinstance(h, logging.FileHandler)]:
            log.removeHandler(handler)
            handler.close()


@contextlib.contextmanager
def _notes() -> Iterator[list[str]]:
    """All that loggers say meanwhile: `ERROR: ...`, `WARNING: ...`."""
    notes: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            notes.append(f"{record.levelname}: {record.getMessage()}")

    handler = Keep(logging.WARNING)
    loggers = _loggers()
    for log in loggers:
        log.addHandler(handler)
    try:
        yield notes
    finally:
        for log in loggers:
            log.removeHandler(handler)
