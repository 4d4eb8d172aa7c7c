"""A registry too large for every pair of its tools, and one that repeats a tool."""

from __future__ import annotations

from types import SimpleNamespace

TOOLS = [SimpleNamespace(name=f"tool_{i}") for i in range(150)]
REPEATED = [TOOLS[0], TOOLS[0], TOOLS[1]]
REPEATED[0].name, REPEATED[2].name = "a", "b"
PLANS = [{"tenant": "acme", "plan": "paid"}, {"tenant": "globex", "plan": "free"}]
CAPTURED = [{"tenant": "acme", "resolved_tools": [TOOLS[2]]}]
WIDE = [{f"key_{i}": "v" for i in range(250)}]
ONE_AND_TRUE = [{"n": 1}, {"n": True}]
