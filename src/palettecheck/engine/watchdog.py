"""Ends a run whose subject awaits for ever, so that a certification always comes to an end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from palettecheck.engine.driving import PATIENT
from palettecheck.engine.stopping import Stop

_AGAIN = 1.0  # seconds until a subject that swallows a cancellation is asked again


class Told(Protocol):
    """What a run has come to, such as a scenario; it is put into words only where it hangs."""

    def words(self) -> str:
        """Give it on one line."""
        ...


class Watchdog:
    """Stops the run once one scenario has taken longer than `patience` seconds.

    It sees what gives way to the event loop; a call that blocks the loop blocks this, too.
    """

    def __init__(self, patience: float, stop: Stop) -> None:
        self._patience, self._stop = patience, stop
        self._now: Told | str = "building the subject"
        self._before: Told | str = ""
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, now: Told | str) -> None:
        """Say that the run has come to a scenario, or to something else."""
        self._now = now

    @contextmanager
    def on_guard(self) -> Iterator[None]:
        """Look from time to time, on the running loop."""
        self._arm()
        try:
            yield
        finally:
            if self._timer is not None:
                self._timer.cancel()

    def _arm(self) -> None:
        self._before = self._now
        patience = min(self._patience, _AGAIN) if self._stop.asked else self._patience
        self._timer = asyncio.get_running_loop().call_later(patience, self._look)

    def _look(self) -> None:
        if self._now is self._before:
            what = self._now if isinstance(self._now, str) else self._now.words()
            self._stop.ask(f"no result within {self._patience:g} s from {what}")
            if self._stop.asked >= PATIENT:
                asyncio.get_running_loop().stop()
        self._arm()
