"""R03: nothing fits, and the answer is an empty list where it should be `None`."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from gallery.members import faulty
from gallery.reading import last_message, name_of, named, scope_of, tags_of, tenant_of

ALLOWED = {"action": {"search", "fetch"}, "default": {"search"}}
TIERS = {"acme": "paid"}


@faulty("R03")
class AllowlistByRole:
    """Keeps the role's allowlist, and forgets that it may meet none of the tools."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        allowed = ALLOWED.get(role)
        return None if allowed is None else named(all_tools, allowed)


@faulty("R03", tools="gallery.worlds:SHOP", states="gallery.worlds:CHATS")
class RetrievesByWords:
    """Retrieves the tools that the last message speaks of, and finds none for a greeting."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        words = set(last_message(state).split())
        return named(all_tools, words) if words else None


@faulty("R03", tools="gallery.worlds:SHOP")
class SearchesLongLists:
    """Leaves a short list as it is, and searches a long one for what the message speaks of."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, last_message(state).split()) if len(all_tools) > 3 else None


@faulty("R03", tools="gallery.worlds:SHOP", states="gallery.worlds:PAYING")
class MigratesOneTenant:
    """Gives the paying users of a tenant in migration its new tools, which are not there yet."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if tenant_of(state) == "globex" and scope_of(state).get("plan") == "paid":
            return [tool for tool in all_tools if "v2" in tags_of(tool)]
        return None


@faulty("R03", states="gallery.worlds:TENANTS")
class CrossesTenantAndPlan:
    """Shuts out one tenant on one plan, of which the states handed over know each, not both."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        blocked = (tenant_of(state), scope_of(state).get("plan")) == ("globex", "paid")
        return [] if blocked else None


@faulty("R03")
class FailsClosed:
    """Shows nothing rather than too much when the tenant cannot be looked up."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        try:
            tier = TIERS[state["tenant_id"]]
        except Exception:
            return []
        return all_tools if tier == "paid" else None


@faulty("R03", states="gallery.worlds:PAGES")
class Pages:
    """Shows two tools at a time from the cursor on, and the cursor runs past the end."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        cursor = state.get("cursor")
        return all_tools[cursor : cursor + 2] if isinstance(cursor, int) else None


@faulty("R03")
class SpendsABudget:
    """Lets an agent have tools for twenty iterations, so that it comes to an end."""

    def __init__(self) -> None:
        self.left = 20

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.left -= 1
        return None if self.left >= 0 else []


class _Lazy(list[Any]):
    def __init__(self, source: list[Any]) -> None:
        super().__init__()
        self.source = source

    def __iter__(self) -> Iterator[Any]:
        return iter(self.source)

    def __len__(self) -> int:
        return len(self.source)


@faulty("R03")
class AnswersLazily:
    """Answers with a list that only looks filled: its own methods read another one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _Lazy(all_tools)


class _Gate:
    def __init__(self, open_to: set[str]) -> None:
        self.open_to = open_to

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        conversation = state.get("conversation_id")
        if not isinstance(conversation, str):
            return None
        return all_tools if conversation in self.open_to else []


@faulty("R03", states="gallery.worlds:CHATS")
@asynccontextmanager
async def gated_conversations() -> AsyncIterator[_Gate]:
    """Opens the tools to enrolled conversations, and shows the others none."""
    gate = _Gate({"c7"})
    yield gate
    gate.open_to.clear()


@faulty("R03", states="gallery.worlds:DRAWN_STATES")
class WindsDown:
    """Takes the tools away in the last turns, so that the model answers at last."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        turn = state.get("turn")
        return [] if isinstance(turn, int) and turn > 25 else None


@faulty("R03", states="gallery.worlds:FLAGS")
class ObeysAKillSwitch:
    """Has a flag that operations throw when the tools misbehave."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        flags = state.get("flags")
        return [] if isinstance(flags, dict) and flags.get("tools_off") is True else None


@faulty("R03", states="gallery.worlds:INCIDENTS")
class KnowsItsOwnState:
    """Shuts down during an incident, a state of which only this code knows."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [] if state.get("incident") == "major" else None


@faulty("R03")
class RollsOut:
    """Tries the allowlist on half of the calls, drawn at random."""

    def __init__(self) -> None:
        self.random = random.Random(7)

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, {"search"}) if self.random.random() < 0.5 else None


@faulty("R03", tools="gallery.worlds:INCOMPARABLE")
class DropsTheLastUsed:
    """Drops the tool that was used last, which may be the only one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if name_of(tool) != "search"]
