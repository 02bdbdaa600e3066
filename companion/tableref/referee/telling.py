"""What the players are told: journal rows as events, the state as a screen and as lights.

Plots are secret until they are used, so no event, screen or light is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from tableref.devices.lights import Light, Meaning, Standing
from tableref.devices.oled import COLUMNS, ROWS, Marker, Screen
from tableref.referee.asking import Choice, choices
from tableref.referee.course import Step
from tableref.referee.evidence import SENSOR_DOUBTS
from tableref.referee.reopening import OPEN, put_of
from tableref.referee.table import Ask, Phase, Row, TableState, Told, Trouble
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import begun
from tableref.rules.defaults import TableGame, may_go
from tableref.rules.explain import Answer, Put
from tableref.rules.pieces import HIDDEN, Piece, Stack, spelled
from tableref.rules.surface import Action, Fact, RulesError
from tableref_hardware import Board

PIECE_COLOURS: Mapping[str, tuple[int, int, int]] = {
    "red": (205, 40, 40),
    "orange": (240, 140, 30),
    "yellow": (245, 215, 50),
    "green": (50, 150, 70),
    "blue": (50, 90, 200),
    "purple": (130, 60, 160),
    "white": (240, 240, 240),
    "black": (40, 40, 40),
}


MOST_LIT = 12
"""Answers to a question of which the cells are lit that tell them apart."""


class Teller:
    """Turns steps of one game into events, screens and lights, in one language."""

    def __init__(
        self, game: TableGame[Any], board: Board, lang: str = "en", names: Sequence[str] = ()
    ) -> None:
        """`names` are those of the players, by index."""
        self._game, self._board, self._names = game, board, tuple(names)
        self.lang, self._book = lang, Rulebook(lang)
        self._messages = Messages(self._book)

    # -- events -----------------------------------------------------------------------------------

    def events(self, rows: Iterable[Row]) -> list[dict[str, Any]]:
        """The rows as events for `--json` and the page, in order."""
        return [event for row in rows if (event := self._event(row))]

    def repeated(self, rows: Iterable[Row]) -> list[dict[str, Any]]:
        """Events of rows that may have been told before; they say so."""
        again = self._messages.sentence("again")
        events = [event | {"repeated": True} for event in self.events(rows)]
        return [
            event | {"text": [f"{again} {line}" for line in event["text"]]}
            if "text" in event
            else event
            for event in events
        ]

    def _event(self, row: Row) -> dict[str, Any] | None:
        data = {key: value for key, value in row.data.items() if key not in ("key", OPEN)}
        match row.kind:
            case "action":
                facts = [Fact(**fact) for fact in data["facts"]]
                secret = self._secret(data["action"])
                if secret and not facts:
                    return None
                told = {} if secret else {"action": data["action"]}
                return {
                    "event": "ruling",
                    **told,
                    "facts": data["facts"],
                    "text": [self._book.sentence(fact) for fact in facts],
                    "frame": data["frame"],
                }
            case "trouble":
                facts = [Fact(**fact) for fact in data["facts"]]
                text = [self._book.sentence(fact) for fact in facts]
                # Several pieces may go to one cell, so put is held against put.
                pieces = [put_of(put).piece for put in row.data.get(OPEN, {}).get("put", ())]
                text += [
                    self._put_sentence(put, piece)
                    for put, piece in zip_longest(data["put"], pieces[: len(data["put"])])
                ]
                return {"event": "trouble", **data, "text": text}
            case "question":
                texts = [self._question(data)]
                if "choices" in data:
                    data["choices"] = [self._choice(self._told(one)) for one in data["choices"]]
                    numbered = enumerate(data["choices"], 1)
                    texts += [f"{number}: {text}" for number, text in numbered]
                return {"event": "question", **data, "text": texts}
            case "refused":  # a plot on the file that may not be: its number stays secret
                return {"event": "question", "question": "plot", "paragraphs": data["paragraphs"]}
            case "notice":
                text = [self._messages.sentence(data["notice"], data.get("values"))]
                kind = "bell" if data["notice"] in ("bell", "time-over") else "notice"
                return {"event": kind, **data, "text": text}
            case "round":
                counts = ", ".join(map(str, data["chips"]))
                told = {"what": str(data["round"]), "who": counts}
                return {
                    "event": "round",
                    **data,
                    "text": [self._messages.sentence("round-over", told)],
                }
            case "end" | "tray" | "answered" | "unfinished" | "let-stand":
                return {"event": row.kind, **data}
        return None

    def _question(self, data: Mapping[str, Any]) -> str:
        return self._messages.sentence(data["question"], self._ask_values(data, sentence=True))

    def _ask_values(self, values: Mapping[str, Any], sentence: bool = False) -> dict[str, str]:
        """What fills in a question; a code of the eye in words."""
        told = {key: str(value) for key, value in values.items()}
        if "code" in told:
            key = f"pose-{told['code']}"
            lines = self._messages.screen(key)
            told["what"] = self._messages.sentence(key) if sentence else " ".join(lines)
            told["what"] = told["what"][:1].lower() + told["what"][1:]
        return told

    def _secret(self, record: Mapping[str, Any]) -> bool:
        """Whether an action is noted in secret (of the house none is)."""
        try:
            return self._game.secret(self._game.read(record))
        except RulesError:
            return False

    # -- choices ----------------------------------------------------------------------------------

    def _choice(self, choice: Choice) -> str:
        """A choice in words: what stands there, or what goes where, or what happens."""
        if choice.stack is not None:
            pieces = [self._piece_words(piece) for piece in choice.stack]
            return begun(", ".join(pieces) or self._messages.sentence("nothing"))
        if not choice.puts and not choice.facts:
            return begun(self._messages.phrase("nothing-shows", {}))
        if choice.start:
            [put] = choice.puts
            assert put.piece is not None
            key = "with-piece" if put.start else "new-piece"
            values = {"who": self._called(put.piece), "to": put.start}
            return begun(self._messages.phrase(key, values))
        words = [self._change(put) for put in choice.puts]
        words += [self._book.sentence(fact) for fact in choice.facts[:3]]
        return begun(", ".join(word for word in words if word))

    def words(self, state: Any, action: Action) -> str:
        """What a question calls this action, if nothing else that it offers looks the same."""
        answer = Answer((action,), self._game.apply(state, action)[0])
        [choice] = choices(self._game, state, Ask("confirm", {}, (answer,)))
        return self._choice(choice)

    def _told(self, record: Mapping[str, Any]) -> Choice:
        """The choice of a question's row."""
        if "stands" in record:
            return Choice((), spelled(self._game.stacks).get(record["stands"], ()), ())
        facts = tuple(Fact(**fact) for fact in record["facts"])
        puts = tuple(map(put_of, record["puts"]))
        return Choice((), None, puts, facts, record.get("start", False))

    def _change(self, put: Put) -> str:
        """What becomes of a piece: `red to e6, pointing NE`."""
        assert put.piece is not None
        who = self._called(put.piece)
        values = {"who": who, "to": put.to or put.start, "other": put.piece.facing}
        key = "goes"
        if not put.to:
            key = "goes-off" if put.start else "stays"
        elif put.piece.facing:
            key = "turns" if put.start == put.to else "goes-pointing"
        return self._messages.phrase(key, values)

    def _piece_words(self, piece: Piece) -> str:
        """A piece as people call it, with where it points and what it shows."""
        heading = self._book.words.headings.get(piece.facing, piece.facing)
        return " ".join(filter(None, (self._book.value(self._called(piece)), heading)))

    def _called(self, piece: Piece) -> str:
        """What people call a piece: one that a player owns by its face and its player."""
        if piece.side.isdecimal() and int(piece.side) < len(self._names):
            owner = self._names[int(piece.side)]
            return self._book.value(f"{owner} {piece.face or HIDDEN}", name=True)
        return piece.called

    def _put_sentence(self, put: Mapping[str, str], piece: Piece | None) -> str:
        who = self._called(piece) if piece else put["id"]
        values = {"who": who, "to": put["cell"], "other": put["heading"]}
        if put["id"] in self._board.cells:  # something stands there that only a switch feels
            return self._messages.sentence("put-away", {"to": put["id"]})
        key = "put" if put["heading"] else "put-down" if put["cell"] else "put-off"
        return self._messages.sentence(key, values)

    # -- screens ----------------------------------------------------------------------------------

    def screens(self, before: TableState, step: Step) -> tuple[Screen, ...]:
        """What the display shows after a step, page by page."""
        pages = []
        facts = [f for f in step.told.facts if f.case != "order"]
        if facts:
            pages += self._rulings(before, step, facts)
        if any(row.kind == "round" for row in step.rows):
            pages.append(self._scores(step))
        notices = [row.data for row in step.rows if row.kind == "notice"]
        for title, *lines in (
            self._messages.screen(data["notice"], data.get("values")) for data in notices
        ):
            pages.append(Screen(title, tuple(lines)))
        now, choices = self._now(step.state, step.told), self._choices(step)
        # Pages turn up to the last one: a question's answers, or what is awaited.
        awaited = step.told.ask is not None and step.told.ask.awaited
        return (*pages, *choices, now) if awaited else (*pages, now, *choices)

    def _choices(self, step: Step) -> list[Screen]:
        """A page for each answer to a question, on which OK chooses it."""
        ask = step.told.ask
        options = ask.options if ask is not None else ()
        pages = []
        for number, option in enumerate(options, 1):
            text = " ".join(self._messages.screen(option))
            pages.append(Screen.of(f"{number} / {len(options)}", text, Marker.ASK, hint="OK"))
        if ask is None or not ask.answers:
            return pages
        offered = choices(self._game, step.state.table.state, ask)
        for number, choice in enumerate(offered, 1):
            text = self._choice(choice)
            pages.append(Screen.of(f"{number} / {len(offered)}", text, Marker.ASK, hint="OK"))
        return pages

    def _rulings(self, before: TableState, step: Step, facts: list[Fact]) -> list[Screen]:
        """A page for each thing that happened, payments on the page of what they are for; then the
        markers to set."""
        pages: list[Screen] = []
        for fact in facts:
            if fact.case == "pays" and pages and len(pages[-1].lines) < 4:
                last = pages[-1]
                lines = (*last.lines, *self._book.screen(fact))[:4]
                pages[-1] = Screen(last.title, lines, last.marker, last.paragraph, last.hint)
                continue
            lines = self._book.screen(fact)
            pages.append(Screen(lines[0], lines[1:], Marker.OK, fact.paragraph))
        markers = self._game.markers(before.table.state, step.state.table.state)
        if markers is not None:
            title = self._messages.screen("markers", {"what": ""})[0].rstrip(": ")
            words = ", ".join(f"{self._book.value(who)} {number}" for who, number in markers.set_to)
            pages.append(Screen.of(title, words, Marker.OK, markers.paragraph))
        return pages

    def _scores(self, step: Step) -> Screen:
        [row] = [row for row in step.rows if row.kind == "round"][-1:]
        title = self._messages.screen("round-over", {"what": str(row.data["round"])})[0]
        names = self._game.players(step.state.table.state)
        chips = row.data["chips"]
        # Two columns for more players than there are lines.
        width = COLUMNS // 2 - 1 if len(names) > ROWS else COLUMNS
        cells = [
            f"{name[: width - 3]:{width - 3}}{count:3}"
            for name, count in zip(names, chips, strict=True)
        ]
        lines = ["  ".join(cells[row::ROWS]) for row in range(min(ROWS, len(cells)))]
        return Screen(title, tuple(lines), Marker.NONE)

    def _now(self, state: TableState, told: Told) -> Screen:
        """What is awaited now."""
        if told.trouble is not None:
            return self._trouble_screen(told.trouble)
        if told.ask is not None:
            lines = self._messages.screen(told.ask.key, self._ask_values(told.ask.values))
            hint = "OK" if told.ask.key in SENSOR_DOUBTS else ""
            marker = Marker.WAIT if told.ask.awaited else Marker.ASK
            return Screen(lines[0], lines[1:], marker, told.ask.paragraph, hint)
        game, inner = self._game, state.table.state
        if state.phase is Phase.SETTING_UP:
            return Screen(self._messages.screen("set-up")[0], (), Marker.WAIT)
        outcome = game.outcome(inner)
        if outcome is not None:
            names = game.players(inner)
            return Screen(
                self._messages.screen("over")[0],
                tuple(names[w] for w in outcome.winners),
                Marker.OK,
                outcome.paragraph,
            )
        due, names = game.due(inner), game.players(inner)
        if due.kind == "plot":
            who = ", ".join(names[player] for player in due.players)
            lines = self._messages.screen("plots", {"who": who})
            paragraph = game.awaits(inner).paragraph
            return Screen.of(lines[0], " ".join(lines[1:]), Marker.WAIT, paragraph)
        who = due.piece or ", ".join(names[player] for player in due.players)
        title = self._messages.screen("next", {"who": who})[0]
        lines = tuple(self._put_line(stack[0], cell) for cell, stack in self._forced(inner).items())
        if due.kind == "restart":
            lines = self._messages.screen("restart")
        return Screen(title, lines, Marker.WAIT, game.awaits(inner).paragraph)

    def _put_line(self, piece: Piece, cell: str) -> str:
        heading = self._book.words.headings.get(piece.facing, piece.facing)
        return f"{self._book.value(self._called(piece))} {cell} {heading}"

    def _trouble_screen(self, trouble: Trouble) -> Screen:
        fact = trouble.reasons[0]
        lines = self._book.screen(fact)
        puts = [
            f"→ {self._put_line(put.piece, put.to or '-') if put.piece else f'{put.start} -'}"
            for put in trouble.put
        ]
        body = (*lines[1:], *puts)
        return Screen(lines[0], body[:4], Marker.REFUSED, fact.paragraph)

    # -- lights -----------------------------------------------------------------------------------

    def lights(self, before: TableState, step: Step) -> dict[str, Light]:
        """One light a cell: the last move, what is awaited, what is wrong."""
        lights: dict[str, Light] = {}
        was = self._game.board(before.table.state)
        now = self._game.board(step.state.table.state)
        for cell in sorted(was.keys() | now.keys()):
            if was.get(cell) != now.get(cell):
                meaning = Meaning.LAST_MOVE if cell in now else Meaning.CAME_FROM
                lights[cell] = meaning.value
        if step.told.trouble is not None:
            for put in step.told.trouble.put:
                if put.start:
                    lights[put.start] = Meaning.TROUBLE.value
                if put.to:
                    lights[put.to] = Meaning.EXPECTED.value
            return lights
        if step.told.ask is not None:
            asked = step.told.ask.values.get("who", "").split(", ")
            for cell in self._in_question(step):
                lights[cell] = Meaning.ASKED.value
            for cell, stack in now.items():
                if any(piece.called in asked for piece in stack):
                    lights[cell] = Meaning.ASKED.value
            return lights
        due = self._game.due(step.state.table.state)
        if step.state.phase is Phase.SETTING_UP or due.kind == "over":
            return lights
        for cell in self._lifted(step.state, now):
            for to in may_go(self._game, step.state.table.state, cell):
                lights[to] = Meaning.EXPECTED.value
        for cell, stack in now.items():
            if due.piece and due.piece in [piece.called for piece in stack]:
                lights[cell] = Meaning.DUE.value
        for cell in self._forced(step.state.table.state):
            lights[cell] = Meaning.EXPECTED.value
        return lights

    def _lifted(self, state: TableState, board: Mapping[str, Stack]) -> list[str]:
        """The cell from which one piece is in the air, by the switches; of more it is not plain."""
        if state.switches is None or state.phase is not Phase.HAND:
            return []
        lifted = board.keys() - state.switches.occupied - state.switches.silent
        return list(lifted) if len(lifted) == 1 else []

    def _in_question(self, step: Step) -> set[str]:
        """Cells that the answers to a question tell apart."""
        ask = step.told.ask
        if ask is None or ask.awaited or not 1 < len(ask.answers) <= MOST_LIT:
            return {ask.about} & self._board.cells.keys() if ask is not None else set()
        boards = [self._game.board(answer.state) for answer in ask.answers]
        cells = {cell for board in boards for cell in board}
        return {cell for cell in cells if len({board.get(cell) for board in boards}) > 1}

    def _forced(self, state: Any) -> dict[str, Stack]:
        """Cell -> what the forced move puts there; empty where the player chooses."""
        action = self._game.forced(state)
        if action is None:
            return {}
        before, after = (
            self._game.board(state),
            self._game.board(self._game.apply(state, action)[0]),
        )
        return {cell: stack for cell, stack in after.items() if before.get(cell) != stack}

    def standing(self, state: TableState) -> tuple[Standing, ...]:
        """The pieces as they stand by the rules, for the picture of the board."""
        return tuple(
            Standing(
                cell,
                self._board.headings.get(stack[-1].facing),
                PIECE_COLOURS.get(stack[-1].side or stack[-1].called, (150, 150, 150)),
            )
            for cell, stack in self._game.board(state.table.state).items()
        )
