"""The small scope: every scenario up to a few tools, smallest first, so the first breach is least.

Order: fewer tools, then earlier names, then emptier states, then roles. After that come the
ill-typed calls, odd roles and names, and last the adopter's whole registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, islice, permutations, product
from math import perm

from msgspec.structs import replace

from palettecheck.plain import Frozen
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import (
    ODD_NAMES,
    ODD_ROLES,
    ODD_TOOLS,
    UNKNOWN,
    Vocabulary,
)

SIZES = {"quick": 2, "default": 3, "deep": 4}
LIMITS = {"quick": 3_000, "default": 30_000, "deep": 300_000}  # scenarios of well-typed calls


@dataclass(frozen=True)
class Scope:
    """How far a small scope reaches.

    `complete`: every list of up to so many tools is tried with every role and state; -1 for none.
    `scenarios`: how many there are in all, the ill-typed ones and whole registries included.
    """

    complete: int
    scenarios: int


def small_scope(words: Vocabulary, profile: str) -> Iterator[Scenario]:
    """Give the scenarios of a profile, smallest first."""
    yield from islice(_well_typed(words, SIZES[profile]), LIMITS[profile])
    yield from _odd_states(words)
    yield from _odd_tools(words)
    yield from _odd_roles(words)
    yield from _odd_names(words)
    yield from _whole(words)


def measure(words: Vocabulary, profile: str) -> Scope:
    """Count the scenarios of a profile without making those of well-typed calls."""
    totals = list(accumulate(_count(words, size) for size in range(SIZES[profile] + 1)))
    complete = sum(total <= LIMITS[profile] for total in totals) - 1
    others = chain(
        _odd_states(words), _odd_tools(words), _odd_roles(words), _odd_names(words), _whole(words)
    )
    return Scope(complete, min(totals[-1], LIMITS[profile]) + sum(1 for _ in others))


def _count(words: Vocabulary, size: int) -> int:
    n, calls = len(words.tools), len(words.states) * len(words.roles)
    lists = perm(n, size) + len(words.twins) * (size == 2) if words.own else n**size
    by_name = calls if size < 2 else 0
    return lists * (calls * len(_routings(size)) + by_name)


def _well_typed(words: Vocabulary, most: int) -> Iterator[Scenario]:
    for size in range(most + 1):
        for tools in _lists(words, size):
            yield from _calls(words, tools)


def _calls(words: Vocabulary, tools: tuple[Tool, ...]) -> Iterator[Scenario]:
    for resolved, state, role in product(_routings(len(tools)), words.states, words.roles):
        yield Scenario(tools, resolved, role, state, typing=words.typing)
        if len(tools) < 2 and resolved is None:
            yield Scenario(tools, resolved, role, state, "name", words.typing)


def _lists(words: Vocabulary, size: int) -> Iterator[tuple[Tool, ...]]:
    """Every list of that size, in every order; of the suite's names with repeats."""
    if not words.own:
        yield from product(words.tools, repeat=size)
        return
    if size == 2:
        yield from words.twins
    yield from permutations(words.tools, size)


def _routings(size: int) -> tuple[tuple[int, ...] | None, ...]:
    """No routing, and routing that kept all tools, all but the last, all but the first."""
    everything = tuple(range(size))
    return (None, everything, *((everything[:-1], everything[1:]) if size > 1 else ()))


def _odd_states(words: Vocabulary) -> Iterator[Scenario]:
    if words.typing == "well-typed":
        for state, role in product(words.odd_states, words.roles):
            yield Scenario(words.tools[:2], None, role, state, typing="odd state")


def _odd_roles(words: Vocabulary) -> Iterator[Scenario]:
    """Strings that are no role of the framework's, on short lists of the known tools."""
    known = words.tools[:3]
    lists = [known[:size] for size in range(len(known) + 1)] + [(tool,) for tool in known[1:]]
    for role, tools, state in product(ODD_ROLES, lists, _states(words)):
        yield Scenario(tools, None, role, state, typing=words.typing)


def _odd_names(words: Vocabulary) -> Iterator[Scenario]:
    """Names that are strings and no more, each alone, twice, and among the known ones."""
    for name in ODD_NAMES if not words.own else ():
        odd = Tool(name)
        lists = [(odd, odd), *_around(odd, words.tools[:3])]
        for tools, state, role in product(lists, _states(words), words.roles):
            yield Scenario(tools, None, role, state)


def _states(words: Vocabulary) -> tuple[Frozen, Frozen]:
    """The emptiest state and the fullest one."""
    return words.states[0], words.states[-1]


def _odd_tools(words: Vocabulary) -> Iterator[Scenario]:
    known = words.tools[:3] if words.typing == "well-typed" else ()
    for odd in ODD_TOOLS:
        for tools in _around(odd, known):
            for state, role in product(_states(words), words.roles):
                yield Scenario(tools, None, role, state, typing="odd tools")


def _around(odd: Tool, known: tuple[Tool, ...]) -> Iterator[tuple[Tool, ...]]:
    """The odd tool alone, beside a known one, and in each place among two."""
    yield (odd,)
    for size in (1, 2):
        for others in combinations(known, size):
            for place in range(size + 1):
                yield (*others[:place], odd, *others[place:])


def plain_versions(words: Vocabulary, scenario: Scenario) -> list[Scenario]:
    """Give the same call with a plain tool in the place of each odd one, and without those."""
    stranger = words.tools[-1] if words.own else Tool(UNKNOWN)
    replaced = tuple(stranger if tool in ODD_TOOLS else tool for tool in scenario.registry)
    fewer = tuple(tool for tool in scenario.registry if tool not in ODD_TOOLS)
    plain = replace(scenario, registry=tuple(dict.fromkeys(replaced)), typing=words.typing)
    return [plain, *([replace(plain, registry=fewer)] if fewer else [])]


def _whole(words: Vocabulary) -> Iterator[Scenario]:
    for tools in words.registries:
        for state, role in product(words.states, words.roles):
            yield Scenario(tools, None, role, state, typing=words.typing)
