"""How many calls and seconds palettecheck takes to the first breach of any rule."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass

from benchmarks.counting import TARGET, Counted, count
from palettecheck.engine.driving import Abandoned, drive
from palettecheck.engine.job import Job, Plan
from palettecheck.engine.judging import Candidate
from palettecheck.engine.logs import collected
from palettecheck.engine.stopping import Stop
from palettecheck.engine.sweep import Sweep

_PATIENCE = 5.0  # seconds for one call
_FOUND = "found"


@dataclass(frozen=True)
class Breach:
    """The first one: of which rule, after how many calls and seconds, the plan's included."""

    rule: str
    calls: int
    seconds: float


class _First(dict[str, Candidate]):
    """In the place of the sweep's candidates: notes the first one, and ends the run."""

    def __init__(self, stop: Stop, counted: Counted, began: float) -> None:
        super().__init__()
        self._stop, self._counted, self._began = stop, counted, began
        self.breach: Breach | None = None

    def __setitem__(self, rule_id: str, candidate: Candidate) -> None:
        super().__setitem__(rule_id, candidate)
        if self.breach is None:
            seconds = time.perf_counter() - self._began
            self.breach = Breach(rule_id, self._counted.calls, seconds)
            self._stop.ask(_FOUND)

    def setdefault(self, rule_id: str, candidate: Candidate) -> Candidate:
        """Note one that an audit adds, too."""
        if rule_id not in self:
            self[rule_id] = candidate
        return self[rule_id]


def first_breach(target: str, tools: str | None, states: str | None, seed: int) -> Breach | None:
    """Run the default profile up to the first breach; `None` where there is none."""
    began, counted = time.perf_counter(), count(target)
    plan = Plan(Job(TARGET, tools, states, seed=seed, patience=_PATIENCE))
    sweep = Sweep(plan, lambda done, total: None)
    sweep.findings.candidates = first = _First(sweep.stop, counted, began)
    # Asked from within, the run may come to its end before the cancellation comes to it.
    with suppress(Abandoned, asyncio.CancelledError), collected(sweep.findings.notes):
        drive(sweep.run(), sweep.stop)
    return first.breach
