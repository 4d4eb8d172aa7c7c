"""What a host of resolvers is, for a suite that drives it: an agent is built, and iterates.

    host(registry, resolver, always_include) -> agent        one agent, which lasts
    await agent.iterate(state, tool_choice) -> Bound          one iteration of it

A target of `certify --node` is such a host: a class or a function. It is a thin adapter around the
adopter's own node, and holds nothing that the node is to be judged for.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, NamedTuple, Protocol

# Hosts that go by a name of their own, and where they are.
SHIPPED = {
    "reference": "palette_reference:ReferenceNode",
    "symfonic": "palettecheck.adapters.symfonic:symfonic",
}


class CannotAriseError(Exception):
    """What a host raises where a scenario cannot arise with it; a sentence says why.

    Such a scenario is left out, and is not held against the host.
    """


class Bound(NamedTuple):
    """What one iteration has sent to the model: the tools, in order, and the tool choice.

    `tool_choice`: a name, a mode as "auto", or `None` where none was sent.
    """

    tools: list[Any]
    tool_choice: str | None = None


class Agent(Protocol):
    """One agent. Where its registry can change, it has `change_registry(tools)`, async or not."""

    def iterate(self, state: dict[str, Any], tool_choice: str | None) -> Awaitable[Bound]:
        """Run one iteration, and say what was bound.

        `state`: the caller's; where intent routing ran, `state["resolved_tools"]` is what it kept.
        `tool_choice`: the name of a tool that is forced, a mode, or `None`.
        What the node logs is heard where Python's `logging` makes records.
        """
        ...


class Host(Protocol):
    """Builds an agent. Two attributes are optional.

    `tool(name)`: makes a tool of the kind that the host expects; otherwise they are the suite's.
    `levers`: those of "resolved_tools", "always_include" and "tool_choice" that it has; otherwise
    all.
    """

    def __call__(
        self, registry: list[Any], resolver: Any, always_include: tuple[str, ...]
    ) -> Agent | Awaitable[Agent]:
        """Give an agent with these tools, of which those in `always_include` survive the palette.

        `registry` is the agent's own list. `resolver` has `resolve(state, role, all_tools)`.
        """
        ...
