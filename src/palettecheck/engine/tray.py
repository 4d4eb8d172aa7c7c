"""A list of live tools that many calls are shown, with what is known of it already.

Most answers are one of a few: the check of an answer is remembered by the identities in it, which
is sound as long as the tools live, and the tray keeps them alive.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from palettecheck.observation import Positions


class Tray:
    """`tools`: the list, never handed out itself. `registry`: that too, unless it is routed."""

    def __init__(self, tools: list[Any], registry: list[Any]) -> None:
        self.tools = tools
        self.registry = registry
        self.ids = tuple(map(id, tools))
        self.everything: Positions = tuple(range(len(tools)))
        self.cuts: dict[Positions, Tray] = {}
        self._where = {identity: i for i, identity in enumerate(self.ids)}
        self._answers: dict[tuple[int, ...], Positions | None] = {}

    def kept(self, result: list[Any]) -> Positions | None:
        """Give the positions of `result` where it breaks no rule on answers; `None` for a look."""
        identities = tuple(map(id, result))
        try:
            return self._answers[identities]
        except KeyError:
            return self._answers.setdefault(identities, self._judged(identities))

    def _judged(self, identities: tuple[int, ...]) -> Positions | None:
        kept = tuple(self._where.get(identity, -1) for identity in identities)
        rising = all(a < b for a, b in pairwise(kept))
        return kept if rising and -1 not in kept and (kept or not self.tools) else None

    def cut(self, positions: Positions) -> Tray:
        """Give the tray with those tools, in that order."""
        if positions not in self.cuts:
            tools = [self.tools[i] for i in positions]
            routed = self.registry is not self.tools
            self.cuts[positions] = Tray(tools, self.registry if routed else tools)
        return self.cuts[positions]
