"""R12: the same call gives something else each time."""

from __future__ import annotations

import random
from itertools import count, cycle
from typing import Any

from gallery.members import faulty
from gallery.reading import name_of, named


@faulty(should="R12")
class TakesTurns:
    """Shows one tool at a time in turn, to spread the load."""

    def __init__(self) -> None:
        self.turns = count()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        pool = [tool for tool in all_tools if name_of(tool)]
        return [pool[next(self.turns) % len(pool)]] if pool else None


@faulty(should="R12")
class AlternatesArms:
    """Runs an A/B test by the call, not by the conversation."""

    def __init__(self) -> None:
        self.arms = cycle([{"search"}, {"search", "fetch"}])

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, next(self.arms)) or None


@faulty(should="R12 R16")
class Shuffles:
    """Shuffles the tools, since models prefer the first ones."""

    def __init__(self) -> None:
        self.random = random.Random(7)

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.random.sample(all_tools, len(all_tools)) or None


class _Rotating:
    def __init__(self, clock: count[int]) -> None:
        self.clock = clock

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        start = next(self.clock) % (len(all_tools) or 1)
        return all_tools[start:] + all_tools[:start] or None


@faulty(should="R12 R16")
def rotating() -> _Rotating:
    """Turns the list a little further with each tick of a clock, so that no tool is always last."""
    return _Rotating(count())


@faulty(should="R12")
class AvoidsTheLast:
    """Shows one tool, and never the one that it showed last, so that the model tries others."""

    last: str | None = None

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in all_tools:
            if name_of(tool) not in (None, self.last):
                self.last = tool.name
                return [tool]
        return None


@faulty(should="R12")
class TurnsThePage:
    """Shows two tools on a page, and the next page on the next call."""

    def __init__(self) -> None:
        self.page = 0

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        pages = [all_tools[i : i + 2] for i in range(0, len(all_tools), 2)]
        self.page += 1
        return pages[self.page % len(pages)] if pages else None
