"""How the cost of a scenario grows with the number of tools, and what the dearest one takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from benchmarks.measuring import CLOCK, Stamps, bare, exponent, swept
from benchmarks.showing import Teller, print_table, print_words
from benchmarks.speed import STATES
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import ROLES

SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000)
_LISTS = 2
_LARGE = 1_000  # tools, from which on what is the same for every call hardly counts


class Timed(list[Scenario]):
    """Scenarios that note when each one is taken: the cost of one is the time to the next."""

    def __init__(self, scenarios: Sequence[Scenario]) -> None:
        super().__init__(scenarios)
        self._taken: list[float] = []

    def __iter__(self) -> Iterator[Scenario]:
        self._taken.clear()
        for scenario in super().__iter__():
            self._taken.append(CLOCK())
            yield scenario
        self._taken.append(CLOCK())

    def costs(self) -> list[float]:
        """Give the seconds for each scenario, in order."""
        ends = self._taken[1:]
        return [end - start for start, end in zip(self._taken[:-1], ends, strict=True)]


@dataclass(frozen=True)
class Cost:
    """Seconds for a scenario with `size` tools, at best.

    `mean`: with its share of what the sweep does between scenarios. `first`: on new tools, and
    `later`, the dearest each. `bare`: for a bare call.
    """

    size: int
    mean: float
    first: float
    later: float
    bare: float


def scenarios_of(size: int) -> list[Scenario]:
    """Give the scenarios of one size: two lists of tools, with each state and role."""
    lists = [tuple(Tool(f"tool_{i}", twin=twin) for i in range(size)) for twin in range(_LISTS)]
    calls = product(lists, STATES, ROLES)
    return [Scenario(tools, None, role, state) for tools, state, role in calls]


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
    scenarios = scenarios_of(size)
    timed, stamps, bare_seconds = Timed(scenarios), Stamps(), bare(scenarios)
    swept(timed, stamps)
    first, later = _split(timed.costs())
    return stamps.per_scenario(), max(first), max(later), bare_seconds


def _split(costs: list[float]) -> tuple[list[float], list[float]]:
    """Tell the first scenario of each list of tools from those after it."""
    every = len(costs) // _LISTS
    later = [cost for i, cost in enumerate(costs) if i % every]
    return costs[::every], later


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
