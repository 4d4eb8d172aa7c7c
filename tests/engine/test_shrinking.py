"""A breach is shrunk to what it takes: no tool, no key and no oddity more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palettecheck.engine.shrinking import shrunk, shrunk_calls
from palettecheck.scenario import Scenario, Tool

NAMES = [f"tool_{i}" for i in range(100)]
LARGE = Scenario(
    tuple(map(Tool, NAMES)),
    tuple(range(1, 100)),
    "critic",
    {"tenant": "acme", "scope": {"plan": "paid", "user": "u1"}},
    "name",
)


def has(*names: str) -> Callable[[Scenario], bool]:
    return lambda scenario: set(names) <= {tool.name for tool in scenario.all_tools}


def test_what_does_not_matter_goes() -> None:
    assert shrunk(LARGE, lambda scenario: True) == Scenario()


@given(st.sets(st.sampled_from(NAMES[1:]), max_size=5))
def test_only_the_tools_that_matter_stay(names: set[str]) -> None:
    assert {tool.name for tool in shrunk(LARGE, has(*names)).registry} == names


@pytest.mark.parametrize("least", [1, 2, 21, 64, 98])
def test_a_number_of_tools_shrinks_to_the_least_number(least: int) -> None:
    smaller = shrunk(LARGE, lambda scenario: len(scenario.all_tools) >= least)

    assert len(smaller.registry) == least
    assert smaller.resolved is None


def test_only_the_keys_that_matter_stay() -> None:
    smaller = shrunk(LARGE, lambda s: s.state.get("scope", {}).get("plan") == "paid")

    assert smaller == Scenario(state={"scope": {"plan": "paid"}})


def test_routing_a_role_and_a_way_of_calling_stay_where_they_matter() -> None:
    smaller = shrunk(
        LARGE, lambda s: s.resolved is not None and s.role == "critic" and s.call == "name"
    )

    assert smaller == Scenario(LARGE.registry, (), "critic", {}, "name")


def test_calls_that_only_break_together_are_shrunk_together() -> None:
    def same_tenant_and_role(calls: list[Scenario]) -> bool:
        first, last = calls
        alike = (first.state, first.role) == (last.state, last.role)
        return alike and has("tool_3")(first) and not has("tool_3")(last)

    without = LARGE.cut([i for i in range(99) if i != 2])

    assert shrunk_calls([LARGE, without], same_tenant_and_role) == [
        Scenario((Tool("tool_3"),)),
        Scenario(),
    ]


def test_twins_that_are_left_are_numbered_anew() -> None:
    search, copied = Tool("search", twin=4), Tool("fetch", "own", source="shop:TOOLS", twin=1)
    first = Scenario((search, copied, Tool("search", twin=2)))

    def breaks(calls: list[Scenario]) -> bool:
        return [len(call.registry) for call in calls] == [3, 1]

    assert shrunk_calls([first, Scenario((search,))], breaks) == [
        Scenario((Tool("search"), Tool("fetch", "own", source="shop:TOOLS"), Tool("search"))),
        Scenario((Tool("search"),)),
    ]


def test_a_copy_stays_one_where_the_original_does_not_break_it() -> None:
    copied = Tool("fetch", "own", source="shop:TOOLS", twin=1)

    assert shrunk_calls([Scenario((copied,))], lambda calls: calls[0].registry == (copied,)) == [
        Scenario((copied,))
    ]
