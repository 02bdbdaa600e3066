"""Records of games, `table-record/1`: reading, replaying, comparing with what they expect.

A step has `do` (legal actions, then `expect` must hold) or `attempt` (one action that must be
refused by one of `expect.refused`, leaving everything as it was).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tableref.rules.surface import Action, Fact, Game, Record, Refused, RulesError

FORMAT = "table-record/1"


class RecordError(RulesError):
    """A record cannot be read; the message says which step and what is wrong."""


class StepReplayed(NamedTuple):
    """One step of a record: the state after it, what happened, the refusal of an attempt, and
    where it differs from what the record expects (empty: nowhere)."""

    number: int
    state: Any
    facts: tuple[Fact, ...]
    refused: tuple[str, ...] | None
    mismatch: str


def read_record(text: str) -> dict[str, Any]:
    """The JSON object of a record. RecordError where it is none."""
    try:
        record = json.loads(text)
    except ValueError as error:
        raise RecordError(f"not readable as JSON: {error}") from error
    except RecursionError:
        raise RecordError("not readable as JSON: nested too deep") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise RecordError(f"not a record: expected an object with format {FORMAT!r}")
    for key, kind in (("game", str), ("steps", list)):
        if not isinstance(record.get(key), kind):
            raise RecordError(f"not a whole record: {key!r} is missing or of another kind")
    for key in ("setup", "position"):
        if not isinstance(record.get(key, {}), dict):
            raise RecordError(f"{key}: expected an object, found {record[key]!r}")
    return record


def replay(game: Game[Any], record: Record) -> Iterator[StepReplayed]:
    """Plays a record step by step. RecordError names the step that cannot be played."""
    state = first_state(game, record)
    for number, step in enumerate(record["steps"], 1):
        try:
            replayed = _play(game, state, number, step)
        except RulesError as error:
            raise RecordError(f"step {number}: {error}") from error
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise RecordError(f"step {number}: damaged: {error!r}") from error
        yield replayed
        state = replayed.state


def first_state(game: Game[Any], record: Record) -> Any:
    """The state that a record starts from. RecordError"""
    setup = record.get("setup", {})
    try:
        if "position" in record:
            return game.from_position(setup, record["position"])
        return game.start(setup)
    except RulesError as error:
        raise RecordError(f"start: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise RecordError(f"start: damaged: {error!r}") from error


def _play(game: Game[Any], state: Any, number: int, step: Any) -> StepReplayed:
    if not isinstance(step, dict) or ("do" in step) == ("attempt" in step):
        raise RecordError("expected either `do` or `attempt`")
    expect = step.get("expect", {})
    if not isinstance(expect, dict):
        raise RecordError(f"expect: expected an object, found {expect!r}")
    wrong = _wrong_before(game, state, step)
    if "attempt" in step:
        refused = _attempt(game, state, step["attempt"])
        accepted = expect.get("refused", [])
        if not refused:
            wrong = wrong or f"expected a refusal by {' or '.join(accepted)}, it was allowed"
        elif not set(refused) & set(accepted):
            wrong = wrong or f"expected a refusal by {accepted}, found {list(refused)}"
        return StepReplayed(number, state, (), refused, wrong)
    state, facts, refusal = _do(game, state, step)
    wrong = wrong or refusal or compare(game.facts(state), expect)
    return StepReplayed(number, state, facts, None, wrong)


def _wrong_before(game: Game[Any], state: Any, step: Record) -> str:
    if "player" not in step:
        return ""
    due, names = game.due(state).players, game.players(state)
    player = step["player"]
    index = names.index(player) if player in names else player
    if index in due:
        return ""
    return f"expected {player} to act, found {', '.join(names[i] for i in due) or 'nobody'}"


def _attempt(game: Game[Any], state: Any, record: Record) -> tuple[str, ...]:
    """Paragraphs that refuse an action; empty where it is allowed."""
    action = game.read(record)
    try:
        game.apply(state, action)
    except Refused as refused:
        return refused.ruling.paragraphs
    return ()


def _do(game: Game[Any], state: Any, step: Record) -> tuple[Any, tuple[Fact, ...], str]:
    """State, events, and which action was refused (then the rest is not done)."""
    course = Course(game, state)
    run_only = step.get("run_only")
    for record in step["do"]:
        action = game.read(record)
        if "restart" in record:
            course.settle(closing=True)
        try:
            course.act(action)
        except Refused as refused:
            text, by = game.text(course.state, action), list(refused.ruling.paragraphs)
            return course.state, tuple(course.facts), f"{text} was refused by {by}"
        if run_only is None:
            course.settle()
    if run_only is not None:
        alone: Callable[[Any, str], Any] | None = getattr(game, "alone", None)
        if alone is None:
            raise RecordError(f"run_only: not known in {game.name}")
        course.state = alone(course.state, run_only)
    course.settle(closing=run_only is None)
    return course.state, tuple(course.facts), ""


class Course:
    """A state going on: applies actions, and what follows by itself, keeping all that happened."""

    def __init__(self, game: Game[Any], state: Any) -> None:
        self._game = game
        self.state = state
        self.facts: list[Fact] = []

    def act(self, action: Action) -> None:
        """Applies one action. Refused where it is not legal."""
        self.state, facts = self._game.apply(self.state, action)
        self.facts.extend(facts)

    def settle(self, closing: bool = False) -> None:
        """Applies what comes next by itself until somebody has a choice (`Game.forced`)."""
        while (action := self._game.forced(self.state, closing)) is not None:
            self.act(action)


def compare(found: Any, expected: Any, where: str = "") -> str:
    """Where `found` differs from what is expected, or an empty text.

    Only the named keys are checked; a list may be named by index, as `chips` are. `pieces` names
    every piece: what is not there must not be on the board.
    """
    if isinstance(expected, dict):
        if where == "pieces" and isinstance(found, dict) and set(found) - set(expected):
            extra = sorted(set(found) - set(expected))[0]
            return f"pieces.{extra}: expected nothing, found {found[extra]!r}"
        for key, value in expected.items():
            place = f"{where}.{key}" if where else key
            if isinstance(found, dict):
                inner = found.get(key)
            elif isinstance(found, list) and key.isdigit() and int(key) < len(found):
                inner = found[int(key)]
            else:
                return f"{place}: expected {value!r}, found nothing"
            if different := compare(inner, value, place):
                return different
        return ""
    # True == 1 in Python, but not in a record.
    if type(found) is not type(expected) or found != expected:
        return f"{where}: expected {expected!r}, found {found!r}"
    return ""
