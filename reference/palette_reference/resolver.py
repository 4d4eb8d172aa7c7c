"""The reference resolver: `role_tools`, an allowlist of tool names a role, and nothing else."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

_log = logging.getLogger(__name__)


class RoleToolsResolver:
    """Keeps the tools whose `.name` is on the role's allowlist, in the order given.

    A role without an entry abstains. So does an allowlist that keeps nothing, with one warning
    a role: it is a slip in the config, and an agent without tools would be bricked.
    """

    def __init__(self, role_tools: Mapping[str, Collection[str]]) -> None:
        """Copy `role_tools`; raise `TypeError` where a lone string stands for an allowlist."""
        if strings := [role for role, names in role_tools.items() if isinstance(names, str)]:
            raise TypeError(f"role_tools[{strings[0]!r}] is a string; a set of names is meant")
        self._role_tools = {role: frozenset(names) for role, names in role_tools.items()}
        self._warned: set[str] = set()

    async def resolve(
        self, state: dict[str, Any], role: str, all_tools: list[Any]
    ) -> list[Any] | None:
        """Give the allowlisted part of `all_tools`, or `None`. `state` is not read."""
        allowed = self._role_tools.get(role)
        if allowed is None:
            return None
        palette = [tool for tool in all_tools if name_of(tool) in allowed]
        if not palette and (all_tools or not allowed):
            self._warn_once(role)
        return palette or None

    def _warn_once(self, role: str) -> None:
        if role not in self._warned:
            self._warned.add(role)
            _log.warning("the allowlist of role %r keeps no tool: every tool is shown", role)


def name_of(tool: object) -> str | None:
    """Give the string in `.name`; a tool without one, a `dict` included, has no name."""
    name = getattr(tool, "name", None)
    return name if isinstance(name, str) else None
