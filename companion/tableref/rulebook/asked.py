"""How people ask: phrases for each paragraph, data of the look-up, `<lang>/asked/<game>.md`.

    ## AS-5.7
    I cannot pay; out of chips; not enough chips

Phrases are parted by semicolons. Under the heading `none` stand those that no paragraph covers.
"""

from __future__ import annotations

import re
from pathlib import Path

from tableref.rulebook.text import FOLDER, TextError

NONE = "none"
_HEADING = re.compile(r"## ([A-Z]{2}-\d+\.\d+|none)")


def load(lang: str, game: str, folder: Path = FOLDER) -> dict[str, list[str]]:
    """Paragraph id or `none` -> phrases; none where nobody has gathered any yet. TextError"""
    path = folder / lang / "asked" / f"{game}.md"
    if not path.exists():
        return {}
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("## "):
            match = _HEADING.fullmatch(line.rstrip())
            if match is None or match[1] in found:
                raise TextError(
                    f"{lang}/asked/{path.name}, line {number}: expected '## ' and a paragraph id "
                    f"that did not stand before, or 'none', found {line!r}"
                )
            lines = found[match[1]] = []
        else:
            lines.append(line)
    return {id: _phrases(lines) for id, lines in found.items()}


def _phrases(lines: list[str]) -> list[str]:
    words = (phrase.strip() for phrase in " ".join(lines).split(";"))
    return [phrase for phrase in words if phrase]
