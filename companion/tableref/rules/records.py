"""Records of games, `table-record/1`: reading, replaying, comparing, and writing them from a log.

A step has `do` (legal actions, then `expect` must hold) or `attempt` (one action that must be
refused by one of `expect.refused`, leaving everything as it was). What comes next by itself and
leaves nobody a choice (`Game.forced`) is not written down, but for steps that are `by_hand`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

from tableref.rules.house import HouseAction, TakeBack
from tableref.rules.log import House, Table
from tableref.rules.surface import Action, Fact, Game, Record, Refused, RulesError

FORMAT = "table-record/1"

_DAMAGED = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
"""What plain data of the wrong kind may raise deep inside a game."""
_LONGEST = 80
"""Characters of a value that a message quotes."""


class RecordError(RulesError):
    """A record cannot be read; the message says which step and what is wrong."""


@runtime_checkable
class RunsAlone(Protocol):
    """A game of which one piece's turn can be run alone (`run_only`)."""

    def alone(self, state: Any, piece: str) -> Any:
        """The state in which only this piece is still to move. SetupError"""
        ...


class StepReplayed(NamedTuple):
    """One step of a record: the table after it, what happened, the refusal of an attempt, and
    where it differs from what the record expects (empty: nowhere)."""

    number: int
    table: Table
    facts: tuple[Fact, ...]
    refused: tuple[str, ...] | None
    mismatch: str

    @property
    def state(self) -> Any:
        """The game's state after the step."""
        return self.table.state


class Logged(NamedTuple):
    """An action of a game's log, and whether it followed by itself (HR-2.1)."""

    action: Action | HouseAction
    followed: bool = False


class Course:
    """A table going on: applies actions, and what follows by itself, keeping all that happened."""

    def __init__(self, house: House, table: Table) -> None:
        self._house = house
        self.table = table
        self.facts: list[Fact] = []
        self.done: list[Logged] = []

    def act(self, action: Action | HouseAction, followed: bool = False) -> None:
        """Applies one action; `followed`: nobody chose it. Refused where it is not legal."""
        self.table, facts = self._house.apply(self.table, action, None, followed)
        self.facts.extend(facts)
        self.done.append(Logged(action, followed))

    def settle(self, closing: bool = False) -> None:
        """Applies what comes next by itself until somebody has a choice (`Game.forced`)."""
        while not self._house.outcome(self.table):
            action = self._house.game.forced(self.table.state, closing)
            if action is None:
                return
            self.act(action, followed=True)


# -- reading -----------------------------------------------------------------------------------


def read_record(text: str) -> dict[str, Any]:
    """The JSON object of a record that comes with Tableref. RecordError where it is none."""
    try:
        record = json.loads(text)
    except ValueError as error:
        raise RecordError(f"not readable as JSON: {error}") from error
    except RecursionError:
        raise RecordError("not readable as JSON: nested too deep") from None
    return as_record(record)


def as_record(record: object) -> dict[str, Any]:
    """The record that a JSON file holds. RecordError where it is none."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RecordError(f"not a record: expected an object with format {FORMAT!r}")
    for key, whole in (("game", str), ("steps", list)):
        if not isinstance(record.get(key), whole):
            raise RecordError(f"not a whole record: {key!r} is missing or of another kind")
    for key, empty, name in (
        ("setup", {}, "an object"),
        ("position", {}, "an object"),
        ("rules_version", "", "a text"),
    ):
        if not isinstance(record.get(key, empty), type(empty)):
            raise RecordError(f"{key}: expected {name}, found {shown(record[key])}")
    return record


def replay(game: Game[Any], record: Record) -> Iterator[StepReplayed]:
    """Plays a record step by step. RecordError names the step that cannot be played."""
    house = House(game)
    table = _start(house, record)
    for number, step in enumerate(record["steps"], 1):
        try:
            replayed = _play(house, table, number, step)
        except RulesError as error:
            raise RecordError(f"step {number}: {error}") from error
        except _DAMAGED as error:
            raise RecordError(f"step {number}: damaged: {shown(error)}") from error
        yield replayed
        table = replayed.table


def _start(house: House, record: Record) -> Table:
    try:
        return house.start(record.get("setup", {}), record.get("position"))
    except RulesError as error:
        raise RecordError(f"start: {error}") from error
    except _DAMAGED as error:
        raise RecordError(f"start: damaged: {shown(error)}") from error


def _play(house: House, table: Table, number: int, step: Any) -> StepReplayed:
    if not isinstance(step, dict) or ("do" in step) == ("attempt" in step):
        raise RecordError("expected either `do` or `attempt`")
    expect = step.get("expect", {})
    if not isinstance(expect, dict):
        raise RecordError(f"expect: expected an object, found {shown(expect)}")
    wrong = _wrong_before(house, table, step)
    if "attempt" in step:
        refused = _attempt(house, table, step["attempt"])
        wrong = wrong or _compare_refusal(refused, expect.get("refused"))
        return StepReplayed(number, table, (), refused, wrong)
    course = Course(house, table)
    refusal = _do(house, course, step)
    wrong = wrong or refusal or compare(house.facts(course.table), expect)
    return StepReplayed(number, course.table, tuple(course.facts), None, wrong)


def _wrong_before(house: House, table: Table, step: Record) -> str:
    if "player" not in step:
        return ""
    due, names = house.game.due(table.state).players, house.game.players(table.state)
    player = step["player"]
    if (names.index(player) if player in names else player) in due:
        return ""
    return f"expected {shown(player)} to act, found {', '.join(names[i] for i in due) or 'nobody'}"


def _attempt(house: House, table: Table, record: Record) -> tuple[str, ...]:
    """Paragraphs that refuse an action; empty where it is allowed."""
    try:
        house.apply(table, house.read(record))
    except Refused as refused:
        return refused.ruling.paragraphs
    return ()


def _compare_refusal(refused: tuple[str, ...], expected: Any) -> str:
    if not isinstance(expected, list) or not all(isinstance(id, str) for id in expected):
        raise RecordError(f"expect.refused: expected paragraphs, found {shown(expected)}")
    if set(refused) & set(expected):
        return ""
    found = f"found {', '.join(refused)}" if refused else "found that it is allowed"
    return f"expected a refusal by {shown(' or '.join(expected))}, {found}"


def _do(house: House, course: Course, step: Record) -> str:
    """Carries out a step; the refusal of an action (then the rest is not done), or nothing."""
    records, run_only = step["do"], step.get("run_only")
    if not isinstance(records, list):
        raise RecordError(f"do: expected a list of actions, found {shown(records)}")
    by_itself = run_only is None and step.get("by_hand") is not True
    for record in records:
        action = house.read(record)
        if by_itself and isinstance(record, dict) and "restart" in record:
            course.settle(closing=True)
        try:
            course.act(action, step.get("followed") is True)
        except Refused as refused:
            by = ", ".join(refused.ruling.paragraphs)
            return f"expected {shown(record)} to be legal, found it refused by {by}"
        if by_itself:
            course.settle()
    if run_only is not None:
        if not isinstance(house.game, RunsAlone):
            raise RecordError(f"run_only: not known in {house.game.name}")
        now = course.table.now
        course.table = Table(now._replace(state=house.game.alone(now.state, run_only)))
        course.settle()
    elif by_itself:
        course.settle(closing=True)
    return ""


def compare(found: Any, expected: Any, where: str = "") -> str:
    """Where `found` differs from what is expected, or an empty text.

    Only the named keys are checked; a list may be named by index, as `chips` are. `pieces` names
    every piece: what is not there must not be on the board.
    """
    if isinstance(expected, dict):
        if where == "pieces" and isinstance(found, dict) and set(found) - set(expected):
            extra = sorted(set(found) - set(expected))[0]
            return f"pieces.{extra}: expected nothing, found {shown(found[extra])}"
        for key, value in expected.items():
            place = f"{where}.{key}" if where else key
            if isinstance(found, dict) and (key in found or (where and value is None)):
                inner = found.get(key)
            elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
                inner = found[int(key)]
            else:
                return f"{shown(place)}: expected {shown(value)}, found nothing"
            if different := compare(inner, value, place):
                return different
        return ""
    # True == 1 in Python, but not in a record.
    if type(found) is not type(expected) or found != expected:
        return f"{where}: expected {shown(expected)}, found {shown(found)}"
    return ""


def shown(value: object) -> str:
    """A value in a message of one line: quoted, and cut where it is long."""
    try:
        text = repr(value)
    except RecursionError:
        return "something nested too deep"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


# -- writing -----------------------------------------------------------------------------------


def _same(done: list[Logged], log: list[Logged], goes_back: bool) -> bool:
    """Whether a log begins with what was done. What followed by itself matters only where
    something is taken back."""
    if len(done) > len(log):
        return False
    pairs = list(zip(done, log, strict=False))
    return all(mine.action == theirs.action for mine, theirs in pairs) and (
        not goes_back or all(mine == theirs for mine, theirs in pairs)
    )


def write_record(
    game: Game[Any],
    setup: Record,
    log: Iterable[Logged],
    position: Record | None = None,
    note: str = "",
) -> dict[str, Any]:
    """The record of a game: its log, each action with what it changed, the last with everything.

    `log` are the actions in order as they were carried out, those of the house and those that
    came by themselves among them; the latter are left out where a replay does them. Refused
    """
    house, steps, log = House(game), [], list(log)
    table = house.start(setup, position)
    told: dict[str, Any] = {}
    goes_back = any(isinstance(action, TakeBack) for action, _ in log)
    while log:
        action, followed = log[0]
        step: dict[str, Any] = {"do": [action.record()]}
        if followed:
            step["followed"] = True
        course = Course(house, table)
        if _do(house, course, step) or not _same(course.done, log, goes_back):
            # Somebody stepped in: a correction between two moves, or a move taken back.
            step["by_hand"] = True
            course = Course(house, table)
            course.act(action, followed)
        table, log = course.table, log[len(course.done) :]
        before, told = told, json.loads(json.dumps(house.facts(table)))
        step["expect"] = {k: v for k, v in told.items() if not log or v != before.get(k)}
        steps.append(step)
    record = {
        "format": FORMAT,
        "game": game.name,
        "rules_version": game.rules_version,
        "note": note,
        "setup": dict(setup),
        "position": position,
        "steps": steps,
    }
    return {key: value for key, value in record.items() if value is not None}
