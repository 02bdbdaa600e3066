"""The documentation: its links lead somewhere, its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tableref.cli import COMMANDS

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


def test_every_command_stands_somewhere_in_the_documentation() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    missing = [command.name for command in COMMANDS if f"tableref {command.name}" not in text]
    assert not missing
