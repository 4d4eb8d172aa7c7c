"""Targets of every kind, good and bad, for the tests that load them by name."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any

from hypothesis import strategies as st

log: list[str] = []


class Everything:
    """Shows everything."""

    def __init__(self, greeting: str = "") -> None:
        log.append(f"built {greeting}".strip())

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools


class Entered(Everything):
    """A resolver that is its own context manager."""

    async def __aenter__(self) -> Entered:
        log.append("entered")
        return self

    async def __aexit__(self, *error: object) -> None:
        log.append("closed")


class ClosesBadly(Entered):
    async def __aexit__(self, *error: object) -> None:
        raise RuntimeError("pool is gone")


class Attributes:
    """Holds a resolver further down."""

    inner = Everything("inner")


instance = Everything("instance")
from_partial = partial(Everything, "partial")
nothing = None


def factory() -> Everything:
    return Everything("factory")


async def async_factory() -> Everything:
    return Everything("async factory")


@asynccontextmanager
async def context() -> AsyncIterator[Everything]:
    log.append("opened")
    yield Everything("context")
    log.append("closed")


def needs_arguments(db: object) -> Everything:
    raise AssertionError("never called")


def raises() -> Everything:
    raise ConnectionError("no \x1b[31mdatabase")


def exits() -> Everything:
    sys.exit(3)


async def async_raises() -> Everything:
    raise ConnectionError("no database")


@asynccontextmanager
async def context_raises() -> AsyncIterator[Everything]:
    raise ConnectionError("no database")
    yield


def gives_a_string() -> Any:
    return "resolver"


async def resolve(state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
    return all_tools


class ResolveRaises:
    @property
    def resolve(self) -> Any:
        raise RuntimeError("not configured")


class ResolveIsData:
    resolve = "later"


STATES = [{"tenant": "acme"}, {"tenant": "globex", "scope": {"user": "u1"}}]
NOT_STATES = [{"tenant": "acme"}, "globex"]
EMPTY: list[Any] = []
A_NUMBER = 7
STATE_STRATEGY = st.fixed_dictionaries({"tenant": st.sampled_from(["acme", "globex"])})
TOOL_STRATEGY = st.builds(Attributes)
FAILING_STRATEGY = st.integers().map(lambda n: 1 // 0)


async def async_exits() -> Everything:
    sys.exit(0)


class EnteringExits(Everything):
    async def __aenter__(self) -> None:
        sys.exit(0)

    async def __aexit__(self, *error: object) -> None: ...


class ReadingExits:
    @property
    def resolve(self) -> Any:
        sys.exit(0)


async def yields_without_a_context() -> AsyncIterator[Everything]:
    yield Everything()


@contextmanager
def sync_context() -> Iterator[Everything]:
    yield Everything()


NAMES = ["search", "fetch"]
