"""A list of live tools that many calls are shown, with what is known of it already.

Most answers are one of a few: the check of an answer is remembered by the identities in it, which
is sound as long as the tools live, and the tray keeps them alive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from palettecheck.observation import Positions, every
from palettecheck.rules import Relation
from palettecheck.shelf import Row

Answer: TypeAlias = Positions | None  # what was kept; `None` for an abstention

_REMEMBERED = 1_000_000  # tools in the answers of one tray


@dataclass(slots=True)
class Tally:
    """How many scenarios were alike, and the ids of the rules that each of them met."""

    met: tuple[str, ...] = ()
    returned: bool = False
    abstained: bool = False
    times: int = 0


@dataclass(slots=True, eq=False)
class FollowUp:
    """One call that is to be made after an answer. `accepted`: the answers that break nothing."""

    relation: Relation
    cut: Positions
    tray: Tray
    accepted: set[Answer] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Round:
    """An answer, with the calls that follow it."""

    kept: Positions
    follow_ups: list[FollowUp]
    tally: Tally


class Tray:
    """`row`: the tools. `tools`: their list, never handed out itself. `registry`: with those that
    routing removed. `whole`: the tray that this one is a cut of, if it is.
    """

    def __init__(self, row: Row, registry: Row, whole: Tray | None = None) -> None:
        self.row = row
        self.tools = tools = list(row.tools)
        self.registry = registry
        self.whole = whole
        self.cuts: dict[Positions, Tray] = {}
        self.rounds: dict[Any, Round] = {}  # by answer; of what is none, there is no round
        self._ids = tuple(map(id, tools))
        self._answers: dict[tuple[int, ...], Answer] = {}
        self._room = _REMEMBERED

    def kept(self, result: list[Any]) -> Answer:
        """Give the positions of `result` where it breaks no rule on answers; `None` for a look."""
        identities = tuple(map(id, result))
        try:
            return self._answers[identities]
        except KeyError:
            return self._remember(identities, self._judged(identities))

    def _remember(self, identities: tuple[int, ...], answer: Answer) -> Answer:
        self._room -= len(identities) + 1
        if self._room > 0:
            self._answers[identities] = answer
        return answer

    def _judged(self, identities: tuple[int, ...]) -> Answer:
        kept: list[int] = []
        try:
            for identity in identities:
                kept.append(self._ids.index(identity, kept[-1] + 1 if kept else 0))
        except ValueError:  # it is from elsewhere, out of order, or there for the second time
            return None
        return tuple(kept) if kept or not self.tools else None

    def of(self, answer: Answer) -> Positions:
        """Give what an answer keeps: an abstention keeps everything."""
        return every(len(self.tools)) if answer is None else answer

    def cut(self, positions: Positions) -> Tray:
        """Give the tray with those tools, in that order."""
        if positions == every(len(self.tools)):
            return self
        known = self.cuts.get(positions)
        if known is not None:
            return known
        row = self.row.cut(positions)
        routed = self.registry is not self.row
        made = self.cuts[positions] = Tray(row, self.registry if routed else row, self)
        return made
