"""A game as one HTML file that needs nothing from elsewhere: rulings, paragraphs, pictures."""

from __future__ import annotations

import base64
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from tableref.referee.album import Album, Kept
from tableref.referee.chronicle import Entry, Item
from tableref.rulebook import Rulebook
from tableref.rulebook.text import FOLDER, title

PICTURES = ("board-before", "board-after", "mat-before", "mat-after")

STYLE = """
:root { color-scheme: light dark; --line: #8885; --soft: #8881; --wrong: #c0392b; --ask: #b7791f;
  --good: #2e7d4f; --paper: #fff; --ink: #1c1c1c; }
@media (prefers-color-scheme: dark) { :root { --paper: #17181a; --ink: #e6e6e6; --wrong: #ff8a7a;
  --ask: #f0c060; --good: #7fd6a0; } }
body { background: var(--paper); color: var(--ink); font: 17px/1.5 system-ui, sans-serif;
  margin: 0 auto; max-width: 66rem; padding: 1rem; }
h1 { margin: .2em 0; } h2 { border-bottom: 2px solid var(--line); margin-top: 2em; }
article { border: 1px solid var(--line); border-left: .4rem solid var(--good); border-radius: .4rem;
  margin: 1rem 0; padding: .6rem 1rem; break-inside: avoid; }
article.refusal { border-left-color: var(--wrong); }
article.question { border-left-color: var(--ask); }
article.note { border-left-color: var(--line); }
header { display: flex; gap: 1rem; font-size: .85rem; opacity: .75; }
header b { text-transform: uppercase; letter-spacing: .05em; }
p { margin: .3em 0; } .id { white-space: nowrap; font-size: .85em; opacity: .8; }
ul { margin: .3em 0; padding-left: 1.3em; } .back { font-weight: 600; }
.pictures { display: grid; gap: .8rem; margin: .6rem 0;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
figure { margin: 0; } img { width: 100%; height: auto; border-radius: .3rem; display: block; }
figcaption { font-size: .85rem; opacity: .8; }
details { background: var(--soft); border-radius: .3rem; padding: .2rem .6rem; margin: .4rem 0; }
summary { cursor: pointer; } .warn { color: var(--wrong); font-weight: 600; }
"""


class Head(NamedTuple):
    """What stands at the top: the game, who plays, sentences of where it stands, and what is wrong
    with its journal."""

    game: str
    players: tuple[str, ...]
    stands: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def page(head: Head, entries: Iterable[Entry], album: Album, lang: str) -> Iterator[str]:
    """The file, piece by piece, so that only one step's pictures are in memory."""
    words, book = labels(lang), Rulebook(lang)
    name = escape(title(lang, head.game))
    players = ", ".join(book.value(player, name=True) for player in head.players)
    colon = book.words.labels["colon"]
    yield (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy"'
        " content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{name}{colon} {escape(players)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{name}</h1>\n<p>{escape(players)}</p>\n"
    )
    for warning in head.warnings:
        yield f'<p class="warn">{escape(warning)}</p>\n'
    yield "".join(f"<p>{escape(line.strip())}</p>\n" for line in head.stands)
    day = ""
    for entry in entries:
        when = moment(entry.wall)
        if when is not None and (date := f"{when:%Y-%m-%d}") != day:
            day = date
            yield f"<h2>{day}</h2>\n"
        yield from _entry(entry, album.at(entry.step), when, words, book)
    yield "</body>\n</html>\n"


def _entry(
    entry: Entry, kept: Kept | None, when: datetime | None, words: Mapping[str, str], book: Rulebook
) -> Iterator[str]:
    kinds = {item.kind for item in entry.items}
    kind = next((k for k in ("refusal", "ruling", "question") if k in kinds), "note")
    clock = f"<span>{when:%H:%M:%S}</span>" if when else ""
    yield (
        f'<article class="{kind}" id="row-{entry.step}">\n<header><b>{escape(words[kind])}</b>'
        f"<span>{escape(words['row'])} {entry.items[0].number}</span>{clock}</header>\n"
    )
    for item in entry.items:
        yield _item(item, words)
    if kind == "note":
        yield "</article>\n"
        return
    yield from _pictures(kept, words)
    ids = dict.fromkeys(s.paragraph for item in entry.items for s in item.said if s.paragraph)
    if ids:
        texts = "".join(_paragraph(book, id) for id in ids)
        opened = " open" if kind == "refusal" else ""
        yield f"<details{opened}><summary>{escape(', '.join(ids))}</summary>{texts}</details>\n"
    if kept is not None and (read := _read(kept, words, book)):
        yield f"<details><summary>{escape(words['read'])}</summary>{read}</details>\n"
    yield "</article>\n"


def _item(item: Item, words: Mapping[str, str]) -> str:
    lines = [
        f"<p>{escape(said.text)}"
        + (f' <span class="id">{escape(said.paragraph)}</span>' if said.paragraph else "")
        + "</p>\n"
        for said in item.said
    ]
    if item.more:
        label = words["back"] if item.kind == "refusal" else words["answers"]
        more = "".join(f"<li>{escape(line)}</li>" for line in item.more)
        lines.append(f'<p class="back">{escape(label)}</p>\n<ul>{more}</ul>\n')
    return "".join(lines)


def _pictures(kept: Kept | None, words: Mapping[str, str]) -> Iterator[str]:
    shown = [(name, kept.pictures[name]) for name in PICTURES if kept and name in kept.pictures]
    figures = [
        f'<figure><img alt="{escape(words[name])}" src="data:image/jpeg;base64,{data}">'
        f"<figcaption>{escape(words[name])}</figcaption></figure>\n"
        for name, path in shown
        if (data := _data(path))
    ]
    if figures:
        yield f'<div class="pictures">\n{"".join(figures)}</div>\n'
    else:
        yield f"<p><small>{escape(words['no-picture'])}</small></p>\n"


def _data(path: Path) -> str:
    try:
        return base64.b64encode(path.read_bytes()).decode("ascii")
    except OSError:  # it may have been deleted meanwhile
        return ""


def _paragraph(book: Rulebook, id: str) -> str:
    paragraph = book.paragraph(id)
    return f"<p><b>{escape(id)} {escape(paragraph.title)}</b><br>{escape(paragraph.text)}</p>"


def _read(kept: Kept, words: Mapping[str, str], book: Rulebook) -> str:
    """What was read in the pictures and what the switches felt, as far as the file tells it."""
    told = []
    seen = kept.read.get("seen")
    for name in PICTURES:
        look = seen.get(name) if isinstance(seen, dict) else None
        if isinstance(look, dict):
            text = "; ".join(_stands(look, book)) or "-"
            told.append(f"<p><b>{escape(words[name])}</b>: {escape(text)}</p>")
    felt = kept.read.get("switches")
    if isinstance(felt, dict):
        cells = ", ".join(map(str, felt.get("occupied", ())))
        told.append(f"<p><b>{escape(words['switches'])}</b>: {escape(cells or '-')}</p>")
    return "".join(told)


def _stands(look: Mapping[str, Any], book: Rulebook) -> list[str]:
    told = []
    for piece in _objects(look.get("pieces")):
        name = book.value(str(piece.get("id") or piece.get("colour")))
        heading = str(piece.get("heading") or "")
        where = (str(piece.get("cell") or "?"), book.words.headings.get(heading, heading))
        told.append(" ".join((name, *filter(None, where))))
    for die in _objects(look.get("dice")):
        tray = book.value(str(die.get("tray") or ""))
        told.append(f"{tray} {die.get('value') or '?'}".strip())
    return told


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def moment(wall: str) -> datetime | None:
    """When a row was written, in the time of this place; None where it does not say."""
    try:
        return datetime.fromisoformat(wall).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


@lru_cache(maxsize=4)
def labels(lang: str) -> dict[str, str]:
    """Words of the page and of `tableref journal`."""
    with (FOLDER / lang / "journal.toml").open("rb") as file:
        return tomllib.load(file)
