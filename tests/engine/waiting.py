"""Resolvers that do not come back, or not in the same way."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
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


class Swallows:
    """Waits, and does not let itself be cancelled."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        while len(all_tools) > 1:
            with suppress(BaseException):
                await asyncio.sleep(60)


class Flips:
    """Shows nothing on every third call or so, by chance."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [] if random.SystemRandom().random() < 0.3 else list(all_tools)


class RemembersTheFirst:
    """Keeps what it answered first, for each role and tenant, also where there were no tools."""

    def __init__(self) -> None:
        self.palettes: dict[tuple[str, str], Any] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        key = (role, str(state.get("tenant_id")))
        return self.palettes.setdefault(key, list(all_tools) or None)
