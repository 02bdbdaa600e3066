"""`tableref board` on a virtual board."""

import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tableref.cli import main
from tableref.devices.link import FAULTS, Faults
from tableref.devices.link.wiring import WIRING
from tableref.errors import UserError


def board(*words: str) -> int:
    return main(["board", *words, "--port", "virtual"])


def test_status_tells_who_the_board_is_and_how_the_link_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert board("status") == 0
    out = capsys.readouterr().out
    for line in ("firmware 0.1.0", "38 switches, 38 lights", "magnets    none", "0 bad"):
        assert line in out


def test_watch_tells_puts_and_lifts_and_takes_faults_while_it_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["put a1", "put q9", "put", "put b1 c1", "flap 1", "bounce 3"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, "stuck zz", "flip 0.1 0.2"])))
    assert board("watch", "--seconds", "0.4") == 0
    told = capsys.readouterr()
    assert re.search(r"±\d\.\d\d ms  a1 +put", told.out)
    assert "no switch under 'q9'" in told.err
    assert "no fault 'flap'" in told.err
    assert "no switch under 'zz'" in told.err
    assert told.err.count("say `put CELL`") == 3


def test_watch_goes_on_where_standard_input_and_output_are_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setattr("sys.stdout", None)
    assert board("watch", "--seconds", "0.2") == 0


def test_what_is_no_text_on_standard_input_is_no_command_and_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.BytesIO(b"put a1\n\xff\xfe put b1\nput c1\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(typed, encoding="utf-8"))
    assert board("watch", "--seconds", "0.4") == 0
    told = capsys.readouterr()
    assert re.findall(r"(\w\d) +put", told.out) == ["a1", "c1"]
    assert told.err == "say `put CELL`, `lift CELL` or `FAULT VALUE`, one a line\n"


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_watching_in_silence() -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "tableref", "board", "watch", "--port", "virtual"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert run.stdout is not None
        assert "magnets on none" in run.stdout.readline()
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=20) == ("", "")
        assert run.returncode == 0
    finally:
        run.kill()


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "-1", "soon"])
def test_a_time_that_makes_no_sense_is_refused(
    seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert board("watch", "--seconds", seconds) == 2
    assert "--seconds" in capsys.readouterr().err


def test_a_file_that_is_no_port_is_called_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").touch()
    assert main(["board", "status", "--port", str(tmp_path / "notes")]) == 2
    assert "notes is no serial port" in capsys.readouterr().err


def test_light_shows_a_colour_by_name_or_by_number() -> None:
    assert board("light", "c4", "red", "--seconds", "0.3") == 0
    assert board("light", "c4", "#102030", "--pattern", "pulse", "--seconds", "0.3") == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("light", "q9", "red"), "no light under 'q9'"),
        (("light", "c4", "beige"), "'beige' is no colour"),
        (("status", "--board", "chess"), "no board named 'chess'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert board(*words) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_log_shows_why_the_board_started(capsys: pytest.CaptureFixture[str]) -> None:
    assert board("log") == 0
    assert "started: power" in capsys.readouterr().out


def test_prompt_says_what_comes_next(capsys: pytest.CaptureFixture[str]) -> None:
    assert board("prompt") == 0
    assert "mpremote connect virtual cp" in capsys.readouterr().out


@pytest.fixture
def quick_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableref.commands.board._STEP_S", 0.001)


@pytest.mark.usefixtures("quick_walk")
def test_selftest_is_done_when_every_switch_has_seen_a_magnet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert board("selftest") == 0
    out = capsys.readouterr().out
    assert "the chain is whole" in out
    assert "all switches work" in out


@pytest.mark.usefixtures("quick_walk")
def test_selftest_names_the_switches_that_have_not(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["board", "selftest", "--seconds", "0.3", "--port", "virtual:stuck=a1"]
    assert main(words) == 1
    assert "no magnet was noticed on a1" in capsys.readouterr().out


def test_a_silent_board_is_an_error_with_advice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tableref.devices.link.session.HELLO_S", 0.4)
    assert main(["board", "status", "--port", "virtual:silence"]) == 2
    assert "has said nothing for 0.4 s" in capsys.readouterr().err


@pytest.mark.usefixtures("own_log")
def test_the_links_own_log_goes_to_a_file_and_people_are_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = io.StringIO()
    monkeypatch.setattr("sys.stderr", heard)
    monkeypatch.setattr("sys.stdin", io.StringIO("reset"))
    file = tmp_path / "link.log"
    assert board("watch", "--seconds", "0.5", "--log", str(file)) == 0
    text = file.read_text(encoding="utf-8")
    for line in ("INFO the board answers on virtual", "<- HELLO", "INFO link closed: 0 events"):
        assert line in text
    assert heard.getvalue().count("\n") == 1
    assert "link failed: the board has started anew" in heard.getvalue()


def test_a_log_that_cannot_be_written_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert board("status", "--log", str(tmp_path / "none/link.log")) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_every_documented_fault_can_be_switched_on_and_off() -> None:
    values = {"stuck": "a1", "drop": "0.5", "double": "1", "flip": "0.001"}
    for name in FAULTS:
        faults = Faults.parse(f"{name}={values.get(name, '1')}")
        assert faults.wiring == {name: "1"} if name in WIRING else getattr(faults, name), name
        faults.set(name, "0")
        assert faults == Faults(), name
    assert {*vars(Faults()), *WIRING} - {"wiring"} == set(FAULTS)


@pytest.mark.parametrize("text", ["flip=2", "flip=x", "slow=-1", "silence=yes", "flop"])
def test_a_fault_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        Faults.parse(text)
