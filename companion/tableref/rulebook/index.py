"""The index of the look-up: one SQLite file (FTS5) a language, made from the texts when needed.

It is made in memory, which takes a tenth of a second, and kept in the cache folder of the user. The
file's name holds a digest of all that goes into the index, so a changed text leads to a new file;
its last bytes are a checksum, so a damaged one is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import re
import sqlite3
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import Stemmer

from tableref.rulebook import asked, text
from tableref.rulebook.covering import everyday_phrases, everyday_stems
from tableref.rulebook.terms import Analyser, parts

VERSION = 4
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
CREATE TABLE everyday (stems TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE likely USING fts5(word, tokenize = 'trigram');
"""

_CHECKSUM = 4
"""Bytes at the end of the file."""

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
        for paragraph in text.told(lang, game)[0].values():
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
    """The index of this language in memory, made now if `cache`, the folder that keeps it, has none
    that is good. text.TextError"""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    folder = cache or _cache_folder()
    path = folder / f"lookup-{lang}-{_digest(lang)}.index" if folder else None
    if path and (kept := read_kept(path)):
        connection.deserialize(kept)
        return connection
    _fill(connection, lang)
    if path:
        # With no place to keep it, it is made again each time: that costs time but no answer.
        with contextlib.suppress(OSError):
            _keep(connection.serialize(), path)
    return connection


def read_kept(path: Path) -> bytes | None:
    """The database in this file, or None where there is none or it is damaged."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    data, checksum = kept[:-_CHECKSUM], kept[-_CHECKSUM:]
    return data if data and checksum == _checksum(data) else None


def _keep(data: bytes, path: Path) -> None:
    """Writes the file under another name first: who reads it at this moment reads a whole one.
    Indexes of older texts go. OSError"""
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = path.name.rpartition("-")[0] + "-"
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data + _checksum(data))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    for old in path.parent.glob(f"{prefix}*"):
        if old != path:
            old.unlink(missing_ok=True)


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_CHECKSUM, "little")


def _fill(connection: sqlite3.Connection, lang: str) -> None:
    analyser = Analyser(lang)
    found = [(analyser.words(line.words), line) for line in lines(lang)]
    vocabulary = analyser.known_words().union(*(words for words, _ in found))
    everyday = [word for phrase in everyday_phrases(lang) for word in analyser.words(phrase)]
    rules = {s for words, line in found if _of_a_rule(line) for s in analyser.stems(words)}
    compounds = {word: parts(word, vocabulary) for word in vocabulary} if lang == "de" else {}
    rows = [(terms_of(words, analyser, compounds), line) for words, line in found]
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
            "INSERT INTO everyday VALUES (?)", ((s,) for s in everyday_stems(analyser, rules))
        )
        vocabulary.update(everyday)
        connection.executemany(
            "INSERT INTO word VALUES (?, ?)", ((w, analyser.stem(w)) for w in sorted(vocabulary))
        )
        connection.executemany(
            "INSERT INTO likely VALUES (?)", ((f" {w} ",) for w in sorted(vocabulary) if len(w) > 3)
        )


def _of_a_rule(line: Line) -> bool:
    """Whether the words are about a rule of play; phrases about the house speak of toilets, too."""
    house = line.kind == ASKED and line.game == text.GAMES["HR"]
    return line.paragraph != asked.NONE and not house


def _wholes(rows: list[tuple[list[str], Line]]) -> dict[tuple[str, str], list[str]]:
    """Paragraph (or `none`) and game -> all terms of all its lines."""
    wholes: dict[tuple[str, str], list[str]] = {}
    for terms, line in rows:
        wholes.setdefault((line.paragraph, line.game), []).extend(terms)
    return wholes


def terms_of(
    words: Sequence[str], analyser: Analyser, compounds: Mapping[str, Sequence[str]]
) -> list[str]:
    """The terms of the folded words of a text, each once: stems, ideas, and the parts of
    compounds."""
    stems = analyser.stems(words)
    terms = stems + analyser.ideas(stems)
    for word in words:
        for part in compounds.get(word, ()):
            stem = analyser.stem(part)
            terms += [stem, *analyser.ideas([stem])]
    return list(dict.fromkeys(terms))


def _digest(lang: str) -> str:
    """Sixteen hex digits of everything that the index is made from."""
    digest = hashlib.sha256(f"{VERSION} {Stemmer.version()}".encode())
    for spoken in dict.fromkeys((lang, text.LANGUAGES[0])):  # what is not translated is English
        for folder in (text.FOLDER / spoken, text.FOLDER / spoken / "asked"):
            for path in sorted(folder.glob("*.*")):
                digest.update(path.read_bytes())
    for module in ("terms.py", "index.py", "covering.py"):
        digest.update((text.FOLDER / module).read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """Where this user keeps what can be made again; None for a user without a home."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        # The standard wants a relative path to be ignored.
        return (Path(given) if os.path.isabs(given) else Path.home() / ".cache") / "tableref"
    except RuntimeError:
        return None
