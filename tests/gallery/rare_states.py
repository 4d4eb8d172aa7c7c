"""Faults that wait for one value of many, a nested key, or two keys that do not fit together."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

from gallery.members import correct, faulty
from gallery.reading import name_of, named, scope_of, tags_of, tenant_of

BASE = {"team": {"search"}, "business": {"fetch"}}
PACKS = {"research": {"search"}}


def _text(state: dict[str, Any], key: str) -> str:
    value = state.get(key)
    return value if isinstance(value, str) else ""


def _mapping(state: dict[str, Any], key: str) -> dict[str, Any]:
    value = state.get(key)
    return value if isinstance(value, dict) else {}


@faulty("R03", states="gallery.worlds:PLANS")
class LaunchesOnePlan:
    """Gives one of twelve plans the tools of the next release, of which there are none yet."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if state.get("plan") != "education":
            return None
        return [tool for tool in all_tools if "next" in tags_of(tool)]


@correct(states="gallery.worlds:PLANS")
class LaunchesOnePlanOrAbstains:
    """Gives one of twelve plans the tools of the next release, once there are some."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if state.get("plan") != "education":
            return None
        return [tool for tool in all_tools if "next" in tags_of(tool)] or None


@faulty("R09", states="gallery.worlds:LIMITS")
class IndexesALimit:
    """Looks whether there are limits, and takes it that each of them is set then."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        limits = _mapping(state, "limits")
        if not limits or limits["writes"] != 0:
            return None
        return [tool for tool in all_tools if name_of(tool) != "delete"] or None


@correct(states="gallery.worlds:LIMITS")
class ReadsALimit:
    """Reads a limit that may not be set."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if _mapping(state, "limits").get("writes") != 0:
            return None
        return [tool for tool in all_tools if name_of(tool) != "delete"] or None


@faulty("R09", states="gallery.worlds:LANGUAGES")
class OrdersTwoLanguages:
    """Puts two languages in order, which fails where one of them is `None`."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if "first" not in state or "second" not in state:
            return None
        pair = sorted([state["first"], state["second"]])
        return named(all_tools, {"search"}) or None if pair == ["de", "en"] else None


@faulty("R02", states="gallery.worlds:ACTING")
class OffersAWayOut:
    """Adds a tool that ends a support session, where someone acts for another tenant."""

    leave = SimpleNamespace(name="leave_session", description="End the support session.")

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        own, other = tenant_of(state), tenant_of(scope_of(state))
        return [*all_tools, self.leave] if own and other and own != other else None


@faulty("R06", states="gallery.worlds:ADDONS")
class AddsAPack:
    """Adds the tools of a pack to those of a plan that has one of them already."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        base = named(all_tools, BASE.get(_text(state, "plan"), ()))
        return base + named(all_tools, PACKS.get(_text(state, "addon"), ())) or None


@correct(states="gallery.worlds:ADDONS")
class UnitesPlanAndPack:
    """Shows what a plan or a pack has."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        base = BASE.get(_text(state, "plan"), set())
        return named(all_tools, base | PACKS.get(_text(state, "addon"), set())) or None


@faulty("R04", states="gallery.worlds:EXPERIMENTS")
class GivesTheFlag:
    """Abstains with `and` for the group under treatment where the experiment is off."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        experiment = _mapping(state, "experiment")
        if experiment.get("group") != "treatment":
            return None
        return experiment.get("enabled") and (named(all_tools, {"search"}) or None)


@faulty("R07", states="gallery.worlds:MARKETS")
class RemovesForTrialsInEurope:
    """Removes a tool from the host's list for one plan in one region."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        scope = scope_of(state)
        if (scope.get("plan"), scope.get("region")) == ("trial", "eu"):
            for tool in named(all_tools, {"delete"}):
                all_tools.remove(tool)
        return all_tools or None


@faulty(should="R08", states="gallery.worlds:HANDOVERS")
class EndsAHandover:
    """Takes a nested note out of the state once the owner is who the conversation goes to."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        handover = _mapping(state, "handover")
        if handover.get("to") == state.get("owner"):
            handover.pop("note", None)
        return None


@faulty("R01", states="gallery.worlds:AUDITS")
class CopiesForAuditors:
    """Marks copies of the tools at one of twelve levels of audit."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if _mapping(state, "audit").get("level") != 9:
            return None
        return [copy.copy(tool) for tool in all_tools] or None
