"""Virtual players wait until all that they gave has been told."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tableref.referee.inputs import Choose
from tableref.referee.queue import InputQueue

PATIENCE = 5.0
"""Seconds in which what is waited for has come, on any machine."""


def ends(queue: InputQueue, act: Callable[[], object]) -> bool:
    """Whether this ends by itself; if not, the queue is closed."""
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    if thread.is_alive():
        queue.close()
        return False
    return True


def test_rest_ends_when_what_was_taken_has_been_dealt_with() -> None:
    queue, dealt = InputQueue(), []

    def deal() -> None:
        while (given := queue.take()) is not None:
            dealt.append(given)

    taker = threading.Thread(target=deal, daemon=True)
    taker.start()
    for number in range(50):
        queue.put(Choose(float(number), number))
        assert ends(queue, queue.rest), "rest never ends"
        assert len(dealt) == number + 1
    queue.close()
    taker.join(PATIENCE)
    assert not taker.is_alive()


def test_nobody_rests_on_a_closed_queue() -> None:
    queue = InputQueue()
    queue.put(Choose(0.0, 0))
    queue.close()
    assert ends(queue, queue.rest), "rest never ends"
