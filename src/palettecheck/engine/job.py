"""What a phase is given, and what it plans to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from palettecheck.observation import Positions
from palettecheck.scenario import Scenario
from palettecheck.search.ladder import ladder
from palettecheck.search.small_scope import plain_versions, small_scope
from palettecheck.search.vocabulary import Vocabulary, gather

PATIENCE = 10.0  # seconds for one call that gives way to the event loop and does not come back

Progress: TypeAlias = Callable[[int, int], None]
Call: TypeAlias = tuple[Scenario, Positions | None]  # and which of its tools, if not all


def scenario_of(call: Call) -> Scenario:
    """Give the scenario of a call, on the tools that it was shown."""
    scenario, cut = call
    return scenario if cut is None else scenario.cut(cut)


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
        self.scenarios = [
            *small_scope(self.words, job.profile),
            *ladder(self.words, job.profile),
            *self._generated(),
        ]

    def _generated(self) -> list[Scenario]:
        # Imported here: Hypothesis takes as long as a quick run without it takes altogether.
        from palettecheck.search.generated import generated

        return generated(self.words, self.job.profile, self.job.seed)

    def controls(self, scenario: Scenario) -> list[Scenario]:
        """Give `scenario` without what is odd in it."""
        return plain_versions(self.words, scenario)
