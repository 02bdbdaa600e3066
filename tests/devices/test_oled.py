"""What the small screen draws, and how a display on the I2C bus fails (rows O1, O2, O8)."""

import errno

import pytest
import smbus2
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tableref.devices.oled import (
    DisplayError,
    DisplayOptions,
    Marker,
    OledDisplay,
    PngDisplay,
    Screen,
    draw,
    find_driver,
)

# luma reads pictures in a way that Pillow 14 will drop; our Pillow is held below 13.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

SCREENS = {
    "refused-en": Screen.of(
        "Blue 1: not allowed",
        "From speed 1 a car may take A to O. P goes three hexes.",
        Marker.REFUSED,
        "AS-3.4",
        "WHY",
    ),
    "question-de": Screen.of(
        "Was steht auf c4?",
        "Größe und Farbe sind nicht zu sehen: das Auto gerade rücken, Hände weg.",
        Marker.ASK,
        "HR-1.2",
        "OK = weiter",
    ),
    "too-long-fr": Screen.of(
        "La voiture bleue numéro un",
        "Dès le début, la voiture s’arrête à côté de la barrière et perd sa vitesse ; son joueur "
        "paie à la banque ce qu’elle avait.",
        Marker.TROUBLE,
        "AS-5.5",
        "POURQUOI",
    ),
    "names": Screen("Зoë & 漢字", ("Zoë: 12 ★", "Jürgen-Friedrich-Wilhelm: 9"), Marker.WAIT),
    "bare": Screen("Tableref"),
}


@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("name", SCREENS)
def test_screens_look_as_their_reference_pictures(golden, name, height):
    golden(draw(SCREENS[name], (128, height)), f"screen-{name}-{height}")


texts = st.text(max_size=60)


@given(st.builds(Screen, texts, st.lists(texts, max_size=7).map(tuple), st.sampled_from(Marker)))
def test_no_text_leaves_the_frame_of_its_line(screen):
    image = draw(screen)
    assert image.crop((127, 12, 128, 64)).getbbox() is None  # the last column stays free
    assert image.crop((0, 52, 128, 64)).getbbox() is None  # as does an unused foot


class FakeBus:
    """An SSD1306 or SH1106 on a bus that keeps what is written, or fails with an errno."""

    fails_to_open = 0
    fails = 0

    def __init__(self, port):
        if self.fails_to_open:
            raise OSError(self.fails_to_open, "boom", f"/dev/i2c-{port}")
        self.closed = False
        self.data = bytearray()
        FakeBus.last = self

    def write_i2c_block_data(self, address, mode, values):
        if self.fails:
            raise OSError(self.fails, "boom")
        assert not self.closed

    def i2c_rdwr(self, message):
        if self.fails:
            raise OSError(self.fails, "boom")
        self.data += bytes(list(message))[1:]

    def close(self):
        self.closed = True


@pytest.fixture
def bus(monkeypatch):
    class Bus(FakeBus):
        pass

    monkeypatch.setattr(smbus2, "SMBus", Bus)
    return Bus


def as_ssd1306(image):
    """The bytes of an SSD1306: pages of eight rows, a byte a column, the top row in bit 0."""
    return bytes(
        sum((image.getpixel((x, 8 * page + bit)) > 0) << bit for bit in range(8))
        for page in range(image.height // 8)
        for x in range(image.width)
    )


@pytest.mark.parametrize("height", [64, 32])
def test_an_ssd1306_gets_the_drawn_picture(bus, height):
    display = OledDisplay(DisplayOptions(height=height))
    display.show(SCREENS["question-de"])
    picture = as_ssd1306(draw(SCREENS["question-de"], (128, height)))
    assert bytes(FakeBus.last.data[-len(picture) :]) == picture


def test_an_sh1106_gets_the_drawn_picture(bus):
    display = OledDisplay(DisplayOptions(driver="sh1106"))
    display.show(SCREENS["bare"])
    assert bytes(FakeBus.last.data[-1024:]) == as_ssd1306(draw(SCREENS["bare"]))


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOENT, "raspi-config"),
        (errno.EACCES, "usermod -aG i2c"),
        (errno.EPERM, "usermod -aG i2c"),
        (errno.EBUSY, "other program"),
    ],
)
def test_a_bus_that_does_not_open_becomes_advice(bus, number, advice):
    bus.fails_to_open = number
    with pytest.raises(DisplayError, match=advice):
        OledDisplay(DisplayOptions())


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.EREMOTEIO, "0x3C.*i2cdetect"),
        (errno.EIO, "0x3C.*i2cdetect"),
        (errno.ETIMEDOUT, "SDA and SCL"),
        (errno.EOVERFLOW, "boom.*wires"),
    ],
)
def test_a_display_that_does_not_answer_becomes_advice(bus, number, advice):
    bus.fails = number
    with pytest.raises(DisplayError, match=advice):
        OledDisplay(DisplayOptions())
    assert FakeBus.last.closed


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO])
def test_a_display_that_is_pulled_out_fails_typed_and_lets_its_bus_go(bus, number):
    display = OledDisplay(DisplayOptions())
    bus.fails = number
    with pytest.raises(DisplayError):
        display.show(SCREENS["bare"])
    with pytest.raises(DisplayError):
        display.close()
    assert FakeBus.last.closed


class Shown:
    """A display that a person looks at, who sees a frame when the driver is right."""

    def __init__(self, options):
        self.options = options

    def show(self, screen):
        Shown.driver = self.options.driver

    def close(self):
        Shown.driver = None


def test_setup_tries_drivers_until_someone_sees_a_frame():
    found = find_driver(DisplayOptions(), Shown, lambda: Shown.driver == "sh1106")
    assert found == DisplayOptions(driver="sh1106")


def test_setup_finds_no_driver_where_nobody_sees_a_frame():
    assert find_driver(DisplayOptions(), Shown, lambda: False) is None


def test_the_virtual_display_writes_what_the_real_one_shows(tmp_path):
    display = PngDisplay(tmp_path)
    display.show(SCREENS["bare"])
    display.show(SCREENS["bare"])
    display.show(SCREENS["names"])
    assert [p.name for p in sorted(tmp_path.iterdir())] == ["screen-0001.png", "screen-0002.png"]
    with Image.open(display.last) as written:
        assert written.tobytes() == draw(SCREENS["names"]).tobytes()


def test_a_virtual_display_without_room_says_so(tmp_path):
    display = PngDisplay(tmp_path / "screens")
    (tmp_path / "screens").rmdir()
    with pytest.raises(DisplayError, match=r"screen-0001\.png"):
        display.show(SCREENS["bare"])


@pytest.mark.parametrize("stays", [False, True])
def test_a_display_is_cleared_when_it_is_closed_unless_it_is_to_stay(bus, stays):
    display = OledDisplay(DisplayOptions())
    display.show(SCREENS["bare"])
    picture = as_ssd1306(draw(SCREENS["bare"]))
    if stays:
        display.stay()
    display.close()
    assert FakeBus.last.closed
    assert (bytes(FakeBus.last.data[-len(picture) :]) == picture) == stays
