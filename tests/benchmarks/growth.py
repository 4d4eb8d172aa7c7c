"""How the cost of a scenario grows with the number of tools, and what the dearest one takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from unittest.mock import patch

from msgspec.structs import replace

from benchmarks.measuring import Stamps, bare, exponent, swept
from benchmarks.showing import Teller, print_table, print_words
from benchmarks.speed import ASKED_BARE, STATES
from palettecheck.engine import sweep
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import ROLES

SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000)
_LISTS = 2
_LARGE = 1_000  # tools, from which on what is the same for every call hardly counts


@dataclass(frozen=True)
class Cost:
    """Seconds for a scenario with `size` tools, at best.

    `mean`: as the sweep goes, tools made meanwhile. `first`: on a new list of tools that are made,
    and `later`, the dearest each, with a look at all inputs after each one. `bare`: a bare call.
    """

    size: int
    mean: float
    first: float
    later: float
    bare: float


def scenarios_of(size: int) -> list[Scenario]:
    """Give the scenarios of one size: two lists of tools, with each state and role."""
    return [scenario for some in _by_list(size) for scenario in some]


def _by_list(size: int) -> list[list[Scenario]]:
    lists = [tuple(Tool(f"tool_{i}", twin=twin) for i in range(size)) for twin in range(_LISTS)]
    calls = [*product(STATES, ROLES)]
    return [[Scenario(tools, None, role, state) for state, role in calls] for tools in lists]


def measured(sizes: Sequence[int], repeats: int) -> list[Cost]:
    """Give the cost at each size; all of them are measured in turn, so that noise shifts all."""
    teller = Teller("growth, passes")
    passes: dict[int, list[tuple[float, ...]]] = {size: [] for size in sizes}
    _one_pass(min(sizes))  # what is worked out once a process is no size's own
    for i, size in enumerate([*sizes] * repeats):
        teller.tell(i, len(sizes) * repeats)
        passes[size].append(_one_pass(size))
    return [Cost(size, *map(min, zip(*made, strict=True))) for size, made in passes.items()]


def _one_pass(size: int) -> tuple[float, ...]:
    scenarios, stamps = scenarios_of(size), Stamps()
    bare_seconds = bare(scenarios)
    swept(scenarios, stamps)
    first, later = _each(size)
    return stamps.per_scenario(), max(first), max(later), bare_seconds


def _each(size: int) -> tuple[list[float], list[float]]:
    """Time each scenario; the first of a list, whose tools are made before, apart from the others.

    The sweep pauses after each one, so that all that it does for that one is in its time. Three
    tools go first, as in every run: what is worked out once a run is no list's own.
    """
    first, later, before = [], [], scenarios_of(3)
    for scenarios in _by_list(size):
        tools_alone, stamps = replace(scenarios[0], resolved=()), Stamps()
        with patch.object(sweep, "_PAUSE", 1):
            swept([*before, tools_alone, *scenarios], stamps)
        costs = stamps.costs()[len(before) + 1 :]
        first.append(costs[0])
        later += costs[1 : len(scenarios)]
    return first, later


def show(sizes: Sequence[int], repeats: int) -> None:
    """Measure, and print the table and the exponent."""
    costs = measured(sizes, repeats)
    columns = ("tools", "mean ms", "dearest first ms", "dearest later ms", "in bare calls")
    title = f"Growth: one scenario with all rules, the best of {repeats} (CPU time)"
    print_table(title, columns, map(_row, costs))
    print_words(_fitted(costs))
    last, count = costs[-1], len(scenarios_of(1))
    print_words(f"Of the {count} scenarios that a mean is of, {_LISTS} are the first on new tools.")
    print_words(
        f"The dearest scenario at {last.size:,} tools: {last.first * 1e3:,.1f} ms for the first "
        f"call on new tools, {last.later * 1e3:,.1f} ms for a later one."
    )
    there = 1 / ASKED_BARE / costs[0].bare
    print_words(
        f"With {costs[0].size} tools, {1 / costs[0].bare:,.0f} bare calls a second. Where "
        f"{ASKED_BARE:,} are made: {last.first * there * 1e3:,.1f} ms and "
        f"{last.later * there * 1e3:,.1f} ms."
    )


def _row(cost: Cost) -> list[str]:
    seconds = (cost.mean, cost.first, cost.later)
    figures = [f"{second * 1e3:,.3f}" for second in seconds]
    return [f"{cost.size:,}", *figures, f"{cost.mean / cost.bare:,.0f}"]


def _fitted(costs: Sequence[Cost]) -> str:
    """Say the exponent of all sizes, and of the large ones, where nothing else dampens it."""
    large = [cost for cost in costs if cost.size >= _LARGE]
    if len(costs) < 2:
        return "One size has no exponent."
    words = f"Exponent of the mean: {_exponent(costs):.2f} over all sizes"
    return f"{words}, {_exponent(large):.2f} from {_LARGE:,} on." if len(large) > 1 else f"{words}."


def _exponent(costs: Sequence[Cost]) -> float:
    return exponent([cost.size for cost in costs], [cost.mean for cost in costs])
