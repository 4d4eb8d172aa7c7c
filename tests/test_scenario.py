"""A scenario is a recipe: immutable, printable, JSON both ways, and built into live objects."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from palettecheck.loading import TargetError
from palettecheck.plain import freeze
from palettecheck.scenario import Scenario, Tool
from palettecheck.shelf import Change, Shelf, name_of

SEARCH, FETCH = Tool("search"), Tool("fetch")
PROVIDER = Tool(shape="dict", spec='{"type": "web_search"}')
SCENARIOS = [
    Scenario(),
    Scenario((SEARCH, SEARCH, FETCH), (0, 2), "default", {"tenant": "acme", "$x": [1, {}]}),
    Scenario((Tool(shape="nameless"), Tool(7), Tool(("search",)), PROVIDER), typing="odd tools"),
    Scenario((Tool("search", "own", source="shop:ALL", index=3, twin=1),), call="name"),
    Scenario(role="\x1b[31m", state={"deep": {"a": None}}, typing="odd state"),
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_goes_through_json(scenario: Scenario) -> None:
    again = Scenario.from_json(scenario.to_json())

    assert again == scenario
    assert again.to_json() == scenario.to_json()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_is_printed_on_one_printable_line(scenario: Scenario) -> None:
    assert scenario.words().isprintable()
    assert scenario.words().startswith("resolve(")


def test_a_scenario_cannot_be_changed() -> None:
    scenario = Scenario((SEARCH,), state={"a": {"b": 1}})

    with pytest.raises(AttributeError):
        scenario.role = "default"  # type: ignore[misc]
    with pytest.raises(TypeError):
        scenario.state["a"]["b"] = 2


def test_the_words_name_what_goes_in() -> None:
    scenario = Scenario((SEARCH, FETCH), (0,), state={"tenant": "acme"}, call="name")

    assert scenario.words() == (
        "resolve(state={'tenant': 'acme', 'resolved_tools': all_tools}, role='action', "
        "all_tools=[search]), routed from [search, fetch]"
    )


def test_tools_of_one_name_are_told_apart() -> None:
    scenario = Scenario((SEARCH, FETCH, SEARCH))

    assert scenario.labels() == ("search#1", "fetch", "search#2")
    assert Scenario(scenario.registry[::-1]).labels() == ("search#2", "fetch", "search#1")
    assert Scenario(scenario.registry[2:]).labels() == ("search#2",)


def test_routing_keeps_the_labels_of_the_registry() -> None:
    assert Scenario((SEARCH, SEARCH), (1,)).shown_labels() == ("search#2",)


def test_a_long_list_and_a_long_name_are_cut_in_words() -> None:
    words = Scenario(tuple(Tool("x" * 10_000) for _ in range(100))).words()

    assert len(words) < 2_000


def test_building_gives_new_lists_and_states_and_the_same_tools() -> None:
    scenario, shelf = Scenario((SEARCH, SEARCH, FETCH), state={"a": {}}), Shelf()
    first, second = scenario.build(shelf), scenario.build(shelf)

    assert first.state == second.state
    assert first.state is not second.state
    assert first.state["a"] is not second.state["a"]
    assert first.all_tools is not second.all_tools
    assert [id(tool) for tool in first.tools] == [id(tool) for tool in second.tools]
    assert len({id(tool) for tool in first.tools}) == 3


def test_the_suites_own_tools_are_unhashable_and_equal_by_value() -> None:
    one, two = Scenario((SEARCH, SEARCH)).build(Shelf()).tools

    assert one == two
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_resolved_tools_is_all_tools() -> None:
    inputs = Scenario((SEARCH, FETCH), (1,)).build(Shelf())

    assert inputs.state["resolved_tools"] is inputs.all_tools
    assert [tool.name for tool in inputs.all_tools] == ["fetch"]
    assert len(inputs.registry) == 2


def test_another_shelf_has_other_instances() -> None:
    scenario = Scenario((SEARCH,))

    assert scenario.build(Shelf()).tools[0] is not scenario.build(Shelf()).tools[0]


def test_own_tools_are_the_adopters_and_a_twin_is_an_equal_copy() -> None:
    own = [SimpleNamespace(name="quote")]
    quote = Tool("quote", "own", source="shop:ALL")
    twin = Tool("quote", "own", source="shop:ALL", twin=1)

    tools = Scenario((quote, twin)).build(Shelf(own)).tools

    assert tools[0] is own[0]
    assert tools[1] is not own[0]
    assert tools[1] == own[0]


def test_own_tools_are_found_by_their_name_in_another_process() -> None:
    recipe = Tool("search", "own", source="gallery.worlds:SHOP", index=1)

    assert Scenario((recipe,)).build(Shelf()).tools[0].name == "quote"


def test_what_was_drawn_is_not_portable() -> None:
    drawn = Scenario((Tool("search", "own", source="shop:STRATEGY", drawn=True),))

    assert not drawn.portable
    assert Scenario((SEARCH,), state={"a": [1]}).portable
    assert not Scenario(state={"a": object()}).portable
    assert Scenario(state=freeze({"a": object()}, "shop:STATES", (0,))).portable
    with pytest.raises(TargetError, match="drawn in another process"):
        drawn.build(Shelf())


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("name", "x"), ("description", "x"), ("tags", ["x"]), ("metadata", {}), ("args_schema", int)],
)
def test_a_change_to_a_tool_is_seen(attribute: str, value: Any) -> None:
    own = [SimpleNamespace(name="a"), SimpleNamespace(name="b", metadata={"x": 1})]
    shelf = Shelf(own)
    tools = Scenario(tuple(Tool(source="s", shape="own", index=i) for i in range(2))).build(shelf)

    assert shelf.changed(tools.tools, "afterwards") is None
    setattr(own[1], attribute, value)

    changed = shelf.changed(tools.tools, "afterwards")
    assert changed is not None
    assert changed.position == 1
    assert changed.words.startswith(f"tools[1].{attribute}")


def test_a_change_inside_a_provider_tool_is_seen() -> None:
    shelf = Shelf()
    tools = Scenario((PROVIDER,)).build(shelf).tools
    tools[0]["type"] = "other"

    words = "tools[0]['type']: 'web_search' became 'other'"
    assert shelf.changed(tools, "afterwards") == Change(words, "afterwards", "tools[0]['type']")


class Str(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = str.__hash__


class Raising:
    @property
    def name(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (SimpleNamespace(name="a"), "a"),
        (SimpleNamespace(name=Str("a")), "a"),
        (SimpleNamespace(name=7), None),
        ({"name": "a"}, "a"),
        ({"type": "a"}, None),
        (Raising(), None),
        ("a", None),
    ],
)
def test_the_name_of_anything(tool: Any, expected: str | None) -> None:
    name = name_of(tool)

    assert name == expected
    assert type(name) in (str, type(None))
