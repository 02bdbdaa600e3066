"""The rulebook in one language: paragraphs, and the words for what the rules engine says.

    book = Rulebook("de")
    book.paragraph("AS-5.4").title
    book.sentence(Fact("AS-5.4", "turned", "blue", "clockwise", other="E"))

Files are read when first asked for, one game at a time.
"""

from __future__ import annotations

import logging
import re
import textwrap
import tomllib
import unicodedata
from functools import cache, cached_property
from typing import Any, NamedTuple

from tableref.rulebook import text
from tableref.rulebook.notating import Notation
from tableref.rules.pieces import Piece
from tableref.rules.surface import NOTE, Fact

log = logging.getLogger(__name__)

LINES = 4
COLUMNS = 21
TITLE_COLUMNS = COLUMNS - 2
"""The part of the display that a ruling has, in characters; its first line is the title, which
leaves room for a mark."""

_NAME_COLUMNS = (16, 12)
"""How long the name of a person may be on the display, and how long where that is too much."""
_GAP = re.compile(
    r"\{(who|what|start|to|amount|other)(?::(?:(?P<one>[^|{}]*)\|(?P<many>[^{}]*)|(?P<style>heading|small|notation)))?\}"
)


class UnknownParagraph(KeyError):
    """No paragraph has this id; `str()` is a sentence for people."""

    def __str__(self) -> str:
        return str(self.args[0])


class Words(NamedTuple):
    """Words of a language: what the engine's values are called, and headings of the rulebook."""

    values: dict[str, str]
    kinds: dict[str, str]
    players: dict[str, str]
    headings: dict[str, str]
    labels: dict[str, str]
    conjunction: str
    joined: dict[str, str]
    """What a name becomes behind another word: `von Tor` is `vom Tor`."""
    zero_is_one: bool
    """Whether 0 takes the singular, as in French."""


_told = cache(text.told)
"""Each file is read once, however many books there are; none changes what it finds there."""


@cache
def _toml(lang: str, name: str) -> dict[str, Any]:
    with (text.FOLDER / lang / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


class Rulebook:
    """All paragraphs in one language. ValueError for a language that there is none of."""

    def __init__(self, lang: str = "en") -> None:
        if lang not in text.LANGUAGES:
            raise ValueError(f"no rulebook in {lang!r}; there are {', '.join(text.LANGUAGES)}")
        self.lang = lang
        self._games: dict[str, dict[str, text.Paragraph]] = {}

    def paragraph(self, id: str) -> text.Paragraph:
        """The paragraph with this id. UnknownParagraph, text.TextError"""
        try:
            return self._game(text.game_of(id))[id]
        except KeyError:
            raise UnknownParagraph(f"no paragraph {id!r}") from None

    def ids(self, game: str) -> tuple[str, ...]:
        """Ids of a game's paragraphs, in order; `house` is a game here. UnknownParagraph"""
        if game not in text.GAMES.values():
            games = ", ".join(text.GAMES.values())
            raise UnknownParagraph(f"no game {game!r}; there are {games}")
        return tuple(self._game(game))

    def sentence(self, fact: Fact) -> str:
        """What happened or why not, as one sentence. A case without words gives the heading of
        its paragraph (a test sees to it that there is none). UnknownParagraph"""
        case = self.paragraph(fact.paragraph).case(fact.case)
        if case is None:
            return self._heading(fact.paragraph)
        filled = self._fill(case.sentence, fact, columns=0)
        return text.flowing(filled) if self.lang == "fr" else text.begun(filled)

    def cited(self, fact: Fact) -> str:
        """The sentence with the paragraph that it rests on. UnknownParagraph"""
        return f"{self.sentence(fact)} ({fact.paragraph})"

    def screen(self, fact: Fact) -> tuple[str, ...]:
        """The same for the display: at most 4 lines of 21 characters. UnknownParagraph"""
        case = self.paragraph(fact.paragraph).case(fact.case)
        template = case.screen if case else self._heading(fact.paragraph)
        for columns in _NAME_COLUMNS:
            lines = [self._fill(part, fact, columns) for part in template.split(" / ")]
            if self.lang == "fr":
                lines = [text.typeset(line) for line in lines]
            lines[0] = text.begun(lines[0])
            wrapped = _wrap_all(lines)
            if len(wrapped) > LINES:
                wrapped = _wrap(" ".join(lines), title=True)
            if len(wrapped) <= LINES:
                return tuple(wrapped)
        return (*wrapped[: LINES - 1], wrapped[LINES - 1][: COLUMNS - 2] + "..")

    @cached_property
    def words(self) -> Words:
        """What this language calls the values in facts, and the headings of the rulebook."""
        return Words(**_toml(self.lang, "words"))

    @cached_property
    def notation(self) -> Notation:
        """The words of notations."""
        return Notation(self.lang, self.words.headings, self.value)

    def held(self, piece: Piece, owner: str = "") -> str | None:
        """A piece in somebody's hand, with its article: `the red car`; None where this language
        has no words for it. `owner`: whose it is, of pieces that lie under a face."""
        said = self._held.get(piece.kind, {})
        what = said.get(piece.face) if piece.face else said.get(piece.side)
        return f"{what} ({self.value(owner, name=True)})" if what and owner else what

    @cached_property
    def _held(self) -> dict[str, dict[str, str]]:
        return _toml(self.lang, "held")

    def named(self, player: str) -> str:
        """A player where the name stands alone, at the head of a row: `red` -> `Red`."""
        return text.begun(self.value(player, name=True))

    def value(self, value: str, name: bool = False) -> str:
        """A value of a fact in this language: `blue 3` -> `Blau 3`. Lists (`red, blue`, `red and
        blue`, `red/blue`) go one by one; a `name` may be a side (`S`) or a piece of a side
        (`S rock`)."""
        words = self.words
        for between, said in ((", ", ", "), (" and ", f" {words.conjunction} "), ("/", "/")):
            if between in value:
                return said.join(self.value(part, name) for part in value.split(between))
        if value in words.values:
            return words.values[value]
        if name:
            side, _, kind = value.rpartition(" ")
            if side and kind in words.kinds:
                return f"{words.kinds[kind]} ({self.value(side, name)})"
            return words.players.get(value) or self._numbered(value)
        return words.kinds.get(value) or self._numbered(value)

    def done(self, text: str, columns: int = 0) -> str:
        """What was done, in notation with the language's words, in so many columns; a note, which
        only who made it may read, by what it is for: `purple ?` -> `note for purple`."""
        who = text.removesuffix(NOTE)
        if who != text:
            return self.words.labels["note"].format(who=self._name(who, columns))
        return _short(_plain(self.notation.shown(self.value(text))), columns)

    def _name(self, value: str, columns: int) -> str:
        """A name; what the language itself calls a piece is never cut."""
        name = _plain(self.value(value, name=True))
        return _short(name, columns if name == _plain(value) else 0)

    def _numbered(self, value: str) -> str:
        """`player 2`, `red 1`: the word is translated, the number stays."""
        word, _, number = value.rpartition(" ")
        known = self.words.values.get(word)
        return f"{known} {number}" if known and number.isdigit() else value

    def _heading(self, id: str) -> str:
        return f"{id} {self.paragraph(id).title}"

    def _game(self, game: str) -> dict[str, text.Paragraph]:
        if game not in self._games:
            self._games[game], missing = _told(self.lang, game)
            if missing:
                all_ = len(missing) == len(self._games[game])
                which = "the rules" if all_ else ", ".join(missing)
                log.warning(
                    "%s: %s are in English, nobody has put them into %r", game, which, self.lang
                )
        return self._games[game]

    def _fill(self, template: str, fact: Fact, columns: int) -> str:
        def filled(match: re.Match[str]) -> str:
            value: str | int = getattr(fact, match[1])
            named = match[1] in ("who", "other")
            if not isinstance(value, int):
                if match["style"] == "heading":
                    return _plain(self.words.headings.get(value, value))
                if match["style"] == "notation":
                    return self.done(value, columns)
                name = self._name(value, columns) if named else _plain(self.value(value))
                return name.lower() if match["style"] == "small" else name
            if match["one"] is None:
                return str(value)
            return f"{value} {match['one'] if self._singular(value) else match['many']}"

        return self.joined(_GAP.sub(filled, template))

    def joined(self, told: str) -> str:
        """What was put together, with articles where names need them."""
        return self._meeting.sub(lambda match: self.words.joined[match[0]], told)

    @cached_property
    def _meeting(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, self.words.joined))})\b")

    def _singular(self, number: int) -> bool:
        return abs(number) == 1 or (number == 0 and self.words.zero_is_one)


def gaps(template: str) -> set[str]:
    """Names of the fields of a Fact that a template uses. ValueError for any other brace."""
    rest = _GAP.sub("", template)
    if "{" in rest or "}" in rest:
        raise ValueError(f"a gap that no fact fills: {template!r}")
    return {match[1] for match in _GAP.finditer(template)}


def _plain(name: str) -> str:
    """A name that keeps to its line: no control characters, accents composed."""
    composed = unicodedata.normalize("NFC", name)
    kept = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in composed)
    return " ".join(kept.split())


def _short(name: str, columns: int) -> str:
    if not columns:
        return name
    return ", ".join(
        part if len(part) <= columns else part[: columns - 2] + ".." for part in name.split(", ")
    )


def _wrap_all(lines: list[str]) -> list[str]:
    """Lines of the display; what a long one has over goes to the beginning of the next."""
    wrapped: list[str] = []
    over = ""
    for line in lines:
        *full, over = _wrap(f"{over} {line}".strip(), title=not wrapped) or [""]
        if not full:
            full, over = [over], ""
        wrapped += full
    return [line for line in (*wrapped, over) if line]


def _wrap(line: str, title: bool) -> list[str]:
    """A text in lines of the display; of a `title` the first is shorter."""
    mark = " " * (COLUMNS - TITLE_COLUMNS) if title else ""
    lines = textwrap.wrap(
        line, COLUMNS, initial_indent=mark, break_long_words=True, break_on_hyphens=False
    )
    return [part.removeprefix(mark) if number == 0 else part for number, part in enumerate(lines)]
