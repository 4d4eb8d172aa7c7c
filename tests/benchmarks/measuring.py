"""Stamps of a sweep's progress, and the bare loop that they are set against."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from benchmarks.resolvers import Filter
from palettecheck.engine.driving import drive
from palettecheck.engine.job import Job, Plan
from palettecheck.engine.sweep import Sweep
from palettecheck.scenario import Scenario
from palettecheck.shelf import Shelf

# Of the processor, since a machine that others use as well takes the process off it for a while.
CLOCK = time.process_time
FILTER = f"{Filter.__module__}:{Filter.__qualname__}"
_BARE_SECONDS = 0.02  # below this, the clock and the scheduler are part of what is measured
_BARE_REPEATS = 5


class Stamps:
    """A progress that reads a clock whenever the sweep tells how far it has come.

    The sweep tells that after it has looked for changes, so that the cost of this is in.
    """

    def __init__(self, clock: Callable[[], float] = CLOCK) -> None:
        self._clock = clock
        self._noted: list[tuple[int, float]] = []

    def __call__(self, done: int, total: int) -> None:
        """Note the time."""
        self._noted.append((done, self._clock()))

    def per_scenario(self, since: int = 0, until: int | None = None) -> float:
        """Give what a scenario took on average, from one number of them done to another."""
        begun, start = next(noted for noted in self._noted if noted[0] >= since)
        least = math.inf if until is None else max(until, begun + 1)
        ended, end = next((noted for noted in self._noted if noted[0] >= least), self._noted[-1])
        return (end - start) / (ended - begun)

    def costs(self) -> list[float]:
        """Give what each scenario took, of a sweep that tells of every one."""
        return [end - start for (_, start), (_, end) in pairwise(self._noted)]

    def best(self, since: int, length: int) -> float:
        """Give the least that it took in one of the stretches of `length` scenarios from `since`.

        The best of a few long stretches would be worse than that of short ones, on a busy machine.
        """
        starts = range(since, self._noted[-1][0] - length + 1, length)
        return min(self.per_scenario(start, start + length) for start in starts)


def swept(scenarios: list[Scenario], stamps: Stamps, target: str = FILTER) -> None:
    """Make one pass over `scenarios`, on new tools."""
    plan = Plan(Job(target))
    plan.scenarios = scenarios
    sweep = Sweep(plan, stamps)
    drive(sweep.run(), sweep.stop)
    if sweep.findings.stopped or sweep.findings.candidates:
        raise RuntimeError(f"the pass over a sound filter was no plain one: {sweep.findings}")


def bare(scenarios: Sequence[Scenario]) -> float:
    """Give the seconds that a call takes at best where nothing is checked, in one running loop."""
    shelf = Shelf()
    inputs = [scenario.build(shelf) for scenario in scenarios]
    calls = [(one.state, one.role, one.all_tools) for one in inputs]
    return min(drive(_timed(calls)) for _ in range(_BARE_REPEATS))


async def _timed(calls: list[tuple[dict[str, Any], str, list[Any]]]) -> float:
    resolver, done, taken = Filter(), 0, 0.0
    while taken < _BARE_SECONDS:
        began = CLOCK()
        for state, role, all_tools in calls:
            await resolver.resolve(state, role, all_tools)
        taken += CLOCK() - began
        done += len(calls)
    return taken / done


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Give the slope of the least-squares line through the logarithms: 1 is linear growth."""
    xs, ys = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return rise / sum((a - x) ** 2 for a in xs)
