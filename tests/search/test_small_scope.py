"""The small scope is complete where it says so, and comes smallest first."""

from __future__ import annotations

from itertools import product

import pytest

from palettecheck.loading import TargetError
from palettecheck.plain import EMPTY, freeze
from palettecheck.scenario import Scenario, Tool
from palettecheck.search import small_scope as scope_module
from palettecheck.search.small_scope import LIMITS, SIZES, measure, small_scope
from palettecheck.search.vocabulary import NAMES, ROLES, UNKNOWN, gather, ill_typed, varied

SUITE = gather(None, None, 0)
SHOP = gather("gallery.worlds:SHOP", "gallery.worlds:TENANTS", 0)
MANY = gather("search.many:TOOLS", None, 0)
PLAIN = {Tool(name, twin=twin) for name in NAMES for twin in range(max(SIZES.values()))}


def well_typed(profile: str) -> list[Scenario]:
    """The well-typed calls with plain names and roles."""
    return [
        s
        for s in small_scope(SUITE, profile)
        if s.typing == "well-typed" and s.role in ROLES and set(s.registry) <= PLAIN
    ]


@pytest.mark.parametrize("words", [SUITE, SHOP, MANY], ids=["suite", "shop", "many"])
@pytest.mark.parametrize("profile", ["quick", "default"])
def test_what_is_measured_is_what_comes(words: object, profile: str) -> None:
    scenarios = list(small_scope(words, profile))  # type: ignore[arg-type]

    assert measure(words, profile).scenarios == len(scenarios)  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", ["quick", "default", "deep"])
def test_every_list_of_names_meets_every_role_and_state(profile: str) -> None:
    assert measure(SUITE, profile).complete == SIZES[profile]
    met = {
        (tuple(tool.name for tool in s.registry), s.role, s.state == EMPTY)
        for s in well_typed(profile)
        if s.resolved is None
    }
    for size in range(SIZES[profile] + 1):
        for names in product([tool.name for tool in SUITE.tools], repeat=size):
            assert {(names, role, e) for role in SUITE.roles for e in (True, False)} <= met


def test_fewer_tools_come_first() -> None:
    sizes = [len(s.registry) for s in well_typed("deep")]

    assert sizes == sorted(sizes)


def test_the_emptiest_state_comes_first() -> None:
    assert SHOP.states[0] == EMPTY
    assert [len(state) for state in SHOP.states[:3]] == [0, 1, 1]


def test_no_scenario_comes_twice() -> None:
    texts = [s.to_json() for s in small_scope(SUITE, "default")]

    assert len(texts) == len(set(texts))


def test_arguments_go_by_name_as_well() -> None:
    assert {s.call for s in well_typed("quick")} == {"position", "name"}


def test_routing_narrows_but_never_to_nothing() -> None:
    routed = [s for s in well_typed("default") if s.resolved is not None]

    assert any(len(s.all_tools) < len(s.registry) for s in routed)
    assert all(s.all_tools or not s.registry for s in routed)


def test_own_tools_come_as_twins_and_as_a_whole() -> None:
    scenarios = list(small_scope(SHOP, "default"))

    assert any(s.registry == SHOP.tools for s in scenarios)
    assert any(len(s.registry) == 2 and s.registry[1].twin for s in scenarios)


def test_a_scope_that_does_not_fit_says_how_far_it_is_complete() -> None:
    scope = measure(MANY, "default")

    assert scope.complete == 1
    assert scope.scenarios < LIMITS["default"] + 1_000
    assert any(len(s.registry) == 2 for s in small_scope(MANY, "default"))


def test_every_profile_has_a_size_and_a_limit() -> None:
    assert SIZES.keys() == LIMITS.keys()
    assert scope_module.__doc__


def test_states_vary_key_by_key() -> None:
    state = freeze({"tenant": "acme", "scope": {"user": "u1"}})

    assert [dict(v) for v in varied(state, {})] == [
        {"scope": {"user": "u1"}},
        {"tenant": None, "scope": {"user": "u1"}},
        {"tenant": UNKNOWN, "scope": {"user": "u1"}},
        {"tenant": "acme"},
        {"tenant": "acme", "scope": None},
        {"tenant": "acme", "scope": {}},
        {"tenant": "acme", "scope": {"user": None}},
        {"tenant": "acme", "scope": {"user": UNKNOWN}},
    ]


def test_a_key_takes_what_other_states_have_there() -> None:
    words = gather(None, "search.many:PLANS", 0)

    assert {"tenant": "globex", "plan": "paid"} in [dict(state) for state in words.states]


def test_resolved_tools_in_a_handed_over_state_is_left_to_the_suite() -> None:
    words = gather(None, "search.many:CAPTURED", 0)

    assert all("resolved_tools" not in state for state in words.states)


def test_states_that_are_handed_over_are_never_left_out() -> None:
    words = gather(None, "search.many:WIDE", 0)

    assert sum(state == {f"key_{i}": "v" for i in range(250)} for state in words.states) == 1
    assert "variants of the states were left out" in words.notes[0]


def test_equal_states_of_other_types_are_two() -> None:
    words = gather(None, "search.many:ONE_AND_TRUE", 0)

    assert [type(s["n"]) for s in words.states if s == {"n": 1}] == [int, bool]


def test_own_tools_come_in_every_order() -> None:
    pairs = {tuple(t.name for t in s.registry) for s in small_scope(SHOP, "default")}

    assert {("search", "quote"), ("quote", "search")} <= pairs


def test_ill_typed_states_have_a_type_that_the_key_never_has() -> None:
    state = freeze({"tenant": "acme", "count": 3, "list": ["x"]})

    for variant in ill_typed(state):
        changed = [key for key in state if variant[key] != state[key]]
        assert len(changed) == 1
        assert type(variant[changed[0]]) is not type(state[changed[0]])


@pytest.mark.parametrize(
    ("tools", "states", "message"),
    [
        ("samples:EMPTY", None, "'samples:EMPTY' has no tools in it"),
        ("samples:NAMES", None, "holds names: hand over the tools themselves"),
        (None, "samples:EMPTY", "'samples:EMPTY' has no states in it"),
        ("samples:A_NUMBER", None, "must be a list of tools or a Hypothesis strategy, and is a"),
        ("samples:FAILING_STRATEGY", None, "drawing from 'samples:FAILING_STRATEGY' raised Zero"),
        (
            None,
            "samples:NOT_STATES",
            "each state must be a dict with string keys, and one is a str",
        ),
        (None, "samples:absent", "the module has no 'absent'"),
    ],
)
def test_what_is_handed_over_wrongly_is_one_sentence(
    tools: str | None, states: str | None, message: str
) -> None:
    with pytest.raises(TargetError) as caught:
        gather(tools, states, 0)

    assert message in str(caught.value)


def test_strategies_are_drawn_with_the_seed() -> None:
    once, again = (gather(None, "samples:STATE_STRATEGY", 3).states for _ in range(2))

    assert once == again
    assert {"tenant": "globex"} in [dict(state) for state in once]


def test_drawn_tools_are_marked() -> None:
    words = gather("samples:TOOL_STRATEGY", None, 0)

    assert all(tool.drawn for tool in words.tools)
    assert all(tool.source == "samples:TOOL_STRATEGY" for tool in words.tools)


def test_the_same_tool_twice_in_a_list_is_one() -> None:
    words = gather("search.many:REPEATED", None, 0)

    assert words.tools == (
        Tool("a", "own", source="search.many:REPEATED", index=0),
        Tool("b", "own", source="search.many:REPEATED", index=2),
    )
