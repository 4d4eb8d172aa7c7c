"""Runs a coroutine of the suite to its end, whatever the subject does to the event loop.

`asyncio.run` would end where a task that the subject started raises `SystemExit`; here the loop
goes on, and the subject's own `await` sees the exception. The first Ctrl-C asks the coroutine to
stop, so that it can report what it has; the second one is a `KeyboardInterrupt`.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from palettecheck.engine.stopping import Stop

T = TypeVar("T")

INTERRUPTED = "interrupted"


def drive(coroutine: Coroutine[Any, Any, T], stop: Stop | None = None) -> T:
    """Give the result of `coroutine`, run on a new event loop; an interruption goes to `stop`."""
    stop = stop or Stop()
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(coroutine)
        stop.watch(task)
        with _interrupts_go_to(stop) as interrupts:
            while True:
                try:
                    return loop.run_until_complete(task)
                except (SystemExit, KeyboardInterrupt):
                    if task.done() or interrupts() > 1:
                        raise


@contextmanager
def _interrupts_go_to(stop: Stop) -> Iterator[Callable[[], int]]:
    count = 0

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal count
        count += 1
        if count > 1:
            raise KeyboardInterrupt
        stop.ask(INTERRUPTED)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: count
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: count
    finally:
        signal.signal(signal.SIGINT, before)
