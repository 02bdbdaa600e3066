"""What is open at the table, a question or a refusal, as its row keeps it and as it is open again
after a resume: answers still reach the question, and what was refused can still be let stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from tableref.referee.asking import ENTERED, Choice, choices, entered
from tableref.referee.evidence import SENSOR_DOUBTS
from tableref.referee.table import BLINDING, Ask, Finding, Row, TableState, Trouble
from tableref.rules.defaults import TableGame
from tableref.rules.explain import Answer, Put
from tableref.rules.pieces import Piece, text_of
from tableref.rules.surface import Action, Fact
from tableref_vision.dice.seen import SeenDie

OPEN = "open"
"""Key of a row's data under which this stands; nothing of it is told."""

NO_VALUES = ("key", "question", "frame", "choices", OPEN)
"""What the row of a question holds beside the values that fill in its words."""


def ask_record(game: TableGame[Any], state: TableState) -> dict[str, Any]:
    """What the row of the question keeps besides its words: its choices as they are told, and what
    it is made of. Nothing where its words are all."""
    ask = state.ask
    assert ask is not None
    record: dict[str, Any] = {}
    told: dict[str, Any] = {}
    if ask.answers:
        record["answers"] = [[act.record() for act in answer.actions] for answer in ask.answers]
        told["choices"] = [
            _choice_record(choice) for choice in choices(game, state.table.state, ask)
        ]
    if ask.about:
        record["about"] = ask.about
    if ask.options:
        record["options"] = list(ask.options)
    if ask.die is not None:
        record["die"] = asdict(ask.die)
    return told | ({OPEN: record} if record else {})


def _choice_record(choice: Choice) -> dict[str, Any]:
    """A choice as it is told: what stands on the cell that is asked about, or what goes where."""
    if choice.stack is not None:
        return {"stands": text_of(choice.stack)}
    facts = [fact._asdict() for fact in choice.facts]
    record: dict[str, Any] = {"puts": [_put_record(put) for put in choice.puts], "facts": facts}
    if choice.over:
        record["over"] = list(choice.over)
    return record | ({"start": True} if choice.start else {})


def _put_record(put: Put) -> list[Any]:
    return [put.piece and list(put.piece), put.start, put.to]


def put_of(record: list[Any]) -> Put:
    """The put of this record; of an older one, whose piece was a text, without its piece."""
    piece, start, to = record
    return Put(Piece(*piece) if isinstance(piece, list) else None, start, to)


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


def keep_blinded(
    data: dict[str, Any], state: TableState, finding: Finding = Finding.SEVERAL
) -> None:
    """Has a row, of such a finding, say that something may have happened unseen."""
    if state.blinded or state.hands > 1 or finding in BLINDING:
        data[OPEN] = data.get(OPEN, {}) | {"blinded": True}


def keep_beside(data: dict[str, Any], beside: bool) -> None:
    """Has a row say that it is of something beside the board."""
    if beside:
        data[OPEN] = data.get(OPEN, {}) | {"beside": True}


Lead = Callable[[TableState, tuple[Action, ...]], Any]
"""The game's state after these actions and what follows each by itself."""


def reopened(game: TableGame[Any], state: TableState, row: Row, lead: Lead) -> TableState:
    """The state after the row of a question, a refusal or a half-done move: that is open again."""
    data, kept = row.data, row.data.get(OPEN, {})
    state = state._replace(told=data["key"], asked=state.rows, trouble=None, ask=None)
    if row.kind == "question":
        finding = Finding.SENSORS if data["question"] in SENSOR_DOUBTS else Finding.UNCLEAR
        if "answers" in kept:
            finding = Finding.SEVERAL
        values = {
            k: v for k, v in data.items() if k not in ("key", "question", "frame", "choices", OPEN)
        }
        answers = _answers(game, state, data["question"], kept.get("answers", ()), lead)
        die = _die(kept["die"]) if "die" in kept else None
        options = tuple(kept.get("options", ()))
        about = kept.get("about", "")
        ask = Ask(data["question"], values, answers, options, die, state.asked, about)
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
    state = state._replace(blinded=state.blinded or kept.get("blinded", False))
    state = state.open_is_beside() if kept.get("beside") else state
    return state.after(finding)


def supposed_again(
    game: TableGame[Any], state: TableState, row: Row, lead: Lead
) -> tuple[Answer, ...]:
    """What may have been done, of the row that says so."""
    return tuple(_answer(game, state, one, lead) for one in row.data["ways"])


def _answers(
    game: TableGame[Any], state: TableState, key: str, records: Iterable[Any], lead: Lead
) -> tuple[Answer, ...]:
    """The answers of a question. What was offered may not be legal: hidden pieces decide that."""
    inner = state.table.state
    offered = entered(game, inner, "").answers if key == ENTERED else ()
    known = {one.actions: one for one in offered}
    found = (tuple(map(game.read, told)) for told in records)
    return tuple(known.get(made) or Answer(made, lead(state, made)) for made in found)


def _answer(game: TableGame[Any], state: TableState, records: Iterable[Any], lead: Lead) -> Answer:
    actions = tuple(game.read(record) for record in records)
    return Answer(actions, lead(state, actions))


def _trouble(game: TableGame[Any], row: Row) -> Trouble:
    """The trouble of a row; of an older row what is known of it."""
    data, kept = row.data, row.data.get(OPEN, {})
    facts = tuple(Fact(**fact) for fact in data["facts"])
    if not kept:
        piece = data["key"].partition(" [")[0]  # the key of a trouble begins with it
        return Trouble(piece, facts, (), stands=tuple(data["stands"]))
    puts, expected = (tuple(map(put_of, kept[key])) for key in ("put", "expected"))
    refused = game.read(kept["refused"]) if "refused" in kept else None
    return Trouble(kept["piece"], facts, puts, expected, tuple(data.get("stands", ())), refused)


def _die(record: dict[str, Any]) -> SeenDie:
    box, place = tuple(record["box"]), record["place"]
    return SeenDie(**{**record, "box": box, "place": None if place is None else tuple(place)})
