"""Every fact that Squod can give: (paragraph, case, meaning).

Of a fact: `who` acts, `what` is a kind, `start`, `to`, `amount`, `other`. A piece as `other` is
player and kind (`S rock`), `?` where it lies face down. No fact names a kind that is hidden.
"""

from __future__ import annotations

OVER = ("SQ-5.1", "SQ-5.2", "HR-1.1")
"""Paragraphs by which somebody wins."""

BREACHES: tuple[tuple[str, str, str], ...] = (
    ("SQ-1.2", "not-your-turn", "It is {other}'s turn, not {who}'s."),
    ("SQ-1.5", "show-it", "On the ring pieces lie face up: {who} shows the piece of {start}."),
    ("SQ-1.5", "not-yours-to-tell", "Only {other} tells the referee what stands on that ramp."),
    ("SQ-3.0", "nothing-there", "No piece stands on {start}."),
    ("SQ-3.0", "not-your-piece", "The piece on {start} is {other}'s; {who} moves an own one."),
    (
        "SQ-3.1",
        "not-one-line-on",
        "{start} to {to} is not one line on, straight or one lane aside.",
    ),
    ("SQ-3.1", "never-back", "On a ramp no piece goes back or aside: {start} to {to}."),
    ("SQ-3.1", "place-taken", "On {to} stands {other}."),
    ("SQ-3.2", "straight-on", "From {start} it goes straight on to {other}, not to {to}."),
    ("SQ-3.2", "place-taken", "On {to} stands {other}, of the same side."),
    ("SQ-3.3", "not-beside", "{to} is not beside {start}; diagonals do not count."),
    ("SQ-3.3", "place-taken", "On {to} stands {other}, of the same side."),
    ("SQ-3.4", "not-weaker", "{what} on {start} does not beat {other} on {to}."),
    ("SQ-3.5", "back-on-ramp", "From the ring no piece goes back on a ramp: {start} to {to}."),
    ("SQ-3.6", "partners-ramp", "On a ramp {who} moves own pieces alone; {start} is {other}'s."),
    ("SQ-3.7", "hand-empty", "{who} has no lost piece to put back."),
    ("SQ-3.7", "not-in-hand", "{who} has no lost {what}."),
    ("SQ-3.7", "not-on-line-1", "{to} is not on {who}'s start line 1."),
    ("SQ-3.7", "put-back-taken", "{to} is not free."),
    ("SQ-3.8", "must-move", "{who} cannot pass: {start} to {to} is possible, for one."),
    ("SQ-3.8", "can-take", "{who} cannot pass: a piece on the ramp can move onto the ring."),
    ("SQ-3.8", "could-put-back", "{who} cannot pass: a piece put back on {to} could move."),
    ("SQ-4.1", "not-from-there", "An attack starts from {who}'s Squod line or start line 2."),
    ("SQ-4.1", "not-by-squod-line", "An attack is made from {who}'s Squod line; {other} is not."),
    ("SQ-4.1", "stays-in-place", "A piece on the Squod line attacks from {start}, not {other}."),
    ("SQ-4.1", "not-at-that", "On {to} is no opponent's piece on a Squod line."),
    ("SQ-4.2", "crossing-taken", "{other}, where the lanes of {start} and {to} cross, is taken."),
    ("SQ-4.3", "both-show", "Both show their piece: that of {start} was not named."),
    ("SQ-6.1", "cannot-be", "{who}'s piece on {start} cannot be {what}, after all that was shown."),
    ("SQ-6.1", "tell-all", "{who} tells all pieces that are not known on the own ramp, at once."),
    ("SQ-6.1", "cannot-be-these", "{who}'s pieces cannot be these, after all that was shown."),
    ("SQ-6.1", "name-it", "All pieces are known in this game: {who} says which goes on {to}."),
    ("SQ-6.1", "nothing-hidden", "On {start} is no piece that is not known."),
    ("HR-1.1", "piece-given-up", "{other} has given up; the piece on {start} acts no more."),
    *((paragraph, "game-over", "The game is over; winner: {other}.") for paragraph in OVER),
    ("SQ-3.9", "over-drawn", "The game is over: it is drawn."),
)

EVENTS: tuple[tuple[str, str, str], ...] = (
    ("SQ-3.1", "stepped", "{who} moved up from {start} to {to}."),
    ("SQ-3.2", "entered", "{who}'s {what} came onto the ring from {start} to {to}."),
    ("SQ-3.3", "walked", "{who} moved a {what} from {start} to {to}."),
    ("SQ-3.2", "took", "{who}'s {what} from {start} took {other} on {to}."),
    ("SQ-3.3", "took", "{who} took {other} on {to} with a {what} from {start}."),
    ("SQ-3.3", "set-down", "{who} put a piece from {start} to {to} by a house ruling."),
    ("SQ-3.7", "lost", "{who}'s {what} goes back into the hand; {amount} are there."),
    ("SQ-3.7", "put-back", "{who} put a piece back, hidden, on {to}."),
    ("SQ-3.8", "passed", "{who} has no move and passes."),
    ("SQ-3.9", "drawn", "All have passed, one after the other: nobody can ever move; drawn."),
    ("SQ-4.3", "squod-won", "Squod: {who}'s {what} from {start} beats {other}, goes to {to}."),
    ("SQ-4.3", "squod-lost", "Squod: {who}'s {what} from {start} loses to {other}, now on {to}."),
    ("SQ-4.4", "squod-equal", "Squod: equal. Both stay, {who}'s on {to}, and are turned back."),
    ("SQ-5.1", "line-made", "{who} has rock, paper and scissors in a line by {to} and wins."),
    ("SQ-5.2", "line-by-defence", "{who}'s line by {to} came of the lost attack, and wins."),
    ("SQ-6.1", "shown", "The piece on {start} is known to the referee now."),
    ("SQ-6.1", "told", "{who} has told the referee in secret what stands on the ramp."),
    ("HR-1.1", "gave-up", "{who} gives up; {other} wins."),
    ("HR-1.1", "plays-on-alone", "{who} gives up; {other} plays on alone."),
)

CASES = BREACHES + EVENTS
