"""The register of the gallery: what each member breaks, exactly."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import gallery

T = TypeVar("T", bound=Callable[..., Any])


@dataclass(frozen=True)
class Member:
    """One resolver. `must`, `should`: the ids of the rules that it breaks, by verdict.

    `seldom`: SHOULDs that only some draws show. `tools`, `states`: what it hands over, as the
    command takes them. `correct`: what it breaks, it breaks by design.
    """

    target: str
    must: frozenset[str] = frozenset()
    should: frozenset[str] = frozenset()
    tools: str | None = None
    states: str | None = None
    seldom: frozenset[str] = frozenset()
    correct: bool = False

    @property
    def name(self) -> str:
        """The name of the class or the factory."""
        return self.target.partition(":")[2]


MEMBERS: list[Member] = []


def members() -> list[Member]:
    """Give all members, of every module of the gallery."""
    for module in pkgutil.iter_modules(gallery.__path__, "gallery."):
        importlib.import_module(module.name)
    return MEMBERS


def faulty(
    *must: str,
    should: str = "",
    seldom: str = "",
    tools: str | None = None,
    states: str | None = None,
    correct: bool = False,
) -> Callable[[T], T]:
    """Enter a resolver that breaks the rules `must`, and `should` (ids between spaces)."""
    by_verdict = frozenset(must), frozenset(should.split())

    def enter(made: T) -> T:
        target = f"{made.__module__}:{made.__qualname__}"
        seldom_ones = frozenset(seldom.split())
        MEMBERS.append(Member(target, *by_verdict, tools, states, seldom_ones, correct))
        return made

    return enter


def correct(
    *, should: str = "", seldom: str = "", tools: str | None = None, states: str | None = None
) -> Callable[[T], T]:
    """Enter a resolver that breaks no MUST; `should` are those that it breaks by design."""
    return faulty(should=should, seldom=seldom, tools=tools, states=states, correct=True)
