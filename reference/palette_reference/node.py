"""The levers in their documented order, and one agent that calls a resolver and binds.

registry --intent routing--> palette --> always-include --> forced tool --> bound
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from palette_reference.guard import GuardedResolver, contained
from palette_reference.protocol import ACTION, ToolPaletteResolver
from palette_reference.resolver import name_of

MODES = frozenset({"auto", "any", "required", "none"})

_log = logging.getLogger(__name__)
_TEXTS = {
    "empty": "the resolver kept no tool for role {role!r}: every tool is shown",
    "no list": "what the resolver gave for role {role!r} is no list: every tool is shown",
    "foreign": "the resolver gave what is no tool of its list for role {role!r}: left out",
    "repeated": "the resolver gave a tool twice for role {role!r}: it is bound once",
    "excluded": "the palette of role {role!r} lacks the forced tool {tool!r}: it is added back",
    "unknown": "the forced tool {tool!r} is not registered: no tool choice is sent",
}


class Caution(NamedTuple):
    """Why what is bound is not what was asked for. `tool`: the name of the one it is about."""

    kind: str
    tool: str = ""


@dataclass(frozen=True)
class Binding:
    """What one iteration sends to the model; `tool_choice` is a bound tool's name, or a mode."""

    tools: list[Any]
    tool_choice: str | None
    cautions: tuple[Caution, ...]


def bind_palette(
    registry: Sequence[Any],
    resolved_tools: Sequence[Any] | None,
    palette: Any,
    always_include: Collection[str] = (),
    tool_choice: str | None = None,
) -> Binding:
    """Apply the levers. `resolved_tools`: what routing kept; none, or none of it, is no routing.

    `palette`: what the resolver gave, whatever that is. `tool_choice`: a forced tool, or a mode.
    """
    shown = [*(resolved_tools or registry)]
    base, offences = contained(palette, shown)
    tools = shown if base is None else base
    tools += _absent(registry, tools, always_include)
    forced = None if tool_choice in MODES else tool_choice
    added = _absent(registry, tools, [forced]) if forced is not None else []
    cautions = [*map(Caution, offences), *(Caution("excluded", name_of(t) or "") for t in added)]
    tools += added
    if forced is not None and not any(name_of(tool) == forced for tool in tools):
        cautions.append(Caution("unknown", forced))
        tool_choice = None
    return Binding(tools, tool_choice if tools else None, tuple(cautions))


def _absent(registry: Sequence[Any], tools: Sequence[Any], names: Collection[str]) -> list[Any]:
    """The first tool of each of these names that `tools` has none of, in registry order."""
    wanted = set(names) - {name_of(tool) for tool in tools}
    found: dict[str | None, Any] = {}
    for tool in registry if wanted else ():
        if name_of(tool) in wanted:
            found.setdefault(name_of(tool), tool)
    return [*found.values()]


class ReferenceNode:
    """One agent: it asks its resolver on each iteration, and binds what the levers give."""

    def __init__(
        self,
        registry: Sequence[Any],
        resolver: ToolPaletteResolver,
        always_include: Collection[str] = (),
        deadline: float = 1.0,
    ) -> None:
        """Take a copy of `registry`. `deadline`: seconds for a resolver that waits."""
        self.change_registry(registry)
        self._resolver = GuardedResolver(resolver, deadline)
        self._always_include = always_include
        self._warned: set[tuple[Caution, str]] = set()

    def change_registry(self, registry: Sequence[Any]) -> None:
        """Have other tools from the next iteration on."""
        self._registry = [*registry]

    async def iterate(self, state: dict[str, Any], tool_choice: str | None = None) -> Binding:
        """Give what this iteration binds; warn once of each caution. `state` is only read."""
        resolved = state.get("resolved_tools")
        shown = [*(resolved or self._registry)]
        palette = await self._resolver.resolve(state, ACTION, shown) if shown else None
        levers = (self._always_include, tool_choice)
        binding = bind_palette(self._registry, resolved, palette, *levers)
        for caution in binding.cautions:
            self._warn_once(caution, ACTION)
        return binding

    def _warn_once(self, caution: Caution, role: str) -> None:
        if (caution, role) not in self._warned:
            self._warned.add((caution, role))
            _log.warning(_TEXTS[caution.kind].format(role=role, tool=caution.tool))
