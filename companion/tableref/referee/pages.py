"""What is told now, page by page: each page is a screen for the display, and the sentences that say
the same to those who read lines. Whatever the display says beside the rulings stands here once.

A page whose rows of the journal are told as events has no sentences of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tableref.devices.board_map import BoardMap, Stroke
from tableref.devices.oled import COLUMNS, ROWS, Marker, Screen, beside
from tableref.referee.asking import FROM, MOST_LISTED, Choice, choices, moved
from tableref.referee.course import Step
from tableref.referee.evidence import SENSOR_DOUBTS
from tableref.referee.table import Ask, Phase, TableState, Told, Trouble
from tableref.referee.wording import Wording, asks
from tableref.rulebook.text import begun
from tableref.rulebook.typed import command
from tableref.rules.explain import Put
from tableref.rules.log import House
from tableref.rules.pieces import Stack
from tableref.rules.surface import Fact

OK = "OK"
"""How the hint of a page begins that is an answer: the button OK chooses it."""
MARKERS, AWAITS = "markers", "awaits"
"""Events of pages that no row of the journal tells."""


class Page(NamedTuple):
    """A screen, and what event tells the same in sentences; none where a row's event does."""

    screen: Screen
    event: str = ""
    text: tuple[str, ...] = ()


class Pages:
    """Makes the pages of one game's steps."""

    def __init__(self, wording: Wording) -> None:
        self._words, self._game = wording, wording.game
        self._book, self._messages = wording.book, wording.messages
        self._cells = {cell.name: (cell.x, cell.y) for cell in wording.board.cells.values()}

    def of(self, before: TableState, step: Step) -> tuple[Page, ...]:
        """The pages of a step, in the order in which they turn, up to what is awaited or to the
        last answer of what is asked. What may be told meanwhile is shown before what is awaited, or
        comes after it where it is much."""
        pages: list[Page] = []
        facts = [f for f in step.told.facts if f.case != "order"]
        if facts:
            pages += self._rulings(before, step, facts)
        if any(row.kind == "round" for row in step.rows):
            pages.append(Page(self._scores(step)))
        for row in step.rows:
            if row.kind == "notice":
                values = self._words.noticed(row.data)
                title, *lines = self._messages.screen(row.data["notice"], values)
                pages.append(Page(Screen(title, tuple(lines))))
        now, answers = self._now(step.state, step.told), self._answers(step)
        awaited = step.told.ask is not None and step.told.ask.awaited
        few = awaited and len(answers) <= MOST_LISTED
        pages += [*answers, *now] if few else [*now, *answers]
        return tuple(pages)

    # -- what happened ----------------------------------------------------------------------------

    def _rulings(self, before: TableState, step: Step, facts: list[Fact]) -> list[Page]:
        """A page for each thing that happened, payments on the page of what they are for; then the
        markers to set."""
        screens: list[Screen] = []
        for fact in facts:
            lines = self._book.screen(fact)
            if fact.case == "pays" and screens and len(screens[-1].lines) + len(lines) <= ROWS:
                last = screens[-1]
                screens[-1] = replace(last, lines=(*last.lines, *lines))
                continue
            shown = self._map_of(before, step, fact)
            screens.append(Screen(lines[0], lines[1:], Marker.OK, fact.paragraph, board=shown))
        pages = [Page(each) for screen in screens for each in apart(screen)]
        markers = self._game.markers(before.table.state, step.state.table.state)
        if markers is not None:
            title = self._messages.screen("markers", {"what": ""})[0].rstrip(":\u00a0 ")
            each = (f"{self._book.value(who)} {number}" for who, number in markers.set_to)
            words = ", ".join(each)
            sentence = self._messages.sentence("markers", {"what": words})
            screen = Screen.of(title, words, Marker.OK, markers.paragraph)
            pages.append(Page(screen, MARKERS, (f"{sentence} ({markers.paragraph})",)))
        return pages

    def _map_of(self, before: TableState, step: Step, fact: Fact) -> BoardMap | None:
        """The map of a ruling: what went where by it, and what was in its way."""
        was = self._game.board(before.table.state)
        now = self._game.board(step.state.table.state)
        start, to = (cell if cell in self._cells else "" for cell in (fact.start, fact.to))
        if not start and not to:
            return None
        facing = next((piece.facing for piece in now.get(to, ()) if piece.facing), "")
        strokes = (Stroke(start, to, self._degrees(facing)),)
        barred = tuple(
            cell for cell, stack in was.items()
            if cell not in (start, to) and any(piece.called == fact.what for piece in stack)
        )  # fmt: skip
        return BoardMap(self._cells, frozenset(now), strokes, barred[:1])

    def _scores(self, step: Step) -> Screen:
        [row] = [row for row in step.rows if row.kind == "round"][-1:]
        title = self._messages.screen("round-over", {"what": str(row.data["round"])})[0]
        counts: Sequence[int] = row.data[self._game.counted]
        names = [self._words.player(number) for number in range(len(counts))]
        # Two columns for more players than there are lines.
        width = COLUMNS // 2 - 1 if len(names) > ROWS else COLUMNS
        cells = [
            f"{name[: width - 3]:{width - 3}}{count:3}"
            for name, count in zip(names, counts, strict=True)
        ]
        lines = ["  ".join(cells[row::ROWS]) for row in range(min(ROWS, len(cells)))]
        return Screen(title, tuple(lines), Marker.NONE)

    # -- what is asked ----------------------------------------------------------------------------

    def _answers(self, step: Step) -> list[Page]:
        """A page for each answer to a question, on which OK chooses it; its title says what is
        asked, and which answer of how many it is."""
        ask = step.told.ask
        if ask is None:
            return []
        asked = self._title(ask)
        if ask.options:
            texts = [" ".join(self._messages.screen(option)) for option in ask.options]
            return [Page(self._answer(asked, at, texts, None)) for at in range(len(texts))]
        if not ask.answers:
            return []
        state = step.state.table.state
        offered = choices(self._game, state, ask)
        texts = [self._words.choice(choice) for choice in offered]
        stands = self._game.board(state)
        pages = []
        for at, choice in enumerate(offered):
            screen = self._answer(asked, at, texts, self._map_choice(stands, ask, choice))
            pages.append(
                Page(
                    screen
                    if screen.board is None or beside(screen)
                    else replace(screen, board=None)
                )
            )
        return pages

    def _title(self, ask: Ask) -> str:
        key = asks(ask.key, ask.about == FROM)
        lines = self._messages.screen(key, self._words.asked(ask.values))
        asked = (line for line in reversed(lines) if line.rstrip().endswith("?"))
        return begun(next(asked, lines[0]))

    def _answer(self, asked: str, at: int, texts: list[str], shown: BoardMap | None) -> Screen:
        hint = f"{OK} {at + 1}/{len(texts)}"
        return replace(Screen.of(asked, texts[at], Marker.NONE, hint=hint), board=shown)

    def _map_choice(self, stands: dict[str, Stack], ask: Ask, choice: Choice) -> BoardMap | None:
        """The map of an answer: what would go where, or the cell that is asked about."""
        about = (ask.about,) if ask.about in self._cells else ()
        strokes = (*map(self._stroke, choice.puts), *(Stroke("", cell) for cell in about))
        shown = tuple(stroke for stroke in strokes if stroke.start or stroke.to)
        return BoardMap(self._cells, frozenset(stands), shown) if shown else None

    # -- what is awaited --------------------------------------------------------------------------

    def _now(self, state: TableState, told: Told) -> list[Page]:
        """What is awaited now."""
        if told.trouble is not None:
            return self._trouble(state, told.trouble)
        if told.ask is not None:
            return self._question(state, told.ask)
        game, inner = self._game, state.table.state
        if state.phase is Phase.SETTING_UP:
            set_up = self._messages.sentence("set-up")
            screen = Screen(self._messages.screen("set-up")[0], (), Marker.WAIT)
            return [Page(screen, AWAITS, (set_up,))]
        outcome = House(game).outcome(state.table)
        if outcome is not None:
            names = tuple(map(self._words.player, outcome.winners))
            title = self._messages.screen("over")[0]
            return [Page(Screen(title, names, Marker.OK, outcome.paragraph))]
        key, values = self._words.turn(due := game.due(inner))
        paragraph = game.awaits(inner).paragraph
        said = [self._cited(self._messages.sentence(key, values), paragraph)]
        forced = self._forced(inner)
        said += map(self._words.put, forced)
        title, *lines = self._messages.screen(key, values)
        if due.kind == "restart":
            said.append(self._messages.sentence("restart"))
            lines += self._messages.screen("restart")
        elif forced:
            lines = self._puts(forced)
        screen = Screen(title, tuple(lines), Marker.WAIT, paragraph, board=self._way(inner, forced))
        screens = apart(screen)
        return [Page(screens[0], AWAITS, tuple(said)), *map(Page, screens[1:])]

    def _question(self, state: TableState, ask: Ask) -> list[Page]:
        """What is asked or waited for. A question was told with its answers; how to answer is said
        here."""
        values = self._words.asked(ask.values)
        lines = self._messages.screen(asks(ask.key, ask.about == FROM), values)
        doubted = ask.key in SENSOR_DOUBTS
        marker = Marker.WAIT if ask.awaited else Marker.ASK
        screen = Screen(lines[0], lines[1:], marker, ask.paragraph, OK if doubted else "")
        named = ", ".join((values.get("who", ""), values.get("to", ""))).split(", ")
        if cells := [cell for cell in named if cell in self._cells]:
            stands = frozenset(self._game.board(state.table.state))
            strokes = tuple(Stroke("", cell) for cell in cells)
            screen = replace(screen, board=BoardMap(self._cells, stands, strokes))
        said: list[str] = []
        if ask.awaited:
            sentence = self._messages.sentence(ask.key, self._words.asked(ask.values, True))
            said = [self._cited(sentence, ask.paragraph)]
        elif doubted:
            said = [self._messages.sentence("type-trust")]
        elif ask.answers or ask.options:
            said = [self._messages.sentence("type-number")]
        first, *rest = apart(screen)
        return [Page(first, AWAITS, tuple(said)), *map(Page, rest)]

    def _trouble(self, state: TableState, trouble: Trouble) -> list[Page]:
        """Why something is refused, then the way back."""
        fact, book = trouble.reasons[0], self._book
        lines, marker = book.screen(fact), Marker.REFUSED
        if state.phase is Phase.SETTING_UP:  # nobody has done anything wrong
            lines, marker = self._messages.screen("set-up"), Marker.WAIT
        screen = Screen(lines[0], lines[1:], marker, fact.paragraph)
        typed = {"what": command("let-stand", book.lang)}
        said = (self._messages.sentence("type-let-stand", typed),)
        stands = frozenset(self._game.board(state.table.state))
        if not trouble.put:
            return [Page(screen, AWAITS, said)]
        strokes = tuple(map(self._stroke, trouble.put))
        puts = [f"→ {line}" for line in self._puts(trouble.put)]
        shown = BoardMap(self._cells, stands, strokes)
        whole = replace(screen, lines=(*screen.lines, *puts), board=shown)
        if beside(whole):
            return [Page(whole, AWAITS, said)]
        back = Screen(lines[0], tuple(puts), marker, fact.paragraph, board=shown)
        first, *rest = apart(back)
        if screen.lines:
            first, rest = screen, [first, *rest]
        return [Page(first, AWAITS, said), *map(Page, rest)]

    def _cited(self, sentence: str, paragraph: str) -> str:
        return f"{sentence} ({paragraph})" if paragraph else sentence

    def _forced(self, state: Any) -> tuple[Put, ...]:
        """What the forced move puts where; nothing where the player chooses."""
        action = self._game.forced(state)
        if action is None:
            return ()
        return moved(self._game.board(state), self._game.board(self._game.apply(state, action)[0]))

    def _way(self, state: Any, puts: Iterable[Put]) -> BoardMap | None:
        strokes = tuple(map(self._stroke, puts))
        return (
            BoardMap(self._cells, frozenset(self._game.board(state)), strokes) if strokes else None
        )

    def _puts(self, puts: Iterable[Put]) -> list[str]:
        return [
            self._words.stands(put.piece, put.to) if put.piece else f"{put.start} -" for put in puts
        ]

    def _stroke(self, put: Put) -> Stroke:
        facing = put.piece.facing if put.piece else ""
        return Stroke(put.start, put.to, self._degrees(facing))

    def _degrees(self, facing: str) -> float | None:
        return self._words.board.headings.get(facing)


def apart(screen: Screen) -> tuple[Screen, ...]:
    """The screen with its map beside the lines, or behind them on a page of its own."""
    if screen.board is None or not screen.lines or beside(screen):
        return (screen,)
    return replace(screen, board=None), replace(screen, lines=())
