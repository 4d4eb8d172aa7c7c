"""A breach again, where nothing was called before: what it takes, and what is seen then."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from typing import Any

from palettecheck.certificate import Breach
from palettecheck.engine.driving import drive
from palettecheck.engine.fresh import AVAILABLE, FreshProcesses
from palettecheck.engine.job import Plan, scenario_of
from palettecheck.engine.judging import Candidate, Findings, judge
from palettecheck.engine.least import least_history
from palettecheck.engine.relating import broken, follow_ups, related
from palettecheck.engine.session import Session
from palettecheck.engine.shrinking import shrunk_calls
from palettecheck.observation import Observation
from palettecheck.plain import Frozen, Opaque, opaques
from palettecheck.reproducer import reproducer
from palettecheck.rules import Fault, Relation
from palettecheck.scenario import Scenario
from palettecheck.subject import Built, Subject, opened

_TRIES = 5
_LONGEST = 50  # calls, beyond which a program is no help to a reader
FRAMES = 20  # of the suite's own, more than there are, between the question and the subject
_SOMETIMES = "it does not show each time: it did in {} of {} new processes"
UNCONFIRMED = "seen once, in the course of the run; it did not show again in a new process"

_ANYWAY = "it changes as well where a resolver that does nothing is called"

_Found = tuple[Fault, Built]


class Again:
    """Makes calls in processes in which the subject was not called before.

    Made before the first call. Where there is no fork, the calls are made on new instances in this
    process, and what a subject keeps in its class or its module is not forgotten.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._opaque: dict[Any, Opaque] = {
            (one.source, one.path): one
            for state in (*plan.words.states, *plan.words.odd_states)
            for one in opaques(state)
        }
        patience = plan.job.patience
        self._fresh = FreshProcesses(self._answer_in_child, patience) if AVAILABLE else None

    def close(self) -> None:
        """End the process that was kept for this."""
        if self._fresh is not None:
            self._fresh.close()

    def breach(self, candidate: Candidate) -> Breach:
        """Find the fewest of the calls so far that show it again, and put them into words."""
        *earlier, last = self._up_to_the_first(candidate)
        part = "relation" if isinstance(candidate.rule, Relation) else "rule"

        def breaks(before: Sequence[Scenario], last: Scenario = last) -> _Found | None:
            return self._ask([*before, last], candidate.rule.id, part)

        if self._happens_anyway(candidate):
            return unconfirmed(candidate, _ANYWAY)
        least = least_history(breaks, earlier)
        if least is None:
            return unconfirmed(candidate)

        def first(several: Sequence[Sequence[Scenario]]) -> int | None:
            return self._first(several, candidate.rule.id, part)

        calls = shrunk_calls([*least[0], last], first)
        tries = (breaks(calls[:-1], calls[-1]) for _ in range(_TRIES))
        shown = [found for found in tries if found is not None]
        fault, built = shown[0] if shown else least[1]
        note = "" if len(shown) == _TRIES else _SOMETIMES.format(len(shown), _TRIES)
        return self._in_words(candidate, calls, fault, built, note)

    def _up_to_the_first(self, candidate: Candidate) -> list[Scenario]:
        """Give the calls; of a rule on changes, up to the first one that is seen to break it.

        In the run, a change may have been seen in another call than the one that made it.
        """
        calls = [*map(scenario_of, candidate.calls)]
        if not candidate.fault.circumstantial:
            return calls
        answer = self._asked([calls], candidate.rule.id, "any call")
        return calls if answer is None else calls[: answer["at"] + 1]

    def _happens_anyway(self, candidate: Candidate) -> bool:
        """Whether the inputs change where a resolver that does nothing is called in its place."""
        calls = [*map(scenario_of, candidate.calls)]
        if not candidate.fault.circumstantial:
            return False
        return self._asked([calls], candidate.rule.id, "idle") is not None

    def _in_words(
        self, candidate: Candidate, calls: list[Scenario], fault: Fault, built: Built, note: str
    ) -> Breach:
        job, name = self._plan.job, candidate.rule.name
        code = reproducer(job.target, built, calls, name, fault, config=job.config)
        *earlier, last = calls
        return Breach(
            last.words(),
            fault.wanted,
            fault.seen,
            candidate.level,
            tuple(scenario.words() for scenario in earlier),
            tuple(scenario.to_json() for scenario in calls),
            note,
            code if len(calls) <= _LONGEST else "",
        )

    def _first(self, several: Sequence[Sequence[Scenario]], rule_id: str, part: str) -> int | None:
        """Give the first of `several` histories that breaks it.

        They are made in one process, each on a new instance; what breaks then has to break alone.
        """
        for start, found in self._found_in(several, rule_id, part):
            if self._ask(several[start + found], rule_id, part) is not None:
                return start + found
        return None

    def _found_in(
        self, several: Sequence[Sequence[Scenario]], rule_id: str, part: str
    ) -> Iterator[tuple[int, int]]:
        start = 0
        while start < len(several):
            answer = self._asked(several[start:], rule_id, part)
            if answer is None:
                return
            yield start, answer["which"]
            start += answer["which"] + 1

    def _ask(self, calls: Sequence[Scenario], rule_id: str, part: str) -> _Found | None:
        answer = self._asked([calls], rule_id, part)
        if answer is None:
            return None
        return Fault(**_with_tuples(answer["fault"])), Built(**answer["built"])

    def _asked(
        self, several: Sequence[Sequence[Scenario]], rule_id: str, part: str
    ) -> dict[str, Any] | None:
        texts = [[call.to_json() for call in calls] for calls in several]
        question = json.dumps([texts, rule_id, part]).encode()
        given = self._answer(question) if self._fresh is None else self._fresh.ask(question)
        answer: dict[str, Any] | None = json.loads(given) if given else None
        return answer

    def _answer_in_child(self, question: bytes) -> bytes:
        _make_room()
        return self._answer(question)

    def _answer(self, question: bytes) -> bytes:
        several, rule_id, part = json.loads(question)
        return json.dumps(drive(self._run_several(several, rule_id, part))).encode()

    async def _run_several(
        self, several: list[list[str]], rule_id: str, part: str
    ) -> dict[str, Any] | None:
        for which, texts in enumerate(several):
            calls = [Scenario.from_json(text, self._known) for text in texts]
            answer = await self._run(calls, rule_id, part)
            if answer is not None:
                return answer | {"which": which}
        return None

    def _known(self, opaque: Opaque) -> Frozen:
        return self._opaque.get((opaque.source, opaque.path), opaque)

    def _opened(self) -> AbstractAsyncContextManager[Subject]:
        return opened(self._plan.job.target, [], self._plan.job.config)

    async def _run(self, calls: list[Scenario], rule_id: str, part: str) -> dict[str, Any] | None:
        """Make the calls on an instance; of a relation, on one for each of the follow-up calls."""
        if part in ("any call", "idle"):
            return await self._run_until_broken(calls, rule_id, idle=part == "idle")
        which, left = 0, True
        while left:
            async with self._opened() as subject:
                session = Session(subject, self._plan.words.own)
                seen = [await session.observe(scenario) for scenario in calls][-1]
                if part == "rule":
                    fault, left = _broken_rule(seen, rule_id), False
                else:
                    fault, left = await _broken_relation(session, seen, rule_id, which)
                if fault is not None:
                    return {"fault": asdict(fault), "built": asdict(subject.built)}
            which += 1
        return None

    async def _run_until_broken(
        self, calls: list[Scenario], rule_id: str, *, idle: bool
    ) -> dict[str, Any] | None:
        async with self._opened() as subject:
            session = Session(Subject(_Idle()) if idle else subject, self._plan.words.own)
            for at, scenario in enumerate(calls):
                if _broken_rule(await session.observe(scenario), rule_id) is not None:
                    return {"at": at}
        return None


class _Idle:
    """A resolver that touches nothing."""

    async def resolve(self, state: Any, role: Any, all_tools: Any) -> None:
        return None


def _make_room() -> None:
    """Leave the subject as much of the stack as a program has that calls it and nothing else."""
    frame, depth = sys._getframe(), FRAMES
    while (above := frame.f_back) is not None:
        frame, depth = above, depth + 1
    sys.setrecursionlimit(sys.getrecursionlimit() + depth)


def _broken_rule(seen: Observation, rule_id: str) -> Fault | None:
    broken = judge(seen, Findings())
    return next((fault for rule, _, fault in broken if rule.id == rule_id), None)


async def _broken_relation(
    session: Session, seen: Observation, rule_id: str, which: int
) -> tuple[Fault | None, bool]:
    """Make that one of the follow-up calls; give how it breaks, and whether others are left.

    A reproducer makes one, too: what takes several of them is the fault of another rule.
    """
    scenario, kept = seen.scenario, seen.kept()
    relations = [relation for relation in related(scenario) if relation.id == rule_id]
    after = follow_ups(scenario, session.tray(scenario), kept or (), relations)
    if kept is None or which >= len(after):
        return None, False
    answer = await session.ask(scenario, after[which].tray, after[which].cut)
    fault = await broken(session, scenario, kept, after[which], answer)
    return fault, which + 1 < len(after)


def _with_tuples(fields: dict[str, Any]) -> dict[str, Any]:
    cut = fields["cut"]
    return fields | {"cut": None if cut is None else tuple(cut)}


def unconfirmed(candidate: Candidate, note: str = UNCONFIRMED) -> Breach:
    """Give a breach as it was seen in the run, where it was not or could not be seen again."""
    scenario = candidate.scenario
    fault, level = candidate.fault, candidate.level
    recipes = (scenario.to_json(),)
    return Breach(scenario.words(), fault.wanted, fault.seen, level, (), recipes, note=note)
