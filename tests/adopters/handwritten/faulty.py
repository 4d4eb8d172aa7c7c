"""The same node as its team had it first: what a resolver returns is bound as it is.

palettecheck certify --node tests/adopters/handwritten/faulty.py:Node
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Any, NamedTuple

log = logging.getLogger(__name__)


class Bound(NamedTuple):
    tools: list[Any]
    tool_choice: str | None


class Node:
    def __init__(
        self, registry: list[Any], resolver: Any, always_include: Collection[str] = ()
    ) -> None:
        self.registry, self.resolver = registry, resolver
        self.always_include = always_include

    async def iterate(self, state: dict[str, Any], tool_choice: str | None = None) -> Bound:
        tools = state.get("resolved_tools") or self.registry
        tools = tools + [t for t in self.registry if t.name in self.always_include]
        try:
            palette = await self.resolver.resolve(state, "action", tools)
        except Exception:
            log.exception("the resolver failed")
            palette = None
        tools = tools if palette is None else palette
        if tool_choice and all(tool.name != tool_choice for tool in tools):
            log.warning("the palette lacks the forced tool %s", tool_choice)
            tools = tools + [t for t in self.registry if t.name == tool_choice]
        return Bound(tools, tool_choice)
