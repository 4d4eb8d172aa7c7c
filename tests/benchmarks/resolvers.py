"""What is measured on: a filter as cheap as filters are, so that the suite's own cost shows."""

from __future__ import annotations

from typing import Any

NAMES = frozenset(f"tool_{i}" for i in range(0, 10_000, 2))


class Filter:
    """Keeps every second one of the tools `tool_0`, `tool_1` and so on."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        """Give the tools that it knows, and abstain without any."""
        names = NAMES
        return [t for t in all_tools if t.name in names] or None
