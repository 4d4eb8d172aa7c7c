"""Small resolvers for the tests of the command."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
import threading
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
        print("called", flush=True)
        await asyncio.sleep(0.05)
        return list(all_tools) or None


class LeavesAThread:
    """Starts a thread that nobody ends."""

    def __init__(self) -> None:
        threading.Thread(target=threading.Event().wait).start()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return list(all_tools) or None


class LeavesATask:
    """Starts a task that does not let itself be cancelled."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.task = self.task or asyncio.create_task(self.poll())
        return list(all_tools) or None

    async def poll(self) -> None:
        while True:
            with contextlib.suppress(BaseException):
                await asyncio.sleep(0.01)


class StopsTheLoop:
    """Stops the loop that it is called on."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        asyncio.get_running_loop().stop()
        return list(all_tools) or None


class ExitsSoon:
    """Ends the process from a callback."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        asyncio.get_running_loop().call_soon(sys.exit, 0)
        return list(all_tools) or None


class ClosesStdout:
    """Closes what it thinks is its own."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        sys.stdout.close()
        return list(all_tools) or None


class ExitsWhenClosed(AlwaysEmpty):
    """Ends the process when it is closed."""

    async def __aenter__(self) -> ExitsWhenClosed:
        return self

    async def __aexit__(self, *error: object) -> None:
        sys.exit(0)
