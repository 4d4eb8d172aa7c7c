"""R19: each time it is asked, it takes away more."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import mean
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named, tags_of

USES = {"search": 90, "fetch": 80, "delete": 10}


def _uses(tool: Any) -> int:
    return USES.get(name_of(tool) or "", 0)


@faulty(should="R18 R19")
class DropsTheLeastUsed:
    """Drops what is used least among the tools that are there."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        least = min(map(_uses, all_tools), default=0)
        return [tool for tool in all_tools if _uses(tool) > least] or None


@faulty(should="R18 R19")
class BetterThanAverage:
    """Keeps what is used more than the average tool on the list."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        average = mean(map(_uses, all_tools)) if all_tools else 0
        return [tool for tool in all_tools if _uses(tool) > average] or None


@faulty(should="R18 R19")
class CutsAtTheLargestGap:
    """Ranks the tools by use, and cuts where the numbers fall off most."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        ranks = sorted({*map(_uses, all_tools)}, reverse=True)
        gap = max(pairwise(ranks), key=lambda pair: pair[0] - pair[1], default=None)
        return None if gap is None else [tool for tool in all_tools if _uses(tool) >= gap[0]]


@faulty(should="R18 R19", tools="gallery.worlds:SHOP")
class DropsTheRarestTag:
    """Drops the tools with the rarest tag, which must be noise."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tags = Counter(tag for tool in all_tools for tag in tags_of(tool))
        rare = {tag for tag in tags if tags[tag] == min(tags.values())}
        return [tool for tool in all_tools if rare.isdisjoint(tags_of(tool))] or None


@faulty(should="R17 R18 R19")
class TakesEverySecond:
    """Thins the list out by taking every second tool."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if name_of(tool)][::2] or None


@faulty(should="R17 R18 R19")
class SkipsAHeading:
    """Skips the first tool, where the host once had a heading."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if name_of(tool)][1:] or None


@faulty(should="R18 R19")
class DropsTheLongest:
    """Drops the tool with the longest name, to save tokens."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = {name for tool in all_tools if (name := name_of(tool))}
        longest = max(names, key=lambda name: (len(name), name), default="")
        return named(all_tools, names - {longest}) or None
