"""Runs a coroutine of the suite to its end, whatever the subject does to the event loop.

`asyncio.run` would end where a task that the subject started raises `SystemExit`, or where it stops
the loop; here the loop goes on. The first Ctrl-C asks the coroutine to stop, so that it can report
what it has; the second one is a `KeyboardInterrupt`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from palettecheck.engine.stopping import Stop

T = TypeVar("T")

INTERRUPTED = "interrupted"
PATIENT = 3  # times that a coroutine is asked to stop before it is left alone
_CLOSING = 1.0  # seconds for what the subject left running


class Abandoned(Exception):  # noqa: N818 - no error of the suite
    """The subject swallows every cancellation, so that the coroutine cannot come to its end."""


def drive(
    coroutine: Coroutine[Any, Any, T],
    stop: Stop | None = None,
    loop: asyncio.AbstractEventLoop | None = None,
) -> T:
    """Give the result of `coroutine`, run on `loop`, or a new one; an interruption goes to `stop`.

    The loop is closed at the end. The one that others have set for this thread stays theirs.
    Raises `Abandoned` where it was asked to stop several times and did not.
    """
    stop = stop or Stop()
    loop = loop or asyncio.new_event_loop()
    try:
        task = loop.create_task(coroutine)
        stop.watch(task)
        with _interrupts_go_to(stop) as interrupts:
            return _run(loop, task, stop, interrupts)
    finally:
        _close(loop)


def _run(
    loop: asyncio.AbstractEventLoop,
    task: asyncio.Task[T],
    stop: Stop,
    interrupts: Callable[[], int],
) -> T:
    while True:
        try:
            return loop.run_until_complete(task)
        except (SystemExit, KeyboardInterrupt):
            if interrupts() > 1:
                raise
        except RuntimeError:
            if task.done():
                raise
        if task.done():
            return task.result()
        if stop.asked >= PATIENT:
            raise Abandoned(stop.reason)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    """End what the subject left running, as far as it lets itself be ended in time."""
    loop.set_exception_handler(lambda *told: None)
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        with contextlib.suppress(BaseException):  # nothing of it can change a verdict any more
            loop.run_until_complete(asyncio.wait(left, timeout=_CLOSING))
    generators = loop.shutdown_asyncgens()
    with contextlib.suppress(BaseException):
        loop.run_until_complete(generators)
    generators.close()
    loop.close()
    for task in left:
        if not task.done():  # closed as garbage, or at the exit, it might swallow that for ever
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(task))


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
