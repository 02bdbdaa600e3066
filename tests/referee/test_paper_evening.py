"""A first evening on paper plots: pictures of a film, and somebody who answers by what the screen
shows and by nothing else (A20, A21). The film is looked at whole, for a wrong answer shows late."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tableref.referee.games import load_game
from tableref.rulebook import Rulebook
from tableref.rules.records import replay

ANSWER = re.compile(r"\? (\d+): (.*)")
CHIPS = re.compile(r"\((\d+)\)")


class Remembered:
    """What the players did, round by round, in the sentences of the rulebook; and their chips."""

    def __init__(self, record: Mapping[str, object]) -> None:
        game, book = load_game("autoscooter"), Rulebook("en")
        self.rounds: list[list[str]] = [[]]
        self.chips = [step["expect"]["chips"] for step in record["steps"]]  # type: ignore[index]
        [*_, last] = replay(game, record)
        for done, before in last.table.past:
            told = game.apply(before.state, done.action)[1]  # type: ignore[arg-type]
            while len(self.rounds) < before.state.round:
                self.rounds.append([])
            self.rounds[-1] += [book.sentence(fact).rstrip(".").casefold() for fact in told]

    def answer(self, answers: Mapping[int, str], number: int) -> int:
        """The answer that says most of what was done in this round and nothing else."""
        done = {one for told in self.rounds[number : number + 2] for one in told}

        def untrue(text: str) -> tuple[int, int]:
            """Letters of it that nothing accounts for, in twenties; less those that are true."""
            left = text = text.casefold()
            for one in sorted((one for one in done if one in text), key=len, reverse=True):
                left = left.replace(one, "", 1)
            return len(left) // 20, len(left) - len(text)

        return min(answers, key=lambda each: untrue(answers[each]))


def evening(scene: Path, folder: Path) -> tuple[list[list[int]], list[str], Remembered]:
    """Chips at the end of each round as they were told, and all lines of the screen."""
    record = json.loads((scene / "record.json").read_text())
    remembered = Remembered(record)
    plots = json.loads((scene / "plots.json").read_text())
    plots |= {"rounds": [], "setup": plots["setup"] | {"paper": True}}
    (folder / "game.json").write_text(json.dumps(plots))
    words = [
        *("--game", "autoscooter", "--plots", folder / "game.json", "--evidence", "off"),
        *("--camera", f"folder:{scene}", "--out", folder / "evening"),
    ]
    chips: list[list[int]] = []
    lines: list[str] = []
    answers: dict[int, str] = {}
    with subprocess.Popen(
        [sys.executable, "-m", "tableref", "referee", *map(str, words)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if match := ANSWER.match(line):
                answers[int(match[1])] = match[2]
            elif line.startswith("? "):
                answers = {}
            elif line.startswith("> Type the number") and answers:
                process.stdin.write(f"{remembered.answer(answers, len(chips))}\n")
                process.stdin.flush()
                answers = {}
            elif line.startswith("= Chips"):
                chips.append([int(count) for count in CHIPS.findall(line)])
    return chips, lines, remembered


def test_chips_are_right_in_every_round_by_what_was_told_on_the_screen(
    shared: Path, tmp_path: Path
) -> None:
    chips, lines, remembered = evening(shared / "scenes" / "game-4p", tmp_path)
    assert not [line for line in lines if line.startswith("! ")]
    assert any(line.startswith("= Autoscooter is over. Won by: player 4.") for line in lines)
    assert chips[: len(remembered.chips)] == remembered.chips
