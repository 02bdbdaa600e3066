"""What somebody types at the referee's terminal, as inputs, and questions that it answers.

2              the second answer to the question
undo           take back the last action (HR-2.1); redo
let stand      let stand what was refused (HR-2.3)
d4 is red, NE  what is noted is put right by hand (HR-2.2)
resign red     give up (HR-1.1); leave, back (HR-1.2); draw (HR-1.3); break off, take up (HR-1.4)
yellow         the tray on which the next die is thrown
trust          dice that were misread make the referee ask no more than elsewhere
red>b1NE       an action in the game's short notation
judge          calls a judge, or no longer, where a broker can be told
help           what can be typed now, with examples of this position
board, rules   the board as it is noted; a paragraph, or what answers a question about the rules
picture what may red do   a question, answered with the board and where one may go on it
quit           leave; the game can be taken up later
whose turn?    a question about the state (`questions`)

The words are those of the game's language (`typed.toml`), and the English ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from tableref.devices.worker import Guard
from tableref.referee.correcting import correction, example
from tableref.referee.inputs import Act, Choose, Input, LetStand, PutRight, TrayChosen, TrustDice
from tableref.referee.questions import Positions, spoken, understood
from tableref.referee.step import Referee
from tableref.referee.table import Row, TableState
from tableref.referee.textboard import drawn
from tableref.referee.wording import Wording
from tableref.rulebook import Rulebook
from tableref.rulebook.amiss import amiss
from tableref.rulebook.consulting import consulted
from tableref.rulebook.notating import Notation
from tableref.rulebook.text import LANGUAGES
from tableref.rulebook.typed import command as word_for
from tableref.rulebook.typed import commands, say, typed
from tableref.rules.defaults import open_actions
from tableref.rules.pieces import text_of
from tableref.rules.surface import RulesError
from tableref_hardware import Board

LONGEST_NUMBER = 4  # digits that the number of an answer may have
PERSONAL = ("resign", "leave", "return")
_EXAMPLES = 2
"""Moves that `help` shows."""
LONGEST_SHOWN = 60
"""Letters that are shown of a line that was not understood."""
MAY_GO = "*"
"""Marks a cell that one may go to."""
WIDE = 80
"""Columns of what is shown where nobody knows how wide the terminal is."""


class Misunderstood(RulesError):
    """A line that says too little; the message says in the game's language what is missing."""


class Quit(Exception):
    """Whoever types leaves."""


class Asked(NamedTuple):
    """The game that is asked about: who judges it, on which board, where it stands, the rows of its
    journal, its language, how many columns an answer may have, the player who asks for himself
    alone, None where all hear the answer, and what calls a judge, or no longer (it says whether one
    is called then), None where nobody can."""

    referee: Referee
    board: Board
    table: TableState
    rows: Sequence[Row]
    lang: str
    columns: int = WIDE
    player: int | None = None
    judge: Callable[[], bool] | None = None

    @property
    def words(self) -> Wording:
        """Who calls its things by name."""
        return wording(self.referee, self.board, self.table, self.lang)


def wording(referee: Referee, board: Board, table: TableState, lang: str) -> Wording:
    """Who calls the things of this game by name."""
    return Wording(referee.game, board, lang, referee.game.players(table.table.state))


def answer(
    referee: Referee,
    table: TableState,
    line: str,
    time: float,
    lang: str = LANGUAGES[0],
    own: int | None = None,
) -> Input:
    """The input of a line. RulesError says why it is none. Who types speaks for the table, and
    answers what is open on it now. `own`: the player who is meant where none is named. Quit"""
    words, state = " ".join(line.split()).casefold(), table.table.state
    names = referee.game.players(state)
    everybody = tuple(range(len(names)))
    if words.isdecimal():
        if len(words) > LONGEST_NUMBER:
            raise RulesError(
                "no question has so many answers: {what}", what=f"{words[:LONGEST_NUMBER]}..."
            )
        return Choose(time, int(words) - 1, table.open)
    command, rest = _command(words, lang)
    if command == "quit" and not rest:
        raise Quit
    if command in PERSONAL:
        unnamed = own is not None and not rest
        player = own if unnamed else _player(rest, names, command, Rulebook(lang))
        others = [each for each in everybody if each != player]
        agreed = {"agreed": others} if command == "leave" else {}
        return Act(time, {command: {"player": player, **agreed}})
    agreeing: dict[str, dict[str, Any]] = {
        "take-back": {"take_back": {"player": 0, "agreed": list(everybody)}},
        "redo": {"redo": {"agreed": list(everybody)}},
        "draw": {"draw": {"agreed": list(everybody)}},
        "break-off": {"break_off": True},
        "take-up": {"take_up": True},
    }
    if command in agreeing and not rest:
        return Act(time, agreeing[command])
    if command == "let-stand" and not rest:
        return LetStand(time, everybody, table.open)
    if command == "trust" and not rest and referee.board.senses.mat:
        return TrustDice(time)
    throws = referee.game.throws(state)
    if throws is not None and words in throws.trays:
        return TrayChosen(time, words, table.open)
    called = wording(referee, referee.board, table, lang)
    try:
        correct = correction(called, state, line)
    except RulesError as error:
        raise Misunderstood(str(error)) from error
    if correct is not None:
        cell, stack = correct
        return PutRight(time, cell, text_of(stack), everybody)
    notation = called.book.notation.read(line.strip())
    return Act(time, referee.game.parse(state, notation).record())


def replied(asked: Asked, line: str) -> list[str] | None:
    """The answer to a line that asks something, `help` and the like too; None where it is none."""
    command, rest = _command(" ".join(line.split()).casefold(), asked.lang)
    if command == "rules":
        command, name = word_for("rules", asked.lang), asked.referee.game.name
        return consulted(asked.words.book, name, rest, command, asked.columns)
    if command == "help" and not rest:
        return help_of(asked)
    if command == "judge" and not rest and asked.judge is not None:
        return [asked.words.book.words.labels["judge_called" if asked.judge() else "judge_free"]]
    if command == "board" and not rest:
        return board_of(asked)
    if pictured := command == "picture":
        line = rest
    game, state = asked.referee.game, asked.table.table.state
    if len(line.split()) < 2 and "?" not in line and not line.strip().isalpha():
        return board_of(asked) if pictured else None
    heard = understood(line, spoken(game, asked.board.cells, game.players(state)), asked.lang)
    if heard is None:
        return None
    positions = Positions(game, asked.board, asked.table, asked.rows, heard.lang, asked.player)
    told = positions.answer(heard.heard)
    if not pictured:
        return told
    return told + board_of(asked, {to for _, to in positions.ways(heard.heard)})


def reply(asked: Asked, line: str, why: RulesError) -> list[str]:
    """What is replied to a line that `why` says is no input. RulesError where it asks nothing."""
    told = replied(asked, line)
    if told is None:
        raise RulesError(not_understood(line, asked.lang, why, asked.words.book.notation)) from why
    return told


def not_understood(line: str, lang: str, why: RulesError, notation: Notation) -> str:
    """What is said to a line that is neither an input nor a question, in the game's language, and
    what is amiss with it."""
    reason = amiss(why, lang, notation)
    told = f" ({reason})" if reason else ""
    what = " ".join(line.split())[:LONGEST_SHOWN]
    return say("not-understood", lang, what=what, to=word_for("help", lang)) + told


def help_of(asked: Asked) -> list[str]:
    """What can be typed now, each with an example of this position that is no secret."""
    lang, words = asked.lang, asked.words
    data, table = typed(lang), asked.table
    told = dict(_examples(asked, words))
    open_ = table.ask is not None and bool(table.ask.answers or table.ask.options)
    unfit = {
        "number": not open_,
        "let-stand": table.trouble is None,
        "judge": asked.judge is None,
        "trust": not table.mat.asks,
    }
    rows = [
        (told.get(key) or word_for(key, lang), meaning)
        for key, meaning in data["help"].items()
        if not unfit.get(key) and told.get(key) != ""
    ]
    wide = max(len(example) for example, _ in rows)
    if wide + max(len(meaning) for _, meaning in rows) + 2 > asked.columns:
        colon = words.book.words.labels["colon"]
        return [f"{example}{colon} {meaning}" for example, meaning in rows]
    return [f"{example:{wide}}  {meaning}" for example, meaning in rows]


def _examples(asked: Asked, words: Wording) -> Iterator[tuple[str, str]]:
    """Key of what can be typed -> an example."""
    game, state, lang = asked.referee.game, asked.table.table.state, asked.lang
    yield "number", "1"
    # Where all has to be named, what leaves the name out is no example.
    legal = (
        offered for offered, action in open_actions(game, state)
        if not game.reveals(state, offered)
        and (offered == action or not game.judge(state, offered).broken)
    )  # fmt: skip
    shown = words.book.notation.shown
    texts = (shown(game.text(state, action)) for action in islice(legal, _EXAMPLES))
    yield "move", ", ".join(texts)
    shows = typed(lang)["shows"]
    stack, *_ = *game.board(state).values(), game.stacks[0]
    cell = next((cell for cell in asked.board.cells if cell not in game.board(state)), "-")
    yield "ask", shows["ask"].format(who=words.book.value(words.called(stack[-1])), to=cell)
    yield "picture", shows["picture"].format(who=words.book.value(words.called(stack[-1])))
    yield "rules", shows["rules"].format(what=words.book.ids(game.name)[0])
    yield "correct", example(words, state)
    name = words.player(0).casefold()
    for command in PERSONAL:
        yield command, f"{word_for(command, lang)} {name}"


def board_of(asked: Asked, to: Collection[str] = ()) -> list[str]:
    """The board as it is noted, or where it is wider than the terminal a line a piece. Cells that
    one may go `to` are marked."""
    game, words, state = asked.referee.game, asked.words, asked.table.table.state
    stands = {cell: " ".join(map(words.piece, stack)) for cell, stack in game.board(state).items()}
    for cell in filter(asked.board.cells.__contains__, sorted(to)):
        stands[cell] = f"{stands.get(cell, '')} {MAY_GO}".strip()
    lines = drawn(asked.board, stands)
    if max(map(len, lines)) > asked.columns:
        colon = words.book.words.labels["colon"]
        lines = [f"{cell}{colon} {text}" for cell, text in stands.items()]
    if to:
        lines.append(say("may-go", asked.lang, what=MAY_GO))
    past = asked.table.table.past
    markers = game.markers(past[0][1].state, state) if past else None
    if markers is not None:
        told = ", ".join(f"{words.book.value(who)} {number}" for who, number in markers.set_to)
        lines.append(words.messages.sentence("markers", {"what": told}))
    return [say("board-noted", asked.lang), *lines]


def _command(words: str, lang: str) -> tuple[str, str]:
    """The command that a line begins with, and the rest of it; empty where it is none."""
    for phrase, command in commands(lang):
        with_more = (*PERSONAL, "rules", "picture")
        if words == phrase or (command in with_more and words.startswith(f"{phrase} ")):
            return command, words.removeprefix(phrase).strip()
    return "", words


def _player(words: str, names: Sequence[str], command: str, book: Rulebook) -> int:
    """The player who is named, by name, number or colour. Misunderstood"""
    for player, name in enumerate(names):
        said = book.value(name, name=True).casefold()
        if words in (name.casefold(), said, str(player + 1), *name.casefold().split("/")):
            return player
    phrase = word_for(command, book.lang)
    to = f"{phrase} {book.value(names[0], name=True)}"
    raise Misunderstood(say("who", book.lang, what=phrase, to=to))


def listen(
    lines: Iterable[str],
    read: Callable[[str], Input | list[str]],
    give: Callable[[Input], bool],
    say: Callable[[Sequence[str], bool], object],
) -> bool:
    """Hands on what is typed until the lines or the game end, or somebody leaves, which is what it
    returns. `say` is given what is replied, and whether it is that nothing was understood."""
    guard = Guard("the terminal", lambda text: say([text], True))
    left = iter(lines)
    while True:
        with guard:
            line = next(left, None)
            if line is None:
                return False
            if not line.strip():
                continue
            try:
                given = read(line)
            except Quit:
                return True
            except RulesError as error:
                say([str(error)], True)
                continue
            if isinstance(given, list):
                say(given, False)
            elif not give(given):
                return False
