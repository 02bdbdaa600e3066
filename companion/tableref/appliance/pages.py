"""What stands on the pages of the menu, in one language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tableref.appliance.menu import Command, Item, Page
from tableref.appliance.newgame import (
    Draft,
    draft_of,
    has_rounds,
    options,
    player_counts,
    seats,
    takes_names,
)
from tableref.appliance.steps import STEPS, is_done
from tableref.appliance.updates import BACK, STICK
from tableref.devices.oled import Marker
from tableref.hosting.shelf import Stored
from tableref.referee.games import GAMES
from tableref.referee.timing import PER, Clock
from tableref.rulebook import Rulebook
from tableref.rulebook.chapters import chapter_titles
from tableref.rulebook.findings import FindingWords
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.text import LANGUAGES, title
from tableref.updating.slots import FINE, Outcome

TIMES = {"turn": (30, 60, 90, 120, 180, 300), "round": (60, 120, 180, 300, 600)}
"""Seconds for a turn or a round that can be chosen."""
CHECKED, OPEN, DAMAGED = "✓", "·", "✗"


class Situation(NamedTuple):
    """What the main menu depends on: the games that lie here, the one that was played last first,
    names to choose from, how many seconds before the end a clock rings, and how phones reach the
    host's pages."""

    games: tuple[Stored, ...] = ()
    names: tuple[str, ...] = ()
    bell: int = 10
    phones: str = ""
    table_code: str = ""
    version: str = ""
    """What runs here, where another version can be asked for."""
    other: str = ""
    """The version that one can go back to."""


class Running(NamedTuple):
    """What the menu over a running game depends on: the game, its players, who is `away` for a
    while, whether it is over, whether it was only broken off, and the address and the code by which
    phones reach it."""

    game: str
    names: tuple[str, ...]
    away: tuple[int, ...] = ()
    over: bool = False
    broken_off: bool = False
    phones: str = ""
    table_code: str = ""


class Pages:
    """Makes the pages of one language."""

    def __init__(self, lang: str) -> None:
        self.lang, self.words = lang, MenuWords(lang)
        self._book = Rulebook(lang)

    # -- the first page ---------------------------------------------------------------------------

    def main(self, now: Situation) -> Page:
        """The page that one sees when the table is switched on."""
        left = [one for one in now.games if not (one.over or one.trouble)]
        items = []
        if left:
            last = left[0]
            label = self.words.label("continue", title(self.lang, last.game))
            go = Command("look", last.folder)
            items.append(Item(label, go, self.words.help("continue")))
        items.append(self._item("new", lambda: self.choose_game(now)))
        if now.games:
            items.append(self._item("games", lambda: self.games(now)))
        items += [
            self._item("rules", self.rulebook),
            self._item("set-up", Command("set-up")),
            self._item("health", Command("health")),
            *self._joins(now.phones, now.table_code),
        ]
        if now.version:
            items.append(self._item("update", lambda: self.update(now)))
        items += [
            self._item("off", lambda: self.sure("off", Command("off"))),
        ]
        return Page(self.words.label("menu"), tuple(items))

    def games(self, now: Situation) -> Page:
        """All games that lie here."""
        return Page(self.words.label("games"), tuple(self._stored(one) for one in now.games))

    def _stored(self, one: Stored) -> Item:
        name = title(self.lang, one.game) or one.folder.name
        said = self.words.text("over") if one.over else ""
        played = one.last[:16].replace("T", " ")
        trouble = FindingWords(self.lang).said(one.trouble.replace(f"{one.folder}/", ""))
        parts = (name, ", ".join(one.names), played, said, trouble)
        help = "\n".join(filter(None, parts))
        label = f"{one.last[5:10]} {name}".strip()
        if one.trouble:
            mend = _later(self.mend, one.folder, trouble) if one.mends else None
            return Item(f"{DAMAGED} {label}", mend, help)
        return Item(f"{CHECKED} {label}" if one.over else label, Command("look", one.folder), help)

    def mend(self, folder: Path, trouble: str) -> Page:
        """What is wrong with a game, and that OK has it go on from its last whole row."""
        text = self.words.text("mend", trouble)
        return Page.of(self.words.label("mend"), text, Command("mend", folder), marker=Marker.ASK)

    # -- a new game -------------------------------------------------------------------------------

    def choose_game(self, now: Situation) -> Page:
        """Which game is played."""

        def go(game: str) -> Callable[[], Page]:
            return lambda: self.draft(now, draft_of(game, self.lang))

        items = tuple(Item(title(self.lang, game) or game, go(game)) for game in GAMES)
        return Page(self.words.label("game"), items)

    def draft(self, now: Situation, draft: Draft, at: int = 0) -> Page:
        """The game as it is put together. What is chosen changes it, and leads back here."""
        items = [Item(self.words.label("begin"), Command("begin", draft))]
        again = self._again(now, len(items))
        if counts := player_counts(draft.game):
            chosen = [(self.words.label("players", n), draft.with_players(n)) for n in counts]
            label = self.words.label("players", draft.players)
            items.append(Item(label, self._choice(label, chosen, again(items))))
        if takes_names(draft.game) and now.names:
            for seat, name in enumerate(draft.names):
                usual = self._seat(draft, seat)
                offered = [(usual, draft.with_name(seat, ""))]
                offered += [(name, draft.with_name(seat, name)) for name in now.names]
                label = name or usual
                items.append(Item(label, self._choice(usual, offered, again(items))))
        for option in options(self._book, draft.game):
            paragraph = self._book.paragraph(option.paragraph)
            mark = CHECKED if option in draft.options else OPEN
            flipped, place = draft.with_option(option), len(items)
            items.append(
                Item(
                    f"{mark} {paragraph.title}",
                    _later(lambda d, p: self.draft(now, d, p)._replace(replaces=1), flipped, place),
                    f"{paragraph.text} ({paragraph.id})",
                )
            )
        timed = [(self._timed(one), draft._replace(clock=one)) for one in self._clocks(now, draft)]
        label = self._timed(draft.clock)
        items.append(Item(label, self._choice(self.words.label("clocks"), timed, again(items))))
        label = MenuWords(draft.lang).label("language")
        langs = [
            (MenuWords(lang).label("language"), draft._replace(lang=lang)) for lang in LANGUAGES
        ]
        items.append(Item(label, self._choice(self.words.label("languages"), langs, again(items))))
        return Page(title(self.lang, draft.game) or draft.game, tuple(items), at=at)

    def _again(
        self, now: Situation, first: int
    ) -> Callable[[Sequence[Item]], Callable[[Draft], Page]]:
        """Leads back to the draft after a choice on a page of its own, to the item it is of."""

        def here(items: Sequence[Item]) -> Callable[[Draft], Page]:
            at = len(items)
            return lambda draft: self.draft(now, draft, at)._replace(replaces=2)

        return here

    @staticmethod
    def _choice(
        name: str, offered: Iterable[tuple[str, Draft]], then: Callable[[Draft], Page]
    ) -> Callable[[], Page]:
        items = tuple(Item(label, _later(then, draft)) for label, draft in offered)
        return lambda: Page(name, items)

    def _seat(self, draft: Draft, seat: int) -> str:
        return self._book.named(seats(draft.game, draft.players)[seat])

    def _clocks(self, now: Situation, draft: Draft) -> list[Clock | None]:
        """None, so many seconds a turn, and so many a round where there are rounds; those who play
        together have their time together."""
        shared, pers = draft.has_sides(), PER[: 1 + has_rounds(draft.game)]
        timed = [Clock(seconds, now.bell, per, shared) for per in pers for seconds in TIMES[per]]
        return [None, *timed]

    def _timed(self, clock: Clock | None) -> str:
        if clock is None:
            return self.words.label("no-clock")
        return self.words.label(f"clock-{clock.per}", clock.seconds)

    # -- setting up -------------------------------------------------------------------------------

    def set_up(self, done: Mapping[str, int], at: int = 0) -> Page:
        """The steps of setting up, marked where the present version of them was gone through."""
        items = []
        for step in STEPS:
            mark = CHECKED if is_done(step, done) else OPEN
            key = f"step-{step}"
            label = f"{mark} {self.words.label(key)}"
            items.append(Item(label, Command("step", step), self.words.help(key)))
        return Page(self.words.label("set-up"), tuple(items), at=at)

    # -- another version --------------------------------------------------------------------------

    def update(self, now: Situation) -> Page:
        """Where another version may come from."""
        words = self.words
        stick = self.said("update-stick", words.text("stick"), Command("another", STICK))
        items = [Item(words.label("update-stick"), lambda: stick, words.help("update-stick"))]
        if now.other:
            name = words.label("update-back", now.other)
            sure = self._sure(name, Command("another", BACK))
            items.append(Item(name, lambda: sure, words.help("update-back")))
        items.append(Item(words.label("runs", now.version)))
        return Page(words.label("update"), tuple(items))

    def outcome(self, outcome: Outcome) -> Page:
        """What an update came to."""
        try:
            text = self.words.text(f"outcome-{outcome.code}", *outcome.values)
        except (LookupError, ValueError):  # of a later version, which knows more of them
            text = outcome.text
        if outcome.code in FINE:
            return self.said("update", text)
        return self.trouble(text)

    # -- the rulebook -----------------------------------------------------------------------------

    def rulebook(self) -> Page:
        """The games, and what holds at every table."""
        items = [
            Item(title(self.lang, game) or game, _later(self.chapters, game)) for game in GAMES
        ]
        items.append(Item(self.words.label("house"), lambda: self.chapters("house")))
        return Page(self.words.label("rules"), tuple(items))

    def _joins(self, address: str, table_code: str) -> list[Item]:
        """The way to `joining`, where there are pages for phones."""
        page = self.joining(address, table_code)
        return [self._item("phones", lambda: page)] if address else []

    def joining(self, address: str, table_code: str) -> Page:
        """How phones join: a QR code, the address, the table's code."""
        lines = (address, self.words.text("phones", table_code))
        return Page(self.words.label("phones"), text=lines, code=address)

    def named(self, name: str, text: str) -> str:
        """What is said of something, after its name."""
        return f"{name}{self._book.words.labels['colon']} {text}"

    def chapters(self, game: str) -> Page:
        """The chapters of a game."""
        titles, found = chapter_titles(self.lang), dict[str, list[str]]()
        for id in self._book.ids(game):
            found.setdefault(id.partition(".")[0], []).append(id)
        if len(found) == 1 or game == "house":
            return self._paragraphs(title(self.lang, game), self._book.ids(game))
        items = []
        for chapter, ids in found.items():
            name = titles.get(chapter, self._book.paragraph(ids[0]).title)
            items.append(Item(name, _later(self._paragraphs, name, ids), self.named(chapter, name)))
        return Page(title(self.lang, game) or game, tuple(items))

    def _paragraphs(self, name: str, ids: Sequence[str]) -> Page:
        paragraphs = [self._book.paragraph(id) for id in ids]
        return Page(
            name, tuple(Item(each.title, _later(self.paragraph, each.id)) for each in paragraphs)
        )

    def paragraph(self, id: str) -> Page:
        """A paragraph in full."""
        paragraph = self._book.paragraph(id)
        return Page.of(paragraph.title, paragraph.text, id=id)

    # -- while a game runs ------------------------------------------------------------------------

    def in_game(self, running: Running) -> Page:
        """The menu over a running game."""
        everybody = list(range(len(running.names)))
        here = [player for player in everybody if player not in running.away]
        to_game = self._item("to-game", Command("back"))
        leave = self._item("over" if running.over else "leave", Command("leave"))
        items = [leave, to_game] if running.over else [to_game, leave]
        items += [
            self._item("stands", Command("stands")),
            self._item("rules", lambda: self.chapters(running.game)),
            self._agreed("HR-2.1", _act(take_back={"player": 0, "agreed": everybody})),
            self._item("redo", _act(redo={"agreed": everybody})),
        ]
        items += self._joins(running.phones, running.table_code)
        if running.broken_off:
            items.append(self._item("take-up", _act(take_up=True)))
        if not running.over:

            def leaves(player: int) -> Command:
                others = [other for other in everybody if other != player]
                return _act(leave={"player": player, "agreed": others})

            items.append(self._whose("HR-1.2", running, here, leaves))
            if running.away:
                returns = self._whose(
                    "HR-1.2", running, running.away, lambda p: _act(**{"return": {"player": p}})
                )
                items.append(returns._replace(label=self.words.label("return")))
            items += [
                self._whose("HR-1.1", running, everybody, lambda p: _act(resign={"player": p})),
                self._agreed("HR-1.3", _act(draw={"agreed": everybody})),
                self._agreed("HR-1.4", _act(break_off=True)),
            ]
        items.append(self._item("off", lambda: self.sure("off", Command("off"))))
        return Page(self.words.label("in-game"), tuple(items))

    def _agreed(self, id: str, command: Command) -> Item:
        """What a paragraph of the house lets all agree on."""
        name = self._book.paragraph(id).title
        return self._by_paragraph(id, lambda: self._sure(name, command))

    def _whose(
        self, id: str, running: Running, players: Sequence[int], action: Callable[[int], Command]
    ) -> Item:
        """What a paragraph of the house lets one player do: which one."""
        named = [(self._book.named(running.names[p]), p) for p in players]
        items = tuple(Item(name, _later(self._sure, name, action(p))) for name, p in named)
        page = Page(self._book.paragraph(id).title, items)
        return self._by_paragraph(id, lambda: page)

    def _by_paragraph(self, id: str, go: Callable[[], Page]) -> Item:
        paragraph = self._book.paragraph(id)
        return Item(paragraph.title, go, f"{paragraph.text} ({id})")

    # -- small ones -------------------------------------------------------------------------------

    def sure(self, key: str, command: Command) -> Page:
        """Asks whether somebody is sure of what a label says."""
        return self._sure(self.words.label(key), command)

    def _sure(self, name: str, command: Command) -> Page:
        items = (
            Item(self.words.label("yes"), command),
            Item(self.words.label("no"), Command("no")),
        )
        return Page(name, items, at=1, marker=Marker.ASK)

    def trouble(self, text: str) -> Page:
        """Something that did not work, in words."""
        return Page.of(self.words.label("trouble"), text, marker=Marker.TROUBLE)

    def failed(self, text: str) -> Page:
        """The same, as programs say it in English."""
        return self.trouble(FindingWords(self.lang).said(text))

    def said(self, key: str, text: str, go: Command | None = None) -> Page:
        """A text under a label."""
        return Page.of(self.words.label(key), text, go)

    def _item(self, key: str, go: Callable[[], Page] | Command) -> Item:
        return Item(self.words.label(key), go, self.words.help(key))


def _later(make: Callable[..., Page], *values: object) -> Callable[[], Page]:
    return lambda: make(*values)


def _act(**action: object) -> Command:
    """An action of the house, as its record."""
    return Command("act", action)
