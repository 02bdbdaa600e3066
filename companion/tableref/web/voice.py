"""What a phone says, as inputs: with the consent of those concerned where that is needed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from tableref.referee.answers import (
    PERSONAL,
    Asked,
    Misunderstood,
    Quit,
    answer,
    reply,
)
from tableref.referee.inputs import Act, Choose, Input, LetStand, PutRight
from tableref.rules.surface import RulesError
from tableref.web.consents import Consents, Wish
from tableref.web.live import Live
from tableref.web.noting import noted
from tableref.web.seats import SCORER, Seats, Viewer

TAKE_BACK, REDO, LET_STAND, SEAT = "take-back", "redo", "let-stand", "seat"
SAID = "said"
"""What was typed, and all have to agree to: a correction, a draw."""


class NotAllowed(Exception):
    """This seat may not do that."""


class Voice:
    """Hands on what the seats say to the referee of `live`."""

    def __init__(self, live: Live, seats: Seats, consents: Consents) -> None:
        self._live, self._seats, self._consents = live, seats, consents

    def answer(self, viewer: Viewer, question: int, choice: int) -> None:
        """The answer to the question of this number. NotAllowed"""
        self._seated(viewer)
        asked = self._live.view().asked
        if asked is None or asked.number != question or not 0 <= choice < len(asked.choices):
            raise NotAllowed("question-over")
        self._give(Choose(time.monotonic(), choice, question))

    def say(self, viewer: Viewer, line: str) -> list[str]:
        """A line as at the terminal: what is replied to it; nothing where it was handed on. Who has
        no seat may ask. RulesError, NotAllowed"""
        live, referee = self._live, self._live.evening.referee
        own = viewer.seat if viewer.plays else None
        try:
            given = answer(referee, live.state, line, time.monotonic(), live.lang, own)
        except Misunderstood:
            raise
        except Quit:  # who holds a phone leaves by putting it away
            raise NotAllowed("for-all") from None
        except RulesError as error:
            rows = list(live.evening.journal.rows())
            judge = live.judge if viewer.seat is not None else None
            asked = Asked(
                referee, live.evening.board, live.state, rows, live.lang, player=own, judge=judge
            )
            return reply(asked, line, error)
        self._seated(viewer)
        kind = _kind_of(given)
        if kind:
            self.wish(viewer, kind)
            return []
        if own is not None and _speaks_for_others(given, own):
            self._ask(SAID, viewer, line.strip())
            return []
        if isinstance(given, Act):
            given = given._replace(player=own)
        self._give(given)
        return []

    def note(self, viewer: Viewer, chosen: Mapping[str, str]) -> None:
        """What a seat noted in secret, all of it at once. NotAllowed"""
        self._seated(viewer)
        if not viewer.plays or viewer.seat is None:
            raise NotAllowed("own-notes")
        game, state = self._live.evening.referee.game, self._live.state.table.state
        try:
            actions = noted(game, state, viewer.seat, chosen)
        except LookupError:
            raise NotAllowed("noted-wrong") from None
        if not actions:
            raise NotAllowed("nothing-to-note")
        for action in actions:
            self._give(Act(time.monotonic(), action.record(), viewer.seat))

    def wish(self, viewer: Viewer, kind: str) -> Wish:
        """Something that the others have to agree to: the seats that are taken. NotAllowed"""
        self._seated(viewer)
        if kind not in (TAKE_BACK, REDO, LET_STAND):
            raise NotAllowed("no-wish")
        return self._ask(kind, viewer, str(self._live.state.open) if kind == LET_STAND else "")

    def _ask(self, kind: str, viewer: Viewer, what: str) -> Wish:
        wish = self._consents.ask(kind, viewer.seat, self._concerned(viewer), what)
        self._granted(wish)
        self._live.changed()
        return wish

    def agree(self, viewer: Viewer, number: int) -> Wish | None:
        """Consent; the wish where it is granted by that. NotAllowed"""
        self._seated(viewer)
        assert viewer.seat is not None
        wish = self._consents.agree(number, viewer.seat)
        if wish is not None:
            self._granted(wish)
        self._live.changed()
        return wish

    def refuse(self, viewer: Viewer, number: int) -> None:
        """No consent. NotAllowed"""
        self._seated(viewer)
        self._consents.refuse(number, viewer.seat)
        self._live.changed()

    def _concerned(self, viewer: Viewer) -> frozenset[int]:
        """Seats but his own; players without a phone are asked by those who have one."""
        return frozenset(self._seats.taken()) - {viewer.seat if viewer.seat is not None else SCORER}

    def _granted(self, wish: Wish) -> None:
        if wish.needs:
            return
        everybody = tuple(range(len(self._live.players)))
        by = wish.by if wish.by is not None and wish.by != SCORER else 0
        match wish.kind:
            case "take-back":
                agreed = {"player": by, "agreed": list(everybody)}
                self._give(Act(time.monotonic(), {"take_back": agreed}))
            case "redo":
                self._give(Act(time.monotonic(), {"redo": {"agreed": list(everybody)}}))
            case "let-stand":
                self._give(LetStand(time.monotonic(), everybody, int(wish.what)))
            case "said":
                self._give(self._said(wish.what, wish.by))

    def _said(self, line: str, by: int | None) -> Input:
        """What a line means by now at this seat. NotAllowed where it means nothing any more"""
        live = self._live
        try:
            given = answer(live.evening.referee, live.state, line, time.monotonic(), live.lang, by)
        except RulesError:
            raise NotAllowed("overtaken") from None
        return given

    def _seated(self, viewer: Viewer) -> None:
        if viewer.seat is None:
            raise NotAllowed("no-seat")

    def _give(self, given: Input) -> None:
        self._live.give(given)


def _kind_of(given: Input | Sequence[str]) -> str:
    """The wish that an input is; empty where nobody else has to agree."""
    match given:
        case LetStand():
            return LET_STAND
        case Act(_, {"take_back": _}):
            return TAKE_BACK
        case Act(_, {"redo": _}):
            return REDO
    return ""


def _speaks_for_others(given: Input, own: int) -> bool:
    """Whether it is said that all have agreed, or that another player gives up or is back: that is
    the scorer's to enter."""
    match given:
        case PutRight():
            return True
        case Act(_, action, None):
            return any(
                isinstance(said, dict)
                and ("agreed" in said or (key in PERSONAL and said.get("player", own) != own))
                for key, said in action.items()
            )
    return False
