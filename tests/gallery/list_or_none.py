"""R04: what comes back holds the right tools, and is no list."""

from __future__ import annotations

import asyncio
from collections import UserList
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named

ALLOWED = frozenset({"search", "fetch"})


@faulty("R04")
class Freezes:
    """Gives a tuple, so that nobody can change the palette later."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return tuple(named(all_tools, ALLOWED)) or None


@faulty("R04")
class Streams:
    """Gives a generator expression, to save the list."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return (tool for tool in all_tools if name_of(tool) in ALLOWED)


@faulty("R04")
class Filters:
    """Gives what `filter` gives, as it was a list in Python 2."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return filter(lambda tool: name_of(tool) in ALLOWED, all_tools)


@faulty("R04")
class KeepsOneOfAName:
    """Drops tools of a name that is taken through a dict, and gives its values."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return {name_of(tool): tool for tool in all_tools}.values()


@faulty("R04", tools="gallery.worlds:HASHABLE")
class Unites:
    """Builds the palette as a set, of tools that happen to be hashable."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return set(named(all_tools, {"search"})) | set(named(all_tools, {"fetch"})) or None


def _traced(resolve: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def traced(*args: Any, **kwargs: Any) -> Any:
        return resolve(*args, **kwargs)

    return traced


@faulty("R04")
class ForgetsToAwait:
    """Has a decorator around it that calls and does not await, so that a coroutine comes back."""

    @_traced
    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or None


@faulty("R04")
class ShortCircuits:
    """Means `None` for other roles, and gives the `False` of the comparison."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return role == "action" and (named(all_tools, ALLOWED) or None)


@faulty("R04")
class JoinsNames:
    """Gives the allowed names as the prompt wants them, in one string."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return ", ".join(name for tool in named(all_tools, ALLOWED) if (name := name_of(tool)))


@faulty("R04")
class GivesReasons:
    """Gives the palette with the reason for it, for the log."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = named(all_tools, ALLOWED)
        return (palette, f"allowlist of {role}") if palette else None


@faulty("R04")
class Unwraps:
    """Gives the tool itself where only one is left."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = named(all_tools, ALLOWED)
        return palette[0] if len(palette) == 1 else palette or None


@faulty("R04")
class WrapsInUserList:
    """Has a palette class with methods of its own, which behaves like a list and is none."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return UserList(named(all_tools, ALLOWED))


@faulty("R04")
class SaysAll:
    """Has a word for "no policy", which is not `None`."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or "all"


class _LazyObject:
    def __init__(self, make: Callable[[], list[Any]]) -> None:
        self._make = make

    @property
    def __class__(self) -> type:
        return type(self._make())

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._make(), attribute)


@faulty("R04")
class PosesAsAList:
    """Gives a lazy proxy, which `isinstance` takes for the list that it stands for."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _LazyObject(lambda: list(all_tools))


class _Answer:
    def __init__(self, tools: list[Any]) -> None:
        self.tools = tools

    def __await__(self) -> Generator[Any, None, Any]:
        yield from asyncio.sleep(0).__await__()
        return map(self._checked, self.tools)

    def _checked(self, tool: Any) -> Any:
        return tool


@faulty("R04")
class AwaitsByHand:
    """Gives an awaitable of its own, which waits, and then gives a `map` object."""

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _Answer(all_tools)


class _Subscription:
    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self._allowed(all_tools)

    async def _allowed(self, all_tools: list[Any]) -> AsyncIterator[Any]:
        for tool in all_tools:
            yield tool


@faulty("R04")
async def subscribed() -> _Subscription:
    """Connects first, and gives the asynchronous generator of its subscription."""
    await asyncio.sleep(0)
    return _Subscription()
