"""What a guard adds to a call, in microseconds, and how that grows with the number of tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.measuring import CLOCK, exponent
from benchmarks.resolvers import Filter
from benchmarks.showing import Teller, print_table, print_words
from palette_reference import GuardedResolver
from palettecheck.engine.driving import drive
from palettecheck.scenario import Scenario, Tool
from palettecheck.shelf import Shelf

SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000)
ASKED = 15.0  # microseconds at most
ASKED_AT = 100  # tools
_SECONDS = 0.005  # that a stretch of calls takes: long for the clock, short for the scheduler
_STATE = {"tenant_id": "acme", "messages": []}


@dataclass(frozen=True)
class Cost:
    """Seconds for a call with `size` tools, at best: `bare`, and under the guard."""

    size: int
    bare: float
    guarded: float

    @property
    def added(self) -> float:
        """What the guard adds."""
        return self.guarded - self.bare


def measured(sizes: Sequence[int], repeats: int) -> list[Cost]:
    """Give the cost at each size; both ways take turns, so that noise shifts both."""
    teller, costs = Teller("guard, sizes"), []
    for i, size in enumerate(sizes):
        teller.tell(i, len(sizes))
        tools = Scenario(tuple(Tool(f"tool_{i}") for i in range(size))).build(Shelf()).all_tools
        pairs = [drive(_pair(tools)) for _ in range(repeats)]
        costs.append(Cost(size, *map(min, zip(*pairs, strict=True))))
    return costs


async def _pair(tools: list[Any]) -> tuple[float, float]:
    return await _timed(Filter(), tools), await _timed(GuardedResolver(Filter()), tools)


async def _timed(resolver: Any, tools: list[Any]) -> float:
    done, began = 0, CLOCK()
    while (taken := CLOCK() - began) < _SECONDS:
        for _ in range(8):
            await resolver.resolve(_STATE, "action", tools)
        done += 8
    return taken / done


def show(sizes: Sequence[int], repeats: int) -> None:
    """Measure, and print the table and the exponent."""
    costs = measured(sizes, repeats)
    columns = ("tools", "bare us", "guarded us", "added us", "asked us")
    title = f"Guard: a filter that keeps every second tool, the best of {repeats} (CPU time)"
    print_table(title, columns, map(_row, costs))
    if len(costs) > 1:
        added = exponent([cost.size for cost in costs], [cost.added for cost in costs])
        print_words(f"Exponent of what is added: {added:.2f} over all sizes.")


def _row(cost: Cost) -> list[str]:
    figures = [f"{second * 1e6:,.2f}" for second in (cost.bare, cost.guarded, cost.added)]
    return [f"{cost.size:,}", *figures, f"{ASKED:g}" if cost.size == ASKED_AT else ""]
