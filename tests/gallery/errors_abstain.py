"""R09: something is missing, slow or unknown, and the exception leaves the resolver."""

from __future__ import annotations

import asyncio
import functools
import sys
from collections.abc import Generator
from enum import StrEnum
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named, scope_of, tenant_of

PLANS = {"acme": {"search", "fetch"}, "globex": {"search"}}


@faulty("R09")
class IndexesTheState:
    """Takes it that every state has a tenant."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = state["tenant_id"]
        return all_tools if tenant == "acme" else None


@faulty("R09")
class CallsAMethodOfNone:
    """Puts the tenant into small letters, and there may be none."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = state.get("tenant_id").lower()
        return all_tools if tenant == "acme" else None


@faulty("R09", states="gallery.worlds:TENANTS")
class DefaultsOnlyWhatIsMissing:
    """Has a default for a missing scope, and none for a scope that is `None`."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        plan = state.get("scope", {}).get("plan")
        return named(all_tools, {"search"}) or None if plan == "free" else None


@faulty("R09")
class RefusesStrangers:
    """Takes an unknown tenant for an attack, and raises."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = tenant_of(state)
        if tenant is not None and tenant not in PLANS:
            raise PermissionError(f"no plan for {tenant}")
        return named(all_tools, PLANS.get(tenant or "", ())) or None


@faulty("R09")
class ExitsWhenMisconfigured:
    """Ends the process on a role that the config lacks, as a script would."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if role not in ("action", "default"):
            sys.exit(f"role {role} is not configured")
        return named(all_tools, {"search"}) or None


@faulty("R09")
class ExitsInATask:
    """Checks the tools in parallel tasks, one of which ends the process."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        await asyncio.gather(*map(self._check, all_tools))
        return None

    async def _check(self, tool: Any) -> None:
        if name_of(tool) == "delete":
            sys.exit("delete must not be deployed")


@faulty("R09")
class TakesTheFirst:
    """Looks for the search tool as if it were always there, so that `StopIteration` escapes."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        search = next(tool for tool in all_tools if name_of(tool) == "search")
        return [search]


@faulty("R09", tools="gallery.worlds:PROVIDER")
class ReadsNamesOfDicts:
    """Reads `.name`, and this registry has provider tools, which are dicts."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if tool.name in ("search", "fetch")] or None


@faulty("R09")
class LeadsWithTheFirst:
    """Keeps all tools of the first one's kind, and there may be no first one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        kind = type(all_tools[0])
        return [tool for tool in all_tools if type(tool) is kind]


@faulty("R09")
class HashesTools:
    """Subtracts sets of tools, which cannot be hashed."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        hidden = set(named(all_tools, {"delete"}))
        return [tool for tool in all_tools if tool not in hidden] or None if hidden else None


class _Role(StrEnum):
    ACTION = "action"
    DEFAULT = "default"


@faulty("R09", tools="gallery.worlds:MANY")
class RefusesTooMany:
    """Raises on a list that is longer than its provider allows."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(all_tools) > 20:
            raise ValueError(f"{len(all_tools)} tools are too many to choose from")
        return None


@faulty("R09")
class ParsesTheRole:
    """Makes an enum of the role, and knows two."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools if _Role(role) is _Role.ACTION else None


@faulty("R09")
class TimesOut:
    """Gives the policy service no time, and lets the timeout through."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if role == "default":
            async with asyncio.timeout(0):
                await asyncio.sleep(1)
        return None


@faulty("R09")
class AsksInAGroup:
    """Asks for each tool in a task group, whose errors come as a group."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        async with asyncio.TaskGroup() as group:
            answers = [group.create_task(self._allowed(tool)) for tool in all_tools]
        return [tool for tool, a in zip(all_tools, answers, strict=True) if a.result()] or None

    async def _allowed(self, tool: Any) -> bool:
        if name_of(tool) == "fetch":
            raise ConnectionError("policy service: connection refused")
        return True


@faulty("R09")
class CancelsItsLookup:
    """Cancels a lookup that it no longer needs, and awaits it all the same."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        lookup = asyncio.ensure_future(asyncio.sleep(1, all_tools))
        lookup.cancel()
        return await lookup if role == "action" else None


class _Leases:
    def __init__(self, free: list[int]) -> None:
        self.free = free

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.free.pop()
        return all_tools


@faulty("R09")
async def leasing() -> _Leases:
    """Takes a connection from its pool on each call, and gives none back."""
    await asyncio.sleep(0)
    return _Leases([1, 2, 3])


class _Lookup:
    def __init__(self, key: Any) -> None:
        self.key = key

    def __await__(self) -> Generator[Any, None, Any]:
        yield
        return PLANS[self.key]


@faulty("R09")
class AwaitsALookup:
    """Awaits a lookup of its own making, which knows no other tenant."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        allowed = await _Lookup(tenant_of(state)) if role == "action" else ()
        return named(all_tools, allowed) or None


@faulty("R09", states="gallery.worlds:DRAWN_STATES")
class DividesByTheTurn:
    """Shows fewer tools the longer it goes on, and divides by the turn."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        turn = state.get("turn")
        return all_tools[: 30 // turn] or None if isinstance(turn, int) else None


@faulty(should="R09")
class TrustsTheType:
    """Is ready for a missing tenant, and not for one that is a number."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = (state.get("tenant_id") or "").casefold()
        return all_tools if tenant == "acme" else None


@faulty(should="R09", states="gallery.worlds:TENANTS")
class HashesTheTenant:
    """Looks the tenant up in a table, whatever it is, a list included."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        allowed = PLANS.get(state.get("tenant_id"), ())
        return named(all_tools, allowed) or None if scope_of(state) else None


@faulty("R09")
class CachesTheMethod:
    """Is under `lru_cache`, which can hash neither a dict nor a list."""

    @functools.lru_cache(maxsize=128)  # noqa: B019
    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, {"search"}) or None
