"""Hosts that are broken, hostile, slow, or odd; each is otherwise the repaired recipe.

Most of them have no levers, so that there are few courses.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from palettecheck.host import CannotAriseError
from palettecheck.loading import find

_REPAIRED = Path(__file__).parent.parent / "adopters" / "handwritten" / "repaired.py"
Node: Any = find(f"{_REPAIRED}:Node")
EVIL = "\x1b[31m[bold]evil\n" + "y" * 300
DEAF = logging.getLogger("deaf")
DEAF.propagate = False

A_NUMBER = 7


class Small(Node):  # type: ignore[misc]
    levers = frozenset[str]()


class UnknownLever(Node):  # type: ignore[misc]
    levers = ("force", 3)


class LeversOfNoKind(Node):  # type: ignore[misc]
    levers = 5


class BuildRaises:
    def __init__(self, *given: Any) -> None:
        raise ConnectionError(EVIL)


class TakesNothing:
    pass


async def awaited(registry: Any, resolver: Any, always_include: Any) -> Any:
    await asyncio.sleep(0)
    return Small(registry, resolver, always_include)


async def never_built(*given: Any) -> None:
    await asyncio.Event().wait()


async def exits_when_built(*given: Any) -> None:
    raise SystemExit(3)


class NoIterate:
    def __init__(self, *given: Any) -> None: ...


class NotAwaitable(Small):
    def iterate(self, *given: Any) -> int:
        return 5


class Raises(Small):
    async def iterate(self, *given: Any) -> Any:
        raise LookupError(EVIL)


class GivesNone(Small):
    async def iterate(self, *given: Any) -> Any: ...


class GivesAGenerator(Small):
    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        return bound._replace(tools=(tool for tool in bound.tools))


class GivesAnOddChoice(Small):
    async def iterate(self, *given: Any) -> Any:
        return (await super().iterate(*given))._replace(tool_choice={"type": "auto"})


class ChangeRaises(Small):
    def change_registry(self, tools: Any) -> None:
        raise RuntimeError("not now")


class ToolRaises(Small):
    @staticmethod
    def tool(name: str) -> Any:
        raise RuntimeError("no such tool")


class Hostile:
    """Each of its methods raises; it has a name."""

    def __init__(self, name: str = EVIL) -> None:
        self.name = name

    def _raise(self, *given: Any) -> Any:
        raise ValueError(EVIL)

    __eq__ = __repr__ = __str__ = __len__ = __bool__ = __iter__ = _raise
    __hash__ = object.__hash__


class GivesHostile(Small):
    async def iterate(self, *given: Any) -> Any:
        return Hostile()


class HasHostileTools(Small):
    tool = Hostile


class BindsHostile(Small):
    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        return bound._replace(tools=[*bound.tools, Hostile()])


class ChoosesHostile(Small):
    levers = frozenset({"tool_choice"})

    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        return bound._replace(tool_choice=EVIL if len(bound.tools) > 1 else None)


class WritesHostileKeys(Small):
    async def iterate(self, state: Any, *given: Any) -> Any:
        state[Hostile()] = 1
        return await super().iterate(state, *given)


class Unreadable(list[Any]):
    def __iter__(self) -> Any:
        raise ValueError(EVIL)

    __len__ = __bool__ = __iter__


class BindsAnUnreadableList(Small):
    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        return bound._replace(tools=Unreadable(bound.tools))


class Flips:
    """What is bound is a list only when it is first looked at."""

    tool_choice = None

    def __init__(self, tools: list[Any]) -> None:
        self._answers = iter([tools])

    @property
    def tools(self) -> Any:
        return next(self._answers, 5)


class BindsOnce(Small):
    async def iterate(self, *given: Any) -> Any:
        return Flips((await super().iterate(*given)).tools)


class NeverForced(Node):  # type: ignore[misc]
    levers = ("tool_choice",)

    async def iterate(self, state: Any, tool_choice: str | None) -> Any:
        if tool_choice is not None:
            raise CannotAriseError(f"nothing is ever forced {EVIL}")
        return await super().iterate(state, tool_choice)


class Swallows(Small):
    """Binds what it gets; where it gets nothing, it sleeps and is not to be woken."""

    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        while len(bound.tools) > 1:
            with suppress(BaseException):
                await asyncio.sleep(60)
        return bound


class SwallowsInSilence(Small):
    """The same without a timer."""

    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        while len(bound.tools) > 1:
            with suppress(BaseException):
                await asyncio.Event().wait()
        return bound


class Empties(Small):
    """Binds nothing where there is one tool."""

    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        return bound._replace(tools=bound.tools if len(bound.tools) > 1 else [])


class EmptiesAndInterrupts(Empties):
    built = 0

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        EmptiesAndInterrupts.built += 1
        if EmptiesAndInterrupts.built == 120:
            os.kill(os.getpid(), signal.SIGINT)


class EmptiesAndSwallows(Swallows, Empties):
    pass


class Thread(Small):
    """A thread is at work for 5 ms in each iteration."""

    async def iterate(self, *given: Any) -> Any:
        await asyncio.to_thread(time.sleep, 0.005)
        return await super().iterate(*given)


class Exits(Small):
    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        if len(bound.tools) > 1:
            raise SystemExit(0)
        return bound


class CancelsItself(Small):
    async def iterate(self, *given: Any) -> Any:
        bound = await super().iterate(*given)
        task = asyncio.current_task()
        if len(bound.tools) > 1 and task is not None:
            task.cancel()
        return bound


class LeavesATaskThatExits(Small):
    async def iterate(self, *given: Any) -> Any:
        self.task = asyncio.ensure_future(exits_when_built())
        return await super().iterate(*given)


class WritesState(Small):
    async def iterate(self, state: Any, *given: Any) -> Any:
        state["seen"] = True
        return await super().iterate(state, *given)


class NoWords:
    def __str__(self) -> str:
        raise SystemExit(9)


class LogsWhatRaises(Small):
    async def iterate(self, *given: Any) -> Any:
        DEAF.warning("%d", "no number")
        DEAF.error(NoWords())
        return await super().iterate(*given)


class LogsInVain(Small):
    """Its one warning goes to a logger that hands nothing on."""

    def warn_once(self, *words: str) -> None:
        if words not in self.warned:
            self.warned.add(words)
            DEAF.warning(" ".join(words))


class NothingArises:
    """Says of each scenario that it cannot arise."""

    def __init__(self, *built: Any) -> None:
        raise CannotAriseError("there is nothing")


class OneToolForAll(NothingArises):
    """Makes the same object for each name."""

    tool = staticmethod(lambda name, one=object(): one)  # noqa: B008 - the point of it
