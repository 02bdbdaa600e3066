"""Every format that people hand over: good examples, how to break one, and the commands that take
it. Each command is run as people run it, through `main`, in a folder of its own."""

from __future__ import annotations

import contextlib
import io
import json
import random
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from tableref.referee.games import GAMES, load_game
from tableref.rules.log import House
from tableref.rules.records import Logged, write_record
from tests.fuzz import mutator

Line = tuple[str, ...]


class Format(NamedTuple):
    """A format: makes a broken file of a name, and the command lines that read it (`{}`: the file,
    in the folder where they run)."""

    name: str
    file: str
    broken: Callable[[random.Random], bytes]
    commands: Callable[[random.Random], Sequence[Line]]


def _board_text(name: str) -> str:
    folder = resources.files("tableref_hardware") / "boards"
    return (folder / f"{name}.toml").read_text(encoding="utf-8")


def _board_commands(rng: random.Random) -> Sequence[Line]:
    game = rng.choice(tuple(GAMES))
    return [
        rng.choice(
            (
                ("play", game, "--board", "{}"),
                ("print", "overlay", "{}"),
                ("print", "tags", "{}"),
                ("see", "--board", "{}", "none.png"),
                ("referee", "--game", game, "--board", "{}", "--camera", "folder:.", "--out", "o"),
            )
        )
    ]


@cache
def _records() -> tuple[dict[str, Any], ...]:
    """Some random actions of every game, as records."""
    made = []
    for name in GAMES:
        game, rng, log = load_game(name), random.Random(5), []
        house = House(game)
        table = house.start({})
        for _ in range(25):
            if house.outcome(table):
                break
            forced = game.forced(table.state)
            action = forced or rng.choice(
                [a for _, a in zip(range(200), game.legal(table.state), strict=False)]
            )
            table, _ = house.apply(table, action)
            log.append(Logged(action, forced is not None))
        made.append(json.loads(json.dumps(write_record(game, {}, log))))
    return tuple(made)


@cache
def _plots() -> tuple[dict[str, Any], ...]:
    """Plots of 3 and of 11 rounds, with and without a ghost."""
    game = load_game("autoscooter")
    layout = game.layout  # type: ignore[attr-defined]
    whole = []
    for count, setup in (
        (3, {"players": 8}),
        (11, {"players": 4}),
        (2, {"players": 7, "ghost": True}),
    ):
        rounds: list[dict[str, Any]] = []
        for row in range(count):
            plots = {
                car: {"number": column[row], "letter": "K"}
                for car, column in zip(layout.cars, layout.numbers, strict=True)
            }
            rounds.append({"plots": plots})
            if "ghost" in setup:
                del plots[layout.cars[-1]]
                rounds[-1]["plot_ghost"] = {str(player): "K" for player in range(7)}
        whole.append(
            {"format": "table-plots/1", "game": "autoscooter", "setup": setup, "rounds": rounds}
        )
    return tuple(whole)


CALIBRATION = {
    "format": "table-calibration/1",
    "lens": {
        "width": 1280, "height": 720, "focal": 1108.8, "k1": 0.01, "focal_spread": 0.12,
        "k1_spread": 0.1, "k2": 0.01, "shift_x": 0.01, "shift_y": 0.01,
    },
    "camera": "usb:0", "error": 0.3, "pictures": 9,
}  # fmt: skip
CONFIG = """[[display]]
driver = "sh1106"
bus = 1
address = 60
height = 64
rotate = 0

[buttons]
ok = 21
back = 6

[status]
red = 17
common = "anode"

[buzzer]
present = true
pin = 18
kind = "active"
"""
QUESTIONS = [
    {"q": "Who pays when two cars crash?", "lang": "en", "game": "autoscooter"},
    {"q": "qui commence", "lang": "fr"},
    {"q": "SQ-1.1"},
]


@cache
def _recordings() -> tuple[list[Any], ...]:
    """A little of an evening with Autoscooter, and of one with Scorpion: every kind of input."""
    from tableref.referee.inputs import READERS

    def head(game: str, setup: dict[str, Any], plots: list[Any]) -> dict[str, Any]:
        told = {
            "game": game, "rules_version": load_game(game).rules_version, "app_version": "0.1.0",
            "setup": setup, "board": _board_text(game), "plots": plots, "camera": "folder:x",
            "lang": "en",
        }  # fmt: skip
        return {"format": "table-recording/1", "head": told}

    game = load_game("autoscooter")
    standing = game.board(game.start({"players": 8}))
    pieces = [
        {
            "id": car.name, "kind": car.kind, "colour": car.side, "cell": cell,
            "heading": car.facing, "x": 0.0, "y": 1.5, "yaw": 60.0, "confidence": 0.9,
        }
        for cell, (car,) in standing.items()
    ]  # fmt: skip
    seen = {
        "time": 1.0, "image": "a.png", "pose": "ok", "pieces": pieces, "not_seen": [],
        "covered": [], "hand": False, "still": True, "twice": [],
    }  # fmt: skip
    blind = seen | {"time": 2.0, "pieces": pieces[1:], "not_seen": ["red"], "hand": True}
    die = {
        "value": 5, "sure": True, "confidence": 0.9, "box": [1.0, 2.0, 30.0, 30.0],
        "tray": "yellow", "why": None, "place": [10.0, 20.0],
    }  # fmt: skip
    look = {
        "time": 3.0, "image": "b", "dice": [die], "in_view": True, "still": True, "hand": False,
    }  # fmt: skip
    others = [
        {"tray_chosen": {"time": 4.0, "tray": "yellow"}},
        {"trust_dice": {"time": 4.5}},
        {"act": {"time": 5.0, "action": {"plot": {"car": "red", "number": 48, "letter": None}},
                 "player": 0}},
        {"put_right": {"time": 5.5, "cell": "a1", "stands": "red NE", "agreed": [0, 1]}},
        {"let_stand": {"time": 6.0, "agreed": [0, 1], "question": None}},
        {"advised": {"time": 6.0, "judge": "Ada", "text": "So.", "stands": True, "question": 3}},
        {"choose": {"time": 7.0, "choice": 0, "question": 1}},
        {"switched": {"time": 8.0, "cell": "a1", "occupied": False}},
        {"occupied": {"time": 9.0, "cells": ["a1"], "unsteady": []}},
        {"unsteady": {"time": 10.0, "cell": "a1", "unsteady": True}},
        {"link_gone": {"time": 11.0, "message": "gone"}},
        {"camera_trouble": {"time": 12.0, "message": "gone"}},
        {"tick": {"time": 12.5}},
        {"learning": {
            "time": 12.6, "image": "c", "pose": "ok", "stage": "teach", "cells": {"a1": "red"},
            "missing": ["a1"], "other": [], "strange": ["b1"], "hand": False, "uneven": False,
        }},
        {"bell": {"time": 12.7, "who": [0], "left": 30}},
        {"camera_ended": {"time": 13.0}},
    ]  # fmt: skip
    plots = [[{"plot": {"car": "red", "number": 48, "letter": "K"}}]]
    begin = {"begin": {"time": 0.5, "senses": ["board", "switches"]}}
    first = [
        head("autoscooter", {"players": 8}, plots),
        begin,
        {"seen": seen},
        {"seen": blind},
        *others,
    ]
    throws = [{"mat_seen": look | {"time": 3.0 + n / 10, "image": str(n)}} for n in range(5)]
    second = [head("scorpion", {"players": 2, "cells_per_side": 8}, []), *throws, *others[:4]]
    assert {kind for line in first + second for kind in line} >= set(READERS)
    return first, second


@cache
def _journal() -> bytes:
    """The journal of a little of an evening."""
    from tableref.cli import main

    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "recording", Path(folder) / "evening"
        path.write_text("\n".join(map(json.dumps, _recordings()[0])))
        with contextlib.redirect_stdout(io.StringIO()):
            assert main(["replay", str(path), "--out", str(out)]) == 0
        return (out / "journal.sqlite3").read_bytes()


def _broken_journal(rng: random.Random) -> bytes:
    """A journal with bytes changed, or with a value changed as a tool for SQLite would."""
    if rng.random() < 0.5:
        return mutator.broken_bytes(_journal(), rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        path.write_bytes(_journal())
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
            table = rng.choice([name for name in tables if not name.startswith("sqlite_")])
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = rng.choice(columns)
            keys = [row[0] for row in connection.execute(f"SELECT {columns[0]} FROM {table}")]
            value = rng.choice((None, "", "{}", "[]", "nonsense", -1, 1e308, b"\xff", "[" * 5000))
            with contextlib.suppress(sqlite3.Error):
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {columns[0]} = ?",
                    (value, rng.choice(keys)),
                )
        return path.read_bytes()


@cache
def _pictures() -> tuple[bytes, ...]:
    """A small picture in each form that is read, one with the phone's orientation."""
    picture = Image.effect_noise((96, 64), 60).convert("RGB")
    exif = Image.Exif()
    exif[0x0112] = 6
    made = []
    for form in ("PNG", "JPEG", "BMP", "WEBP"):
        stream = io.BytesIO()
        picture.save(stream, form, **({"exif": exif} if form == "JPEG" else {}))
        made.append(stream.getvalue())
    return tuple(made)


def _broken_picture(rng: random.Random) -> bytes:
    """A picture with bytes changed, most often where sizes and forms stand."""
    raw = rng.choice(_pictures())
    head = rng.choice((40, 200, len(raw)))
    return mutator.broken_bytes(raw[:head], rng) + raw[head:]


_LEFT_OUT = ("demo", "panel", "board", "serve", "update")
"""Commands that wait for people or hardware, play a whole game or change what is installed."""


def _words(rng: random.Random) -> Sequence[Line]:
    """A command line of words that our commands know, in any order."""
    from tableref.cli import COMMANDS

    options = (
        "--lang", "--json", "--game", "--board", "--out", "--seed", "--rounds", "--save", "--set",
        "--random", "--kind", "--piece", "--pdf", "--paper", "--batch", "--setup", "--plots",
        "--calibration", "--camera", "--ruler", "--seconds", "--", "--help", "--version", "-x",
        "--record", "--panel", "--as-of", "--dice", "--draw", "--action", "--",
    )  # fmt: skip
    values = (
        "", " ", "0", "-1", "²", "9" * 5000, "nan", "1e999", "squod", "Arrows And Stars", "x.toml",
        "/", ".", "..", "/dev/null", "/dev/zero", "\udcff", "a\nb", "en", "de", "pi", "virtual",
        "players=2", "players=²", "=", "names=[[[", "folder:.", "folder:", "usb:x", "video:x", "AS",
        "4.5", "sq-1.1", "what-if", "mat", "tags", "calibration", "status", "light", "who pays",
    )  # fmt: skip
    name = rng.choice([c.name for c in COMMANDS if c.name not in _LEFT_OUT])
    if rng.random() < 0.1:
        # None of these is a number that a demo takes: one that is plays a whole game.
        option = rng.choice(("--seed", "--rounds", "--game"))
        return [("demo", option, rng.choice(("-1", "²", "x", "", "nan", "9" * 5000)))]
    count = rng.randint(0, 6)
    picked = (rng.choice(options if rng.random() < 0.45 else values) for _ in range(count))
    return [(name, *picked)]


FORMATS = (
    Format(
        "board", "broken.toml",
        lambda rng: mutator.broken_toml(_board_text(rng.choice(tuple(GAMES))), rng),
        _board_commands,
    ),
    Format(
        "plots", "broken.json",
        lambda rng: mutator.broken_json(rng.choice(_plots()), rng),
        lambda rng: [("referee", "--game", "autoscooter", "--plots", "{}", "--camera",
                      "folder:none", "--out", "o")],
    ),
    Format(
        "record", "broken.json",
        lambda rng: mutator.broken_json(rng.choice(_records()), rng),
        lambda rng: [rng.choice((("check", "{}"), ("states", "{}"), ("check", "--as-of=0", "{}")))],
    ),
    Format(
        "questions", "broken.jsonl",
        lambda rng: mutator.broken_lines(QUESTIONS, rng),
        lambda rng: [("lookup", "--batch", "{}")],
    ),
    Format(
        "calibration", "broken.json",
        lambda rng: mutator.broken_json(CALIBRATION, rng),
        lambda rng: [("see", "--calibration", "{}", "none.png")],
    ),
    Format(
        "configuration", "broken.toml",
        lambda rng: mutator.broken_toml(CONFIG, rng),
        lambda rng: [("panel", "--config", "{}", "--seconds", "0", "--patience", "0")],
    ),
    Format(
        "recording", "broken.jsonl",
        lambda rng: mutator.broken_lines(rng.choice(_recordings()), rng),
        lambda rng: [("replay", "{}")],
    ),
    Format(
        "journal", "journal.sqlite3",
        _broken_journal,
        lambda rng: [rng.choice((("ask", ".", "--kind", "what-may"),
                                 ("resume", ".", "--camera", "folder:none")))],
    ),
    Format(
        "picture", "broken.png",
        _broken_picture,
        lambda rng: [rng.choice((("see", "{}"), ("see", "--json", "{}"), ("calibrate", "{}")))],
    ),
    Format("command",
        "none", lambda rng: b"", _words),
)  # fmt: skip


def named(name: str) -> Format:
    """The format of this name."""
    return next(each for each in FORMATS if each.name == name)


def filled(line: Line, path: Path) -> list[str]:
    """The command line with the file's path in it."""
    return [word.replace("{}", str(path)) for word in line]
