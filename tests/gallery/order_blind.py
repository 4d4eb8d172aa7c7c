"""R17: which tools are kept hangs on the order in which they were registered."""

from __future__ import annotations

from itertools import pairwise, takewhile
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, tags_of


def _with_names(tools: list[Any]) -> list[Any]:
    return [tool for tool in tools if name_of(tool)]


@faulty(should="R17 R18")
class StopsAtTheFirstBlocked:
    """Leaves the loop at a blocked tool where it should go on to the next."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = []
        for tool in _with_names(all_tools):
            if tool.name == "delete":
                break
            palette.append(tool)
        return palette or None


@faulty(should="R17 R18")
class SlicesUpToAMarker:
    """Shows the list up to a tool that the team registers as the last public one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tools = _with_names(all_tools)
        names = [tool.name for tool in tools]
        return tools[: names.index("fetch") + 1] if "fetch" in names else None


@faulty(should="R17 R18")
class FirstOfAName:
    """Shows the first tool of each name, and two servers may have one of that name."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        first: dict[str, Any] = {}
        for tool in _with_names(all_tools):
            first.setdefault(tool.name, tool)
        return list(first.values()) or None


@faulty(should="R17 R18")
class KeepsTheFirstTwo:
    """Cuts the list off after two tools."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _with_names(all_tools)[:2] or None


@faulty(should="R17 R18")
class NeedsItsNeighbour:
    """Shows `fetch` only right behind `search`, as the two are registered in a pair."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = pairwise([None, *map(name_of, all_tools)])
        keeps = [name != "fetch" or before == "search" for before, name in names]
        return [tool for tool, keep in zip(all_tools, keeps, strict=True) if keep] or None


@faulty(should="R17 R18")
class SpendsABudget:
    """Fills the prompt in the order of the list until it has spent its twelve characters."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette, left = [], 12
        for tool in _with_names(all_tools):
            left -= len(tool.name)
            if left < 0:
                break
            palette.append(tool)
        return palette or None


@faulty(should="R17 R18", tools="gallery.worlds:TWO_SERVERS")
class FollowsTheFirst:
    """Keeps to the server that the first tool is from."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        servers = [tags_of(tool)[-1:] for tool in all_tools if tags_of(tool)]
        return [tool for tool in all_tools if tags_of(tool)[-1:] in servers[:1]] or None


@faulty(should="R17 R18", tools="gallery.worlds:SHOP")
class ReadsUntilTheFirstWrite:
    """Shows the tools that come before the first one that writes."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return list(takewhile(lambda t: "write" not in tags_of(t), _with_names(all_tools))) or None


@faulty(should="R17 R18 R19")
class TrimsBothEnds:
    """Cuts off the first and the last tool, where the host once had its own two."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _with_names(all_tools)[1:-1] or None
