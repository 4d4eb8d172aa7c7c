"""Counts the calls of a subject without a change to the engine: the target is one that delegates.

The engine reads signatures, and how deep a traceback is. So no frame may come in between, and what
is counted is how often the method is looked up, which a host does anew for each call. Where a call
raises a `TypeError`, the engine may look it up once more, for the signature.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from palettecheck.subject import opened

TARGET = f"{__name__}:current"


class Counted:
    """A target that opens another one. `calls`: how often it was called, on any instance."""

    def __init__(self, target: str) -> None:
        self.calls = 0
        self._target = target
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> _Counting:
        subject = await self._stack.enter_async_context(opened(self._target, []))
        self.calls -= 1  # it is looked up once to see whether it is there
        return _Counting(subject.resolver, self)

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()


class _Counting:
    def __init__(self, resolver: Any, tally: Counted) -> None:
        self._resolver, self._tally = resolver, tally

    @property
    def resolve(self) -> Callable[..., Any]:
        self._tally.calls += 1
        method: Callable[..., Any] = self._resolver.resolve
        return method


current: Counted | None = None


def count(target: str) -> Counted:
    """Make `TARGET` stand for `target`, and give what counts its calls."""
    global current
    current = Counted(target)
    return current
