"""What players of Autoscooter write down, as a file has it (AS-3.1, AS-7.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tableref.rules.autoscooter.actions import Plot, PlotGhost
from tableref.rules.plotting import Written


def plots(round: Written) -> Iterator[dict[str, Any]]:
    """The plots of one round: cars in the file's order, then letters for the ghost."""
    cars = round.section("plots")
    for car in cars:
        noted = cars.section(car)
        number = noted.perhaps(noted.integer, "number")
        yield Plot(car, number, noted.perhaps(noted.text, "letter")).record()
    if "plot_ghost" in round:
        yield from _ghost_letters(round)


def _ghost_letters(round: Written) -> Iterator[dict[str, Any]]:
    """Letters for the ghost car: an object by the player's index, or a list by player."""
    noted = round.values()["plot_ghost"]
    if not isinstance(noted, Mapping | list):
        raise round.wrong("plot_ghost", f"expected letters by player, found {noted!r:.60}")
    pairs = noted.items() if isinstance(noted, Mapping) else enumerate(noted)
    for player, note in pairs:
        if not str(player).isdecimal() or len(str(player)) > 2:
            raise round.wrong("plot_ghost", f"{player!r:.60} is no player")
        letter = note.get("letter") if isinstance(note, Mapping) else note
        if letter is not None and not isinstance(letter, str):
            raise round.wrong("plot_ghost", f"expected a letter, found {letter!r:.60}")
        yield PlotGhost(int(player), letter).record()
