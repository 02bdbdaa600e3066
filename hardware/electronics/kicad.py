"""KiCad's own electrical rules and drawing of the schematic, where KiCad 8 or later is installed.

Debian 13 has it (`apt install kicad`); nothing here needs it, for SKiDL checks the same rules.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

COMMAND = "kicad-cli"
_LONGEST_S = 300


class KicadFailed(Exception):
    """KiCad's command did not do its work; the message is what it said."""


def has_kicad() -> bool:
    """Whether KiCad's command is here."""
    return shutil.which(COMMAND) is not None


def rule_faults(schematic: Path) -> tuple[str, ...]:
    """What KiCad's electrical rules find, errors and warnings. KicadFailed"""
    schematic = schematic.resolve()
    report = schematic.with_name(f"{schematic.stem}-rules.json")
    _run("sch", "erc", "--format", "json", "--output", str(report), str(schematic))
    sheets = json.loads(report.read_text(encoding="utf-8"))["sheets"]
    return tuple(
        _sentence(fault, sheet["path"]) for sheet in sheets for fault in sheet["violations"]
    )


def draw(schematic: Path) -> tuple[Path, ...]:
    """Writes an SVG of each sheet beside the schematic; their paths. KicadFailed"""
    schematic = schematic.resolve()
    before = set(schematic.parent.glob("*.svg"))
    _run("sch", "export", "svg", "--output", str(schematic.parent), str(schematic))
    return tuple(sorted(set(schematic.parent.glob("*.svg")) - before))


def _sentence(fault: dict[str, Any], sheet: str) -> str:
    at = "; ".join(item["description"] for item in fault["items"])
    return f"KiCad, sheet {sheet}: {fault['description']}: {at}"


def _run(*words: str) -> None:
    done = subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, timeout=_LONGEST_S, check=False
    )
    if done.returncode:
        raise KicadFailed(f"{COMMAND} {' '.join(words)}: {(done.stderr or done.stdout).strip()}")
