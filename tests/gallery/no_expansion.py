"""R02: what is shown was not on offer, least of all when intent routing had removed it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named
from gallery.worlds import SAME, SHOP

ALLOWED = ("search", "fetch")
NEEDS = {"refund": "quote"}


@faulty("R02")
class AddsAFinishTool:
    """Adds a tool with which the model can say that it is done."""

    finish = SimpleNamespace(name="finish", description="Say that you are done.")

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [*all_tools, self.finish] if role == "action" and all_tools else None


@faulty("R02")
class GivesNames:
    """Gives the names of the tools, as its config has them."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [name_of(tool) for tool in named(all_tools, ALLOWED)] or None


@faulty("R02")
class LooksNamesUp:
    """Looks each allowed name up in a dict, and gives `None` for a tool that is not there."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        by_name = {name_of(tool): tool for tool in all_tools}
        return [by_name.get(name) for name in ALLOWED]


@faulty("R01", "R02")
class RemembersWhatItSaw:
    """Remembers each tool that it was ever shown, and brings back what routing has removed."""

    def __init__(self) -> None:
        self.seen: dict[str, Any] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, ALLOWED):
            self.seen.setdefault(tool.name, tool)
        return list(self.seen.values()) or None


@faulty("R01", "R02")
class CachesByRole:
    """Works a role's palette out once, as roles do not change."""

    def __init__(self) -> None:
        self.palettes: dict[str, list[Any]] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if role not in self.palettes and (palette := named(all_tools, ALLOWED)):
            self.palettes[role] = palette
        return self.palettes.get(role)


_PALETTES: dict[str, list[Any]] = {}


@faulty("R01", "R02")
class CachesInTheModule:
    """Shares the palettes by role between all instances, in a global."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if role not in _PALETTES and (palette := named(all_tools, ALLOWED)):
            _PALETTES[role] = palette
        return _PALETTES.get(role)


@faulty("R01", "R02")
class CachesByCount:
    """Takes it that the tools are the same ones when there are as many for the role."""

    def __init__(self) -> None:
        self.palettes: dict[tuple[str, int], Any] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        key = (role, len(all_tools))
        if key not in self.palettes:
            self.palettes[key] = named(all_tools, ALLOWED) or None
        return self.palettes[key]


@faulty("R02")
class Groups:
    """Gives the tools in groups, one list for each."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        reading, writing = named(all_tools, ALLOWED), named(all_tools, {"delete"})
        return [group for group in (reading, writing) if group] or None


@faulty("R02")
class ConvertsToSpecs:
    """Gives what the provider's API takes, to save the host the conversion."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = named(all_tools, ALLOWED)
        return [{"type": "function", "function": {"name": t.name}} for t in palette] or None


@faulty("R01", "R02", tools="gallery.worlds:SHOP", states="gallery.worlds:PINNED")
class KeepsWhatTheUserPinned:
    """Shows the tools that the user pinned in the state, on offer or not."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        pinned = state.get("pinned")
        return pinned[:] or None if isinstance(pinned, list) else None


@faulty("R01", "R02", tools="gallery.worlds:SAME")
class ComparesWithPinned:
    """Takes its pinned tools for present when an equal one is, and these tools equal everything."""

    pinned = SAME[:1]

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in self.pinned if tool in all_tools] or None


@faulty("R02", tools="gallery.worlds:SHOP")
class BringsDependencies:
    """Adds from the catalogue what a tool needs, a quote before each refund."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = {name for tool in all_tools if (name := name_of(tool))}
        missing = {NEEDS[name] for name in names if name in NEEDS} - names
        return [*all_tools, *named(SHOP, missing)] if missing else None


class _FallsBack:
    def __init__(self, essentials: list[Any]) -> None:
        self.essentials = essentials

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        await asyncio.sleep(0)
        return named(all_tools, ALLOWED) or self.essentials


@faulty("R02")
async def falling_back() -> _FallsBack:
    """Loads some essentials first, and shows them where the allowlist meets nothing."""
    await asyncio.sleep(0)
    return _FallsBack([SimpleNamespace(name="ask_human", description="Ask a human.")])
