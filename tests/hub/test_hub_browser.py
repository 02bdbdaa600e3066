"""A judge writes at the hub while tables go on."""

from __future__ import annotations

import shutil

import pytest

from tests.hub.conftest import Heard, call

playwright = pytest.importorskip("playwright.sync_api", reason="needs: pip install playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")


def test_what_a_judge_has_begun_to_write_outlives_another_call(hub: Heard) -> None:
    from tableref.hub.pages import HubPages, Judges
    from tableref.web.server import Server

    hub.take("call", call())
    judges = Judges(b"the key of the club", "0421", lambda table, payload: True)
    server = Server(HubPages(hub.desk, hub.results, "en", judges=judges), 0, "127.0.0.1")
    server.start()
    with playwright.sync_playwright() as started:
        page = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        ).new_page()  # fmt: skip
        page.goto(f"http://127.0.0.1:{server.port}/calls")
        page.click("#text-corner")
        page.keyboard.type("It was")
        hub.take("call", call(), table="window")
        page.wait_for_selector("#text-window")
        page.keyboard.type(" agreed.")
        assert page.input_value("#text-corner") == "It was agreed."
    server.close()
