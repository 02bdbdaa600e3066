"""A net between tables and a broker, on this computer, that can be cut in the ways in which nets
are: connections are reset, refused, stall, or packets vanish without a word.

As a module it takes the port that it leads to, prints its own, and does what lines on stdin say.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from typing import Any


class Line:
    """A connection through the net, both ways. `lost`: what is sent on it vanishes from now on."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.ends, self.lost = (near, far), False


class Net:
    """Listens at `port` and hands on to a port of this computer, until `close`."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._lines: set[Line] = set()
        self._refuses = self._loses = False
        self.given_up = 0
        """Lines that were lost and that one end has given up."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._flows = asyncio.Event()
        self._server = self._do(self._listen)
        self.port = int(self._server.sockets[0].getsockname()[1])

    # -- ways to be cut ---------------------------------------------------------------------------

    def reset(self) -> None:
        """All connections are reset; new ones come through."""
        self._call(lambda: [end.transport.abort() for line in self._lines for end in line.ends])

    def refuse(self) -> None:
        """All connections are reset, and new ones refused."""
        self._refuses = True
        self.reset()

    def stall(self) -> None:
        """What is sent comes once the net is `whole` again."""
        self._call(self._flows.clear)

    def lose(self) -> None:
        """What is sent vanishes, also after the net is whole again: the lines are dead, and nobody
        is told. New ones are like that until then."""

        def lose() -> None:
            self._loses = True
            for line in self._lines:
                line.lost = True

        self._call(lose)

    def whole(self) -> None:
        """New connections come through, and what stalled is handed on."""
        self._refuses = self._loses = False
        self._call(self._flows.set)

    def close(self) -> None:
        """The net is gone."""
        self.refuse()

        async def end() -> None:
            self._server.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.sleep(0)

        self._do(end)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # -- in the net's thread ----------------------------------------------------------------------

    def _call(self, do: Callable[[], object]) -> None:
        async def done() -> None:
            do()

        self._do(done)

    def _do(self, do: Callable[[], Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(do(), self._loop).result(10.0)

    async def _listen(self) -> asyncio.Server:
        self._flows.set()
        return await asyncio.start_server(self._met, "127.0.0.1", 0)

    async def _met(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        if self._refuses:
            near.transport.abort()
            return
        try:
            answers, far = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:  # the broker is away
            near.transport.abort()
            return
        line = Line(near, far)
        line.lost = self._loses
        self._lines.add(line)
        try:
            await asyncio.gather(self._hand(reader, far, line), self._hand(answers, near, line))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._lines.discard(line)
            for end in line.ends:
                end.transport.abort()

    async def _hand(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: Line
    ) -> None:
        while data := await reader.read(65536):
            await self._flows.wait()
            if not line.lost:
                writer.write(data)
                await writer.drain()
        if line.lost:
            self.given_up += 1  # the other end is not told
            return
        raise ConnectionResetError


if __name__ == "__main__":
    net = Net(int(sys.argv[1]))
    print(net.port, flush=True)
    for line in sys.stdin:
        getattr(net, line.strip())()
    net.close()
