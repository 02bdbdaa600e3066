"""How often the look-up finds the right paragraph, and how much CPU time it takes."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tableref.rulebook.lookup import Answer, Lookup
from tableref.rulebook.text import LANGUAGES
from tests.conftest import shared_folder

_START = """
import sys, time
from pathlib import Path
began = time.process_time()
from tableref.rulebook.lookup import Lookup
imported = time.process_time()
Lookup(sys.argv[1], Path(sys.argv[2]))
print(imported - began, time.process_time() - imported)
"""
STARTS = 3

OWN = Path(__file__).parent.parent / "rulebook"

Question = dict[str, Any]


def run() -> list[str]:
    """Lines with figures: start-up, time a question, hits with and without the game."""
    lines = []
    with contextlib.ExitStack() as stack:
        cache = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        lookups = {}
        for lang in LANGUAGES:
            lookups[lang] = Lookup(lang, cache)
            made = [start_up(lang, cache / f"new-{number}") for number in range(STARTS)]
            opened = [start_up(lang, cache) for _ in range(STARTS)]
            lines.append(
                f"index {lang}, CPU in a new process, median of {STARTS}: "
                f"made for the first time {median(took for _, took in made):.3f} s, "
                f"opened {median(took for _, took in opened):.3f} s (wanted: under 0.3), "
                f"and imports before that {median(took for took, _ in made + opened):.3f} s"
            )
        for name, path in sets():
            questions = list(read(path))
            for known in (True, False):
                lines.append(f"{name}, game {'known' if known else 'not known'}: ")
                lines[-1] += measured(lookups, questions, known)
    return lines


def start_up(lang: str, cache: Path) -> tuple[float, float]:
    """Seconds of CPU time that a new process takes to import the look-up, and to start it."""
    command = [sys.executable, "-c", _START, lang, str(cache)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(told[0]), float(told[1])


def sets() -> Iterator[tuple[str, Path]]:
    """The stored questions, where they are at hand, and our own, which helped to choose words."""
    shared = shared_folder()
    if shared is not None:
        yield "stored questions", shared / "questions" / "questions.jsonl"
    yield "own questions", OWN / "questions.jsonl"
    yield "own hard questions", OWN / "hard_questions.jsonl"
    yield "own everyday questions", OWN / "everyday_questions.jsonl"


def read(path: Path) -> Iterator[Question]:
    """The questions of a file, one JSON object a line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def counted(answers: Iterable[tuple[Question, Answer]]) -> Counter[str]:
    """How many are `covered` and `uncovered`; of the covered those with a right paragraph `first`
    and among `three`; those called uncovered, `wrongly` and `rightly`."""
    count: Counter[str] = Counter()
    for question, answer in answers:
        right = [result.id in question["answers"] for result in answer.results[:3]]
        if question["answers"]:
            count.update({"covered": 1, "first": any(right[:1]), "three": any(right)})
            count["wrongly"] += answer.none
        else:
            count.update({"uncovered": 1, "rightly": answer.none})
    return count


def asked(lookups: dict[str, Lookup], question: Question, known: bool) -> Answer:
    """The answer, with the game or without it."""
    return lookups[question["lang"]].ask(question["q"], question["game"] if known else None)


def measured(lookups: dict[str, Lookup], questions: list[Question], known: bool) -> str:
    """One line of counts, percentages and times."""
    answers, times = [], []
    for question in questions:
        start = time.process_time()
        answers.append((question, asked(lookups, question, known)))
        times.append((time.process_time() - start) * 1000)
    count = counted(answers)
    covered, uncovered = count["covered"], count["uncovered"]

    def share(part: str, whole: int) -> str:
        return f"{count[part]}/{whole} ({100 * count[part] / max(whole, 1):.1f} %)"

    return (
        f"first {share('first', covered)}, in three {share('three', covered)}; "
        f"none rightly {share('rightly', uncovered)}, wrongly {share('wrongly', covered)}; "
        f"CPU median {median(times):.1f} ms, p95 {quantiles(times, n=20)[-1]:.1f} ms"
    )
