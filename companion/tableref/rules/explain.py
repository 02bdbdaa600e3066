"""Explaining what is seen: which legal actions lead from a state to a board as it now looks.

One answer is accepted; several call for a question; none is a refusal: the nearest illegal action
with its ruling, and what to put where, so that the board is as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from tableref.rules.pieces import EMPTY, Piece, Stack, text_of
from tableref.rules.surface import Action, Game, Ruling


class Sighting(NamedTuple):
    """What may stand on the board now.

    `cells`: cell -> the stacks of which one is true, EMPTY among them; a cell that is missing may
    hold anything.
    """

    cells: Mapping[str, frozenset[Stack]]

    def allows(self, board: Mapping[str, Stack]) -> bool:
        """Whether the board may be this one."""
        return all(board.get(cell, EMPTY) in may for cell, may in self.cells.items())

    def certain(self, cell: str, stack: Stack) -> bool:
        """Whether it is seen that just this stands there."""
        return self.cells.get(cell) == frozenset((stack,))

    def shown(self, cell: str) -> frozenset[Piece]:
        """The pieces of which it is seen that they stand there, whatever may lie under them."""
        may = [frozenset(stack) for stack in self.cells.get(cell, ())]
        return frozenset.intersection(*may) if may else frozenset()


def sighting_of(
    board: Mapping[str, Stack], cells: Iterable[str], unknown: Iterable[str] = ()
) -> Sighting:
    """The sighting of an eye that sees all cells but the unknown ones, without any doubt."""
    blind = set(unknown)
    return Sighting({c: frozenset((board.get(c, EMPTY),)) for c in cells if c not in blind})


class Answer(NamedTuple):
    """Legal actions that lead to what is seen, and the state after them."""

    actions: tuple[Action, ...]
    state: Any


class Put(NamedTuple):
    """Put `piece` to the cell `to` (empty: off the board); it stands on `start` (empty: unseen).
    Which piece it is is None where only a switch tells that something stands there."""

    piece: Piece | None
    start: str
    to: str


class Question(NamedTuple):
    """What to ask the players: what stands on `cell`, or with no cell, which of these was played.

    `choices` pairs each answer that can be given with the explanations that it leaves.
    """

    cell: str
    choices: tuple[tuple[str, tuple[Answer, ...]], ...]


class Nearest(NamedTuple):
    """The illegal action nearest to what is seen (None: no action resembles it), and its ruling."""

    action: Action | None
    ruling: Ruling


class SearchCut(Exception):
    """Raised by `ways` after the last way that it gives, where it has not looked at all of them."""


class Explanation(NamedTuple):
    """One answer: accept. Several: `question`. None: `nearest` and `put_back`. `cut`: there may be
    more, so that nothing is sure."""

    answers: tuple[Answer, ...]
    question: Question | None = None
    nearest: Nearest | None = None
    put_back: tuple[Put, ...] = ()
    cut: bool = False


MOST_TRIED = 400
"""Actions of which it is looked whether another one followed them unseen."""

S = TypeVar("S")


class Explainable(Game[S], Protocol[S]):
    """A game that can enumerate the ways to a sighting quickly."""

    def ways(
        self, state: S, sighting: Sighting, coming: Sequence[Action] = (), blinded: bool = False
    ) -> Iterator[tuple[tuple[Action, ...], S]]:
        """Legal actions from here, shortest first, after which the board may look like that.

        `blinded`: it was not seen all the time what happened, so that longer ways count too where
        shorter ones fit.

        `coming` are secret plots at hand that are entered as soon as they are due. What changes
        nothing on the board follows by itself (`unseen_move`), and is none of the actions.
        """
        ...

    def ending(self, action: Action) -> Hashable:
        """What players tell of an action beside the state that it leads to: two that lead to one
        state and end otherwise are two. None where that state says it all."""
        ...

    def unseen_move(self, state: S) -> Action | None:
        """The forced move that comes next, where it changes nothing on the board; else None."""
        ...

    def nearest(self, state: S, sighting: Sighting) -> Nearest:
        """The illegal action that comes nearest to what is seen, with its ruling."""
        ...


def explain(
    game: Explainable[Any],
    state: Any,
    sighting: Sighting,
    coming: Sequence[Action] = (),
    blinded: bool = False,
) -> Explanation:
    """What was done, going by what is seen. Of ways to the same state that end alike the shortest
    is the answer.

    `coming` are secret plots at hand, for rounds that may have begun unseen. `blinded`: something
    may have happened unseen, so longer ways are held against shorter ones, and where none fits, an
    action may have come before them.
    """
    found, cut = _gathered(game, game.ways(state, sighting, coming, blinded))
    if blinded and not found:
        found, cut_too = _gathered(game, _with_one_before(game, state, sighting, coming))
        cut = cut or cut_too
    if len(found) > 1:
        return Explanation(found, question=best_question(game, found), cut=cut)
    if found:
        return Explanation(found, cut=cut)
    return Explanation(
        (),
        nearest=game.nearest(state, sighting),
        put_back=put_back(game.board(state), sighting),
        cut=cut,
    )


def _gathered(
    game: Explainable[Any], ways: Iterator[tuple[tuple[Action, ...], Any]]
) -> tuple[tuple[Answer, ...], bool]:
    """The ways as answers, the shortest to each state of those that end alike; and whether the
    search was cut."""
    answers: dict[Any, Answer] = {}
    try:
        for actions, after in ways:
            key = after, tuple(filter(None, map(game.ending, actions)))
            known = answers.get(key)
            if known is None or len(actions) < len(known.actions):
                answers[key] = Answer(actions, after)
    except SearchCut:
        return tuple(answers.values()), True
    return tuple(answers.values()), False


def _with_one_before(
    game: Explainable[Any], state: Any, sighting: Sighting, coming: Sequence[Action]
) -> Iterator[tuple[tuple[Action, ...], Any]]:
    """Ways that go on from an action after which the board is nearer to what is seen. SearchCut"""

    def wrong(at: Any) -> int:
        board = game.board(at)
        return sum(board.get(cell, EMPTY) not in may for cell, may in sighting.cells.items())

    far = wrong(state)
    actions = list(islice(game.legal(state), MOST_TRIED + 1))
    for action in actions[:MOST_TRIED]:
        after, _ = game.apply(state, action)
        while (unseen := game.unseen_move(after)) is not None:
            after, _ = game.apply(after, unseen)
        if wrong(after) < far and game.outcome(after) is None:
            for more, ended in game.ways(after, sighting, coming, True):
                yield (action, *more), ended
    if len(actions) > MOST_TRIED:
        raise SearchCut


def best_question(game: Game[Any], answers: Sequence[Answer]) -> Question:
    """The question whose every answer leaves fewest: about a cell if that at least halves them,
    else which of the actions it was."""
    boards = [game.board(answer.state) for answer in answers]
    best: tuple[int, str] | None = None
    for cell in sorted({cell for board in boards for cell in board}):
        left = max(Counter(board.get(cell, EMPTY) for board in boards).values())
        if best is None or left < best[0]:
            best = left, cell
    if best and best[0] * 2 <= len(answers):
        groups: dict[Stack, list[Answer]] = {}
        for board, answer in zip(boards, answers, strict=True):
            groups.setdefault(board.get(best[1], EMPTY), []).append(answer)
        return Question(
            best[1], tuple((text_of(stack), tuple(group)) for stack, group in groups.items())
        )
    return Question("", tuple((str(number), (a,)) for number, a in enumerate(answers, 1)))


def put_back(board: Mapping[str, Stack], sighting: Sighting) -> tuple[Put, ...]:
    """The shortest list of what to put where, so that the board is `board` again.

    A piece that is seen on a wrong cell is told from there; one that is not seen, from nowhere.
    """
    missing: list[tuple[str, Piece]] = []
    strays: list[tuple[str, Piece | None, frozenset[Piece]]] = []
    for cell, may in sorted(sighting.cells.items()):
        stack = board.get(cell, EMPTY)
        if stack in may:
            continue
        seen = next(iter(may)) if len(may) == 1 else EMPTY
        missing += [(cell, piece) for piece in _without(stack, seen)]
        extra = _without(seen, stack)
        strays += [(cell, piece, frozenset((piece,))) for piece in extra]
        if not stack and len(may) > 1 and EMPTY not in may:
            strays.append((cell, None, frozenset(piece for one in may for piece in one)))
    puts = []
    for cell, piece in missing:
        stray = _stray_of(piece, cell, strays)
        if stray is not None:
            strays.remove(stray)
        puts.append(Put(piece, stray[0] if stray else "", cell))
    puts += [Put(piece, cell, "") for cell, piece, _ in strays]
    return tuple(puts)


def _without(stack: Stack, other: Stack) -> list[Piece]:
    """The pieces of a stack that are not in the other one."""
    left = list(other)
    rest = []
    for piece in stack:
        if piece in left:
            left.remove(piece)
        else:
            rest.append(piece)
    return rest


def _stray_of(
    piece: Piece, cell: str, strays: Sequence[tuple[str, Piece | None, frozenset[Piece]]]
) -> tuple[str, Piece | None, frozenset[Piece]] | None:
    """What stands wrong and is this piece, on its own cell (turned) first; else the one thing
    that may be it, of which nobody sees what it is. None: it is not seen."""
    near = sorted(strays, key=lambda stray: stray[0] != cell)
    for stray in near:
        if stray[1] == piece:
            return stray
    for stray in near:
        if stray[1] is not None and stray[1].same(piece):
            return stray
    unknown = [stray for stray in strays if stray[1] is None]
    if len(unknown) == 1 and any(other.same(piece) for other in unknown[0][2]):
        return unknown[0]
    return None
