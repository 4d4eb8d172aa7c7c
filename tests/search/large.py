"""Resolvers that show nothing from some number of tools on."""

from __future__ import annotations

from typing import Any


class _EmptyFrom:
    least = 0

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [] if len(all_tools) >= self.least else list(all_tools) or None


class EmptyFrom4(_EmptyFrom):
    least = 4


class EmptyFrom6(_EmptyFrom):
    least = 6


class EmptyFrom13(_EmptyFrom):
    least = 13


class EmptyFrom200(_EmptyFrom):
    least = 200
