"""Records of games: all that are stored replay; none that is altered or damaged slips through."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.conftest import ROOT
from tests.rules import harness
from tests.rules.harness import FULL
from tests.rules.scooter import GAME

from tableref.cli import main
from tableref.commands.check import mismatch
from tableref.referee.games import GAMES, load_game
from tableref.rules.house import HouseAction
from tableref.rules.log import House
from tableref.rules.records import Logged, RecordError, read_record, replay, shown, write_record

every_game = pytest.mark.parametrize("name", list(GAMES))


def played(name: str, seed: int = 3, most: int = 60) -> dict[str, Any]:
    """The beginning of a random game as a record."""
    game, setup = harness.seeded(name, seed)
    house = House(game)
    table = house.start(setup)
    for step in list(harness.random_game(game, setup, seed))[:most]:
        table, _ = house.apply(table, step.action)
    return write_record(game, setup, [Logged(done.action, done.followed) for done, _ in table.past])


def rule_record() -> dict[str, Any]:
    """A record with everything that a record can have."""
    return {
        "format": "table-record/1",
        "game": "autoscooter",
        "note": "AS-4.5 and AS-3.1",
        "setup": {"players": 8},
        "position": {"cars": {"red": {"cell": "c3", "heading": "E", "speed": 0}}, "chips": [9]},
        "steps": [
            {"attempt": {"plot": {"car": "red", "number": 2, "letter": None}},
             "expect": {"refused": ["AS-3.1"]}},
            {"player": 0, "run_only": "red",
             "do": [{"plot": {"car": "red", "number": 1, "letter": "A"}}],
             "expect": {"waiting": "restart", "cars": {"red": {"cell": "c3", "speed": 0}}}},
            {"do": [{"restart": {"car": "red", "to": "d3", "heading": "E"}}],
             "expect": {"cars": {"red": {"cell": "d3", "heading": "E", "speed": 1}},
                        "chips": {"0": 9, "1": 10}, "winners": None, "order": ["red"]}},
        ],
    }  # fmt: skip


def stored(shared: Path) -> list[Path]:
    return sorted((shared / "records").glob("*/*.json"))


# -- replaying ---------------------------------------------------------------------------------


def test_a_record_with_everything_replays() -> None:
    assert mismatch(GAME, rule_record()) == ""


def test_all_stored_records_replay(shared: Path) -> None:
    paths = stored(shared)
    assert paths
    wrong = {}
    for path in paths:
        record = read_record(path.read_text(encoding="utf-8"))
        found = mismatch(load_game(record["game"]), record)
        if found:
            wrong[path.name] = found
    assert wrong == {}


def test_check_says_ok_and_exits_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(rule_record()), encoding="utf-8")
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}: ok\n"


def test_states_tells_every_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(rule_record()), encoding="utf-8")
    assert main(["states", str(path)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[0] == {"refused": ["AS-3.1"]}
    assert told[1]["waiting"] == "restart"
    assert told[2]["cars"]["red"] == {"cell": "d3", "heading": "E", "speed": 1}


def test_a_restart_in_a_step_comes_after_planning_is_closed() -> None:
    """Nobody has noted a letter for the ghost, and the step goes on with a restart (AS-7.1)."""
    plots = [
        {"plot": {"car": car, "number": number, "letter": None}}
        for number, car in enumerate(GAME.layout.cars[:5], 1)
    ]
    record = {
        "format": "table-record/1",
        "game": "autoscooter",
        "setup": {"players": 5, "ghost": True},
        "steps": [
            {"do": plots, "expect": {"waiting": "restart"}},
            {"do": [{"restart": {"car": "red", "to": "b1", "heading": "E"}}],
             "expect": {"cars": {"red": {"cell": "b1", "heading": "E", "speed": 1}}}},
        ],
    }  # fmt: skip
    assert mismatch(GAME, record) == ""
    [first, second] = record["steps"]
    joined = {"do": [*first["do"], *second["do"]], "expect": second["expect"]}
    assert mismatch(GAME, {**record, "steps": [joined]}) == ""


# -- altered values ----------------------------------------------------------------------------


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to all values in a JSON value that are no object and no list of anything."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path


def altered(record: Any, path: tuple[Any, ...]) -> Any:
    """A copy of the record with another value at this place."""
    changed = copy.deepcopy(record)
    target = changed
    for key in path[:-1]:
        target = target[key]
    value = target[path[-1]]
    other = {str: f"{value}x", int: 77, bool: not value, type(None): 0, list: ["x"], dict: {"x": 1}}
    target[path[-1]] = other[type(value)]
    return changed


def check_alterations(game: Any, record: dict[str, Any], most: int) -> int:
    """Each of up to `most` altered values of `expect` must be found, with its step."""
    paths = [
        ("steps", number, "expect", *path)
        for number, step in enumerate(record["steps"])
        for path in leaves(step.get("expect", {}))
        if path
    ]
    if not FULL and len(paths) > most:
        paths = random.Random(most).sample(paths, most)
    for path in paths:
        found = mismatch(game, altered(record, path))
        assert found.startswith(f"step {path[1] + 1}: "), (path, found)
        assert "expected" in found
        assert "found" in found
    return len(paths)


def test_any_altered_value_of_a_rule_is_found() -> None:
    assert check_alterations(GAME, rule_record(), 100) == 11


@every_game
def test_any_altered_value_of_a_game_is_found(name: str) -> None:
    record = json.loads(json.dumps(played(name)))
    assert check_alterations(load_game(name), record, 40)


def test_any_altered_value_of_a_stored_record_is_found(shared: Path) -> None:
    for number, path in enumerate(stored(shared)):
        if not FULL and number % 13:
            continue
        record = read_record(path.read_text(encoding="utf-8"))
        for step in record["steps"]:
            # One of several paragraphs suffices, so all have to be altered together.
            refused = step.get("expect", {}).get("refused", [])
            step.get("expect", {}).update({"refused": refused[:1]} if refused else {})
        if mismatch(load_game(record["game"]), record) == "":
            check_alterations(load_game(record["game"]), record, 10)


def test_an_altered_value_exits_1_with_step_expected_and_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = rule_record()
    record["steps"][2]["expect"]["cars"]["red"]["speed"] = 2
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().out == f"{path}: step 3: cars.red.speed: expected 2, found 1\n"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"expect": {"refused": ["AS-3.7"]}}, "expected a refusal by 'AS-3.7', found AS-3.1"),
        (
            {"attempt": {"plot": {"car": "red", "number": 1, "letter": None}}},
            "expected a refusal by 'AS-3.1', found that it is allowed",
        ),
        ({"expect": {}}, "expect.refused: expected paragraphs, found None"),
        ({"expect": {"refused": "AS-3.1"}}, "expect.refused: expected paragraphs, found 'AS-3.1'"),
    ],
)
def test_what_an_attempt_must_be_refused_by(change: dict[str, Any], told: str) -> None:
    record = rule_record()
    record["steps"][0].update(change)
    assert mismatch(GAME, record) == f"step 1: {told}"


@pytest.mark.parametrize(
    ("number", "change", "told"),
    [
        (1, {"player": 9}, "expected 9 to act, found"),
        (1, {"run_only": "pink"}, "'pink' is not a car"),
        (2, {"do": [{"restart": {"car": "red", "to": "e3", "heading": "E"}}]}, "refused by AS-4.5"),
        (2, {"do": {}}, "do: expected a list of actions, found {}"),
        (2, {"do": [[]]}, "expected one action like"),
        (2, {"attempt": 3}, "expected either `do` or `attempt`"),
        (2, {"expect": []}, "expect: expected an object, found []"),
        (2, {"expect": {"carz": None}}, "'carz': expected None, found nothing"),
        (2, {"expect": {"chips": {"8": 1}}}, "'chips.8': expected 1, found nothing"),
        (2, {"expect": {"cars": {"pink": {}}}}, "'cars.pink': expected {}, found nothing"),
    ],
)
def test_what_a_step_that_cannot_be_played_says(
    number: int, change: dict[str, Any], told: str
) -> None:
    record = rule_record()
    record["steps"][number].update(change)
    found = mismatch(GAME, record)
    assert found.startswith(f"step {number + 1}: ")
    assert told in found


def test_true_is_not_1() -> None:
    record = rule_record()
    record["steps"][2]["expect"]["cars"]["red"]["speed"] = True
    assert mismatch(GAME, record) == "step 3: cars.red.speed: expected True, found 1"


# -- damaged files -----------------------------------------------------------------------------

BROKEN = {
    "empty": b"",
    "binary": bytes(range(256)),
    "null bytes": b"\0" * 40,
    "not JSON": b"a record",
    "half": json.dumps(rule_record()).encode()[:300],
    "another format": b'{"format": "table-record/2"}',
    "a list": b"[1, 2]",
    "a number": b"1e999",
    "a huge number": b'{"format": "table-record/1", "n": ' + b"9" * 5000 + b"}",
    "nested": b"[" * 100_000,
    "nested objects": b'{"a":' * 50_000,
    "no game": b'{"format": "table-record/1", "steps": []}',
    "no steps": b'{"format": "table-record/1", "game": "autoscooter"}',
    "unknown game": b'{"format": "table-record/1", "game": "chess", "steps": []}',
    "odd game": b'{"format": "table-record/1", "game": "\\ud800\\n", "steps": []}',
    "odd setup": b'{"format": "table-record/1", "game": "squod", "setup": [], "steps": []}',
    "odd version": b'{"format": "table-record/1", "game": "squod", "steps": [],'
    b' "rules_version": 1}',
    "odd key": b'{"format": "table-record/1", "game": "autoscooter", "setup": {"\\ud800\\n": 1},'
    b' "steps": []}',
}


@pytest.mark.parametrize("command", ["check", "states"])
@pytest.mark.parametrize("damage", BROKEN)
def test_a_damaged_file_is_one_clear_line(
    command: str, damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(BROKEN[damage])
    assert main([command, str(path)]) == {"check": 1, "states": 2}[command]
    told = capsys.readouterr()
    line = told.out if command == "check" else told.err
    assert line.count("\n") == 1
    assert str(path) in line
    assert "Error" not in line
    line.encode("utf-8")


@pytest.mark.parametrize("command", ["check", "states"])
def test_a_file_that_is_not_there_is_one_clear_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, why in ((tmp_path / "none.json", "No such file"), (tmp_path, "it is a folder")):
        assert main([command, str(path)]) in (1, 2)
        told = capsys.readouterr()
        assert f"{path}: cannot be read: {why}" in told.out + told.err


JUNK = (
    None,
    True,
    -1,
    10**30,
    0.5,
    "",
    "x",
    "\ud800",
    [],
    {},
    [[]],
    {"x": {}},
    [None] * 3,
    "a" * 999,
)


def damaged(record: Any, rng: random.Random) -> Any:
    """A copy in which up to three values anywhere are replaced, dropped or added."""
    changed = copy.deepcopy(record)
    for _ in range(rng.randrange(1, 4)):
        target = changed
        while True:
            keys = list(target) if isinstance(target, dict) else list(range(len(target)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(target[key], dict | list) and target[key] and rng.random() < 0.8:
                target = target[key]
                continue
            junk = copy.deepcopy(rng.choice(JUNK))
            if rng.random() < 0.2:
                del target[key]
            elif rng.random() < 0.1 and isinstance(target, dict):
                target["extra"] = junk
            else:
                target[key] = junk
            break
    return changed


@every_game
@pytest.mark.parametrize("command", ["check", "states"])
def test_wrong_types_anywhere_are_one_clear_line(
    name: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, path = random.Random(f"{name} {command}"), tmp_path / "game.json"
    record = json.loads(json.dumps(played(name, most=12)))
    if name == "autoscooter" and command == "check":
        record = rule_record()
    for _ in range(harness.count(25, 500)):
        path.write_text(json.dumps(damaged(record, rng)), encoding="utf-8")
        assert main([command, str(path)]) in ((0, 1) if command == "check" else (0, 2))
        told = capsys.readouterr()
        assert told.err.count("\n") <= 1
        assert "Traceback" not in told.out + told.err
        assert "damaged" not in told.out + told.err, told
        if command == "check":
            assert told.out.count("\n") == 1


def test_truncated_anywhere_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, path = json.dumps(rule_record()), tmp_path / "game.json"
    for length in range(0, len(text), 7):
        path.write_text(text[:length], encoding="utf-8")
        assert main(["check", str(path)]) == 1
        assert "not readable as JSON" in capsys.readouterr().out


def test_a_value_in_a_message_is_cut_where_it_is_long() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert shown(nested) == "something nested too deep"
    assert len(shown("x" * 1000)) < 100


def test_nothing_of_a_record_that_cannot_be_read_is_played() -> None:
    with pytest.raises(RecordError, match="format"):
        read_record('{"game": "autoscooter"}')
    with pytest.raises(RecordError, match=r"start: .*players"):
        list(replay(GAME, {"setup": {"players": 99}, "steps": []}))


# -- the page ----------------------------------------------------------------------------------


def test_the_record_of_the_page_replays() -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    record = read_record(page.split("```json\n")[1].split("```")[0])
    assert mismatch(GAME, record) == ""
    assert record["rules_version"] == GAME.rules_version


def test_the_page_names_every_action_of_the_house() -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    named = set(re.findall(r'`\{"([a-z_]+)":', page))
    kinds = (action.__name__ for action in get_args(HouseAction))
    assert named == {re.sub(r"(?<!^)([A-Z])", r"_\1", kind).lower() for kind in kinds}
