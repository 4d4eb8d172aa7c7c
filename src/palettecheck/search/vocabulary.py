"""What scenarios are built from: tools, roles and states, the adopter's where handed over.

A handed-over name gives a list, or a Hypothesis strategy that is drawn from. States are varied:
each key taken away, set to `None`, to a string that nobody knows, and to a value of a wrong type.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from msgspec import structs

from palette_reference import ACTION, DEFAULT
from palettecheck.loading import TargetError, find
from palettecheck.plain import EMPTY, Frozen, Path, freeze, same
from palettecheck.scenario import RESOLVED, Tool, Typing
from palettecheck.shelf import CONTENT, name_of
from palettecheck.shown import error_text, is_plain, quoted, type_name, with_article

ROLES = (ACTION, DEFAULT, "unmapped")
NAMES = ("search", "fetch", "delete")
ODD_NAMES = ("", " ", "Search", "søk", "検索", "e\u0301", "\u00e9", "search\u200b", "x" * 300)
ODD_ROLES = ("", " ", "Action", "action\n", "rôle", "x" * 300)
UNKNOWN = "unknown-7f3a"
DEFAULT_STATES: tuple[dict[str, Any], ...] = (
    {"tenant_id": "acme"},
    {"tenant_id": None},
    {"tenant_id": UNKNOWN},
    {"messages": [], "tenant_id": "acme", "scope": {"user_id": "u1"}},
)
_DRAWN = 50
_TWINS = 50
_MOST_STATES = 200

ODD_TOOLS = (
    Tool(shape="nameless"),
    Tool(name=None),
    Tool(name=7),
    Tool(name=("search",)),
    Tool(shape="dict", spec='{"type": "web_search"}'),
    Tool(shape="dict", spec='{"name": "search", "input_schema": {"type": "object"}}'),
    Tool(shape="dict", spec='{"type": "function", "function": {"name": "search"}}'),
)


@dataclass(frozen=True, eq=False)  # Hypothesis would hash it, and the adopter's tools with it
class Vocabulary:
    """The parts of scenarios. `own`: the live tools behind the recipes in `tools`, if any.

    `registries`: longer lists to try whole. `own_states`: the states are the adopter's, too.
    `typing`: of every call with these tools. `notes`: what a reader should know of it.
    """

    tools: tuple[Tool, ...]
    twins: tuple[tuple[Tool, Tool], ...] = ()
    registries: tuple[tuple[Tool, ...], ...] = ()
    own: tuple[Any, ...] = ()
    roles: tuple[str, ...] = ROLES
    states: tuple[Frozen, ...] = (EMPTY,)
    odd_states: tuple[Frozen, ...] = ()
    own_states: bool = False
    typing: Typing = "well-typed"
    notes: tuple[str, ...] = ()


SUITE = Vocabulary(tuple(Tool(name) for name in NAMES))


def gather(tools: str | None, states: str | None, seed: int) -> Vocabulary:
    """Collect the vocabulary from what the adopter names; raise `TargetError` where that fails."""
    words = _own_tools(tools, seed) if tools else SUITE
    base = _own_states(states, seed) if states else tuple(map(freeze, DEFAULT_STATES))
    return with_states(words, base, vary=bool(states))


def with_states(words: Vocabulary, base: tuple[Frozen, ...], *, vary: bool) -> Vocabulary:
    """Give `words` with `base` for its states, and where they are to `vary` with variants, too."""
    more = tuple(v for state in base if vary for v in varied(state, _known_values(base)))
    plain, dropped = _distinct((EMPTY, *base), more)
    odd, _ = _distinct((), tuple(v for state in base for v in ill_typed(state)))
    notes = (f"{dropped:,} variants of the states were left out",) if dropped else ()
    return replace(words, states=plain, odd_states=odd, own_states=vary, notes=notes)


def _own_tools(source: str, seed: int) -> Vocabulary:
    handed, drawn = _handed(source, seed, "tools")
    return with_tools(handed, source, drawn)


def with_tools(handed: Sequence[Any], source: str, drawn: bool) -> Vocabulary:
    """Give the vocabulary of live tools, or of drawn lists of them, that `source` has.

    Raises `TargetError` where there is none, and where they are names.
    """
    lists = [list(item) for item in handed if drawn and type(item) in (list, tuple)]
    own = [tool for tools in lists for tool in tools] if lists else list(handed)
    recipes = _recipes(own, source, drawn)
    if not recipes:
        raise TargetError(f"{quoted(source, 200)} has no tools in it")
    if any(issubclass(type(tool), str) for tool in own):
        raise TargetError(f"{quoted(source, 200)} holds names: hand over the tools themselves")
    whole = [tuple(dict.fromkeys(recipes[id(tool)] for tool in tools)) for tools in lists]
    copied = [recipe for recipe in recipes.values() if _copies(own[recipe.index])]
    return Vocabulary(
        tuple(recipes.values()),
        tuple((recipe, structs.replace(recipe, twin=1)) for recipe in copied[:_TWINS]),
        tuple(whole) or (tuple(recipes.values()),),
        tuple(own),
        typing="hostile tools" if any(map(_is_hostile, own)) else "well-typed",
    )


def _recipes(own: Sequence[Any], source: str, drawn: bool) -> dict[int, Tool]:
    """Give the recipe for each distinct instance, by its `id`."""
    recipes: dict[int, Tool] = {}
    for i, tool in enumerate(own):
        if id(tool) not in recipes:
            recipes[id(tool)] = Tool(name_of(tool), "own", source=source, index=i, drawn=drawn)
    return recipes


def _own_states(source: str, seed: int) -> tuple[Frozen, ...]:
    handed, drawn = _handed(source, seed, "states")
    return frozen_states(handed, source, drawn)


def frozen_states(handed: Sequence[Any], source: str, drawn: bool) -> tuple[Frozen, ...]:
    """Freeze the states that `source` has; raise `TargetError` where they are none."""
    if not handed:
        raise TargetError(f"{quoted(source, 200)} has no states in it")
    for state in handed:
        if not issubclass(type(state), dict) or any(type(key) is not str for key in state):
            raise TargetError(
                f"{quoted(source, 200)}: each state must be a dict with string keys, "
                f"and one is {with_article(type_name(state))}"
            )
    named = "" if drawn else source
    return tuple(
        freeze({key: value for key, value in state.items() if key != RESOLVED}, named, (i,))
        for i, state in enumerate(handed)
    )


def _handed(source: str, seed: int, what: str) -> tuple[list[Any], bool]:
    """Give the values that `source` names, and whether they had to be drawn."""
    found = find(source)
    if type(found) in (list, tuple):
        return list(found), False
    if hasattr(type(found), "example"):
        return draw(found, _DRAWN, seed, source), True
    raise TargetError(
        f"{quoted(source, 200)} must be a list of {what} or a Hypothesis strategy, "
        f"and is {with_article(type_name(found))}"
    )


def draw(strategy: Any, count: int, seed: int, source: str) -> list[Any]:
    """Draw `count` values with `seed`; raise `TargetError` where the strategy fails."""
    import hypothesis  # it takes as long to import as a quick run takes altogether

    values: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,  # nothing is judged here
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),  # the adopter's strategy, as it is
    )
    @hypothesis.given(strategy)
    def collect(value: Any) -> None:
        values.append(value)

    try:
        collect()
    except Exception as error:
        message = f"drawing from {quoted(source, 200)} raised {error_text(error)}"
        raise TargetError(message) from error
    return values


def varied(state: Frozen, known: Mapping[Path, Sequence[Frozen]]) -> Iterator[Frozen]:
    """Give well-typed variants of `state`, in which one key is another.

    It is absent, `None`, an unknown string where it is a string, or what `known` has for it.
    """
    for path, value in _paths(state):
        yield _without(state, path)
        if value is not None:
            yield _with(state, path, None)
        if type(value) is str:
            yield _with(state, path, UNKNOWN)
        yield from (
            _with(state, path, other) for other in known.get(path, ()) if not same(other, value)
        )


def _known_values(states: tuple[Frozen, ...]) -> dict[Path, list[Frozen]]:
    """Collect the scalars that `states` have at each path."""
    known: dict[Path, list[Frozen]] = {}
    for path, value in (pair for state in states for pair in _paths(state)):
        there = known.setdefault(path, [])
        if is_plain(value) and not any(same(value, other) for other in there):
            there.append(value)
    return known


def ill_typed(state: Frozen) -> Iterator[Frozen]:
    """Give variants of `state` in which one value has a type that it never has."""
    for path, value in _paths(state):
        yield _with(state, path, "text" if type(value) in (int, float, bool) else 7)
        yield _with(state, path, ("text",) if type(value) is not tuple else EMPTY)


def _paths(state: Frozen, above: Path = ()) -> Iterator[tuple[Path, Frozen]]:
    for key, value in state.items():
        yield (*above, key), value
        if type(value) is MappingProxyType:
            yield from _paths(value, (*above, key))


def _with(state: Frozen, path: Path, value: Frozen) -> Frozen:
    key, *rest = path
    inner = _with(state[key], tuple(rest), value) if rest else value
    return MappingProxyType({**state, key: inner})


def _without(state: Frozen, path: Path) -> Frozen:
    key, *rest = path
    if rest:
        return MappingProxyType({**state, key: _without(state[key], tuple(rest))})
    return MappingProxyType({k: v for k, v in state.items() if k != key})


def _distinct(own: tuple[Frozen, ...], more: tuple[Frozen, ...]) -> tuple[tuple[Frozen, ...], int]:
    """Drop repeats, put the emptiest first, and say how many of `more` a run could not bear."""
    kept: list[Frozen] = []
    for state in (*own, *sorted(more, key=_size)):
        if not any(same(state, other) for other in kept):
            kept.append(state)
    most = max(_MOST_STATES, len(own))
    return tuple(sorted(kept[:most], key=_size)), max(0, len(kept) - most)


def _size(value: Frozen) -> int:
    if type(value) is MappingProxyType:
        return sum(1 + _size(item) for item in value.values())
    return sum(1 + _size(item) for item in value) if type(value) is tuple else 0


def _copies(tool: Any) -> bool:
    try:
        twin = copy.copy(tool)
    except BaseException:  # a tool that cannot be copied has no twin
        return False
    return twin is not tool and type(twin) is type(tool) and name_of(twin) == name_of(tool)


def _is_hostile(tool: Any) -> bool:
    """Whether one of the tool's own methods raises, so that nobody can be blamed for it."""
    try:
        bool(tool == tool), bool(tool), repr(tool), str(tool)
        for name in CONTENT:
            getattr(tool, name, None)
    except BaseException:  # whatever it raises, it would raise in a resolver too
        return True
    return False
