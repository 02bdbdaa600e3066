"""Every fact that arrows and stars can give: (paragraph, case, meaning).

Of a fact: `who` acts, `what` it is about, `start`, `to`, `amount`, `other`. Where a piece is
concerned `other` is a piece (`black star`), else a side.
"""

from __future__ import annotations

OVER = ("AE-4.1", "AE-4.2", "HR-1.1")
"""Paragraphs that end a game."""

BREACHES: tuple[tuple[str, str, str], ...] = (
    ("AE-2.0", "not-your-turn", "It is {other}'s turn, not {who}'s."),
    ("AE-2.0", "arrow-first", "{who} moves an arrow first; a {what} comes after it."),
    ("AE-2.0", "arrow-moved-already", "{who} has moved an arrow in this turn ({start} to {to})."),
    ("AE-2.1", "nothing-there", "No arrow stands on {start}."),
    ("AE-2.1", "not-your-arrow", "On {start} stands a {other}; {who} moves an arrow of its own."),
    ("AE-2.1", "too-far", "{to} is no neighbour of {start}, and no jump leads there."),
    ("AE-2.1", "taken", "{who}'s arrow on {start} cannot step to {to}: a {other} stands there."),
    ("AE-2.1", "backwards", "{start} to {to} is backwards for {who}'s arrow."),
    ("AE-2.1", "step-in-chain", "{start} to {to} is a step: a move is one step or jumps alone."),
    ("AE-2.2", "no-jump", "No jump leads from {start} to {to}."),
    ("AE-2.2", "nothing-jumped", "Nothing stands between {start} and {to} that could be jumped."),
    ("AE-2.2", "landing-taken", "The jump from {start} ends on {to}, where a {other} stands."),
    ("AE-2.3", "first-jump-sideways", "The first jump goes forward; {start} to {to} is sideways."),
    ("AE-2.4", "jumped-twice", "From {start} to {to} the same {other} is jumped a second time."),
    ("AE-2.6", "must-jump", "{who}'s arrow on {other} can jump an opposing piece: one must."),
    ("AE-2.7", "arrow-can-move", "{who} cannot pass: {start} to {to} is possible, for one."),
    ("AE-3.1", "no-star-moves-left", "{who} has no star move left in this turn."),
    ("AE-3.2", "no-star-there", "No star stands on {start}."),
    ("AE-3.2", "not-a-star", "On {start} stands a {other}, no star."),
    ("AE-3.2", "not-your-star", "The star on {start} is {other}'s; here each moves its own."),
    ("AE-3.3", "star-too-far", "{to} is no neighbour of {start}, and no jump leads there."),
    ("AE-3.3", "star-jumps-nothing", "Nothing stands between {start} and {to} to be jumped."),
    ("AE-3.3", "star-backwards", "{start} to {to} is backwards for {who}'s star."),
    ("AE-3.3", "star-place-taken", "On {to} stands a {other}."),
    ("AE-3.5", "star-can-move", "{who} need not pass: the star on {start} can go to {to}."),
    *((paragraph, "game-over", "The game is over; winner: {other}.") for paragraph in OVER),
)

EVENTS: tuple[tuple[str, str, str], ...] = (
    ("AE-2.1", "stepped", "{who}'s arrow stepped from {start} to {to}."),
    ("AE-2.1", "set-down", "{who}'s arrow was put from {start} to {to} by a house ruling."),
    ("AE-2.2", "jumped", "{who}'s arrow jumped a {other} from {start} to {to}."),
    ("AE-2.5", "turned-round", "{who}'s arrow was turned round on {to} and now points {what}."),
    ("AE-2.7", "half-skipped", "No arrow of {who} can move; {other} goes on."),
    ("AE-3.1", "stars-earned", "{who} may move stars {amount} times."),
    ("AE-3.3", "star-stepped", "{who} moved {other}'s star from {start} to {to}."),
    ("AE-3.3", "star-jumped", "{who} moved {other}'s star from {start} to {to} over a {what}."),
    ("AE-3.3", "star-set-down", "{other}'s star was put from {start} to {to} by a house ruling."),
    ("AE-3.4", "star-off", "A star of {who} is off the board from {to}: {amount} of 3."),
    ("AE-2.0", "turn-ended", "{who}'s turn is over; {other} moves an arrow."),
    ("AE-3.5", "no-star-can-move", "No star can move; {other} goes on after {who}."),
    ("AE-4.1", "won", "{who} has all {amount} stars off and wins."),
    ("AE-4.2", "drawn", "The same position for the {amount}th time: drawn."),
    ("HR-1.1", "gave-up", "{who} gives up; {other} wins."),
)

CASES = BREACHES + EVENTS
