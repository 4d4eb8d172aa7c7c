"""How members read tools and states of any shape."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def name_of(tool: Any) -> str | None:
    """Give the tool's name, if it has one that is a string."""
    name = getattr(tool, "name", None)
    return name if isinstance(name, str) else None


def named(tools: list[Any], names: Collection[str]) -> list[Any]:
    """Give the tools that have one of these names."""
    return [tool for tool in tools if name_of(tool) in names]


def tags_of(tool: Any) -> list[str]:
    """Give the tool's tags, none where it has no list of them."""
    tags = getattr(tool, "tags", None)
    return tags if isinstance(tags, list) else []


def tenant_of(state: dict[str, Any]) -> str | None:
    """Give the tenant, if the state has one that is a string."""
    tenant = state.get("tenant_id")
    return tenant if isinstance(tenant, str) else None


def scope_of(state: dict[str, Any]) -> dict[str, Any]:
    """Give the scope, empty where the state has none."""
    scope = state.get("scope")
    return scope if isinstance(scope, dict) else {}


def last_message(state: dict[str, Any]) -> str:
    """Give the last message, empty where there is none."""
    messages = state.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else ""
    return last if isinstance(last, str) else ""
