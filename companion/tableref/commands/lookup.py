"""`tableref lookup WORDS`: which paragraph answers a question in a player's own words."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from tableref.errors import UserError
from tableref.referee.games import named
from tableref.rulebook import UnknownParagraph
from tableref.rulebook.language import language_of, system_language
from tableref.rulebook.lookup import Answer, Lookup
from tableref.rulebook.render import heading, rule
from tableref.rulebook.text import GAMES, LANGUAGES, TextError
from tableref_hardware.files import FileError, lines_of, parse_json, read_lines

_WIDTH = 80
_SHOWN = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """Words or a file of questions; game, language, form of the answer."""
    parser.add_argument("words", metavar="WORDS", nargs="*", help="the question, or an id: hr 2.1")
    parser.add_argument("--game", help="what is being played: " + ", ".join(GAMES.values()))
    parser.add_argument(
        "--lang", choices=LANGUAGES, help="language (default: that of the words, else of LANG)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument(
        "--batch",
        metavar="FILE",
        help='answer each line {"q": ..., "lang": ..., "game": ...} of a file (-: standard input) '
        "by a line of JSON",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the answer; a question that no paragraph covers is answered, too."""
    asked = " ".join(args.words).strip()
    if bool(asked) == bool(args.batch):
        raise UserError("lookup: ask something, or give a file of questions with --batch")
    desk = _Desk(args.lang, args.game)
    try:
        if args.batch:
            for number, question in _questions(args.batch):
                print(json.dumps(_record(desk.ask(question, number)), ensure_ascii=False))
            return 0
        answer = desk.ask({"q": asked})
        if args.json:
            print(json.dumps(_record(answer), ensure_ascii=False))
        else:
            print("\n".join(_told(desk.lookup(desk.language(asked)), answer)))
    except (UnknownParagraph, TextError) as error:
        raise UserError(str(error)) from error
    return 0


class _Desk:
    """One look-up a language, made when it is first needed."""

    def __init__(self, lang: str | None, game: str | None) -> None:
        self._lang, self._game = lang, game
        self._lookups: dict[str, Lookup] = {}

    def language(self, words: str) -> str:
        """The language that was asked for, else that of the words, else that of the system."""
        return self._lang or language_of(words, system_language())

    def lookup(self, lang: str) -> Lookup:
        if lang not in self._lookups:
            self._lookups[lang] = Lookup(lang)
        return self._lookups[lang]

    def ask(self, question: dict[str, Any], number: int | None = None) -> Answer:
        """The answer to a question; game and language are its own where it has them."""
        where = "lookup" if number is None else f"lookup: line {number}"
        words = question.get("q")
        game = question.get("game", self._game)
        if not isinstance(words, str):
            raise UserError(f"{where}: expected a question as text in 'q'")
        lang = question.get("lang") or self.language(words)
        if lang not in LANGUAGES:
            raise UserError(f"{where}: no language {lang!r}; there are {', '.join(LANGUAGES)}")
        try:
            known = None if game is None else named(str(game), GAMES.values())
        except UserError as error:
            raise UserError(f"{where}: {error}") from error
        return self.lookup(lang).ask(words, known)


def _questions(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The questions of a file with the numbers of their lines. UserError"""
    try:
        if name == "-":
            name, stream = "standard input", getattr(sys.stdin, "buffer", None)
            lines = lines_of(stream, name) if stream else iter(())
        else:
            lines = read_lines(name)
        for number, line in lines:
            if not line.strip():
                continue
            question = parse_json(line, f"{name}: line {number}")
            if not isinstance(question, dict):
                raise FileError(f"{name}: line {number}: expected a JSON object")
            yield number, question
    except FileError as error:
        raise UserError(f"lookup: {error}") from error


def _record(answer: Answer) -> dict[str, Any]:
    return {"results": [result._asdict() for result in answer.results], "none": answer.none}


def _told(lookup: Lookup, answer: Answer) -> Iterator[str]:
    """The best paragraphs, the best sentence of each between > and <."""
    if answer.none:
        yield lookup.book.words.labels["none"]
        if answer.results:
            yield lookup.book.words.labels["nearest"]
            yield ""
    for number, result in enumerate(answer.results[:_SHOWN]):
        if number:
            yield ""
        paragraph = lookup.book.paragraph(result.id)
        yield heading(paragraph)
        if answer.none:
            continue
        flat = paragraph._replace(text=_marked(paragraph.text, result.text))
        yield from (f"   {line}".rstrip() for line in rule(flat, _WIDTH - 3))


def _marked(text: str, sentence: str) -> str:
    """The text with this sentence between > and <, however the text is broken into lines."""
    words = sentence.split()
    start = 0
    while (start := text.find(words[0], start)) >= 0:
        end = start
        for word in words:
            while text[end : end + 1].isspace():
                end += 1
            if not text.startswith(word, end):
                break
            end += len(word)
        else:
            return f"{text[:start]}>{text[start:end]}<{text[end:]}"
        start += 1
    return text
