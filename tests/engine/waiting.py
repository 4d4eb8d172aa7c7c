"""Resolvers that do not come back."""

from __future__ import annotations

import asyncio
from typing import Any


class ForEver:
    """Waits for a policy that never comes, in one role."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if role == "default":
            await asyncio.get_running_loop().create_future()


class EmptyThenForEver:
    """Bricks the agent, and then waits."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(all_tools) > 1:
            await asyncio.get_running_loop().create_future()
        return []
