"""The least scenarios that still break a rule: fewest tools, then emptiest state, plainest call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from types import MappingProxyType

from msgspec.structs import replace

from palette_reference import ACTION
from palettecheck.plain import EMPTY, Frozen
from palettecheck.scenario import Scenario, Tool

_SHRUNK = 4  # calls, the last ones, that are shrunk


def shrunk_calls(calls: list[Scenario], breaks: Callable[[list[Scenario]], bool]) -> list[Scenario]:
    """Shrink all calls alike, then the last one, and then those before it, the latest first."""
    for simpler in ({"role": ACTION}, {"state": EMPTY}):
        alike = [replace(scenario, **simpler) for scenario in calls]
        if len(calls) > 1 and alike != calls and breaks(alike):
            calls = alike
    for i in reversed(range(max(0, len(calls) - _SHRUNK), len(calls))):
        calls = _with_one_shrunk(calls, i, breaks)
    fewer = _with_lowest_twins(calls)
    return fewer if fewer != calls and breaks(fewer) else calls


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


def _with_one_shrunk(
    calls: list[Scenario], i: int, breaks: Callable[[list[Scenario]], bool]
) -> list[Scenario]:
    def instead(scenario: Scenario) -> list[Scenario]:
        return [*calls[:i], scenario, *calls[i + 1 :]]

    return instead(shrunk(calls[i], lambda scenario: breaks(instead(scenario))))


def shrunk(scenario: Scenario, breaks: Callable[[Scenario], bool]) -> Scenario:
    """Give a scenario that `breaks` too, from which nothing can be taken that is tried here."""
    routed = scenario.resolved is not None
    if routed and breaks(plain := replace(scenario, registry=scenario.all_tools, resolved=None)):
        scenario = plain
    scenario = _with_fewer_tools(scenario, breaks)
    for step in (_emptier, _plainer):
        scenario = _as_far_as_it_goes(scenario, step, breaks)
    return scenario


def _with_fewer_tools(scenario: Scenario, breaks: Callable[[Scenario], bool]) -> Scenario:
    """Take away half of the tools at a time, then a quarter, and in the end each one."""
    chunk = max(1, len(scenario.all_tools) // 2)
    while True:
        start = 0
        while start < len(scenario.all_tools):
            positions = range(len(scenario.all_tools))
            fewer = scenario.cut([*positions[:start], *positions[start + chunk :]])
            if breaks(fewer):
                scenario = fewer
            else:
                start += chunk
        if chunk == 1:
            return scenario
        chunk //= 2


def _as_far_as_it_goes(
    scenario: Scenario,
    step: Callable[[Scenario], Iterator[Scenario]],
    breaks: Callable[[Scenario], bool],
) -> Scenario:
    while (simpler := next(filter(breaks, step(scenario)), None)) is not None:
        scenario = simpler
    return scenario


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
