"""A new game as it is put together with buttons: every choice makes another draft."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from tableref.referee.games import load_game
from tableref.referee.timing import Clock
from tableref.rulebook import Rulebook
from tableref.rules.surface import SetupError

MOST_PLAYERS = 12
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Option(NamedTuple):
    """A rule that can be chosen: its key and value in a set-up, and the paragraph that it is."""

    key: str
    value: Any
    paragraph: str


class Draft(NamedTuple):
    """What is to be played. `players` is 0 where the game has but one number of them; `names` by
    player, "" for what the game calls him; `options` that were chosen; without a `clock`
    nobody is timed."""

    game: str
    lang: str = "en"
    players: int = 0
    names: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    clock: Clock | None = None

    def setup(self) -> dict[str, Any]:
        """The set-up of the rules."""
        setup: dict[str, Any] = {option.key: option.value for option in self.options}
        if self.players:
            setup["players"] = self.players
        if any(self.names):
            usual = seats(self.game, self.players)
            setup["names"] = [name or usual[seat] for seat, name in enumerate(self.names)]
        return setup

    def refused(self) -> str:
        """Why the rules do not let it begin so; empty where they do."""
        try:
            load_game(self.game).start(self.setup())
        except SetupError as error:
            return str(error)
        return ""

    def with_players(self, players: int) -> Draft:
        """The same with another number of players; names of those who stay do."""
        count = len(seats(self.game, players))
        names = (*self.names, *[""] * count)[:count]
        return self._replace(players=players, names=names)._timed_by_sides()

    def with_name(self, seat: int, name: str) -> Draft:
        """The same with this name at this seat; who had it sits without one."""
        names = ["" if other == name else other for other in self.names]
        names[seat] = name
        return self._replace(names=tuple(names))

    def with_option(self, option: Option) -> Draft:
        """The same with the option, or without it where it was chosen."""
        others = tuple(other for other in self.options if other.key != option.key)
        chosen = () if option in self.options else (option,)
        return self._replace(options=others + chosen)._timed_by_sides()

    def has_sides(self) -> bool:
        """Whether some play together, as far as the rules let it begin so."""
        rules = load_game(self.game)
        try:
            state = rules.start(self.setup())
        except SetupError:
            return False
        return any(len(side) > 1 for side in rules.sides(state))

    def _timed_by_sides(self) -> Draft:
        """The same, and those who play together have their time together."""
        return self._replace(clock=self.clock and self.clock._replace(shared=self.has_sides()))


def draft_of(game: str, lang: str) -> Draft:
    """The draft that a game begins with: as few as can play it, without options."""
    counts = player_counts(game)
    return Draft(game, lang).with_players(counts[0] if counts else 0)


@lru_cache(maxsize=8)
def player_counts(game: str) -> tuple[int, ...]:
    """How many may play, as the rules take it; empty where there is nothing to choose."""
    rules, counts = load_game(game), []
    for count in range(1, MOST_PLAYERS + 1):
        try:
            rules.start({"players": count})
        except SetupError:
            continue
        counts.append(count)
    return tuple(counts) if len(counts) > 1 else ()


@lru_cache(maxsize=16)
def seats(game: str, players: int) -> tuple[str, ...]:
    """What the game calls its players."""
    rules = load_game(game)
    return rules.players(rules.start({"players": players} if players else {}))


@lru_cache(maxsize=8)
def takes_names(game: str) -> bool:
    """Whether the rules let players have names."""
    rules = load_game(game)
    names = [f"name {seat}" for seat, _ in enumerate(rules.players(rules.start({})))]
    try:
        rules.start({"names": names})
    except SetupError:
        return False
    return True


def has_rounds(game: str) -> bool:
    """Whether the game goes in rounds."""
    rules = load_game(game)
    return "round" in rules.facts(rules.start({}))


def options(book: Rulebook, game: str) -> tuple[Option, ...]:
    """The rules that can be chosen, as the rulebook names them: each once."""
    found: dict[tuple[str, Any], Option] = {}
    for id in book.ids(game):
        paragraph = book.paragraph(id)
        for text in filter(None, (paragraph.option, paragraph.played_with)):
            for key, value in tomllib.loads(text.strip("`")).items():
                found.setdefault((key, value), Option(key, value, id))
    return tuple(found.values())
