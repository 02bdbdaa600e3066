"""What is open at the table, a question or a refusal, as its row keeps it and as it is open again
after a resume: answers still reach the question, and what was refused can still be let stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from tableref.referee.fusion import SENSOR_DOUBTS
from tableref.referee.table import BLINDING, Ask, Finding, Row, TableState, Trouble, phase_after
from tableref.rules.explain import Answer, Explainable, Put
from tableref.rules.pieces import Piece
from tableref.rules.surface import Action, Fact
from tableref_vision.dice.seen import SeenDie

OPEN = "open"
"""Key of a row's data under which this stands; nothing of it is told."""


def ask_record(ask: Ask) -> dict[str, Any]:
    """What the row of a question keeps besides its words; nothing where those are all."""
    record: dict[str, Any] = {}
    if ask.answers:
        record["answers"] = [[act.record() for act in answer.actions] for answer in ask.answers]
    if ask.options:
        record["options"] = list(ask.options)
    if ask.die is not None:
        record["die"] = asdict(ask.die)
    return {OPEN: record} if record else {}


def trouble_record(trouble: Trouble) -> dict[str, Any]:
    """What the row of a refusal, or of a half-done move, keeps besides its words."""
    record: dict[str, Any] = {
        "piece": trouble.piece,
        "put": [_put_record(put) for put in trouble.put],
        "expected": [_put_record(put) for put in trouble.expected],
    }
    if trouble.refused is not None:
        record["refused"] = trouble.refused.record()
    return {OPEN: record}


def reopened(game: Explainable[Any], state: TableState, row: Row) -> TableState:
    """The state after the row of a question, a refusal or a half-done move: that is open again."""
    data, kept = row.data, row.data.get(OPEN, {})
    state = state._replace(told=data["key"], asked=state.rows, trouble=None, ask=None)
    if row.kind == "question":
        finding = Finding.SENSORS if data["question"] in SENSOR_DOUBTS else Finding.UNCLEAR
        if "answers" in kept:
            finding = Finding.SEVERAL
        values = {k: v for k, v in data.items() if k not in ("key", "question", "frame", OPEN)}
        answers = tuple(_answer(game, state, actions) for actions in kept.get("answers", ()))
        die = _die(kept["die"]) if "die" in kept else None
        options = tuple(kept.get("options", ()))
        ask = Ask(data["question"], values, answers, options, die, state.asked)
        state = state._replace(ask=ask)
    elif row.kind == "trouble":
        finding = Finding.WRONG
        state = state._replace(trouble=_trouble(game, row)._replace(number=state.asked))
    else:
        finding = Finding.UNFINISHED
        put = data["put"][0]
        values = {"who": put["id"], "to": put["cell"], "other": put["heading"]}
        ask = Ask("unfinished", values, number=state.asked)
        state = state._replace(ask=ask, unfinished=_trouble(game, row) if kept else None)
    return state._replace(phase=phase_after(state.phase, finding), blinded=finding in BLINDING)


def _answer(game: Explainable[Any], state: TableState, records: Iterable[Any]) -> Answer:
    actions: list[Action] = [game.read(record) for record in records]
    after = state.table.state
    for action in actions:
        after = game.apply(after, action)[0]
    return Answer(tuple(actions), after)


def _trouble(game: Explainable[Any], row: Row) -> Trouble:
    """The trouble of a row; of an older row what is known of it."""
    data, kept = row.data, row.data.get(OPEN, {})
    facts = tuple(Fact(**fact) for fact in data["facts"])
    if not kept:
        return Trouble(data["car"], facts, (), stands=tuple(data["stands"]))
    puts, expected = (tuple(map(_put, kept[key])) for key in ("put", "expected"))
    refused = game.read(kept["refused"]) if "refused" in kept else None
    return Trouble(kept["piece"], facts, puts, expected, tuple(data.get("stands", ())), refused)


def _put_record(put: Put) -> list[Any]:
    return [None if put.piece is None else list(put.piece), put.start, put.to]


def _put(record: list[Any]) -> Put:
    piece, start, to = record
    return Put(None if piece is None else Piece(*piece), start, to)


def _die(record: dict[str, Any]) -> SeenDie:
    box, place = tuple(record["box"]), record["place"]
    return SeenDie(**{**record, "box": box, "place": None if place is None else tuple(place)})
