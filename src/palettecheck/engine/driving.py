"""Runs a coroutine of the suite to its end, whatever the subject does to the event loop.

`asyncio.run` would end where a task that the subject started raises `SystemExit`; here the loop
goes on, and the subject's own `await` sees the exception. The first Ctrl-C cancels the coroutine,
so that it can report what it has; the second one is a `KeyboardInterrupt`.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def drive(coroutine: Coroutine[Any, Any, T]) -> T:
    """Give the result of `coroutine`, run on a new event loop."""
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(coroutine)
        with _first_interrupt(task.cancel) as interrupted:
            while True:
                try:
                    return loop.run_until_complete(task)
                except (SystemExit, KeyboardInterrupt):
                    if task.done() or interrupted() > 1:
                        raise


@contextmanager
def _first_interrupt(cancel: Callable[[], object]) -> Iterator[Callable[[], int]]:
    count = 0

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal count
        count += 1
        if count > 1:
            raise KeyboardInterrupt
        cancel()

    if threading.current_thread() is not threading.main_thread():
        yield lambda: count
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: count
    finally:
        signal.signal(signal.SIGINT, before)
