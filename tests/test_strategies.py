"""The public strategies draw what they say, and what is drawn shrinks and stays well-typed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from palette_reference import ACTION
from palettecheck import Scenario, Tool, strategies
from palettecheck.scenario import RESOLVED
from palettecheck.shelf import Shelf


@given(strategies.tools())
def test_tools_are_named_objects(drawn: tuple[Tool, ...]) -> None:
    assert len(drawn) <= 64
    assert all(tool.shape == "object" and isinstance(tool.name, str) for tool in drawn)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda drawn: any(tool.name == "" for tool in drawn),
        lambda drawn: any(len(str(tool.name)) > 200 for tool in drawn),
        lambda drawn: any(not str(tool.name).isascii() for tool in drawn),
        lambda drawn: len({tool.name for tool in drawn}) < len(drawn),
        lambda drawn: len(drawn) == 64,
    ],
    ids=["empty", "long", "unicode", "doubled", "many"],
)
def test_tools_have_names_of_every_kind(wanted: Any) -> None:
    find(strategies.tools(), wanted)


def test_tools_are_as_many_as_asked_for() -> None:
    sizes = strategies.tools(max_size=1_000).map(len)

    assert find(sizes, lambda size: size > 257) == 1_000
    with pytest.raises(ValueError, match="negative"):
        strategies.tools(max_size=-1)


@given(strategies.tools(names=st.just("only"), max_size=1))
def test_names_are_those_handed_over(drawn: tuple[Tool, ...]) -> None:
    assert {tool.name for tool in drawn} <= {"only"}


@pytest.mark.parametrize(
    "wanted",
    [
        lambda state: state == {},
        lambda state: None in state.values(),
        lambda state: state.get("tenant_id") == "acme",
        lambda state: isinstance(state.get("scope"), dict) and state["scope"],
    ],
    ids=["missing", "none", "known", "nested"],
)
def test_states_have_values_of_every_kind(wanted: Any) -> None:
    find(strategies.states(), wanted)


@given(strategies.states(keys=st.just("k"), values=st.just("v")))
def test_keys_and_values_are_those_handed_over(state: dict[str, Any]) -> None:
    state.pop("scope", None)

    assert state in ({}, {"k": "v"})


@given(strategies.scenarios())
def test_scenarios_are_well_typed(scenario: Scenario) -> None:
    inputs = scenario.build(Shelf())

    assert scenario.typing == "well-typed"
    assert len({*map(id, inputs.tools)}) == len(inputs.tools)
    assert (RESOLVED in inputs.state) == (scenario.resolved is not None)
    assert list(scenario.resolved or ()) == sorted(scenario.resolved or ())
    assert Scenario.from_json(scenario.to_json()) == scenario


def test_the_least_scenario_is_an_empty_call() -> None:
    assert find(strategies.scenarios(), lambda scenario: True) == Scenario(role=ACTION)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda scenario: 0 < len(scenario.all_tools) < len(scenario.registry),
        lambda scenario: scenario.role.strip() == "",
        lambda scenario: scenario.call == "name",
    ],
    ids=["routed", "odd role", "by name"],
)
def test_scenarios_are_of_every_kind(wanted: Any) -> None:
    find(strategies.scenarios(), wanted)


@given(strategies.scenarios(states=st.just({RESOLVED: ["x"], "a": 1})))
def test_routing_alone_decides_what_was_resolved(scenario: Scenario) -> None:
    assert dict(scenario.state) == {"a": 1}


@given(strategies.arrangements("abc", 2))
def test_an_arrangement_has_each_item_at_most_once(drawn: tuple[str, ...]) -> None:
    assert len(set(drawn)) == len(drawn) <= 2
