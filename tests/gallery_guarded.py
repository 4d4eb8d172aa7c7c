"""Each member of the gallery under a guard, as a target that is found by its name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from gallery.members import Member, members
from palette_reference import GuardedResolver
from palettecheck.subject import opened


def guarded(member: Member) -> str:
    """Give the target that is `member` under a guard."""
    return f"{__name__}:{_name(member)}"


def __getattr__(name: str) -> Callable[[], AbstractAsyncContextManager[GuardedResolver]]:
    for member in members():
        if _name(member) == name:
            return partial(_opened, member.target)
    raise AttributeError(name)


def _name(member: Member) -> str:
    return member.target.partition(".")[2].replace(":", "__")


@asynccontextmanager
async def _opened(target: str) -> AsyncIterator[GuardedResolver]:
    async with opened(target, []) as subject:
        yield GuardedResolver(subject.resolver)
