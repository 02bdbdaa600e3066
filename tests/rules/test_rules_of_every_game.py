"""What holds for every game that the referee knows, in random games (`harness`)."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT
from tests.rules import harness
from tests.rules.harness import ENDINGS, HIDDEN, count, random_game, seeded

from tableref.referee.games import GAMES, load_game
from tableref.rules.house import Correct, HouseAction, HouseRuling, Redo, Resign, TakeBack
from tableref.rules.log import Hides, House, Table
from tableref.rules.records import Logged, read_record, replay, write_record
from tableref.rules.surface import Refused, UnreadableAction
from tableref_hardware import load_board

every_game = pytest.mark.parametrize("name", harness.games())


@every_game
def test_the_harness_knows_the_game(name: str) -> None:
    assert name in harness.SETUPS
    assert name in ENDINGS
    assert load_game(name).name == name


# -- random games ------------------------------------------------------------------------------


@every_game
def test_random_games_keep_to_the_surface(name: str) -> None:
    known, cells = harness.cases(name), set(load_board(name).cells)
    ended: set[str] = set()
    for seed in range(count(5)):
        game, setup = seeded(name, seed)
        for state, action, facts, after in random_game(game, setup, seed):
            assert game.judge(state, action).allowed
            assert game.parse(state, game.text(state, action)) == action
            assert game.read(json.loads(json.dumps(action.record()))) == action
            assert {fact[:2] for fact in facts} <= known
            assert set(game.board(after)) <= cells
            assert hash(after) == hash(game.apply(state, action)[0])
            over = game.outcome(after)
            assert (game.due(after).kind == "over") == (over is not None)
            json.dumps(game.facts(after))
            if over:
                ended.add(over.paragraph)
    assert ended <= ENDINGS[name]


@every_game
def test_listed_actions_are_different_and_legal_and_their_texts_too(name: str) -> None:
    for seed in range(count(2, 200)):
        game, setup = seeded(name, seed)
        for number, step in enumerate(random_game(game, setup, seed)):
            if number % 7:
                continue
            listed = list(game.legal(step.state))
            assert len(set(listed)) == len(listed)
            assert len({game.text(step.state, action) for action in listed}) == len(listed)
            assert all(game.judge(step.state, action).allowed for action in listed)


@every_game
def test_what_was_legal_once_is_legal_exactly_where_it_is_listed(name: str) -> None:
    known = harness.cases(name)
    for seed in range(count(3, 300)):
        game, setup = seeded(name, seed)
        rng, seen = random.Random(seed), list(game.legal(game.start(setup)))
        for number, step in enumerate(random_game(game, setup, seed)):
            listed = set(game.legal(step.after))
            if number % 5 == 0:
                seen += sorted(listed, key=repr)[:40]
            for action in rng.sample(seen, min(len(seen), 12)):
                ruling = game.judge(step.after, action)
                assert ruling.allowed == (action in listed)
                assert {fact[:2] for fact in ruling.broken} <= known
                if ruling.allowed:
                    game.apply(step.after, action)
                else:
                    with pytest.raises(Refused):
                        game.apply(step.after, action)
                    assert harness.refused_safely(game, step.after, action)


# -- the log -----------------------------------------------------------------------------------


def logged(name: str, seed: int, share: float = 0.0) -> tuple[House, dict[str, Any], list[Table]]:
    """A random game at a table of the house; the table after every action. Beside what is forced, a
    share of the actions behind the first is entered as what followed by itself."""
    game, setup = seeded(name, seed)
    house, rng, chance = House(game), random.Random(seed), random.Random(seed)
    tables = [house.start(setup)]
    while house.outcome(tables[-1]) is None and len(tables) <= harness.longest(game):
        action = harness.choose(rng, list(game.legal(tables[-1].state)))
        follows = len(tables) > 1 and chance.random() < share
        by_itself = follows or action == game.forced(tables[-1].state)
        tables.append(house.apply(tables[-1], action, None, by_itself)[0])
    return house, setup, tables


@every_game
def test_hr_2_1_as_many_take_backs_as_choices_lead_to_the_start_and_redo_to_the_end(
    name: str,
) -> None:
    for seed in range(count(2)):
        house, _, tables = logged(name, seed, share=0.3)
        everybody = tuple(range(len(house.game.players(tables[0].state))))
        end = table = tables[-1]
        choices = [before for done, before in end.past if not done.followed]
        for before in reversed(choices):
            table, _ = house.apply(table, TakeBack(0, everybody))
            assert table.now == before
        [broken] = house.judge(table, TakeBack(0, everybody)).broken
        assert broken.case == "nothing-to-take-back"
        for _ in choices:
            table, _ = house.apply(table, Redo(everybody))
        assert table == end
        assert house.judge(table, Redo(everybody)).broken[0].case == "nothing-to-redo"


@every_game
def test_hr_2_1_a_game_with_secrets_says_what_everybody_may_know_of_an_action(name: str) -> None:
    house, _, tables = logged(name, 1)
    assert isinstance(house.game, Hides) == (name in harness.HIDDEN)
    everybody = tuple(range(len(house.game.players(tables[0].state))))
    for done, before in tables[-1].past:
        if done.followed:
            continue
        after, _ = house.apply(Table(before), done.action)
        back, facts = house.apply(after, TakeBack(0, everybody))
        again = house.apply(back, Redo(everybody))[1]
        public = getattr(house.game, "public_text", house.game.text)(before.state, done.action)
        assert facts[0].who == again[0].who == public


@every_game
def test_a_game_written_as_a_record_replays_to_the_same_end(name: str) -> None:
    for seed in range(count(2)):
        house, setup, tables = logged(name, seed)
        log = [Logged(done.action, done.followed) for done, _ in tables[-1].past]
        text = json.dumps(write_record(house.game, setup, log))
        steps = list(replay(house.game, read_record(text)))
        assert [step.mismatch for step in steps if step.mismatch] == []
        assert steps[-1].state == tables[-1].state


@every_game
def test_a_record_leaves_out_what_comes_by_itself(name: str) -> None:
    house, setup, tables = logged(name, 1)
    log = [Logged(done.action, done.followed) for done, _ in tables[-1].past]
    written = write_record(house.game, setup, log)
    assert written["rules_version"] == house.game.rules_version
    assert not any("by_hand" in step for step in written["steps"])
    done = [record for step in written["steps"] for record in step["do"]]
    forced = [
        done.action
        for done, before in tables[-1].past
        if house.game.forced(before.state) == done.action
    ]
    assert len(done) == len(log) - len(forced)


def _interruption(house: House, table: Table, rng: random.Random) -> HouseAction:
    """Something that the house does in the middle of a game."""
    everybody = tuple(range(len(house.game.players(table.state))))
    if rng.random() < 0.5:
        return TakeBack(0, everybody)
    return Correct("{}", everybody)


@every_game
def test_a_record_holds_the_house_s_actions_too(name: str) -> None:
    for seed in range(count(3, 300)):
        game, setup = seeded(name, seed)
        house, rng = House(game), random.Random(seed)
        table, log = house.start(setup), []
        for _ in range(60):
            if house.outcome(table):
                break
            action: Any = harness.choose(rng, list(game.legal(table.state)))
            if table.past and rng.random() < 0.3:
                action = _interruption(house, table, rng)
            assert house.read(json.loads(json.dumps(action.record()))) == action
            table, _ = house.apply(table, action)
            log.append(Logged(action))
        record = read_record(json.dumps(write_record(game, setup, log)))
        steps = list(replay(game, record))
        assert [step.mismatch for step in steps if step.mismatch] == []
        assert steps[-1].state == table.state


@every_game
def test_hr_1_1_giving_up_at_any_time_leaves_a_game_that_goes_on(name: str) -> None:
    for seed in range(count(4, 300)):
        house, _, tables = logged(name, seed)
        game, rng = house.game, random.Random(seed)
        table = rng.choice(tables[:-1])
        players = list(range(len(game.players(table.state))))
        while players and not house.outcome(table):
            resigning = Resign(players.pop(rng.randrange(len(players))))
            assert house.judge(table, resigning).allowed
            table, facts = house.apply(table, resigning)
            assert {fact[:2] for fact in facts} <= harness.cases(name)
            for _ in range(15):
                if house.outcome(table):
                    break
                action = harness.choose(rng, list(game.legal(table.state)))
                table, _ = house.apply(table, action)
        assert players
        outcome = house.outcome(table)
        assert outcome is not None
        assert outcome.paragraph in ENDINGS[name]


@every_game
def test_hr_2_2_a_correction_that_says_nothing_changes_nothing_on_the_board(name: str) -> None:
    for seed in range(count(2, 100)):
        game, setup = seeded(name, seed)
        for step in random_game(game, setup, seed):
            assert game.board(game.corrected(step.after, {})) == game.board(step.after)


@every_game
def test_hr_2_3_a_house_ruling_is_logged_with_the_paragraph_set_aside(name: str) -> None:
    tried = 0
    for seed in range(count(2, 100)):
        game, setup = seeded(name, seed)
        house, rng = House(game), random.Random(seed)
        everybody = tuple(range(len(game.players(game.start(setup)))))
        seen: list[Any] = []
        for step in random_game(game, setup, seed):
            for action in rng.sample(seen, min(3, len(seen))):
                ruling = game.judge(step.state, action)
                let_stand = HouseRuling(action, everybody)
                table = Table(house.start(setup).now._replace(state=step.state))
                if ruling.allowed or game.outcome(step.state):
                    assert not house.judge(table, let_stand).allowed
                    continue
                tried += 1
                try:
                    after, facts = house.apply(table, let_stand)
                except UnreadableAction:
                    continue  # the table cannot show it
                assert facts[0][:2] == ("HR-2.3", "let-stand")
                assert facts[0].what == ruling.paragraphs[0]
                assert house.apply(after, TakeBack(0, everybody))[0].state == step.state
            seen.append(step.action)
    assert tried


# -- secrets -----------------------------------------------------------------------------------


@every_game
def test_a_view_shows_nothing_that_a_player_may_not_know(name: str) -> None:
    for seed in range(count(3)):
        game, setup = seeded(name, seed)
        rng = random.Random(seed)
        everybody = range(len(game.players(game.start(setup))))
        for *_, after in random_game(game, setup, seed):
            player = rng.choice(everybody)
            if name not in HIDDEN:
                assert game.view(after, player) == game.facts(after)
                continue
            other = HIDDEN[name](game, after, player, rng)
            assert game.view(other, player) == game.view(after, player)
            assert game.board(other) == game.board(after)


@pytest.mark.parametrize("name", sorted(HIDDEN))
def test_secrets_are_told_apart_by_those_who_know_them(name: str) -> None:
    told_apart = 0
    for seed in range(6):
        game, setup = seeded(name, seed)
        rng = random.Random(seed)
        for *_, after in random_game(game, setup, seed):
            told_apart += HIDDEN[name](game, after, 0, rng) != after
    assert told_apart


# -- goldens and processes ---------------------------------------------------------------------


@every_game
def test_every_kind_of_ending_has_a_golden_playthrough(name: str) -> None:
    ends = set()
    for path in harness.goldens(name):
        ended = json.loads(path.read_text(encoding="utf-8"))["ended"]
        ends.add(ended and ended[1])
    missing = ENDINGS[name] - ends
    assert not missing, f"no golden playthrough of {name} ends by {', '.join(sorted(missing))}"


@pytest.mark.parametrize(
    "path", [path for name in GAMES for path in harness.goldens(name)], ids=lambda p: p.stem
)
def test_a_golden_playthrough_plays_as_stored(path: Path) -> None:
    golden = json.loads(path.read_text(encoding="utf-8"))
    game = load_game(golden["game"])
    play = [step[0] for step in golden["steps"]]
    told = harness.golden_form(game, golden["setup"], play)
    assert json.loads(json.dumps(told)) == golden


def test_every_process_plays_the_same() -> None:
    digests = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "tests.rules.harness", "digest"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
