"""What the players are told: journal rows as events, the state as a screen and as lights.

Plots are secret until they are used, so no event, screen or light is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tableref.devices.lights import Light, Meaning, Standing
from tableref.devices.oled import COLUMNS, ROWS, Marker, Screen
from tableref.referee.fusion import SENSOR_DOUBTS
from tableref.referee.reopening import OPEN
from tableref.referee.step import Step
from tableref.referee.table import AWAITED, Phase, Row, TableState, Told, Trouble
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rules.explain import Explainable
from tableref.rules.pieces import Piece, Stack
from tableref.rules.surface import Fact
from tableref_hardware import Board

SECRET = ("plot", "plot_ghost")
"""Actions of which nothing is told when they are entered (AS-4.1)."""

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


class Teller:
    """Turns steps of one game into events, screens and lights, in one language."""

    def __init__(self, game: Explainable[Any], board: Board, lang: str = "en") -> None:
        self._game, self._board = game, board
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
                [kind] = data["action"]
                facts = [Fact(**fact) for fact in data["facts"]]
                if kind in SECRET and not facts:
                    return None
                told = {} if kind in SECRET else {"action": data["action"]}
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
                text += [self._put_sentence(put) for put in data["put"]]
                return {"event": "trouble", **data, "text": text}
            case "question":
                return {"event": "question", **data, "text": [self._question(data)]}
            case "refused":  # a plot on the file that may not be: its number stays secret
                return {"event": "question", "question": "plot", "paragraphs": data["paragraphs"]}
            case "notice":
                text = [self._messages.sentence(data["notice"])]
                return {"event": "notice", **data, "text": text}
            case "round" | "end" | "tray" | "answered" | "unfinished" | "let-stand":
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

    def _put_sentence(self, put: Mapping[str, str]) -> str:
        values = {"who": put["id"], "to": put["cell"], "other": put["heading"]}
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
        notices = [row.data["notice"] for row in step.rows if row.kind == "notice"]
        for title, *lines in map(self._messages.screen, notices):
            pages.append(Screen(title, tuple(lines)))
        now, choices = self._now(step.state, step.told), self._choices(step)
        # Pages turn up to the last one: a question's answers, or what is awaited.
        awaited = step.told.ask is not None and step.told.ask.key in AWAITED
        return (*pages, *choices, now) if awaited else (*pages, now, *choices)

    def _choices(self, step: Step) -> list[Screen]:
        """A page for each answer to a question, on which OK chooses it."""
        ask = step.told.ask
        answers = ask.answers if ask is not None else ()
        options = ask.options if ask is not None else ()
        pages = []
        for number, option in enumerate(options, 1):
            text = " ".join(self._messages.screen(option))
            pages.append(Screen.of(f"{number} / {len(options)}", text, Marker.ASK, hint="OK"))
        for number, answer in enumerate(answers, 1):
            state = step.state.table.state
            texts = [self._game.text(state, action) for action in answer.actions]
            done = self._game.apply(state, answer.actions[0])[1] if len(texts) == 1 else ()
            words = self._book.screen(done[0]) if done else ()
            lines = (", ".join(texts), *words)
            pages.append(Screen(f"{number} / {len(answers)}", lines[:ROWS], Marker.ASK, hint="OK"))
        return pages

    def _rulings(self, before: TableState, step: Step, facts: list[Fact]) -> list[Screen]:
        """A page a car-move: what it did, the crash, who pays whom; then the markers to set."""
        pages: list[Screen] = []
        for fact in facts:
            if fact.case == "pays" and pages and len(pages[-1].lines) < 4:
                last = pages[-1]
                lines = (*last.lines, *self._book.screen(fact))[:4]
                pages[-1] = Screen(last.title, lines, last.marker, last.paragraph, last.hint)
                continue
            lines = self._book.screen(fact)
            pages.append(Screen(lines[0], lines[1:], Marker.OK, fact.paragraph))
        beads = self._beads(before, step.state)
        if beads:
            text = self._messages.screen("beads", {"what": ""})[0].rstrip(": ")
            pages.append(Screen.of(text, beads, Marker.OK, "AS-1.4"))
        return pages

    def _beads(self, before: TableState, after: TableState) -> str:
        """Speed markers that change, as `red 2, blue 0` (AS-1.4); empty for games without."""
        was = self._game.facts(before.table.state).get("cars", {})
        now = self._game.facts(after.table.state).get("cars", {})
        return ", ".join(
            f"{self._book.value(car)} {pose['speed']}"
            for car, pose in now.items()
            if pose["speed"] != was[car]["speed"]
        )

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
        return Screen(title, tuple(lines), Marker.NONE, "AS-6.1")

    def _now(self, state: TableState, told: Told) -> Screen:
        """What is awaited now."""
        if told.trouble is not None:
            return self._trouble_screen(told.trouble)
        if told.ask is not None:
            lines = self._messages.screen(told.ask.key, self._ask_values(told.ask.values))
            hint = "OK" if told.ask.key in SENSOR_DOUBTS else ""
            marker = Marker.WAIT if told.ask.key in AWAITED else Marker.ASK
            return Screen(lines[0], lines[1:], marker, AWAITED.get(told.ask.key, ""), hint)
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
            return Screen.of(lines[0], " ".join(lines[1:]), Marker.WAIT, "AS-3.1")
        who = due.piece or ", ".join(names[player] for player in due.players)
        title = self._messages.screen("next", {"who": who})[0]
        lines = tuple(self._put_line(stack[0], cell) for cell, stack in self._forced(inner).items())
        if due.kind == "restart":
            lines = self._messages.screen("restart")
        return Screen(title, lines, Marker.WAIT, "AS-4.5" if due.kind == "restart" else "AS-4.1")

    def _put_line(self, piece: Piece, cell: str) -> str:
        heading = self._book.words.headings.get(piece.facing, piece.facing)
        return f"{self._book.value(piece.called)} {cell} {heading}"

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
            for cell, stack in now.items():
                if any(piece.called in asked for piece in stack):
                    lights[cell] = Meaning.ASKED.value
            return lights
        due = self._game.due(step.state.table.state)
        if step.state.phase is Phase.SETTING_UP or due.kind == "over":
            return lights
        for cell, stack in now.items():
            if due.piece and due.piece in [piece.called for piece in stack]:
                lights[cell] = Meaning.DUE.value
        for cell in self._forced(step.state.table.state):
            lights[cell] = Meaning.EXPECTED.value
        return lights

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
