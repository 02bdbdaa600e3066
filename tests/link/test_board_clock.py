"""The board's clock seen from the host's: the bound on the error holds for any two crystals."""

import random

import pytest

from tableref.devices.link.clock import DRIFT, BoardClock
from tableref_firmware.protocol import TICKS_PERIOD

DAY = 86_400


class Crystal:
    """A board's counter: `rate` off by no more than DRIFT, started at any count."""

    def __init__(self, rate: float, first: int) -> None:
        self.rate, self.first = rate, first

    def ticks(self, host: float) -> int:
        return round(host * self.rate * 1e6 + self.first) % TICKS_PERIOD


@pytest.mark.parametrize("rate", [1 - 0.9 * DRIFT, 1.0, 1 + 0.9 * DRIFT])
def test_s14_over_a_day_the_true_time_lies_within_the_error_and_times_go_up(rate: float) -> None:
    rng = random.Random(14)
    crystal, clock = Crystal(rate, TICKS_PERIOD - 1000), BoardClock()
    now, last, widest = 0.0, -1.0, 0.0
    while now < DAY:
        sent = now
        read = sent + rng.expovariate(1000)
        received = read + rng.expovariate(1000)
        clock.ping(sent, crystal.ticks(read), received)
        pause = rng.choice((0.25, 9.0, 30.0))
        moment = received + rng.uniform(0.0, pause)
        told, error = clock.host_time(crystal.ticks(moment))
        assert abs(told - moment) <= error
        assert told + error >= last
        last, widest = told - error, max(widest, error)
        now = received + pause
    assert widest < 0.02


def test_a_quick_answer_makes_the_clock_sharp() -> None:
    crystal, clock = Crystal(1.0, 5), BoardClock()
    clock.ping(0.0, crystal.ticks(0.03), 0.05)
    wide = clock.host_time(crystal.ticks(0.05))[1]
    clock.ping(0.1, crystal.ticks(0.1001), 0.1002)
    assert clock.host_time(crystal.ticks(0.1))[1] < 0.0002 < wide


def test_a_slow_answer_does_not_spoil_a_sharp_clock() -> None:
    crystal, clock = Crystal(1.0, 5), BoardClock()
    clock.ping(0.0, crystal.ticks(0.0001), 0.0002)
    clock.ping(1.0, crystal.ticks(1.4), 1.5)
    assert clock.host_time(crystal.ticks(1.5))[1] < 0.001


def test_after_the_host_has_slept_the_clock_starts_again() -> None:
    crystal, clock = Crystal(1.0, 5), BoardClock()
    clock.ping(0.0, crystal.ticks(0.0001), 0.0002)
    clock.ping(1.0, crystal.ticks(61.0), 1.0002)  # the host's clock stood still for a minute
    told, error = clock.host_time(crystal.ticks(61.5))
    assert abs(told - 1.5) <= error
    assert error < 0.001
