"""Who ends a run early, and why: told apart from what a subject does to its own task.

A subject may cancel the task that awaits it, and `asyncio.TaskGroup` does so in passing; only what
comes with a reason ends the run.
"""

from __future__ import annotations

import asyncio


class Stop:
    """`reason`: why the run is to end; empty as long as it is not. `asked`: how often it was."""

    def __init__(self) -> None:
        self.reason = ""
        self.asked = 0
        self._task: asyncio.Task[object] | None = None

    def watch(self, task: asyncio.Task[object] | None) -> None:
        """Say which task makes the run."""
        self._task = task

    def ask(self, reason: str) -> None:
        """End the run at its next chance; the first reason counts."""
        self.reason = self.reason or reason
        self.asked += 1
        if self._task is not None:
            self._task.cancel()

    def reraise(self, error: BaseException) -> None:
        """Raise `error` again if it is what ends the run, or closes what that has left behind."""
        if self.reason and isinstance(error, (asyncio.CancelledError, GeneratorExit)):
            raise error

    async def breathe(self) -> None:
        """Give way to the event loop, and take the cancellations that are not of this."""
        task = asyncio.current_task()
        while True:
            try:
                await asyncio.sleep(0)
            except asyncio.CancelledError as error:
                self.reraise(error)
            if task is None or self.reason or not task.cancelling():
                return
            task.uncancel()

    def check(self) -> None:
        """Raise `CancelledError` if the run is to end: a subject may have swallowed the first."""
        if self.reason:
            raise asyncio.CancelledError(self.reason)
