"""Small resolvers for the tests of the command."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any


class OnlyAbstains:
    """Has no policy."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return None


class AlwaysEmpty:
    """Bricks the agent."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return []


class WritesState:
    """Leaves a note in the state."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        state["seen"] = True
        return list(all_tools) or None


class NeedsShop:
    """Shows nothing to one tenant where only quotes are left."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if state.get("tenant_id") == "globex":
            return [t for t in all_tools if getattr(t, "name", None) != "quote"]
        return list(all_tools) or None


class Noisy:
    """Prints and logs on each call, by every way there is."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        print("printed")
        os.write(1, b"written\n")
        logging.getLogger("Noisy").warning("asked for %s", role)
        return list(all_tools) or None


class Slow:
    """Asks a far service each time."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        await asyncio.sleep(0.05)
        return list(all_tools) or None
