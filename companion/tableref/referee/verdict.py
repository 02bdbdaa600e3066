"""The verdict: what was done since the board stood by the rules, going by what the senses say.

Every way that the rules allow is held against the evidence. One way that is seen to be done is
ruled; several call for a question; none is a refusal, unless something is still in the air, a move
is only half done, or the search had to be cut: then it is too early, or not sure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from typing import Any, Literal, NamedTuple

from tableref.referee.evidence import Evidence
from tableref.referee.senses.eye import STRANGE
from tableref.referee.senses.switches import Switches
from tableref.rules.defaults import TableGame
from tableref.rules.explain import (
    Answer,
    Nearest,
    Put,
    SearchCut,
    Sighting,
    explain,
    put_back,
)
from tableref.rules.pieces import EMPTY, Stack
from tableref.rules.surface import Action, Fact, Ruling

MOST_TRIED = 400
"""Actions of which it is looked whether they are half done; of more nobody is blamed at once."""

MOST_SUPPOSED = 40
"""Ways on cells that cannot be told which are kept in mind."""

Cells = frozenset[str]
Kind = Literal["as-it-was", "done", "several", "half", "not-sure", "wrong"]


class Verdict(NamedTuple):
    """What it comes to. "done": the one of `answers`; "several": one of them; "as-it-was": perhaps
    one of them, where something cannot be told. "wrong": `nearest` says why, `puts` leads back.
    "half": something is in the air, or a move is under way. `fewest`: what is done may have used up
    more than it is taken for."""

    kind: Kind
    answers: tuple[Answer, ...] = ()
    nearest: Nearest | None = None
    puts: tuple[Put, ...] = ()
    fewest: bool = False


Lead = Callable[[tuple[Action, ...]], Any]
"""The game's state after these actions, and what follows each by itself."""


class _Way(NamedTuple):
    """An answer, the state from which its last steps were seen, and how many of its actions those
    are; the others were done before, when nobody could tell."""

    answer: Answer
    since: Any
    actions: int


def judged(
    game: TableGame[Any],
    state: Any,
    evidence: Evidence,
    coming: Sequence[Action] = (),
    blinded: bool = False,
    supposed: Sequence[Answer] = (),
    lead: Lead | None = None,
) -> Verdict:
    """The verdict on what the eye sees. `supposed` is what may have been done before, where nobody
    has told which of it was: what is seen now may go on from each of these, and so settle it. Their
    states, and with `lead` those of all answers where there are several, are those after what
    follows by itself."""
    sighting = evidence.sighting
    if sighting.allows(game.board(state)):
        return Verdict("as-it-was", _perhaps(game, state, evidence, coming, supposed))
    found = explain(game, state, sighting, coming, blinded)
    ways, cut = _from_supposed(game, state, sighting, coming, blinded, supposed)
    answers = [_Way(answer, state, len(answer.actions)) for answer in found.answers]
    if lead is not None and len(answers) + len(ways) > 1:
        answers = [
            way._replace(answer=way.answer._replace(state=lead(way.answer.actions)))
            for way in answers
        ]
    ways = _different(game, (*ways, *answers))
    cut = cut or found.cut
    if ways:
        strange = any(doubt.kind == STRANGE for doubt in evidence.doubts)
        told = all(doubt.kind == STRANGE for doubt in evidence.doubts)
        plain = _uncovered(game, [way.answer for way in ways])
        kept = [way for way in ways if blinded or way.answer in plain]
        kept = kept if cut else _first_part(game, kept, sighting, lead)
        sure = len(kept) == 1 and not cut and _way_seen(game, kept[0], sighting, told)
        sure = sure and not (strange and _fewer(game, state, kept[0].answer))
        fewest = sure and any(game.covers(kept[0].answer, way.answer) for way in ways)
        answered = tuple(way.answer for way in kept)
        return Verdict("done" if sure else "several", answered, fewest=fewest)
    if cut:
        return Verdict("not-sure", puts=found.put_back)
    if supposed:
        boards = (game.board(one.state) for one in supposed)
        puts = min((put_back(board, sighting) for board in boards), key=len)
        return Verdict("not-sure", puts=puts)
    if blinded:
        return Verdict("not-sure", puts=found.put_back)
    return Verdict("wrong", (), found.nearest, found.put_back)


def _perhaps(
    game: TableGame[Any],
    state: Any,
    evidence: Evidence,
    coming: Sequence[Action],
    supposed: Sequence[Answer],
) -> tuple[Answer, ...]:
    """What may have been done though the board may be as it was: on a cell of which nothing can be
    told."""
    sighting = evidence.sighting
    still = {one.actions: one for one in supposed if sighting.allows(game.board(one.state))}
    if evidence.doubts:
        found = explain(game, state, sighting, coming)
        more = {answer.actions: answer for answer in found.answers}
        still = more | still if len(more) <= MOST_SUPPOSED and not found.cut else still
    return tuple(still.values())


def _from_supposed(
    game: TableGame[Any],
    state: Any,
    sighting: Sighting,
    coming: Sequence[Action],
    blinded: bool,
    supposed: Sequence[Answer],
) -> tuple[list[_Way], bool]:
    """What was supposed and still fits, or what goes on from it; and whether a search was cut."""
    ways, cut = [], False
    for before in supposed:
        if sighting.allows(game.board(before.state)):
            ways.append(_Way(before, state, len(before.actions)))
            continue
        further = explain(game, before.state, sighting, coming, blinded)
        cut = cut or further.cut
        for more in further.answers:
            answer = Answer((*before.actions, *more.actions), more.state)
            ways.append(_Way(answer, before.state, len(more.actions)))
    return ways, cut


def _different(game: TableGame[Any], ways: Iterable[_Way]) -> list[_Way]:
    """Of ways that lead to the same state and are not told apart, the first."""
    found: dict[Any, _Way] = {}
    for way in ways:
        endings = tuple(filter(None, map(game.ending, way.answer.actions)))
        found.setdefault((way.answer.state, endings), way)
    return list(found.values())


def _way_seen(game: TableGame[Any], way: _Way, sighting: Sighting, told: bool) -> bool:
    """Whether it is seen that this was done. Who makes the next move has seen the one before."""
    answer, since, count = way
    last = answer.actions[len(answer.actions) - count :]
    return changes_seen(game, since, Answer(last, answer.state), sighting, told)


def _fewer(game: TableGame[Any], state: Any, answer: Answer) -> bool:
    """Whether pieces leave the board by it: what lies there unknown may be one of them."""
    before, after = game.board(state), game.board(answer.state)
    return sum(map(len, after.values())) < sum(map(len, before.values()))


def _uncovered(game: TableGame[Any], answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers but for those that only used up more than another one: hands that were seen all
    the time are taken to have done no more than shows."""
    return tuple(one for one in answers if not any(game.covers(other, one) for other in answers))


def _first_part(
    game: TableGame[Any], ways: list[_Way], sighting: Sighting, lead: Lead | None
) -> list[_Way]:
    """The first of the ways alone, where all others go on from it by what will be seen once all
    cells are; else all of them."""
    if len(ways) < 2:
        return ways
    (first, *_), *others = ways
    board = game.board(first.state)
    if any(game.board(other.answer.state) == board for other in others):
        return ways
    try:
        further = [
            lead((*first.actions, *more)) if lead is not None else after
            for more, after in game.ways(first.state, sighting)
        ]
    except SearchCut:
        return ways
    return ways[:1] if all(other.answer.state in further for other in others) else ways


def changes_seen(
    game: TableGame[Any], state: Any, answer: Answer, sighting: Sighting, told: bool = True
) -> bool:
    """Whether every piece that the answer moves is seen where the answer puts it. Where just one
    action leads there, which piece it is need not be told of one that has surely come (`told`: nor
    is any piece doubted), nor what lies under or beside it; but one that comes onto a piece of its
    own look shows nothing new, and may as well be in a hand."""
    before, board = game.board(state), game.board(answer.state)
    changed = [cell for cell, stack in board.items() if before.get(cell, EMPTY) != stack]
    hidden = [cell for cell in changed if not sighting.certain(cell, board[cell])]
    if not hidden:
        return True
    less = {c for c in changed if not Counter(board[c]) - Counter(before.get(c, EMPTY))}
    arrived = {c for c in changed if sighting.shown(c) - {*before.get(c, EMPTY)}}
    if told:
        known = sighting.cells
        arrived |= {c for c in changed if c in known and before.get(c, EMPTY) not in known[c]}
    if not arrived or not all(c in arrived or (c in less and sighting.shown(c)) for c in hidden):
        return False
    return len(answer.actions) == 1 and _only_way(game, state, answer)


def _only_way(game: TableGame[Any], state: Any, answer: Answer) -> bool:
    """Whether no other action leads to the same state: of two, a board does not tell which."""
    actions = list(islice(game.legal(state), MOST_TRIED + 1))
    ways = {game.ending(a) for a in actions if game.apply(state, a)[0] == answer.state}
    return len(actions) <= MOST_TRIED and len(ways) == 1


# -- by switches alone ----------------------------------------------------------------------------


def felt(
    game: TableGame[Any],
    state: Any,
    evidence: Evidence,
    switches: Switches,
    patient: bool = True,
    coming: Sequence[Action] = (),
) -> Verdict:
    """The verdict on what only switches feel, which know neither kinds nor how many stand on a
    cell. A move is certain where just one leads there, every piece was felt to come down, and
    nothing of another move looks so halfway. A piece that left without coming down elsewhere may
    be in a hand, off the board, or on a cell that was taken before: the players confirm it. So they
    do where a piece was lifted that the move leaves alone, or may be felt twice: what came down may
    be that one.

    `patient`: a piece that is in the air for no move that fits may still be on its way.
    """
    sighting, board = evidence.sighting, game.board(state)
    silent = switches.silent
    held, stood = switches.occupied - silent, frozenset(board) - silent
    came = held - stood
    if held == stood:
        return Verdict("as-it-was")
    found = explain(game, state, sighting, coming)
    hashable: Any = game
    moves = _parted(hashable, state)
    mine = {answer.actions for answer in found.answers}
    halfway = moves is None or any(
        (action,) not in mine and held in (cells - silent for cells in ways)
        for action, ways in moves
    )
    if found.answers:
        answers = _uncovered(game, found.answers)
        fresh = came | (switches.touched & held)
        down = all(_came_down(board, game.board(a.state), fresh) for a in answers)
        lifted = switches.touched & stood & held
        sure = len(answers) == 1 and down and switches.watched and not found.cut
        sure = sure and not evidence.twice and lifted <= _handled(game, state, answers[0].actions)
        sure = sure and (moves is None or not halfway)
        fewest = sure and len(answers) < len(found.answers)
        return Verdict("done" if sure else "several", answers, fewest=fewest)
    if halfway and (moves is not None or patient):
        return Verdict("half")
    in_the_air = sum(map(len, board.values())) > len(held)
    if patient and in_the_air and not came:
        return Verdict("half")
    if found.cut:
        return Verdict("not-sure", puts=found.put_back)
    return Verdict("wrong", (), _plain_nearest(game, state, stood - held, came), found.put_back)


def _came_down(before: dict[str, Stack], after: dict[str, Stack], came: Cells) -> bool:
    """Whether every piece that a way moves was felt to come down on its cell."""
    changed = {c for c, stack in after.items() if stack and stack != before.get(c)}
    less = {c for c in changed if c in before and len(after[c]) < len(before[c])}
    return bool(changed - less) and changed - less <= came


def _handled(game: TableGame[Any], state: Any, actions: Iterable[Action]) -> Cells:
    """Cells on which hands take something up or set it down while this is done."""
    cells: set[str] = set()
    for action in actions:
        before = game.board(state)
        state, facts = game.apply(state, action)
        after = game.board(state)
        cells |= {c for c in {*before, *after} if before.get(c) != after.get(c)}
        # One piece may have made way for another that looks the same.
        cells |= {fact.start for fact in facts} & {fact.to for fact in facts} & {*before, *after}
    return frozenset(cells)


def _plain_nearest(game: TableGame[Any], state: Any, left: Cells, came: Cells) -> Nearest:
    """Why the pieces may not stand so: by the move that it was meant to be where that is plain,
    for of a piece that came from the hand no switch tells what it is."""
    board = game.board(state)
    if len(left) == len(came) == 1:
        [start], [to] = left, came
        if len(board[start]) == 1:
            looks = {cell: frozenset((stack,)) for cell, stack in board.items()}
            looks |= {start: frozenset((EMPTY,)), to: frozenset((board[start],))}
            nearest = game.nearest(state, Sighting(looks))
            if nearest.action is not None and nearest.ruling.broken:
                return nearest
    return Nearest(None, Ruling((Fact("HR-3.1", "board"),)))


@lru_cache(maxsize=4)
def _parted(game: Any, state: Any) -> tuple[tuple[Action, tuple[Cells, ...]], ...] | None:
    """Legal actions that move more than one piece, and what switches may feel while each is under
    way. None where there are too many to try."""
    if game.due(state).kind in ("over", "plot", "throw"):
        return ()
    before = game.board(state)
    found = []
    actions = tuple(islice(game.legal(state), MOST_TRIED + 1))
    if len(actions) > MOST_TRIED:
        return None
    for action in actions:
        after = game.board(game.apply(state, action)[0])
        touched = sorted(_handled(game, state, (action,)))
        if len(touched) > 2:
            found.append((action, tuple(_partly(frozenset(before), touched))))
        elif before.keys() - after.keys():
            found.append((action, (frozenset(before) - (before.keys() - after.keys()),)))
    return tuple(found)


def _partly(before: Cells, touched: list[str]) -> Iterator[Cells]:
    still = before - set(touched)
    for count in range(len(touched) + 1):
        for held in combinations(touched, count):
            yield still.union(held)


def way_back(game: TableGame[Any], state: Any, sighting: Sighting) -> tuple[Put, ...]:
    """What to put where, so that the board is as it is by the rules."""
    return put_back(game.board(state), sighting)
