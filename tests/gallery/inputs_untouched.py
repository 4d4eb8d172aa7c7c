"""R07: the list or the tools that were handed in are changed, for good or for a while."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named, tags_of, tenant_of


@faulty("R07")
class RemovesTheDangerous:
    """Takes the dangerous tools out of the list that it was given."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, {"delete"}):
            all_tools.remove(tool)
        return None


@faulty("R07")
class PopsOneATime:
    """Keeps the last tool in hand by taking it off the list."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [all_tools.pop()] if role == "action" and all_tools else None


@faulty("R07")
class SortsInPlace:
    """Ranks the tools where they are, and shows the best five."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        all_tools.sort(key=lambda tool: name_of(tool) or "")
        return all_tools[:5] or None


@faulty("R07")
class NarrowsWhatWasRouted:
    """Narrows the routed list in the state, which is the very list it was given."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        routed = state.get("resolved_tools")
        if routed and name_of(routed[-1]) == "delete":
            del routed[-1]
        return None


@faulty("R07")
class HidesWhileAsking:
    """Hides the dangerous tools while the policy is asked, and puts them back afterwards."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        before = list(all_tools)
        all_tools[:] = [tool for tool in before if name_of(tool) != "delete"]
        try:
            await asyncio.sleep(0)
        finally:
            all_tools[:] = before
        return None


@faulty("R07")
class SwapsBetweenWaits:
    """Asks twice, with the list reversed for the second time."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        await asyncio.sleep(0)
        all_tools.reverse()
        await asyncio.sleep(0)
        all_tools.reverse()
        return None


class _Refilled:
    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        kept = list(all_tools)
        all_tools.clear()
        for tool in kept:
            await asyncio.sleep(0)
            all_tools.append(tool)
        return kept or None


@faulty("R07")
@asynccontextmanager
async def refilling() -> AsyncIterator[_Refilled]:
    """Clears the list and fills it again, tool by tool, as each one is checked."""
    yield _Refilled()


@faulty("R07")
class RelabelsWhileAsking:
    """Shortens a description while the policy is asked, and puts it back afterwards."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, {"search"}):
            before, tool.description = tool.description, "(being looked at)"
            await asyncio.sleep(0)
            tool.description = before
        return None


@faulty("R07", tools="gallery.worlds:SCHEMED")
class HidesAParameter:
    """Takes the parameter that the host fills in out of the schema, which is a class."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, {"search"}):
            tool.args_schema.model_fields.pop("tenant", None)
        return None


@faulty("R07")
class AnnotatesMetadata:
    """Writes into each tool's metadata for whom it was shown."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, {"search", "fetch"}):
            tool.metadata["shown_to"] = role
        return None


@faulty("R07", tools="gallery.worlds:LABELLED", states="gallery.worlds:TENANTS")
class LabelsOnce:
    """Gives a paid tool a label in its description, where it has none yet."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, {"refund"}):
            if not tool.description.startswith("[paid]"):
                tool.description = f"[paid] {tool.description}"
        return None


@faulty("R07")
class TagsTheRole:
    """Adds the role to the tags, for the search that comes later."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in all_tools:
            if role not in tags_of(tool):
                tags_of(tool).append(role)
        return [tool for tool in all_tools if role in tags_of(tool)] or None


@faulty("R07")
class RenamesForATenant:
    """Puts the tenant before each name, so that two tenants' tools differ."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if tenant_of(state) == "acme":
            for tool in named(all_tools, {"search"}):
                tool.name = f"acme_{tool.name}"
        return None


@faulty("R07", tools="gallery.worlds:PROVIDER")
class ShortensDescriptions:
    """Cuts the descriptions of provider tools, to save tokens."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in all_tools:
            if isinstance(tool, dict) and "description" in tool:
                tool["description"] = tool["description"][:-1]
        return None


@faulty("R07")
class ExtendsWhatItRemembers:
    """Remembers the first list itself, not a copy, and adds to it what comes later."""

    def __init__(self) -> None:
        self.known: list[Any] | None = None

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if self.known is None:
            self.known = all_tools
        self.known += [t for t in all_tools if not any(t is known for known in self.known)]
        return None


@faulty("R07")
class SortsInTheBackground:
    """Leaves the ranking to a task, which gets to the list when the answer is long given."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        task = asyncio.create_task(self._rank(all_tools))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return None

    async def _rank(self, tools: list[Any]) -> None:
        tools.sort(key=lambda tool: name_of(tool) or "")


@faulty("R07")
class PreparesATenantOnce:
    """Turns the list around when a tenant comes for the first time, and never again."""

    def __init__(self) -> None:
        self.ready: set[str] = set()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = tenant_of(state)
        if tenant == "acme" and tenant not in self.ready and len(all_tools) > 1:
            self.ready.add(tenant)
            all_tools.reverse()
        return named(all_tools, {"search", "fetch"}) or None if tenant is None else None


@faulty("R07")
class VetsEachToolOnce:
    """Writes on each tool that it was vetted for the role, and remembers that it did."""

    def __init__(self) -> None:
        self.vetted: dict[int, Any] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, {"search"}) if role == "default" else ():
            if id(tool) not in self.vetted:
                self.vetted[id(tool)] = tool
                tool.description = f"{tool.description} (vetted)"
        return named(all_tools, {"search", "fetch"}) or None


@faulty("R07", "R09")
class StumblesWhileItTags:
    """Tags each tool, and fails at the first call of a tenant, whose cache is cold."""

    def __init__(self) -> None:
        self.cold = True

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in all_tools:
            if "seen" not in tags_of(tool) and hasattr(tool, "tags"):
                tool.tags.append("seen")
        if self.cold and role == "default" and tenant_of(state) and all_tools:
            self.cold = False
            raise RuntimeError("cold cache")
        return named(all_tools, {"search", "fetch"}) or None
