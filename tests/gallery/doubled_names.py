"""Faults that wait for two tools of one name, or three."""

from __future__ import annotations

import copy
from collections import Counter
from itertools import count, groupby, pairwise
from types import SimpleNamespace
from typing import Any

from gallery.members import correct, faulty
from gallery.reading import name_of, named


def _doubled(tools: list[Any], times: int = 2) -> list[str]:
    counted = Counter(name for tool in tools if (name := name_of(tool)) is not None)
    return [name for name in counted if counted[name] >= times]


def _by_name(tools: list[Any]) -> list[list[Any]]:
    groups = groupby(sorted(tools, key=lambda t: name_of(t) or ""), lambda t: name_of(t) or "")
    return [list(group) for _, group in groups]


@faulty("R09")
class RefusesDoubledNames:
    """Builds an index of names, and takes a doubled one for a mistake in the registry."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if doubled := _doubled(all_tools):
            raise ValueError(f"duplicate tool names: {doubled}")
        return named(all_tools, {"search"}) or None


@correct(should="R18")
class AbstainsOnDoubledNames:
    """Builds an index of names, and abstains where one of them is doubled."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if _doubled(all_tools):
            return None
        return named(all_tools, {"search"}) or None


@faulty("R03")
class DropsTheAmbiguous:
    """Hides each name that more than one server has, although that may be all there is."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        doubled = _doubled(all_tools)
        return [tool for tool in all_tools if name_of(tool) not in doubled]


@correct(should="R18")
class DropsTheAmbiguousOrAbstains:
    """Hides each name that more than one server has, unless that is all there is."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        doubled = _doubled(all_tools)
        return [tool for tool in all_tools if name_of(tool) not in doubled] or None


@faulty("R02")
class NumbersCopies:
    """Puts a copy with a number behind its name in the place of each further tool of a name."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        counters = {name: count(1) for name in _doubled(all_tools)}
        numbers = [next(counters.get(name_of(tool), count(1))) for tool in all_tools]
        return [self._numbered(t, n) for t, n in zip(all_tools, numbers, strict=True)] or None

    def _numbered(self, tool: Any, number: int) -> Any:
        if number == 1:
            return tool
        tool = copy.copy(tool)
        tool.name += f"_{number}"
        return tool


@faulty("R07")
class NumbersInPlace:
    """Renames each further tool of a name, and so renames the host's."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for name in _doubled(all_tools):
            for number, tool in enumerate(named(all_tools, {name})[1:], 2):
                tool.name = f"{name}_{number}"
        return all_tools or None


@faulty("R01")
class MergesDescriptions:
    """Merges the tools of a name into a copy of the first, described as all of them together."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        doubled = _doubled(all_tools)
        single = [tool for tool in all_tools if name_of(tool) not in doubled]
        return single + [self._merged(named(all_tools, {name})) for name in doubled] or None

    def _merged(self, tools: list[Any]) -> Any:
        merged = copy.copy(tools[0])
        merged.description = " ".join(str(tool.description) for tool in tools)
        return merged


@faulty("R04")
class GivesItsIndex:
    """Gives the values of its index by name where the index is shorter than the list."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        index = {name_of(tool) or id(tool): tool for tool in all_tools}
        return index.values() if len(index) < len(all_tools) else None


@correct(should="R16 R17 R18")
class ListsItsIndex:
    """Gives the values of its index by name, the last of each, in a list."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        index = {name_of(tool) or id(tool): tool for tool in all_tools}
        return list(index.values()) or None


@faulty(should="R12")
class BalancesServers:
    """Sends each call to another of the servers that have a tool of the same name."""

    def __init__(self) -> None:
        self.calls = 0

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.calls += 1
        groups = [named(all_tools, {name}) for name in _doubled(all_tools)]
        off = {id(t) for g in groups for i, t in enumerate(g) if i != self.calls % len(g)}
        return [tool for tool in all_tools if id(tool) not in off] or None


@faulty(should="R16")
class BringsNamesTogether:
    """Puts the tools of a name side by side, which moves the ones in between."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        groups: dict[Any, list[Any]] = {}
        for tool in all_tools:
            groups.setdefault(name_of(tool) or id(tool), []).append(tool)
        return [tool for group in groups.values() for tool in group] or None


@faulty("R06")
class ComparesVersions:
    """Pairs each tool with the next of its name, so that of three the middle one comes twice."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        pairs = [pair for group in _by_name(all_tools) for pair in pairwise(group)]
        return [tool for pair in pairs for tool in pair if name_of(tool)] or None


@faulty("R09")
class ExpectsOldAndNew:
    """Knows that a migration has two tools of a name, and meets a third."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        hidden = []
        for name in _doubled(all_tools):
            old, _new = named(all_tools, {name})
            hidden.append(id(old))
        return [tool for tool in all_tools if id(tool) not in hidden] or None


@correct(should="R17 R18")
class KeepsTheNewest:
    """Knows that a migration has several tools of a name, and shows the last one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        older = {id(tool) for n in _doubled(all_tools) for tool in named(all_tools, {n})[:-1]}
        return [tool for tool in all_tools if id(tool) not in older] or None


@faulty("R02")
class PutsARouterInFront:
    """Shows one tool of its own instead, where three servers or more have one of a name."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        crowded = _doubled(all_tools, times=3)
        routers = [SimpleNamespace(name=f"any_{name}", description="") for name in crowded]
        return [t for t in all_tools if name_of(t) not in crowded] + routers or None
