"""The documentation: its links lead somewhere, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tableref.cli import COMMANDS, main
from tableref_hardware.electronics.stripboard import unit_circuit, unit_layout

ROOT = Path(__file__).resolve().parent.parent.parent
CARD = ROOT / "vision" / "tableref_vision" / "dice" / "weights" / "README.md"
PAGES = [ROOT / "README.md", CARD, *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
COMMAND = re.compile(r"^(?:\S+/)?tableref ([a-z]+)", re.MULTILINE)

of_each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@of_each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@of_each_page
def test_every_command_that_is_shown_exists(page: Path) -> None:
    shown = set(COMMAND.findall(page.read_text(encoding="utf-8")))
    assert shown <= {command.name for command in COMMANDS}


@of_each_page
def test_no_page_names_a_path_of_somebodys_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w~.])/(work|root|tmp)/", text)


GUIDE = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^ *\$ tableref (.+)\n((?:(?! *```).*\n)*)", GUIDE, re.MULTILINE)


@pytest.mark.parametrize(("command", "says"), SHOWN, ids=[command for command, _ in SHOWN])
def test_what_a_command_of_the_guide_for_makers_must_say_it_says(
    command: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a board without hardware; `...` in the guide stands for anything."""
    words = command.split()
    main([*words, "--port", "virtual"] if words[0] == "board" else words)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for wanted in says.splitlines():
        pattern = re.escape(" ".join(wanted.split())).replace(r"\.\.\.", ".*")
        assert any(re.fullmatch(pattern, line) for line in lines), (wanted, lines)


def test_the_guides_drawing_of_the_unit_is_the_one_that_is_made() -> None:
    from electronics.drawing import drawn

    made = drawn(unit_layout(), unit_circuit())
    assert (ROOT / "docs" / "images" / "build-unit.svg").read_text(encoding="utf-8") == made


def test_every_command_stands_somewhere_in_the_documentation() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    missing = [command.name for command in COMMANDS if f"tableref {command.name}" not in text]
    assert not missing
