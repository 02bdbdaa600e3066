"""What holds for every explanation of a move in the games that are played by single moves.

Autoscooter, where moves can be missed, has the same tests of its own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from tests.rules.boards import dealt
from tests.rules.harness import Step, count, halves, random_game, seeded

from tableref.rules.explain import Explanation, Sighting, explain, put_back, sighting_of
from tableref.rules.pieces import EMPTY, Stack
from tableref.rules.squod.actions import PutBack, Show, Squod
from tableref_hardware import load_board

every_game = pytest.mark.parametrize(
    "name", ["arrows-and-stars", "scorpion", "skorpion-deep", "squod"]
)

APART = 13
"""Only one of so many steps of a game is looked at."""


class Shown(NamedTuple):
    """A step of a random game that changed the board."""

    game: Any
    rng: random.Random
    cells: tuple[str, ...]
    step: Step

    def seen(self, *unknown: str) -> Sighting:
        """The board after the step, but for the unknown cells."""
        return sighting_of(self.game.board(self.step.after), self.cells, unknown)

    def explained(self, *unknown: str) -> Explanation:
        return explain(self.game, self.step.state, self.seen(*unknown))

    def found_in(self, explanation: Explanation) -> bool:
        """Whether the action, or one that does the same, is among the answers."""
        after = self.game.facts(self.step.after)
        return any(self.game.facts(answer.state) == after for answer in explanation.answers)


def moves(name: str, usual: int, full: int = 500) -> Iterator[Shown]:
    """Steps of random games."""
    found = seed = 0
    while found < count(usual, full):
        seed += 1
        game, setup = seeded(name, seed)
        rng = random.Random(seed)
        if name == "squod":
            setup = dealt(rng.choice((2, 4)), seed, hidden=rng.choice((0.0, 0.5, 1.0)))
        cells = tuple(load_board(name).cells)
        if name == "scorpion":
            cells = game.start(setup).track.cells[1:-1]
        for number, step in enumerate(random_game(game, setup, seed)):
            if number % APART == seed % APART and _shows(game, step):
                found += 1
                yield Shown(game, rng, cells, step)


def _shows(game: Any, step: Step) -> bool:
    """Whether the board shows the whole step. In Squod some things are only said: what a piece
    is, though it lies face down, and that an attack ended equal."""
    before, after = game.board(step.state), game.board(step.after)
    match step.action:
        case Show():
            return False
        case PutBack(kind) if kind and step.state.setup.secret:
            return False
        case Squod(target=target):
            return target not in after
    return bool(before != after)


@every_game
def test_what_was_done_is_among_the_explanations(name: str) -> None:
    for move in moves(name, 60):
        assert move.found_in(move.explained()), (move.game.facts(move.step.state), move.step.action)


@every_game
def test_it_still_is_with_any_one_cell_unknown(name: str) -> None:
    for move in moves(name, 6):
        for cell in move.cells:
            if not move.seen(cell).allows(move.game.board(move.step.state)):
                found = move.found_in(move.explained(cell))
                assert found, (move.game.facts(move.step.state), move.step.action, cell)


@every_game
def test_no_explanation_contradicts_what_is_seen_or_the_rules(name: str) -> None:
    for move in moves(name, 60):
        sighting = move.seen(*move.rng.sample(move.cells, move.rng.randrange(5)))
        for actions, ended in explain(move.game, move.step.state, sighting).answers:
            assert sighting.allows(move.game.board(ended))
            after = move.step.state
            for action in actions:
                after, _ = move.game.apply(after, action)
            assert after == ended


@every_game
def test_of_a_question_every_answer_leaves_at_most_half(name: str) -> None:
    asked = 0
    for move in moves(name, 60):
        found = move.explained(*move.rng.sample(move.cells, 4))
        if len(found.answers) < 2:
            continue
        asked += 1
        groups = halves(found)
        assert {a for group in groups for a in group} == set(found.answers)
        assert sum(map(len, groups)) == len(found.answers)
    assert asked


@every_game
def test_after_putting_back_the_board_is_as_it_was(name: str) -> None:
    for move in moves(name, 60):
        board, rng = move.game.board(move.step.state), move.rng
        jumbled = dict(board)
        for _ in range(rng.randrange(1, 4)):
            piece = jumbled.pop(rng.choice(sorted(jumbled)), EMPTY) if jumbled else EMPTY
            free = [cell for cell in move.cells if cell not in jumbled]
            if piece and rng.random() < 0.9:
                jumbled[rng.choice(free)] = piece
        hands = {cell: list(stack) for cell, stack in jumbled.items()}
        puts = put_back(board, sighting_of(jumbled, move.cells))
        for put in puts:
            if put.start:
                hands[put.start].pop()
        for put in puts:
            if put.to:
                assert put.piece
                hands.setdefault(put.to, []).append(put.piece)
        left: dict[str, Stack] = {cell: tuple(sorted(pieces)) for cell, pieces in hands.items()}
        was: dict[str, Stack] = {cell: tuple(sorted(stack)) for cell, stack in board.items()}
        assert {cell: stack for cell, stack in left.items() if stack} == was
