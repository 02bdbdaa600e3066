"""`tableref board`: look at the board under the table, its switches, its lights and its link."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tableref.commands import board_flash, board_guided, words
from tableref.commands.terminal import typed
from tableref.devices.lights import Colour, Light, Pattern
from tableref.devices.link import (
    AUTO,
    FAULTS,
    BoardLink,
    CellUnsteady,
    LinkBack,
    LinkError,
    LinkItem,
    LinkLost,
    Ports,
    Snapshot,
    SwitchEvent,
    VirtualPort,
    keep_log,
    port_named,
)
from tableref.devices.link.errors import BoardSilent
from tableref.devices.link.escape import send_to_prompt
from tableref.devices.taught import taught
from tableref.errors import UserError
from tableref_firmware import protocol as p
from tableref_hardware import BoardFileError, load_board
from tableref_hardware.board import Board

COLOURS: dict[str, Colour] = {
    "off": (0, 0, 0),
    "red": (255, 0, 0),
    "orange": (255, 90, 0),
    "yellow": (255, 180, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "purple": (160, 0, 255),
    "white": (255, 255, 255),
}
HAS_TASKS = True  # `tableref board TASK`
_FOUND_S = 6.0  # a board that boots when its port opens says hello in three
_STEP_S = 0.2  # a light in the walk
_LONGEST_S = 86400.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """What to look at, on which board, through which port."""
    common = argparse.ArgumentParser(add_help=False)
    words.board_argument(common)
    common.add_argument(
        "--port",
        default=AUTO,
        help="a serial device; `auto` for the one that a board answers on (default); `virtual` for "
        "a board without hardware, with faults where wished: virtual:flip=0.01,stuck=a1. "
        f"Faults: {'; '.join(f'{name}: {what}' for name, what in FAULTS.items())}",
    )
    common.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="append what the link notes: its counters each minute, the last frames where it fails",
    )
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True)
    tasks.add_parser("status", parents=[common], help="who the board is, and how it does")
    watch = tasks.add_parser(
        "watch",
        parents=[common],
        help="each lift and put as it happens; a virtual board takes `put a1`, `lift a1` and "
        "`FAULT VALUE` on standard input",
    )
    watch.add_argument("--seconds", type=_seconds, help="stop after so many (default: Ctrl-C)")
    light = tasks.add_parser("light", parents=[common], help="light one cell")
    light.add_argument("cell", metavar="CELL")
    light.add_argument("colour", metavar="COLOUR", help=f"{', '.join(COLOURS)}, or #rrggbb")
    light.add_argument(
        "--pattern",
        choices=[pattern.value for pattern in Pattern],
        default=Pattern.STEADY.value,
    )
    light.add_argument("--seconds", type=_seconds, default=5.0, help="for so long (default: 5)")
    test = tasks.add_parser(
        "selftest", parents=[common], help="the switch chain, each light, each switch"
    )
    test.add_argument(
        "--seconds", type=_seconds, default=120.0, help="time for all switches (default: 120)"
    )
    test.add_argument(
        "--guided",
        action="store_true",
        help="cell by cell: which switch is missing, exchanged, inverted or shorted, and where",
    )
    test.add_argument(
        "--margin",
        action="append",
        metavar="CELL",
        help="with --guided: how far off its middle a piece is felt (default: a cell of each unit)",
    )
    test.add_argument("--report", type=Path, metavar="FILE", help="with --guided: what was found")
    tasks.add_parser("log", parents=[common], help="the board's own log, and its counters")
    tasks.add_parser(
        "prompt", parents=[common], help="restart the board into MicroPython's prompt, for mpremote"
    )
    board_flash.arguments(tasks.add_parser("flash", help="new firmware: an image, or files"))


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.0 < seconds <= _LONGEST_S:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {_LONGEST_S:.0f} seconds")
    return seconds


def run(args: argparse.Namespace) -> int:
    """0 done, 1 something on the board is not right; LinkError where there is no board."""
    if args.task == "flash":
        return board_flash.run(args)
    try:
        board = load_board(args.board)
    except BoardFileError as error:
        raise UserError(str(error)) from error
    port = port_named(args.port, board)
    words.writable(args.log)
    if args.task == "selftest":
        if not args.guided and (args.margin or args.report):
            raise UserError("--margin and --report go with --guided")
        words.writable(args.report)
    if args.log:
        keep_log(args.log)
    if args.task == "prompt":
        return _prompt(port)
    board = taught(board)
    with BoardLink(board, port) as link:
        snapshot = find(link, look_around=args.port == AUTO)
        try:
            if args.task == "watch":
                return _watch(link, port, snapshot, args.seconds)
            if args.task == "light":
                return _light(link, board, args)
            if args.task == "selftest" and args.guided:
                return board_guided.run(link, board, port, args.margin, args.report)
            if args.task == "selftest":
                return _selftest(link, board, port, args.seconds)
            return _log(link) if args.task == "log" else _status(link, board, snapshot)
        except KeyboardInterrupt:
            return 0


def find(link: BoardLink, look_around: bool) -> Snapshot:
    """The first snapshot; where no board answers, why not, and what else may be in the way."""
    end = time.monotonic() + _FOUND_S
    while (left := end - time.monotonic()) > 0:
        item = link.next(left)
        if isinstance(item, Snapshot):
            return item
        if isinstance(item, LinkLost):
            for advice in Ports().advice() if look_around else ():
                print(f"tableref: {advice.what}. {advice.cure}", file=sys.stderr)
            raise item.reason
    raise BoardSilent("no board has answered", "Unplug it, wait 5 s and plug it in again")


def _cells(cells: frozenset[str]) -> str:
    return " ".join(sorted(cells, key=lambda name: (name[1:], name))) or "none"


def _status(link: BoardLink, board: Board, snapshot: Snapshot) -> int:
    hello = link.hello
    if hello is None:
        raise BoardSilent("the board has gone again", "Check its cable, and try again")
    ((good, bad, resent, overflows, turns, longest, free),) = link.ask(p.STATS, p.ASK_STATS)[-1:]
    switches = sum(1 for cell in board.cells.values() if cell.switch is not None)
    lights = sum(1 for cell in board.cells.values() if cell.light is not None)
    print(f"board      {hello.unit}, firmware {hello.firmware}, protocol {p.PROTOCOL}")
    print(f"started    by {hello.cause}")
    print(f"cells      {switches} switches, {lights if hello.lights else 'no'} lights")
    print(f"magnets    {_cells(snapshot.occupancy)}")
    if link.chain_broken:
        print("switches   CANNOT BE READ: check the ribbon cable, and SER of the last register")
    else:
        print(f"flickering {_cells(snapshot.unsteady)}")
    print(f"clock      known to {snapshot.error * 1000:.2f} ms")
    print(f"link       {link.health}")
    print(
        f"on board   {good} frames good, {bad} bad, {resent} sent again, {overflows} overflows, "
        f"{turns} turns, longest {longest / 1000:.1f} ms, {free} bytes free"
    )
    return int(link.chain_broken)


def _describe(item: LinkItem) -> str:
    if isinstance(item, SwitchEvent):
        word = "put" if item.occupied else "lifted"
        return f"{item.time:12.4f} ±{item.error * 1000:.2f} ms  {item.cell:4} {word}"
    if isinstance(item, CellUnsteady):
        word = "flickers: look at its magnet" if item.unsteady else "is calm"
        return f"{item.time:12.4f}  {item.cell} {word}"
    if isinstance(item, Snapshot):
        doubt = f"; no word on {_cells(item.unsteady)}" if item.unsteady else ""
        return f"{item.time:12.4f}  magnets on {_cells(item.occupancy)}{doubt}"
    if isinstance(item, LinkBack):
        return f"{item.time:12.4f}  the board answers on {item.port}"
    return f"{item.time:12.4f}  lost: {item.reason}"


def _items(link: BoardLink, seconds: float | None) -> Iterator[LinkItem]:
    end = None if seconds is None else time.monotonic() + seconds
    while end is None or time.monotonic() < end:
        item = link.next(None if end is None else max(0.0, end - time.monotonic()))
        if item is not None:
            yield item


def _watch(
    link: BoardLink, port: str | VirtualPort, snapshot: Snapshot, seconds: float | None
) -> int:
    print(_describe(snapshot), flush=True)
    if isinstance(port, VirtualPort):
        threading.Thread(target=_obey, args=(port,), daemon=True).start()
    for item in _items(link, seconds):
        print(_describe(item), flush=True)
    return 0


def _obey(port: VirtualPort) -> None:
    """Moves virtual magnets, and switches faults, as standard input says."""
    for line in typed():
        try:
            match line.split():
                case []:
                    pass
                case ["put", cell]:
                    port.put(cell)
                case ["lift", cell]:
                    port.lift(cell)
                case [fault, *value] if fault not in ("put", "lift") and len(value) < 2:
                    port.set_fault(fault, value[0] if value else "1")
                case _:
                    raise UserError("say `put CELL`, `lift CELL` or `FAULT VALUE`, one a line")
        except UserError as error:
            print(error, file=sys.stderr)


def _colour(text: str) -> Colour:
    if text in COLOURS:
        return COLOURS[text]
    with contextlib.suppress(ValueError):
        red, green, blue = bytes.fromhex(text.removeprefix("#"))
        return red, green, blue
    raise UserError(f"{text!r} is no colour; take {', '.join(COLOURS)}, or #rrggbb")


def _light(link: BoardLink, board: Board, args: argparse.Namespace) -> int:
    colour = _colour(args.colour)
    cell = board.cells.get(args.cell)
    if cell is None or cell.light is None:
        raise UserError(f"there is no light under {args.cell!r} on {board.title}")
    link.show({args.cell: Light(colour, Pattern(args.pattern))} if any(colour) else {})
    for item in _items(link, args.seconds):
        print(_describe(item), flush=True)
    if not link.shown:
        print("the board has not shown it: it has no lights, or the link failed", file=sys.stderr)
        return 1
    return 0


def _selftest(link: BoardLink, board: Board, port: str | VirtualPort, seconds: float) -> int:
    ((_, chain, tail, raw),) = link.ask(p.CHECKED, p.SELFTEST, p.TEST_STOP)[-1:]
    if chain != p.CHAIN_OK:
        print(
            f"switches: the chain cannot be read (tail {tail:#04x}, chain {raw.hex(' ')}): check "
            "the ribbon cable, the registers' power, and that SER of the last one is at ground"
        )
        return 1
    print("switches: the chain is whole")
    lights = [cell.light for cell in board.cells.values() if cell.light is not None]
    if link.hello and link.hello.lights and lights:
        print(f"lights: {max(lights) + 1} shine one after the other; watch them")
        link.ask(p.CHECKED, p.SELFTEST, p.TEST_LIGHTS)
        for item in _items(link, _STEP_S * (max(lights) + 1)):
            print(_describe(item), flush=True)
    else:
        print("lights: none")
    link.ask(p.CHECKED, p.SELFTEST, p.TEST_SWITCHES)
    return _test_switches(link, board, port, seconds)


def _test_switches(link: BoardLink, board: Board, port: str | VirtualPort, seconds: float) -> int:
    """Waits until a magnet has been on every cell; 1 where one was not noticed in time."""
    missing = [cell.name for cell in board.cells.values() if cell.switch is not None]
    print(f"magnets: pass one over each of the {len(missing)} cells; each lights up")
    done = threading.Event()
    if isinstance(port, VirtualPort):
        threading.Thread(target=_pass_over, args=(port, missing, done), daemon=True).start()
    try:
        for item in _items(link, seconds):
            if isinstance(item, LinkLost):
                raise item.reason
            if isinstance(item, SwitchEvent) and item.occupied and item.cell in missing:
                missing.remove(item.cell)
                print(f"  {item.cell} works, {len(missing)} to go", flush=True)
            if not missing:
                break
    finally:
        done.set()
    link.ask(p.CHECKED, p.SELFTEST, p.TEST_STOP)
    if missing:
        print(f"no magnet was noticed on {' '.join(missing)}")
    else:
        print("all switches work")
    return int(bool(missing))


def _pass_over(port: VirtualPort, missing: list[str], done: threading.Event) -> None:
    """The hand that a virtual board has for its self-test. It comes again, a second later, to what
    a computer that was busy has not noticed."""
    while missing and not done.is_set():
        for cell in tuple(missing):
            port.put(cell)
            time.sleep(0.03)
            port.lift(cell)
        done.wait(1.0)


def _log(link: BoardLink) -> int:
    lines = link.ask(p.LOG, p.ASK_LOG, last=lambda fields: fields[1] == 0)
    for age, _, text in lines:
        print(f"{age / 1000:9.1f} s ago  {text.decode('ascii', 'replace')}")
    print(f"link: {link.health}")
    return 0


def _prompt(port: str | VirtualPort) -> int:
    ports = Ports()
    reasons: list[str] = []
    for name in ports.candidates() if port == AUTO else [port]:
        try:
            opened = ports.open(name) if isinstance(name, str) else name
            try:
                send_to_prompt(opened)
            finally:
                opened.close()
        except LinkError as error:
            reasons.append(str(error))
            continue
        print(
            f"The board on {opened.name} has restarted into MicroPython's prompt; for example:\n"
            f"  mpremote connect {opened.name} "
            "cp -r firmware/tableref_firmware firmware/main.py : + reset"
        )
        return 0
    raise UserError(" ".join(reasons) or "There is no serial port. Plug the board in")
