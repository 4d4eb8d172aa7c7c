"""An event loop that does not wait: where nothing is left to do, it is the next timer's time.

So a resolver that awaits for ever costs a millisecond, not the host's deadline. Where a thread of
the executor is at work, or a socket is open, time goes as it does elsewhere: what is awaited comes
from outside.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_GRACE = 0.001  # seconds in which what comes from outside may still come


class HurryingLoop(asyncio.SelectorEventLoop):
    """A selector loop whose `time` jumps to the next timer; where there is none, it waits."""

    def __init__(self) -> None:
        self._skipped, self._at_work = 0.0, 0
        super().__init__(_Selector(self))

    def time(self) -> float:
        """Give the time that it is on this loop, in seconds."""
        return super().time() + self._skipped

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """As the default one; what is given to a thread is counted until it is done."""
        future = super().run_in_executor(executor, func, *args)
        self._at_work += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, future: asyncio.Future[Any]) -> None:
        self._at_work -= 1

    def is_served(self) -> bool:
        """Say whether something outside of this loop may be at work for it."""
        return self._at_work > 0

    def skip(self, seconds: float) -> None:
        """Be so much later."""
        self._skipped += seconds


class _Selector(selectors.BaseSelector):
    """The default selector, which does not wait for a timer."""

    def __init__(self, loop: HurryingLoop) -> None:
        self._loop, self._waits = loop, selectors.DefaultSelector()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Give what is ready; pass over the time until the next timer where nothing is."""
        others = len(self._waits.get_map()) > 1  # the first one is the loop's own, to be woken by
        if timeout is None or timeout <= _GRACE or others or self._loop.is_served():
            return self._waits.select(timeout)
        ready = self._waits.select(_GRACE)
        if not ready:
            self._loop.skip(timeout - _GRACE)
        return ready

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """As the default one."""
        return self._waits.register(fileobj, events, data)

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        """As the default one."""
        return self._waits.unregister(fileobj)

    def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        """As the default one."""
        return self._waits.modify(fileobj, events, data)

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        """As the default one."""
        return self._waits.get_map()

    def close(self) -> None:
        """As the default one."""
        self._waits.close()
