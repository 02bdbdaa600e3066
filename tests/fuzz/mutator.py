"""Breaks files on purpose: changes what JSON or TOML says, or the bytes that say it.

A value is taken out, doubled, swapped for another kind, or for one that few readers expect; so most
of what comes out is still JSON, and reaches the readers behind the parser.
"""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 7, 49, 1e5, 0.5, -0.0, 1e308, 10**400, -(10**18), 2**31, 2**63,
    float("inf"), float("-inf"), float("nan"), "", " ", "a", "red", "l", "49", "\ud800", "\0", "²",
    "\u202eabc…", "é" * 300, "../x", "-5", "a1", "z9", [], {}, [[]], [{}], {"": 1}, [None] * 300,
    {"a": {"a": {"a": []}}}, [1, "a", None],
)  # fmt: skip
"""Values that stand in for others."""
BYTES = (
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\0",
    b"\n",
    b"{",
    b"]",
    b'"',
    b"\\ud800",
    b"\xc3",
    b"1e999",
)


def broken_json(value: Any, rng: random.Random) -> bytes:
    """The JSON of this value with one to three things changed."""
    value = copy.deepcopy(value)
    if rng.random() < 0.05:
        deep = rng.choice((50, 1000, 100_000))
        return b"[" * deep + b"]" * deep
    for _ in range(rng.randint(1, 3)):
        value = _changed(value, rng)
    raw = json.dumps(value, ensure_ascii=rng.random() < 0.8).encode("utf-8", "surrogatepass")
    return broken_bytes(raw, rng) if rng.random() < 0.15 else raw


def _changed(value: Any, rng: random.Random) -> Any:
    """The value with one place in it changed, at any depth."""
    holder: Any = None
    key: Any = None
    here = value
    while isinstance(here, dict | list) and here and (holder is None or rng.random() < 0.85):
        keys: list[Any] = list(here) if isinstance(here, dict) else list(range(len(here)))
        holder, key = here, rng.choice(keys)
        here = here[key]
    if holder is None:
        return copy.deepcopy(rng.choice(ODD))
    what = rng.randrange(6)
    if what == 0:
        del holder[key]
    elif what == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(here))
    elif what == 1:
        holder[rng.choice(("", "x", "red", "\ud800", "2", str(key).upper()))] = holder.pop(key)
    elif what == 2:
        other = rng.choice(list(holder.values()) if isinstance(holder, dict) else holder)
        holder[key] = copy.deepcopy(other)
    elif what == 3 and isinstance(here, int | float) and not isinstance(here, bool):
        holder[key] = rng.choice((-here, here + 1, here * 1000, here // 3, str(here)))
    else:
        holder[key] = copy.deepcopy(rng.choice(ODD))
    return value


_TOML = (
    "inf", "nan", "-1", "0", "1e308", "1" + "0" * 400, '""', '"a"', "[]", "{}", "true", "[[]]",
    "1979-05-27", '"\\u202e"', "[" * 60 + "]" * 60, "1000000", "[1, 2]", "[1, 'a']", "0.5", "26",
)  # fmt: skip
_VALUE = re.compile(r"(?<== )[^\n#]+|(?<=[\[, ])-?\d+(?:\.\d+)?(?=[\], \n])|(?<=\")[^\"\n]+(?=\")")
_KEY = re.compile(r"^\w+(?= =)|(?<=^\[)[\w.]+(?=\])", re.MULTILINE)


def broken_toml(text: str, rng: random.Random) -> bytes:
    """The TOML with one to three values, keys or lines changed."""
    for _ in range(rng.randint(1, 3)):
        what = rng.randrange(5)
        found = list((_KEY if what == 0 else _VALUE).finditer(text))
        lines = text.splitlines(keepends=True)
        if what < 3 and found:
            spot = rng.choice(found)
            new = rng.choice(("x", "a b", "0")) if what == 0 else rng.choice(_TOML)
            text = text[: spot.start()] + new + text[spot.end() :]
        elif lines:
            at = rng.randrange(len(lines))
            lines[at : at + 1] = [] if what == 3 else [lines[at], lines[at]]
            text = "".join(lines)
    raw = text.encode()
    return broken_bytes(raw, rng) if rng.random() < 0.1 else raw


def broken_lines(lines: list[Any], rng: random.Random) -> bytes:
    """Lines of JSON with one or two of them changed, taken out or exchanged."""
    raw = [json.dumps(line, ensure_ascii=False).encode() for line in lines]
    for _ in range(rng.randint(1, 2)):
        at = 0 if rng.random() < 0.3 else rng.randrange(len(raw))
        what = rng.randrange(8)
        if what == 0 and len(raw) > 1:
            del raw[at]
        elif what == 1:
            raw.insert(at, rng.choice(raw))
        else:
            raw[at] = broken_json(lines[min(at, len(lines) - 1)], rng)
    return b"\n".join(raw) + b"\n"


def broken_bytes(raw: bytes, rng: random.Random) -> bytes:
    """The bytes with some of them changed, taken out, doubled, or cut off."""
    data = bytearray(raw)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0:
                data[at:at] = rng.choice(BYTES)
            case 1:
                del data[at : at + rng.randint(1, 20)]
            case 2:
                data[at:at] = data[at : at + rng.randint(1, 50)]
            case 3 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case _ if rng.random() < 0.2:
                del data[at:]
    return bytes(data)
