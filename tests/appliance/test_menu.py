"""The menu: pure, five buttons, four lines; in three languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tableref.appliance.menu import Command, Item, Menu, Page
from tableref.appliance.newgame import Draft, draft_of, options, player_counts, seats, takes_names
from tableref.appliance.pages import Pages, Running, Situation
from tableref.devices import font
from tableref.devices.buttons import Button
from tableref.devices.oled import COLUMNS, draw
from tableref.hosting.shelf import Stored
from tableref.referee.games import GAMES, load_game
from tableref.referee.timing import Clock
from tableref.rulebook import Rulebook
from tableref.rulebook.menuwords import MenuWords, _data
from tableref.rulebook.text import LANGUAGES

OK, BACK, UP, DOWN, WHY = Button.OK, Button.BACK, Button.UP, Button.DOWN, Button.WHY
NAMES = ("Ada", "Ben", "Cleo", "Dan")
GAMES_LEFT = (
    Stored(Path("g/b"), "squod", (), "en", "2026-11-28T20:01:00Z"),
    Stored(Path("g/a"), "scorpion", ("Ada", "Ben"), "en", "2026-11-27T20:01:00Z", over=True),
    Stored(Path("g/c"), "autoscooter", trouble="damaged at row 3"),
)
NOW = Situation(GAMES_LEFT, NAMES)


def press(menu: Menu, *buttons: Button) -> tuple[Menu, Command | None]:
    command = None
    for button in buttons:
        menu, command = menu.pressed(button)
    return menu, command


def chosen(menu: Menu, label: str) -> tuple[Menu, Command | None]:
    """The menu after going down to the item of this label, and OK."""
    labels = [item.label for item in menu.page.items]
    downs = (labels.index(label) - menu.page.at) % len(labels)
    return press(menu, *[DOWN] * downs, OK)


def page(*labels: str, **more: Any) -> Page:
    return Page("title", tuple(Item(label, Command(label)) for label in labels), **more)


# -- moving ----------------------------------------------------------------------------------------


def test_up_and_down_go_round() -> None:
    menu = Menu((page("a", "b", "c"),))
    assert press(menu, DOWN, DOWN, OK)[1] == Command("c")
    assert press(menu, DOWN, DOWN, DOWN, OK)[1] == Command("a")
    assert press(menu, UP, OK)[1] == Command("c")


def test_back_leads_where_one_came_from_and_held_to_the_first_page() -> None:
    first, second, third = page("a"), page("b"), page("c")
    menu = Menu((first, second, third))
    assert menu.pressed(BACK)[0].page is second
    assert menu.pressed(BACK, long=True)[0].page is first
    assert Menu((first,)).pressed(BACK) == (Menu((first,)), Command("back"))


def test_the_chosen_item_is_seen_wherever_it_stands() -> None:
    menu = Menu((page(*"abcdefghij"),))
    for number in range(10):
        shown = menu.screen()
        assert [line for line in shown.lines if line.startswith("▶")] == [
            f"▶ {'abcdefghij'[number]}"
        ]
        assert shown.paragraph == f"{number + 1}/10"
        menu = menu.pressed(DOWN)[0]


def test_a_text_is_read_to_its_end_before_ok_does_what_it_says() -> None:
    text = Page("t", (), tuple("abcdefghij"), go=Command("go"))
    menu = Menu((text,))
    assert menu.screen().hint == "▼"
    menu, command = menu.pressed(OK)
    assert command is None
    assert menu.screen().lines[0] == "e"
    menu, command = press(menu, OK, OK)
    assert command == Command("go")
    assert menu.screen().hint == "OK"


def test_why_tells_what_an_item_means_and_back_leads_to_it() -> None:
    menu = Menu((Page("t", (Item("a", None, "what a means"),)),))
    told = menu.pressed(WHY)[0]
    assert told.page.text == ("what a means",)
    assert told.pressed(BACK)[0].page == menu.page


def test_nothing_happens_on_an_empty_page() -> None:
    menu = Menu((page(), page()))
    for button in (UP, DOWN, OK, WHY):
        assert menu.pressed(button) == (menu, None)


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_label_fits_the_display_and_every_letter_can_be_drawn(lang: str) -> None:
    data = _data(lang)
    assert {part: data[part].keys() for part in data} == {
        part: _data("en")[part].keys() for part in _data("en")
    }
    for label in data["labels"].values():
        assert len(label.replace("{}", "120")) <= COLUMNS - 2, label
    for text in (text for part in data.values() for text in part.values()):
        assert font.UNKNOWN not in font.plain(text)
        assert text.count("{}") == text.count("{")


def everything(menu: Menu, seen: set[str], depth: int = 0) -> None:
    """Walks through all pages of a menu, and draws each."""
    draw(menu.screen())
    for item in menu.page.items:
        if callable(item.go) and depth < 4:
            key = f"{menu.page.title}/{item.label}"
            if key not in seen:
                seen.add(key)
                everything(menu.opened(item.go()), seen, depth + 1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_that_can_be_reached_is_drawn(lang: str) -> None:
    seen: set[str] = set()
    everything(Menu((Pages(lang).main(NOW),)), seen)
    running = Running("scorpion", ("blue", "red"), (1,), False, False)
    everything(Menu((Pages(lang).in_game(running),)), seen)
    assert len(seen) > 60


# -- the first page --------------------------------------------------------------------------------


def test_the_game_that_was_played_last_is_offered_first() -> None:
    assert press(Menu((Pages("en").main(NOW),)), OK)[1] == Command("look", Path("g/b"))


def test_without_a_game_that_was_left_a_new_one_is_offered_first() -> None:
    menu = Menu((Pages("en").main(Situation(GAMES_LEFT[1:])),))
    assert menu.page.items[0].label == "New game"


def test_a_damaged_game_is_shown_and_cannot_be_chosen() -> None:
    menu, _ = chosen(Menu((Pages("en").main(NOW),)), "Games")
    label = "✗ Autoscooter"
    assert chosen(menu, label)[1] is None
    menu = press(menu, UP)[0]
    assert "damaged at row 3" in " ".join(menu.pressed(WHY)[0].page.text)


def test_switching_off_wants_a_yes() -> None:
    menu, command = chosen(Menu((Pages("en").main(NOW),)), "Shut down")
    assert command is None
    assert press(menu, OK)[1] == Command("no")
    assert press(menu, UP, OK)[1] == Command("off")


# -- a new game ------------------------------------------------------------------------------------


def begun(lang: str, game: str, *choices: str) -> Draft:
    """The draft after these labels were chosen one after the other."""
    pages = Pages(lang)
    menu = Menu((pages.main(NOW), pages.draft(NOW, draft_of(game, lang))))
    for label in choices:
        menu, command = chosen(menu, label)
        assert command is None
    _, command = chosen(menu, MenuWords(lang).label("begin"))
    assert command is not None
    assert isinstance(command.value, Draft)
    assert len(menu.pages) == 2  # choices have led back to the draft
    return command.value


@pytest.mark.parametrize("game", GAMES)
def test_every_game_begins_as_it_is_proposed_and_with_every_number_of_players(game: str) -> None:
    draft = begun("en", game)
    assert not draft.refused()
    for count in player_counts(game):
        assert not draft.with_players(count).refused()
    assert len(seats(game, draft.players)) == len(draft.names)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_the_rulebook_lets_one_choose_can_be_chosen(game: str) -> None:
    book = Rulebook("en")
    for option in options(book, game):
        draft = begun("en", game, f"· {book.paragraph(option.paragraph).title}")
        assert draft.setup()[option.key] == option.value
        # On again, off again.
        assert not draft.with_option(option).options


def test_players_names_options_and_language_are_chosen_by_buttons() -> None:
    draft = begun(
        "en", "scorpion", "2 players", "3 players", "Blue", "Cleo", "Red", "Ada",
        "· Leaving the track", "No clock", "60 s a turn", "English", "Deutsch",
    )  # fmt: skip
    assert draft.setup() == {
        "players": 3, "names": ["Cleo", "Ada", "green"], "exact_exit": True,
    }  # fmt: skip
    assert draft.lang == "de"
    assert draft.clock == Clock(60, 10, "turn")
    assert not draft.refused()


def test_nobody_sits_on_two_seats() -> None:
    draft = begun("en", "scorpion", "Blue/green", "Ada", "Red/white", "Ada")
    assert draft.names == ("", "Ada")


def test_teams_are_chosen_and_the_partner_throws() -> None:
    draft = begun(
        "en", "scorpion", "2 players", "4 players", "· Teams", "· All one's scorpions are out"
    )
    assert draft.setup() == {"players": 4, "teams": True, "partner_throws": True}
    assert not draft.refused()
    assert "teams" in draft.with_players(3).refused()


def test_who_plays_in_teams_has_his_time_together() -> None:
    draft = begun("en", "scorpion", "2 players", "4 players", "No clock", "30 s a turn", "· Teams")
    assert draft.clock == Clock(30, 10, "turn", shared=True)
    [teams] = [option for option in draft.options if option.key == "teams"]
    assert draft.with_option(teams).clock == Clock(30, 10, "turn", shared=False)


def test_options_that_do_not_go_together_are_told_by_the_rules() -> None:
    draft = begun("en", "autoscooter", "· Ghost car")
    assert "no" in draft.refused()
    assert not draft.with_players(3).refused()


def test_a_game_without_names_does_not_ask_for_them() -> None:
    assert not takes_names("arrows-and-stars")
    assert takes_names("squod")
    menu = Menu((Pages("en").draft(NOW, draft_of("arrows-and-stars", "en")),))
    assert not {"White", "Black"} & {item.label for item in menu.page.items}


# -- over a running game ---------------------------------------------------------------------------

RUNNING = Running("scorpion", ("blue", "red", "green"), (1,))


def house(*labels: str, running: Running = RUNNING) -> Any:
    """What is asked for after these labels of the menu over a game, and yes."""
    menu, command = Menu((Pages("en").in_game(running),)), None
    for label in (*labels, "Yes"):
        menu, command = chosen(menu, label)
    assert command is not None
    return command.value


def test_every_action_of_the_house_can_be_said_by_buttons() -> None:
    assert house("Taking back") == {"take_back": {"player": 0, "agreed": [0, 1, 2]}}
    assert house("Resigning", "Green") == {"resign": {"player": 2}}
    assert house("Leaving for a while", "Blue") == {"leave": {"player": 0, "agreed": [1, 2]}}
    assert house("Back at the table", "Red") == {"return": {"player": 1}}
    assert house("Agreed draw") == {"draw": {"agreed": [0, 1, 2]}}
    assert house("Breaking off") == {"break_off": True}


@pytest.mark.parametrize("address", ["http://192.168.1.20:8080", "http://192.168.100.200:8080"])
def test_phones_read_the_address_off_the_display(address: str) -> None:
    """The QR code, as the camera of a phone reads it; the code that is typed stands beside it."""
    cv2 = pytest.importorskip("cv2")
    np = pytest.importorskip("numpy")
    pytest.importorskip("segno")
    running = RUNNING._replace(phones=address, table_code="0421")
    menu, _ = chosen(Menu((Pages("en").in_game(running),)), "Phones")
    screen = menu.screen()
    assert screen.lines == (address, "Code: 0421")
    drawn = draw(screen).convert("L").resize((128 * 5, 64 * 5), 0)
    edged = cv2.copyMakeBorder(np.array(drawn), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=0)
    assert cv2.QRCodeDetector().detectAndDecode(edged)[0] == address
    # On 32 rows it would be too small to be read; the address in words has the room.
    told = replace(screen, code="", lines=font.wrap(f"{address} Code: 0421", COLUMNS, 2))
    assert "Code: 0421" in told.lines[-1]
    assert draw(screen, (128, 32)).tobytes() == draw(told, (128, 32)).tobytes()


def test_what_is_asked_of_the_house_can_be_read_by_the_rules() -> None:
    from tableref.rules.log import House

    rules = House(load_game("scorpion"))
    for action in (
        house("Resigning", "Green"), house("Leaving for a while", "Blue"),
        house("Back at the table", "Red"), house("Agreed draw"), house("Breaking off"),
        house("Taking back"),
    ):  # fmt: skip
        assert rules.read(action).record() == action


def test_a_game_that_is_over_leads_to_the_main_menu_first() -> None:
    over = RUNNING._replace(over=True)
    items = [item.label for item in Pages("en").in_game(over).items]
    assert items[:2] == ["To the main menu", "Back to the game"]
    assert not {"Resigning", "Take it up again"} & {*items}
    items = [item.label for item in Pages("en").in_game(over._replace(broken_off=True)).items]
    assert "Take it up again" in items


# -- how it looks ----------------------------------------------------------------------------------


def screens(lang: str) -> dict[str, Menu]:
    pages, words = Pages(lang), MenuWords(lang)
    main = Menu((pages.main(NOW),))
    draft = draft_of("scorpion", lang).with_players(3).with_name(0, "Cleo")
    draft = draft.with_option(options(Rulebook(lang), "scorpion")[0])
    return {
        "main": main,
        "main-end": press(main, UP)[0],
        "games": chosen(main, words.label("games"))[0],
        "new": chosen(main, words.label("new"))[0],
        "draft": Menu((main.page, pages.draft(NOW, draft, 1))),
        "draft-options": Menu((main.page, pages.draft(NOW, draft, 5))),
        "off": chosen(main, words.label("off"))[0],
        "in-game": Menu((pages.in_game(RUNNING),)),
        "in-game-end": press(Menu((pages.in_game(RUNNING),)), UP, UP)[0],
        "help": press(main, DOWN, WHY)[0],
        "update": Menu((pages.update(Situation(version="0.10.0", other="0.9.3")),)),
        "rule": Menu((main.page, pages.paragraph("SC-3.4"))),
    }


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", sorted(screens("en")))
def test_pages_look_as_their_reference_pictures(golden: Any, lang: str, name: str) -> None:
    golden(draw(screens(lang)[name].screen()), f"menu-{name}-{lang}")


def test_partners_have_their_time_together() -> None:
    draft = begun("en", "squod", "2 players", "4 players", "No clock", "30 s a turn")
    assert draft.clock == Clock(30, 10, "turn", shared=True)
    assert draft.with_players(2).clock == Clock(30, 10, "turn", shared=False)


def test_rounds_are_timed_where_there_are_rounds() -> None:
    assert begun("en", "autoscooter", "No clock", "60 s a round").clock == Clock(60, 10, "round")
    menu, _ = chosen(Menu((Pages("en").draft(NOW, draft_of("squod", "en")),)), "No clock")
    assert not [item.label for item in menu.page.items if "round" in item.label]
