"""A guard between your policy and the agent: whatever the policy gives, the node gets a palette.

Copy `guard`, and call it once for each agent.
"""

from __future__ import annotations

from typing import Any

from symfonic.agent.engine import SymfonicAgent
from symfonic.core.tool_palette_resolver import ToolPaletteResolver

from palette_reference import GuardedResolver


def guard(agent: SymfonicAgent, policy: Any, deadline: float = 1.0) -> None:
    """Have `agent` ask `policy`, for at most `deadline` seconds, instead of its own resolver."""
    agent._deps.register(ToolPaletteResolver, GuardedResolver(policy, deadline))
