"""Hypothesis strategies for what a resolver is called with.

    tools() -> tuple[Tool, ...]      states() -> dict      scenarios() -> Scenario

All arguments are keyword-only, and are strategies themselves. What is drawn is well-typed, so a
resolver must keep every MUST rule on it, unless an argument draws something that is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from palette_reference import ACTION
from palettecheck.scenario import RESOLVED, Scenario, Tool
from palettecheck.search.vocabulary import NAMES, ODD_NAMES, ODD_ROLES, ROLES, UNKNOWN

T = TypeVar("T")

_SIZES = (0, 1, 2, 3, 4, 5, 8, 13, 64, 257, 1_000, 10_000)
_KEY = 1 << 63  # enough for every order of twenty tools
_MASK = 1 << 16
_STATE_KEYS = ("tenant_id", "user_id", "conversation_id", "plan")
_VALUES = ("acme", "globex", "free", "pro", UNKNOWN)

_TEXT = st.text(max_size=12)
# Most of what is drawn has to be what a policy may know, or it only ever abstains.
_NAMES = st.sampled_from((*NAMES * 9, *ODD_NAMES)) | _TEXT
_KEYS = st.sampled_from(_STATE_KEYS)
_SCALARS = st.none() | st.sampled_from(_VALUES) | _TEXT
_ROLES = st.sampled_from((*(ACTION,) * 9, *ROLES, *ODD_ROLES)) | _TEXT


def tools(
    *, names: SearchStrategy[str] = _NAMES, max_size: int = 64
) -> SearchStrategy[tuple[Tool, ...]]:
    """Give a strategy of tuples of recipes, for tools of the suite's own.

    `names`: of the tools; by default a few plain ones, Unicode, empty and very long ones. Some
    tuples have one name twice. `max_size`: how many tools at most; raises `ValueError` below 0.
    """
    some = st.lists(names, min_size=1, max_size=4)
    return st.builds(_named, some, sizes(max_size), st.integers(0, _KEY))


def sizes(max_size: int) -> SearchStrategy[int]:
    """Give a strategy of sizes up to `max_size`, the small ones often."""
    if max_size < 0:
        raise ValueError(f"max_size is {max_size}: it must not be negative")
    return st.sampled_from([size for size in _SIZES if size < max_size] + [max_size])


def _named(names: list[str], size: int, key: int) -> tuple[Tool, ...]:
    """Spell `key` in `names`; where it is used up, each name gets a number."""
    chosen = []
    for i in range(size):
        key, digit = divmod(key, len(names))
        used_up = key == 0 and i >= len(names)
        chosen.append(Tool(f"{names[digit]}-{i}" if used_up else names[digit]))
    return tuple(chosen)


def states(
    *, keys: SearchStrategy[str] = _KEYS, values: SearchStrategy[Any] = _SCALARS
) -> SearchStrategy[dict[str, Any]]:
    """Give a strategy of plain dicts, each one new.

    `keys`: of the state, and of a dict within it, at `scope`, that some states have. `values`: at
    those keys; by default `None`, strings that policies often know, and others.
    """
    flat = st.dictionaries(keys, values, max_size=2)
    return st.builds(_nested, flat, st.none() | flat, st.booleans())


def _nested(flat: dict[str, Any], scope: dict[str, Any] | None, has_scope: bool) -> dict[str, Any]:
    return {**flat, "scope": scope} if has_scope else flat


_TOOLS = tools()
_STATES = states()


def scenarios(
    *,
    tools: SearchStrategy[tuple[Tool, ...]] = _TOOLS,
    states: SearchStrategy[dict[str, Any]] = _STATES,
    roles: SearchStrategy[str] = _ROLES,
) -> SearchStrategy[Scenario]:
    """Give a strategy of `Scenario`, each a well-typed call.

    `tools`: the registry, of which intent routing sometimes keeps a part, in order. `states`: what
    they hold for `resolved_tools` is left out, since routing decides that. `roles`: by default the
    framework's, unmapped ones, and odd strings.
    """
    masks = st.none() | st.integers(0, _MASK - 1)
    return st.builds(_scenario, tools, masks, roles, states, st.booleans())


def _scenario(
    registry: tuple[Tool, ...], mask: int | None, role: str, state: dict[str, Any], by_name: bool
) -> Scenario:
    state = {key: value for key, value in state.items() if key != RESOLVED}
    routed = None if mask is None else unmasked(len(registry), mask)
    return Scenario(registry, routed, role, state, "name" if by_name else "position")


def unmasked(size: int, mask: int) -> tuple[int, ...]:
    """Give the positions below `size` that `mask`, read again and again, does not take away."""
    return tuple(i for i in range(size) if not mask >> (i % _MASK.bit_length()) & 1)


def arrangements(items: Sequence[T], max_size: int) -> SearchStrategy[tuple[T, ...]]:
    """Give a strategy of some of `items`, each at most once, in any order."""
    some = sizes(min(max_size, len(items)))
    return st.builds(lambda size, key: _arranged(items, size, key), some, st.integers(0, _KEY))


def _arranged(items: Sequence[T], size: int, key: int) -> tuple[T, ...]:
    left, chosen = list(items), []
    for _ in range(size):
        key, which = divmod(key, len(left))
        chosen.append(left.pop(which))
    return tuple(chosen)
