"""The rules as tests of an adopter's own: one pytest item a rule.

For a resolver each is a Hypothesis test; a node is driven once, and its items tell of that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from palettecheck.engine.hosting import checked_host
from palettecheck.items.naming import source_of, target_of
from palettecheck.items.telling import Asked, Item, PaletteAdvice
from palettecheck.items.touring import Toured
from palettecheck.plain import Frozen
from palettecheck.rules import Invariant, NodeRule
from palettecheck.rules.every import RESOLVER_RULES
from palettecheck.rules.node import NODE_RULES
from palettecheck.search.spelled import Spelling, numbers
from palettecheck.search.vocabulary import (
    SUITE,
    Vocabulary,
    frozen_states,
    varied,
    with_states,
    with_tools,
)

__all__ = ["PaletteAdvice", "palette_tests"]

EXAMPLES = {"quick": 30, "default": 100, "deep": 2_000}  # for each rule on a resolver

_BESIDE = 4  # tools at most, beside one that was drawn alone

T = TypeVar("T")
Tools: TypeAlias = Sequence[Any] | SearchStrategy[Any] | None
States: TypeAlias = Sequence[dict[str, Any]] | SearchStrategy[dict[str, Any]] | None


def palette_tests(
    factory: Callable[[], Any] | None = None,
    *,
    node: Callable[..., Any] | None = None,
    tools: Tools = None,
    states: States = None,
    strict: bool = False,
    profile: str | None = None,
) -> Any:
    """Give a test function, for a module of tests, of which pytest makes one item a rule.

    `factory`: without arguments, gives a resolver for each example; it may be async, or an async
    context manager, which is closed after use. `tools`: your live tools, or a strategy of them or
    of lists of them. `states`: dicts, or a strategy of dicts. `strict`: a SHOULD that breaks fails
    as a MUST does; otherwise it is a `PaletteAdvice` warning. `profile`: "quick", "default" or
    "deep"; "default" if you do not say, and "quick" for a node.

    `node`, in place of `factory`: what hosts resolvers, as `palettecheck.host` says. It is driven
    once a process, by the first item that runs, and all items tell of that run. There are few
    levers, so that all that can be set is tried, the least first: nothing is drawn, each run is the
    same, and Hypothesis would have nothing to add.

    Raises `TypeError`, `ValueError` and `TargetError` where the arguments cannot be used.
    """
    profile = profile or ("default" if node is None else "quick")
    _check_arguments(factory, node, profile)
    frame = sys._getframe(1)
    place = frame.f_code.co_filename, frame.f_lineno
    if factory is None:
        if tools is not None or states is not None:
            raise TypeError(
                "a node is driven with the suite's own tools and states: leave yours out"
            )
        return _node_tests(Toured(checked_host(node, "the node"), profile, strict, place))
    asked = Asked(factory, target_of(factory), strict, place)
    calls = _spellings(tools, states, frame.f_globals.get("__name__", ""))
    return _resolver_tests(asked, calls, EXAMPLES[profile])


def _resolver_tests(asked: Asked, calls: SearchStrategy[Spelling], examples: int) -> Any:
    @pytest.mark.parametrize("rule", RESOLVER_RULES, ids=_item_id)
    @settings(
        max_examples=examples,
        deadline=None,  # how long a resolver takes is for rules to say
        phases=set(Phase) - {Phase.shrink, Phase.explain},  # the breach is shrunk as such
        suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no defect
    )
    @given(call=calls)
    def test_palette(request: pytest.FixtureRequest, rule: Invariant, call: Spelling) -> None:
        __tracebackhide__ = True
        _item(request, rule, asked).judge(call)

    return test_palette


def _node_tests(toured: Toured) -> Any:
    @pytest.mark.parametrize("rule", NODE_RULES, ids=_item_id)
    def test_node(request: pytest.FixtureRequest, rule: NodeRule) -> None:
        toured.judge(rule, request.node.name)

    return test_node


def _item_id(rule: Invariant) -> str:
    return f"{rule.id}-{rule.slug}"


def _check_arguments(factory: object, node: object, profile: str) -> None:
    if (factory is None) == (node is None):
        raise TypeError(
            "one of the two: a factory, palette_tests(TenantResolver), or a node, "
            "palette_tests(node=MyNode)"
        )
    if factory is not None and not callable(factory):
        raise TypeError("factory makes the resolver: palette_tests(TenantResolver)")
    if node is not None and not callable(node):
        raise TypeError(
            "node is the class or function that makes an agent: palette_tests(node=MyNode)"
        )
    if profile not in EXAMPLES:
        raise ValueError(f"there is no profile {profile!r}; there are {', '.join(EXAMPLES)}")


def _spellings(tools: Tools, states: States, caller: str) -> SearchStrategy[Spelling]:
    """Give a strategy of calls; what is the same in all examples is no part of the draws."""
    words = _words(tools, caller)
    frozen = _states(states, caller)
    if not isinstance(words, SearchStrategy) and not isinstance(frozen, SearchStrategy):
        return numbers().map(lambda number: Spelling(number, words, frozen))
    whole = isinstance(words, SearchStrategy)
    return st.builds(Spelling, numbers(), _drawn(words), _drawn(frozen), st.just(whole))


def _drawn(value: T | SearchStrategy[T]) -> SearchStrategy[T]:
    return value if isinstance(value, SearchStrategy) else st.just(value)


def _words(tools: Tools, caller: str) -> Vocabulary | SearchStrategy[Vocabulary]:
    if tools is None:
        return SUITE
    if isinstance(tools, SearchStrategy):
        return tools.flatmap(lambda drawn: _listed(drawn, tools)).map(_with_drawn)
    source = source_of(tools, caller)
    return with_tools(tools, source or "tools", not source)


def _listed(drawn: Any, tools: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    """Give a drawn list as it is; a drawn tool among others of its strategy."""
    if isinstance(drawn, (list, tuple)):
        return st.just(list(drawn))
    return st.lists(tools, max_size=_BESIDE).map(lambda others: [drawn, *others])


def _with_drawn(drawn: list[Any]) -> Vocabulary:
    return with_tools(drawn, "tools", True) if drawn else SUITE


def _states(states: States, caller: str) -> tuple[Frozen, ...] | SearchStrategy[tuple[Frozen, ...]]:
    if states is None:
        return ()
    if isinstance(states, SearchStrategy):
        return states.map(_with_variants)
    source = source_of(states, caller)
    base = frozen_states(states, source or "states", not source)
    return with_states(SUITE, base, vary=True).states


def _with_variants(drawn: dict[str, Any]) -> tuple[Frozen, ...]:
    state = frozen_states([drawn], "states", True)[0]
    return (state, *varied(state, {}))


_ITEM = pytest.StashKey[Item]()


def _item(request: pytest.FixtureRequest, rule: Invariant, asked: Asked) -> Item:
    stash = request.node.stash
    if _ITEM not in stash:
        stash[_ITEM] = Item(rule, asked)
        request.addfinalizer(stash[_ITEM].conclude)
    item: Item = stash[_ITEM]
    return item
