"""Calls spelled by a number, so that a call is one choice of Hypothesis.

Drawn part by part, a call is some thirty choices; that takes longer than to judge it, and of so
many alike choices Hypothesis makes four examples in five near-copies of those before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from palette_reference import ACTION
from palettecheck.plain import EMPTY, Frozen, freeze
from palettecheck.scenario import Call, Scenario, Tool
from palettecheck.search.generated import SHAPES, Drawn
from palettecheck.search.vocabulary import (
    DEFAULT_STATES,
    NAMES,
    ODD_NAMES,
    ODD_ROLES,
    ROLES,
    UNKNOWN,
    Vocabulary,
)
from palettecheck.strategies import unmasked

T = TypeVar("T")

_BYTES = 24  # more than most calls take; the digits of a longer one end in zeros
_SIZES = (*(0, 1, 1, 2, 2, 3, 3, 4, 5, 8, 13) * 3, 34, 300)
_ROLES = (*(ACTION,) * 16, *ROLES * 2, *ODD_ROLES)
_NAMES = (*NAMES * 12, *ODD_NAMES)
_CALLS: tuple[Call, ...] = ("position", "position", "name")
_KEYS = ("tenant_id", "user_id", "conversation_id", "plan")
_VALUES = (None, "acme", "globex", "free", "pro", UNKNOWN, "", "søk")
_PLAIN = (EMPTY, *map(freeze, (*DEFAULT_STATES, *DEFAULT_STATES[-1:] * 2)))
_MASK = 1 << 16


class Spelling(NamedTuple):
    """A number, and what it is spelled in. `states`: none where they are the suite's own.

    `whole`: the tools were drawn as one list, and mostly stay one.
    """

    number: int
    words: Vocabulary
    states: tuple[Frozen, ...] = ()
    whole: bool = False

    def __repr__(self) -> str:
        return repr(spelled(self, "well-typed"))


def numbers() -> SearchStrategy[int]:
    """Give a strategy of numbers that spell calls: each one choice, and all as likely."""
    return st.binary(min_size=_BYTES, max_size=_BYTES).map(_number)


def _number(drawn: bytes) -> int:
    return int.from_bytes(drawn, "little")


def spelled(spelling: Spelling, kind: str) -> Drawn:
    """Give the call of that kind that the number spells."""
    digits = _Digits(spelling.number)
    words = spelling.words
    shape, mask = digits.below(_MASK), digits.below(_MASK) if digits.below(3) == 0 else None
    role, call = digits.of(_ROLES), digits.of(_CALLS)
    state = digits.of(spelling.states) if spelling.states else _state(digits)
    registry = _own(spelling, digits) if words.own else _suite(digits)
    routed = None if mask is None else unmasked(len(registry), mask)
    scenario = Scenario(registry, routed, role, state, call, words.typing)
    return SHAPES[kind](Drawn(scenario, words), shape)


class _Digits:
    """Takes a number apart, in a base that each digit has for itself."""

    def __init__(self, number: int) -> None:
        self._left = number

    def below(self, base: int) -> int:
        self._left, digit = divmod(self._left, base)
        return digit

    def of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]


def _suite(digits: _Digits) -> tuple[Tool, ...]:
    """A few names, so that some have twins; in a long list most may be numbered."""
    names = [digits.of(_NAMES) for _ in range(2 + digits.below(3))]
    chosen = [digits.of(names) for _ in range(digits.of(_SIZES))]
    numbered = len(chosen) > len(names) and digits.below(2)
    return tuple(Tool(f"{n}-{i}" if numbered and i > 3 else n) for i, n in enumerate(chosen))


def _own(spelling: Spelling, digits: _Digits) -> tuple[Tool, ...]:
    """Some of the tools in any order, few or all; a copy of one is in one list of four."""
    tools, twins = spelling.words.tools, spelling.words.twins
    if spelling.whole and digits.below(2):
        return tools
    left = [*tools, *(twin for _, twin in twins)] if digits.below(4) == 0 else list(tools)
    size = min(digits.of((0, 1, 1, 2, 2, 3, 5, len(tools), len(tools))), len(left))
    return tuple(left.pop(digits.below(len(left))) for _ in range(min(size, 64)))


def _state(digits: _Digits) -> Frozen:
    if digits.below(3):
        return digits.of(_PLAIN)
    flat = {digits.of(_KEYS): digits.of(_VALUES) for _ in range(digits.below(3))}
    scope = {digits.of(_KEYS): digits.of(_VALUES) for _ in range(digits.below(3))}
    return freeze({**flat, "scope": digits.of((None, scope, scope))} if digits.below(2) else flat)
