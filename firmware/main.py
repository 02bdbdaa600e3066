"""Starts the board's firmware when the Pico starts; goes to the Pico's root folder as main.py."""

from tableref_firmware.hal import Hal, prompt_asked


def run() -> None:
    """Runs for ever; an error is kept for `tableref board log`, and the chip starts again."""
    from tableref_firmware.app import App

    hal = Hal()
    try:
        app = App(hal)
        while True:
            app.turn()
    except Exception as error:
        hal.fail(error)


if not prompt_asked():
    run()
