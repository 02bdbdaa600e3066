"""What tests of the appliance have in common: no table runs on when its test is over."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from tests.appliance.table import Table


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Switches off what is still on, also where the test failed: it would go on in the next one."""
    yield
    for table in Table.on:
        table.stop()
    Table.on.clear()
    left = [thread.name for thread in threading.enumerate() if thread.name == "board link"]
    assert not left
