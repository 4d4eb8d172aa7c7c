"""R06: the palette is put together from parts, and a tool is in more than one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Generator
from itertools import chain, cycle, islice
from typing import Any

from gallery.members import faulty
from gallery.reading import last_message, name_of, named, tags_of

PINNED = frozenset({"search"})
ALLOWED = {"action": {"search", "fetch"}, "default": {"fetch"}}


@faulty("R06")
class PinnedAndMatching:
    """Puts the pinned tools before those that the role matches, which may be the same."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        matching = named(all_tools, ALLOWED.get(role, ()))
        return [*named(all_tools, PINNED), *matching] or None


def _by_tag(all_tools: list[Any], tags: tuple[str, ...]) -> list[Any]:
    return list(chain(*([tool for tool in all_tools if tag in tags_of(tool)] for tag in tags)))


@faulty("R06", tools="gallery.worlds:SHOP")
class ChainsTags:
    """Collects the tools tag by tag, and one of them has two tags."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _by_tag(all_tools, ("write", "admin")) or None


@faulty("R06", tools="gallery.worlds:DRAWN_TOOLS")
class ChainsTagsOfMany:
    """Collects tools of all kinds by three tags, most of which they share."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _by_tag(all_tools, ("read", "write", "admin")) or None


@faulty("R06")
class FindsByEquality:
    """Finds the place of each tool with `index`, which takes the first equal one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [all_tools[all_tools.index(tool)] for tool in all_tools] or None


@faulty("R06", tools="gallery.worlds:TWO_SERVERS")
class FindsByName:
    """Indexes the tools by name, and two servers each have a tool of one name."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        by_name = {name_of(tool): tool for tool in all_tools if name_of(tool)}
        return [by_name[name] for t in all_tools if (name := name_of(t))] or None


@faulty("R06")
class PadsToThree:
    """Fills up to three tools, since the prompt's template has three places."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return list(islice(cycle(all_tools), 3)) or None


@faulty("R06")
class RecentFirst:
    """Puts what it showed lately before the rest, and notes it again each time."""

    def __init__(self) -> None:
        self.recent: list[Any] = []

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        lately = [tool for tool in self.recent if any(tool is t for t in all_tools)]
        rest = [tool for tool in all_tools if not any(tool is t for t in lately)]
        self.recent += all_tools[:1]
        return lately + rest or None


@faulty("R06")
class Samples:
    """Draws two tools to explore, and puts the first one back before it draws the second."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return random.Random(7).choices(all_tools, k=2) if all_tools else None


@faulty("R06", tools="gallery.worlds:SHOP", states="gallery.worlds:CHATS")
class MatchesEachWord:
    """Adds a tool for each word that names it, and a message may name it twice."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        words = last_message(state).replace(",", " ").split()
        return [tool for word in words for tool in named(all_tools, {word})] or None


class _Merged:
    def __init__(self, *palettes: list[Any]) -> None:
        self.palettes = palettes

    def __await__(self) -> Generator[Any, None, Any]:
        for _ in self.palettes:
            yield from asyncio.sleep(0).__await__()
        return [tool for palette in self.palettes for tool in palette] or None


@faulty("R06")
class MergesPolicies:
    """Merges the palettes of two policies that are awaited one after the other."""

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _Merged(named(all_tools, {"fetch"}), named(all_tools, {"fetch", "delete"}))
