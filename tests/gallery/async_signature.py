"""R05: it cannot be called as a host calls it, or what the call gives cannot be awaited."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from gallery.members import faulty
from gallery.reading import named

ALLOWED = frozenset({"search", "fetch"})


@faulty("R05")
class Synchronous:
    """Is a plain method, since it awaits nothing."""

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or None


@faulty("R05")
class TakesNoState:
    """Leaves out the parameter that it has no use for."""

    async def resolve(self, role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or None


@faulty("R05")
class RenamesParameters:
    """Calls the parameters what the team calls them, which only a call by name shows."""

    async def resolve(self, graph_state: dict[str, Any], role: str, tools: list[Any]) -> Any:
        return named(tools, ALLOWED) or None


@faulty("R05")
class PositionalOnly:
    """Marks its parameters as positional, to be free to rename them."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any], /) -> Any:
        return named(all_tools, ALLOWED) or None


@faulty("R05")
class KeywordOnly:
    """Insists on names, so that nobody swaps the state and the tools."""

    async def resolve(self, *, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or None


@faulty("R05")
class NeedsAConfig:
    """Wants one more argument, which the team's own node passes."""

    async def resolve(
        self, state: dict[str, Any], role: str, all_tools: list[Any], config: dict[str, Any]
    ) -> Any:
        return named(all_tools, config.get(role, ALLOWED)) or None


@faulty("R05")
class Yields:
    """Yields the tools one by one, and is an asynchronous generator through that."""

    async def resolve(
        self, state: dict[str, Any], role: str, all_tools: list[Any]
    ) -> AsyncIterator[Any]:
        for tool in named(all_tools, ALLOWED):
            yield tool


@faulty("R05")
class ForgetsSelf:
    """Was a function of a module once, and has no `self`."""

    async def resolve(state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:  # noqa: N805
        return named(all_tools, ALLOWED) or None


def _counted(resolve: Callable[..., Any]) -> Callable[..., Any]:
    calls = 0

    def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        return resolve(*args, **kwargs)

    return counted


@faulty("R05")
class HidesItsSignature:
    """Has other parameter names under a decorator that takes anything and passes it on."""

    @_counted
    async def resolve(self, state: dict[str, Any], role: str, tools: list[Any]) -> Any:
        return named(tools, ALLOWED) or None


@faulty("R05")
class Defers:
    """Gives a callable, for the host to ask when it needs the answer."""

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return functools.partial(named, all_tools, ALLOWED)


class _Pooled:
    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.pool = pool

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.pool.submit(named, all_tools, ALLOWED)


@faulty("R05")
@asynccontextmanager
async def pooled() -> AsyncIterator[_Pooled]:
    """Works in a pool of threads, whose futures are not those that asyncio awaits."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        yield _Pooled(pool)
