"""Squod on the common surface of games; `explaining` adds what was done, going by what is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tableref.rules.defaults import Awaited, Defaults
from tableref.rules.pieces import HIDDEN, Stack, texts
from tableref.rules.squod import judging, notation
from tableref.rules.squod.actions import Move, Pass, PutBack, Show, Squod, SquodAction, Tell
from tableref.rules.squod.change import Change
from tableref.rules.squod.layout import (
    KIND,
    KIND_NAMES,
    KINDS,
    LINES,
    OF_EACH,
    OWNER,
    SQUOD_LINE,
    UNKNOWN,
    Layout,
    beats,
)
from tableref.rules.squod.state import (
    DRAWN,
    UPRIGHT,
    State,
    corrected,
    face_up,
    first_state,
    has_line,
    pieces_of,
    team_players,
)
from tableref.rules.surface import (
    ALLOWED,
    NOTE,
    Action,
    Due,
    Fact,
    Outcome,
    Record,
    Refused,
    Ruling,
    UnreadableAction,
)

CAN_STAND = (
    *("not-your-piece", "partners-ramp", "piece-given-up"),
    *("not-one-line-on", "never-back", "straight-on", "not-beside", "back-on-ramp", "not-weaker"),
    *("not-on-line-1", "must-move", "could-put-back", "can-take"),
)
SQUOD_CAN_STAND = ("not-one-line-on", "stays-in-place")
"""Cases of refused actions that can be carried out all the same (HR-2.3)."""


class SquodRules(Defaults):
    """The game on one board. A turn is: put-backs, then a move, an attack or a pass."""

    name = "squod"
    beside = ("hands",)
    rules_version = "2"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    # -- starting ---------------------------------------------------------------------------------

    def start(self, setup: Record) -> State:
        """All pieces on the start lines (SQ-2). SetupError"""
        return first_state(self.layout, setup)

    def from_position(self, setup: Record, position: Record) -> State:
        """The start with this position laid over; hands that it does not name are empty where it
        names pieces. SetupError"""
        state = self.start(setup)
        if "pieces" in position:
            unknown = "secret" in setup and state.setup.secret
            options = state.setup._replace(secret=unknown)
            state = state._replace(setup=options, hands=((),) * options.players)
        return corrected(self.layout, state, position)

    def corrected(self, state: State, position: Record) -> State:
        """The state with what the position names set to what it says (HR-2.2). SetupError"""
        return corrected(self.layout, state, position)

    # -- whose turn -------------------------------------------------------------------------------

    def players(self, state: State) -> tuple[str, ...]:
        """Names of the players, by default those of their ramps."""
        return state.setup.names

    def sides(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Partners face each other (SQ-1.2)."""
        return tuple(team_players(state.setup.players, team) for team in (0, 1))

    def owned(self, state: State) -> tuple[tuple[str, ...], ...]:
        """The pieces of each player, which bear his number."""
        return tuple((str(player),) for player in range(len(state.setup.names)))

    def due(self, state: State) -> Due:
        """The turn of one player."""
        return Due("over") if state.over is not None else Due("act", (state.turn,))

    def legal(self, state: State) -> Iterator[SquodAction]:
        """All legal actions, lazily, in a fixed order."""
        return judging.legal(self.layout, state)

    def judge(self, state: State, action: Action, player: int | None = None) -> Ruling:
        """Allowed, or the paragraphs broken, the deciding one first."""
        broken = judging.reasons(self.layout, state, action, player)
        return Ruling(broken) if broken else ALLOWED

    def forced(self, state: State, closing: bool = False) -> None:
        """Nothing comes by itself: a player says that he passes."""

    def reveals(self, state: State, action: Action) -> bool:
        """Whether a piece is shown that lay face down (HR-2.1)."""
        if isinstance(action, Move):
            index, ring = self.layout.index, self.layout.ring
            return index[action.to] < ring <= index[action.start]
        return isinstance(action, Squod | Show)

    def learned(self, state: State, action: Action) -> tuple[Show, ...]:
        """What the referee knows once this action was tried, though it is refused and taken back:
        the pieces that it showed, to be applied in its stead (SQ-6.1)."""
        pairs: tuple[tuple[str, str], ...] = ()
        if isinstance(action, Move):
            pairs = ((action.start, action.kind),)
        elif isinstance(action, Squod):
            pairs = ((action.start, action.kinds[0]), (action.target, action.kinds[1]))
        shows = (Show(place, kind) for place, kind in pairs if kind)
        return tuple(show for show in shows if self.judge(state, show).allowed)

    # -- moving -----------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """The next state and what happened. Refused where the action is not legal."""
        if broken := judging.reasons(self.layout, state, action, None):
            raise Refused(Ruling(broken))
        return self._carry_out(state, action)

    def force(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """As `apply`, though the rules refuse it (HR-2.3). UnreadableAction where a piece is not
        there, cannot be what it is said to be, or would stand where another one of the own side or
        on a ramp stands."""
        if self.judge(state, action).allowed:
            return self.apply(state, action)
        if state.over is not None:
            raise UnreadableAction("the game is over")
        can_stand = SQUOD_CAN_STAND if isinstance(action, Squod) else CAN_STAND
        for fact in judging.reasons(self.layout, state, action, None):
            if fact.case not in can_stand:
                raise UnreadableAction(
                    "cannot be done: {case} ({paragraph})", case=fact.case, paragraph=fact.paragraph
                )
        if isinstance(action, Move):
            return self._force_move(state, action)
        if isinstance(action, PutBack):
            self._check_ramp(state, state.turn, action.to)
        if isinstance(action, Squod):
            self._check_named(state, action.start, action.kinds[0])
            self._check_named(state, action.target, action.kinds[1])
            if action.via != action.start:
                self._check_ramp(state, state.turn, action.via)
        state, facts = self._carry_out(state, action)
        # The table let a player pass who could move: that says nothing of who ever can (SQ-3.9).
        return state._replace(passed=0, over=None) if action == Pass() else state, facts

    def resign(self, state: State, player: int) -> tuple[State, tuple[Fact, ...]]:
        """The other side wins, or the partner plays on alone (HR-1.1)."""
        if state.over is not None or state.gone >> player & 1:
            raise UnreadableAction("the game is over, or the player has given up before")
        names, players = state.setup.names, state.setup.players
        state = state._replace(gone=state.gone | 1 << player)
        partners = [p for p in team_players(players, player % 2) if not state.gone >> p & 1]
        if not partners:
            winners = team_players(players, 1 - player % 2)
            fact = Fact("HR-1.1", "gave-up", names[player], other=names[winners[0]])
            return state._replace(over=Outcome(winners, "HR-1.1")), (fact,)
        if state.turn == player:
            state = state._replace(turn=self._next(state))
        fact = Fact("HR-1.1", "plays-on-alone", names[player], other=names[partners[0]])
        return state, (fact,)

    def _next(self, state: State) -> int:
        """Who is next, clockwise; those who gave up are passed over."""
        players, turn = state.setup.players, state.turn
        while True:
            turn = (turn + 1) % players
            if not state.gone >> turn & 1:
                return turn

    def _carry_out(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        if isinstance(action, Move):
            return self._move(state, action)
        change = Change(self.layout, state)
        who = state.setup.names[state.turn]
        if isinstance(action, Squod):
            return self._squod(state, change, action)
        if isinstance(action, PutBack):
            names = judging.names_in_hand(self.layout, state, state.turn)
            kinds = tuple(map(KINDS.index, (action.kind,) if action.kind else names))
            change.put_back(state.turn, self.layout.index[action.to], kinds)
            fact = Fact("SQ-3.7", "put-back", who, to=action.to)
            return self._same_turn(state, change), (fact,)
        if isinstance(action, Show):
            change.show(self.layout.index[action.at], KINDS.index(action.kind))
            return self._same_turn(state, change), (Fact("SQ-6.1", "shown", start=action.at),)
        if isinstance(action, Tell):
            named = ((self.layout.index[p], KINDS.index(kind)) for p, kind in action.pieces)
            change.tell(action.player, named)
            fact = Fact("SQ-6.1", "told", state.setup.names[action.player])
            return self._same_turn(state, change), (fact,)
        return self._pass(state)

    def _same_turn(self, state: State, change: Change) -> State:
        """What is no move gives nobody a move who had none: who passed before counts (SQ-3.9)."""
        return change.done(state.turn, None)._replace(passed=state.passed)

    def _pass(self, state: State) -> tuple[State, tuple[Fact, ...]]:
        """The turn goes on, or all have passed one after the other (SQ-3.8, SQ-3.9)."""
        passed = state.passed | 1 << state.turn
        fact = Fact("SQ-3.8", "passed", state.setup.names[state.turn])
        state = state._replace(turn=self._next(state), passed=passed)
        if any(not (passed | state.gone) >> player & 1 for player in range(state.setup.players)):
            return state, (fact,)
        return state._replace(over=DRAWN), (fact, Fact("SQ-3.9", "drawn"))

    def _move(self, state: State, action: Move) -> tuple[State, tuple[Fact, ...]]:
        layout, who = self.layout, state.setup.names[state.turn]
        start, to = layout.index[action.start], layout.index[action.to]
        change = Change(layout, state)
        if to >= layout.ring:
            change.shift(start, to)
            stepped = Fact("SQ-3.1", "stepped", who, "", action.start, action.to)
            return change.done(self._next(state), None), (stepped,)
        if action.kind:
            change.show(start, KINDS.index(action.kind))
        kind = KIND_NAMES[KIND[change.cells[start]]]
        paragraph, case = ("SQ-3.2", "entered") if start >= layout.ring else ("SQ-3.3", "walked")
        if change.cells[to]:
            taken = self._piece_name(state, change.cells[to])
            facts = [Fact(paragraph, "took", who, kind, action.start, action.to, 0, taken)]
            facts.append(self._lose(state, change, to))
        else:
            facts = [Fact(paragraph, case, who, kind, action.start, action.to)]
        change.shift(start, to)
        return self._landed(state, change, to, "SQ-5.1", "line-made", facts)

    def _force_move(self, state: State, action: Move) -> tuple[State, tuple[Fact, ...]]:
        layout = self.layout
        start, to = layout.index[action.start], layout.index[action.to]
        change = Change(layout, state)
        piece = change.cells[start]
        if to >= layout.ring:
            self._check_ramp(state, OWNER[piece], action.to)
        if start < layout.ring <= to and state.deals and state.deals[OWNER[piece]]:
            raise UnreadableAction("a piece cannot go back among hidden ones")
        self._check_named(state, action.start, action.kind)
        if action.kind:
            change.show(start, KINDS.index(action.kind))
        who = state.setup.names[state.turn]
        facts = [Fact("SQ-3.3", "set-down", who, "", action.start, action.to)]
        if change.cells[to]:
            facts.append(self._lose(state, change, to))
        change.shift(start, to)
        if to >= layout.ring:
            return change.done(self._next(state), None), tuple(facts)
        return self._landed(state, change, to, "SQ-5.1", "line-made", facts)

    def _squod(self, state: State, change: Change, action: Squod) -> tuple[State, tuple[Fact, ...]]:
        layout = self.layout
        index = layout.index
        start, via, target = index[action.start], index[action.via], index[action.target]
        for place, shown in zip((start, target), action.kinds, strict=True):
            if shown:
                change.show(place, KINDS.index(shown))
        attacker, attacked = change.cells[start], change.cells[target]
        who, what = state.setup.names[state.turn], KIND_NAMES[KIND[attacker]]
        other = self._piece_name(state, attacked)
        if start != via:
            change.shift(start, via)
        if KIND[attacker] == KIND[attacked]:
            equal = Fact("SQ-4.4", "squod-equal", who, "", action.start, action.via)
            return change.done(self._next(state), None), (equal,)
        crossing = layout.crossing[via, target]
        won = beats(KIND[attacker], KIND[attacked])
        case = "squod-won" if won else "squod-lost"
        facts = [Fact("SQ-4.3", case, who, what, action.start, layout.names[crossing], 0, other)]
        facts.append(self._lose(state, change, target if won else via))
        change.shift(via if won else target, crossing)
        if won:
            return self._landed(state, change, crossing, "SQ-5.1", "line-made", facts)
        return self._landed(state, change, crossing, "SQ-5.2", "line-by-defence", facts)

    def _lose(self, state: State, change: Change, place: int) -> Fact:
        piece = change.cells[place]
        change.lose(place)
        owner = OWNER[piece]
        amount = len(change.hands[owner])
        return Fact(
            "SQ-3.7", "lost", state.setup.names[owner], KIND_NAMES[KIND[piece]], amount=amount
        )

    def _landed(
        self, state: State, change: Change, cell: int, paragraph: str, case: str, facts: list[Fact]
    ) -> tuple[State, tuple[Fact, ...]]:
        """A piece has come to a ring cell: the game is won, or the next player's turn (SQ-5)."""
        owner, over = OWNER[change.cells[cell]], None
        if has_line(self.layout, change.cells, owner % 2, cell):
            over = Outcome(team_players(state.setup.players, owner % 2), paragraph)
            name = state.setup.names[owner]
            facts.append(Fact(paragraph, case, name, to=self.layout.names[cell]))
        return change.done(self._next(state), over), tuple(facts)

    def _piece_name(self, state: State, piece: int) -> str:
        return f"{state.setup.names[OWNER[piece]]} {KIND_NAMES[KIND[piece]]}"

    def _check_ramp(self, state: State, player: int, place: str) -> None:
        at, ramp = self.layout.index[place], self.layout.tables[state.setup.players].ramps[player]
        if not 0 <= at - ramp < LINES * self.layout.size or state.cells[at]:
            raise UnreadableAction(
                "{to} is not a free place of {who}", to=place, who=self.players(state)[player]
            )

    def _check_named(self, state: State, place: str, kind: str) -> None:
        if not kind and KIND[state.cells[self.layout.index[place]]] == UNKNOWN:
            raise UnreadableAction("the piece of {to} is not known: name it", to=place)
        if kind and kind not in self.possible(state, place):
            raise UnreadableAction("the piece of {to} cannot be {what}", to=place, what=kind)

    # -- what is known ----------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome | None:
        """The winning side (SQ-5), nobody (SQ-3.9), or None while the game goes on."""
        return state.over

    def possible(self, state: State, place: str) -> tuple[str, ...]:
        """The kinds that the piece on a place may be of, all that was shown considered (SQ-6.1);
        none where no piece stands."""
        at = self.layout.index[place]
        return tuple(
            KINDS[kind] for kind in judging.kinds_at(self.layout, state, at) if state.cells[at]
        )

    def secret(self, action: Action) -> bool:
        """What a player tells the referee alone (SQ-1.5)."""
        return isinstance(action, Tell)

    def to_tell(self, state: State, player: int) -> dict[str, tuple[str, ...]]:
        """The pieces on a player's ramp that the referee does not know (SQ-6.1)."""
        return judging.to_tell(self.layout, state, player) if state.over is None else {}

    def telling(self, player: int, told: Mapping[str, str]) -> Tell:
        """What a player tells of them."""
        return Tell(player, tuple(sorted(told.items())))

    def public(self, state: State, player: int | None = None) -> State:
        """The state in which the referee knows no piece on a ramp or in a hand, but for this
        player's own: what the players know, but for what was shown and turned back (SQ-1.5,
        SQ-4.4)."""
        if state.over is not None:
            return state
        seen = self.view(state, player)
        hands = {
            whose: hand if whose == str(player) else [HIDDEN] * len(hand)
            for whose, hand in seen["hands"].items()
        }
        told = {"pieces": seen["pieces"], "hands": hands, "passed": seen["passed"]}
        secret = state._replace(setup=state.setup._replace(secret=True))
        return self.corrected(secret, told)

    def unnamed(self, action: Action) -> Action | None:
        """The action without the kinds of what lies face down before it (SQ-1.5); what is only
        shown is said by who shows it."""
        if isinstance(action, Show):
            return None
        if isinstance(action, Squod):
            return action._replace(kinds=("", ""))
        return action._replace(kind="") if isinstance(action, Move | PutBack) else action

    def set_up_fact(self, piece: str, to: str) -> Fact:
        """How the pieces stand at the start (SQ-2.2)."""
        return Fact("SQ-2.2", "set-up", piece, to=to)

    def public_way(self, action: Action) -> tuple[str, ...]:
        """A move onto the ring, an attack over a cell of it (SQ-3.2, SQ-4.1)."""
        if isinstance(action, Squod):
            return action.start, action.via, action.target
        return (action.start, action.to) if isinstance(action, Move) else ()

    def put_right(self, state: State, cell: str, stack: Stack) -> Record | None:
        """What stood on the cell goes into its owner's hand; what stands there comes from it where
        such a piece is in it."""
        facts = self.facts(state)
        pieces: dict[str, str] = dict(facts["pieces"])
        hands: dict[str, list[str]] = {key: list(kinds) for key, kinds in facts["hands"].items()}
        if cell in pieces:
            owner, kind = pieces.pop(cell).split(" ")
            hands[owner] += [kind] if kind != HIDDEN else []
        for piece in stack:
            pieces[cell] = piece.text
            if piece.face in hands[piece.side]:
                hands[piece.side].remove(piece.face)
        return {"pieces": pieces, "hands": hands}

    def awaits(self, state: State) -> Awaited:
        """A turn (SQ-3.0)."""
        return Awaited("SQ-3.0")

    def facts(self, state: State) -> dict[str, Any]:
        """The whole state as the referee knows it: `pieces`, `hands` (kinds by player), `turn`,
        `winner` (a side), `drawn`, `resigned` (players), `passed` (players who passed since the
        last move); `?` for a kind that is not known."""
        return self._told(state, texts(pieces_of(self.layout, state)), range(state.setup.players))

    def view(self, state: State, player: int | None) -> dict[str, Any]:
        """As `facts`, but pieces on the ramps and in the hands of others are `?`: what was lost is
        put back hidden, and nobody is told which (SQ-1.5, SQ-3.7, SQ-4.4)."""
        known = () if player is None else (player,)
        return self._told(state, texts(face_up(self.layout, state, player)), known)

    def dealt(self, setup: Record, rng: Random) -> dict[str, Any]:
        """The set-up with a placement for each player, unless it has one or leaves pieces unknown
        (SQ-2.2; `Dealt`)."""
        if "placement" in setup or setup.get("secret"):
            return dict(setup)
        players = self.start(setup).setup.players
        kinds = [kind for kind in KINDS for _ in range(OF_EACH)]
        if SQUOD_LINE * self.layout.size != len(kinds):
            return dict(setup)  # a larger ramp has places free: the players say which
        return {**setup, "placement": [rng.sample(kinds, len(kinds)) for _ in range(players)]}

    def guessed(self, state: State, player: int, rng: Random) -> State:
        """The hidden pieces of the others are any of those that they can still have: two of each
        kind, less what lies open (SQ-1.3, SQ-1.5; `Guesses`). What the referee knows of them, and
        what was shown and turned back, is left aside."""
        facts = self.facts(state)
        pieces, hands = dict(facts["pieces"]), {k: list(v) for k, v in facts["hands"].items()}
        for owner in range(state.setup.players):
            own = [place for place, text in pieces.items() if text.split()[0] == str(owner)]
            ramp = [place for place in own if self.layout.index[place] >= self.layout.ring]
            held = hands.get(str(owner), [])
            left = Counter(dict.fromkeys(KINDS, OF_EACH))
            left.subtract(pieces[place].split()[1] for place in own if place not in ramp)
            if owner == player:
                known = [pieces[place].split()[1] for place in ramp] + held
                left.subtract(kind for kind in known if kind in KINDS)
            drawn = list((+left).elements())
            rng.shuffle(drawn)
            for place in ramp:
                if owner != player or pieces[place].endswith(HIDDEN):
                    pieces[place] = f"{owner} {drawn.pop()}"
            hands[str(owner)] = [
                drawn.pop() if owner != player or kind == HIDDEN else kind for kind in held
            ]
        return self.corrected(state, {"pieces": pieces, "hands": hands, "passed": facts["passed"]})

    def board(self, state: State) -> dict[str, Stack]:
        """Place -> `0 rock` on the ring, `0 ?` on a ramp, where pieces lie face down."""
        return face_up(self.layout, state)

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """A piece of any player, with any face or none."""
        return UPRIGHT[1:]

    def _told(
        self, state: State, pieces: dict[str, str], whose: tuple[int, ...] | range
    ) -> dict[str, Any]:
        return {
            "pieces": pieces,
            "hands": {
                str(player): [KIND_NAMES[kind] if player in whose else "?" for kind in hand]
                for player, hand in enumerate(state.hands)
            },
            "winner": state.over.winners[0] % 2 if state.over and state.over.winners else None,
            "drawn": state.over == DRAWN,
            "turn": state.turn,
            "resigned": [p for p in range(state.setup.players) if state.gone >> p & 1],
            "passed": [p for p in range(state.setup.players) if state.passed >> p & 1],
        }

    # -- records and texts ------------------------------------------------------------------------

    def read(self, record: Record) -> SquodAction:
        """The action of this record. UnreadableAction"""
        return notation.read(self.layout, record)

    def text(self, state: State, action: Action) -> str:
        """The action in short notation (`notation`)."""
        return notation.text(action)

    def public_text(self, state: State, action: Action) -> str:
        """As `text`, with `?` for what is hidden; of what the referee alone is told (SQ-1.5) only
        by whom."""
        if isinstance(action, Tell):
            return f"{self.players(state)[action.player]}{NOTE}"
        return notation.public_text(action)

    def parse(self, state: State, text: str) -> SquodAction:
        """The action of this text. UnreadableAction"""
        return notation.parse(self.layout, text)
