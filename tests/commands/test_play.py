"""`tableref play`, driven by the lines that somebody types."""

from __future__ import annotations

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from string import Formatter

import pytest

from tableref.cli import main
from tableref.referee.games import GAMES
from tableref.rulebook import Rulebook
from tableref.rulebook.text import FOLDER, LANGUAGES

every_game = pytest.mark.parametrize("game", list(GAMES))


class Terminal:
    """Types lines, and keeps what was printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capsys = monkeypatch, capsys

    def play(self, *args: str, lines: str = "", code: int = 0) -> str:
        """Everything printed while these lines are typed, parted by commas."""
        typed = "\n".join(line.strip() for line in lines.split(","))
        self._patch.setattr("sys.stdin", io.StringIO(typed + "\n" if typed else ""))
        assert main(["play", *args]) == code
        told = self._capsys.readouterr()
        assert "Traceback" not in told.out + told.err
        return told.out + told.err


@pytest.fixture
def terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(monkeypatch, capsys)


@every_game
def test_every_game_shows_its_board_and_who_is_due(game: str, terminal: Terminal) -> None:
    told = terminal.play(game, lines="quit")
    assert "To " in told
    assert "(help)" in told


@every_game
def test_every_game_is_played_to_its_end_by_random_players_and_its_record_replays(
    game: str, terminal: Terminal, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    told = terminal.play(game, "--random", "2", "--seed", "2", "--save", str(path))
    assert "The game is over" in told
    assert main(["check", str(path)]) == 0


@every_game
def test_the_same_seed_plays_the_same(game: str, terminal: Terminal) -> None:
    args = (game, "--random", "1", "--seed", "5")
    lines = "list, 1, list, 1, board, facts"
    assert terminal.play(*args, lines=lines) == terminal.play(*args, lines=lines)


@every_game
def test_numbers_of_the_list_are_played_and_undone(game: str, terminal: Terminal) -> None:
    told = terminal.play(game, lines="facts, undo, redo, , 1, undo, redo, facts, quit")
    assert "HR-2.1" in told


@every_game
def test_no_line_whatever_makes_a_traceback(game: str, terminal: Terminal) -> None:
    rng = random.Random(game)
    words = ["list", "why", "undo", "redo", "1", "2", "99999999", "-1", "", "x", "red", "save",
             "save /", "resign", "resign nobody", "help", "?", "board", "facts", "a1", "\x00", "é",
             "announce", "'", '"', "%s", "{}", "9" * 5000, "red 1A", "red!", "y4", "k1", "s3",
             ">n1", "S21-S31", "a2-a3", ".", "-", "why list", "list list"]  # fmt: skip
    for _ in range(6):
        lines = [" ".join(rng.sample(words, rng.randrange(1, 3))) for _ in range(40)]
        terminal.play(game, "--random", "1", "--seed", "1", lines=",".join(lines))


@every_game
def test_help_gives_an_action_of_this_game_as_its_example(game: str, terminal: Terminal) -> None:
    told = terminal.play(game, lines="help")
    example = next(line for line in told.splitlines() if "in the notation of the game" in line)
    action = example.removeprefix(">").strip().split("  ")[0]
    assert "That may be done." in terminal.play(game, lines=f"why {action}")


@pytest.mark.usefixtures("interruptible")
def test_a_game_left_by_ctrl_c_is_saved_where_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    run = subprocess.Popen(
        [sys.executable, "-m", "tableref", "play", "skorpion-deep", "--save", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdin
    assert run.stdout
    run.stdin.write("s3\n")
    run.stdin.flush()
    while "To act: blue" not in run.stdout.readline():
        pass
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=30)
    assert run.returncode == 130
    assert "s3" in json.dumps(json.loads(path.read_text())["steps"])


def test_bytes_that_are_no_text_are_no_action() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tableref", "play", "skorpion-deep"],
        input=b"\xff\xfe\ns3\n",
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert b"To act: blue" in run.stdout


def test_a_refusal_says_why_and_by_which_paragraph(terminal: Terminal) -> None:
    told = terminal.play("autoscooter", lines="red 2A")
    assert "That is refused:\n  2 does not stand in the column of red. (AS-3.1)" in told


def test_a_refusal_speaks_the_language_that_was_chosen(terminal: Terminal) -> None:
    told = terminal.play("autoscooter", "--lang", "de", lines="red 2A")
    assert "Rot" in told
    assert "(AS-3.1)" in told


def test_why_does_nothing(terminal: Terminal) -> None:
    told = terminal.play("autoscooter", lines="why red 1A, why red 2A, red 1A")
    assert "That may be done." in told
    assert "(AS-3.1)" in told
    assert "already has its number" not in told


def test_why_alone_asks_about_what_was_refused_last(terminal: Terminal) -> None:
    refused = "2 does not stand in the column of red. (AS-3.1)"
    told = terminal.play("autoscooter", lines="why, red 2A, why, red 1A, why")
    assert told.count(refused) == 2
    assert told.count("Say which action: why red 1A") == 1  # nothing was refused yet
    assert told.count("Say which action: why orange 2A") == 1  # an action was taken since


def test_a_long_list_is_shown_in_groups(terminal: Terminal) -> None:
    args = ("autoscooter", "--random", "1", "--seed", "1")
    told = terminal.play(*args, lines="list, list red, list red 16, 3")
    assert "red...               204, such as red 1A" in told
    assert "red 16...            17, such as red 16A" in told
    assert "    3  red 16C" in told
    assert "\n>   red 16C\n" in told


def test_the_set_up_has_options(terminal: Terminal) -> None:
    told = terminal.play("autoscooter", "--set", "players=5", "--set", "ghost=true", lines="quit")
    assert "player 5" in told


def test_what_random_players_note_in_secret_is_not_printed(terminal: Terminal) -> None:
    told = terminal.play("autoscooter", "--random", "1", "--seed", "1", lines="facts")
    assert "player 2 notes something." in told
    assert "plots: orange - -" in told


def test_enter_throws_a_die_that_is_due(terminal: Terminal) -> None:
    assert "throw" in terminal.play("scorpion", "--seed", "1", lines="quit")
    told = terminal.play("scorpion", "--seed", "1", lines=",,quit")
    assert "To act" in told


def test_undo_goes_back_to_the_last_choice_of_a_person(terminal: Terminal) -> None:
    told = terminal.play("skorpion-deep", "--random", "1", "--seed", "1", lines="s3, undo")
    assert told.count("To act: red.") == 3
    assert told.count("Taken back: s3") == 1


LIST_AND_TAKE = "list, 1, list, 1, list, 1, list, 1"
TURNS = {
    "autoscooter": "red 1-, yellow 3-, blue 5-, white 7-, red>b1NE",
    "scorpion": LIST_AND_TAKE,
    "skorpion-deep": "sw3, sw2, list s, 1, list s, 1",
    "arrows-and-stars": "a2-a3, end, list, 1, end",
    "squod": "S21-S31, S22-S32, S23-S33, S11-S21",
}
"""Game -> what a person does in some turns, against a player at random."""


@pytest.mark.parametrize("game", list(GAMES))
def test_undo_and_redo_in_every_game_lead_back_and_forth(
    terminal: Terminal, game: str, tmp_path: Path
) -> None:
    turns = TURNS[game]
    choices = sum(not line.strip().startswith("list") for line in turns.split(","))
    undo, redo = ", undo" * choices, ", redo" * choices

    def facts(lines: str) -> str:
        args = [game, "--random", "1", "--seed", "4", "--save", str(tmp_path / "game.json")]
        told = terminal.play(*args, lines=lines + ", facts")
        assert main(["check", str(tmp_path / "game.json")]) == 0
        assert "is refused" not in told
        assert "Nothing" not in told
        return re.split(r"(?m)^> ", told)[-2]

    start, end = facts("board"), facts(turns)
    assert start != end
    assert facts(turns + undo) == start
    assert facts(turns + undo + redo) == end


def test_who_resigns_loses(terminal: Terminal) -> None:
    assert "blue won (HR-1.1)" in terminal.play("skorpion-deep", lines="resign")
    assert "red won (HR-1.1)" in terminal.play("skorpion-deep", lines="resign blue")
    assert "There is no player 'green'" in terminal.play("skorpion-deep", lines="resign green")


def test_a_saved_game_holds_what_was_taken_back(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    terminal.play("skorpion-deep", lines=f"s3, undo, se3, save {path}")
    steps = json.loads(path.read_text(encoding="utf-8"))["steps"]
    assert [next(iter(step["do"][0])) for step in steps] == ["place", "take_back", "place"]
    assert main(["check", str(path)]) == 0


def test_a_file_that_cannot_be_written_does_not_end_the_game(
    terminal: Terminal, tmp_path: Path
) -> None:
    told = terminal.play("skorpion-deep", lines=f"save {tmp_path}, s3")
    assert f"{tmp_path} cannot be written: Is a directory" in told
    assert "To act: blue" in told


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("chess",), "there is no game 'chess'"),
        (("autoscooter", "--random", "3"), "--random: expected 0 to 2, found 3"),
        (("autoscooter", "--set", "players"), "expected OPTION=VALUE"),
        (("autoscooter", "--set", "players=99"), "players"),
        (("autoscooter", "--board", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_what_cannot_be_played_is_one_line(
    args: tuple[str, ...], why: str, terminal: Terminal
) -> None:
    told = terminal.play(*args, code=2)
    assert why in told
    assert told.count("\n") == 1


# -- languages ------------------------------------------------------------------------------------

ENGLISH = re.compile(
    r"\b(the|and|that|this|may|nothing|number|player|round|turn|chips|game|of|to|with|who|red|blue|"
    r"white|black|yellow|green|act|plot|throw|winner|pieces|waiting)\b",
    re.IGNORECASE,
)
WORDS = {
    "fr": "aide, liste, conseil, faits, score, pourquoi, blabla, règles, annuler, abandonner,"
    "quitter",
    "de": "hilfe, liste, tipp, stand, punkte, warum, blabla, regeln, zurück, aufgeben, ende",
}


@every_game
@pytest.mark.parametrize("lang", WORDS)
def test_a_game_is_wholly_in_its_language(game: str, lang: str, terminal: Terminal) -> None:
    told = terminal.play(game, "--lang", lang, "--seed", "1", lines=WORDS[lang])
    told = re.sub(r"`tableref check \S+`|tableref play \S+", "", told)
    found = {match[0].casefold() for match in ENGLISH.finditer(told)}
    assert found <= {"chips"}  # a German word, too


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_of_play_are_in_every_language_with_the_same_gaps(lang: str) -> None:
    english, other = (
        tomllib.loads((FOLDER / each / "play.toml").read_text(encoding="utf-8"))
        for each in ("en", lang)
    )
    assert english["commands"].keys() == other["commands"].keys()
    assert english["says"].keys() == other["says"].keys()
    for key, text in english["says"].items():
        both = (text, other["says"][key])
        names = [{name for _, name, _, _ in Formatter().parse(each)} for each in both]
        assert names[1] - {"line", None} <= names[0], key
    assert len(set(other["commands"].values())) == len(other["commands"])


@pytest.mark.parametrize("line", ["rouge 1A", "red 1A"])
def test_actions_are_typed_in_the_language_or_as_everywhere(line: str, terminal: Terminal) -> None:
    args = ("autoscooter", "--lang", "fr", "--random", "1", "--seed", "1")
    told = terminal.play(*args, lines=f"pourquoi {line}, {line}")
    assert "C'est permis." in told
    assert "rouge 1A" in told


# -- what people expect ---------------------------------------------------------------------------


@every_game
def test_a_saved_game_is_loaded_and_gone_on_with(
    game: str, terminal: Terminal, tmp_path: Path
) -> None:
    path, later = tmp_path / "game.json", tmp_path / "later.json"
    lines = "list, 1, list, 1, list, 1"
    args = (game, "--random", "1", "--seed", "3")
    before = terminal.play(*args, lines=f"{lines}, facts, save {path}")
    facts = re.split(r"(?m)^> ", before)[-3]
    for told in (
        terminal.play(game, "--random", "1", "--load", str(path), lines="facts"),
        terminal.play(*args, lines=f"load {path}, facts"),
    ):
        assert re.split(r"(?m)^> ", told)[-2] == facts
    terminal.play(*args, "--load", str(path), lines=f"undo, list, 1, save {later}")
    assert main(["check", str(later)]) == 0


def test_what_cannot_be_loaded_is_told_and_the_game_goes_on(
    terminal: Terminal, tmp_path: Path
) -> None:
    path = tmp_path / "other.json"
    terminal.play("skorpion-deep", lines=f"s3, save {path}")
    told = terminal.play("squod", lines=f"load, load {path}, load nowhere.json, board")
    assert "Say which" in told
    assert "a game of skorpion-deep, not of squod" in told
    assert "nowhere.json: there is no such file" in told
    said = terminal.play("squod", "--lang", "fr", lines="charger nulle-part.json")
    assert "nulle-part.json : il n'y a pas de tel fichier" in said
    assert told.rstrip().endswith("> ".strip())
    assert "not of squod" in terminal.play("squod", "--load", str(path), code=2)
    path.write_text("{", encoding="utf-8")
    assert str(path) in terminal.play("squod", "--load", str(path), code=2)


@every_game
def test_a_hint_may_be_done(game: str, terminal: Terminal) -> None:
    told = terminal.play(game, "--seed", "1", lines="hint")
    said = re.search(r"Perhaps: (.*)", told)
    assert said
    if game == "scorpion":
        assert said[1] == "throw on yellow"
    else:
        assert "That may be done." in terminal.play(game, lines=f"why {said[1]}")


@pytest.mark.parametrize(
    ("lang", "typed", "said"),
    [
        ("en", "score", "Chips: player 1 (20), player 2 (20)."),
        ("de", "punkte", "Chips: Spieler 1 (20), Spieler 2 (20)."),
        ("fr", "score", "joueur 1 (20), joueur 2 (20)."),
    ],
)
def test_the_score_is_told_in_words(lang: str, typed: str, said: str, terminal: Terminal) -> None:
    told = terminal.play("autoscooter", "--lang", lang, lines=f"{typed},quit")
    assert said in told


def test_a_list_begins_with_a_word_of_either_language(terminal: Terminal) -> None:
    told = terminal.play("autoscooter", "--lang", "de", lines="liste red,liste rot,ende")
    english, own = told.split("> ")[1:3]
    assert english == own
    assert "rot 1A" in own


def test_headings_in_notation_are_those_of_the_language(terminal: Terminal) -> None:
    shown = terminal.play("autoscooter", "--lang", "de", "--set", "players=2",
                          lines="warum rot>b1NE,warum rot>b1NO,ende")  # fmt: skip
    english, own = re.findall(r"(?m)^> .*$", shown)[:2]
    assert english == own
    german, french = Rulebook("de").notation, Rulebook("fr").notation
    assert german.shown("red>b1NE") == "rot>b1NO"
    assert french.shown("red>b1NW") == "rouge>b1NO"
    assert german.read("rot>b1NO") == german.read("red>b1NE") == "red>b1NE"
    assert german.shown("ne2") == "ne2"  # a cell


def test_leaving_says_what_is_kept_and_how_to_go_on(terminal: Terminal) -> None:
    move = "S21-S31"
    lost = terminal.play("squod", lines=f"{move},quit")
    assert "Nothing of this game is kept." in lost
    kept = terminal.play("squod", lines=f"{move},save my game.json,quit")
    assert "tableref play squod --load 'my game.json'" in kept
    assert "Nothing of this game" not in kept
    later = terminal.play("squod", "--load", "my game.json", lines="undo,quit")
    assert "Nothing of this game is kept." in later
    assert "--load" not in terminal.play("squod", lines="quit")
    saved = terminal.play("squod", "--save", "other.json", lines=f"{move},quit")
    assert "tableref play squod --load other.json" in saved


def test_rules_are_at_hand(terminal: Terminal) -> None:
    told = terminal.play("squod", lines="rules, rules 1.4, rules SQ-1.5, rules what beats paper")
    assert told.count("SQ-1.4") >= 3
    assert "Paper beats rock" in told
    assert "No paragraph covers this." in terminal.play("squod", lines="rules where is the toilet")


def test_the_board_of_autoscooter_has_speeds_and_chips(terminal: Terminal) -> None:
    told = terminal.play("autoscooter", lines="quit")
    assert "[rNE0]" in told
    assert "chips: 20, 20" in told


def test_the_board_of_skorpion_deep_tells_the_colours_of_its_spots(terminal: Terminal) -> None:
    told = " ".join(terminal.play("skorpion-deep", lines="quit").split())
    assert "red nw2 sw2 sw3 s3 se3" in told
    assert "black gate e1 w1" in told


def test_what_one_notes_is_hidden_from_whoever_plays_at_the_same_screen(
    terminal: Terminal,
) -> None:
    told = terminal.play("autoscooter", lines="red 1A, mine player 1, , facts")
    noted, mine, after = told.split("> ")[1:4]
    assert "1A" not in noted
    assert "Noted." in noted
    assert "red 1 A" in mine
    assert "Only player 1 looks" in mine
    assert "red 1 A" not in after
    assert "red - -" in told.split("> ")[4]


def test_what_the_program_has_is_its_own(terminal: Terminal) -> None:
    args = ("autoscooter", "--random", "1", "--seed", "1")
    assert "played by the program" in terminal.play(*args, lines="mine player 2")


@pytest.mark.parametrize("args", [("--computer", "3"), ("--computer", "2", "--random", "1")])
def test_there_are_only_so_many_players(args: tuple[str, ...], terminal: Terminal) -> None:
    assert "expected" in (told := terminal.play("squod", *args, code=2)) or "at most 2" in told


def test_the_program_plays_to_win(terminal: Terminal, tmp_path: Path) -> None:
    wins = 0
    for seed in range(2):
        told = terminal.play(
            "skorpion-deep", "--random", "1", "--computer", "1", "--seed", str(seed)
        )
        wins += "red won" in told
    assert wins == 2


@pytest.mark.parametrize(
    ("lang", "typed", "said"),
    [
        ("en", "list g1", "The arrow of white jumps"),
        ("fr", "liste g1", "La flèche de blanc saute"),
        ("de", "liste g1", "Der Pfeil von Weiß springt"),
    ],
)
def test_a_list_says_in_words_what_each_action_does(
    lang: str, typed: str, said: str, terminal: Terminal
) -> None:
    told = terminal.play("arrows-and-stars", "--lang", lang, lines=typed)
    assert re.search(rf"  1  g1-f3  {said}", told)


def test_a_list_does_not_say_what_an_attack_would_show(terminal: Terminal) -> None:
    told = terminal.play("squod", "--seed", "3", "--random", "1", lines="1, list, 1, list, 1, list")
    attacks = re.findall(r"^ +\d+  (\S+/\S+x\S+)(.*)$", told, re.MULTILINE)
    assert all(not words.strip() for _, words in attacks)
