"""Faults that wait for an odd role: empty, blank, in capitals, long, or one that nobody knows."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from gallery.members import correct, faulty
from gallery.reading import named

ALLOWED = {"action": {"search", "fetch"}, "default": {"search", "delete"}}
_POLICIES = Path(__file__).parent


def _clean(role: str) -> str:
    return role.strip().lower() or "default"


@faulty("R09")
class ReadsTheRolesFirstLetter:
    """Takes roles that begin with an underscore for internal, and a role may be empty."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        internal = role[0] == "_"
        return None if internal else named(all_tools, ALLOWED.get(role, ())) or None


@correct()
class ReadsTheRolesBeginning:
    """Takes roles that begin with an underscore for internal, which an empty one does not."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        internal = role.startswith("_")
        return None if internal else named(all_tools, ALLOWED.get(role, ())) or None


@faulty("R09")
class ReadsTheFirstWord:
    """Takes the first word of a role for its name, and a blank role has none."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED.get(role.split()[0], ())) or None


@faulty("R09")
class ReadsAPolicyFile:
    """Has a file of names for each role, and reckons with a missing one, not with a directory."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        try:
            names = (_POLICIES / role).read_text("utf-8").split()
        except FileNotFoundError:
            return None
        return named(all_tools, names) or None


@correct()
class ReadsAPolicyFileOrAbstains:
    """Has a file of names for each role, and abstains where it cannot read it for any reason."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        try:
            names = (_POLICIES / role).read_text("utf-8").split()
        except (OSError, ValueError):
            return None
        return named(all_tools, names) or None


@faulty("R09")
class SendsTheRoleInAHeader:
    """Sends the role to a policy service in a header, which takes ASCII only."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.header = b"X-Role: " + role.encode("ascii")
        return named(all_tools, ALLOWED.get(role, ())) or None


@faulty("R04")
class GivesTheEmptyRole:
    """Abstains with `and` where there is no role, and so gives the empty string."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return role and (named(all_tools, ALLOWED.get(role, ())) or None)


@correct()
class AbstainsForTheEmptyRole:
    """Abstains where there is no role."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED.get(role, ())) or None if role else None


@faulty("R03")
class ChecksACleanRole:
    """Asks with a clean spelling whether a role has an allowlist, and looks it up with its own."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if _clean(role) not in ALLOWED:
            return None
        allowed = ALLOWED.get(role)
        return [] if allowed is None else named(all_tools, allowed) or None


@correct()
class CleansTheRoleOnce:
    """Cleans the spelling of a role, and goes on with what is left."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED.get(_clean(role), ())) or None


@faulty("R06")
class AddsTheDefault:
    """Adds the default's tools where a role is not written as it knows it, to the same ones."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = named(all_tools, ALLOWED.get(_clean(role), ()))
        return palette + ([] if role in ALLOWED else named(all_tools, ALLOWED["default"])) or None


@faulty("R02")
class AsksForARole:
    """Adds a tool with which a model that has a blank role can choose one."""

    choose = SimpleNamespace(name="choose_role", description="Choose your role.")

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return None if role.strip() else [*all_tools, self.choose]


@faulty("R01")
class CopiesForTheLegacyHost:
    """Knows a legacy host by the capital in its role, and copies the tools for it."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return None if role == role.lower() else [copy.copy(tool) for tool in all_tools] or None


@faulty("R07")
class ClearsForMalformedRoles:
    """Takes tools away from a role that is no plain word, in the host's own list."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if not re.fullmatch(r"\w+", role):
            del all_tools[1:]
        return all_tools or None


@faulty(should="R08")
class ShortensTheRole:
    """Notes a role in the state that is too long for a column of sixteen bytes."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if len(role.encode()) > 16:
            state["role_column"] = role.encode()[:16]
        return None


@faulty(should="R16")
class MirrorsForForeignRoles:
    """Turns the list round for a role whose letters are not ASCII."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return None if role.isascii() else all_tools[::-1] or None
