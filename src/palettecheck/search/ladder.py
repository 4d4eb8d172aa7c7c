"""The ladder: lists far beyond the small scope, a few of each size, derived from the size.

At each size: strangers alone, with the known tools first, with them last, and known tools with many
twins. Of an adopter's own tools, twins are all that there can be.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import Vocabulary

SIZES = (5, 8, 13, 21, 64, 257, 1_000, 10_000)
LARGEST = {"quick": 64, "default": 1_000, "deep": 10_000}


def ladder(words: Vocabulary, profile: str) -> Iterator[Scenario]:
    """Give the scenarios of a profile, smallest first."""
    for size in SIZES:
        if size <= LARGEST[profile]:
            for tools in _lists(words, size):
                yield from _calls(words, tools)


def _lists(words: Vocabulary, size: int) -> Iterator[tuple[Tool, ...]]:
    if not words.own:
        strangers = tuple(Tool(f"tool_{i}") for i in range(size))
        known = words.tools[: size - 1]
        yield strangers
        yield (*known, *strangers[len(known) :])
        yield (*strangers[len(known) :], *known)
    if words.twins or not words.own:
        yield tuple(_twin(words.tools, i) for i in range(size))


def _twin(tools: tuple[Tool, ...], i: int) -> Tool:
    return replace(tools[i % len(tools)], twin=i // len(tools))


def _calls(words: Vocabulary, tools: tuple[Tool, ...]) -> Iterator[Scenario]:
    """Each role with the emptiest state, and the first one with the fullest."""
    for role in words.roles:
        yield Scenario(tools, None, role, words.states[0], typing=words.typing)
    yield Scenario(tools, None, words.roles[0], words.states[-1], typing=words.typing)
