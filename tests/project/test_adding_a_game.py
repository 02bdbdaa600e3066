"""`docs/adding-a-game.md` is done to a copy of the sources, and the game it adds is played."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tableref.rules.defaults import Defaults
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "adding-a-game.md"
_BLOCK = re.compile(
    r"^`(?P<path>[\w/.-]+)`(?:, in `(?P<table>\w+)`)?:\n\n```\w+\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
PACKAGES = (
    "companion/tableref", "hardware/tableref_hardware", "vision/tableref_vision",
    "firmware/tableref_firmware",
)  # fmt: skip


KEPT = ("test_rules_of_every_game.py", "harness.py")
"""What the page has changed already."""


def insert(path: Path, table: str, line: str) -> None:
    """Puts a line at the top of the table that begins with this name."""
    text = path.read_text(encoding="utf-8")
    new, times = re.subn(
        rf"^({table}\b.*\{{\n)", lambda match: match[0] + line, text, flags=re.MULTILINE
    )
    assert times == 1, f"{path.name} has {times} tables {table}"
    path.write_text(new, encoding="utf-8")


class Copy:
    """The sources, with what the page adds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for package in PACKAGES:
            shutil.copytree(
                ROOT / package,
                folder / package,
                ignore=shutil.ignore_patterns("__pycache__", "*.onnx"),
            )
        every_game = "rules/test_rules_of_every_game.py"
        for file in ("__init__.py", "conftest.py", "rules/harness.py", every_game):
            target = folder / "tests" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "tests" / file, target)
        (folder / "tests" / "rules" / "golden").mkdir()
        self.files = []
        for block in _BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
            path = folder / block["path"]
            if block["table"]:
                insert(path, block["table"], block["text"])
            else:
                path.write_text(block["text"], encoding="utf-8")
                self.files.append(path)

    def run(self, *args: str, lines: str = "", both: bool = False) -> str:
        """What a Python command in the copy prints; with `both` its warnings, too."""
        roots = [self.folder, *(self.folder / Path(package).parent for package in PACKAGES)]
        done = subprocess.run(
            [sys.executable, *args],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, roots))},
            input=lines,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr if both else done.stdout

    def failures(self, *folders: str) -> list[str]:
        """Names of the files of tests that fail in the copy for the new game."""
        roots = [self.folder, *(self.folder / Path(package).parent for package in PACKAGES)]
        there = [folder for folder in folders if (self.folder / folder).exists()]
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-k",
                "kayles",
                *there,
            ],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, roots))},
            capture_output=True,
            text=True,
        )
        return sorted({*re.findall(r"^(?:FAILED|ERROR) ([\w/.]+)", done.stdout, re.MULTILINE)})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))


def test_the_page_adds_a_module_a_board_file_and_two_files_of_the_rulebook(copy: Copy) -> None:
    names = ["kayles.md", "kayles.md", "kayles.py", "kayles.toml"]
    assert sorted(path.name for path in copy.files) == names


def named_on_the_page() -> set[str]:
    return {block["path"] for block in _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))}


def test_no_file_is_changed_that_the_page_does_not_name(copy: Copy) -> None:
    changed = set()
    for package in PACKAGES:
        for path in (copy.folder / package).rglob("*"):
            name = path.relative_to(copy.folder).as_posix()
            if path.suffix in (".py", ".md", ".toml") and "__pycache__" not in name:
                there = ROOT / name
                if not there.exists() or there.read_bytes() != path.read_bytes():
                    changed.add(name)
    assert changed == {name for name in named_on_the_page() if not name.startswith("tests/")}


def test_the_page_names_all_that_a_game_may_say_of_its_own() -> None:
    text = PAGE.read_text(encoding="utf-8")
    own = [name for name in vars(Defaults) if not name.startswith("_")]
    assert len(own) > 15
    assert [name for name in own if f"`{name}`" not in text] == []


def test_the_new_game_passes_the_harness(copy: Copy) -> None:
    copy.run("-m", "tests.rules.harness", "golden", "kayles")
    told = copy.run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", ".",
        "tests/rules/test_rules_of_every_game.py", "-k", "kayles",
    )  # fmt: skip
    assert re.search(r"\b1[0-9] passed", told), told


def test_the_new_game_is_played_in_a_terminal(copy: Copy) -> None:
    told = copy.run("-m", "tableref", "play", "kayles", lines="a1+b1\na1\nc1\nboard\n")
    assert "First knocks down a1 and b1. (KA-2.1)" in told
    assert "No pin stands on a1. (KA-2.1)" in told
    told = copy.run(
        "-m", "tableref", "play", "kayles", "--random", "2", "--seed", "1", "--save", "g.json"
    )
    assert "takes the last pin and wins. (KA-3.1)" in told
    assert "g.json: ok" in copy.run("-m", "tableref", "check", "g.json")


def test_the_new_game_has_words_for_all_that_it_can_state(copy: Copy) -> None:
    code = (
        "import json; from tableref.rulebook import Rulebook; from tableref.rules.kayles import"
        " CASES; from tableref.rules.surface import Fact; book = Rulebook('en');"
        "print(json.dumps([[book.paragraph(p).case(c) is not None,"
        " len(book.screen(Fact(p, c, *'abcd')))] for p, c, _ in CASES]))"
    )
    found = json.loads(copy.run("-c", code))
    assert all(known and lines <= 4 for known, lines in found)


def test_the_new_game_is_refereed_journaled_asked_and_replayed(copy: Copy) -> None:
    copy.run(
        "-m", "tableref", "demo", "--game", "kayles", "--seed", "4", "--out", "evening",
        "--record", "evening.jsonl", "--json",
    )  # fmt: skip
    told = copy.run("-m", "tableref", "ask", "evening", "what may be done?")
    assert told.strip()
    events = [json.loads(line) for line in copy.run(
        "-m", "tableref", "replay", "evening.jsonl", "--out", "again", "--json"
    ).splitlines()]  # fmt: skip
    rulings = [event for event in events if event["event"] == "ruling"]
    assert any("knocks down" in text for event in rulings for text in event["text"])
    [end] = [event for event in events if event["event"] == "end"]
    assert end["paragraph"] == "KA-3.1"
    assert "knocks down" in copy.run("-m", "tableref", "journal", "evening")
    assert list((copy.folder / "evening" / "lights").glob("*.png"))
    for sheet in ("overlay", "pieces"):
        copy.run("-m", "tableref", "print", sheet, "kayles", "--out", f"{sheet}.pdf")


def test_the_new_game_is_seen_by_a_camera_and_taken_up_again(copy: Copy) -> None:
    copy.run(
        "-m", "tableref", "demo", "--game", "kayles", "--senses", "both", "--turns", "2",
        "--out", "seen", "--json",
    )  # fmt: skip
    assert list((copy.folder / "seen" / "camera").glob("*.jpg"))
    told = copy.run("-m", "tableref", "journal", "seen")
    assert "knocks down" in told
    assert "HR-1.1" in told


def test_the_new_game_goes_on_where_it_was_left_and_is_put_right(copy: Copy) -> None:
    """By hand, in three sittings: what was asked is asked again, `help` has examples of this
    game, a position is put right, and a refusal names the paragraph."""
    referee = ("-m", "tableref", "referee", "--game", "kayles", "--out", "sittings")
    resume = ("-m", "tableref", "resume", "sittings")
    first = copy.run(*referee, lines="ok\nc1+d1\nd1 is pin\nc1\nhelp\nboard\nd1\na1\n", both=True)
    assert "First knocks down c1 and d1. (KA-2.1)" in first
    assert "! No pin stands on c1. (KA-2.1)" in first
    assert "fault" not in first
    assert "c1 is pin" in first
    assert re.search(r"\[p\] +\[p\] +c1 +\[p\]", first), "what is put right, is, and nothing else"
    second = copy.run(*resume, lines="c1 is pin\nb1+c1\nundo\n", both=True)
    assert "(again) Second moves; which move is it?" in second
    assert "Second knocks down b1 and c1. (KA-2.1)" in second
    assert "Taken back: b1+c1. (HR-2.1)" in second
    third = copy.run(*resume, lines="b1+c1\ne1+f1\ng1\nh1+i1\n", both=True)
    assert "= Kayles is over. Won by: first. (KA-3.1)" in third
    assert "Kayles is over" in copy.run(*resume)


def test_a_game_whose_position_cannot_be_said_says_so(copy: Copy) -> None:
    code = (
        "from tableref.rules.kayles import Kayles; del Kayles.put_right;"
        "from tableref.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
    )
    words = ("-c", code, "referee", "--game", "kayles", "--out", "unsaid")
    told = copy.run(*words, lines="ok\na1\nhelp\na1 is pin\nb1\n", both=True)
    assert "nobody can say what stands where" in told
    assert "fault" not in told
    assert "Second knocks down b1" in told


def test_what_the_new_game_still_wants_is_named_on_the_page(copy: Copy) -> None:
    """Of the tests that go over all games those fail that the last section names, and no others."""
    shutil.copytree(
        ROOT / "tests", copy.folder / "tests", dirs_exist_ok=True,
        ignore=lambda folder, names: [n for n in names if n in KEPT or n == "__pycache__"],
    )  # fmt: skip
    for name in ("docs", "pyproject.toml", "vision/training", "hardware/models"):
        source, target = ROOT / name, copy.folder / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, target)
    failed = copy.failures("tests/rulebook", "tests/rules", "tests/hardware", "tests/vision")
    text = PAGE.read_text(encoding="utf-8").partition("## 8.")[2]
    assert failed
    assert [
        name for name in failed if name not in text and f"{Path(name).parent}/" not in text
    ] == []


def test_what_nobody_has_translated_is_told_in_english_with_a_word(copy: Copy) -> None:
    code = "from tableref.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
    told = copy.run("-c", code, "lookup", "--lang", "fr", "KA-2.1", both=True)
    assert "Knocking down" in told
    assert "nobody has put them into 'fr'" in told
    named = "from tableref.rulebook.text import title; print(title('fr', 'kayles'))"
    assert copy.run("-c", named) == "Kayles\n"


def test_the_new_game_is_looked_up(copy: Copy) -> None:
    told = copy.run("-m", "tableref", "lookup", "--game", "kayles", "may I take three pins")
    assert "KA-2.1" in told


def test_a_sighting_in_the_new_game_is_explained(copy: Copy) -> None:
    code = (
        "from tableref.referee.games import load_game; from tableref.rules.explain import *;"
        "g = load_game('kayles'); s = g.start({});"
        "def_ = lambda *c: explain(g, s, sighting_of({x: g.stacks[0] for x in g.row if x not in c},"
        " g.row)); print([g.text(s, a.actions[0]) for a in def_('c1', 'd1').answers],"
        " def_('a1', 'c1').nearest.ruling.paragraphs)"
    )
    assert copy.run("-c", code) == "['c1+d1'] ('KA-2.1',)\n"


def test_the_new_module_is_clean(copy: Copy) -> None:
    module = next(path for path in copy.files if path.suffix == ".py")
    for tool in (["ruff", "check"], ["ruff", "format", "--diff"]):
        done = subprocess.run(
            [sys.executable, "-m", *tool, "--config", str(ROOT / "pyproject.toml"), str(module)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
