"""The index of the look-up: one SQLite file (FTS5) a language, made from the texts when needed.

Its name holds a digest of all that goes into it, so a changed text leads to a new file. It lies in
the cache folder of the user; where that cannot be written the index lives in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tableref.rulebook import asked, text
from tableref.rulebook.terms import Analyser, parts

VERSION = 2
"""Raise it when the tables or what is written into them change."""

TITLE, BODY, ASKED = "title", "body", "asked"
"""What a line of the index is: the heading, a sentence of the rule, a phrase that people use."""

_SCHEMA = """
CREATE VIRTUAL TABLE line USING fts5(
    terms, norm UNINDEXED, kind UNINDEXED, paragraph UNINDEXED, game UNINDEXED, words UNINDEXED,
    tokenize = "unicode61 tokenchars '_'");
CREATE VIRTUAL TABLE whole USING fts5(
    terms, paragraph UNINDEXED, game UNINDEXED, tokenize = "unicode61 tokenchars '_'");
CREATE TABLE term (term TEXT PRIMARY KEY, weight REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE word (word TEXT PRIMARY KEY, stem TEXT NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE likely USING fts5(word, tokenize = 'trigram');
"""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[\"«„A-ZÀÂÉÊÎÔÄÖÜ])|\n\s*\n|\n?\* ")


class Line(NamedTuple):
    """Some words of a paragraph, or of what none covers (`asked.NONE`)."""

    kind: str
    paragraph: str
    game: str
    words: str


def lines(lang: str) -> Iterator[Line]:
    """All that is searched in one language."""
    for game in text.GAMES.values():
        for paragraph in text.load(lang, game).values():
            yield Line(TITLE, paragraph.id, game, paragraph.title)
            rule = "\n\n".join((paragraph.text, paragraph.ruling, paragraph.other_reading))
            for sentence in sentences(rule):
                yield Line(BODY, paragraph.id, game, sentence)
        for id, phrases in asked.load(lang, game).items():
            for phrase in phrases:
                yield Line(ASKED, id, game, phrase)


def sentences(words: str) -> list[str]:
    """A text cut into its sentences, each on one line."""
    return [flat for part in _SENTENCE_END.split(words) if (flat := " ".join(part.split()))]


def open_index(lang: str, cache: Path | None = None) -> sqlite3.Connection:
    """The index of this language, made now if it is not there yet or damaged. `cache` is the
    folder that keeps it. text.TextError"""
    path = (cache or _cache_folder()) / f"lookup-{lang}-{_digest(lang)}.sqlite"
    try:
        return _kept(path) or _made(lang, path)
    except (OSError, sqlite3.OperationalError):
        # No place to keep it: it is made again each time, which costs time but no answer.
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        _fill(connection, lang)
        return connection


def _kept(path: Path) -> sqlite3.Connection | None:
    """The index in this file, or None where there is none that can be read."""
    if not path.exists():
        return None
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)
    try:
        connection.execute("SELECT 1 FROM line LIMIT 1").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        return None
    return connection


def _made(lang: str, path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    _make(lang, path)
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)


def _make(lang: str, path: Path) -> None:
    """Writes the file under another name first: a power cut leaves no half index behind."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".sqlite")
    os.close(handle)
    try:
        with contextlib.closing(sqlite3.connect(name)) as connection:
            _fill(connection, lang)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    for old in path.parent.glob(f"lookup-{lang}-*.sqlite"):
        if old != path:
            old.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, lang: str) -> None:
    analyser = Analyser(lang)
    found = list(lines(lang))
    vocabulary = {word for line in found for word in analyser.words(line.words)}
    vocabulary |= analyser.known_words()
    splitting = vocabulary if lang == "de" else frozenset[str]()
    rows = [(terms_of(line.words, analyser, splitting), line) for line in found]
    counts = Counter(term for terms, _ in rows for term in terms)
    weights = {
        term: analyser.strength(term) * math.log(1 + len(rows) / count)
        for term, count in counts.items()
    }
    with connection:
        connection.executescript(_SCHEMA)
        connection.executemany(
            "INSERT INTO line VALUES (?, ?, ?, ?, ?, ?)",
            (
                (" ".join(terms), math.sqrt(sum(weights[t] ** 2 for t in terms)), *line)
                for terms, line in rows
                if terms
            ),
        )
        connection.executemany(
            "INSERT INTO whole VALUES (?, ?, ?)",
            ((" ".join(terms), *key) for key, terms in _wholes(rows).items()),
        )
        connection.executemany("INSERT INTO term VALUES (?, ?)", sorted(weights.items()))
        connection.executemany(
            "INSERT INTO word VALUES (?, ?)", ((w, analyser.stem(w)) for w in sorted(vocabulary))
        )
        connection.executemany(
            "INSERT INTO likely VALUES (?)", ((f" {w} ",) for w in sorted(vocabulary) if len(w) > 3)
        )


def _wholes(rows: list[tuple[list[str], Line]]) -> dict[tuple[str, str], list[str]]:
    """Paragraph (or `none`) and game -> all terms of all its lines."""
    wholes: dict[tuple[str, str], list[str]] = {}
    for terms, line in rows:
        wholes.setdefault((line.paragraph, line.game), []).extend(terms)
    return wholes


def terms_of(words: str, analyser: Analyser, splitting: frozenset[str] | set[str]) -> list[str]:
    """The terms of a text, each once: stems, ideas, and the parts of compounds."""
    plain = analyser.words(words)
    stems = [analyser.stem(word) for word in plain]
    terms = stems + analyser.ideas(stems)
    for word in plain:
        for part in parts(word, splitting):
            stem = analyser.stem(part)
            terms += [stem, *analyser.ideas([stem])]
    return list(dict.fromkeys(terms))


def _digest(lang: str) -> str:
    """Eight hex digits of everything that the index is made from."""
    digest = hashlib.sha256(f"{VERSION}".encode())
    folders = {text.FOLDER / lang, text.FOLDER / lang / "asked"}
    for folder in sorted(folders):
        for path in sorted(folder.glob("*.*")):
            digest.update(path.read_bytes())
    for module in ("terms.py", "index.py"):
        digest.update((text.FOLDER / module).read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME")
    return Path(home or "~/.cache").expanduser() / "tableref"
