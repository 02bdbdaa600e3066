"""What an action does in Scorpion: throws, moves, stings, the end of a turn, giving up.

Nothing here asks whether the action is legal; `judging` does.
"""

from __future__ import annotations

from functools import lru_cache

from tableref.rules.scorpion import judging
from tableref.rules.scorpion.actions import Move, Throw
from tableref.rules.scorpion.facts import fact
from tableref.rules.scorpion.judging import Way, cells_in, occupied, tray_and_value
from tableref.rules.scorpion.state import Attack, State, Turn, make
from tableref.rules.scorpion.track import COLOURS, FIRST_SIX, HAND, PIPS, TRAYS, Track
from tableref.rules.surface import Action, Fact, UnreadableAction

Played = tuple[State, tuple[Fact, ...]]

NEW_TURN = Turn()


def carry_out(state: State, action: Action) -> Played:
    """The next state and what happened, by a legal action."""
    if isinstance(action, Throw):
        return throw(state, action)
    if isinstance(action, Move):
        return move(state, action)
    return end_turn(state)


# -- throwing ---------------------------------------------------------------------------------


def throw(state: State, action: Throw) -> Played:
    """A die comes to rest on a tray (SC-2.2), or an extra die (SC-3.4)."""
    track, masks, hands, player, mover, opened, resigned, turn, attack, winners, ended = state
    if turn.throws or attack is None:
        turn, events = _thrown(turn, action, track.names[player])
    else:
        attack, events = _extra_thrown(track, attack, action.value)
    after = (track, masks, hands, player, mover, opened, resigned, turn, attack, winners, ended)
    return make(State, after), events


@lru_cache(maxsize=1024)  # Nearly half of all actions are throws, and few throws differ.
def _thrown(turn: Turn, action: Throw, who: str) -> tuple[Turn, tuple[Fact, ...]]:
    """The turn with this die, and the fact of it."""
    dice = tuple(sorted((*turn.dice, judging.DIE[action])))
    after = turn._replace(throws=turn.throws - 1, dice=dice)
    return after, (fact("throws", who, action.tray, amount=action.value),)


def _extra_thrown(track: Track, attack: Attack, value: int) -> tuple[Attack, tuple[Fact, ...]]:
    """The attack with its extra die, and the facts of it."""
    colour, cell, _ = attack
    who, start = COLOURS[colour], track.cells[cell]
    thrown = fact("extra-thrown", who, "", start, "", value)
    if track.exact_exit and cell + value > track.out:
        # It is stuck on a shared cell until a die fits: SC-3.4 asks for dice "again and again".
        return attack, (thrown, fact("extra-lost", who, "", start, "", value))
    return Attack(colour, cell, value), (thrown,)


# -- moving -----------------------------------------------------------------------------------


def move(state: State, action: Move, way: Way | None = None) -> Played:
    """A scorpion moves, stings whom it must, leaves if it can (SC-2.5 to SC-5.1).

    `way` says which dice of the turn it uses up, if not those of a legal move: none where it moves
    by an extra die.
    """
    track, before, hands, player, mover, opened, resigned, turn, attack, _, _ = state
    who, cell, steps, cross = action
    colour, start, end = track.colours[who], track.index[cell], track.out
    target = start + steps
    if target > end:
        target = end
    masks, owner = list(before), track.owner[colour]
    if attack is not None:
        way = Way((), turn.dice)
    else:
        if way is None:
            way = judging.reaches(state)[start > track.side].ways[steps]
        if start:
            masks[colour] ^= 1 << start
        else:
            hands = (*hands[:colour], hands[colour] - 1, *hands[colour + 1 :])
    events = [_moved(state, action, target)]
    changed = turn.changed & ~(1 << start)
    place, owes = target, False
    if target < end:
        bit, opposite = 1 << target, 1 << end - target
        blue, red, green, white = masks
        taken = blue | red | green | white
        if taken & bit:
            owes = True
            stung = _sting(track, masks, colour, target, cross, events)
            if cross and stung in track.sets[owner]:
                changed = changed & ~bit | opposite
        elif (
            target <= track.side
            and taken & opposite
            and (across := _across(track, masks, colour, target)) is not None
        ):
            place, owes = end - target, target > FIRST_SIX
            _change_places(track, masks, colour, across, target, events)
        if not owes:
            masks[colour] |= 1 << place
        if start <= track.side < place:
            changed |= 1 << place
    opened |= 1 << owner
    turn = _advanced(turn, way, place if place < end else 0, changed)
    attack = Attack(colour, place) if owes else None
    state = make(
        State,
        (track, tuple(masks), hands, player, mover, opened, resigned, turn, attack, (), ""),
    )
    return _after_leaving(state, events) if place == end else (state, tuple(events))


def _advanced(turn: Turn, way: Way, moved: int, changed: int) -> Turn:
    """The turn after a move. Who moved matters only while dice are left, so that ways to one board
    by the same dice end in one state."""
    throws, _, before, _, _ = turn
    used, left = way
    if before:
        used = tuple(sorted(before + used))
    if left or throws:
        return make(Turn, (throws, left, used, moved, changed))
    return make(Turn, (0, (), used, 0, 0))


def _moved(state: State, action: Move, target: int) -> Fact:
    track, (who, start, steps, _) = state.track, action
    if target == track.out:
        return fact("leaves", who, "", start, "", steps)
    to = track.cells[target]
    if state.attack is not None:
        return fact("extra-moves", who, "", start, to, steps)
    if start != track.cells[HAND]:
        return fact("moves", who, "", start, to, steps)
    opened = state.opened >> track.owner[track.colours[who]] & 1
    return fact("enters" if opened else "first-entry", who, "", "", to, steps)


def _sting(
    track: Track, masks: list[int], colour: int, cell: int, cross: bool, events: list[Fact]
) -> int:
    """The attacker ends on an occupied cell (SC-3.1); returns the stung colour."""
    stung = [mask >> cell & 1 for mask in masks].index(1)
    who, other, name = COLOURS[colour], COLOURS[stung], track.cells[cell]
    events.append(fact("stings", who, "", "", name, 0, other))
    if cross:
        opposite = track.out - cell
        masks[stung] ^= 1 << cell | 1 << opposite
        events.append(fact("sent-across", other, "", name, track.cells[opposite], 0, who))
    events.append(fact("extra-owed", who, TRAYS[track.colour_side(cell)], name))
    return stung


def _across(track: Track, masks: list[int], colour: int, cell: int) -> int | None:
    """The opponent's colour on the black cell that faces this yellow one, or None (SC-4.3)."""
    opposite = 1 << track.out - cell
    for other in track.opponents[colour]:
        if masks[other] & opposite:
            return other
    return None


def _change_places(
    track: Track, masks: list[int], colour: int, other: int, cell: int, events: list[Fact]
) -> None:
    """The attacker on a yellow cell and the opponent's scorpion facing it change places."""
    opposite = track.out - cell
    masks[other] ^= 1 << opposite | 1 << cell
    who, yellow, black = COLOURS[colour], track.cells[cell], track.cells[opposite]
    events.append(fact("changes-places", who, "", yellow, black, 0, COLOURS[other]))
    if cell > FIRST_SIX:
        events.append(fact("extra-owed-across", who, TRAYS[1], black))
    else:
        events.append(fact("no-extra-across", who, start=yellow))


def _after_leaving(state: State, events: list[Fact]) -> Played:
    """A scorpion is out: the game may be won."""
    state = _won(state)
    if state.winners:
        case = {"SC-5.2": "wins", "SC-5.3": "wins-eight", "SC-5.4": "wins-teams"}[state.ended]
        events.append(fact(case, judging.names_of(state, state.winners)))
    return state, tuple(events)


def _won(state: State) -> State:
    """The state, with winners where a side has all its scorpions out (SC-5.2 to SC-5.4)."""
    setup = state.track.setup
    for side in state.track.sides:
        playing = _playing(state, side)
        if playing and all(state.all_out(player) for player in playing):
            ended = "SC-5.4" if setup.teams else "SC-5.3" if setup.players == 2 else "SC-5.2"
            return state._replace(winners=playing, ended=ended)
    return state


def _playing(state: State, players: tuple[int, ...]) -> tuple[int, ...]:
    """Those of these players who have not given up."""
    return tuple(player for player in players if not state.resigned >> player & 1)


# -- ending a turn ----------------------------------------------------------------------------


def end_turn(state: State) -> Played:
    """What is left is given up or lost (SC-2.3, SC-2.5), and the next player has his turn."""
    if state.winners:
        return state._replace(player=-1, turn=NEW_TURN), ()
    return _next_turn(_set_down(state), list(_left_over(state)))


def _left_over(state: State) -> tuple[Fact, ...]:
    """What becomes of the dice that were not used."""
    dice, who = state.turn.dice, state.track.names[state.player]
    if not dice:
        return ()
    if not state.opened >> state.mover & 1:
        return (fact("entry-lost", who),) if any(die > PIPS for die in dice) else ()
    usable = judging.usable_dice(state)
    if len(dice) == 2 and not usable:
        return (fact("turn-lost", who),)
    return tuple([_die_left(die, who, die in usable) for die in dice])


def _die_left(die: int, who: str, usable: bool) -> Fact:
    tray, value = tray_and_value(die)
    return fact("given-up-die" if usable else "die-lost", who, TRAYS[tray], "", "", value)


def _set_down(state: State) -> State:
    """An attacker that will get no more dice stands where it is (only by a house ruling)."""
    if state.attack is None:
        return state
    masks = list(state.masks)
    masks[state.attack.colour] |= 1 << state.attack.cell
    return state._replace(masks=tuple(masks), attack=None)


def _next_turn(state: State, events: list[Fact]) -> Played:
    """The next player clockwise who can play (SC-2.0, SC-5.5)."""
    track, masks, hands, last, _, opened, resigned, _, attack, winners, ended = state
    count = len(track.sets)
    for step in range(1, count + 1):
        player = (last + step) % count
        if resigned >> player & 1:
            continue
        mover = player
        if state.all_out(player):
            name, helped = track.names[player], _to_help(state, player)
            if helped is None:
                events.append(fact("passed-over", name))
                continue
            mover = helped
            events.append(fact("throws-for", name, other=track.names[mover]))
        events.append(fact("next", track.names[player]))
        after = make(
            State,
            (
                track,
                masks,
                hands,
                player,
                mover,
                opened,
                resigned,
                NEW_TURN,
                attack,
                winners,
                ended,
            ),
        )
        return after, tuple(events)
    raise AssertionError("a game without a player who can play is over")


def _to_help(state: State, player: int) -> int | None:
    """The partner for whom a player with all scorpions out throws (option `partner_throws`)."""
    if not state.track.setup.partner_throws:
        return None
    partners = _playing(state, state.track.partners(player))
    return next((other for other in partners if not state.all_out(other)), None)


# -- giving up --------------------------------------------------------------------------------


def resign(state: State, player: int) -> Played:
    """A player gives up: his scorpions stay and act no more, his partner plays on (HR-1.1).

    A side of which nobody is left to bring a scorpion out has given up too. An attacker that
    shares its cell cannot stay there (SC-3.5): it goes back to the hand.
    """
    track = state.track
    events = [fact("gives-up", track.names[player])]
    attack = state.attack
    if attack is not None and player in (state.player, state.mover):
        if occupied(state) >> attack.cell & 1:
            who = COLOURS[attack.colour]
            events.append(fact("taken-off", who, start=track.cells[attack.cell]))
            hands = list(state.hands)
            hands[attack.colour] += 1
            state = state._replace(hands=tuple(hands), attack=None)
        else:
            state = _set_down(state)
    state = state._replace(resigned=state.resigned | 1 << player)
    state = _left_alone(state)
    if state.winners:
        events.append(fact("left-alone", judging.names_of(state, state.winners)))
    elif player in (state.player, state.mover):
        return _next_turn(state, events)
    return state, tuple(events)


def _left_alone(state: State) -> State:
    """The state, with winners where only one side has somebody left to play (HR-1.1)."""
    sides = [_playing(state, side) for side in state.track.sides]
    left = [side for side in sides if not all(state.all_out(player) for player in side)]
    if len(left) > 1:
        return state
    return state._replace(winners=left[0], ended="HR-1.1", player=-1, turn=NEW_TURN)


def decided(state: State) -> State:
    """The state, with winners where the board or those who gave up already say so."""
    won = _won(state)
    if won.winners:
        return won._replace(turn=NEW_TURN) if won.player < 0 else won
    return _left_alone(state)


def seated(state: State) -> State:
    """The state with a new turn given to somebody who can play; a begun one stays as it is."""
    if state.turn != NEW_TURN or state.attack is not None:
        return state
    return _next_turn(state._replace(player=state.player - 1), [])[0]


# -- house rulings ----------------------------------------------------------------------------


def forced(state: State, action: Action) -> Played:
    """A refused action that the table lets stand (HR-2.3).

    UnreadableAction where it cannot be done: a scorpion or a die that is not there, a third
    scorpion on a cell, or two that would share one when the turn ends (SC-3.5).
    """
    attack = state.attack
    if isinstance(action, Throw):
        if attack is None or attack.die:
            raise UnreadableAction("no die is due, so none can be let stand")
        return throw(state, action)
    if isinstance(action, Move):
        return _forced_move(state, action)
    if attack is not None and occupied(state) >> attack.cell & 1:
        raise UnreadableAction("two scorpions cannot stay on one cell: say where one goes")
    return end_turn(state._replace(turn=state.turn._replace(throws=0)))


def _forced_move(state: State, action: Move) -> Played:
    track, attack = state.track, state.attack
    start, colour = track.index.get(action.start), track.colours.get(action.colour)
    if start is None or colour is None or start == track.out:
        raise UnreadableAction(
            "no {who} scorpion can move from {start}", who=action.colour, start=action.start
        )
    way = None
    if attack is not None:
        if (colour, start) != (attack.colour, attack.cell):
            raise UnreadableAction("the scorpion that stung has to move on first")
    elif not (state.masks[colour] >> start & 1 if start else state.hands[colour]):
        raise UnreadableAction(
            "no {who} scorpion stands on {start}", who=action.colour, start=action.start
        )
    else:
        way = _any_way(state, action.steps)
    if action.cross:
        target, taken = start + action.steps, occupied(state)
        if attack is None and start:
            taken ^= 1 << start
        if target >= track.out or not taken >> target & 1 or taken >> track.out - target & 1:
            raise UnreadableAction("nobody can be sent across there")
    return move(state, action, way)


def _any_way(state: State, steps: int) -> Way:
    """The dice that make up these steps on whatever tray, or none of them."""
    dice = state.turn.dice
    values = [tray_and_value(die)[1] for die in dice]
    if steps in values:
        place = values.index(steps)
        return Way((dice[place],), dice[:place] + dice[place + 1 :])
    return Way(dice, ()) if sum(values) == steps else Way((), dice)


def cells_of(state: State, colour: int) -> list[int]:
    """The cells of all four scorpions of a colour, in the track's order."""
    attacking = [state.attack.cell] if state.attack and state.attack.colour == colour else []
    on_track = sorted([*cells_in(state.masks[colour]), *attacking])
    return [HAND] * state.hands[colour] + on_track + [state.track.out] * state.out(colour)
