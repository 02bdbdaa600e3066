"""Positions of Scorpion as JSON objects: the keys of `facts`, read and written.

`scorpions` (colour -> cells in the track's order), `winners`, `turn` and `mover` (players), then
how far the turn has come: `throws` owed, `dice`, `used`, `moved`, `changed`, `attacker`; and who
has had his first turn (`opened`) or has given up (`resigned`). What `facts` writes is read back as
the same state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tableref.rules.plain import choice, entries, only_known, table, whole
from tableref.rules.scorpion import play
from tableref.rules.scorpion.actions import Throw
from tableref.rules.scorpion.judging import DIE, cells_in, tray_and_value
from tableref.rules.scorpion.state import Attack, State, Turn
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


def put_right(state: State, cell: str, colours: Sequence[str]) -> Record | None:
    """The position in which scorpions of these colours stand on the cell; None where a colour has
    none in hand that could have come there."""
    told: dict[str, list[str]] = facts(state)["scorpions"]
    hand = state.track.cells[HAND]
    placed = {name: [hand if at == cell else at for at in cells] for name, cells in told.items()}
    for colour in colours:
        if hand not in placed[colour]:
            return None
        placed[colour][placed[colour].index(hand)] = cell
    return {"scorpions": placed}


def corrected(state: State, position: Record) -> State:
    """The state with what the position names set to what it says. SetupError names the key."""
    known = facts(state)
    only_known(position, "position", known)
    told = known | dict(position)
    if told["turn"] != known["turn"]:
        told |= {"mover": told["turn"] or 0} | _FRESH | dict(position)
    if "scorpions" in position:
        named = table(position, "scorpions", "position")
        told["scorpions"] = known["scorpions"] | dict(named)
        if "attacker" not in position and not _still_there(known["attacker"], told["scorpions"]):
            told["attacker"] = None
    return _built(state.track, told, opened_given="opened" in position)


def _still_there(attacker: Any, scorpions: Mapping[str, Any]) -> bool:
    return attacker is not None and attacker["cell"] in scorpions[attacker["colour"]]


def _built(track: Track, told: Mapping[str, Any], opened_given: bool) -> State:
    masks, hands = [0] * len(COLOURS), [0] * len(COLOURS)
    attack = _attack(track, told["attacker"])
    for name, cells in told["scorpions"].items():
        colour = track.colours[choice(name, "position: scorpions", track.colours)]
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
            whole(told["throws"], "position: throws", 0, 2),
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


def _cells(track: Track, value: Any, key: str) -> list[int]:
    names = entries(value, f"position: {key}", str)
    return [track.index[choice(name, f"position: {key}", track.cells)] for name in names]


def _player(track: Track, value: Any, key: str) -> int:
    return whole(value, f"position: {key}", 0, track.setup.players - 1)


def _players(track: Track, value: Any, key: str) -> int:
    if (
        not isinstance(value, list | tuple)
        or len(value) != track.setup.players
        or not all(isinstance(flag, bool) for flag in value)
    ):
        raise SetupError(f"position: {key}: expected true or false for each player")
    return sum(flag << player for player, flag in enumerate(value))


def _dice(value: Any, key: str) -> tuple[int, ...]:
    where = f"position: {key}"
    return tuple(
        DIE[Throw(choice(d.get("tray"), where, TRAYS), whole(d.get("value"), where, 1, PIPS))]
        for d in entries(value, where, dict)
    )


def _attack(track: Track, value: Any) -> Attack | None:
    if value is None:
        return None
    told, where = table({"attacker": value}, "attacker", "position"), "position: attacker"
    name = choice(told.get("colour"), where, track.colours)
    cell = track.index[choice(told.get("cell"), where, track.cells[HAND + 1 : track.out])]
    return Attack(track.colours[name], cell, whole(told.get("die", 0), where, 0, PIPS))
