"""Questions about the state of the game on the table: whose turn, the score, what may be done,
what if, why, who pays, what was seen.

The answers come from the journal and from the rules themselves: what is asked for is looked up
among the legal actions, or carried out on a copy of the state and told as any ruling is. Nothing
secret is told: plots and letters that were noted stay so, and a piece that lies face down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from tableref.referee.standing import (
    PASSING,
    StandingWords,
    standing,
    told_in_play,
)
from tableref.referee.supposing import Moved, Moves, may_reach, moves_of, supposed, why_not
from tableref.referee.table import Row, TableState
from tableref.rulebook import Rulebook
from tableref.rulebook.asking import Heard, Listener, Spoken
from tableref.rulebook.askingwords import asking
from tableref.rulebook.kinds import KINDS as KINDS
from tableref.rulebook.language import language_of
from tableref.rulebook.text import LANGUAGES, flowing
from tableref.rules.defaults import TableGame
from tableref.rules.pieces import HIDDEN, Piece
from tableref.rules.surface import Fact, RulesError
from tableref_hardware import Board

CHOICES = 3
"""Questions that may be meant, where it is not sure which."""
MOST = 24
"""Actions that are told one by one; of more only who may go where."""


class Understood(NamedTuple):
    """A question about the state, and the language it was asked in."""

    heard: Heard
    lang: str


def spoken(game: TableGame[Any], cells: Iterable[str], people: Sequence[str] = ()) -> Spoken:
    """What can be named in a game."""
    pieces = [piece for stack in game.stacks for piece in stack]
    kinds = [piece.kind for piece in pieces] + [p.face for p in pieces if p.face != HIDDEN]
    sides = dict.fromkeys(piece.side for piece in pieces if piece.side)
    return Spoken(
        game.name, tuple(sides), tuple(dict.fromkeys(kinds)), tuple(cells),
        game.places(), tuple(people),
    )  # fmt: skip


def understood(question: str, spoken: Spoken, lang: str, only: bool = False) -> Understood | None:
    """The question in the language it is in; None where it is none about the state. Where its words
    leave that open, it is answered in the game's. `only`: in no other language."""
    first = lang if only else language_of(question, "")
    # Only names and cells leave it open in which language somebody asks.
    langs = dict.fromkeys((first,) if first else (lang, *LANGUAGES))
    for each in langs:
        if heard := Listener(each, spoken)(question):
            return Understood(heard, first or lang)
    return None


class Positions:
    """Answers about one game as it stands, in one language. `rows` are those of its journal.
    `player` asks for himself alone: what he knows of his own pieces counts."""

    def __init__(
        self,
        game: TableGame[Any],
        board: Board,
        state: TableState,
        rows: Sequence[Row],
        lang: str = "en",
        player: int | None = None,
    ) -> None:
        self._game, self._board, self._table, self._rows = game, board, state, rows
        # No answer tells what lies hidden.
        self._state = game.public(state.table.state, player)
        seen = {} if player is None else game.view(self._state, player).get("pieces", {})
        self._own = {cell for cell, text in seen.items() if not str(text).endswith(HIDDEN)}
        self._book = Rulebook(lang)
        self._says: dict[str, str] = asking(lang)["says"]
        self._words = StandingWords(game, board, lang)
        self._stands = standing(game, state, rows)

    def answer(self, asked: Heard) -> list[str]:
        """Sentences, each with its paragraph where it rests on one. RulesError"""
        if asked.strangers:
            return self._unknown(asked)
        if asked.perhaps:
            return [self._perhaps(asked)]
        stands, words = self._stands, self._words
        match asked.asks:
            case "turn":
                return [*(words.turn(stands) or words.game(stands)), *words.open(stands)]
            case "score":
                return self._score()
            case "leader":
                return self._leader()
            case "over":
                return [*words.game(stands), *([] if stands.outcome else [self._say("goes-on")])]
            case "round":
                return self._round()
            case "last":
                return words.last(stands) or [self._say("nothing-yet")]
            case "why":
                return self._why()
            case "pays":
                return self._pays()
            case "seen":
                return self._seen()
            case "whose":
                return self._whose(asked)
            case "numbers":
                return self._numbers(asked)
            case "where":
                return self._where(asked)
            case "can" | "may":
                return self._can(asked) if self._leads(asked) else self._may(asked)
        return self._what_if(asked)

    def _perhaps(self, asked: Heard) -> str:
        """Three questions that may be meant, as they can be typed."""
        cell = asked.cells[-1] if asked.cells else ""
        asks: dict[str, str] = asking(self._book.lang)["asks"]
        who = self._asked_piece(asked) or self._book.value(self._due_side(), name=True)
        fit = (asks[kind] for kind in asked.perhaps if cell or "{what}" not in asks[kind])
        told = (f"`{each.format(who=who, what=cell)}`" for each in islice(fit, CHOICES))
        return self._say("not-sure", what=", ".join(told))

    def _due_side(self) -> str:
        """A side of who is due, as the example of a question."""
        names = self._game.players(self._state)
        due = [names[player] for player in self._game.due(self._state).players]
        sides = (side for name in (*due, *names) for side in self._owned.get(name, ()))
        return self._side(next(sides, ""))

    # -- what is known ----------------------------------------------------------------------------

    def _leader(self) -> list[str]:
        stands, words = self._stands, self._words
        if stands.outcome is not None:
            return [*words.game(stands), *words.score(stands)]
        if stands.score is None:
            return [self._say("no-score"), *words.turn(stands)]
        who = ", ".join(self._book.value(stands.players[one], name=True) for one in stands.leaders)
        equal = len(stands.leaders) == len(stands.players)
        return [self._say("equal" if equal else "leads", who=who), *words.score(stands)]

    def _score(self) -> list[str]:
        """What is counted; where nothing is, how many pieces everybody has on the board."""
        if told := self._words.score(self._stands):
            return told
        board = self._game.board(self._state)
        counts = ", ".join(
            f"{self._book.value(name, name=True)} "
            f"({sum(piece.side in sides for stack in board.values() for piece in stack)})"
            for name, sides in self._owned.items()
        )
        return [self._say("on-board", who=counts)]

    def _round(self) -> list[str]:
        now, last = self._stands.round, self._game.last_round()
        if not now:
            return [self._say("no-rounds")]
        left = self._say("rounds-left", what=str(last), other=str(last - now))
        return [*self._words.game(self._stands), *([] if self._stands.outcome else [left])]

    def _whose(self, asked: Heard) -> list[str]:
        """Which pieces a player has, or all of them; or whose a piece is."""
        found = [
            (name, sides) for name, sides in self._owned.items()
            if asked.person in ("", name) and (not asked.side or asked.side in sides)
        ]  # fmt: skip
        if not found:
            return [flowing(self._say("nobodys", what=self._asked_piece(asked)))]
        return [
            flowing(self._say("plays", who=self._book.value(name, name=True), what=pieces))
            for name, sides in found
            for pieces in [
                ", ".join(self._book.value(self._side(side), name=True) for side in sides)
            ]
        ]

    def _numbers(self, asked: Heard) -> list[str]:
        """Numbers that may still be noted."""
        left = self._game.numbers_left(self._state)
        if not left:
            key = "numbers-paper" if self._game.last_round() else "no-numbers"
            return [self._say(key)]
        sides = self._sides(asked)
        return [
            flowing(self._say(
                "numbers-left", who=self._book.value(side), amount=str(len(numbers)),
                what=", ".join(map(str, numbers)) or "-",
            ))
            for side, numbers in left.items()
            if not sides or side in sides
        ]  # fmt: skip

    @cached_property
    def _owned(self) -> dict[str, tuple[str, ...]]:
        """Each player and the sides of his pieces."""
        names = self._game.players(self._state)
        owned = self._game.owned(self._state) or tuple((name,) for name in names)
        return dict(zip(names, owned, strict=True))

    def _sides(self, asked: Heard) -> tuple[str, ...]:
        """The sides that a question is about; none where it names none."""
        return (asked.side,) if asked.side else self._owned.get(asked.person, ())

    def _side(self, side: str) -> str:
        """What the game calls a side among people."""
        names = self._game.players(self._state)
        return names[int(side)] if side.isdigit() and int(side) < len(names) else side

    def _why(self) -> list[str]:
        """What was told last about the play, with its paragraphs in full: a ruling, a refusal or a
        question; once the game is over, its end. How it was set up is asked while it is."""
        stands = self._stands
        if stands.outcome is not None:
            return [*self._words.game(stands), *self._in_full((stands.outcome.paragraph,))]
        told = tuple(told_in_play(self._rows, stands.phase))
        lines = [] if told else [self._say("nothing-refused")]
        for row in told[:1]:
            facts = [Fact(**fact) for fact in row.data.get("facts", ())]
            lines += [self._told(fact) for fact in facts] or self._words.row(stands, row)
            lines += self._in_full(
                (*(fact.paragraph for fact in facts), *row.data.get("paragraphs", ()))
            )
        return lines

    def _in_full(self, ids: Iterable[str]) -> list[str]:
        """The text of each of these paragraphs once."""
        colon = self._book.words.labels["colon"]
        return [f"{id}{colon} {self._book.paragraph(id).text}" for id in dict.fromkeys(ids)]

    def _pays(self) -> list[str]:
        """The payments of the last action that had any."""
        for row in reversed(self._rows):
            facts = [Fact(**fact) for fact in row.data.get("facts", ())]
            paid = [fact for fact in facts if fact.case in ("pays", "short")]
            if row.kind == "action" and paid:
                return [self._told(fact) for fact in facts if fact.case != "order"]
        return [self._say("nothing-paid")]

    def _seen(self) -> list[str]:
        """The picture that was looked at last, what did not fit, and what is noted."""
        frame = self._table.frame
        told = [self._say("looked", what=frame) if frame else self._say("not-looked")]
        told += self._words.open(self._stands)
        return [*told, self._say("noted"), *self._noted()]

    def _noted(self) -> list[str]:
        """Each piece and where it stands, as somebody above the table sees them."""
        places: dict[str, list[str]] = {}
        for cell, stack in self._game.board(self._state).items():
            for piece in stack:
                heading = self._book.words.headings.get(piece.facing, piece.facing)
                heading = self._book.value(heading)
                places.setdefault(self._called(piece), []).append(f"{cell} {heading}".strip())
        return [
            flowing(self._say("stands-on", who=who, what=", ".join(cells)))
            for who, cells in sorted(places.items())
        ]

    def _where(self, asked: Heard) -> list[str]:
        """Where a piece stands, or what stands on a cell."""
        board = self._game.board(self._state)
        if asked.cells and not asked.side and not asked.person:
            told = []
            for cell in asked.cells:
                pieces = ", ".join(self._called(piece) for piece in board.get(cell, ()))
                told.append(
                    self._say("stands-on", who=cell, what=pieces)
                    if pieces
                    else self._say("empty", what=cell)
                )
            return told
        shown = self._game.carried(self._state)
        carried = shown.numbers if shown else {}
        places: dict[str, list[str]] = {}
        for cell, stack in board.items():
            for piece in stack:
                if self._is(piece, asked):
                    heading = self._book.words.headings.get(piece.facing, piece.facing)
                    text = f"{cell} {self._book.value(heading)}".strip()
                    if (speed := carried.get(cell)) is not None:
                        text += f" ({self._say('speed', what=str(speed))})"
                    places.setdefault(self._called(piece), []).append(text)
        if not places:
            return [flowing(self._say("nowhere", who=self._asked_piece(asked)))]
        return [
            flowing(self._say("stands-on", who=who, what=", ".join(cells)))
            for who, cells in places.items()
        ]

    def _unknown(self, asked: Heard) -> list[str]:
        """What is named and not there, and what there is."""
        told = []
        for stranger in asked.strangers:
            player = " " in stranger
            if any(char.isdigit() for char in stranger) and not player:
                told.append(self._say("no-cell", what=stranger))
                continue
            pieces = (self._plain(piece) for stack in self._game.stacks for piece in stack)
            people = (self._book.value(name, name=True) for name in self._owned)
            there = dict.fromkeys(people if player else pieces)
            told.append(self._say("no-such", what=stranger, other=", ".join(there)))
        return told

    # -- what may be done -------------------------------------------------------------------------

    def _may(self, asked: Heard) -> list[str]:
        """The legal actions, of this piece or of all, and where each leads."""
        state, told = self._supposed(asked)
        start = asked.cells[0] if asked.cells else ""
        if asked.die is not None:
            state, more = self._thrown(state, asked.die)
            told = told + more
        moves = self._moves(state, asked, start)
        due = self._game.due(state)
        if due.kind in ("plot", "announce") and not moves.told:
            return [*told, *self._words.turn(self._stands), self._say("plots")]
        if not moves.told and not moves.hidden:
            key = (
                "nothing-legal"
                if asked.side or asked.kind or asked.person
                else "nothing-legal-at-all"
            )
            return [*told, flowing(self._say(key, who=self._asked_piece(asked)))]
        if len(moves.told) <= MOST:
            told += dict.fromkeys(self._outcome(state, move) for move in moves.told)
        else:
            told += self._gathered(moves.told)
        return told + ([self._say("hidden")] if moves.hidden else [])

    def ways(self, asked: Heard) -> Iterator[tuple[str, str]]:
        """From where to where the pieces may go that a question about moves names."""
        if asked.asks not in ("may", "can", "what-if") or asked.strangers:
            return
        start = asked.cells[0] if asked.cells and self._stands_on(asked.cells[0]) else ""
        state, _ = self._supposed(asked, start)
        if asked.die is not None:
            state, _ = self._thrown(state, asked.die)
        moves = self._moves(state, asked, start)
        for move in moves.told:
            yield from ((begun, to) for _, begun, to in move.went)

    def _leads(self, asked: Heard) -> bool:
        """Whether the last cell that is named is one to go to: what is asked about is not there."""
        there = self._game.board(self._state).get(asked.cells[-1], ()) if asked.cells else ()
        return bool(asked.cells) and not any(self._is(piece, asked) for piece in there)

    def _stands_on(self, cell: str) -> bool:
        return cell in self._game.board(self._state)

    def _outcome(self, state: Any, move: Moved) -> str:
        """What to type, and what it does in words."""
        facts = [fact for fact in move.facts if fact.case not in PASSING][:3] or move.facts
        text = self._book.notation.shown(self._game.text(state, move.action))
        return f"{text}: " + " ".join(self._book.sentence(fact) for fact in facts)

    def _gathered(self, moves: Sequence[Moved]) -> list[str]:
        """Who may go where, without the ways."""
        to: dict[tuple[str, str], dict[str, None]] = {}
        for move in moves:
            for piece, start, cell in move.went:
                to.setdefault((self._called(piece), start), {})[cell] = None
        return [
            flowing(self._say("goes-to", who=who, start=start or "-", what=", ".join(cells)))
            for (who, start), cells in to.items()
        ]

    def _can(self, asked: Heard) -> list[str]:
        """Whether a piece may go to a cell, how, or why not."""
        board = self._game.board(self._state)
        start = next((cell for cell in asked.cells[:-1] if cell in board), "")
        to = asked.cells[-1]
        state, told = self._supposed(asked, start)
        if asked.die is not None:
            state, more = self._thrown(state, asked.die)
            told = told + more
        reach = may_reach(self._game, state, self._wanted(asked), start, to, self._own)
        who = self._asked_piece(asked) or start
        if not who:
            who = ", ".join(self._book.value(name, name=True) for name in self._movers(state))
        if reach.told:
            ways = dict.fromkeys(self._outcome(state, move) for move in reach.told[:MOST])
            return [*told, flowing(self._say("yes", who=who, what=to)), *ways]
        if reach.hidden:
            return [*told, self._say("hidden-only")]
        reasons = why_not(self._game, state, self._wanted(asked), start, to, self._own)
        if not reasons:
            told.append(flowing(self._say("no-known", who=who, what=to)))
            moves = self._moves(state, asked, start)
            return told + self._gathered(moves.told)
        lines = dict.fromkeys(self._told(fact) for fact in reasons)
        return [*told, flowing(self._say("no", who=who, what=to)), *lines]

    def _movers(self, state: Any) -> list[str]:
        """The players who are to act."""
        names = self._game.players(state)
        return [names[player] for player in self._game.due(state).players]

    def _what_if(self, asked: Heard) -> list[str]:
        """What an action would lead to, step by step, or why it may not be."""
        if asked.letter and asked.side:
            state, told = self._supposed(asked)
            try:
                action = self._game.parse(state, self._game.lettered(asked.side, asked.letter))
            except RulesError:
                return [self._say("which-letter", what=asked.letter), *self._may(asked)]
            facts = self._game.judge(state, action).broken or self._game.apply(state, action)[1]
            return told + [self._told(fact) for fact in facts]
        return self._can(asked) if asked.cells else self._may(asked)

    def what_if(self, text: str) -> list[str] | None:
        """What an action in the game's short notation would lead to; None where it is none."""
        try:
            action = self._game.parse(self._state, text)
        except RulesError:
            return None
        if self._game.reveals(self._state, action):  # that it is refused would tell something, too
            return [self._say("hidden-only")]
        broken = self._game.judge(self._state, action).broken
        facts = broken or self._game.apply(self._state, action)[1]
        return [self._told(fact) for fact in facts]

    def _supposed(self, asked: Heard, start: str = "") -> tuple[Any, list[str]]:
        """The state as if it were the turn of what is asked about, and a word where it is not."""
        side = asked.side
        if not side and start:
            stack = self._game.board(self._state).get(start, ())
            side = stack[-1].side if stack else ""
        state, whose = supposed(self._game, self._state, side)
        if not whose:
            return state, []
        return state, [flowing(self._say("not-its-turn", who=self._book.value(whose, name=True)))]

    def _thrown(self, state: Any, die: tuple[int, str]) -> tuple[Any, list[str]]:
        """The state in which this die lies, and no other is to come."""
        value, place = die
        after = self._game.as_if_thrown(state, place, value)
        if after is None:
            return state, []
        return after, [self._say("thrown", what=f"{value} ({self._book.value(place)})")]

    # -- words ------------------------------------------------------------------------------------

    def _told(self, fact: Fact) -> str:
        return f"{self._book.sentence(fact)} ({fact.paragraph})"

    def _say(self, key: str, **values: str) -> str:
        return self._says[key].format(**values)

    def _called(self, piece: Piece) -> str:
        """A piece in words, as anybody sees it; of a side, whose it is."""
        return self._plain(piece)

    def _plain(self, piece: Piece) -> str:
        names = self._game.players(self._state)
        if piece.side.isdigit() and int(piece.side) < len(names):
            side = names[int(piece.side)]
            return self._book.value(f"{side} {piece.face}" if piece.face else side, name=True)
        return self._book.value(piece.called)

    def _moves(self, state: Any, asked: Heard, start: str) -> Moves:
        return moves_of(self._game, state, self._wanted(asked), start, self._own)

    def _wanted(self, asked: Heard) -> Callable[[Piece], bool]:
        return lambda piece: self._is(piece, asked)

    def _is(self, piece: Piece, asked: Heard) -> bool:
        """Whether a piece is of the side, or the player, and of the kind that a question names."""
        sides = self._sides(asked)
        return (not sides or piece.side in sides) and asked.kind in ("", piece.kind, piece.face)

    def _asked_piece(self, asked: Heard) -> str:
        """What a question calls a piece, in the words of the rulebook."""
        side = self._side(asked.side) or asked.person
        both = f"{side} {asked.kind}".strip()
        told = self._book.value(both, name=True)
        if told == both and side and asked.kind:
            told = f"{self._book.value(side, name=True)} ({self._book.value(asked.kind)})"
        return told


def _whose(board: Any, cell: str) -> str:
    return board[cell][-1].called if board.get(cell) else ""
