"""Every fact that the rules of Skorpion Deep can state: paragraph, case, meaning in English.

The rulebook has a sentence for each in every language; {who} and so on are the fields of a Fact.
A case belongs to one paragraph, so `fact` finds the paragraph by the case.
"""

from __future__ import annotations

from tableref.rules.stating import stating

CASES: tuple[tuple[str, str, str], ...] = (
    # why an action is refused
    ("SD-2.1", "starts-first", "{who} has no bead on the board and first places one on a start"),
    ("SD-2.2", "not-your-turn", "{who} must wait: it is the turn of {other}"),
    ("SD-2.3", "no-bead-left", "all beads of {who} are on the board, so the Skorpion must move"),
    ("SD-2.4", "can-play", "{who} can still play, so there is no passing"),
    ("SD-3.1", "bead-there", "a bead of {other} lies on {to}"),
    ("SD-3.1", "skorpion-there", "the Skorpion is on {to}"),
    ("SD-3.1", "tail-there", "the Tail is on {to}"),
    ("SD-3.3", "one-line", "{who} holds no spot that a line joins to {to}"),
    ("SD-3.4", "two-lines", "{to} is {what}: {who} needs lines to two spots held, has {amount}"),
    (
        "SD-3.5",
        "two-lines-black",
        "{to} is black: {who} needs lines to two spots held, has {amount}",
    ),
    (
        "SD-3.5",
        "two-lines-gate",
        "for the Gate, {to}, {who} needs two lines to spots held, has {amount}",
    ),
    ("SD-3.6", "gate-guarded", "the {what} is on the Gate, so {who} cannot place on it"),
    ("SD-4.1", "no-line", "no line leads from {start} to {to}"),
    ("SD-4.3", "onto-tail", "the Tail is on {to}"),
    ("SD-4.4", "into-gate", "the Skorpion cannot step into the Gate"),
    ("SD-4.7", "unpaid", "{who} pays a bead for the second step"),
    ("SD-4.7", "no-bead-to-pay", "{who} has no bead on {start} to pay with"),
    ("SD-4.7", "nothing-to-pay", "{who} takes one step and pays nothing for it"),
    ("SD-4.8", "last-bead", "the bead on {start} is the last of {who} and cannot be paid"),
    ("SD-4.9", "third-step", "the Skorpion takes no third step"),
    ("SD-5.1", "over-gate", "the game is over: {who} has a bead on the Gate"),
    ("SD-5.2", "over-last-bead", "the game is over: {who} has won, {other} lost the last bead"),
    ("SD-5.2", "no-second-step", "the first step takes the last bead of {who}: there is no second"),
    ("SD-5.3", "over-drawn", "the game is over: it is drawn"),
    ("HR-1.1", "over-given-up", "the game is over: {other} has given up, {who} is left"),
    # what happened
    ("SD-2.1", "begins", "{who} places the first bead, on {to}"),
    ("SD-2.2", "places", "{who} places a bead on {to}"),
    ("SD-2.2", "next", "it is the turn of {who}"),
    ("SD-2.4", "passes", "{who} can neither place nor move the Skorpion and passes"),
    ("SD-4.1", "steps", "{who} moves the Skorpion from {start} to {to}"),
    ("SD-4.1", "tail-follows", "the Tail goes from {start} to {to}"),
    ("SD-4.2", "tail-stays", "the Tail stays on {start} until the next step"),
    ("SD-4.5", "bead-taken", "the bead of {who} on {start} goes back to the hand"),
    ("SD-4.6", "sent-to-gate", "{start} is {what} and on the rim: Skorpion and Tail go to {to}"),
    ("SD-4.7", "pays", "{who} pays the bead on {start} for a second step"),
    ("SD-5.1", "wins-gate", "{who} places on the Gate and wins"),
    ("SD-5.2", "loses-last-bead", "{who} has lost the last bead: {other} wins"),
    ("SD-5.3", "drawn", "the same position for the third time: drawn"),
    ("HR-1.1", "gives-up", "{who} gives up: {other} wins"),
)

fact = stating(CASES)
