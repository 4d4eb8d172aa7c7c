"""R08: the state is written to, at the top or deep inside."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from gallery.members import faulty
from gallery.reading import named, scope_of, tenant_of


@faulty(should="R08")
class NotesTheRole:
    """Keeps a list of the roles it has seen in the state, where it makes one if need be."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        seen = state.setdefault("seen_roles", [])
        seen.append(role)
        return all_tools if len(seen) > 1 else None


@faulty(should="R08")
class FillsInThePlan:
    """Fills in the default plan where the scope has none."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        scope = scope_of(state)
        scope.setdefault("plan", "free")
        return named(all_tools, {"search"}) or None if scope["plan"] == "free" else None


@faulty(should="R08")
class TellsTheModel:
    """Adds a message that says which tools there are."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        messages = state.get("messages")
        if isinstance(messages, list):
            messages.append(f"{len(all_tools)} tools are at hand")
        return None


@faulty(should="R08")
class TakesTheTenantOut:
    """Takes the tenant out of the state, so that it does not get to the model."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = state.pop("tenant_id", None)
        return named(all_tools, {"search"}) or None if tenant == "acme" else None


@faulty(should="R08")
class WritesTheRoutedTools:
    """Writes its palette where intent routing has its own, for the nodes that follow."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = named(all_tools, {"search", "fetch"}) or None
        if palette is not None:
            state["resolved_tools"] = palette
        return palette


@faulty(should="R08")
class CountsTurns:
    """Counts the iterations in the state, since the instance is shared."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        turn = state.get("palette_turn", 0) + 1
        state |= {"palette_turn": turn}
        return all_tools[:5] or None if turn > 3 else None


@faulty(should="R08")
class NormalizesTheTenant:
    """Puts the tenant into capitals, for itself and so for everyone."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = tenant_of(state)
        if tenant is not None:
            state["tenant_id"] = tenant.upper()
        return named(all_tools, {"search"}) or None


@faulty(should="R08")
class NotesAChangeOfRole:
    """Writes down which role came before, where it was another one."""

    def __init__(self) -> None:
        self.last = ""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if self.last not in ("", role):
            state["previous_role"] = self.last
        self.last = role
        return named(all_tools, {"search"}) or None


@faulty(should="R08", states="gallery.worlds:SESSIONS")
class AdvancesTheSession:
    """Advances the turn of the session object that the state carries."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        session = state.get("session")
        if hasattr(session, "turn"):
            session.turn += 1
        return None


@faulty(should="R08", states="gallery.worlds:SESSIONS")
class MarksAsVisited:
    """Adds the role to a set in the state."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        visited = state.get("visited")
        if isinstance(visited, set):
            visited.add(role)
        return None


@faulty(should="R08", states="gallery.worlds:TALLIES")
class CountsUses:
    """Counts in the state's counter how often each role was asked about."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        uses = state.get("uses")
        if isinstance(uses, Counter):
            uses[role] += 1
        return None


@faulty(should="R08", states="gallery.worlds:TALLIES")
class NotesByTurn:
    """Notes the role in a dict of turns, whose keys are numbers."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        turns = state.get("turns")
        if isinstance(turns, dict):
            turns[len(turns) + 1] = role
        return None


@faulty(should="R08")
class LendsTheState:
    """Puts the role into the state while a helper waits for the policy, and takes it out again."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        state["active_role"] = role
        try:
            await asyncio.sleep(0)
            return named(all_tools, {"search"}) or None
        finally:
            del state["active_role"]


@faulty(should="R08")
class SpellsTheTenantOnce:
    """Puts the tenant's name into capitals at the first call, and never again."""

    def __init__(self) -> None:
        self.spelled = False

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        tenant = tenant_of(state)
        if tenant is not None and role == "default" and not self.spelled:
            self.spelled = True
            state["tenant_id"] = tenant.upper()
        return None
