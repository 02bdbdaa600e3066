"""What was done going by what is seen: Autoscooter, in small and in random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.bench.rules_autoscooter import near_the_end
from tests.rules.harness import cases, count, halves
from tests.rules.scooter import CARS, GAME, Scene, scene, start
from tests.rules.test_autoscooter_audit import random_state

from tableref.rules.autoscooter.actions import Drive, Restart
from tableref.rules.autoscooter.explaining import _Entered
from tableref.rules.autoscooter.state import State
from tableref.rules.explain import Explanation, Sighting, explain, put_back, sighting_of
from tableref.rules.pieces import EMPTY, spelled

CELLS = GAME.layout.cells
STACKS = spelled(GAME.stacks)


def seen(state: State, *unknown: str) -> Sighting:
    """What an eye sees that sees all but these cells."""
    return sighting_of(GAME.board(state), CELLS, unknown)


def looks(table: Scene, **cars: str) -> Sighting:
    """The board of a scene with these cars moved: `red="d3 E"`."""
    board = {c: stack for c, stack in GAME.board(table.state).items() if stack[0].name not in cars}
    board.update(
        {pose.split()[0]: STACKS[f"{car} {pose.split()[1]}"] for car, pose in cars.items()}
    )
    return sighting_of(board, CELLS)


def texts(explanation: Explanation) -> list[list[str]]:
    """The explanations as short texts."""
    state = start().state
    return [[GAME.text(state, action) for action in a.actions] for a in explanation.answers]


def moves_from(state: State) -> list[Any]:
    return [a for a in GAME.legal(state) if isinstance(a, Drive | Restart)]


def moments(usual: int) -> Iterator[tuple[random.Random, State]]:
    """Random states in which a car is to move, and no drive that shows nothing is due."""
    found = seed = 0
    while found < count(usual, 500):
        seed += 1
        state = random_state(seed)
        while (unseen := GAME.unseen_move(state)) is not None:
            state, _ = GAME.apply(state, unseen)
        if state.queue:
            found += 1
            yield random.Random(seed), state


def moved(rng: random.Random, state: State) -> tuple[Any, State] | None:
    """A random car-move that shows, with the state after it."""
    action = rng.choice(moves_from(state))
    after, _ = GAME.apply(state, action)
    return (action, after) if GAME.board(after) != GAME.board(state) else None


def found_in(explanation: Explanation, action: Any, after: State) -> bool:
    """Whether this move is among the explanations; where its first hex is blocked, another letter
    may stand for it that leads to the same (AS-4.3)."""
    answers = [(answer.actions, answer.state) for answer in explanation.answers]
    return any(actions == (action,) or state == after for actions, state in answers)


# -- one move ----------------------------------------------------------------------------------


def test_what_was_done_is_among_the_explanations() -> None:
    for rng, state in moments(60):
        if (done := moved(rng, state)) is not None:
            action, after = done
            assert found_in(explain(GAME, state, seen(after)), action, after)


def test_it_still_is_with_any_one_cell_unknown() -> None:
    for rng, state in moments(12):
        if (done := moved(rng, state)) is not None:
            action, after = done
            for cell in CELLS:
                found = explain(GAME, state, seen(after, cell))
                if seen(after, cell).allows(GAME.board(state)):
                    continue  # the board may not have changed at all
                assert found_in(found, action, after)


def test_no_explanation_contradicts_what_is_seen() -> None:
    for rng, state in moments(60):
        if (done := moved(rng, state)) is not None:
            sighting = seen(done[1], *rng.sample(CELLS, rng.randrange(5)))
            for answer in explain(GAME, state, sighting).answers:
                assert sighting.allows(GAME.board(answer.state))


def test_an_explanation_is_made_of_legal_actions() -> None:
    for rng, state in moments(30):
        if (done := moved(rng, state)) is not None:
            for answer in explain(GAME, state, seen(done[1], *rng.sample(CELLS, 3))).answers:
                after = state
                for action in answer.actions:
                    after, _ = GAME.apply(after, action)


def test_of_a_question_every_answer_leaves_at_most_half() -> None:
    asked = 0
    for rng, state in moments(120):
        if (done := moved(rng, state)) is None:
            continue
        found = explain(GAME, state, seen(done[1], *rng.sample(CELLS, 3)))
        if len(found.answers) < 2:
            continue
        asked += 1
        groups = halves(found)
        assert sorted(a.actions for group in groups for a in group) == sorted(
            a.actions for a in found.answers
        )
    assert asked


def test_a_forced_drive_is_explained() -> None:
    table = scene("red b3E0, orange b1E1").plot_all(orange="C").act("red>c3E")
    after = table.act("orange!")
    assert texts(explain(GAME, table.state, seen(after.state))) == [["orange!"]]


def test_a_restart_is_read_off_the_board() -> None:
    table = scene("red c3E0").run("red -")
    assert texts(explain(GAME, table.state, looks(table, red="d3 NE"))) == [["red>d3NE"]]


def test_a_restart_into_the_dark_is_asked_about() -> None:
    table = scene("red c3E0").run("red -")
    found = explain(GAME, table.state, seen(table.act("red>d3E").state, "d3"))
    assert sorted(texts(found)) == [[f"red>d3{h}"] for h in ("E", "NE", "NW", "SE", "SW")]
    assert found.question is not None
    assert found.question.cell == "d3"


def test_a_heading_that_is_not_certain_leaves_two() -> None:
    table = scene("red c3E0").run("red -")
    sighting = looks(table, red="d3 NE")
    cells = {**sighting.cells, "d3": frozenset((STACKS["red NE"], STACKS["red E"]))}
    found = explain(GAME, table.state, Sighting(cells))
    assert sorted(texts(found)) == [["red>d3E"], ["red>d3NE"]]


def test_what_a_drive_pushes_is_part_of_it() -> None:
    table = scene("red b3E1, orange c3E1", projection=True)
    table = table.plot(*(f"{car} {table.free(car)}-" for car in CARS))
    sighting = looks(table, orange="d3 E")
    assert texts(explain(GAME, table.state, sighting)) == [["red!"]]


# -- several moves -----------------------------------------------------------------------------


def test_up_to_three_moves_that_were_missed() -> None:
    found = 0
    for rng, state in moments(60):
        if state.setup.paper or len(state.queue) < 4:
            continue
        after = state
        for _ in range(3):
            after, _ = GAME.apply(after, rng.choice(moves_from(after)))
        if GAME.board(after) == GAME.board(state) or not after.queue:
            continue
        explanation = explain(GAME, state, seen(after), blinded=True)
        boards = [GAME.board(answer.state) for answer in explanation.answers]
        assert GAME.board(after) in boards
        found += 1
    assert found


def test_three_restarts_in_a_row() -> None:
    table = scene("red a3E0, orange c3E0, yellow e3E0").plot_all()
    after = table.act("red>b3E").act("orange>c2SW").act("yellow>e2NW")
    assert texts(explain(GAME, table.state, seen(after.state))) == [
        ["red>b3E", "orange>c2SW", "yellow>e2NW"]
    ]


# -- nothing explains it -----------------------------------------------------------------------


def test_after_putting_back_the_board_is_as_it_was() -> None:
    for rng, state in moments(60):
        board = GAME.board(state)
        jumbled = dict(board)
        for _ in range(rng.randrange(1, 4)):
            start_cell = rng.choice(sorted(jumbled))
            [car] = jumbled.pop(start_cell)
            to = rng.choice([cell for cell in CELLS if cell not in jumbled])
            if rng.random() < 0.9:
                jumbled[to] = (car._replace(facing=rng.choice((car.facing, "E", "NW"))),)
        hands = dict(jumbled)
        for put in put_back(board, sighting_of(jumbled, CELLS)):
            if put.start:
                assert put.start in hands
                del hands[put.start]
        for put in put_back(board, sighting_of(jumbled, CELLS)):
            if put.to:
                assert put.to not in hands
                assert put.piece
                hands[put.to] = (put.piece,)
        assert hands == board


def nearest(table: Scene, sighting: Sighting) -> tuple[str, str, str]:
    """Paragraph, case and car of the deciding reason."""
    found = explain(GAME, table.state, sighting)
    assert found.answers == ()
    assert found.nearest is not None
    fact = found.nearest.ruling.broken[0]
    assert (fact.paragraph, fact.case) in cases("autoscooter")
    return fact.paragraph, fact.case, fact.who


@pytest.mark.parametrize(("pose", "case"), [("a5 E", "not-beside"), ("d3 W", "turned-too-far")])
def test_a_restart_that_is_not_allowed(pose: str, case: str) -> None:
    table = scene("red c3E0, orange e3E0").run("red -")
    assert nearest(table, looks(table, red=pose)) == ("AS-4.5", case, "red")


def test_a_car_that_drove_otherwise_than_noted() -> None:
    table = scene("red b3E0, orange c1NE1").plot_all(orange="C").act("red>a3W")
    assert nearest(table, looks(table, orange="d3 E")) == ("AS-4.2", "goes-elsewhere", "orange")


def test_a_car_that_moved_out_of_turn() -> None:
    table = start().plot_all()
    assert nearest(table, looks(table, blue="d7 W")) == ("AS-4.1", "not-its-turn", "blue")


def test_a_car_that_belongs_to_nobody() -> None:
    table = start(6).plot_all()
    assert nearest(table, looks(table, white="b7 E")) == ("AS-2.2", "ownerless-moves", "white")


def test_a_car_that_moves_twice() -> None:
    table = start().plot_all().act("red>b1NE")
    assert nearest(table, looks(table, red="c2 NE")) == ("AS-4.1", "moved-already", "red")


def test_a_car_that_moves_while_the_others_plan() -> None:
    assert nearest(start(), looks(start(), red="b1 NE")) == ("AS-4.1", "not-announced", "red")


def test_whatever_is_seen_gets_an_answer_that_can_be_put_into_words() -> None:
    known = cases("autoscooter")
    for rng, state in moments(60):
        board = dict(GAME.board(state))
        car = rng.choice(sorted(board))
        [piece] = board.pop(car)
        free = [cell for cell in CELLS if cell not in board]
        board[rng.choice(free)] = (piece._replace(facing=rng.choice(("NE", "E", "W"))),)
        found = explain(GAME, state, sighting_of(board, CELLS))
        if found.answers:
            continue
        assert found.nearest is not None
        assert found.nearest.ruling.broken
        assert {fact[:2] for fact in found.nearest.ruling.broken} <= known
        assert found.put_back or board == GAME.board(state)


# -- plots on paper ----------------------------------------------------------------------------


def test_on_paper_the_manoeuvre_is_read_off_the_board() -> None:
    table = scene("red b3E1, orange a1E1", paper=True)
    assert texts(explain(GAME, table.state, looks(table, red="d4 NW"))) == [["red!F"]]


def test_on_paper_any_car_may_have_moved() -> None:
    table = scene("red b3E1, orange a1E1", paper=True)
    assert texts(explain(GAME, table.state, looks(table, orange="b1 NE"))) == [["orange!B"]]


def test_on_paper_a_gear_that_was_skipped_is_named_with_its_letter() -> None:
    table = scene("red b3E1", paper=True)
    found = explain(GAME, table.state, looks(table, red="e3 E"))
    assert found.nearest is not None
    [fact] = found.nearest.ruling.broken
    assert (fact.paragraph, fact.case, fact.who, fact.what) == ("AS-3.4", "gear", "red", "P")
    assert found.put_back == ((STACKS["red E"][0], "e3", "b3"),)


def test_on_paper_a_pose_that_no_manoeuvre_leads_to() -> None:
    table = scene("red b3E1", paper=True)
    assert nearest(table, looks(table, red="c5 E")) == ("AS-3.3", "no-manoeuvre", "red")


def test_on_paper_a_restart_that_is_not_allowed() -> None:
    table = scene("red c3E0", paper=True)
    assert nearest(table, looks(table, red="d3 W")) == ("AS-4.5", "turned-too-far", "red")


def test_on_paper_two_manoeuvres_that_look_the_same_are_asked_about() -> None:
    # J, K and L are blocked by green, stop on c3 and drop to 0; C ends there at speed 1.
    table = scene("red b3E1, green d3W0", paper=True)
    found = explain(GAME, table.state, looks(table, red="c3 E"))
    assert texts(found) == [["red!C"], ["red!J"]]
    assert found.question is not None
    assert found.question.cell == ""
    assert [len(answers) for _, answers in found.question.choices] == [1, 1]


@pytest.mark.parametrize("left", [1, 3, 4])
def test_on_paper_nobody_is_out_of_turn_for_sure_where_the_few_left_may_have_crashed(
    left: int,
) -> None:
    table = scene("red b3E1, green d3W1", paper=True)
    cars = [CARS.index(car) for car in ("green", "orange", "yellow", "blue")[:left]]
    speeds = tuple(speed or int(car in cars) for car, speed in enumerate(table.state.speeds))
    state = table.state._replace(queue=tuple(cars), speeds=speeds)
    again = explain(GAME, state, looks(table, red="d4 NW"))
    assert (again.answers, again.cut) == ((), left <= 3)
    other = explain(GAME, state, looks(table, green="a1 W"))
    assert (other.answers, other.cut) == ((), False)


# -- sightings ---------------------------------------------------------------------------------


def test_a_sighting_allows_a_board_cell_by_cell() -> None:
    red, blue = STACKS["red E"], STACKS["blue W"]
    sighting = Sighting({"a1": frozenset((red, EMPTY)), "b1": frozenset((EMPTY,))})
    assert sighting.allows({"a1": red})
    assert sighting.allows({"c1": blue})
    assert not sighting.allows({"b1": blue})
    assert not sighting.certain("a1", red)


def test_every_car_is_seen_on_a_whole_board() -> None:
    board = GAME.board(start().state)
    assert sorted(piece.name for [piece] in board.values()) == sorted(CARS)


def test_near_a_round_s_end_the_true_way_is_found_with_the_next_plots_at_hand() -> None:
    """What cannot lead there any more is left out, and nothing else."""
    for missed in (1, 2, 3):
        for state, sighting, coming in near_the_end(missed, 0, 40):
            found = explain(GAME, state, sighting, coming)
            assert found.answers, "the moves that were made are among the ways"
            assert all(sighting.allows(GAME.board(answer.state)) for answer in found.answers)


def test_near_a_round_s_end_a_look_tries_few_moves_and_enters_the_next_plots_seldom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where a car stands as no move leaves it, and all has to be tried."""
    tried = list[str]()

    def noted(name: str) -> None:
        does = getattr(type(GAME), name)
        monkeypatch.setattr(type(GAME), name, lambda *given: (tried.append(name), does(*given))[1])

    noted("_run")
    noted("judge")
    for missed in (1, 2, 3):
        for state, sighting, coming in near_the_end(missed, 0, 15):
            cells = dict(sighting.cells)
            car, free = (next(c for c in cells if (EMPTY in cells[c]) == is_) for is_ in (0, 1))
            cells[car], cells[free] = cells[free], cells[car]
            for look in (sighting, Sighting(cells)):
                tried.clear()
                explain(GAME, state, look, coming)
                assert tried.count("_run") <= 400
                assert tried.count("judge") <= 2 * len(coming)


@pytest.mark.parametrize("seed", [128, 340, 755, 927])
def test_on_paper_cars_that_may_have_crashed_unseen_cost_few_tries(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Only cars are tried that can have moved what moved, and each row of crashes once."""
    before = random_state(seed)
    after, _ = GAME.apply(before, random.Random(seed).choice(moves_from(before)))
    tried, run = list[Any](), GAME._run
    monkeypatch.setattr(GAME, "_run", lambda *told: (tried.append(told), run(*told))[1])
    crashes = [GAME._crash(before, car) for car in before.queue]
    assert sum(crash is not None for crash in crashes) > 2
    tried.clear()
    explain(GAME, before, seen(after))
    assert len(tried) < 300


@pytest.mark.parametrize("unknown", [0, 2])
def test_on_paper_the_moves_that_are_tried_are_all_that_fit(unknown: int) -> None:
    found = 0
    for rng, state in moments(30):
        if not state.setup.paper:
            continue
        after, _ = GAME.apply(state, rng.choice(moves_from(state)))
        look = GAME._seen(seen(after, *rng.sample(CELLS, unknown)))
        every = [action for action in moves_from(state) if look.allows(GAME._run(state, action))]
        ended = [GAME.apply(state, action)[0] for action in every]
        assert list(GAME._last_moves(state, look)) == list(zip(every, ended, strict=True))
        found += len(every)
    assert found


def test_where_the_cars_stand_does_not_matter_to_the_plots_that_are_entered() -> None:
    for state, _, coming in near_the_end(3, 0, 40):
        entered = _Entered(coming)
        ended = state._replace(queue=(), order=())
        for cells in (ended.cells, tuple(reversed(ended.cells))):
            moved = ended._replace(cells=cells)
            assert GAME._with_plots(moved, entered) == GAME._with_plots(moved, _Entered(coming))
