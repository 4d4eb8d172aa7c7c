"""R18: whether a tool is kept hangs on other tools, which routing may have removed."""

from __future__ import annotations

from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named, tags_of

ALLOWED = frozenset({"search", "fetch"})
USES = {"search": 90, "fetch": 50, "delete": 10}
COVERED = {"fetch": "search"}
NEEDS = {"refund": "quote"}


@faulty(should="R18")
class NarrowsLongLists:
    """Leaves short lists as they are, since two tools confuse no model."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or None if len(all_tools) > 2 else None


@faulty(should="R18")
class KeepsTheMostUsed:
    """Shows what is used most among the tools that are there."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = [name for tool in all_tools if (name := name_of(tool)) in USES]
        return named(all_tools, {max(names, key=USES.__getitem__)}) if names else None


@faulty(should="R18")
class HidesWhatIsCovered:
    """Hides a tool where a better one is there, too."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = {name_of(tool) for tool in all_tools}
        return [t for t in all_tools if COVERED.get(name_of(t) or "", "-") not in names] or None


@faulty(should="R18", tools="gallery.worlds:SHOP")
class WeighsTheWriters:
    """Hides the tools that write where they are the majority."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        others = [tool for tool in all_tools if "write" not in tags_of(tool)]
        return others or None if len(others) < len(all_tools) / 2 else None


@faulty(should="R18", tools="gallery.worlds:SHOP")
class WantsCompanions:
    """Shows a tool only beside the one that it needs, a refund beside a quote."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = {name_of(tool) for tool in all_tools}
        return [t for t in all_tools if NEEDS.get(name := name_of(t) or "", name) in names] or None


@faulty(should="R18")
class WantsAChoice:
    """Abstains where the allowlist would leave the model no choice."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = named(all_tools, ALLOWED)
        return palette if len(palette) > 1 else None
