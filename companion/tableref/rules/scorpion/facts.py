"""Every fact that the rules of Scorpion can state: paragraph, case, meaning in English.

The rulebook has a sentence for each in every language; {who} and so on are the fields of a Fact.
A case belongs to one paragraph, so `fact` finds the paragraph by the case.
"""

from __future__ import annotations

from tableref.rules.stating import stating

CASES: tuple[tuple[str, str, str], ...] = (
    # why an action is refused
    ("SC-1.1", "no-such-cell", "{start} is no cell of this track of {amount} cells a side"),
    ("SC-1.2", "not-in-play", "no {who} scorpion is in this game"),
    ("SC-2.0", "not-your-turn", "{who} must wait: it is the turn of {other}"),
    ("SC-2.0", "not-your-colour", "{who} moves no {what} scorpion"),
    ("SC-2.0", "nobody-there", "no {who} scorpion stands on {start}"),
    ("SC-2.1", "yellow-die-on-black", "{who} on {start} is on black, the {amount} is yellow"),
    ("SC-2.1", "black-die-on-yellow", "{who} on {start} plays by yellow, the {amount} is black"),
    ("SC-2.2", "throw-first", "{who} throws both dice before a scorpion moves"),
    ("SC-2.2", "thrown", "{who} has thrown both dice"),
    ("SC-2.4", "first-adds-both", "the first scorpion of {who} enters by both dice, {amount}"),
    ("SC-2.4", "first-on-black", "{who} threw on black in the first turn, so nothing enters"),
    ("SC-2.4", "first-enters", "the first turn of {who} brings in a scorpion, {start} cannot move"),
    ("SC-2.5", "entry-owed", "{who} may not give up the first entry"),
    ("SC-2.5", "extra-kept", "{who} may not give up the extra die"),
    (
        "SC-2.5",
        "trays-differ",
        "dice on two trays: {who} cannot move {amount}, their sum",
    ),
    ("SC-2.5", "same-scorpion", "the other die moved {who} on {start}; this one moves another"),
    ("SC-2.5", "no-die", "no die and no sum lets {who} on {start} move {amount}"),
    ("SC-2.5", "die-used", "the die for {amount} has been used"),
    (
        "SC-2.6",
        "changed-sides",
        "{who} on {start} changed sides: {what} moves it no more",
    ),
    ("SC-3.2", "nobody-stung", "{who} stings nobody on {to}, so nobody is sent across"),
    ("SC-3.2", "opposite-taken", "{other} on {to} cannot be sent across: {what} is taken"),
    ("SC-3.3", "own-first-six", "{other} on {to} belongs to the attacker {who} and stays"),
    ("SC-3.4", "extra-first", "{who} on {start} first needs its extra die, on {what}"),
    ("SC-3.4", "extra-tray", "the extra die of {who} on {start} is thrown on {what}"),
    (
        "SC-3.4",
        "extra-moves-it",
        "the extra die, {amount}, moves only {who} on {start}",
    ),
    ("SC-3.5", "shared", "{who} shares {start} with {other}, so the turn cannot end"),
    ("SC-5.1", "out-already", "a {who} scorpion that is out does not move"),
    ("SC-5.1", "exact-exit", "{who} on {start} leaves by {amount} exactly"),
    ("SC-5.2", "over", "the game is over: {who} has all four scorpions out"),
    ("SC-5.3", "over-eight", "the game is over: {who} has all eight scorpions out"),
    ("SC-5.4", "over-teams", "the game is over: {who} has both sets out"),
    ("HR-1.1", "over-given-up", "the game is over: only {who} is left"),
    ("HR-1.1", "given-up", "{who} has given up"),
    # what happened
    ("SC-2.0", "next", "it is the turn of {who}"),
    ("SC-2.1", "throws", "{who} throws {amount} on {what}"),
    ("SC-2.3", "die-lost", "{amount} on {what} can move nothing of {who} and is lost"),
    ("SC-2.3", "turn-lost", "neither die can move anything of {who}: the turn is lost"),
    ("SC-2.3", "extra-lost", "{amount} is too much for {who} on {start}; it is thrown again"),
    ("SC-2.4", "first-entry", "the first scorpion of {who} enters on {to} by {amount}"),
    ("SC-2.4", "entry-lost", "{who} threw on black: the turn is lost, the entry is still owed"),
    ("SC-2.5", "moves", "{who} moves {amount} from {start} to {to}"),
    ("SC-2.5", "given-up-die", "{who} gives up {amount} on {what}"),
    ("SC-2.7", "enters", "{who} enters on {to} by {amount}"),
    ("SC-3.1", "stings", "{who} stings {other} on {to}"),
    ("SC-3.2", "sent-across", "{who} is sent across from {start} to {to} by {other}"),
    ("SC-3.4", "extra-owed", "{who} on {start} gets an extra die, on {what}"),
    ("SC-3.4", "extra-thrown", "the extra die of {who} on {start} shows {amount}"),
    ("SC-3.4", "extra-moves", "{who} moves on {amount} from {start} to {to} by its extra die"),
    ("SC-3.5", "taken-off", "{who} cannot share {start} and goes back to the hand"),
    ("SC-4.1", "changes-places", "{who} on {start} stings {other} across and changes to {to}"),
    ("SC-4.2", "extra-owed-across", "{who}, now on {start}, gets an extra die, on {what}"),
    ("SC-4.2", "no-extra-across", "{who} stung across from {start}, so there is no extra die"),
    ("SC-5.1", "leaves", "{who} leaves the track from {start} by {amount}"),
    ("SC-5.2", "wins", "{who} has all four scorpions out and wins"),
    ("SC-5.3", "wins-eight", "{who} has all eight scorpions out and wins"),
    ("SC-5.4", "wins-teams", "{who} has both sets out and wins"),
    ("SC-5.5", "passed-over", "{who} has all scorpions out and is passed over"),
    ("SC-5.5", "throws-for", "{who} has all scorpions out and throws for {other}"),
    ("HR-1.1", "gives-up", "{who} gives up"),
    ("HR-1.1", "left-alone", "only {who} is left and wins"),
)

fact = stating(CASES)
