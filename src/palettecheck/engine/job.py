"""What a phase is given, and how its calls are named across processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from palettecheck.scenario import Scenario
from palettecheck.search.small_scope import plain_versions, small_scope
from palettecheck.search.vocabulary import Vocabulary, gather

PATIENCE = 10.0  # seconds for one call that gives way to the event loop and does not come back

Progress: TypeAlias = Callable[[int, int], None]
Call: TypeAlias = tuple[int, int]  # a scenario by its position, and 0 or which plain version of it


@dataclass(frozen=True)
class Job:
    """What a phase is to do, as plain data. `patience`: seconds."""

    target: str
    tools: str | None = None
    states: str | None = None
    profile: str = "default"
    seed: int = 0
    patience: float = PATIENCE


class Plan:
    """The scenarios of a job, in their order: the same in each process that makes it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.words: Vocabulary = gather(job.tools, job.states, job.seed)
        self.scenarios = list(small_scope(self.words, job.profile))

    def controls(self, position: int) -> list[Scenario]:
        """Give the scenario at `position` without what is odd in it."""
        return plain_versions(self.words, self.scenarios[position])

    def with_same_tools(self, call: Call) -> list[Call]:
        """Give the simplest calls before `call` that show the same tools, one a role."""
        scenario, found = self.scenario(call), dict[str, Call]()
        for position, other in enumerate(self.scenarios[: call[0]]):
            if (other.registry, other.resolved) == (scenario.registry, scenario.resolved):
                found.setdefault(other.role, (position, 0))
        return list(found.values())

    def scenario(self, call: Call) -> Scenario:
        """Give the scenario that `call` names."""
        position, version = call
        return self.controls(position)[version - 1] if version else self.scenarios[position]
