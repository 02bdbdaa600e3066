"""Positions of Scorpion as JSON objects: the keys of `facts`, read and written.

`scorpions` (colour -> cells in the track's order), `winners`, `turn` and `mover` (players), then
how far the turn has come: `throws` owed, `dice`, `used`, `moved`, `changed`, `attacker`; and who
has had his first turn (`opened`) or has given up (`resigned`). What `facts` writes is read back as
the same state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tableref.rules.scorpion import play
from tableref.rules.scorpion.judging import DIE, cells_in, tray_and_value
from tableref.rules.scorpion.state import Attack, State, Throw, Turn
from tableref.rules.scorpion.track import COLOURS, HAND, PIPS, SCORPIONS, TRAYS, Track
from tableref.rules.surface import Record, SetupError

_FRESH = {"throws": 2, "dice": [], "used": [], "moved": None, "changed": [], "attacker": None}
"""What a position says of a turn in which nothing has happened yet."""


def facts(state: State) -> dict[str, Any]:
    """The whole state in the keys of `expect`."""
    track, turn, attack = state.track, state.turn, state.attack
    names, players = track.cells, range(track.setup.players)
    return {
        "scorpions": {
            name: [names[cell] for cell in play.cells_of(state, colour)]
            for name, colour in track.colours.items()
        },
        "winners": list(state.winners) if state.winners else None,
        "turn": state.player if state.player >= 0 else None,
        "mover": state.mover,
        "throws": turn.throws,
        "dice": _dice_record(turn.dice),
        "used": _dice_record(turn.used),
        "moved": names[turn.moved] if turn.moved else None,
        "changed": [names[cell] for cell in cells_in(turn.changed)],
        "attacker": None
        if attack is None
        else {"colour": COLOURS[attack.colour], "cell": names[attack.cell], "die": attack.die},
        "opened": [bool(state.opened >> player & 1) for player in players],
        "resigned": [bool(state.resigned >> player & 1) for player in players],
    }


def _dice_record(dice: Iterable[int]) -> list[dict[str, Any]]:
    return [{"tray": TRAYS[tray], "value": value} for tray, value in map(tray_and_value, dice)]


def corrected(state: State, position: Record) -> State:
    """The state with what the position names set to what it says. SetupError names the key."""
    known = facts(state)
    unknown = sorted(set(position) - set(known))
    if unknown:
        raise SetupError(f"position: {unknown[0]!r} is no part of a position of Scorpion")
    told = known | dict(position)
    if told["turn"] != known["turn"]:
        told |= {"mover": told["turn"] or 0} | _FRESH | dict(position)
    if "scorpions" in position:
        named = _mapping(position["scorpions"], "scorpions")
        told["scorpions"] = known["scorpions"] | named
        if "attacker" not in position and not _still_there(known["attacker"], told["scorpions"]):
            told["attacker"] = None
    return _built(state.track, told, opened_given="opened" in position)


def _still_there(attacker: Any, scorpions: Mapping[str, Any]) -> bool:
    return attacker is not None and attacker["cell"] in scorpions[attacker["colour"]]


def _built(track: Track, told: Mapping[str, Any], opened_given: bool) -> State:
    masks, hands = [0] * len(COLOURS), [0] * len(COLOURS)
    attack = _attack(track, told["attacker"])
    for name, cells in told["scorpions"].items():
        colour = track.colours.get(name)
        if colour is None:
            raise SetupError(
                f"position: scorpions.{name}: the colours are {', '.join(track.colours)}"
            )
        placed = _cells(track, cells, f"scorpions.{name}")
        if len(placed) != SCORPIONS:
            raise SetupError(f"position: scorpions.{name}: expected 4 cells, found {cells!r}")
        if attack is not None and attack.colour == colour:
            if attack.cell not in placed:
                raise SetupError(f"position: attacker: no {name} scorpion stands there")
            placed.remove(attack.cell)
        hands[colour] = placed.count(HAND)
        for cell in placed:
            if HAND < cell < track.out:
                if any(mask >> cell & 1 for mask in masks):
                    raise SetupError(
                        f"position: two scorpions on {track.cells[cell]} without an attacker"
                    )
                masks[colour] |= 1 << cell
    opened, resigned = (_players(track, told[key], key) for key in ("opened", "resigned"))
    for player, own in enumerate(track.sets):
        entered = any(hands[colour] < SCORPIONS for colour in own)
        # Without a scorpion in hand nothing could ever enter, so the first turn was had.
        if (entered and not opened_given) or not any(hands[colour] for colour in own):
            opened |= 1 << player
    moved = 0 if told["moved"] is None else _cells(track, [told["moved"]], "moved")[0]
    changed = sum({1 << cell for cell in _cells(track, told["changed"], "changed")})
    state = State(
        track,
        tuple(masks),
        tuple(hands),
        -1 if told["turn"] is None else _player(track, told["turn"], "turn"),
        _player(track, told["mover"], "mover"),
        opened,
        resigned,
        Turn(
            _whole(told["throws"], 0, 2, "throws"),
            tuple(sorted(_dice(told["dice"], "dice"))),
            _dice(told["used"], "used"),
            moved,
            changed,
        ),
        attack,
        (),
        "",
    )
    return _with_turn(state)


def _with_turn(state: State) -> State:
    """The winners follow from the board; otherwise somebody who can play has the turn."""
    attack, turn, setup = state.attack, state.turn, state.track.setup
    state = play.decided(state)
    if state.winners:
        return state
    if state.player < 0:
        raise SetupError("position: turn: nobody has won, so somebody has the turn")
    if len(turn.dice) + len(turn.used) + turn.throws > 2:
        raise SetupError("position: throws: a turn has two dice, those in dice and used counted")
    if attack is not None and setup.exact_exit and attack.cell + attack.die > state.track.out:
        raise SetupError("position: attacker: its die is too large to leave by (exact_exit)")
    return play.seated(state)


# -- reading ----------------------------------------------------------------------------------


def _mapping(value: Any, key: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SetupError(f"position: {key}: expected an object, found {value!r}")
    return value


def _list(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise SetupError(f"position: {key}: expected a list, found {value!r}")
    return list(value)


def _whole(value: Any, least: int, most: int, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SetupError(f"position: {key}: expected {least} to {most}, found {value!r}")
    return value


def _cells(track: Track, value: Any, key: str) -> list[int]:
    names = _list(value, key)
    for name in names:
        if not isinstance(name, str) or name not in track.index:
            raise SetupError(f"position: {key}: {name!r} is no cell of this track")
    return [track.index[name] for name in names]


def _player(track: Track, value: Any, key: str) -> int:
    return _whole(value, 0, track.setup.players - 1, key)


def _players(track: Track, value: Any, key: str) -> int:
    flags = _list(value, key)
    if len(flags) != track.setup.players or not all(isinstance(flag, bool) for flag in flags):
        raise SetupError(f"position: {key}: expected true or false for each player")
    return sum(flag << player for player, flag in enumerate(flags))


def _dice(value: Any, key: str) -> tuple[int, ...]:
    dice: list[int] = []
    for die in _list(value, key):
        tray, pips = (_mapping(die, key).get(name) for name in ("tray", "value"))
        if tray not in TRAYS:
            raise SetupError(f"position: {key}: tray: expected yellow or black, found {tray!r}")
        dice.append(DIE[Throw(tray, _whole(pips, 1, PIPS, key))])
    return tuple(dice)


def _attack(track: Track, value: Any) -> Attack | None:
    if value is None:
        return None
    told = _mapping(value, "attacker")
    name = told.get("colour")
    if name not in track.colours:
        raise SetupError(f"position: attacker: colour: no {name!r} scorpion is in this game")
    (cell,) = _cells(track, [told.get("cell")], "attacker.cell")
    if not HAND < cell < track.out:
        raise SetupError("position: attacker: cell: it stands on the track")
    return Attack(track.colours[name], cell, _whole(told.get("die", 0), 0, PIPS, "attacker.die"))
