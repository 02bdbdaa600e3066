"""What a quick reference says: the paragraphs of a game in sections, tables made by playing.

Words come from the rulebook, so there is no second copy of a rule; a table takes the place of the
paragraphs that it covers. Titles and words of tables are in `sheet.toml` of each language.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tableref.rulebook.book import Rulebook
from tableref.rulebook.chapters import chapter_titles
from tableref.rulebook.tables import Table
from tableref.rulebook.text import FOLDER, GAMES, Paragraph


class Line(NamedTuple):
    """A paragraph, or a part of one: its title (empty: none), its words, its id with marks."""

    title: str
    words: str
    id: str = ""


class Section(NamedTuple):
    """A title and its lines; `key` is the beginning of their ids."""

    key: str
    title: str
    lines: tuple[Line, ...]


class Sheet:
    """The words of the quick reference of a game."""

    def __init__(self, book: Rulebook, game: str, tables: tuple[Table, ...]) -> None:
        self._book, self._game, self._tables = book, game, tables
        self._texts = _texts(book.lang)
        self.words: dict[str, str] = self._texts["words"]
        """Cells of tables that have a word in the language."""

    @property
    def title(self) -> str:
        """`quick reference`."""
        return str(self._texts["title"])

    @property
    def marks(self) -> str:
        """What the marks behind an id mean."""
        return str(self._texts["marks"]).format(game=self._game)

    def table_title(self, name: str) -> str:
        """Title of a table."""
        return str(self._texts["tables"][name])

    def word(self, cell: str) -> str:
        """A cell of a table in the language; parts around ` / ` go one by one."""
        return " / ".join(self.words.get(part, part) for part in cell.split(" / "))

    def sections(self) -> Iterator[Section]:
        """All that the tables do not say, in the order of the paragraphs; then the readings that
        can be chosen, and what holds at every table."""
        instead = {id for table in self._tables for id in table.instead}
        lists = {id for table in self._tables for id in table.lists}
        paragraphs = [self._book.paragraph(id) for id in self._book.ids(self._game)]
        lines: dict[str, list[Line]] = {}
        for paragraph in paragraphs:
            if paragraph.id not in instead:
                own = _lines(paragraph, bare=paragraph.id in lists)
                lines.setdefault(paragraph.id.partition(".")[0], []).extend(own)
        for key, found in lines.items():
            yield Section(key, chapter_titles(self._book.lang)[key], tuple(found))
        colon = self._book.words.labels["colon"]
        chosen = tuple(
            Line("", f"{_code(p.option)}{colon} {p.other_reading}", p.id)
            for p in paragraphs
            if p.option
        )
        if chosen:
            yield Section("", self._texts["options"], chosen)
        house = [self._book.paragraph(id) for id in self._book.ids(GAMES["HR"])]
        told = ", ".join(f"{paragraph.title} ({paragraph.id})" for paragraph in house)
        yield Section("HR", self._texts["house"], (Line("", f"{told}."),))


def _lines(paragraph: Paragraph, bare: bool) -> Iterator[Line]:
    """The paragraph block by block, its title before the first, its id behind the last. `bare`:
    without its lists, which a table shows."""
    blocks = [_code(" ".join(part.split())) for part in _blocks(paragraph.text)]
    if bare:
        blocks = [block for block in blocks if not block.startswith("* ")]
    if paragraph.played_with:
        blocks[0] = f"({_code(paragraph.played_with)}) {blocks[0]}"
    marks = "*" * bool(paragraph.ruling) + "?" * bool(paragraph.unconfirmed)
    for number, block in enumerate(blocks):
        yield Line(
            "" if number else paragraph.title,
            block,
            "" if number < len(blocks) - 1 else paragraph.id + marks,
        )


def _blocks(text: str) -> Iterator[str]:
    for block in text.split("\n\n"):
        head, *items = block.split("\n* ")
        yield head
        yield from (f"* {item}" for item in items)


def _code(quoted: str) -> str:
    return quoted.replace("`", "")


@lru_cache(maxsize=4)
def _texts(lang: str) -> dict[str, Any]:
    with (FOLDER / lang / "sheet.toml").open("rb") as file:
        return tomllib.load(file)
