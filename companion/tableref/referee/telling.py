"""What the players are told: journal rows as events, the state as a screen and as lights.

Plots are secret until they are used, so no event, screen or light is made of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from tableref.devices.lights import Light, Meaning, Standing
from tableref.devices.oled import Screen
from tableref.referee.asking import secret_way
from tableref.referee.course import Step
from tableref.referee.pages import AWAITS, Pages
from tableref.referee.reopening import OPEN, put_of
from tableref.referee.setting_up import odd_ones, to_lay
from tableref.referee.table import Phase, Row, TableState
from tableref.referee.wording import Wording
from tableref.rules.defaults import TableGame, may_go
from tableref.rules.log import House
from tableref.rules.pieces import Stack
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


class Told(NamedTuple):
    """What a step tells: the events of its rows, those that no row tells, what is awaited now, and
    the screens of the display."""

    rows: list[dict[str, Any]]
    other: list[dict[str, Any]]
    awaited: list[dict[str, Any]]
    screens: tuple[Screen, ...]


class Teller:
    """Turns steps of one game into events, screens and lights, in one language."""

    def __init__(
        self, game: TableGame[Any], board: Board, lang: str = "en", names: Sequence[str] = ()
    ) -> None:
        """`names` are those of the players, by index."""
        self._game, self._board, self.lang = game, board, lang
        self._words = Wording(game, board, lang, names)
        self._book, self._messages = self._words.book, self._words.messages
        self._pages = Pages(self._words)

    # -- events -----------------------------------------------------------------------------------

    def told(self, before: TableState, step: Step) -> Told:
        """What a step tells: events, screens, and what is awaited now."""
        pages = self._pages.of(before, step)
        said = [{"event": page.event, "text": list(page.text)} for page in pages if page.text]
        awaited = [event for event in said if event["event"] == AWAITS]
        other = [event for event in said if event["event"] != AWAITS]
        screens = tuple(page.screen for page in pages)
        return Told(self.events(step.rows), other, awaited, screens)

    def screens(self, before: TableState, step: Step) -> tuple[Screen, ...]:
        """What the display shows after a step, page by page."""
        return self.told(before, step).screens

    def events(self, rows: Iterable[Row]) -> list[dict[str, Any]]:
        """The rows as events for `--json` and the page, in order."""
        return [event for row in rows if (event := self._event(row))]

    def repeated(self, events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Events that may have been told before; they say so."""
        again = self._messages.sentence("again")
        events = [event | {"repeated": True} for event in events]
        return [
            event | {"text": [f"{again} {line}" for line in event["text"]]}
            if "text" in event
            else event
            for event in events
        ]

    def _event(self, row: Row) -> dict[str, Any] | None:
        data = {key: value for key, value in row.data.items() if key not in ("key", OPEN)}
        told = {"event": row.kind, **data}
        match row.kind:
            case "action":
                secret = self._secret(data["action"])
                if secret and not data["facts"]:
                    return None
                action = {} if secret else {"action": data["action"]}
                facts = {"facts": data["facts"], "text": self._cited(data["facts"])}
                return {"event": "ruling", **action, **facts, "frame": data["frame"]}
            case "trouble":
                # Several pieces may go to one cell, so put is held against put.
                pieces = [put_of(put).piece for put in row.data.get(OPEN, {}).get("put", ())]
                back = [
                    self._words.put_record(put, piece)
                    for put, piece in zip_longest(data["put"], pieces[: len(data["put"])])
                ]
                return told | {"text": [*self._cited(data["facts"]), *back]}
            case "question":
                options = row.data.get(OPEN, {}).get("options", ())
                answers = [self._messages.sentence(option) for option in options]
                if "choices" in data:
                    choices = map(self._words.choice_of, data["choices"])
                    answers = told["choices"] = [self._words.choice(one) for one in choices]
                colon = self._book.words.labels["colon"]
                numbered = [f"{number}{colon} {text}" for number, text in enumerate(answers, 1)]
                if data["question"] == "camera-ended":
                    told.pop("frame", None)  # no picture shows it
                return told | {"text": [self._words.question(data), *numbered]}
            case "refused":  # a plot on the file that may not be: its number stays secret
                ids = data["paragraphs"]
                text = [f"{self._book.paragraph(id).title} ({id})" for id in ids]
                return {"event": "question", "question": "plot", "paragraphs": ids, "text": text}
            case "camera" | "dice" | "said" | "supposed":
                return None
        if row.kind == "notice" and data["notice"] in ("bell", "time-over"):
            told["event"] = "bell"
        return told | {"text": self._note(row)}

    def _note(self, row: Row) -> list[str]:
        """What else is noted, in sentences."""
        data, say = row.data, self._messages.sentence
        match row.kind:
            case "notice":
                return [say(data["notice"], self._words.noticed(data))]
            case "round":
                over = say("round-ended", {"what": str(data["round"])})
                return [over, *self._counted(data)]
            case "end":
                ended = self._words.ended(tuple(data["winners"]), data["paragraph"])
                return [*ended, *self._counted(data)]
            case "let-stand":
                return self._cited([Fact("HR-2.3", "let-stand", what=data["paragraph"])._asdict()])
            case "answered":
                answer = str(data.get("answer", ""))
                answer = say(answer) if answer in self._messages else answer
                return [say("row-answered", {"what": answer})]
            case "tray":
                return [say(f"tray-{data['tray']}")]
            case "distrusted":
                return [say("row-distrusted", {"what": ", ".join(data["cells"])})]
            case "unfinished":
                puts = [self._words.put_record(put, None) for put in data["put"]]
                return [say("not-finished"), *puts]
        return [say(f"row-{row.kind}")]  # cleared, set-up

    def _counted(self, data: Mapping[str, Any]) -> list[str]:
        """What each player has of what is counted."""
        return [
            self._messages.sentence(key, {"what": self._words.counted(counts)})
            for unit, counts in data.items()
            if (key := f"score-{unit}") in self._messages
        ]

    def _cited(self, facts: Iterable[Mapping[str, Any]]) -> list[str]:
        """What happened or why not, each with its paragraph."""
        return [self._book.cited(Fact(**fact)) for fact in facts]

    def words(self, state: Any, action: Action) -> str:
        """What a question calls this action, if nothing else that it offers looks the same."""
        return self._words.action(state, action)

    def _secret(self, record: Mapping[str, Any]) -> bool:
        """Whether an action is noted in secret (of the house none is)."""
        try:
            return self._game.secret(self._game.read(record))
        except RulesError:
            return False

    # -- lights -----------------------------------------------------------------------------------

    def lights(
        self, before: TableState, step: Step, moving: Collection[str] = ()
    ) -> dict[str, Light]:
        """One light a cell: the last move, what is awaited, what is wrong; `moving` are those that
        a hand is changing."""
        lights: dict[str, Light] = {}
        was = self._game.board(before.table.state)
        now = self._game.board(step.state.table.state)
        for cell in sorted(was.keys() | now.keys()):
            if was.get(cell) != now.get(cell):
                meaning = Meaning.LAST_MOVE if cell in now else Meaning.CAME_FROM
                lights[cell] = meaning.value
        felt = dict.fromkeys(sorted(moving), Meaning.FELT.value)
        lights |= felt
        if step.told.trouble is not None:
            for put in step.told.trouble.put:
                if put.start:
                    lights[put.start] = Meaning.TROUBLE.value
                if put.to:
                    lights[put.to] = Meaning.EXPECTED.value
            return lights
        ask = step.told.ask
        if ask is not None and not ask.awaited:
            lights |= dict.fromkeys(odd_ones(ask), Meaning.TROUBLE.value)
            lights |= dict.fromkeys(to_lay(ask, now), Meaning.EXPECTED.value)
            asked = ask.values.get("who", "").split(", ")
            for cell in self._in_question(step):
                lights[cell] = Meaning.ASKED.value
            for cell, stack in now.items():
                if any(piece.called in asked for piece in stack):
                    lights[cell] = Meaning.ASKED.value
            return lights
        due = House(self._game).due(step.state.table)
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
        return lights | felt

    def felt(self, state: TableState, moving: Collection[str]) -> str:
        """What a hand is changing, for the foot of the display: `-` left, `+` came."""
        if not moving or state.switches is None:
            return ""
        came = state.switches.occupied & frozenset(moving)
        signs = [f"-{cell}" for cell in sorted(frozenset(moving) - came)]
        signs += [f"+{cell}" for cell in sorted(came)]
        return self._messages.screen("felt", {"what": " ".join(signs)})[0]

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
        game, inner = self._game, step.state.table.state
        ways = [secret_way(game, inner, answer, ask) for answer in ask.answers]
        boards = [
            self._game.board(answer.state)
            for answer, way in zip(ask.answers, ways, strict=True)
            if way is None
        ]
        cells = {cell for board in boards for cell in board}
        apart = {cell for cell in cells if len({board.get(cell) for board in boards}) > 1}
        shown = [put for way in ways if way is not None for put in way.puts]
        return apart | {cell for put in shown for cell in (put.start, put.to)}

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


def paragraphs_of(event: Mapping[str, Any]) -> tuple[str, ...]:
    """The paragraphs that an event names, each once."""
    named = [fact.get("paragraph", "") for fact in event.get("facts", ())]
    named += [event.get("paragraph", ""), *event.get("paragraphs", ())]
    return tuple(dict.fromkeys(filter(None, named)))
