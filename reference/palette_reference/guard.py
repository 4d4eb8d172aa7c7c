"""A guard for production: around any resolver, so that a host that trusts its answers is safe."""

from __future__ import annotations

import asyncio
import inspect
import logging
import types
from collections import Counter
from collections.abc import Coroutine, Generator, Sequence
from copy import copy
from typing import Any, TypeAlias

_Palette: TypeAlias = list[Any] | None

_log = logging.getLogger(__name__)


class GuardedResolver:
    """Asks `resolver`, and gives a palette of the tools that were shown, or `None`.

    What is wrong in an answer is dropped, and a call that fails abstains; the first fault of each
    kind is logged. A call that still waits after `deadline` seconds is cancelled, and abstains.

    No wrapper can mend code that blocks the event loop, a cancellation that is swallowed or turned
    into another error, answers mixed up between callers (the right tools, for the wrong tenant),
    and changes to a tool itself: to compare what tools hold would cost more than the call.
    """

    def __init__(self, resolver: Any, deadline: float = 1.0) -> None:
        self._resolver = resolver
        self._deadline = deadline
        self._warned: set[str] = set()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> _Palette:
        """Give a new list of tools of `all_tools`, or `None`; raise only what ends the caller."""
        shown = list(all_tools)
        try:
            result = await self._in_time(self._asked(state, role, all_tools))
        except BaseException as error:  # a policy that exits has failed, and no more than that
            if _ends_the_caller(error):
                raise
            # The name of the type, since the text of an error is the adopter's code.
            self._warn("exception", f" ({type(error).__qualname__})")
            return None
        palette, offences = contained(result, shown)
        for offence in offences:
            self._warn(offence)
        return palette

    async def _in_time(self, asked: Coroutine[Any, Any, Any]) -> Any:
        try:
            waits_for = asked.send(None)
        except StopIteration as stop:  # most policies never wait, and need no timer
            return stop.value
        result, timer = None, asyncio.timeout(self._deadline)
        try:
            async with timer:
                result = await _rest(asked, waits_for)
        except Exception:
            if not timer.expired():
                raise
        if timer.expired():  # also where an answer came all the same
            self._warn("deadline")
            return None
        return result

    async def _asked(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tools = list(all_tools)
        answer = self._resolver.resolve(_own(state, all_tools, tools), role, tools)
        if not inspect.isawaitable(answer):
            self._warn("no awaitable")
            return None
        return await answer

    def _warn(self, kind: str, detail: str = "") -> None:
        if kind not in self._warned:
            self._warned.add(kind)
            name = type(self._resolver).__qualname__
            _log.warning("a fault of %s is contained: %s%s", name, kind, detail)


def contained(result: Any, shown: Sequence[Any]) -> tuple[_Palette, tuple[str, ...]]:
    """Give what a host that showed `shown` can use of `result`, and the kinds of offence in it.

    What it can use are the instances in `shown`, in the order of `result`, none more often than
    there; `None` where nothing is left. The kinds: "empty", "no list", "foreign", "repeated".
    """
    if result is None:
        return None, ()
    if not issubclass(type(result), list):  # an object may lie about its class
        return None, ("no list",)
    elements = list.copy(result)  # a subclass may lie about what it holds
    if in_order(elements, shown):
        return elements or None, ("empty",) if shown and not elements else ()
    left, good, offences = Counter(map(id, shown)), [], set()
    for element in elements:
        if left[id(element)]:
            left[id(element)] -= 1
            good.append(element)
        else:
            offences.add("repeated" if id(element) in left else "foreign")
    return good or None, tuple(sorted(offences))


def in_order(elements: list[Any], shown: Sequence[Any]) -> bool:
    """Say whether `elements` are a part of `shown`, in its order, the same instances."""
    # A map of ids would be far dearer.
    wanted, found = [*elements, object()], 0  # the last one is found nowhere
    for tool in shown:
        found += tool is wanted[found]
    return found == len(elements)


def _own(state: Any, all_tools: list[Any], tools: list[Any]) -> Any:
    """Copy `state`, so that the caller's list is out of reach that way as well."""
    if not issubclass(type(state), dict):
        return state
    own = copy(state)
    routed = own.get("resolved_tools")
    if isinstance(routed, list):
        own["resolved_tools"] = tools if routed is all_tools else list(routed)
    return own


def _ends_the_caller(error: BaseException) -> bool:
    if issubclass(type(error), asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0
    return issubclass(type(error), (KeyboardInterrupt, GeneratorExit))


@types.coroutine
def _rest(steps: Coroutine[Any, Any, Any], waits_for: Any) -> Generator[Any, Any, Any]:
    """Await `steps`, of which the first was made by hand, and `waits_for` something."""
    while True:
        try:
            yield waits_for
        except BaseException as error:
            try:
                waits_for = steps.throw(error)
            except StopIteration as stop:
                return stop.value
        else:
            return (yield from steps)
