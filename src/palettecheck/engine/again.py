"""A breach again, where nothing was called before: what it takes, and what is seen then."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from palettecheck.certificate import Breach
from palettecheck.engine.calling import Session
from palettecheck.engine.driving import drive
from palettecheck.engine.fresh import AVAILABLE, FreshProcesses
from palettecheck.engine.job import Call, Plan
from palettecheck.engine.judging import Candidate, Findings, judge
from palettecheck.engine.least import least_history
from palettecheck.reproducer import reproducer
from palettecheck.rules import Fault
from palettecheck.subject import Built, opened

_TRIES = 5
_LONGEST = 50  # calls, beyond which a program is no help to a reader
_SOMETIMES = "it does not show each time: it did in {} of {} new processes"
_UNCONFIRMED = "seen once, in the course of the run; it did not show again in a new process"


class Again:
    """Makes calls in processes in which the subject was not called before.

    Made before the first call. Where there is no fork, the calls are made on new instances in this
    process, and what a subject keeps in its class or its module is not forgotten.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._fresh = FreshProcesses(self._answer, plan.job.patience) if AVAILABLE else None

    def close(self) -> None:
        """End the process that was kept for this."""
        if self._fresh is not None:
            self._fresh.close()

    def breach(self, candidate: Candidate, history: Sequence[Call]) -> Breach:
        """Find the fewest calls of `history` that show it again, and put them into words."""
        *earlier, last = history[: candidate.calls]

        def breaks(before: Sequence[Call]) -> tuple[Fault, Built] | None:
            return self._ask([*before, last], candidate.rule.id)

        least = least_history(breaks, earlier)
        if least is None:
            return unconfirmed(candidate)
        before = self._simplest(breaks, least[0])
        shown = [found for _ in range(_TRIES) if (found := breaks(before)) is not None]
        fault, built = shown[0] if shown else least[1]
        note = "" if len(shown) == _TRIES else _SOMETIMES.format(len(shown), _TRIES)
        return self._in_words(candidate, [*before, last], fault, built, note)

    def _simplest(
        self, breaks: Callable[[Sequence[Call]], object | None], before: tuple[Call, ...]
    ) -> tuple[Call, ...]:
        """Put in the place of each earlier call a simpler one with its tools that does as well."""
        for i, call in enumerate(before[:_LONGEST]):
            for simpler in self._plan.with_same_tools(call):
                instead = (*before[:i], simpler, *before[i + 1 :])
                if breaks(instead) is not None:
                    before = instead
                    break
        return before

    def _in_words(
        self, candidate: Candidate, calls: list[Call], fault: Fault, built: Built, note: str
    ) -> Breach:
        scenarios = [self._plan.scenario(call) for call in calls]
        target, name = self._plan.job.target, candidate.rule.name
        code = reproducer(target, built, scenarios, name, fault)
        *earlier, last = scenarios
        return Breach(
            last.words(),
            fault.wanted,
            fault.seen,
            candidate.level,
            tuple(scenario.words() for scenario in earlier),
            tuple(scenario.to_json() for scenario in scenarios),
            note,
            code if len(scenarios) <= _LONGEST else "",
        )

    def _ask(self, calls: Sequence[Call], rule_id: str) -> tuple[Fault, Built] | None:
        question = json.dumps([calls, rule_id]).encode()
        given = self._answer(question) if self._fresh is None else self._fresh.ask(question)
        answer: dict[str, Any] | None = json.loads(given) if given else None
        if answer is None:
            return None
        return Fault(**answer["fault"]), Built(**answer["built"])

    def _answer(self, question: bytes) -> bytes:
        calls, rule_id = json.loads(question)
        return json.dumps(drive(self._run([tuple(call) for call in calls], rule_id))).encode()

    async def _run(self, calls: list[Call], rule_id: str) -> dict[str, Any] | None:
        *before, last = map(self._plan.scenario, calls)
        async with opened(self._plan.job.target, []) as subject:
            session = Session(subject, self._plan.words.own)
            for scenario in before:
                await session.observe(scenario)
            seen = await session.observe(last)
            for rule, _, fault in judge(seen, Findings()):
                if rule.id == rule_id:
                    return {"fault": asdict(fault), "built": asdict(subject.built)}
        return None


def unconfirmed(candidate: Candidate) -> Breach:
    """Give a breach as it was seen in the run, where it was not or could not be seen again."""
    scenario = candidate.scenario
    fault, level = candidate.fault, candidate.level
    recipes = (scenario.to_json(),)
    return Breach(scenario.words(), fault.wanted, fault.seen, level, (), recipes, note=_UNCONFIRMED)
