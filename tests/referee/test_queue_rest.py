"""Virtual players wait until all that they gave has been told."""

from __future__ import annotations

import threading

from tableref.referee.inputs import Choose
from tableref.referee.queue import InputQueue


def test_rest_ends_when_what_was_taken_has_been_dealt_with() -> None:
    queue, dealt = InputQueue(), []

    def deal() -> None:
        while (given := queue.take()) is not None:
            dealt.append(given)

    taker = threading.Thread(target=deal)
    taker.start()
    for number in range(50):
        queue.put(Choose(float(number), number))
        queue.rest()
        assert len(dealt) == number + 1
    queue.close()
    taker.join()


def test_nobody_rests_on_a_closed_queue() -> None:
    queue = InputQueue()
    queue.put(Choose(0.0, 0))
    queue.close()
    queue.rest()
