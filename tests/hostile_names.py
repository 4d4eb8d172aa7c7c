"""Tools whose names would disturb a terminal, markup, or the width of a line."""

from __future__ import annotations

from types import SimpleNamespace

TOOLS = [
    SimpleNamespace(name=name)
    for name in (
        "\x1b[31mred\x1b[2J",
        "[bold]markup[/bold][link=x]",
        "x" * 10_000,
        "two\nlines\r",
        "\u202egnp.exe\u0000",
        "<script>&amp;</script>",
    )
]
ONE_BY_ONE = SimpleNamespace(**{"abcdef"[i]: [tool] for i, tool in enumerate(TOOLS)})
