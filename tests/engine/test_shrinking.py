"""A breach is shrunk to what it takes: no tool, no key and no oddity more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from palettecheck.engine.shrinking import one_by_one, shrunk, shrunk_calls
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import ODD_TOOLS
from palettecheck.strategies import scenarios

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


def least(scenario: Scenario, breaks: Callable[[Scenario], bool]) -> Scenario:
    return shrunk(scenario, one_by_one(breaks))


def test_what_does_not_matter_goes() -> None:
    assert least(LARGE, lambda scenario: True) == Scenario()


@given(scenarios(), st.sampled_from(ODD_TOOLS))
def test_whatever_is_shrunk_comes_to_an_end(scenario: Scenario, odd: Tool) -> None:
    with_odd = replace(scenario, registry=(*scenario.registry[:8], odd), resolved=None)

    assert least(with_odd, lambda s: odd in s.registry) == Scenario((odd,))


@given(st.sets(st.sampled_from(NAMES[1:]), max_size=5))
def test_only_the_tools_that_matter_stay(names: set[str]) -> None:
    assert {tool.name for tool in least(LARGE, has(*names)).registry} == names


@pytest.mark.parametrize("count", [1, 2, 21, 64, 98])
def test_a_number_of_tools_shrinks_to_the_least_number(count: int) -> None:
    smaller = least(LARGE, lambda scenario: len(scenario.all_tools) >= count)

    assert len(smaller.registry) == count
    assert smaller.resolved is None
    assert {len(tool.name) for tool in smaller.registry if tool.name} <= {1, 2}


@pytest.mark.parametrize(
    ("names", "breaks", "expected"),
    [
        (["x" * 300], lambda name: len(name) > 64, ["x" * 65]),
        (["tool\u200b"], lambda name: "\u200b" in name, ["\u200b"]),
        (["Søk i alt"], lambda name: not name.isascii(), ["ø"]),
        (["", "tool_1"], lambda name: name == "", [""]),
        (["tool_1", "search", "tool_2"], lambda name: name == "tool_2", ["tool_2"]),
    ],
)
def test_names_shrink_to_what_matters_in_them(
    names: list[str], breaks: Callable[[str], bool], expected: list[str]
) -> None:
    scenario = Scenario(tuple(map(Tool, names)))

    smaller = least(scenario, lambda s: any(breaks(str(tool.name)) for tool in s.all_tools))

    assert [tool.name for tool in smaller.registry] == expected


def test_a_doubled_name_stays_doubled_where_it_matters() -> None:
    scenario = Scenario((Tool("tool_1"), Tool("tool_2"), Tool("tool_1")))

    smaller = least(scenario, lambda s: len({t.name for t in s.all_tools}) < len(s.all_tools))

    assert smaller == Scenario((Tool("a"), Tool("a")))


def test_a_long_list_is_told_apart_where_its_doubled_names_do_not_matter() -> None:
    scenario = Scenario(tuple(Tool("search") for _ in range(30)))

    smaller = least(scenario, lambda s: len(s.all_tools) >= 5)

    assert [tool.name for tool in smaller.registry] == ["a", "b", "c", "d", "e"]


def test_what_breaks_is_found_whatever_the_batches() -> None:
    asked: list[int] = []

    def first(several: Sequence[Scenario]) -> int | None:
        asked.append(len(several))
        return one_by_one(has("tool_7", "tool_60"))(several)

    assert {tool.name for tool in shrunk(LARGE, first).registry} == {"tool_7", "tool_60"}
    assert max(asked) > 10


def test_only_the_keys_that_matter_stay() -> None:
    smaller = least(LARGE, lambda s: s.state.get("scope", {}).get("plan") == "paid")

    assert smaller == Scenario(state={"scope": {"plan": "paid"}})


def test_routing_a_role_and_a_way_of_calling_stay_where_they_matter() -> None:
    smaller = least(
        LARGE, lambda s: s.resolved is not None and s.role == "critic" and s.call == "name"
    )

    assert smaller == Scenario((), (), "critic", {}, "name")


def test_of_the_tools_that_routing_removed_those_stay_that_matter() -> None:
    smaller = least(
        LARGE,
        lambda s: has("tool_3")(s) and any(tool.name == "tool_0" for tool in s.registry),
    )

    assert [tool.name for tool in smaller.registry] == ["tool_0", "tool_3"]


def test_calls_that_only_break_together_are_shrunk_together() -> None:
    def same_tenant_and_role(calls: list[Scenario]) -> bool:
        first, last = calls
        alike = (first.state, first.role) == (last.state, last.role)
        return alike and has("tool_3")(first) and not has("tool_3")(last)

    without = LARGE.cut([i for i in range(99) if i != 2])

    assert shrunk_calls([LARGE, without], one_by_one(same_tenant_and_role)) == [
        Scenario((Tool("tool_3"),)),
        Scenario(),
    ]


def test_twins_that_are_left_are_numbered_anew() -> None:
    search, copied = Tool("search", twin=4), Tool("fetch", "own", source="shop:TOOLS", twin=1)
    first = Scenario((search, copied, Tool("search", twin=2)))

    def breaks(calls: list[Scenario]) -> bool:
        return [len(call.registry) for call in calls] == [3, 1]

    assert shrunk_calls([first, Scenario((search,))], one_by_one(breaks)) == [
        Scenario((Tool("search"), Tool("fetch", "own", source="shop:TOOLS"), Tool("search"))),
        Scenario((Tool("search"),)),
    ]


def test_a_copy_stays_one_where_the_original_does_not_break_it() -> None:
    copied = Tool("fetch", "own", source="shop:TOOLS", twin=1)

    def breaks(calls: list[Scenario]) -> bool:
        return calls[0].registry == (copied,)

    assert shrunk_calls([Scenario((copied,))], one_by_one(breaks)) == [Scenario((copied,))]
