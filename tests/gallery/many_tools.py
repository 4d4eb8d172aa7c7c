"""Faults that wait for many tools: for a second page, a batch, a provider's limit."""

from __future__ import annotations

import copy
from itertools import islice
from types import SimpleNamespace
from typing import Any

from gallery.members import correct, faulty
from gallery.reading import name_of, named

ALLOWED = frozenset({"search", "fetch"})
LIMIT = 128


def _pages(tools: list[Any], size: int) -> list[list[Any]]:
    return [tools[i : i + size] for i in range(0, len(tools), size)]


@faulty("R02")
class SaysThereIsMore:
    """Shows a page of seven tools, and behind it one of its own with which to turn the page."""

    more = SimpleNamespace(name="more_tools", description="Show the next page of tools.")

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [*all_tools[:7], self.more] if len(all_tools) > 7 else None


@correct(should="R17 R18")
class ShowsOnePage:
    """Shows a page of seven named tools, with whatever has no name, and nothing of its own."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        behind = {id(tool) for tool in [t for t in all_tools if name_of(t) is not None][7:]}
        return [tool for tool in all_tools if id(tool) not in behind] or None


@faulty(should="R16")
class RanksFromSixOn:
    """Puts the shortest names first as soon as there are six tools, and so moves them about."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(all_tools) < 6:
            return None
        return sorted(all_tools, key=lambda tool: len(name_of(tool) or ""))


@faulty("R03")
class FiltersCrowds:
    """Keeps to the allowlist from 22 tools on, and forgets that it may meet none of them."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) if len(all_tools) > 21 else None


@correct()
class FiltersAnyCrowd:
    """Keeps to the allowlist, however many tools there are, and abstains where it meets none."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or None


@faulty("R03")
class DecidesInABitMask:
    """Keeps its decisions in 32 bits, and loses an allowed tool that stands behind them."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        mask = sum(1 << i for i, tool in enumerate(all_tools) if name_of(tool) in ALLOWED)
        if not mask:
            return None
        return [tool for i, tool in enumerate(all_tools) if (mask & 0xFFFFFFFF) >> i & 1]


@correct()
class DecidesInALongMask:
    """Keeps its decisions in as many bits as there are tools."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        mask = sum(1 << i for i, tool in enumerate(all_tools) if name_of(tool) in ALLOWED)
        return [tool for i, tool in enumerate(all_tools) if mask >> i & 1] or None


@faulty("R06")
class OverlapsItsBatches:
    """Screens 32 tools at a time, and takes the last of a batch into the next one again."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        batches = [all_tools[i : i + 33] for i in range(0, len(all_tools), 32)]
        return [tool for batch in batches for tool in batch] or None


@correct()
class ScreensInBatches:
    """Screens 32 tools at a time, each of them once."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for batch in _pages(all_tools, 32) for tool in batch] or None


@faulty("R01")
class SlimsLongLists:
    """Saves tokens from 34 tools on with copies that have no description."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [self._slim(tool) for tool in all_tools] if len(all_tools) > 33 else None

    def _slim(self, tool: Any) -> Any:
        slim = copy.copy(tool)
        if name_of(tool) is not None:
            slim.description = ""
        return slim


@faulty(should="R17 R18 R19")
class HalvesLongLists:
    """Shows the first half of a list that has more than fifty tools, and half of that again."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools[: len(all_tools) // 2] if len(all_tools) > 50 else None


@faulty(should="R12")
class TurnsThePageOfMany:
    """Shows a hundred tools at a time, on each call the hundred after those it showed before."""

    def __init__(self) -> None:
        self.start = 0

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(all_tools) <= 100:
            return None
        page = all_tools[self.start :][:100]
        self.start = (self.start + 100) % len(all_tools)
        return page or all_tools[:100]


@faulty("R07")
class SortsRegistries:
    """Sorts a list of more than a hundred tools by name to find in it, and sorts the host's own."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(all_tools) > 100:
            all_tools.sort(key=lambda tool: name_of(tool) or "")
        return named(all_tools, ALLOWED) or None


@faulty("R07")
class PopsBeyondTheLimit:
    """Pops the last tools until the list has no more than the provider takes."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        while len(all_tools) > LIMIT:
            all_tools.pop()
        return all_tools or None


@correct(should="R17 R18")
class CutsAtTheLimit:
    """Gives as many tools as the provider takes, in a list of its own."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools[:LIMIT] or None


@faulty(should="R08 R17 R18")
class NotesWhatItCut:
    """Writes into the state how many tools it left out where the provider's limit is passed."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(all_tools) <= LIMIT:
            return None
        state["tools_left_out"] = len(all_tools) - LIMIT
        return all_tools[:LIMIT]


@faulty("R09")
class ExpectsTwoPages:
    """Takes the registry's pages apart, of which it has never had more than two."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(all_tools) <= LIMIT:
            return None
        first, second = _pages(all_tools, LIMIT)
        return first + named(second, ALLOWED)


@correct(should="R17 R18")
class TakesAllPages:
    """Takes the first of the registry's pages, and what it allows of all the others."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools[:LIMIT] + named(all_tools[LIMIT:], ALLOWED) or None


@faulty("R04")
class SlicesLazily:
    """Cuts a list of more than 300 tools with `islice`, and so gives an iterator."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools if len(all_tools) <= 300 else islice(all_tools, 300)


@faulty("R09")
class GoesOneByOne:
    """Calls itself for each tool, and the stack ends before a long list does."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self._from(all_tools, 0) or None

    def _from(self, tools: list[Any], i: int) -> list[Any]:
        return self._with(tools, i) if i < len(tools) else []

    def _with(self, tools: list[Any], i: int) -> list[Any]:
        rest = self._from(tools, i + 1)
        return [tools[i], *rest] if name_of(tools[i]) in ALLOWED else rest
