"""The status light and the buzzer on mock pins."""

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tableref.devices.lights import Pattern
from tableref.devices.pins import PinBusy
from tableref.devices.sounds import GpioBuzzer, SilentSounds, Sound
from tableref.devices.status import FileStatusLight, GpioStatusLight, Status, StatusPins


@pytest.fixture
def factory():
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.close()


def levels(factory):
    return [factory.pin(number).state for number in (17, 27, 22)]


def test_a_steady_status_lights_its_colour(factory):
    light = GpioStatusLight(StatusPins(), factory)
    light.show(Status.WAITING)
    assert levels(factory) == pytest.approx([0, 160 / 255, 0])
    light.close()


def test_a_light_with_a_common_anode_is_lit_by_low_pins(factory):
    light = GpioStatusLight(StatusPins(common="anode"), factory)
    light.show(Status.WAITING)
    assert levels(factory) == pytest.approx([1, 1 - 160 / 255, 1])
    light.close()


@pytest.mark.parametrize("status", [s for s in Status if s.value.pattern is not Pattern.STEADY])
def test_a_blinking_status_goes_on_by_itself_until_the_next(factory, status):
    light = GpioStatusLight(StatusPins(), factory)
    light.show(status)
    assert light._led._blink_thread.is_alive()
    light.show(Status.OFF)
    assert levels(factory) == [0, 0, 0]
    light.close()


def test_a_taken_pin_is_named_with_its_option(factory):
    buzzer = GpioBuzzer(27, "active", factory)
    with pytest.raises(PinBusy, match=r"GPIO27 .*\[status\] green"):
        GpioStatusLight(StatusPins(), factory)
    buzzer.close()


def test_every_pattern_is_used_for_one_status_that_is_not_dark():
    shown = [status.value.pattern for status in Status if status is not Status.OFF]
    assert sorted(shown, key=str) == sorted(Pattern, key=str)


def test_a_passive_buzzer_plays_the_melody_in_time(factory):
    buzzer = GpioBuzzer(18, "passive", factory, clock=lambda: 10.0)
    pin = factory.pin(18)
    buzzer.play(Sound.REFUSED)
    heard, now = [], 10.0
    while (wait := buzzer.step(now)) is not None:
        heard.append((round(pin.frequency or 0), round(wait, 3)))
        now += wait
    assert heard == [(392, 0.18), (0, 0.08), (311, 0.3)]
    assert pin.frequency is None
    buzzer.close()


def test_an_active_buzzer_keeps_the_rhythm(factory):
    buzzer = GpioBuzzer(18, "active", factory, clock=lambda: 0.0)
    pin = factory.pin(18)
    buzzer.play(Sound.QUESTION)
    heard, now = [], 0.0
    while (wait := buzzer.step(now)) is not None:
        heard.append(pin.state)
        now += wait
    assert heard == [1, 0, 1, 0, 1]
    assert pin.state == 0
    buzzer.close()


def test_a_new_melody_takes_the_place_of_the_one_that_plays(factory):
    times = iter((0.0, 0.05))
    buzzer = GpioBuzzer(18, "passive", factory, clock=lambda: next(times))
    buzzer.play(Sound.TROUBLE)
    buzzer.step(0.0)
    buzzer.play(Sound.ACCEPTED)
    assert buzzer.step(0.05) == pytest.approx(0.06)
    assert buzzer.step(0.2) is None
    buzzer.close()


def test_every_melody_can_be_played_by_a_passive_buzzer_and_differs_in_rhythm(factory):
    buzzer = GpioBuzzer(18, "passive", factory, clock=lambda: 0.0)
    rhythms = set()
    for sound in Sound:
        buzzer.play(sound)
        now = 0.0
        while (wait := buzzer.step(now)) is not None:
            now += wait
        rhythms.add(tuple(note.seconds for note in sound.value))
    assert len(rhythms) == len(Sound)
    buzzer.close()


def test_virtual_light_and_sounds_write_what_they_were_asked(tmp_path):
    light, sounds = FileStatusLight(tmp_path / "status"), SilentSounds(tmp_path / "sounds")
    light.show(Status.ASKING)
    light.show(Status.ASKING)
    light.show(Status.WAITING)
    sounds.play(Sound.QUESTION)
    assert (tmp_path / "status").read_text() == "asking\nwaiting\n"
    assert (tmp_path / "sounds").read_text() == "question\n"
