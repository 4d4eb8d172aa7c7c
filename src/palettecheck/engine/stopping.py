"""Who ends a run early, and why: told apart from what a subject does to its own task.

A subject may cancel the task that awaits it, and `asyncio.TaskGroup` does so in passing; only what
comes with a reason ends the run.
"""

from __future__ import annotations

import asyncio


class Stop:
    """`reason`: why the run is to end; empty as long as it is not."""

    def __init__(self) -> None:
        self.reason = ""
        self._task: asyncio.Task[object] | None = None

    def watch(self, task: asyncio.Task[object] | None) -> None:
        """Say which task makes the run."""
        self._task = task

    def ask(self, reason: str) -> None:
        """End the run at its next chance; the first reason counts."""
        self.reason = self.reason or reason
        if self._task is not None:
            self._task.cancel()

    def reraise(self, error: BaseException) -> None:
        """Raise `error` again if it is what ends the run."""
        if self.reason and isinstance(error, asyncio.CancelledError):
            raise error

    def check(self) -> None:
        """Raise `CancelledError` if the run is to end: a subject may have swallowed the first."""
        if self.reason:
            raise asyncio.CancelledError(self.reason)
