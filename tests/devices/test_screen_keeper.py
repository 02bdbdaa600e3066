"""One writer, the newest screen wins, and a display that comes back (rows O3, O6, O7)."""

import threading

import pytest

from tableref.devices.oled import DisplayError, Screen, ScreenKeeper

BROKEN = DisplayError("no display answers", "Check its four wires.")


class Panel:
    """A display that can be unplugged; it counts how often it was opened."""

    def __init__(self):
        self.drawn = []
        self.opened = 0
        self.unplugged = False
        self.while_drawing = None

    def open(self):
        if self.unplugged:
            raise BROKEN
        self.opened += 1
        return self

    def show(self, screen):
        if self.unplugged:
            raise BROKEN
        self.drawn.append(screen)
        if self.while_drawing is not None:
            self.while_drawing()

    def close(self):
        if self.unplugged:
            raise BROKEN

    def stay(self):
        if self.unplugged:
            raise BROKEN
        self.stays = True


@pytest.fixture
def panel():
    return Panel()


@pytest.fixture
def keeper(panel):
    return ScreenKeeper(panel.open)


def test_nothing_is_opened_before_there_is_something_to_show(keeper, panel):
    assert keeper.step(0.0) is None
    assert panel.opened == 0


def test_only_the_newest_screen_is_drawn(keeper, panel):
    for number in range(100):
        keeper.show(Screen(str(number)))
    keeper.step(0.0)
    assert panel.drawn == [Screen("99")]


def test_a_screen_that_came_while_drawing_is_due_at_once(keeper, panel):
    def another():
        panel.while_drawing = None
        keeper.show(Screen("b"))

    panel.while_drawing = another
    keeper.show(Screen("a"))
    assert keeper.step(0.0) == 0.0
    keeper.step(0.1)
    assert panel.drawn == [Screen("a"), Screen("b")]


def test_pauses_between_tries_double_up_to_a_limit(keeper, panel):
    panel.unplugged = True
    keeper.show(Screen("a"))
    now, pauses = 0.0, []
    for _ in range(8):
        pauses.append(keeper.step(now))
        now += pauses[-1]
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert keeper.trouble is BROKEN


def test_new_screens_do_not_hurry_the_next_try(keeper, panel):
    panel.unplugged = True
    keeper.show(Screen("a"))
    keeper.step(0.0)
    panel.unplugged = False
    keeper.show(Screen("b"))
    assert keeper.step(0.1) == pytest.approx(0.15)
    assert panel.drawn == []


def test_after_its_return_a_display_is_opened_anew_and_gets_the_whole_newest_screen(keeper, panel):
    keeper.show(Screen("a"))
    keeper.step(0.0)
    panel.unplugged = True
    keeper.show(Screen("b"))
    pause = keeper.step(1.0)
    keeper.show(Screen("c"))
    panel.unplugged = False
    keeper.step(1.0 + pause)
    assert panel.opened == 2
    assert panel.drawn == [Screen("a"), Screen("c")]
    assert keeper.trouble is None


def test_an_idle_display_is_refreshed_so_that_a_pulled_plug_is_noticed(keeper, panel):
    keeper.show(Screen("a"))
    assert keeper.step(0.0) == keeper.REFRESH
    assert keeper.step(1.0) == keeper.REFRESH - 1.0
    keeper.step(keeper.REFRESH)
    assert panel.drawn == [Screen("a"), Screen("a")]


def test_a_thousand_racing_updates_are_drawn_by_one_thread_and_end_with_the_last(panel):
    writers = set()
    last_drawn = threading.Event()

    class Watched(Panel):
        def show(self, screen):
            super().show(screen)
            writers.add(threading.current_thread().name)
            if screen.title == "last":
                last_drawn.set()

    watched = Watched()
    keeper = ScreenKeeper(watched.open)
    keeper.start()
    racers = [
        threading.Thread(target=lambda: [keeper.show(Screen(str(n))) for n in range(250)])
        for _ in range(4)
    ]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    keeper.show(Screen("last"))
    assert last_drawn.wait(10.0)
    keeper.close()
    assert writers == {"screen"}
    assert len(watched.drawn) <= 1001


def test_close_returns_though_the_display_is_gone(panel):
    keeper = ScreenKeeper(panel.open)
    panel.unplugged = True
    keeper.show(Screen("a"))
    keeper.start()
    keeper.close()


def test_what_was_shown_last_stays_when_it_is_to(keeper, panel):
    keeper.start()
    keeper.show(Screen("one"))
    keeper.show(Screen("last"))
    keeper.stay()
    keeper.close()
    assert panel.drawn[-1] == Screen("last")
    assert panel.stays


def test_a_display_that_is_gone_need_not_stay(keeper, panel):
    keeper.show(Screen("one"))
    keeper.step(0.0)
    panel.unplugged = True
    keeper.stay()
    keeper.close()
