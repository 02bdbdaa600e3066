"""What is asked where several moves fit: the question whose answers leave fewest, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from tableref.referee.table import AWAITED, Ask, TableState
from tableref.rules.defaults import TableGame, open_actions
from tableref.rules.explain import Answer, Put, best_question, put_back, sighting_of
from tableref.rules.pieces import EMPTY, Piece, Stack
from tableref.rules.surface import Fact, RulesError

MOST_LISTED = 4
"""Ways that are listed as they are; of more a cell is asked about."""
MOST_PAGES = 12
"""Moves that are listed for somebody who enters one; of more he first says from where."""
MOST_ENTERED = 600
"""Moves among which somebody may choose by buttons; of more he types one."""
ENTERED = "which-move"
"""The question which move somebody makes."""
FROM = "from"
"""Instead of a cell that is asked about: from where a piece moves."""


def unreadable(why: RulesError) -> Ask:
    """That what somebody said cannot be used; why, and beside it the parts of that, from which
    another language says it."""
    parts = {f"why-{key}": str(value) for key, value in why.values.items()}
    return Ask("unreadable", {"what": str(why), "why": why.message, **parts})


def why_unreadable(values: Mapping[str, Any]) -> RulesError:
    """What `unreadable` was asked for, from its values."""
    parts = {key.removeprefix("why-"): v for key, v in values.items() if key.startswith("why-")}
    return RulesError(str(values.get("why", values["what"])), **parts)


class Choice(NamedTuple):
    """One choice of a question: the answers that it leaves, what stands on the cell that is asked
    about (None: it is not about a cell), and how the board changes by it; `start`: only from where
    a piece moves; `over`: the cells on its way, where that is all that may be told."""

    answers: tuple[Answer, ...]
    stack: Stack | None
    puts: tuple[Put, ...]
    facts: tuple[Fact, ...] = ()
    start: bool = False
    over: tuple[str, ...] = ()


def choices(game: TableGame[Any], state: Any, ask: Ask) -> tuple[Choice, ...]:
    """The choices of a question about moves, in the order in which they are numbered."""
    before = game.board(state)
    if not ask.about:
        listed = [
            secret_way(game, state, answer, ask)
            or Choice((answer,), None, moved(before, game.board(answer.state)))
            for answer in ask.answers
        ]
        alike = [one.puts for one in listed]
        told = tuple(
            one._replace(facts=_facts(game, state, one.answers[0]))
            if not one.over and (not one.puts or alike.count(one.puts) > 1)
            else one
            for one in listed
        )
        # What happens whichever it was tells nothing apart.
        common = set.intersection(*(set(one.facts) for one in told)) if len(told) > 1 else set()
        return tuple(
            one._replace(facts=tuple(fact for fact in one.facts if fact not in common))
            for one in told
        )
    groups: dict[Any, list[Answer]] = {}
    for answer in ask.answers:
        board = game.board(answer.state)
        if hidden := secret_way(game, state, answer, ask):
            [put] = hidden.puts
            groups.setdefault((put.piece, put.start), []).append(answer)
        elif ask.about == FROM:
            groups.setdefault(_start(before, moved(before, board)), []).append(answer)
        else:
            groups.setdefault(board.get(ask.about, EMPTY), []).append(answer)
    if ask.about == FROM:
        return tuple(
            Choice(tuple(group), None, (Put(piece, cell, cell),) if piece else (), (), bool(piece))
            for (piece, cell), group in groups.items()
        )
    return tuple(Choice(tuple(group), stack, ()) for stack, group in groups.items())


def secret_way(game: TableGame[Any], state: Any, answer: Answer, ask: Ask) -> Choice | None:
    """An answer that somebody has yet to do, and that would show what is hidden: it is told by its
    way alone, for what it leads to would tell the rest."""
    action = answer.actions[0]
    if not is_ahead(ask) or not game.reveals(state, action):
        return None
    way = game.public_way(action)
    if not way:
        return None
    piece = game.board(state)[way[0]][-1]
    return Choice((answer,), None, (Put(piece, way[0], way[-1]),), over=way[1:-1])


def is_ahead(ask: Ask) -> bool:
    """Whether a question offers what may be done from here on, not what was done."""
    return ask.key == ENTERED or ask.key in AWAITED


def _start(before: Mapping[str, Stack], puts: Sequence[Put]) -> tuple[Piece | None, str]:
    """The piece that moves first among these puts, as it stood, and where; one that comes onto the
    board stood nowhere. None where nothing moves."""
    if not puts:
        return None, ""
    stood = [put for put in puts if put.start]
    if not stood:
        return puts[0].piece, ""
    cell = stood[0].start
    return before[cell][-1], cell


def moved(before: Mapping[str, Stack], after: Mapping[str, Stack]) -> tuple[Put, ...]:
    """What goes where between two boards."""
    if before == after:
        return ()
    return put_back(after, sighting_of(before, {*before, *after}))


def which(game: TableGame[Any], answers: Sequence[Answer]) -> Ask:
    """The question which of these was done; with one answer, whether it was."""
    if len(answers) == 1:
        return Ask("confirm", {}, tuple(answers))
    if len(answers) > MOST_LISTED and (question := best_question(game, answers)).cell:
        values = {"to": question.cell}
        return Ask("what-stands", values, tuple(answers), about=question.cell)
    return Ask("several", {}, tuple(answers))


def asked_before(state: TableState) -> Ask | None:
    """The question that is open, where all that may have been done goes on from its answers: it is
    asked once."""
    ask = state.ask
    if ask is None or not ask.answers or ask.awaited or ask.die is not None:
        return None
    told = [answer.actions for answer in ask.answers]
    goes_on = (
        any(way.actions[: len(actions)] == actions for actions in told) for way in state.supposed
    )
    return ask if all(goes_on) else None


def entered(game: TableGame[Any], state: Any, who: str) -> Ask:
    """The question which move somebody makes, where no sense tells it."""
    actions = list(islice(open_actions(game, state), MOST_ENTERED + 1))
    if len(actions) > MOST_ENTERED:
        return Ask(ENTERED, {"who": who})
    known = game.public(state)
    answers = tuple(Answer((shown,), game.apply(known, action)[0]) for shown, action in actions)
    ask = narrowed(ENTERED, {"who": who}, answers)
    if ask.about and len(choices(game, state, ask)) == 1:  # all come from one place
        return ask._replace(about="")
    return ask


def offered(game: TableGame[Any], state: Any) -> Ask | None:
    """What people may tell while the next piece is awaited; None where there is nothing."""
    answers = tuple(
        Answer((action,), game.apply(state, action)[0]) for action in game.offered(state)
    )
    if not answers:
        return None
    due, names = game.due(state), game.players(state)
    who = due.piece or ", ".join(names[player] for player in due.players)
    return Ask("next", {"who": who}, answers, paragraph=game.awaits(state).paragraph)


def narrowed(key: str, values: Mapping[str, str], answers: tuple[Answer, ...]) -> Ask:
    """The question among these; where they are many, from where first."""
    return Ask(key, values, answers, about=FROM if len(answers) > MOST_PAGES else "")


def _facts(game: TableGame[Any], state: Any, answer: Answer) -> tuple[Fact, ...]:
    found: list[Fact] = []
    for action in answer.actions:
        if game.judge(state, action).broken:
            break  # something follows by itself in between
        state, facts = game.apply(state, action)
        found += () if game.secret(action) else facts
    return tuple(found)
