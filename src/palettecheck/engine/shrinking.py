"""The least scenarios that still break a rule: fewest tools, shortest names, emptiest state.

What is tried is tried in batches, since to ask of many at once may cost little more than of one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice, product
from string import ascii_lowercase
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from palette_reference import ACTION
from palettecheck.plain import EMPTY, Frozen
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import NAMES

T = TypeVar("T")

_SHRUNK = 4  # calls, the last ones, that are shrunk
_BATCH = 20_000  # tools in what is asked of at once
_FEW = 40  # tools, below which each name is cut to what matters in it
_MOST = 4_000_000  # tools in all that is asked of: lists of thousands are not cut to the last one

# Which of several still breaks the rule, the first such one.
First: TypeAlias = Callable[[Sequence[Scenario]], int | None]
FirstCalls: TypeAlias = Callable[[Sequence[Sequence[Scenario]]], int | None]


def shrunk_calls(calls: list[Scenario], first: FirstCalls) -> list[Scenario]:
    """Shrink all calls alike, then the last one, and then those before it, the latest first."""
    for simpler in ({"role": ACTION}, {"state": EMPTY}):
        alike = [replace(scenario, **simpler) for scenario in calls]
        if len(calls) > 1 and alike != calls and first([alike]) == 0:
            calls = alike
    calls = _on_the_same_tools(calls, first)
    for i in reversed(range(max(0, len(calls) - _SHRUNK), len(calls))):
        calls = _with_one_shrunk(calls, i, first)
    fewer = _with_lowest_twins(calls)
    return fewer if fewer != calls and first([fewer]) == 0 else calls


def _with_lowest_twins(calls: list[Scenario]) -> list[Scenario]:
    """Number twins anew: of five that are called `search`, the fifth may be all that is left."""
    lowest: dict[Tool, Tool] = {}
    so_far: Counter[Tool] = Counter()
    for tool in (tool for scenario in calls for tool in scenario.registry):
        kind = replace(tool, twin=0)
        if tool not in lowest:
            lowest[tool] = replace(tool, twin=so_far[kind])
            so_far[kind] += 1
    return [replace(s, registry=tuple(lowest[tool] for tool in s.registry)) for s in calls]


def _with_one_shrunk(calls: list[Scenario], i: int, first: FirstCalls) -> list[Scenario]:
    def instead(scenario: Scenario) -> list[Scenario]:
        return [*calls[:i], scenario, *calls[i + 1 :]]

    return instead(shrunk(calls[i], lambda several: first([*map(instead, several)])))


def one_by_one(breaks: Callable[[T], bool]) -> Callable[[Sequence[T]], int | None]:
    """Ask of one scenario after the other."""
    return lambda several: next((i for i, one in enumerate(several) if breaks(one)), None)


def shrunk(scenario: Scenario, first: First) -> Scenario:
    """Give a scenario that breaks it too, from which nothing can be taken that is tried here."""
    if scenario.resolved is not None:
        plain = replace(scenario, registry=scenario.all_tools, resolved=None)
        scenario = plain if first([plain]) == 0 else scenario
    scenario = _with_least_tools(scenario, first)
    for step in (_emptier, _plainer):
        scenario = _as_far_as_it_goes(scenario, step, first)
    return scenario


def _on_the_same_tools(calls: list[Scenario], first: FirstCalls) -> list[Scenario]:
    """Shrink the tools of all calls alike, where all calls are on the same ones."""
    last = calls[-1]
    if len(calls) < 2 or any(
        (c.registry, c.resolved) != (last.registry, last.resolved) for c in calls
    ):
        return calls

    def alike(scenario: Scenario) -> list[Scenario]:
        return [replace(c, registry=scenario.registry, resolved=scenario.resolved) for c in calls]

    return alike(_with_least_tools(last, lambda several: first([*map(alike, several)])))


def _with_least_tools(scenario: Scenario, first: First) -> Scenario:
    scenario = _with_fewer_tools(scenario, first)
    scenario = _with_fewer_tools(scenario, first, unseen=True)
    scenario = _with_short_names(scenario, first)
    return _as_far_as_it_goes(scenario, _shorter, first)


def _with_fewer_tools(scenario: Scenario, first: First, unseen: bool = False) -> Scenario:
    """Take away half of the tools at a time, then a quarter, and in the end each one.

    `unseen`: of those that routing removed, instead of those that are shown.
    """
    places = _unseen if unseen else _seen
    chunk, asked = max(1, len(places(scenario)) // 2), 0
    while True:
        start = 0
        while (left := len(places(scenario))) > start and asked < _MOST:
            starts = range(start, left, chunk)[: max(1, _BATCH // len(scenario.registry))]
            fewer = [_without(scenario, places(scenario)[at : at + chunk]) for at in starts]
            asked += len(scenario.registry) * len(fewer)
            found = first(fewer)
            start = starts[-1] + chunk if found is None else starts[found]
            scenario = scenario if found is None else fewer[found]
        if chunk == 1:
            return scenario
        chunk //= 2


def _seen(scenario: Scenario) -> Sequence[int]:
    return range(len(scenario.registry)) if scenario.resolved is None else scenario.resolved


def _unseen(scenario: Scenario) -> Sequence[int]:
    seen = set(_seen(scenario))
    return [i for i in range(len(scenario.registry)) if i not in seen]


def _without(scenario: Scenario, out: Sequence[int]) -> Scenario:
    """Give the scenario without those tools of the registry; one that is seen may stay unseen."""
    gone, resolved = set(out), scenario.resolved
    if resolved is not None and gone <= set(resolved):
        return replace(scenario, resolved=tuple(i for i in resolved if i not in gone))
    left = [i for i in range(len(scenario.registry)) if i not in gone]
    registry = tuple(scenario.registry[i] for i in left)
    if resolved is not None:
        now_at = {was: now for now, was in enumerate(left)}
        resolved = tuple(now_at[i] for i in resolved)
    return replace(scenario, registry=registry, resolved=resolved)


def _as_far_as_it_goes(
    scenario: Scenario, step: Callable[[Scenario], Iterator[Scenario]], first: First
) -> Scenario:
    while (simpler := _first_simpler(step(scenario), first)) is not None:
        scenario = simpler
    return scenario


def _first_simpler(simpler: Iterator[Scenario], first: First) -> Scenario | None:
    while one := next(simpler, None):
        batch = [one, *islice(simpler, _BATCH // (len(one.registry) + 1))]
        if (found := first(batch)) is not None:
            return batch[found]
    return None


def _with_short_names(scenario: Scenario, first: First) -> Scenario:
    """Rename all tools at once: where they all can have one, each gets a name of its own.

    Otherwise what has a name of its own keeps one of its own.
    """
    apart = _told_apart(scenario)
    if apart != scenario and first([apart]) == 0:
        return apart
    short = _renamed(scenario, dict(zip(_long(scenario), _free(scenario), strict=False)))
    return short if short != scenario and first([short]) == 0 else scenario


def _told_apart(scenario: Scenario) -> Scenario:
    """Give the same without doubled names; short lists without them were all tried before."""
    names, registry = _free(scenario), scenario.registry
    plain = [tool.shape == "object" and type(tool.name) is str for tool in registry]
    if len(registry) <= len(NAMES) or not any(tool.twin for tool in registry):
        return scenario
    named = zip(registry, plain, strict=True)
    apart = (
        replace(tool, name=next(names), twin=0) if is_plain else tool for tool, is_plain in named
    )
    return replace(scenario, registry=tuple(apart))


def _free(scenario: Scenario) -> Iterator[str]:
    """Count in letters, a, b, …, z, aa, ab, …, without the names that are there."""
    taken = {tool.name for tool in scenario.registry}
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            if (name := "".join(letters)) not in taken:
                yield name


def _long(scenario: Scenario) -> list[str]:
    """Give the names of the suite's tools, once each, that could be shorter."""
    named = (tool.name for tool in scenario.registry if tool.shape == "object")
    names = (name for name in named if type(name) is str)
    enough = 1 if len(scenario.registry) <= len(ascii_lowercase) else 2
    return [name for name in dict.fromkeys(names) if name not in NAMES and len(name) > enough]


def _renamed(scenario: Scenario, names: Mapping[str, str]) -> Scenario:
    def renamed(tool: Tool) -> Tool:
        if tool.shape != "object" or type(tool.name) is not str or tool.name not in names:
            return tool
        return replace(tool, name=names[tool.name], twin=0)

    return replace(scenario, registry=tuple(map(renamed, scenario.registry)))


def _shorter(scenario: Scenario) -> Iterator[Scenario]:
    letters = next(_free(scenario))
    for name in _long(scenario):
        parts = _parts(name) if len(scenario.registry) < _FEW else ()
        for part in (letters, *parts):
            if len(part) < len(name):
                yield _renamed(scenario, {name: part})


def _parts(name: str) -> Iterator[str]:
    """Give what is left of a name without half of it, then a quarter, and in the end a letter."""
    chunk = len(name) // 2
    while chunk:
        yield from (name[:i] + name[i + chunk :] for i in range(0, len(name), chunk))
        chunk //= 2


def _emptier(scenario: Scenario) -> Iterator[Scenario]:
    if scenario.state:
        yield replace(scenario, state=EMPTY)
    for state in _less_a_key(scenario.state):
        yield replace(scenario, state=state)


def _less_a_key(state: Frozen) -> Iterator[Frozen]:
    for key, value in state.items():
        yield MappingProxyType({k: v for k, v in state.items() if k != key})
        if type(value) is MappingProxyType:
            for inner in _less_a_key(value):
                yield MappingProxyType({**state, key: inner})


def _plainer(scenario: Scenario) -> Iterator[Scenario]:
    if scenario.role != ACTION:
        yield replace(scenario, role=ACTION)
    if scenario.call != "position":
        yield replace(scenario, call="position")
