"""The default resolver of a real `SymfonicAgent`, and real LangChain tools to show it.

    palettecheck certify tests/adopters/symfonic/targets.py:one_role \\
        --tools tests/adopters/symfonic/targets.py:TOOLS

And the node, with a guard around each resolver that it is given.

    palettecheck certify --node tests/adopters/symfonic/targets.py:guarded_symfonic
"""

from __future__ import annotations

import warnings
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool
from symfonic.agent.config import FrameworkConfig
from symfonic.agent.engine import SymfonicAgent
from symfonic.core.tool_palette_resolver import ToolPaletteResolver

from palette_reference import GuardedResolver
from palettecheck.adapters.symfonic import symfonic


def _tool(name: str) -> BaseTool:
    def run(query: str) -> str:
        return query

    return StructuredTool.from_function(run, name=name, description=f"{name} something")


TOOLS = [_tool(name) for name in ("search", "quote", "refund", "apply_pricing_change")]


class _NoModel:
    """A model provider for an agent that never gets to a turn."""

    def get_model(self, *args: Any, **options: Any) -> Any:
        raise RuntimeError("no turn is run here")


def _resolver(role_tools: dict[str, frozenset[str]]) -> Any:
    config = FrameworkConfig(role_tools=role_tools, lazy_tooling=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        agent = SymfonicAgent(_NoModel(), config=config, tools=list(TOOLS))
    return agent._deps.get(ToolPaletteResolver)


ONE_ROLE = {"action": frozenset({"search", "quote"})}


def one_role() -> Any:
    """An allowlist for the action role, two tools of four."""
    return _resolver(ONE_ROLE)


def two_roles() -> Any:
    """An allowlist for both canonical roles."""
    return _resolver({"action": frozenset({"refund"}), "default": frozenset({"search"})})


def a_void_role() -> Any:
    """An empty allowlist, and one that meets no tool."""
    return _resolver(
        {"action": frozenset(), "default": frozenset({"serach"}), "unmapped": frozenset({"quote"})}
    )


def a_wide_role() -> Any:
    """An allowlist that keeps everything."""
    return _resolver({"action": frozenset(tool.name for tool in TOOLS)})


def no_role() -> Any:
    """The default config: no allowlist at all."""
    return _resolver({})


class _Guarded:
    """The host that the suite ships, with nothing but a guard between it and the resolver."""

    levers = symfonic.levers
    tool = staticmethod(symfonic.tool)

    def __call__(
        self, registry: list[Any], resolver: Any, always_include: tuple[str, ...] = ()
    ) -> Any:
        return symfonic(registry, GuardedResolver(resolver), always_include)


guarded_symfonic = _Guarded()
