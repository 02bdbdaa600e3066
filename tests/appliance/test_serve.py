"""The service: the menu stays whatever goes wrong; a game that was cut off is offered first."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
import weakref
from pathlib import Path
from typing import Any, NoReturn

import pytest
from tests.appliance.table import SeenPanel, Table, text_of

from tableref.appliance import dialogue, serve
from tableref.appliance.notify import Notifier
from tableref.appliance.serve import Appliance, Judge
from tableref.cli import main
from tableref.commands.phones import CasePhones
from tableref.devices.buttons import Button, Press
from tableref.devices.lock import FileLock
from tableref.devices.oled import Marker
from tableref.devices.panel import Panel
from tableref.errors import UserError
from tableref.hosting import session
from tableref.hosting.config import (
    CameraOptions,
    Config,
    GameOptions,
    LinkOptions,
    PictureOptions,
    WebOptions,
)
from tableref.hosting.opening import Game
from tableref.hosting.shelf import Shelf
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.games import load_game

CONFIG = Config(link=LinkOptions("virtual"), pictures=PictureOptions(0))


def left(root: Path, game: str = "squod") -> Path:
    """A game that was left."""
    folder = root / "games" / f"2026-11-01-{game}"
    evening = new_evening(folder, game, {}, [], "")
    evening.journal.begin()
    evening.journal.close()
    return folder


def test_a_camera_that_is_not_there_is_told_and_the_menu_is_there_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(camera=CameraOptions((f"folder:{tmp_path}/gone",)))
    table = Table(tmp_path, config, monkeypatch)
    panel = table.power()
    table.choose("New game", "Squod", "Begin")
    assert panel.see("That did not work").marker is Marker.TROUBLE
    table.press(Button.BACK)
    panel.see("Begin")
    table.stop()
    assert not Shelf(tmp_path / "games").games()


def test_a_game_can_be_left_and_taken_up_from_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, CONFIG, monkeypatch)
    panel = table.power()
    table.choose("New game", "Squod", "Begin")
    panel.see("SQ-")
    table.menu()
    table.choose("Another day")
    panel.see("Go on: Squod")
    assert not (tmp_path / "playing").exists()
    # The same game, from the list.
    table.choose("Games")
    table.press(Button.OK)
    panel.see("Squod", "Please set up")
    table.stop()


def test_nothing_of_a_game_that_was_left_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, CONFIG, monkeypatch)
    panel = table.power()
    table.choose("New game", "Squod", "Begin")
    panel.see("SQ-")
    assert table.game is not None
    game, table.game = weakref.ref(table.game), None
    table.menu()
    table.choose("Another day")
    panel.see("Go on: Squod")
    assert game() is None
    table.stop()


def test_where_a_game_stands_is_shown_before_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left(tmp_path)
    table = Table(tmp_path, CONFIG, monkeypatch)
    panel = table.power()
    panel.see("Go on: Squod")
    table.press(Button.OK)
    panel.see("Squod", "set up")
    table.reads_on("OK")
    table.press(Button.OK)
    panel.see("SQ-")
    assert table.game is not None
    assert table.game.folder.name == "2026-11-01-squod"
    table.stop()


def test_a_game_that_was_cut_off_is_offered_first_after_a_stop_or_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, CONFIG, monkeypatch)
    panel = table.power()
    table.choose("New game", "Squod", "Begin")
    panel.see("SQ-")
    table.stop()
    assert (tmp_path / "playing").read_text() == "2026-11-30-squod\n"
    again = Table(tmp_path, CONFIG, monkeypatch)
    assert again.power().see("Squod", "stopped").marker is Marker.ASK
    # Who does not want it goes back to the menu.
    again.press(Button.BACK)
    again.panel.see("New game")
    again.stop()


@pytest.mark.parametrize("mark", [b"gone\n", b"", b"\0\n", b"../../etc\n", b"\xff\x80\xfe"])
def test_a_mark_that_leads_nowhere_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: bytes
) -> None:
    (tmp_path / "playing").write_bytes(mark)
    table = Table(tmp_path, CONFIG, monkeypatch)
    table.power().see("New game")
    table.stop()


def test_a_damaged_game_is_told_with_its_cure_and_the_menu_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = left(tmp_path)
    table = Table(tmp_path, CONFIG, monkeypatch)
    panel = table.power()
    panel.see("Go on: Squod")
    (folder / JOURNAL).write_bytes(b"no database at all")
    table.press(Button.OK)
    assert panel.see("That did not work").marker is Marker.TROUBLE
    table.stop()


def test_a_damaged_game_is_repaired_by_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = left(tmp_path)
    with contextlib.closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        file.execute("UPDATE head SET value = '\"de\"' WHERE key = 'lang'")
    config = Config(link=LinkOptions("virtual"), game=GameOptions("fr"), pictures=PictureOptions(0))
    table = Table(tmp_path, config, monkeypatch)
    panel = table.power()
    table.choose("Parties", "✗ Squod")
    assert panel.see("Réparer", "endommagée").marker is Marker.ASK
    table.reads_on("bonne copie")
    table.reads_on("OK :")
    for _ in range(3):
        table.press(Button.DOWN)
    table.press(Button.OK)
    panel.see("Squod", "n'a pas commencé")
    [game] = Shelf(tmp_path / "games").games()
    assert not game.trouble
    assert [path for path in folder.iterdir() if "damaged" in path.name]  # as it was


def test_games_that_cannot_be_listed_are_told_and_the_menu_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games").write_text("a file")
    table = Table(tmp_path, CONFIG, monkeypatch)
    panel = table.power()
    assert panel.see("That did not work").marker is Marker.TROUBLE
    table.press(Button.BACK)
    panel.see("▶ New game")


def test_a_game_that_ends_by_a_full_disk_is_told_and_can_be_gone_on_with_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(link=LinkOptions("virtual"), game=GameOptions("de"), pictures=PictureOptions(0))
    table = Table(tmp_path, config, monkeypatch)
    panel = table.power()
    table.choose("Neues Spiel", "Pfeile und Sterne", "Anfangen")
    panel.see("AE-1.2")

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    rules = load_game("arrows-and-stars")
    with monkeypatch.context() as patched:
        patched.setattr("tableref.referee.journal.append", full)
        table.put(*rules.board(rules.start({})))
        told = panel.see("Das ging nicht")
    assert told.lines[0].startswith("2026-11-30-arrows")  # where games lie nobody needs to read
    table.reads_on("voll")
    assert (tmp_path / "playing").exists()
    table.press(Button.BACK)
    panel.see("▶ Weiter: Pfeile und")
    table.press(Button.OK)
    panel.see("Pfeile und Sterne", "noch nicht begonnen")


def test_health_tells_what_is_wrong_and_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path, CONFIG, monkeypatch, [("disk: full", "Make room.")])
    panel = table.power()
    table.choose("Health")
    panel.see("disk: full: Make room.")
    table.stop()
    well = Table(tmp_path, CONFIG, monkeypatch)
    well.power()
    well.choose("Health")
    well.panel.see("All is well.")
    well.stop()


def test_a_computer_that_cannot_be_switched_off_from_here_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise subprocess.CalledProcessError(1, "systemctl", stderr="Access denied")

    table = Table(tmp_path, CONFIG, monkeypatch)
    monkeypatch.setattr(subprocess, "run", refuses)
    table.power()
    table.appliance._power_off = serve._power_off
    table.choose("Shut down", "Yes")
    shown = table.panel.see("That did not work")
    assert "Access denied" in " ".join(shown.lines) or shown.hint == "▼"
    table.stop()


def test_presses_while_something_takes_long_are_few(tmp_path: Path) -> None:
    told = dialogue.Dialogue(lambda: None)
    for number in range(100):
        told.pressed(Press(Button.OK, False, float(number)))
    for _ in range(dialogue.WAITING):
        assert told.press(0.0) is not None
    assert told.press(0.0) is None


def test_the_watchdog_is_fed_in_the_menu_and_in_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogue, "BEAT", 0.02)
    monkeypatch.setattr(session, "BEAT", 0.02)
    fed: list[bool] = []
    monkeypatch.setattr(Notifier, "alive", lambda self: fed.append(table.game is not None))
    table = Table(tmp_path, CONFIG, monkeypatch)
    panel = table.power()
    panel.see("New game")
    table.choose("New game", "Squod", "Begin")
    panel.see("SQ-")
    end = time.monotonic() + 20
    while sum(fed) < 20 and time.monotonic() < end:
        time.sleep(0.01)
    table.stop()
    assert fed.count(False) > 2
    assert fed.count(True) >= 20


def test_a_panel_in_use_by_another_is_told_before_anything_starts(tmp_path: Path) -> None:
    def taken(pressed: object) -> Panel:
        raise UserError("another Tableref has the panel")

    with pytest.raises(UserError, match="another Tableref"):
        Appliance(CONFIG, tmp_path, taken)


def test_the_names_of_the_configuration_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(game=GameOptions("en", ("Ada", "Ben")))
    table = Table(tmp_path, config, monkeypatch)
    table.power()
    table.choose("New game", "Scorpion", "Blue/green", "Ben")
    table.panel.see("Ben")
    table.stop()


def test_the_command_runs_and_ends_by_a_signal(tmp_path: Path) -> None:
    environment = {**os.environ, "TABLEREF_CONFIG": str(tmp_path / "none.toml")}
    words = ["serve", "--panel", "pictures", "--state", str(tmp_path / "state")]
    with subprocess.Popen(
        [sys.executable, "-m", "tableref", *words], env=environment, stdin=subprocess.PIPE
    ) as served:
        assert served.stdin is not None
        screens = tmp_path / "state" / "panel" / "screens"
        end = time.monotonic() + 60
        while not (screens / "screen-0001.png").exists() and time.monotonic() < end:
            time.sleep(0.05)
        served.stdin.write(b"d\n")
        served.stdin.flush()
        while not (screens / "screen-0002.png").exists() and time.monotonic() < end:
            time.sleep(0.05)
        served.send_signal(signal.SIGTERM)
        assert served.wait(30) == 128 + signal.SIGTERM
    assert (screens / "screen-0002.png").exists()
    assert (tmp_path / "none.toml").exists()  # what is set up is written there


def test_a_second_service_for_the_same_games_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def served(*_: object, **__: object) -> NoReturn:
        raise UserError("served")

    monkeypatch.setattr("tableref.commands.serve.Appliance", served)
    lock = FileLock(tmp_path / "serve.lock")
    try:
        assert main(["serve", "--panel", "pictures", "--state", str(tmp_path)]) == 2
    finally:
        lock.close()
    said = capsys.readouterr().err
    assert f"process {os.getpid()} (" in said
    assert "serves this table already" in said
    assert not (tmp_path / "panel").exists()


def test_a_disk_that_can_only_be_read_is_told_and_the_menu_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def served(*_: object, trouble: str, **__: object) -> NoReturn:
        told.append(trouble)
        raise UserError("served")

    def fixed(*_: object) -> NoReturn:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tableref.commands.serve.Appliance", served)
    monkeypatch.setattr("tableref.commands.serve.FileLock", fixed)
    monkeypatch.setenv("TABLEREF_CONFIG", str(tmp_path / "none.toml"))
    words = ["serve", "--panel", "pictures", "--state", str(tmp_path)]
    assert main(words) == 2
    monkeypatch.setattr(Path, "touch", fixed)
    assert main(words) == 2
    assert ["can only be read" in trouble for trouble in told] == [True, True]


def test_phones_are_told_how_to_reach_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tableref.commands.phones import phones

    pytest.importorskip("starlette")
    config = Config(link=LinkOptions("virtual"), pictures=PictureOptions(0), web=WebOptions(1))
    table = Table(tmp_path, config, monkeypatch)
    table.power()
    table.appliance._phones = lambda game, port, judge: phones(game, port - 1, judge)  # any port
    table.choose("New game", "Squod", "Begin")
    table.panel.see("SQ-")
    table.menu()
    table.choose("Phones")
    with urllib.request.urlopen(table.panel.see("Code:").code, timeout=20) as answer:
        assert answer.status == 200
    table.stop()


def test_a_game_is_chosen_from_the_phone_of_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpx = pytest.importorskip("httpx2")
    pytest.importorskip("starlette")
    config = Config(link=LinkOptions("virtual"), pictures=PictureOptions(0), web=WebOptions(1))
    table = Table(tmp_path, config, monkeypatch)
    table.pages = CasePhones(Shelf(tmp_path / "games").games, lambda: [("Lens", "Wipe it.")])
    table.power()
    table.choose("Phones")
    shown = table.panel.see("Code:")
    code = shown.lines[-1].rpartition(" ")[2]

    def phone(address: str) -> Any:
        made = httpx.Client(base_url=address, timeout=20, follow_redirects=True)
        made.headers["sec-fetch-site"] = "same-origin"
        return made

    def press(host: Any, button: str) -> None:
        sign = re.search(r'name="sign" value="(\w+)"', host.get("/host").text)
        assert sign is not None
        table.panel.mark()
        assert host.post("/host/press", data={"sign": sign[1], "button": button}).status_code == 200

    with phone(shown.code) as host:
        assert host.post("/host/enter", data={"code": code}).status_code == 200
        assert "Wipe it." in host.get("/host/health").text
        for button, words in (
            ("back", "▶ Phones"),
            ("down", "▶ Shut down"),
            ("down", "▶ New game"),
        ):
            press(host, button)
            table.panel.see(words)
        table.choose("New game", "Squod")
        assert "▶ Begin" in host.get("/host").text
        token = host.cookies["host"]
        press(host, "ok")
        table.panel.see("SQ-")
    table.menu()
    table.choose("Phones")
    with phone(table.panel.see("Code:").code) as host:  # the game's pages; still the host
        host.cookies.set("host", token)
        assert host.get("/host/games").status_code == 200
        assert "squod" in host.get("/host/games").text
        assert "Squod" in host.get("/").text


def test_a_game_goes_on_without_pages_that_cannot_be_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def phones(game: Game, port: int, judge: Judge) -> NoReturn:
        raise UserError("web: starlette is missing: pip install 'tableref[web]'")

    config = Config(link=LinkOptions("virtual"), pictures=PictureOptions(0), web=WebOptions(8080))
    table = Table(tmp_path, config, monkeypatch)
    table.power()
    table.appliance._phones = phones
    table.choose("New game", "Squod", "Begin")
    table.panel.see("SQ-")
    assert "starlette is missing" in capsys.readouterr().err
    table.stop()


def test_a_configuration_that_is_wrong_is_told_on_the_display(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text("[gme]\n")
    words = ["serve", "--panel", "pictures", "--state", str(tmp_path / "state")]
    words += ["--config", str(tmp_path / "wrong.toml")]
    with subprocess.Popen(
        [sys.executable, "-m", "tableref", *words], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as served:
        screens = tmp_path / "state" / "panel" / "screens"
        end = time.monotonic() + 60
        while not (screens / "screen-0001.png").exists() and time.monotonic() < end:
            time.sleep(0.05)
        served.terminate()
        _, said = served.communicate(timeout=30)
    assert b"gme: there is no such option" in said
    assert b"did you mean game?" in said


def test_trouble_is_seen_before_the_menu(tmp_path: Path) -> None:
    panel = None

    def opened(pressed: object) -> Panel:
        nonlocal panel
        panel = SeenPanel(print)
        return panel

    appliance = Appliance(CONFIG, tmp_path, opened, trouble="t.toml: gme: no such option")
    appliance.stop()
    appliance.run()
    assert panel is not None
    assert "gme" in text_of(panel.shown[0])
    assert panel.shown[0].marker is Marker.TROUBLE


def test_presses_while_a_game_is_opened_are_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who presses on while the display says "One moment" does not choose what comes later."""
    table = Table(tmp_path, CONFIG, monkeypatch)
    table.power()
    real = serve.new_game

    def slow(*words: object, **more: object) -> Game:
        table.press(Button.DOWN, Button.OK, Button.OK)
        return real(*words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(serve, "new_game", slow)
    table.choose("New game", "Squod", "Begin")
    table.panel.see("SQ-")
    table.menu()
    table.choose("Another day")
    table.panel.see("▶ Go on: Squod")
    count = len(table.panel.shown)
    table.press(Button.DOWN)
    table.panel.see("▶ New game")
    assert len(table.panel.shown) == count + 1
    table.stop()


def test_a_stop_is_not_forgotten() -> None:
    told = dialogue.Dialogue(lambda: None)
    told.stop()
    told.forget()
    with pytest.raises(dialogue.Stopped):
        told.press(0.0)
