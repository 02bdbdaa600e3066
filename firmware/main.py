"""Starts the board's firmware when the Pico starts; goes to the Pico's root folder as main.py."""

import micropython

# Frames carry every byte, 3 among them, and the host may speak before all is loaded.
micropython.kbd_intr(-1)

from tableref_firmware.hal import Hal, prompt_asked  # noqa: E402  # after that, for it takes long


def run() -> None:
    """Runs for ever; an error is kept for `tableref board log`, and the chip starts again."""
    from tableref_firmware import protocol
    from tableref_firmware.app import App

    # What the table says in words is the host's; a collection would look through it each time.
    del protocol.MESSAGES
    hal = Hal()
    try:
        app = App(hal)
        while True:
            app.turn()
    except Exception as error:
        hal.fail(error)


if not prompt_asked():
    run()
