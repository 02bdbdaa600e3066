"""A paragraph as plain text: rule, standing, what can be read another way, where to look on."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from tableref.rulebook.book import Rulebook
from tableref.rulebook.text import Paragraph, typeset

INDENT = "   "

_QUOTED = re.compile(r"`[^`]*`")
_GLUE = "\0"


def heading(paragraph: Paragraph) -> str:
    """`AS-5.7 Too few chips`."""
    return f"{paragraph.id} {paragraph.title}"


def rule(paragraph: Paragraph, width: int) -> list[str]:
    """The rule in lines of this many columns, its lists kept."""
    lines: list[str] = []
    for block in paragraph.text.split("\n\n"):
        items = re.split(r"\n(?=\* )", block)
        for item in items:
            hanging = "  " if item.startswith("* ") else ""
            lines += _wrapped(" ".join(item.split()), width, hanging)
        lines.append("")
    return lines[:-1]


def notes(book: Rulebook, paragraph: Paragraph) -> list[tuple[str, str]]:
    """The standing of a paragraph as pairs of label and words, both in the book's language."""
    labels = book.words.labels
    colon = labels["colon"]
    found = []
    if paragraph.played_with:
        found.append((labels["played_with"], paragraph.played_with))
    if paragraph.ruling:
        found.append((labels["ruling"], paragraph.ruling))
    if paragraph.other_reading:
        how = f"{labels['option']}{colon} {paragraph.option}." if paragraph.option else ""
        found.append((labels["other_reading"], f"{paragraph.other_reading} {how}".strip()))
    if paragraph.unconfirmed:
        place = labels["correct_in"] + f"{colon} {paragraph.correct_in}."
        found.append((labels["unconfirmed"], f"{paragraph.unconfirmed} {place}"))
    if paragraph.standing == ("stated",):
        found.append((labels["stated"], ""))
    if paragraph.see_also:
        found.append((labels["see_also"], ", ".join(paragraph.see_also)))
    return found


def plain(
    book: Rulebook, paragraph: Paragraph, width: int = 80, example: Sequence[str] = ()
) -> str:
    """The whole paragraph in lines of at most this many columns; `example` are the sentences that
    tell what happens in its example."""
    lines = [heading(paragraph), ""]
    lines += [f"{INDENT}{line}".rstrip() for line in rule(paragraph, width - len(INDENT))]
    lines.append("")
    for label, words in notes(book, paragraph):
        note = f"{label}{book.words.labels['colon']} {words}" if words else label
        lines += [INDENT + line for line in _wrapped(note, width - len(INDENT), "  ")]
    if example:
        lines += ["", f"{INDENT}{book.words.labels['example']}{book.words.labels['colon']}"]
        for sentence in example:
            lines += [
                INDENT + line for line in _wrapped(f"- {sentence}", width - len(INDENT), "  ")
            ]
    return "\n".join(lines)


def _wrapped(words: str, width: int, hanging: str = "") -> list[str]:
    # What is quoted is to be typed, so it stays on one line.
    whole = _QUOTED.sub(lambda match: match[0].replace(" ", _GLUE), typeset(words))
    lines = textwrap.wrap(
        whole, max(width, 20), subsequent_indent=hanging, break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip
    return [line.replace(_GLUE, " ") for line in lines]
