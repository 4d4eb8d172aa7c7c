"""What a tool-palette resolver is: one method, and the names of the roles it is asked about."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

ACTION = "action"
DEFAULT = "default"


@runtime_checkable
class ToolPaletteResolver(Protocol):
    """Narrows the tools that an agent shows its model, anew on each iteration."""

    async def resolve(
        self, state: dict[str, Any], role: str, all_tools: list[Any]
    ) -> list[Any] | None:
        """Give the tools to show: some of `all_tools`, the same instances; `None` to abstain.

        `state` and `all_tools` belong to the caller and are only read.
        """
        ...
