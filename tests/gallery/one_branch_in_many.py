"""Faults in one branch of eight or more: all the others are right."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any
from zlib import crc32

from gallery.members import correct, faulty
from gallery.reading import last_message, name_of, named, scope_of, tenant_of

_Branch = Callable[[list[Any]], Any]


def _only(*names: str) -> _Branch:
    return lambda tools: named(tools, names) or None


def _everything(tools: list[Any]) -> Any:
    return None


def _bucket(tool: Any, buckets: int) -> int:
    return crc32((name_of(tool) or "").encode()) % buckets


SHOPS: dict[str, _Branch] = {
    "shop-0": _only("search"),
    "shop-1": _only("search", "fetch"),
    "shop-2": _everything,
    "shop-3": _only("fetch"),
    "shop-4": lambda tools: [t for t in tools if name_of(t) != "delete"] or None,
    "shop-5": _everything,
    "shop-6": _only("fetch", "delete"),
    "shop-8": lambda tools: list(tools) or None,
}


@faulty("R03", states="gallery.worlds:FRANCHISES")
class HasABranchForEachShop:
    """Has a policy for each of nine shops, and forgets in one that nothing may be left."""

    policies: dict[str, _Branch] = SHOPS | {"shop-7": lambda tools: named(tools, {"refund"})}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.policies.get(tenant_of(state) or "", _everything)(all_tools)


@correct(states="gallery.worlds:FRANCHISES")
class AbstainsForEachShop:
    """Has a policy for each of nine shops, and abstains in each where nothing is left."""

    policies: dict[str, _Branch] = SHOPS | {"shop-7": _only("refund")}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.policies.get(tenant_of(state) or "", _everything)(all_tools)


@faulty(should="R12", states="gallery.worlds:FRANCHISES")
class TestsInOneShop:
    """Tries two arms in turn in one of twelve shops."""

    def __init__(self) -> None:
        self.calls = 0

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if tenant_of(state) != "shop-10":
            return SHOPS.get(tenant_of(state) or "", _everything)(all_tools)
        self.calls += 1
        return all_tools[self.calls % 2 :] or None


CELLS = {
    ("action", "eu"): ("search",),
    ("action", "us"): ("search", "fetch"),
    ("action", "jp"): ("fetch",),
    ("default", "eu"): ("search", "delete"),
    ("default", "us"): ("delete",),
    ("default", "br"): ("search",),
}


@faulty("R04", states="gallery.worlds:REGIONS")
class FreezesOneCell:
    """Has a cell for each role and region, and freezes what it shows in one of the twelve."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        cell = (role, scope_of(state).get("region"))
        if cell == ("default", "jp"):
            return tuple(all_tools)
        return named(all_tools, CELLS.get(cell, ())) or None


def _dealt(tools: list[Any], hands: int, step: int) -> list[Any]:
    return [tool for hand in range(hands) for tool in tools[hand::step]]


@faulty("R06")
class DealsIntoColumns:
    """Lays the tools out in as many columns as fit, and counts one too many in one of eight."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        match len(all_tools) % 8:
            case 0 | 4:
                return _dealt(all_tools, 4, 4) or None
            case 3 | 6:
                return _dealt(all_tools, 3, 3)
            case 5:
                return _dealt(all_tools, 4, 3)
            case _:
                return None


@correct(should="R16")
class DealsEachOnce:
    """Lays the tools out in as many columns as fit, which is its order, knowingly."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        columns = (4, 1, 2, 3, 4, 3, 3, 1)[len(all_tools) % 8]
        return _dealt(all_tools, columns, columns) or None


@faulty("R01")
class RefreshesOneBucket:
    """Spreads the tools over sixteen buckets by their names, and copies those of one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        fresh = [copy.copy(t) if self._is_stale(t) else t for t in all_tools]
        return fresh or None

    def _is_stale(self, tool: Any) -> bool:
        return name_of(tool) is not None and _bucket(tool, 16) == 11


@faulty("R09")
class LosesAShard:
    """Asks one of twelve shards for each name, and one of these has no allowlist."""

    shards = (*({"search", "fetch"} for _ in range(9)), None, {"fetch"}, {"search"})

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if self._allows(tool)] or None

    def _allows(self, tool: Any) -> bool:
        return name_of(tool) is not None and name_of(tool) in self.shards[_bucket(tool, 12)]


@correct()
class DoesWithoutAShard:
    """Asks one of twelve shards for each name, and allows nothing where that has no allowlist."""

    shards = LosesAShard.shards

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        allowed = [self.shards[_bucket(tool, 12)] or () for tool in all_tools]
        pairs = zip(all_tools, allowed, strict=True)
        return [tool for tool, names in pairs if name_of(tool) in names] or None


INTENTS: dict[str, _Branch] = {
    "search": _only("search"),
    "quote": _only("search", "fetch"),
    "refund": _only("delete"),
    "compare": _only("search", "fetch"),
    "order": lambda tools: list(tools) or None,
    "cancel": _only("delete", "fetch"),
    "track": _only("fetch"),
    "leave": _everything,
}


@faulty("R02", states="gallery.worlds:INTENTS")
class NamesToolsForOneIntent:
    """Gives names in place of the tools for one of the nine intents that it knows."""

    intents = INTENTS | {
        "complain": lambda tools: [name_of(t) for t in named(tools, {"fetch"})] or None
    }

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.intents.get(last_message(state), _everything)(all_tools)


@correct(states="gallery.worlds:INTENTS")
class GivesToolsForEachIntent:
    """Gives tools for each of the nine intents that it knows."""

    intents = INTENTS | {"complain": _only("fetch")}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.intents.get(last_message(state), _everything)(all_tools)


def _dropped(tools: list[Any]) -> Any:
    tools.pop()
    return tools or None


@faulty("R07", states="gallery.worlds:INTENTS")
class DropsForOneIntent:
    """Takes the last tool off the host's list for one of the ten intents."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if last_message(state) == "greet" and len(all_tools) > 1:
            return _dropped(all_tools)
        return INTENTS.get(last_message(state), _everything)(all_tools)


@faulty(should="R08", states="gallery.worlds:PLANS")
class CountsOnePlan:
    """Counts in the state how often it was asked, for one of twelve plans."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        match state.get("plan"):
            case "free" | "trial" | "student":
                return named(all_tools, {"search"}) or None
            case "starter" | "solo" | "team":
                return named(all_tools, {"search", "fetch"}) or None
            case "agency":
                state["asked"] = 1
                return None
            case _:
                return None
