"""Reads a rulebook file: Markdown that people edit, one paragraph of the rules a heading.

    ## AS-5.7 Too few chips

    A player pays what he has, down to nothing.

    - **Standing:** stated, ruling
    - **Ruling:** the part payment.
    - **Other reading:** who cannot pay all pays nothing.
    - **See also:** AS-5.0

    - `short`: {who} owes {amount:chip|chips} more than there is.
      > {who} is broke: / owes {amount} more

A field or a sentence goes on over indented lines. The line after `>` is the short form for the
display, its lines parted by ` / `. In a sentence `{amount:chip|chips}` is the number with the word
in the singular or the plural; `{other:heading}` is a heading such as NE in the letters of
the language, `{what:small}` a colour as an adjective.

What does not depend on the language (standing, option, played with, where to correct, see also)
stands in the English file alone. A translation names the English paragraph it was made from by
its `digest` in the field `From`.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

LANGUAGES = ("en", "fr", "de")

GAMES = {
    "AS": "autoscooter",
    "SC": "scorpion",
    "SD": "skorpion-deep",
    "AE": "arrows-and-stars",
    "SQ": "squod",
    "HR": "house",
}
"""Letters of a paragraph id -> the file of its paragraphs."""

FOLDER = Path(__file__).parent

_HEADING = re.compile(r"## ([A-Z]{2}-\d+\.\d+) (.+)")
_TYPED = re.compile(r"\s*([a-z]{2})[\s\-_.]*(\d+)\s*[.,]\s*(\d+)\s*", re.IGNORECASE)
_CELL = re.compile(r"[a-z]{1,2}\d")
_BEFORE_MARK = re.compile(r" (?=[:;?!»](?:\s|$|[.,)]))")
_BEGINS = re.compile(r"([.!?] )([a-zà-ÿ])(?=[a-zà-ÿ]{2})")
_ELIDED = re.compile(r"\b([Dd])e (?=[AEIOUÉÊaeiouéê][a-zà-ÿ]{2})(?!onz|oui)")
_FIELD = re.compile(r"- \*\*([A-Z][a-z ]+):\*\* ?(.*)")
_CASE = re.compile(r"- `([a-z0-9-]+)`: ?(.*)")
_SCREEN = re.compile(r"  > ?(.*)")

_FIELDS = {
    "Standing": "standing",
    "Ruling": "ruling",
    "Other reading": "other_reading",
    "Option": "option",
    "Played with": "played_with",
    "Unconfirmed": "unconfirmed",
    "Correct in": "correct_in",
    "See also": "see_also",
    "From": "source",
}
NEUTRAL = ("standing", "option", "played_with", "correct_in", "see_also")
"""Fields that the English file holds for all languages."""

STANDINGS = ("stated", "ruling", "unconfirmed")


class TextError(ValueError):
    """A rulebook file cannot be read; the message names file and line and says what is wrong."""


class Case(NamedTuple):
    """What is said when a paragraph applies in one way: templates for people and for the display.

    `screen` is one text, its lines parted by ` / `.
    """

    sentence: str
    screen: str


class Paragraph(NamedTuple):
    """A paragraph of the rules in one language. Fields that are empty do not apply."""

    id: str
    title: str
    text: str
    standing: tuple[str, ...] = ()
    ruling: str = ""
    other_reading: str = ""
    option: str = ""
    """Chooses the other reading."""
    played_with: str = ""
    """Switches the whole paragraph on."""
    unconfirmed: str = ""
    correct_in: str = ""
    see_also: tuple[str, ...] = ()
    source: str = ""
    cases: tuple[tuple[str, Case], ...] = ()

    def case(self, name: str) -> Case | None:
        """The templates of this case, or None."""
        return next((case for key, case in self.cases if key == name), None)

    def digest(self) -> str:
        """Eight hex digits that change with every word a translator has to look at."""
        words = [self.title, self.text, self.ruling, self.other_reading, self.unconfirmed]
        words += [part for name, case in self.cases for part in (name, *case)]
        # Where lines are broken is no matter for the translator.
        flat = "\n".join(" ".join(word.split()) for word in words)
        return hashlib.sha256(flat.encode()).hexdigest()[:8]


def game_of(paragraph: str) -> str:
    """The game whose file holds this id. KeyError where no game has such letters."""
    return GAMES[paragraph.partition("-")[0]]


def title(lang: str, game: str) -> str:
    """What a game is called in a language, else in English; an empty text where no rulebook has
    it."""
    paths = (FOLDER / each / f"{game}.md" for each in (lang, LANGUAGES[0]))
    path = next((path for path in paths if path.exists()), None)
    if game not in GAMES.values() or path is None:
        return ""
    with path.open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()


def begun(sentence: str) -> str:
    """The sentence with a capital, unless it begins with a cell: `c7` stays as on the board."""
    return sentence if _CELL.match(sentence) else sentence[:1].upper() + sentence[1:]


def typeset(text: str) -> str:
    """The text with spaces that do not break where French sets one: before `: ; ? ! »`, and
    behind `«`. Other languages set none there."""
    return _BEFORE_MARK.sub("\u00a0", text).replace("« ", "«\u00a0")


def flowing(sentence: str) -> str:
    """What was put together from words of the language: names that begin a sentence have a
    capital, and French `de` is elided before a vowel, though not before a cell or a letter."""
    sentence = _BEGINS.sub(lambda match: match[1] + match[2].upper(), begun(sentence))
    return typeset(_ELIDED.sub(r"\1'", sentence))


def typed_id(typed: str) -> str | None:
    """The id that was typed in any of the usual ways (`AS-4.5`, `as 4.5`, `as4,5`); None where
    it is none. That the paragraph exists is not checked."""
    match = _TYPED.fullmatch(typed)
    return f"{match[1].upper()}-{match[2]}.{match[3]}" if match else None


def load(lang: str, game: str, folder: Path = FOLDER) -> dict[str, Paragraph]:
    """The paragraphs of one file by id, in the order of the file. TextError, FileNotFoundError"""
    path = folder / lang / f"{game}.md"
    found = read(path.read_text(encoding="utf-8"), f"{lang}/{path.name}")
    if lang == LANGUAGES[0]:
        return found
    english = load(LANGUAGES[0], game, folder)
    return {
        id: paragraph._replace(**{name: getattr(english[id], name) for name in NEUTRAL})
        if id in english
        else paragraph
        for id, paragraph in found.items()
    }


def told(lang: str, game: str, folder: Path = FOLDER) -> tuple[dict[str, Paragraph], list[str]]:
    """A game's paragraphs by id, and the ids of those that nobody has translated yet: they are told
    in English. TextError, FileNotFoundError"""
    english = load(LANGUAGES[0], game, folder)
    try:
        own = load(lang, game, folder)
    except FileNotFoundError:
        own = {}
    return english | own, [id for id in english if id not in own]


def read(text: str, name: str) -> dict[str, Paragraph]:
    """The paragraphs in this text; `name` is what an error calls the file. TextError"""
    reader = _Reader(name)
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line(number, line.rstrip())
    reader.close()
    return reader.paragraphs


class _Reader:
    """Takes a file line by line; `target` is the list that a continuation line goes to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        self.paragraphs: dict[str, Paragraph] = {}
        self.id = self.title = ""
        self.clear()

    def clear(self) -> None:
        self.text: list[str] = []
        self.fields: dict[str, list[str]] = {}
        self.cases: dict[str, tuple[list[str], list[str]]] = {}
        self.target: list[str] | None = self.text

    def line(self, number: int, line: str) -> None:
        self.number = number
        if line.startswith("## "):
            self.heading(line)
        elif not self.id:
            return  # the title of the file and its preface
        elif match := _FIELD.fullmatch(line):
            self.field(match[1], match[2])
        elif match := _CASE.fullmatch(line):
            self.case(match[1], match[2])
        elif match := _SCREEN.fullmatch(line):
            self.screen(match[1])
        elif not line:
            if self.target is self.text:
                self.text.append("")
        elif self.target is self.text:
            self.text.append(line)
        elif line.startswith("  ") and self.target is not None:
            self.target.append(line.strip())
        else:
            raise self.trouble(f"not understood here: {line!r}")

    def heading(self, line: str) -> None:
        self.close()
        match = _HEADING.fullmatch(line)
        if match is None:
            raise self.trouble(f"no paragraph heading like '## AS-5.7 Too few chips': {line!r}")
        self.id, self.title = match[1], match[2].strip()
        if self.id in self.paragraphs:
            raise self.trouble(f"{self.id} stands here twice")

    def field(self, label: str, words: str) -> None:
        if label not in _FIELDS:
            raise self.trouble(f"no field {label!r}; there are {', '.join(_FIELDS)}")
        if label in self.fields:
            raise self.trouble(f"{self.id} has two fields {label!r}")
        self.target = self.fields[label] = [words]

    def case(self, name: str, words: str) -> None:
        if name in self.cases:
            raise self.trouble(f"{self.id} has two cases {name!r}")
        self.target = [words]
        self.cases[name] = (self.target, [])

    def screen(self, words: str) -> None:
        if not self.cases or self.target is not next(reversed(self.cases.values()))[0]:
            raise self.trouble("a short form without its sentence")
        self.target = next(reversed(self.cases.values()))[1]
        self.target.append(words)

    def close(self) -> None:
        """Ends the paragraph that is being read, if there is one."""
        if self.id:
            self.paragraphs[self.id] = self.finished()
        self.clear()

    def finished(self) -> Paragraph:
        values = {_FIELDS[label]: " ".join(words).strip() for label, words in self.fields.items()}
        standing = tuple(word.strip() for word in values.pop("standing", "").split(",") if word)
        for word in standing:
            if word not in STANDINGS:
                raise self.trouble(f"{self.id}: no standing {word!r}")
        text = "\n".join(self.text).strip()
        if not text:
            raise self.trouble(f"{self.id} has no text")
        see_also = tuple(re.findall(r"[A-Z]{2}-\d+\.\d+", values.pop("see_also", "")))
        cases = []
        for name, (sentence, screen) in self.cases.items():
            if not screen:
                raise self.trouble(f"{self.id}: no short form for the case {name!r}")
            cases.append((name, Case(" ".join(sentence), " ".join(screen))))
        return Paragraph(
            id=self.id,
            title=self.title,
            text=text,
            standing=standing,
            see_also=see_also,
            cases=tuple(cases),
            **values,
        )

    def trouble(self, what: str) -> TextError:
        return TextError(f"{self.name}, line {self.number}: {what}")
