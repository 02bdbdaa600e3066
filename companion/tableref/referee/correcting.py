"""A position that people put right by hand (HR-2.2), as they say it: `d4 is red, NE`.

A piece of which there is one is taken from where it stood.
"""

from __future__ import annotations

import re
from typing import Any

from tableref.referee.wording import Wording
from tableref.rulebook.terms import fold
from tableref.rulebook.text import LANGUAGES
from tableref.rulebook.typed import say, typed
from tableref.rules.defaults import TableGame
from tableref.rules.pieces import EMPTY, HIDDEN, Stack
from tableref.rules.surface import Record, RulesError

_WORD = re.compile(r"[^\W_]+")
_SHOWN = 4
"""Pieces that a question back names."""


def correction(words: Wording, state: Any, line: str) -> tuple[str, Stack] | None:
    """The cell that a line puts right, and what stands on it; None where it puts nothing right.
    RulesError says what is missing, in the game's language."""
    parted = _parted(words, line)
    if parted is None:
        return None
    cell, said = parted
    stack = _stack(words, state, cell, said)
    # Whether it is possible may tell nothing of what lies hidden.
    public = words.game.public(state)
    position = words.game.put_right(public, cell, stack)
    if position is None:
        shown = example(words, state)
        key = "stands-elsewhere" if shown else "no-correcting"
        raise RulesError(say(key, words.book.lang, to=shown))
    if not _possible(words.game, public, position):
        lang = words.book.lang
        emptied = next(iter(words.game.board(state)), cell)
        to = f"{emptied} {say('is', lang)} {_empty(lang)}"
        raise RulesError(say("cannot-be", lang, what=line.strip(), to=to))
    return cell, stack


def position_of(game: TableGame[Any], state: Any, cell: str, stack: Stack) -> Record | None:
    """The position in which this stack stands on the cell: with what the referee alone was told,
    where it is possible so, else as all know it. None where the game cannot tell it."""
    known = game.put_right(state, cell, stack)
    if known is not None and _possible(game, state, known):
        return known
    return game.put_right(game.public(state), cell, stack)


def _parted(words: Wording, line: str) -> tuple[str, str] | None:
    """The cell that a line is about, and what stands on it."""
    cells = {cell.casefold(): cell for cell in words.board.cells}
    for lang in dict.fromkeys((words.book.lang, LANGUAGES[0])):
        where, found, what = line.strip().partition(f" {typed(lang)['says']['is']} ")
        cell = cells.get(_named(words, where).casefold())
        if found and cell is not None and what and not what.rstrip().endswith("?"):
            return cell, what
    return None


def _named(words: Wording, where: str) -> str:
    """The name of a cell, also where it is told by a word and a number: `yellow 9`."""
    word, _, number = where.strip().rpartition(" ")
    for place, begins in words.game.places().items():
        if word and word.casefold() in (place.casefold(), words.book.value(place).casefold()):
            return f"{begins}{number}"
    return where.strip()


def _stack(words: Wording, state: Any, cell: str, said: str) -> Stack:
    """The pieces that are told. RulesError"""
    lang = words.book.lang
    data = [typed(each)["says"] for each in dict.fromkeys((lang, LANGUAGES[0]))]
    folded = fold(said, lang).strip()
    if folded in {fold(word, lang) for each in data for word in each["empty"].split(", ")}:
        return EMPTY
    filler = {fold(word, lang) for each in data for word in each["filler"].split(", ")}
    told = set(_tokens(said, lang)) - filler
    names = {stack: _spellings(words, stack) for stack in words.game.stacks if stack}
    fitting = [s for s, spelled in names.items() if any(told <= each for each in spelled)]
    fewest = min(map(len, fitting), default=0)
    fitting = [stack for stack in fitting if len(stack) == fewest]
    whole = [stack for stack in fitting if any(told == each for each in names[stack])]
    if len(whole) == 1:
        return whole[0]
    if len(fitting) > 1:
        # Turned as it stands, where it is not said how.
        standing = {piece for stack in words.game.board(state).values() for piece in stack}
        known = [stack for stack in fitting if all(piece in standing for piece in stack)]
        fitting = known if len(known) == 1 else fitting
    if len(fitting) == 1:
        return fitting[0]
    examples = fitting or list(names)
    shown = ", ".join(_words(words, stack) for stack in examples[:_SHOWN])
    if not fitting:
        raise RulesError(say("no-such-piece", lang, what=said.strip(), to=shown))
    raise RulesError(say("which-piece", lang, what=said.strip(), to=f"{cell}: {shown}"))


def _spellings(words: Wording, stack: Stack) -> list[set[str]]:
    """The words that tell of these pieces: those of the language, and the game's own."""
    lang = words.book.lang
    own = " ".join(piece.text for piece in stack)
    called = " ".join(f"{piece.called} {piece.facing}" for piece in stack)
    return [set(_tokens(each, lang)) for each in (_words(words, stack), own, called)]


def _words(words: Wording, stack: Stack) -> str:
    return ", ".join(words.piece(piece) for piece in stack)


def _tokens(text: str, lang: str) -> list[str]:
    return _WORD.findall(fold(text, lang))


def _possible(game: TableGame[Any], state: Any, position: Record) -> bool:
    try:
        game.corrected(state, position)
    except RulesError:
        return False
    return True


def _empty(lang: str) -> str:
    return say("empty", lang).split(", ")[0]


def example(words: Wording, state: Any) -> str:
    """A line that puts this position right, as it may be said: a piece on a free cell, or where
    none may be added, a cell that is empty. Empty in a game in which neither can be said."""
    state = words.game.public(state)
    board, lang = words.game.board(state), words.book.lang
    free = next((cell for cell in words.board.cells if cell not in board), "")
    stood = {stack[-1:]: None for stack in board.values() if stack[-1].face != HIDDEN}
    for stack in (*stood, *words.game.stacks[:1]):
        position = words.game.put_right(state, free, stack) if free else None
        if position is not None and _possible(words.game, state, position):
            return f"{free} {say('is', lang)} {_words(words, stack)}"
    emptied = next(iter(board), free)
    if words.game.put_right(state, emptied, EMPTY) is None:
        return ""
    return f"{emptied} {say('is', lang)} {_empty(lang)}"
