"""The state of Scorpion, an immutable value."""

from __future__ import annotations

from typing import NamedTuple

from tableref.rules.scorpion.track import Track

make = tuple.__new__
"""`make(State, (...))` is `State(...)` in half the time; for what every action makes anew."""


class Turn(NamedTuple):
    """How far a turn has come.

    A die is an int, 1 to 6 on yellow and 7 to 12 on black. `throws` are still owed, `dice` not yet
    used. `moved` is the cell of the scorpion that the first die moved (0: none yet, or it is out);
    `changed` are the cells of the mover's scorpions that changed sides in this turn, a bit mask.
    """

    throws: int = 2
    dice: tuple[int, ...] = ()
    used: tuple[int, ...] = ()
    moved: int = 0
    changed: int = 0


class Attack(NamedTuple):
    """A scorpion of this colour on this cell owes an extra die (SC-3.4); 0: not yet thrown.

    It is held here alone and not in the masks of the state, for it may share its cell.
    """

    colour: int
    cell: int
    die: int = 0


class State(NamedTuple):
    """A position. Per colour the cells that hold a scorpion, a bit mask, and how many are in hand.

    `player` throws, and moves the scorpions of `mover`: himself, or his partner (SC-5.5).
    `opened` and `resigned` are bit masks of players. `ended` is the paragraph by which the winners
    won; the winner's turn stays open (`player` >= 0) until it is ended.
    """

    track: Track
    masks: tuple[int, ...]
    hands: tuple[int, ...]
    player: int
    mover: int
    opened: int
    resigned: int
    turn: Turn
    attack: Attack | None
    winners: tuple[int, ...]
    ended: str

    def out(self, colour: int) -> int:
        """How many scorpions of this colour have left the track (SC-5.1)."""
        attacking = self.attack is not None and self.attack.colour == colour
        return 4 - self.hands[colour] - self.masks[colour].bit_count() - attacking

    def all_out(self, player: int) -> bool:
        """Whether all scorpions of a player have left the track."""
        track, masks, hands, _, _, _, _, _, _, _, _ = self
        own = track.sets[player]
        for colour in own:
            if hands[colour] or masks[colour]:
                return False
        return self.attack is None or self.attack.colour not in own
