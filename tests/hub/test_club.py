"""The three commands of docs/club.md lead to a scoreboard."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosting.real_broker import MOSQUITTO, until

pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")
pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="needs Debian's mosquitto")
PAGE = Path(__file__).parents[2] / "docs" / "club.md"


def commands() -> list[str]:
    """The three, as the page has them."""
    text = PAGE.read_text(encoding="utf-8").partition("three commands")[2]
    return text.split("```")[1].strip().splitlines()


def free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@pytest.fixture
def page(tmp_path: Path) -> Iterator[str]:
    """The address of the hub's page, once all three run; on ports that are free."""
    ports = {"1883": free_port(), "8090": free_port()}
    told = [re.sub("1883|8090", lambda found: ports[found[0]], line) for line in commands()]
    known = {"mosquitto": [str(MOSQUITTO)], "tableref": [sys.executable, "-m", "tableref"]}
    running = []
    for line in told:
        name, *rest = shlex.split(line)
        running.append(
            subprocess.Popen(
                [*known[name], *rest], cwd=tmp_path, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(PAGE.parents[1])},
            )
        )  # fmt: skip
    yield f"http://127.0.0.1:{ports['8090']}"
    for process in running:
        process.kill()
        process.wait()


def test_three_commands_lead_to_a_scoreboard(page: str) -> None:
    def shown() -> bool:
        try:
            with urllib.request.urlopen(page, timeout=5) as answer:
                text = answer.read().decode()
        except OSError:  # it does not run yet
            return False
        return "corner" in text and "Skorpion Deep" in text and 'class="last"' in text

    assert len(commands()) == 3
    until(shown)
