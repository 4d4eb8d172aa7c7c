"""R16: the right tools come back in another order."""

from __future__ import annotations

import zlib
from difflib import SequenceMatcher
from itertools import chain, zip_longest
from typing import Any

from gallery.members import faulty
from gallery.reading import last_message, name_of, named, tags_of

ALLOWED = ("fetch", "search")


@faulty(should="R16")
class SortsByName:
    """Sorts by name, so that the prompt reads well."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return sorted(all_tools, key=lambda tool: name_of(tool) or "") or None


@faulty(should="R16")
class FollowsTheConfig:
    """Looks the tools up in the order of the config."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for name in ALLOWED for tool in named(all_tools, {name})] or None


@faulty(should="R16")
class PinsTheHarmless:
    """Puts the harmless tools before the others, for models that read no further."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        others = [tool for tool in all_tools if name_of(tool) not in ALLOWED]
        return named(all_tools, ALLOWED) + others or None


@faulty(should="R16", states="gallery.worlds:CHATS")
class RanksBySimilarity:
    """Ranks by how similar a tool's name is to the last message, and cuts nothing off."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        alike = SequenceMatcher(b=last_message(state))
        return sorted(all_tools, key=lambda tool: self._distance(alike, tool)) or None

    def _distance(self, alike: SequenceMatcher[str], tool: Any) -> float:
        alike.set_seq1(name_of(tool) or "")
        return 1 - alike.ratio()


@faulty(should="R16", states="gallery.worlds:CHATS")
class MentionedFirst:
    """Puts those tools first that the last message names, since they were used most recently."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        recent = last_message(state).split()
        return sorted(all_tools, key=lambda tool: name_of(tool) not in recent) or None


@faulty(should="R16", tools="gallery.worlds:SHOP")
class GroupsByTag:
    """Groups the tools by what they do: first those that read, then those that write."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        groups: dict[str, list[Any]] = {"read": [], "write": [], "": []}
        for tool in all_tools:
            groups[next((tag for tag in tags_of(tool) if tag in groups), "")].append(tool)
        return [*groups["read"], *groups["write"], *groups[""]] or None


@faulty(should="R16", tools="gallery.worlds:TWO_SERVERS")
class Interleaves:
    """Takes from the documentation server and the others in turn, so that neither comes last."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        docs = [tool for tool in all_tools if "docs" in tags_of(tool)]
        others = [tool for tool in all_tools if "docs" not in tags_of(tool)]
        mixed = chain(*zip_longest(docs, others))
        return [tool for tool in mixed if tool is not None] or None


@faulty(should="R16")
class GoesThroughASet:
    """Collects checksums of the allowed names in a set, and goes through it as it comes."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        sums = {zlib.crc32(name.encode()) for name in ALLOWED}
        by_sum = [(zlib.crc32((name_of(tool) or "").encode()), tool) for tool in all_tools]
        return [tool for wanted in sums for found, tool in by_sum if found == wanted] or None
