"""Ends a run whose subject awaits for ever, so that a certification always comes to an end."""

from __future__ import annotations

import asyncio
from types import TracebackType

from palettecheck.scenario import Scenario


class Watchdog:
    """Cancels the current task once one scenario has taken longer than `patience` seconds.

    It sees what gives way to the event loop; a call that blocks the loop blocks this, too.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.stuck: Scenario | None = None
        self._now: Scenario | None = None
        self._before: Scenario | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None

    def watch(self, scenario: Scenario) -> None:
        """Say that the run has come to `scenario`."""
        self._now = scenario

    def __enter__(self) -> Watchdog:
        self._task = asyncio.current_task()
        self._arm()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        self._before = self._now
        self._timer = asyncio.get_running_loop().call_later(self.patience, self._look)

    def _look(self) -> None:
        if self._now is not None and self._now is self._before and self._task is not None:
            self.stuck = self._now
            self._task.cancel()
        self._arm()
