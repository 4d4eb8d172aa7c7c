"""What a phase is given, and what it plans to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

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
    """What a phase is to do, as plain data. `patience`: seconds.

    `config`: the name of the settings, for a target that is built from some.
    """

    target: str
    tools: str | None = None
    states: str | None = None
    profile: str = "default"
    seed: int = 0
    patience: float = PATIENCE
    config: str | None = None


class Plan:
    """The scenarios of a job, in their order: the same in each process that makes it.

    `drawn`: how many of them, the last ones, the seed has drawn.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.words: Vocabulary = gather(job.tools, job.states, job.seed)
        own = job.tools is not None or job.states is not None
        made = _made(self.words, job) if own else _of_the_suite(job.profile, job.seed)
        self.scenarios = [*made.enumerated, *made.drawn]
        self.drawn = len(made.drawn)

    def controls(self, scenario: Scenario) -> list[Scenario]:
        """Give `scenario` without what is odd in it."""
        return plain_versions(self.words, scenario)


class _Made(NamedTuple):
    enumerated: tuple[Scenario, ...]
    drawn: tuple[Scenario, ...]


def _made(words: Vocabulary, job: Job) -> _Made:
    # Imported here: Hypothesis takes as long as a quick run without it takes altogether.
    from palettecheck.search.generated import generated

    enumerated = (*small_scope(words, job.profile), *ladder(words, job.profile))
    return _Made(enumerated, tuple(generated(words, job.profile, job.seed)))


@lru_cache(maxsize=4)
def _of_the_suite(profile: str, seed: int) -> _Made:
    """Make the scenarios on the suite's own vocabulary once, however many targets there are."""
    return _made(gather(None, None, seed), Job("", profile=profile, seed=seed))
