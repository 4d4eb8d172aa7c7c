"""R01: what is shown has the right name, and is another object."""

from __future__ import annotations

import asyncio
import copy
from types import SimpleNamespace
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named

ALLOWED = frozenset({"search", "fetch"})


@faulty("R01")
class CopiesToAnnotate:
    """Adds a hint for the role to a copy of each tool, so that the original stays clean."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = [copy.copy(tool) for tool in named(all_tools, ALLOWED)]
        for tool in palette:
            tool.description = f"[{role}] {tool.description}"
        return palette or None


@faulty("R01")
class RebuildsFromSchema:
    """Keeps a catalogue of definitions, and makes the tool anew from it on each call."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = [name_of(tool) for tool in named(all_tools, ALLOWED)]
        return [SimpleNamespace(name=name, description="") for name in names] or None


class _Retrying:
    def __init__(self, tool: Any) -> None:
        self.tool, self.name = tool, tool.name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self.tool, attribute)


@faulty("R01")
class WrapsToRetry:
    """Puts a wrapper that retries around the tools that go over the network."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [_Retrying(t) if name_of(t) == "fetch" else t for t in all_tools] or None


@faulty("R01", tools="gallery.worlds:PROVIDER")
class MarksForThePromptCache:
    """Gives the last tool a cache mark, on a new dict, since the old one is not its own."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if not all_tools or not isinstance(all_tools[-1], dict):
            return None
        return [*all_tools[:-1], {**all_tools[-1], "cache_control": {"type": "ephemeral"}}]


@faulty("R01", tools="gallery.worlds:MODELS", states="gallery.worlds:TENANTS")
class CopiesForATenant:
    """Describes the tools in one tenant's language, through the models' own copy method."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if state.get("tenant_id") != "globex":
            return None
        german = {"description": "Sucht."}
        return [tool.model_copy(update=german) for tool in named(all_tools, ALLOWED)] or None


@faulty("R01")
class DeepCopiesTheState:
    """Takes a deep copy of the state, to be safe, and narrows the routed tools in there."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        routed = copy.deepcopy(state).get("resolved_tools")
        return named(routed, ALLOWED) or None if routed else None


@faulty("R01")
class CachesByNames:
    """Keys its cache by the tools' names, and misses that a reload has made new ones."""

    def __init__(self) -> None:
        self.palettes: dict[tuple[str | None, ...], Any] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        key = tuple(map(name_of, all_tools))
        if key not in self.palettes:
            self.palettes[key] = named(all_tools, ALLOWED) or None
        return self.palettes[key]


class _Catalogue:
    def __init__(self, definitions: dict[str, SimpleNamespace]) -> None:
        self.definitions = definitions

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        await asyncio.sleep(0)
        names = [name_of(tool) for tool in all_tools]
        return [self.definitions[name] for name in names if name in self.definitions] or None


@faulty("R01")
async def catalogued() -> _Catalogue:
    """Fetches the catalogue of tools first, and answers from it by name."""
    await asyncio.sleep(0)
    return _Catalogue({name: SimpleNamespace(name=name, tags=["catalogue"]) for name in ALLOWED})
