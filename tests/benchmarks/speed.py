"""Scenarios per second on a filter of ten tools, as a share of what the bare calls reach."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from benchmarks.counting import TARGET, count
from benchmarks.measuring import Stamps, bare, swept
from benchmarks.showing import Teller, print_table, print_words
from palettecheck.plain import EMPTY, Frozen, freeze
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import ROLES

TOOLS = 10
_POOL = tuple(Tool(f"tool_{i}") for i in range(2 * TOOLS))
_LISTS = 32
STATES: tuple[Frozen, ...] = (
    EMPTY,
    freeze({"tenant_id": "acme"}),
    freeze({"tenant_id": None, "plan": "free"}),
    freeze({"messages": [], "tenant_id": "acme", "scope": {"user_id": "u1"}}),
)
ASKED_BARE = 1_900_000  # calls per second, on the machine for which the goals were set


@dataclass
class Way:
    """One way to look at the scenarios. `goal`: of them per second, where bare calls reach theirs.

    `warm`, `cold`: seconds for a scenario, of each repeat. `calls`: for a scenario, when warm.
    """

    name: str
    routed: bool
    goal: int
    warm: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    calls: float = 0.0

    @property
    def asked(self) -> float:
        """The ratio to the bare loop that is asked for."""
        return self.goal / ASKED_BARE


def varied(*, routed: bool) -> list[Scenario]:
    """Give hundreds of scenarios on lists of ten tools; routing keeps all ten."""
    resolved = tuple(range(TOOLS)) if routed else None
    calls = product(_lists(), STATES, ROLES)
    return [Scenario(tools, resolved, role, state) for tools, state, role in calls]


def _lists() -> Iterator[tuple[Tool, ...]]:
    chance = random.Random(0)
    yield _POOL[1::2]  # of which the filter knows none
    for _ in range(_LISTS - 1):
        yield tuple(chance.sample(_POOL, TOOLS))


def measured(scenarios: int, repeats: int) -> tuple[float, list[Way]]:
    """Give the best seconds for a bare call, and what the ways took.

    The bare loop runs before each pass, so that a noisy machine shifts both.
    """
    ways = [
        Way("single-call rules", routed=True, goal=250_000),
        Way("all rules", routed=False, goal=50_000),
    ]
    teller, bares = Teller("speed, passes"), []
    for i, way in product(range(repeats), ways):
        bares.append(bare(varied(routed=way.routed)))
        _make_a_pass(way, scenarios)
        teller.tell(i * len(ways) + ways.index(way) + 1, repeats * len(ways))
    for way in ways:
        way.calls = _calls(way)
    return min(bares), ways


def _make_a_pass(way: Way, scenarios: int) -> None:
    """Over each scenario once for the tools and the states to be there, and then the warm ones."""
    first, stamps = varied(routed=way.routed), Stamps()
    again = max(1, round(scenarios / len(first)))
    swept(first * (1 + again), stamps)
    way.cold.append(stamps.per_scenario(until=len(first)))
    way.warm.append(stamps.best(len(first), len(first)))


def _calls(way: Way) -> float:
    """Count apart, since to count takes time."""
    first, counted = varied(routed=way.routed), count("benchmarks.resolvers:Filter")
    stamps = Stamps(lambda: counted.calls)
    swept(first * 2, stamps, TARGET)
    return stamps.per_scenario(since=len(first))


def show(scenarios: int, repeats: int) -> None:
    """Measure, and print the table."""
    bare_seconds, ways = measured(scenarios, repeats)
    rows = [["bare loop, nothing checked", f"{1 / bare_seconds:,.0f}", "1.0", "1", ""]]
    for way in ways:
        rows.append(_row(f"{way.name}, warm", min(way.warm), bare_seconds, way))
        rows.append(_row(f"{way.name}, first pass", min(way.cold), bare_seconds))
    title = f"Speed: a filter on {TOOLS} tools, the best of {repeats} passes (CPU time)"
    print_table(title, ("", "scenarios/s", "calls each", "to bare", "asked"), rows)
    print_words(
        "Single-call rules: a pass over routed scenarios, which have no follow-up calls. All "
        "rules: unrouted ones, follow-up calls included. Warm: the tools were shown before; the "
        "first pass makes them, and looks at each list thoroughly."
    )


def _row(name: str, seconds: float, bare_seconds: float, way: Way | None = None) -> list[str]:
    calls, asked = (f"{way.calls:.1f}", f"{way.asked:.4f}") if way else ("", "")
    return [name, f"{1 / seconds:,.0f}", calls, f"{bare_seconds / seconds:.4f}", asked]
