"""One harness for every game that the referee knows: random games, what must hold in them, goldens.

A new game adds a line to `SETUPS` and `ENDINGS` (and to `HIDDEN` if it has secrets), and a golden
playthrough for each kind of ending, `golden/<game>-<ending>.json`. They are written by

    python -m tests.rules.harness golden squod

first, and anew after a change of the rules that is meant: give the game a new `rules_version` and
read the difference.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tableref.referee.games import GAMES, load_game
from tableref.rules import house
from tableref.rules.explain import Explanation
from tableref.rules.pieces import texts
from tableref.rules.surface import Action, Fact, Game, RulesError

FULL = os.environ.get("TABLEREF_FULL") == "1"
GOLDEN = Path(__file__).parent / "golden"

LONGEST = {"arrows-and-stars": 250}
"""Game -> actions after which a random one is left, 500 if it is not named here: some positions of
Squod go on for ever, and arrows and stars hardly ends by chance."""


def games() -> list[str]:
    """Names of all games."""
    return list(GAMES)


def halves(found: Explanation) -> list[tuple[Any, ...]]:
    """The answers left after each answer to the question, at most half of all each."""
    assert found.question is not None
    groups = [answers for _, answers in found.question.choices]
    assert all(len(group) * 2 <= len(found.answers) for group in groups)
    return groups


# -- set-ups -----------------------------------------------------------------------------------


def _squod(rng: random.Random) -> dict[str, Any]:
    players = rng.choice((2, 4))
    placement = []
    for _ in range(players):
        kinds = ["paper", "rock", "scissors"] * 2
        rng.shuffle(kinds)
        placement.append(kinds)
    return {"players": players, "first": rng.randrange(players), "placement": placement}


def _autoscooter(rng: random.Random) -> dict[str, Any]:
    setup: dict[str, Any] = {"players": rng.randrange(2, 9), "projection": rng.random() < 0.5}
    if setup["players"] == 2 and rng.random() < 0.5:
        setup["cars_per_player"] = 3
    left = setup["players"] not in (4, 8) and (setup["players"] > 2 or "cars_per_player" in setup)
    setup["ghost"] = left and rng.random() < 0.5
    setup["side_turn"] = rng.choice(("pivot", "nose-away"))
    setup["colour_scoring"] = rng.random() < 0.4
    setup["best_car"] = setup["colour_scoring"] and setup["players"] <= 4 and rng.random() < 0.5
    setup["paper"] = rng.random() < 0.3
    return setup


SETUPS: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "autoscooter": _autoscooter,
    "scorpion": lambda rng: rng.choice(
        [
            {"players": 2, "cells_per_side": 8},
            {"players": 3},
            {"players": 4, "teams": True, "partner_throws": rng.random() < 0.5},
            {"players": 4, "exact_exit": True, "cells_per_side": 10},
        ]
    ),
    "skorpion-deep": lambda rng: {"repetition": rng.random() < 0.8},
    "arrows-and-stars": lambda rng: {"star_control": rng.choice(("any", "own"))},
    "squod": _squod,
}
"""Game -> a random set-up of it."""

ENDINGS: dict[str, set[str]] = {
    "autoscooter": {"AS-6.1", "HR-1.1"},
    "scorpion": {"SC-5.2", "SC-5.3", "SC-5.4", "HR-1.1"},
    "skorpion-deep": {"SD-5.1", "SD-5.2", "SD-5.3", "HR-1.1"},
    "arrows-and-stars": {"AE-4.1", "AE-4.2", "HR-1.1"},
    "squod": {"SQ-3.9", "SQ-5.1", "SQ-5.2", "HR-1.1"},
}
"""Game -> the paragraphs that can end it."""


# -- playing -----------------------------------------------------------------------------------


class Step(NamedTuple):
    """A state of a random game, the action taken in it, and what came of it."""

    state: Any
    action: Action
    facts: tuple[Fact, ...]
    after: Any


def random_game(
    game: Game[Any], setup: dict[str, Any], seed: int, most: int | None = None
) -> Iterator[Step]:
    """A random game to its end, or to so many actions, if not told otherwise `longest`."""
    rng, state = random.Random(seed), game.start(setup)
    for _ in range(most or longest(game)):
        if game.outcome(state) is not None:
            return
        action = choose(rng, list(game.legal(state)))
        after, facts = game.apply(state, action)
        yield Step(state, action, facts, after)
        state = after


def longest(game: Game[Any]) -> int:
    """Actions after which a random game is left."""
    return LONGEST.get(game.name, 500)


def choose(rng: random.Random, actions: list[Action]) -> Action:
    """A random action, each kind alike but those that only end something or change nothing:
    else some kinds are rare, and rounds are announced before anybody has plotted."""
    by_kind: dict[str, list[Action]] = {}
    for action in actions:
        by_kind.setdefault(type(action).__name__, []).append(action)
    weights = [0.05 if kind in ("Announce", "Prefer") else 1.0 for kind in by_kind]
    return rng.choice(by_kind[rng.choices(list(by_kind), weights)[0]])


def seeded(name: str, seed: int) -> tuple[Game[Any], dict[str, Any]]:
    """A game and a random set-up of it."""
    assert name in SETUPS, f"{name} has no line in SETUPS of {__name__}"
    return load_game(name), SETUPS[name](random.Random(f"{name} {seed}"))


def count(usual: int, full: int = 2000) -> int:
    """How many games to play: a few, or with TABLEREF_FULL=1 many."""
    return full if FULL else usual


# -- what is known of a game -------------------------------------------------------------------


def cases(name: str) -> set[tuple[str, str]]:
    """Paragraph and case of every fact that a game and the house can state."""
    package = importlib.import_module(GAMES[name].module)
    if not hasattr(package, "CASES"):
        parts = (f"{package.__name__}.{part}" for part in ("facts", "cases"))
        package = importlib.import_module(next(filter(importlib.util.find_spec, parts)))
    return {case[:2] for case in (*package.CASES, *house.CASES)}


def _other_plots(game: Any, state: Any, player: int, rng: random.Random) -> Any:
    """Autoscooter: other letters of others for cars that have still to move, and before the
    announcement other numbers."""
    plots = list(state.plots)
    for car, plot in enumerate(plots):
        hidden = not state.queue or car in state.queue
        if plot is None or state.owners[car] == player or not hidden:
            continue
        plots[car] = plot._replace(letter=rng.choice("ABCDEFGHJKLMNOP"))
        if not state.queue:
            plots[car] = plots[car]._replace(number=rng.choice(game.layout.numbers[car]))
    ghosts = [
        plot and (plot if other == player else plot._replace(letter=rng.choice("ABP")))
        for other, plot in enumerate(state.ghost_plots)
    ]
    return state._replace(plots=tuple(plots), ghost_plots=tuple(ghosts))


def _other_placement(game: Any, state: Any, player: int, rng: random.Random) -> Any:
    """Squod: the others' pieces on ramps have changed places, hands are other kinds."""
    position = game.facts(state)
    seen = game.view(state, player)["pieces"]
    hidden: dict[str, list[str]] = {}
    for place, piece in position["pieces"].items():
        if seen[place].endswith("?"):
            hidden.setdefault(piece.split()[0], []).append(place)
    pieces = dict(position["pieces"])
    for places in hidden.values():
        texts = [pieces[place] for place in places]
        rng.shuffle(texts)
        pieces.update(zip(places, texts, strict=True))
    return game.corrected(state, {"pieces": pieces})


HIDDEN: dict[str, Callable[[Any, Any, int, random.Random], Any]] = {
    "autoscooter": _other_plots,
    "squod": _other_placement,
}
"""Game with secrets -> a state that differs from another only in what this player may not know."""


# -- goldens -----------------------------------------------------------------------------------


def goldens(name: str) -> list[Path]:
    """The golden playthroughs of a game."""
    others = [other for other in GAMES if other != name and other.startswith(name)]
    return [
        path
        for path in sorted(GOLDEN.glob(f"{name}-*.json"))
        if not any(path.name.startswith(f"{other}-") for other in others)
    ]


def stated(fact: Fact) -> str:
    """A fact in one line."""
    told = [f"{key}={value}" for key, value in fact._asdict().items() if value not in ("", 0)]
    return " ".join((fact.paragraph, fact.case, *told[2:]))


def golden_form(game: Game[Any], setup: dict[str, Any], play: list[str]) -> dict[str, Any]:
    """A game in golden form: what each action did, and the end. `resign 1` is an action too."""
    state, steps = game.start(setup), []
    for text in play:
        if text.startswith("resign "):
            state, facts = game.resign(state, int(text.removeprefix("resign ")))
        else:
            state, facts = game.apply(state, game.parse(state, text))
        steps.append([text, *map(stated, facts)])
    outcome = game.outcome(state)
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "setup": setup,
        "steps": steps,
        "ended": outcome and [list(outcome.winners), outcome.paragraph],
        "facts": game.facts(state),
    }


def write_goldens(name: str) -> None:
    """Tells the golden playthroughs of a game anew, by today's rules.

    One that does not come to its end any more is played again, at random, and so is an ending that
    has none.
    """
    game = load_game(name)
    stored = {path: json.loads(path.read_text(encoding="utf-8")) for path in goldens(name)}
    told = {path: _told_again(game, golden) for path, golden in stored.items()}
    for paragraph in sorted(ENDINGS[name] - {golden["ended"][1] for golden in stored.values()}):
        told[GOLDEN / f"{name}-{paragraph}.json"] = _played(game, paragraph, SETUPS[name])
    for path, golden in told.items():
        path.write_text(json.dumps(golden, indent=0) + "\n", encoding="utf-8")


def _told_again(game: Game[Any], golden: dict[str, Any]) -> dict[str, Any]:
    setup, (winners, paragraph) = golden["setup"], golden["ended"]
    try:
        told = golden_form(game, setup, [step[0] for step in golden["steps"]])
    except RulesError:
        told = {"ended": None}
    if told["ended"] and told["ended"][1] == paragraph:
        return told
    return _played(game, paragraph, lambda rng: setup, len(winners))


def _played(
    game: Game[Any],
    paragraph: str,
    setups: Callable[[random.Random], dict[str, Any]],
    winners: int | None = None,
) -> dict[str, Any]:
    """The first random game that ends so, with so many winners if that is told; by HR-1.1, one
    that all but the first player give up one after the other, until it is over."""
    for seed in range(3000):
        setup = setups(random.Random(seed))
        steps = list(random_game(game, setup, seed, most=1000))
        play = [game.text(step.state, step.action) for step in steps]
        told = golden_form(game, setup, play)
        if paragraph == "HR-1.1":
            play = play[: len(play) // 3]
            for player in range(1, len(game.players(steps[0].state))):
                play.append(f"resign {player}")
                told = golden_form(game, setup, play)
                if told["ended"]:
                    break
        ended = told["ended"]
        if ended and ended[1] == paragraph and winners in (None, len(ended[0])):
            return told
    raise AssertionError(f"no random game of {game.name} ended by {paragraph}")


# -- the same in every process -----------------------------------------------------------------


def digest() -> str:
    """A number for all that two random games of every game list, do and tell, in order."""
    told = hashlib.sha256()
    for name in GAMES:
        for seed in range(2):
            game, setup = seeded(name, seed)
            for step in random_game(game, setup, seed):
                told.update(repr(list(game.legal(step.state))[:300]).encode())
                told.update(repr((step.action, step.facts)).encode())
                told.update(json.dumps(game.facts(step.after)).encode())
                told.update(json.dumps(texts(game.board(step.after))).encode())
    return told.hexdigest()


def refused_safely(game: Game[Any], state: Any, action: Action) -> bool:
    """Whether letting a refused action stand gives a state that can be told, or is refused as
    impossible."""
    try:
        after, _ = game.force(state, action)
    except RulesError:
        return True
    game.due(after), game.outcome(after), texts(game.board(after))
    json.dumps(game.facts(after))
    next(iter(game.legal(after)), None)
    return True


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["digest"]:
            print(digest())
        case ["golden", name]:
            write_goldens(name)
        case _:
            sys.exit("say `digest`, or `golden` and a game")
