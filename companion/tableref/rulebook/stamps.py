"""Which translations are older than their English: `python -m tableref.rulebook.stamps`.

A translated paragraph names in `From` the digest of the English that it was made from. When the
English changes, the translation is stale until somebody has looked at it and says so with
`--accept LANG ID ...` (or `all`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from tableref.rulebook.text import FOLDER, GAMES, LANGUAGES, game_of, load

_FROM = re.compile(r"- \*\*From:\*\* \w+\n")


def stale(lang: str, folder: Path = FOLDER) -> tuple[str, ...]:
    """Ids of the paragraphs whose English has changed since they were translated, in order."""
    ids = []
    for game in GAMES.values():
        english = load(LANGUAGES[0], game, folder)
        for id, paragraph in load(lang, game, folder).items():
            if id in english and paragraph.source != english[id].digest():
                ids.append(id)
    return tuple(ids)


def accept(lang: str, ids: Collection[str], folder: Path = FOLDER) -> None:
    """Writes into these paragraphs that they are made from the present English. KeyError"""
    for game in sorted({game_of(id) for id in ids}):
        english = load(LANGUAGES[0], game, folder)
        path = folder / lang / f"{game}.md"
        parts = re.split(r"(?m)^(?=## )", path.read_text(encoding="utf-8"))
        for number, part in enumerate(parts):
            id = part[3:].partition(" ")[0]
            if id in ids:
                parts[number] = _stamped(part, english[id].digest())
        path.write_text("".join(parts), encoding="utf-8")


def _stamped(part: str, digest: str) -> str:
    """The paragraph with this digest, behind its other fields and before its sentences."""
    lines = _FROM.sub("", part).splitlines()
    first_case = next((i for i, line in enumerate(lines) if line.startswith("- `")), len(lines))
    head, cases = lines[:first_case], lines[first_case:]
    while head and not head[-1]:
        head.pop()
    if not any(line.startswith("- **") for line in head):
        head.append("")
    head += [f"- **From:** {digest}", ""]
    return "\n".join([*head, *cases]).rstrip("\n") + "\n" + ("\n" if part.endswith("\n\n") else "")


def main(argv: Sequence[str] | None = None) -> int:
    """Lists stale translations; 1 where there are any."""
    parser = argparse.ArgumentParser(prog="python -m tableref.rulebook.stamps", description=__doc__)
    parser.add_argument("--accept", nargs="+", metavar=("LANG", "ID"))
    args = parser.parse_args(argv)
    if args.accept:
        lang, *ids = args.accept
        accept(lang, stale(lang) if ids == ["all"] else ids)
    left = [f"{lang} {id}" for lang in LANGUAGES[1:] for id in stale(lang)]
    print("\n".join(left) or "All translations are up to date.")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
