"""How the referee calls pieces, puts, questions and turns, in one language: the one source of what
the display, the terminal, the journal and the page say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tableref.referee.asking import ENTERED, Choice, choices, why_unreadable
from tableref.referee.reopening import put_of
from tableref.referee.table import Ask
from tableref.rulebook import Rulebook
from tableref.rulebook.amiss import amiss
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import begun, title
from tableref.rules.defaults import TableGame
from tableref.rules.explain import Answer, Put
from tableref.rules.pieces import HIDDEN, Piece, spelled
from tableref.rules.surface import Action, Due, Fact
from tableref_hardware import Board

NO_CELL = "-"
"""Where something goes that leaves the board, in short forms."""


def asks(key: str, from_where: bool) -> str:
    """The key of a question as it is put: of many moves only which piece makes one is asked."""
    return "which-piece" if key == ENTERED and from_where else key


class Wording:
    """Puts one game's things into words. `names` are those of the players, by index."""

    def __init__(
        self, game: TableGame[Any], board: Board, lang: str = "en", names: Sequence[str] = ()
    ) -> None:
        self.game, self.board, self.names = game, board, tuple(names)
        self.book = Rulebook(lang)
        self.messages = Messages(self.book)

    # -- facts and turns --------------------------------------------------------------------------

    def player(self, number: int) -> str:
        """The name of a player in the language."""
        known = number < len(self.names)
        return self.book.value(self.names[number] if known else f"player {number + 1}", name=True)

    def players(self, numbers: Sequence[int]) -> str:
        """The names of players, one after the other."""
        return ", ".join(map(self.player, numbers))

    def counted(self, counts: Sequence[int]) -> str:
        """What each player has: `North (3), East (4)`."""
        each = enumerate(counts)
        return ", ".join(f"{self.player(number)} ({count})" for number, count in each)

    def turn(self, due: Due) -> tuple[str, dict[str, str]]:
        """Who is to do what: a key of the messages and what fills it in."""
        values = {"who": self.players(due.players)}
        if due.piece:
            return f"turn-{due.kind}-piece", values | {"what": due.piece}
        return f"turn-{due.kind}", values

    def ended(self, winners: Sequence[int], paragraph: str) -> list[str]:
        """That the game is over, who has won or that nobody has, and the paragraph."""
        won = "won" if winners else "no-winner"
        key = f"stands-{'drawn' if len(winners) == len(self.names) else won}"
        values = {"what": title(self.book.lang, self.game.name), "who": self.players(winners)}
        return [f"{self.messages.sentence(key, values)} ({paragraph})"]

    # -- questions --------------------------------------------------------------------------------

    def question(self, data: Mapping[str, Any]) -> str:
        """The question of a row, as a sentence."""
        key = asks(data["question"], any(one.get("start") for one in data.get("choices", ())))
        if key != "unreadable":
            return self.messages.sentence(key, self.asked(data, sentence=True))
        why = amiss(why_unreadable(data), self.book.lang, self.book.notation)
        return self.messages.sentence(key if why else "not-readable", {"what": why})

    def asked(self, values: Mapping[str, Any], sentence: bool = False) -> dict[str, str]:
        """What fills in a question; a code of the eye in words."""
        told = {key: str(value) for key, value in values.items()}
        if told.get("who") in self.names:
            told["who"] = self.book.value(told["who"], name=True)
        if "code" in told:
            key = f"pose-{told['code']}"
            lines = self.messages.screen(key)
            told["what"] = self.messages.sentence(key) if sentence else " ".join(lines)
            told["what"] = told["what"][:1].lower() + told["what"][1:]
        if "done" in told:
            told["what"] = self.book.done(told["done"])
        if "lay" in told:
            told["what"] = ", ".join(
                self._lies(*one.split(" ", 1)) for one in told["lay"].split("; ")
            )
        return told

    def noticed(self, data: Mapping[str, Any]) -> Mapping[str, str] | None:
        """What fills in a notice; looks of pieces in words."""
        values: Mapping[str, str] | None = data.get("values")
        if values is None or "looks" not in values:
            return values
        return {**values, "what": ", ".join(map(self._looks, values["looks"].split("; ")))}

    def _lies(self, cell: str, text: str) -> str:
        """What is to lie on a cell, in short: `Y2: blue`."""
        return f"{cell}{self.book.words.labels['colon']} {self._looks(text)}"

    def _looks(self, text: str) -> str:
        stack = spelled(self.game.stacks).get(text, ())
        return " + ".join(map(self.piece, stack)) or text

    def choice(self, choice: Choice) -> str:
        """A choice in words: what stands there, or what goes where, or what happens."""
        if choice.stack is not None:
            pieces = [self.piece(piece) for piece in choice.stack]
            return begun(", ".join(pieces) or self.messages.sentence("nothing"))
        if not choice.puts and not choice.facts:
            return begun(self.messages.phrase("nothing-shows", {}))
        if choice.start:
            [put] = choice.puts
            assert put.piece is not None
            key = "with-piece" if put.start else "new-piece"
            values = {"who": self.called(put.piece), "to": put.start}
            return begun(self.messages.phrase(key, values))
        happens = [self.book.sentence(fact) for fact in choice.facts]
        moves = begun(", ".join(self._change(put, choice.over) for put in choice.puts))
        if moves and happens:
            moves += "."  # what happens is told in sentences
        return " ".join(filter(None, (moves, *happens)))

    def action(self, state: Any, action: Action) -> str:
        """What a question calls this action, if nothing else that it offers looks the same."""
        answer = Answer((action,), self.game.apply(state, action)[0])
        [choice] = choices(self.game, state, Ask("confirm", {}, (answer,)))
        return self.choice(choice)

    def choice_of(self, record: Mapping[str, Any]) -> Choice:
        """The choice of a question's row."""
        if "stands" in record:
            return Choice((), spelled(self.game.stacks).get(record["stands"], ()), ())
        facts = tuple(Fact(**fact) for fact in record["facts"])
        puts = tuple(map(put_of, record["puts"]))
        over = tuple(record.get("over", ()))
        return Choice((), None, puts, facts, record.get("start", False), over)

    def _change(self, put: Put, over: Sequence[str] = ()) -> str:
        """What becomes of a piece: `red to e6, pointing NE`, `white arrow from c3 to c4`."""
        assert put.piece is not None
        values = {
            "who": self.called(put.piece),
            "to": put.to or put.start,
            "other": put.piece.facing,
            "what": put.start,
        }
        key = "goes"
        if not put.to:
            key = "goes-off" if put.start else "stays"
        elif over:
            key, values["other"] = "goes-over", ", ".join(over)
        elif put.start == put.to:
            key = "turns" if put.piece.facing else "goes"
        elif put.piece.facing in self.board.headings:
            key = "goes-pointing"
        elif put.start:
            key = "goes-from"
        return self.messages.phrase(key, values)

    # -- pieces -----------------------------------------------------------------------------------

    def piece(self, piece: Piece) -> str:
        """A piece as people call it, with where it points and what it shows."""
        return " ".join(filter(None, (self.book.value(self.called(piece)), self.way(piece))))

    def way(self, piece: Piece) -> str:
        """Where a piece points; empty where it points nowhere."""
        return self.book.value(self.book.words.headings.get(piece.facing, piece.facing))

    def called(self, piece: Piece) -> str:
        """What people call a piece: one that a player owns by its face and its player."""
        if piece.side.isdecimal() and int(piece.side) < len(self.names):
            owner = self.names[int(piece.side)]
            return self.book.value(f"{owner} {piece.face or HIDDEN}", name=True)
        whole = f"{piece.side} {piece.kind}"
        return whole if whole in self.book.words.values else piece.called

    def _in_hand(self, piece: Piece) -> str:
        """What people call a piece that they are to take: with its article."""
        owned = piece.side.isdecimal() and int(piece.side) < len(self.names)
        owner = self.names[int(piece.side)] if owned else ""
        return self.book.held(piece, owner) or self.called(piece)

    def stands(self, piece: Piece, cell: str) -> str:
        """A piece where it stands or goes, in short: `Red b1 NE`."""
        return f"{self.book.value(self.called(piece))} {cell or NO_CELL} {self.way(piece)}".rstrip()

    def put(self, put: Put) -> str:
        """What to do with a piece, as a sentence."""
        if put.piece is None:
            return self.put_record({"id": put.start, "cell": put.to, "heading": ""}, None)
        heading = put.piece.facing
        return self.put_record({"id": "", "cell": put.to, "heading": heading}, put.piece)

    def put_record(self, put: Mapping[str, str], piece: Piece | None) -> str:
        """The same for the put of a row."""
        who = self._in_hand(piece) if piece else put["id"]
        values = {"who": who, "to": put["cell"], "other": put["heading"]}
        if put["id"] in self.board.cells:  # something stands there that only a switch feels
            return self.messages.sentence("put-away", {"to": put["id"]})
        key = "put" if put["heading"] else "put-down" if put["cell"] else "put-off"
        return self.messages.sentence(key, values)
