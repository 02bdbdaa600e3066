"""The front of the case: pages turn, buttons speak for the table."""

from __future__ import annotations

from pathlib import Path

from tableref.devices.buttons import Button, Press
from tableref.devices.oled import Marker, Screen
from tableref.devices.panel import Panel
from tableref.devices.sounds import Sound
from tableref.devices.status import Status
from tableref.referee.desk import Feedback
from tableref.referee.front import PAGE, Front
from tableref.referee.inputs import Act, Choose, Input, LetStand
from tableref.referee.table import Phase
from tableref.rulebook import Rulebook


class NotedPanel(Panel):
    """A panel that notes what it shows."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.statuses: list[Status] = []
        self.sounded: list[Sound] = []

    def show(self, screen: Screen) -> None:
        self.shown.append(screen.title)

    def status(self, status: Status) -> None:
        self.statuses.append(status)

    def play(self, sound: Sound) -> None:
        self.sounded.append(sound)


def front_on(panel: Panel) -> tuple[Front, list[Input]]:
    """A front whose time is the test's."""
    given: list[Input] = []
    front = Front(Rulebook("en"), 3, given.append, clock=lambda: 0.0)
    front._panel = panel
    return front, given


def feedback(
    *screens: Screen, event: str = "ruling", phase: Phase = Phase.WAITING, question: int = 0
) -> Feedback:
    return Feedback(({"event": event},), screens, {}, (), phase, question)


def press(button: Button, *, long: bool = False) -> Press:
    return Press(button, long, 5.0)


def test_pages_turn_by_themselves_up_to_the_last() -> None:
    panel = NotedPanel()
    front, _ = front_on(panel)
    front.tell(feedback(Screen("one"), Screen("two"), Screen("three")))
    assert front.step(0.0) == PAGE
    assert front.step(PAGE) == PAGE
    assert front.step(2 * PAGE) is None
    assert panel.shown == ["one", "two", "three"]


def test_who_turns_pages_is_not_overtaken() -> None:
    panel = NotedPanel()
    front, _ = front_on(panel)
    front.tell(feedback(Screen("one"), Screen("two"), Screen("three")))
    front.step(0.0)
    front.pressed(press(Button.DOWN))
    assert front.step(0.1) is None
    front.pressed(press(Button.UP))
    assert front.step(99.0) is None
    assert panel.shown == ["one", "two", "one"]


def test_a_new_ruling_comes_at_once() -> None:
    panel = NotedPanel()
    front, _ = front_on(panel)
    front.tell(feedback(Screen("old"), Screen("older")))
    front.step(0.0)
    front.tell(feedback(Screen("new")))
    front.step(0.5)
    assert panel.shown == ["old", "new"]


def test_trouble_blinks_and_sounds() -> None:
    panel = NotedPanel()
    front, _ = front_on(panel)
    front.tell(feedback(Screen("no", marker=Marker.REFUSED), event="trouble", phase=Phase.REFUSED))
    assert panel.statuses == [Status.TROUBLE]
    assert panel.sounded == [Sound.REFUSED]


def test_ok_chooses_the_answer_that_is_shown() -> None:
    panel = NotedPanel()
    front, given = front_on(panel)
    front.tell(
        feedback(Screen("which?"), Screen("1", hint="OK"), Screen("2", hint="OK"), question=7)
    )
    front.pressed(press(Button.OK))
    assert given == []
    front.pressed(press(Button.DOWN))
    front.pressed(press(Button.DOWN))
    front.pressed(press(Button.OK))
    assert given == [Choose(5.0, 1, 7)]


def test_a_press_that_follows_the_last_answer_too_closely_answers_nothing() -> None:
    now = [0.0]
    given: list[Input] = []
    front = Front(Rulebook("en"), 3, given.append, clock=lambda: now[0])
    front._panel = NotedPanel()
    front.tell(feedback(Screen("1", hint="OK"), question=7))
    front.pressed(Press(Button.OK, False, 3.0))
    # The next question comes up under the finger that presses twice.
    now[0] = 3.1
    front.tell(feedback(Screen("1", hint="OK"), question=8))
    front.pressed(Press(Button.OK, False, 3.2))
    assert given == [Choose(3.0, 0, 7)]
    front.pressed(Press(Button.OK, False, 4.0))
    assert given[1:] == [Choose(4.0, 0, 8)]


def test_ok_held_lets_stand_and_back_held_takes_back() -> None:
    front, given = front_on(NotedPanel())
    front.pressed(press(Button.OK, long=True))
    front.pressed(press(Button.BACK, long=True))
    assert given == [
        LetStand(5.0, (0, 1, 2), 0),
        Act(5.0, {"take_back": {"player": 0, "agreed": [0, 1, 2]}}),
    ]


def test_why_shows_the_paragraph() -> None:
    panel = NotedPanel()
    front, _ = front_on(panel)
    front.tell(feedback(Screen("no", paragraph="AS-4.5")))
    front.step(0.0)
    front.pressed(press(Button.WHY))
    front.step(0.1)
    assert panel.shown[-1] == Rulebook("en").paragraph("AS-4.5").title


def test_the_thread_shows_what_is_told(tmp_path: Path) -> None:
    panel = NotedPanel()
    front, _ = front_on(panel)
    front.start(panel)
    front.tell(feedback(Screen("one")))
    front.close()
    assert panel.shown in (["one"], [])


def test_back_leads_from_a_paragraph_to_its_page_to_the_first_page_and_to_the_menu() -> None:
    panel, left = NotedPanel(), list[int]()
    front = Front(Rulebook("en"), 3, print, clock=lambda: 0.0, leave=lambda: left.append(1))
    front._panel = panel
    front.tell(feedback(Screen("one"), Screen("two", paragraph="AS-5.1")))
    front.pressed(press(Button.DOWN))
    front.step(0.0)
    front.pressed(press(Button.WHY))
    front.step(0.0)
    front.pressed(press(Button.WHY))  # a paragraph has no other one
    for _ in range(2):
        front.pressed(press(Button.BACK))
        front.step(0.0)
    assert panel.shown == ["two", "Head-on", "two", "one"]
    assert not left
    front.pressed(press(Button.BACK))
    assert left


def test_what_is_new_takes_the_place_of_a_paragraph() -> None:
    panel = NotedPanel()
    front, _ = front_on(panel)
    front.tell(feedback(Screen("one", paragraph="AS-5.1")))
    front.pressed(press(Button.WHY))
    front.tell(feedback(Screen("two")))
    front.pressed(press(Button.BACK))
    front.step(0.0)
    assert panel.shown == ["two"]


def test_why_held_calls_a_judge_or_no_longer_where_there_is_a_desk() -> None:
    panel, called = NotedPanel(), [False]

    def judge() -> bool:
        called[0] = not called[0]
        return called[0]

    front = Front(Rulebook("en"), 3, lambda given: None, clock=lambda: 0.0, judge=judge)
    front._panel = panel
    front.tell(feedback(Screen("refused", ("one",), paragraph="SC-2.5")))
    for _ in range(2):
        front.pressed(press(Button.WHY, long=True))
        front.step(0.0)
        assert panel.shown[-1] == "Judge"
    assert called == [False]
    front.pressed(press(Button.BACK))
    front.step(0.0)
    assert panel.shown[-1] == "refused"
