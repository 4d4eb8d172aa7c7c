"""Plain data freezes by value, everything else is carried along, and changes are found."""

from __future__ import annotations

import json
from collections import Counter, deque
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palettecheck.loading import TargetError
from palettecheck.plain import Opaque, difference, freeze, from_json, thaw, to_json

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
plain = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)
states = st.dictionaries(st.text(), plain)


@given(states)
def test_what_is_frozen_thaws_to_an_equal_new_object(state: dict[str, Any]) -> None:
    thawed = thaw(freeze(state))

    assert thawed == state
    assert thawed is not state


@given(states)
def test_nothing_differs_from_its_own_frozen_form(state: dict[str, Any]) -> None:
    assert difference(freeze(state), state, "state") is None


@given(states)
def test_frozen_data_goes_through_json(state: dict[str, Any]) -> None:
    text = json.dumps(to_json(freeze(state)))

    assert difference(from_json(json.loads(text)), state, "state") is None


def test_frozen_data_cannot_be_changed_from_outside() -> None:
    state = {"scope": {"user": "u1"}, "messages": ["a"]}
    frozen = freeze(state)

    state["scope"]["user"] = "u2"  # type: ignore[index]
    state["messages"].append("b")  # type: ignore[attr-defined]

    assert thaw(frozen) == {"scope": {"user": "u1"}, "messages": ["a"]}
    with pytest.raises(TypeError):
        frozen["scope"] = {}


def _set(state: dict[str, Any]) -> None:
    state["a"] = 2


def _same_value_of_another_type(state: dict[str, Any]) -> None:
    state["a"] = True


def _add(state: dict[str, Any]) -> None:
    state["new\x1b"] = 1


def _remove(state: dict[str, Any]) -> None:
    del state["a"]


def _append(state: dict[str, Any]) -> None:
    state["list"].append(1)


def _nested(state: dict[str, Any]) -> None:
    state["deep"][0]["x"] = None


def _attribute(state: dict[str, Any]) -> None:
    state["object"].user = "u2"


def _inside_attribute(state: dict[str, Any]) -> None:
    state["object"].roles.append("admin")


def _attribute_removed(state: dict[str, Any]) -> None:
    del state["object"].user


def _set_member(state: dict[str, Any]) -> None:
    state["set"].add("b")


def _inside_tuple(state: dict[str, Any]) -> None:
    state["tuple"][0].append(1)


def _replaced(state: dict[str, Any]) -> None:
    state["object"] = SimpleNamespace(user="u1", roles=[])


def _counter(state: dict[str, Any]) -> None:
    state["counter"]["a"] += 1


def _odd_key(state: dict[str, Any]) -> None:
    state["odd keys"][1] = "y"


def _deque(state: dict[str, Any]) -> None:
    state["deque"].append(1)


def _list_subclass(state: dict[str, Any]) -> None:
    list.append(state["list subclass"], 1)


def _named_tuple(state: dict[str, Any]) -> None:
    state["named tuple"].items.append(1)


class Listed(list[Any]):
    def __iter__(self) -> Any:
        raise RuntimeError


class Pair(NamedTuple):
    items: list[int]


@pytest.mark.parametrize(
    ("change", "words", "place"),
    [
        (_set, "state['a']: 1 became 2", "state['a']"),
        (_same_value_of_another_type, "state['a']: 1 became True", "state['a']"),
        (_add, "state['new\\x1b'] was added", "state"),
        (_remove, "state['a'] was removed", "state"),
        (_append, "state['list']: 0 items became 1", "state['list']"),
        (_nested, "state['deep'][0]['x']: 1 became None", "state['deep'][0]['x']"),
        (_attribute, "state['object'].user changed", "vars(state['object'])"),
        (_inside_attribute, "state['object'].roles changed", "vars(state['object'])"),
        (_attribute_removed, "state['object'].user changed", "vars(state['object'])"),
        (_set_member, "state['set']: its content changed", "state['set']"),
        (_inside_tuple, "state['tuple']: its content changed", "state['tuple']"),
        (_counter, "state['counter']: its content changed", "state['counter']"),
        (_odd_key, "state['odd keys']: its content changed", "state['odd keys']"),
        (_deque, "state['deque']: its content changed", "state['deque']"),
        (_list_subclass, "state['list subclass']: its content changed", "state['list subclass']"),
        (_named_tuple, "state['named tuple']: its content changed", "state['named tuple']"),
    ],
)
def test_a_change_is_found_and_named(change: Any, words: str, place: str) -> None:
    state: dict[str, Any] = {
        "a": 1,
        "list": [],
        "deep": [{"x": 1}],
        "object": SimpleNamespace(user="u1", roles=[]),
        "set": {"a"},
        "tuple": ([],),
        "counter": Counter("a"),
        "odd keys": {1: "x"},
        "deque": deque(),
        "list subclass": Listed(),
        "named tuple": Pair([]),
    }
    frozen = freeze(state)
    assert difference(frozen, state, "state") is None

    change(state)

    assert difference(frozen, state, "state") == (words, place)


def test_an_equal_object_in_the_place_of_another_is_a_change() -> None:
    state: dict[str, Any] = {"object": SimpleNamespace(user="u1", roles=[])}
    frozen = freeze(state)
    _replaced(state)

    found = difference(frozen, state, "state")
    assert found is not None
    assert "became" in found.words


def test_a_cache_that_an_object_adds_to_itself_is_no_change() -> None:
    state = {"object": SimpleNamespace(user="u1")}
    frozen = freeze(state)
    state["object"].cached = 1

    assert difference(frozen, state, "state") is None


def test_data_that_contains_itself_freezes() -> None:
    state: dict[str, Any] = {}
    state["self"] = state

    assert isinstance(freeze(state)["self"], Opaque)


def test_an_opaque_value_is_carried_along() -> None:
    value = object()

    assert thaw(freeze({"x": value}))["x"] is value


def test_an_opaque_value_without_a_source_is_not_portable() -> None:
    frozen = from_json(json.loads(json.dumps(to_json(freeze({"x": {1, 2}})))))

    with pytest.raises(TargetError, match="drawn in another process"):
        thaw(frozen)
