"""A part of a page as a stream of events: sent again each time that it changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.responses import StreamingResponse

BREATH = 15.0
"""Seconds after which an idle stream says that it lives."""
WRITTEN = 1.0
"""Seconds after a change within which its files are written: then they are looked for again."""


def stream(
    watch: Callable[[Callable[[], object]], Callable[[], None]],
    part: Callable[[], str | None],
    files: Callable[[], object] = lambda: None,
    rest: float = 0.0,
) -> StreamingResponse:
    """What `part` makes, now and after each change, until it makes None.

    `watch` has what it is given called after each change, from any thread, until what it returns is
    called. `files` is another value once files came that the part shows, of which nobody tells.
    Two parts are `rest` seconds apart at least.
    """
    return StreamingResponse(
        _told(watch, part, files, rest),
        media_type="text/event-stream",
        headers={"x-accel-buffering": "no"},
    )


async def _told(
    watch: Callable[[Callable[[], object]], Callable[[], None]],
    part: Callable[[], str | None],
    files: Callable[[], object],
    rest: float,
) -> AsyncIterator[str]:
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def later() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    stop = watch(later)
    try:
        while True:
            changed.clear()
            if (told := part()) is None:
                return
            yield told
            if rest:
                await asyncio.sleep(rest)
            seen, wait = files(), WRITTEN
            while not changed.is_set():
                try:
                    await asyncio.wait_for(changed.wait(), wait)
                except TimeoutError:
                    if files() != seen:
                        break
                    if wait == BREATH:
                        yield ": \n\n"
                    wait = BREATH
    finally:
        stop()


def event(version: int, html: str) -> str:
    """A part of a page as an event; `version` counts the changes."""
    return f"id: {version}\n" + "".join(f"data: {line}\n" for line in html.split("\n")) + "\n"
