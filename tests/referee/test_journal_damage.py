"""Journals that are not as they were written: never another game, always a way to go on."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tableref.cli import main
from tableref.errors import UserError
from tableref.referee import chain, store
from tableref.referee.desk import Desk
from tableref.referee.evening import JOURNAL, Evening, new_evening_of
from tableref.referee.journal import Journal
from tableref.referee.resuming import repaired_evening, resumed_evening, viewed_evening
from tableref.referee.table import ROW_KINDS, Row, TableState
from tests.conftest import ROOT
from tests.referee.conftest import SceneGame

FLIPS = 300

FIRST_FORM = """
CREATE TABLE head (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rows (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL,
    monotonic REAL NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL);
"""


@pytest.fixture(scope="module")
def played(game_4p: SceneGame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game in its third round."""
    folder = tmp_path_factory.mktemp("played")
    evening = new_evening_of(folder, game_4p.head)
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [])
    for given in game_4p.inputs[:40]:
        desk.take(given)
    evening.journal.close()
    return folder


@pytest.fixture
def game(played: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return Path(shutil.copytree(played, tmp_path / "game"))


def changed(folder: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(folder / JOURNAL)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def refusal(folder: Path) -> str:
    with pytest.raises(UserError) as error:
        resumed_evening(folder)
    assert "\n" not in str(error.value)
    return str(error.value)


def first_form(folder: Path) -> None:
    """Writes the journal anew as Tableref 0.1 kept it: a log beside it, no checksums."""
    lines = store.read(folder / JOURNAL)
    (folder / JOURNAL).unlink()
    with contextlib.closing(sqlite3.connect(folder / JOURNAL)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(FIRST_FORM)
        head = {"format": chain.FIRST_FORMAT, **lines.head}
        connection.executemany(
            "INSERT INTO head VALUES (?, ?)", [(k, json.dumps(v)) for k, v in head.items()]
        )
        rows = [(x.kind, x.data, x.monotonic, x.boot, x.wall) for x in lines.lines]
        sql = "INSERT INTO rows (kind, data, monotonic, boot, wall) VALUES (?, ?, ?, ?, ?)"
        connection.executemany(sql, rows)
        connection.commit()


# -- flipped bits ----------------------------------------------------------------------------------


def flipped_copies(path: Path, count: int, seed: int) -> Iterator[bytes]:
    """The file with one bit changed, another each time."""
    content, chance = path.read_bytes(), random.Random(seed)
    for _ in range(count):
        flipped = bytearray(content)
        flipped[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(flipped)
        yield bytes(flipped)


def taken_up(folder: Path, take_up: Callable[[Path], Evening]) -> TableState | str:
    """The state, or why there is none."""
    try:
        evening = take_up(folder)
    except UserError as error:
        return str(error)
    evening.journal.close()
    return evening.state


def test_a_flipped_bit_is_refused_with_the_row_or_changes_nothing(game: Path) -> None:
    whole, refused = viewed_evening(game).state, 0
    for number, _ in enumerate(flipped_copies(game / JOURNAL, FLIPS, 13)):
        found = taken_up(game, viewed_evening if number % 3 else resumed_evening)
        if isinstance(found, str):
            refused += 1
            assert re.search(r"damaged (at row \d+|at its head|or no journal)", found)
        else:
            assert found == whole
    assert refused > FLIPS / 4  # the rest hits room that no row uses


def test_a_flipped_bit_can_be_repaired_to_rows_that_were(game: Path) -> None:
    rows, repairs = list(viewed_evening(game).journal.rows()), 0
    for flipped in flipped_copies(game / JOURNAL, 30, 17):
        if isinstance(found := taken_up(game, resumed_evening), TableState):
            continue
        if "damaged or no journal" in found:
            continue
        repaired = repaired_evening(game)
        assert repaired is not None
        assert repaired.copy.read_bytes() == flipped
        kept = list(repaired.evening.journal.rows())
        repaired.evening.journal.close()
        assert kept == rows[: repaired.rows]
        assert taken_up(game, resumed_evening) == repaired.evening.state
        repairs += 1
    assert repairs > 15


def test_a_flip_in_a_log_beside_an_older_journal_is_no_other_game(game: Path) -> None:
    """The older form kept rows in a log beside it; today's keeps none, so none can be changed."""
    first_form(game)
    resumed = resumed_evening(game)
    resumed.journal.write([Row("cleared", {})], 0.0)
    assert not list(game.glob("*-wal"))
    resumed.journal.close()


# -- rows that do not belong -----------------------------------------------------------------------


def test_a_changed_row_is_named_with_the_round_up_to_which_all_is_good(game: Path) -> None:
    changed(game, "UPDATE rows SET data = replace(data, 'e', 'i') WHERE seq = 20")
    assert "damaged at row 20: its checksum does not fit. It is good up to row 19, round" in (
        refusal(game)
    )


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("DELETE FROM rows WHERE seq = 20", "damaged at row 20: it is missing"),
        ("DELETE FROM rows WHERE seq > 30", "damaged at row 31: "),
        ("UPDATE head SET value = '{}' WHERE key = 'setup'", "damaged at its head"),
        ("UPDATE head SET value = '{' WHERE key = 'setup'", "damaged at its head"),
        ("UPDATE tail SET seq = 3", "damaged at row "),
        ("DROP TABLE tail", "damaged at row "),
        ("DROP TABLE rows", "damaged at row 1: "),
        ("DROP TABLE head", "damaged at its head"),
    ],
)
def test_what_is_lost_is_told_and_repaired(game: Path, damage: str, says: str) -> None:
    changed(game, damage)
    assert says in refusal(game)
    assert main(["ask", str(game), "who pays whom?"]) == 2
    repaired = repaired_evening(game)
    assert repaired is not None
    repaired.evening.journal.close()
    assert resumed_evening(game).state == repaired.evening.state


def test_a_damaged_head_is_repaired_from_its_copy_and_no_row_is_lost(game: Path) -> None:
    whole = viewed_evening(game).state
    changed(game, "UPDATE head SET value = '[]' WHERE key = 'plots'")
    repaired = repaired_evening(game)
    assert repaired is not None
    assert repaired.evening.state == whole


def test_where_head_and_copy_are_gone_it_says_what_is_left_to_do(game: Path) -> None:
    changed(game, "UPDATE head SET value = '[]'", "UPDATE head_copy SET value = '[]'")
    assert "begin in another folder" in refusal(game)


def test_a_row_of_an_unknown_kind_is_refused(game: Path) -> None:
    journal = Journal.open(game / JOURNAL)
    lines = journal._lines
    last = lines[-1]
    strange = last._replace(seq=last.seq + 1, step=last.seq + 1, kind="teleport")
    connection = store.connect(game / JOURNAL)
    store.append(connection, chain.linked(last.sum, last.seq, [strange]))
    connection.close()
    journal.close()
    assert "'teleport' is no kind of row" in refusal(game)


def test_every_kind_of_row_that_is_made_is_known() -> None:
    sources = (ROOT / "companion" / "tableref").rglob("*.py")
    made = {
        kind
        for path in sources
        for kind in re.findall(r'\b(?:Row|Milestone)\("([^"]+)"', path.read_text())
    }
    assert made == ROW_KINDS


@pytest.mark.parametrize(
    "data",
    ["", "nonsense", "[]", "null", "{}", '{"action": 3}', '{"action": {"fly": 1}}', "[" * 9000],
)
def test_a_row_of_the_first_form_that_says_nonsense_is_a_sentence(game: Path, data: str) -> None:
    first_form(game)
    with contextlib.closing(sqlite3.connect(game / JOURNAL)) as connection, connection:
        connection.execute("UPDATE rows SET data = ? WHERE seq = 12", (data,))
    assert "damaged at row 12" in refusal(game)


# -- the first form --------------------------------------------------------------------------------


def test_a_journal_of_the_first_form_resumes_and_becomes_one_of_todays(game: Path) -> None:
    whole = viewed_evening(game).state
    first_form(game)
    assert viewed_evening(game).state == whole
    evening = resumed_evening(game)
    assert evening.state == whole
    evening.journal.begin()
    evening.journal.close()
    assert store.read(game / JOURNAL).form == chain.FORMAT
    assert store.read(game / "journal.first-form-1.sqlite3").form == chain.FIRST_FORMAT
    assert resumed_evening(game).state == whole


def test_a_tail_that_two_processes_wrote_is_repaired_up_to_the_last_row_that_fits(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the first form let it happen: both went on from the same row, and their rows mixed."""
    first_form(game)
    with contextlib.closing(sqlite3.connect(game / JOURNAL)) as connection, connection:
        rows = connection.execute("SELECT * FROM rows WHERE seq > 10 ORDER BY seq").fetchall()
        connection.execute("DELETE FROM rows WHERE seq > 10")
        for row in rows:
            for _ in range(2):
                connection.execute(
                    "INSERT INTO rows (kind, data, monotonic, boot, wall) VALUES (?, ?, ?, ?, ?)",
                    row[1:],
                )
    assert "--repair" in refusal(game)
    repaired = repaired_evening(game)
    assert repaired is not None
    assert repaired.rows >= 10
    assert store.read(repaired.copy).form == chain.FIRST_FORMAT
    repaired.evening.journal.close()
    resumed_evening(game).journal.close()


# -- one owner -------------------------------------------------------------------------------------


def test_only_one_may_write_and_the_other_is_told_who_does(game: Path) -> None:
    first = resumed_evening(game)
    with pytest.raises(UserError, match=r"process \d+ \(.+\) plays this game already"):
        resumed_evening(game)
    assert viewed_evening(game).state == first.state
    first.journal.close()
    resumed_evening(game).journal.close()


def test_rows_have_numbers_so_a_stranger_in_the_file_stops_the_game(game: Path) -> None:
    evening = resumed_evening(game)
    changed(game, "INSERT INTO rows SELECT seq + 1, step, kind, data, 0, '', '', '' FROM rows"
                  " ORDER BY seq DESC LIMIT 1")  # fmt: skip
    with pytest.raises(UserError, match="something else has written in it"):
        evening.journal.write([Row("cleared", {})], 0.0)


# -- folders and files that are in the way ---------------------------------------------------------


def test_an_empty_journal_is_told_alike_by_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / JOURNAL).touch()
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    words = ["referee", "--game", "autoscooter", "--camera", f"folder:{pictures}"]
    for command in (["resume", str(tmp_path)], [*words, "--out", str(tmp_path)]):
        assert main(command) == 2
        assert "it is empty, no game was begun in it; remove it" in capsys.readouterr().err


@pytest.mark.parametrize("name", [JOURNAL, f"{JOURNAL}-journal", "journal.told"])
@pytest.mark.parametrize("put", [os.mkfifo, os.mkdir])
def test_what_would_be_read_for_ever_is_refused_by_its_name(
    game: Path, name: str, put: Callable[[Path], None]
) -> None:
    (game / name).unlink(missing_ok=True)
    put(game / name)
    for use in (resumed_evening, viewed_evening):
        with pytest.raises(UserError, match=rf"{name}: it is no regular file"):
            use(game)


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE TRIGGER gone AFTER INSERT ON rows BEGIN DELETE FROM rows; END",),
        ("ALTER TABLE rows RENAME TO other", "CREATE VIEW rows AS SELECT * FROM other"),
    ],
)
def test_a_journal_that_changes_what_is_written_is_refused(
    game: Path, statements: tuple[str, ...]
) -> None:
    changed(game, *statements)
    assert "it would change what is written" in refusal(game)


def test_a_game_that_never_began_leaves_nothing(game_4p: SceneGame, tmp_path: Path) -> None:
    new_evening_of(tmp_path / "new", game_4p.head).journal.close()
    assert list((tmp_path / "new").iterdir()) == []


def test_what_a_kill_left_half_made_is_begun_again(game_4p: SceneGame, tmp_path: Path) -> None:
    (tmp_path / f"{JOURNAL}.new").write_bytes(b"half a jour")
    evening = new_evening_of(tmp_path, game_4p.head)
    evening.journal.begin()
    evening.journal.close()
    assert resumed_evening(tmp_path).state == evening.state


def test_lines_behind_a_row_are_those_that_came_since(game: Path) -> None:
    journal = Journal.read(game / JOURNAL)
    whole = list(journal.lines())
    assert list(journal.lines(after=len(whole) - 2)) == whole[-2:]
    assert list(journal.lines(after=len(whole))) == []


@pytest.mark.usefixtures("soon")
def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("keep this")
    (tmp_path / "journal.lock").symlink_to(mine)
    with pytest.raises(UserError, match=r"journal\.lock: cannot be written"):
        Journal.create(tmp_path / JOURNAL, {})
    assert mine.read_text() == "keep this"


def test_nobody_else_may_read_what_is_secret(game: Path) -> None:
    evening = resumed_evening(game)
    evening.journal.write([Row("cleared", {})], 0.0)
    evening.journal.note_told()
    files = [path for path in game.iterdir() if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {path.name for path in files} >= {JOURNAL, "journal.lock", "journal.told"}


def test_a_journal_that_was_cut_off_in_a_step_can_be_asked_where_nothing_may_be_written(
    game: Path,
) -> None:
    """Killed within a transaction: what is to be taken back is taken back in a copy."""
    whole = viewed_evening(game).state
    with contextlib.closing(store.connect(game / JOURNAL)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE rows SET data = data || data")
        for end in ("", "-journal"):
            shutil.copy(game / (JOURNAL + end), game / ("cut" + end))
        connection.execute("ROLLBACK")
    for end in ("", "-journal"):
        shutil.move(game / ("cut" + end), game / (JOURNAL + end))
    before = (game / JOURNAL).read_bytes()
    assert viewed_evening(game).state == whole
    assert (game / JOURNAL).read_bytes() == before


# -- another program holds the file ----------------------------------------------------------------


@pytest.mark.parametrize("use", [resumed_evening, viewed_evening])
def test_a_file_that_a_backup_program_holds_is_waited_for_and_that_is_told(
    game: Path, use: Callable[[Path], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY", 0.01)
    holder = sqlite3.connect(game / JOURNAL, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        holder.close()

    monkeypatch.setattr("tableref.referee.journal._to_terminal", say)
    use(game).journal.close()
    assert len(said) == 1
    assert "another program holds it" in said[0]


def test_a_move_waits_for_a_backup_program_too(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BUSY", 0.01)
    said: list[str] = []
    monkeypatch.setattr("tableref.referee.journal._to_terminal", said.append)
    evening = resumed_evening(game)
    holder = sqlite3.connect(game / JOURNAL, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    evening.journal._say = lambda text: (said.append(text), holder.close())
    evening.journal.write([Row("cleared", {})], 0.0)
    evening.journal.close()
    assert len(said) == 1


def test_who_holds_it_for_ever_is_told_to_let_go(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY", 0.01)
    monkeypatch.setattr(store, "PATIENCE", 0.05)
    with contextlib.closing(sqlite3.connect(game / JOURNAL, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        assert "another program has held it" in refusal(game)


def test_bytes_where_a_text_was_are_a_damaged_row(game: Path) -> None:
    changed(game, "UPDATE rows SET data = CAST(data AS BLOB) WHERE seq = 15")
    assert "damaged at row 15" in refusal(game)
