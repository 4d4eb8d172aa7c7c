"""A node that a team wrote itself: the levers in order, and nothing from a resolver is trusted.

palettecheck certify --node tests/adopters/handwritten/repaired.py:Node
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

log = logging.getLogger(__name__)
MODES = {"auto", "any", "required", "none"}


class Bound(NamedTuple):
    tools: list[Any]
    tool_choice: str | None


class Node:
    def __init__(
        self, registry: Iterable[Any], resolver: Any, always_include: Collection[str] = ()
    ) -> None:
        self.registry, self.resolver = list(registry), resolver
        self.always_include = always_include
        self.warned: set[tuple[str, ...]] = set()

    def change_registry(self, registry: Iterable[Any]) -> None:
        self.registry = list(registry)

    async def iterate(self, state: dict[str, Any], tool_choice: str | None = None) -> Bound:
        input_list = list(state.get("resolved_tools") or self.registry)
        palette = await self.palette(state, input_list)
        tools = list(input_list) if palette is None else palette
        tools += self.absent(self.always_include, tools)
        if tool_choice is not None and tool_choice not in MODES:
            forced = self.absent([tool_choice], tools)
            if forced:
                self.warn_once("the palette lacks the forced tool", tool_choice)
            tools += forced
            if all(tool.name != tool_choice for tool in tools):
                self.warn_once("no such tool, so that nothing is forced", tool_choice)
                tool_choice = None
        return Bound(tools, tool_choice if tools else None)

    async def palette(self, state: dict[str, Any], input_list: list[Any]) -> list[Any] | None:
        try:
            async with asyncio.timeout(1.0):
                result = await self.resolver.resolve(state, "action", list(input_list))
        except Exception:
            log.exception("the resolver failed: every tool is shown")
            return None
        if result is None:
            return None
        elements = list.copy(result) if isinstance(result, list) else []
        good = [tool for tool in input_list if any(tool is element for element in elements)]
        if not good or len(good) < len(elements):
            self.warn_once("the resolver did not return a palette", type(result).__name__)
        return good or None

    def absent(self, names: Collection[str], tools: Sequence[Any]) -> list[Any]:
        missing = set(names) - {tool.name for tool in tools}
        found = {tool.name: tool for tool in reversed(self.registry) if tool.name in missing}
        return list(found.values())[::-1]

    def warn_once(self, *words: str) -> None:
        if words not in self.warned:
            self.warned.add(words)
            log.warning(": ".join(words))
