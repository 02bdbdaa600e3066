"""`tableref journal`: what was played, in words and as files; what is deleted by one word."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shutil
import sqlite3
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.referee.conftest import REFEREE
from tests.referee.test_standing import FIRST, Written, text_of_board

from tableref.cli import main
from tableref.referee.album import Album
from tableref.referee.chronicle import Entry, Item, Said
from tableref.referee.desk import Desk
from tableref.referee.evening import JOURNAL, new_evening, new_evening_of
from tableref.referee.forgetting import forget_names
from tableref.referee.games import load_game
from tableref.referee.inputs import Begin
from tableref.referee.page import Head, page
from tableref.referee.resuming import readable_evening, viewed_evening
from tableref.rulebook.text import FOLDER, LANGUAGES

Told = Callable[..., list[str]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo of two rounds, in which somebody slips once or twice."""
    out = tmp_path_factory.mktemp("journal") / "demo"
    assert (
        main(
            [
                "demo",
                "--rounds",
                "2",
                "--seed",
                "2",
                "--senses",
                "both",
                "--out",
                str(out),
                "--json",
            ]
        )
        == 0
    )
    return out


@pytest.fixture
def game(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    return Path(shutil.copytree(played, tmp_path / "game"))


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Runs `tableref journal`; what it prints."""

    def run(*words: object, code: int = 0) -> list[str]:
        capsys.readouterr()
        assert main(["journal", *map(str, words)]) == code
        out = capsys.readouterr()
        return (out.out + out.err).splitlines()

    return run


def html(game: Path, told: Told, *words: str) -> str:
    file = game.parent / f"page{''.join(words)}.html"
    told(game, "--html", file, *words)
    return file.read_text(encoding="utf-8")


def test_a_folder_lists_the_games_below_it(game: Path, told: Told) -> None:
    shutil.copytree(game, game.parent / "second")
    lines = told(game.parent)
    assert len(lines) == 2
    assert "Ada, Ben, Cleo, Dan; Autoscooter is over." in lines[0]


def test_a_folder_without_any_game_says_so(tmp_path: Path, told: Told) -> None:
    assert "no game in it" in told(tmp_path, code=2)[0]
    assert "no such folder" in told(tmp_path / "nowhere", code=2)[0]


def test_a_game_is_told_with_its_paragraphs_refusals_and_ways_back(game: Path, told: Told) -> None:
    lines = told(game)
    assert lines[0].startswith("Autoscooter is over.")
    text = "\n".join(lines)
    assert re.search(r"\d\d:\d\d +\d+   Blue starts again from .* \(AS-4\.5\)", text)
    assert re.search(r"! .* \(AS-\d\.\d\)\n +The way back:\n +Put .+ on", text)
    assert "= Round 1 is over." in text


def test_it_never_tells_what_was_noted_for_a_round_to_come(game: Path, told: Told) -> None:
    lines = told(game)
    secret = [row.data for row in viewed_evening(game).journal.rows() if row.kind == "action"]
    assert any("plot" in data["action"] for data in secret)
    assert not any("plot" in line.lower() and re.search(r"\d\d[A-P]\b", line) for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_needs_nothing_from_elsewhere_and_shows_what_a_judge_needs(
    game: Path, told: Told, lang: str
) -> None:
    made = html(game, told, "--lang", lang)
    assert f'<html lang="{lang}">' in made
    assert not re.search(r'(?:src|href)="(?!data:)', made)
    assert "<script" not in made
    assert "http:" not in made
    assert "https:" not in made
    refusals = re.findall(r'<article class="refusal".*?</article>', made, re.DOTALL)
    assert refusals
    for refusal in refusals:
        assert refusal.count("data:image/jpeg;base64,") == 2
        assert '<p class="back">' in refusal
        assert re.search(r"<details open><summary>[A-Z]{2}-\d\.\d", refusal)


def test_whatever_a_name_is_it_is_text_on_the_page(tmp_path: Path) -> None:
    head = Head("autoscooter", ("<b>Ada</b>", "&amp;"), ("<i>1</i>",), ("<u>2</u>",))
    page_ = "".join(page(head, (), Album(tmp_path), "en"))
    assert not re.search(r"<[biu]>", page_)
    assert "&lt;b&gt;Ada&lt;/b&gt;, &amp;amp;" in page_


def test_a_ruling_after_which_the_next_move_is_asked_for_is_headed_as_a_ruling(
    tmp_path: Path,
) -> None:
    head = Head("autoscooter", ("Ada", "Ben"), (), ())
    ruled, asked = Item("ruling", 7, (Said("Red drives."),)), Item("question", 8, (Said("Who?"),))
    entries = (Entry(7, "", (ruled, asked)), Entry(9, "", (asked,)))
    made = "".join(page(head, entries, Album(tmp_path), "en"))
    assert re.findall(r'<article class="(\w+)"', made) == ["ruling", "question"]


def test_an_evening_of_ninety_rulings_stays_under_20_mb(game: Path, told: Told) -> None:
    made = html(game, told)
    articles = made.count('<article class="ruling"') + made.count('<article class="refusal"')
    assert articles > 10
    assert len(made) / articles * 90 < 20_000_000


def test_the_record_is_one_that_check_accepts(
    game: Path, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    file = game.parent / "record.json"
    told(game, "--record", file)
    assert main(["check", str(file)]) == 0
    assert json.loads(file.read_text())["format"] == "table-record/1"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_record_of_a_game_under_way_ends_before_its_secrets(tmp_path: Path, told: Told) -> None:
    """Red's letter of round 1 is not told while the round goes on."""

    head = {
        "game": "autoscooter", "rules_version": REFEREE.game.rules_version, "app_version": "0",
        "setup": {"players": 4}, "board": text_of_board(), "plots": [FIRST],
        "camera": "folder:none", "lang": "en",
    }  # fmt: skip
    play, evening = Written(), new_evening_of(tmp_path / "game", head)
    play.look()
    evening.journal.write(play.written, 1.0)
    evening.journal.close()
    told(tmp_path / "game", "--record", tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["steps"] == []


def test_the_score_sheet_is_in_the_language(game: Path, told: Told) -> None:
    rows = list(csv.reader(told(game, "--csv", "-", "--lang", "de")))
    assert [row[0] for row in rows[1:]] == ["Runde 1", "Runde 2", "Chips, Ende", "gewonnen"]


def test_the_score_sheet_has_a_line_each_round(game: Path, told: Told) -> None:
    rows = list(csv.reader(told(game, "--csv", "-")))
    assert rows[0] == ["", "Ada", "Ben", "Cleo", "Dan"]
    assert [row[0] for row in rows[1:]] == ["round 1", "round 2", "Chips, end", "won"]
    assert all(count.isdigit() for row in rows[1:4] for count in row[1:])


def test_no_file_is_overwritten(game: Path, told: Told) -> None:
    mine = game.parent / "mine.html"
    mine.write_text("mine")
    assert "there already" in told(game, "--html", mine, code=2)[0]
    assert mine.read_text() == "mine"


def test_a_read_only_folder_can_be_read(game: Path, told: Told) -> None:
    before = {path: path.stat().st_mtime_ns for path in game.rglob("*")}
    told(game)
    html(game, told)
    assert {path: path.stat().st_mtime_ns for path in game.rglob("*")} == before


def test_a_damaged_journal_is_told_up_to_where_it_is_good(game: Path, told: Told) -> None:
    database = sqlite3.connect(game / JOURNAL)
    with database:
        database.execute("UPDATE rows SET data = data || ' ' WHERE seq = 14")
    database.close()
    lines = told(game, code=1)
    assert any(" 13 " in line for line in lines)
    assert not any(re.match(r"\d\d:\d\d +1[4-9] ", line) for line in lines)
    assert "damaged at row 14" in lines[-1]
    assert "damaged, good up to row 13" in told(game.parent)[0]
    assert "damaged at row 14" in html(game, told)


def test_pictures_are_deleted_by_one_word_and_the_rulings_stay(game: Path, told: Told) -> None:
    before = told(game)
    told(game, "--delete-pictures")
    assert not (game / "evidence").exists()
    assert told(game) == before
    assert "data:image" not in html(game, told)


def test_names_are_deleted_by_one_word_and_the_game_replays_as_before(
    game: Path, told: Told
) -> None:
    state = viewed_evening(game).state
    told(game, "--delete-names")
    for path in [game / JOURNAL, game / "journal.told"]:
        data = path.read_bytes()
        assert not any(name in data for name in (b"Ada", b"Ben", b"Cleo", b'Dan"'))
    assert not list(game.glob("screens/*"))
    found = readable_evening(game)
    assert found.damage is None
    inner, was = found.evening.state.table.state, state.table.state
    rules = found.evening.referee.game
    assert rules.facts(inner) == rules.facts(was)
    assert rules.players(inner)[0] == "player 1"
    assert found.evening.untold == ()
    assert not any(name in line for line in told(game) for name in ("Ada", "Ben", "Cleo"))


def test_what_was_deleted_is_told_in_the_language_of_the_game(game: Path, told: Told) -> None:
    told(game, "--delete-pictures")  # in the game's own, English
    assert "les décisions restent" in told(game, "--delete-pictures", "--lang", "fr")[0]
    assert "nennt niemanden mehr" in told(game, "--delete-names", "--lang", "de")[0]


def test_pictures_beside_a_journal_that_cannot_be_read_are_deleted(game: Path, told: Told) -> None:
    (game / JOURNAL).write_bytes(b"no journal")
    told(game, "--delete-pictures")
    assert not (game / "evidence").exists()


def test_what_is_deleted_is_not_exported_at_the_same_time(game: Path, told: Told) -> None:
    told(game, "--delete-pictures", "--csv", "-", code=2)
    assert (game / "evidence").exists()


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_pictures_behind_a_link_are_not_touched(game: Path, told: Told) -> None:
    shutil.move(game / "evidence", game.parent / "elsewhere")
    (game / "evidence").symlink_to(game.parent / "elsewhere")
    told(game, "--delete-pictures")
    assert list((game.parent / "elsewhere").iterdir())


def test_the_words_of_the_page_are_the_same_in_every_language() -> None:
    keys = [
        tomllib.loads((FOLDER / lang / "journal.toml").read_text(encoding="utf-8")).keys()
        for lang in LANGUAGES
    ]
    assert all(key == keys[0] for key in keys)


def test_a_player_who_is_called_as_a_piece_is_forgotten_too(tmp_path: Path) -> None:
    setup = load_game("squod").dealt({"players": 2, "names": ["rock", "Eve"]}, random.Random(1))  # type: ignore[attr-defined]
    evening = new_evening(tmp_path / "rock", "squod", setup, [], "")
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [])
    desk.take(Begin(0.0, ()))
    evening.journal.close()
    forget_names(tmp_path / "rock")
    [asked] = [
        row for row in viewed_evening(tmp_path / "rock").journal.rows() if "question" in row.data
    ]
    assert asked.data["who"] == "player 1"
    assert "rock'" not in asked.data["key"]
