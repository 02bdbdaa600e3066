"""Tables for the quick references, each made by playing: the engine is asked, nothing is copied.

A cell of a table is text; where the language has a word for it (`sheet.toml`) that is printed.
Positions are laid out on the game's own board, so a corrected board file changes the tables too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from tableref.rules.arrows_and_stars import ArrowsAndStars
from tableref.rules.arrows_and_stars.layout import DOWN, SIDE, UP
from tableref.rules.autoscooter import Autoscooter
from tableref.rules.autoscooter.layout import BARRIER, HEADINGS, SIDES, Layout
from tableref.rules.autoscooter.state import CARS_AND_CHIPS
from tableref.rules.scorpion import Scorpion
from tableref.rules.skorpion_deep import SkorpionDeep
from tableref.rules.skorpion_deep.state import COLOURS
from tableref.rules.squod import SquodGame
from tableref.rules.squod.layout import KINDS
from tableref.rules.surface import Fact, Game, Record, Ruling, SetupError

YES, NO, NOTHING = "yes", "no", "-"
SPEEDS = (1, 2, 3)


class Table(NamedTuple):
    """`name` is the key of its title; `instead` are paragraphs of which it says all, or, by
    `lists`, all that stands there in a list."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    ids: tuple[str, ...] = ()
    """Paragraphs that it rests on, where its last column does not name them."""
    instead: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()


def tables(game: Game[Any]) -> tuple[Table, ...]:
    """The tables of a game, in the order of its paragraphs."""
    match game:
        case Autoscooter():
            return set_up(game), gears(game.layout), crashes(game)
        case Scorpion():
            return (stings(game),)
        case SkorpionDeep():
            return (placing(game),)
        case ArrowsAndStars():
            return (steps(game),)
        case SquodGame():
            return (fights(game),)
    return ()


# -- Autoscooter ----------------------------------------------------------------------------------


class Crash(NamedTuple):
    """What becomes of a crash: its paragraph and kind; chips that the rammer's player gets, and
    whether they come from or go to the bank; both speeds after it (None: no car was struck); the
    hexsides that the struck car turns, clockwise is +."""

    paragraph: str
    kind: str
    gets: int
    bank: bool
    speed: int
    struck_speed: int | None
    turn: int


def crash(game: Autoscooter, struck: str, speed: int, struck_speed: int, side: int) -> Crash:
    """The first car of the log sheet rams at this speed. `struck` is `other`, `own`, `ownerless`
    or `barrier`; `side` is the struck car's heading in hexsides clockwise off the push."""
    layout = game.layout
    cell, way = next(
        (cell, way)
        for cell, way in product(range(len(layout.cells)), range(SIDES))
        if not {cell, layout.neighbours[cell][way]}.intersection(layout.start_cells)
        and (layout.neighbours[cell][way] == BARRIER) == (struck == "barrier")
    )
    # Cars are dealt round the players; what is left over belongs to nobody (AS-2.1, AS-2.2).
    players = {"own": 2, "ownerless": 3}.get(struck, len(layout.cars))
    rammer, other = layout.cars[0], layout.cars[{"own": players, "ownerless": -1}.get(struck, 1)]
    cars = {rammer: _car(layout, cell, way, speed)}
    if struck != "barrier":
        ahead = layout.neighbours[cell][way]
        cars[other] = _car(layout, ahead, (way + side) % SIDES, struck_speed)
    before = game.from_position({"players": players}, {"cars": cars})
    straight = {"car": rammer, "number": layout.numbers[0][0], "letter": layout.straight[speed]}
    state, _ = game.apply(before, game.read({"plot": straight}))
    state, told = _settled(game, game.alone(state, rammer))
    old, new = game.facts(before), game.facts(state)
    fact = next(fact for fact in told if fact.paragraph.startswith("AS-5."))
    gains = [now - then for then, now in zip(old["chips"], new["chips"], strict=True)]
    turned = _heading(new, other) - _heading(old, other)
    return Crash(
        fact.paragraph,
        fact.case,
        gains[0],
        sum(gains) != 0,
        new["cars"][rammer]["speed"],
        None if struck == "barrier" else new["cars"][other]["speed"],
        (turned + SIDES // 2) % SIDES - SIDES // 2,
    )


def crashes(game: Autoscooter) -> Table:
    """The crash table: a row for each kind and, where it matters, speed of the struck car; what
    the rammer's player gets at speeds 1 to 3, also when both cars are his own."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for struck_speed, side in product((0, *SPEEDS), range(SIDES)):
        met = [crash(game, "other", speed, struck_speed, side) for speed in SPEEDS]
        own = [crash(game, "own", speed, struck_speed, side) for speed in SPEEDS]
        rows.setdefault(_crash_row(met, own), []).append(struck_speed)
    order: dict[str, int] = {}
    for row in rows:
        order.setdefault(row[0], len(order))
    told = [
        (row[0], _range(speeds), *row[1:])
        for row, speeds in sorted(rows.items(), key=lambda item: (order[item[0][0]], item[1]))
    ]
    for struck in ("barrier", "ownerless"):
        kind, *rest = _crash_row([crash(game, struck, speed, 0, 0) for speed in SPEEDS], [])
        told.append((kind, NOTHING, *rest))
    head = ("struck", "its-speed", "1", "2", "3", "own 1", "own 2", "own 3", "after", "")
    covered = ("AS-5.1", "AS-5.2", "AS-5.3", "AS-5.5")
    return Table("crashes", head, tuple(told), instead=covered)


def _crash_row(met: list[Crash], own: list[Crash]) -> tuple[str, ...]:
    first = met[0]
    after = {(one.speed == 0, one.struck_speed == 0) for one in met}
    ((stops, struck_stops),) = after
    told = ["0" if stops else "same", "0" if struck_stops else "same"]
    if first.struck_speed is None or first.kind == "ownerless":
        told[1:] = []
    return (
        first.kind,
        *(f"{one.gets:+d}" if one.gets else "0" for one in met),
        *([f"{one.gets:+d}" if one.gets else "0" for one in own] or [NOTHING] * len(met)),
        " / ".join(told),
        first.paragraph,
    )


def set_up(game: Autoscooter) -> Table:
    """Cars and chips of each player by their number; what else may be agreed on in brackets."""
    cars, chips = [], []
    for players in CARS_AND_CHIPS:
        start = game.start({"players": players})
        usual = start.setup.cars_per_player
        others = [n for n in range(1, usual) if _starts(game, players, n)]
        cars.append(f"{usual} ({_range(others)})" if others else str(usual))
        chips.append(str(game.facts(start)["chips"][0]))
    head = ("players", *map(str, CARS_AND_CHIPS), "")
    rows = (("cars", *cars, "AS-2.1"), ("chips", *chips, ""))
    return Table("set-up", head, rows, lists=("AS-2.1",))


def _starts(game: Autoscooter, players: int, cars: int) -> bool:
    try:
        game.start({"players": players, "cars_per_player": cars})
    except SetupError:
        return False
    return True


def gears(layout: Layout) -> Table:
    """What letters a speed allows, and which stands for a wrong or a missing one."""
    return Table(
        "gears",
        ("speed", "letters", "else", ""),
        (
            ("0", "restart", NOTHING, "AS-4.5"),
            *(
                (str(speed), _range(letters), layout.straight[speed], "AS-3.4")
                for speed, letters in sorted(layout.by_speed.items())
            ),
        ),
        instead=("AS-3.4",),
        lists=("AS-3.3",),
    )


def _car(layout: Layout, cell: int, way: int, speed: int) -> Record:
    return {"cell": layout.cells[cell], "heading": HEADINGS[way], "speed": speed}


def _heading(facts: Mapping[str, Any], car: str) -> int:
    return HEADINGS.index(facts["cars"][car]["heading"])


def _settled(game: Game[Any], state: Any) -> tuple[Any, list[Fact]]:
    """What comes by itself, and all that happens then."""
    told: list[Fact] = []
    while (action := game.forced(state)) is not None:
        state, facts = game.apply(state, action)
        told += facts
    return state, told


def _range(values: Iterable[Any]) -> str:
    """`1`, `0, 2` or, of three and more, `1-3`."""
    texts = [str(value) for value in dict.fromkeys(values)]
    return f"{texts[0]}-{texts[-1]}" if len(texts) > 2 else ", ".join(texts)


# -- Scorpion -------------------------------------------------------------------------------------

_TEAMS = {"players": 4, "teams": True}
_VICTIMS = {"opponent": "red", "own": "blue", "partner": "green"}
"""Whom blue stings, in teams."""


def stings(game: Scorpion) -> Table:
    """By the cell that blue ends on: may a scorpion there be sent across, does one on the black
    cell opposite change places, and on which tray another die is thrown then."""
    cells = game.start(_TEAMS).track.cells[1:-1]
    rows: dict[tuple[str, ...], list[str]] = {}
    for victim, number in product(_VICTIMS, range(len(cells))):
        on_cell = _sting(game, cells, number, _VICTIMS[victim], number)
        opposite = len(cells) - 1 - number
        across = (NOTHING,) * 3
        if number < opposite:
            across = _sting(game, cells, number, _VICTIMS[victim], opposite)
        rows.setdefault((victim, on_cell[0], on_cell[2], *across[1:]), []).append(cells[number])
    head = ("stung", "ends-on", "cross", "die", "swap", "die")
    told = tuple((key[0], _range(cells), *key[1:]) for key, cells in rows.items())
    ids = ("SC-3.2", "SC-3.3", "SC-3.4", "SC-4.1", "SC-4.2", "SC-4.3")
    return Table("stings", head, told, ids)


def _sting(
    game: Scorpion, cells: Sequence[str], number: int, victim: str, where: int
) -> tuple[str, str, str]:
    """Blue ends on this cell while the victim stands on cell `where`: may it be sent across, do
    the two change places, and on which tray another die is thrown."""
    scorpions = {"blue": [cells[number - 1] if number else "hand", *["hand"] * 3]}
    scorpions.setdefault(victim, ["hand"] * 4)[-1] = cells[where]
    position = {"scorpions": scorpions, "opened": [True] * 4}
    state = game.from_position(_TEAMS, position)
    tray = "black" if scorpions["blue"][0].startswith("K") else "yellow"
    for value in (1, 6):
        state, _ = game.apply(state, game.read({"throw": {"tray": tray, "value": value}}))
    move = {"colour": "blue", "from": scorpions["blue"][0], "steps": 1}
    cross = game.judge(state, game.read({"move": move | {"cross": True}}))
    _, told = game.apply(state, game.read({"move": move | {"cross": False}}))
    cases = {fact.case: fact for fact in told}
    extra = cases.get("extra-owed", cases.get("extra-owed-across"))
    return (
        YES if cross.allowed else NO,
        YES if "changes-places" in cases else NO,
        extra.what if extra else NO,
    )


# -- Skorpion Deep --------------------------------------------------------------------------------


def placing(game: SkorpionDeep) -> Table:
    """How many lines to held spots red needs to place a bead, by the kind of spot."""
    layout = game.layout
    needed: dict[str, set[tuple[str, str]]] = {}
    for spot, name in enumerate(layout.names):
        needed.setdefault(_kind_of_spot(game, spot), set()).add(_lines_for(game, name))
    rows = ((kind, *one) for kind, found in needed.items() for one in sorted(found))
    return Table("placing", ("spot", "lines", ""), tuple(sorted(rows, key=lambda row: row[1:])))


def _kind_of_spot(game: SkorpionDeep, spot: int) -> str:
    layout = game.layout
    if spot == layout.gate:
        return "gate"
    for player, word in enumerate(("own start", "other start")):
        if layout.starts[player] >> spot & 1:
            return word
    colour = layout.colours[spot]
    return {COLOURS[0]: "own colour", COLOURS[1]: "other colour"}.get(colour, colour)


def _lines_for(game: SkorpionDeep, name: str) -> tuple[str, str]:
    """The fewest held neighbours that let red place here, and the paragraph that asks for them."""
    layout = game.layout
    spot = layout.index[name]
    open_spots = [other for other in layout.names if layout.index[other] != layout.gate]
    beside = [n for n in open_spots if layout.lines[spot] >> layout.index[n] & 1]
    far = [other for other in open_spots if other not in (*beside, name)]
    paragraph = "SD-3.2"
    for count in range(len(beside) + 1):
        # Red has begun: a bead that no line joins to this spot, where it holds no other.
        held = beside[:count] or far[:1]
        free = [other for other in far if other not in held]
        position = {
            "pieces": dict.fromkeys(held, COLOURS[0]) | {free[0]: COLOURS[1]},
            "skorpion": free[1],
            "tail": free[2],
            "turn": COLOURS[0],
        }
        state = game.from_position({}, position)
        ruling = game.judge(state, game.read({"place": name}))
        if ruling.allowed:
            return str(count), paragraph
        paragraph = ruling.paragraphs[0]
    return NOTHING, paragraph


# -- Arrows and stars -----------------------------------------------------------------------------

_WAYS = {UP: "forward", SIDE: "sideways", DOWN: "back"}


def steps(game: ArrowsAndStars) -> Table:
    """Where white's arrows and stars may go: a step, a first jump, a later jump."""
    kinds = {
        "arrow step": _arrow_step,
        "arrow first jump": _arrow_jump,
        "arrow later jump": _later_jump,
        "star step": _star_step,
        "star jump": _star_jump,
    }
    rows = []
    for kind, tried in kinds.items():
        rulings = [tried(game, way) for way in _WAYS]
        ids = [id for ruling in rulings for id in ruling.paragraphs[:1]]
        answers = (YES if ruling.allowed else NO for ruling in rulings)
        rows.append((kind, *answers, ", ".join(dict.fromkeys(ids))))
    return Table("steps", ("piece", *_WAYS.values(), ""), tuple(rows))


def _legs(game: ArrowsAndStars, way: int, jump: bool) -> Iterator[tuple[str, str, str]]:
    """Start, end and what lies between ('' for a step) of the legs that go this way, far from
    both edges first."""
    layout = game.layout
    rows = {name: row for row, name in enumerate(layout.names.values())}
    middle = len(rows) / 2
    legs = (
        (start, to, layout.names[leg.over.bit_length() - 1] if leg.over else "")
        for (start, to), leg in layout.legs.items()
        if leg.way == way and bool(leg.over) == jump
    )
    yield from sorted(legs, key=lambda leg: (abs(rows[leg[0]] - middle), leg))


def _judged(game: ArrowsAndStars, pieces: Mapping[str, str], action: Record) -> Ruling:
    position: dict[str, Any] = {"pieces": pieces, "turn": "white", "stars_out": {}}
    position |= {"star_moves": 1} if "star" in action else {}
    return game.judge(game.from_position({}, position), game.read(action))


def _arrow_step(game: ArrowsAndStars, way: int) -> Ruling:
    start, to, _ = next(_legs(game, way, jump=False))
    return _judged(game, {start: "white arrow up"}, {"arrow": [start, to]})


def _arrow_jump(game: ArrowsAndStars, way: int) -> Ruling:
    start, to, over = next(_legs(game, way, jump=True))
    pieces = {start: "white arrow up", over: "white arrow up"}
    return _judged(game, pieces, {"arrow": [start, to]})


def _later_jump(game: ArrowsAndStars, way: int) -> Ruling:
    """After a first jump forward, over another piece."""
    start, to, over, end, next_over = next(
        (*first, end, next_over)
        for begin, end, next_over in _legs(game, way, jump=True)
        for first in _legs(game, UP, jump=True)
        if first[1] == begin and next_over != first[2]
    )
    pieces = dict.fromkeys((start, over, next_over), "white arrow up")
    return _judged(game, pieces, {"arrow": [start, to, end]})


def _star_step(game: ArrowsAndStars, way: int) -> Ruling:
    start, to, _ = next(_legs(game, way, jump=False))
    return _judged(game, {start: "white star up"}, {"star": [start, to]})


def _star_jump(game: ArrowsAndStars, way: int) -> Ruling:
    start, to, over = next(_legs(game, way, jump=True))
    pieces = {start: "white star up", over: "white arrow up"}
    return _judged(game, pieces, {"star": [start, to]})


# -- Squod ----------------------------------------------------------------------------------------


def fights(game: SquodGame) -> Table:
    """What each kind may take by moving, and how its Squod attack on each kind ends."""
    rows = (
        (own, *(_taking(game, own, kind) for kind in KINDS), *(_squod(game, own, k) for k in KINDS))
        for own in KINDS
    )
    head = ("attacker", *(f"takes {kind}" for kind in KINDS), *(f"squod {kind}" for kind in KINDS))
    return Table("fights", head, tuple(rows), ids=("SQ-1.4", "SQ-3.4", "SQ-4.3", "SQ-4.4"))


def _taking(game: SquodGame, own: str, other: str) -> str:
    start, to = game.layout.names[:2]  # two neighbours on the ring
    state = game.from_position({"players": 2}, {"pieces": {start: f"0 {own}", to: f"1 {other}"}})
    return YES if game.judge(state, game.read({"move": [start, to]})).allowed else NO


def _squod(game: SquodGame, own: str, other: str) -> str:
    pieces = {"S31": f"0 {own}", "W31": f"1 {other}"}
    state = game.from_position({"players": 2}, {"pieces": pieces})
    attack = {"from": "S31", "via": "S31", "target": "W31"}
    _, told = game.apply(state, game.read({"squod": attack}))
    return next(fact.case for fact in told if fact.case.startswith("squod-"))
