"""R20: a tool without a name, with an odd one, or a dict is too much for it, or kept by luck."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile
from types import SimpleNamespace
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named

ALLOWED = frozenset({"search", "fetch"})


@faulty(should="R20")
class ReadsTheAttribute:
    """Reads `.name` as if every tool were an object that has one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if tool.name in ALLOWED] or None


@faulty(should="R20")
class HashesTheName:
    """Asks a set whether it has the name, which may be a list."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if getattr(tool, "name", None) in ALLOWED] or None


@faulty(should="R20")
class TestsThePrefix:
    """Asks the name for its prefix, and a missing name is `None`."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = [getattr(tool, "name", "") for tool in all_tools]
        safe = [not name.startswith("delete") for name in names]
        return [tool for tool, keep in zip(all_tools, safe, strict=True) if keep] or None


@faulty(should="R20")
class IndexesTheSpec:
    """Is ready for dicts, and takes it that each has a name."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        named_tools = [
            (tool["name"] if isinstance(tool, dict) else name_of(tool), tool) for tool in all_tools
        ]
        return [tool for name, tool in named_tools if name in ALLOWED] or None


@faulty(should="R16 R17 R18 R20")
class SortsMixedNames:
    """Sorts by name, with an empty one for tools that have none, and a name may be a number."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return sorted(all_tools, key=lambda tool: getattr(tool, "name", None) or "")[:5] or None


@faulty(should="R20")
class MatchesAPattern:
    """Matches the names against a pattern, which takes strings only."""

    safe = re.compile(r"search|fetch")

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [t for t in all_tools if self.safe.match(getattr(t, "name", ""))] or None


@faulty(should="R20")
class LogsTheNames:
    """Joins the names for the log, and the log is its undoing."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.line = ", ".join(getattr(tool, "name", "?") for tool in all_tools)
        return named(all_tools, ALLOWED) or None


@faulty(should="R20")
class IndexesByName:
    """Makes a dict of names, and a name may be unhashable."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        by_name = {getattr(tool, "name", None): tool for tool in all_tools}
        return named(all_tools, ALLOWED.intersection(by_name)) or None


@faulty(should="R20")
def shop_allowlist() -> SimpleNamespace:
    """Is a function on a namespace, which measures how long the names are."""

    async def resolve(state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if len(getattr(tool, "name", "")) < 6] or None

    return SimpleNamespace(resolve=resolve)


@faulty(should="R20")
class LeadsWithAProviderTool:
    """Shows a provider tool alone where it comes first, and else does not know it."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if isinstance(next(iter(all_tools), None), dict):
            return all_tools[:1]
        return named(all_tools, ALLOWED) or None


@faulty(should="R20")
class HandsOverAtTheEnd:
    """Takes a nameless tool at the end for the way out to a human, and shows nothing else."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if all_tools and name_of(all_tools[-1]) is None:
            return all_tools[-1:]
        return named(all_tools, ALLOWED) or None


@faulty(should="R20")
class KeepsOneKind:
    """Shows either provider tools or named ones, whichever kind comes first."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        kinds = [isinstance(tool, dict) for tool in all_tools]
        return [tool for tool, kind in zip(all_tools, kinds, strict=True) if kind is kinds[0]]


@faulty(should="R20")
class KeepsTheNamelessAlone:
    """Shows provider tools only where nothing else is, so that they come and go."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        nameless = [tool for tool in all_tools if name_of(tool) is None]
        return named(all_tools, ALLOWED) or nameless or None


@faulty(should="R20")
class KeepsTheHeader:
    """Takes the provider tools for a header of the list, and misses those further down."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        header = list(takewhile(lambda tool: isinstance(tool, dict), all_tools))
        return header + named(all_tools, ALLOWED) or None


@faulty(should="R20")
class KeepsCompanions:
    """Keeps a nameless tool right behind an allowed one, as the two were registered together."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        pairs = pairwise([None, *all_tools])
        named = [(before if name_of(tool) is None else tool, tool) for before, tool in pairs]
        return [tool for by, tool in named if name_of(by) in ALLOWED] or None
