"""The subjects that the items call: a new instance, on a new event loop, for each example.

drawn call --> short series of calls on one instance --> observations --> the item's rule
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from palette_reference import ACTION, DEFAULT
from palettecheck.engine.driving import INTERRUPTED, Abandoned, drive
from palettecheck.engine.job import PATIENCE
from palettecheck.engine.judging import Findings, judge
from palettecheck.engine.relating import relate, related
from palettecheck.engine.session import Session
from palettecheck.engine.stopping import Stop
from palettecheck.engine.tray import FollowUp
from palettecheck.engine.watchdog import Watchdog
from palettecheck.observation import Observation
from palettecheck.rules import Fault, Invariant, Level, Relation, Rule
from palettecheck.scenario import Scenario
from palettecheck.search.small_scope import plain_versions
from palettecheck.search.vocabulary import Vocabulary
from palettecheck.shown import type_name
from palettecheck.subject import Built, opened_from

Broken: TypeAlias = tuple[Level, Fault] | None


class Found(NamedTuple):
    """A rule that broke on the last of `calls`, and how the subject came to be."""

    level: Level
    fault: Fault
    calls: tuple[Scenario, ...]
    built: Built


class Subjects:
    """Makes a new instance for each series of calls.

    `hung`: what one of them did not come back from. Once one hangs, no other is asked: each would
    take as long.
    """

    def __init__(self, factory: Callable[[], Any]) -> None:
        self.hung = ""
        self._factory = factory
        self._name = getattr(factory, "__qualname__", type_name(factory))

    def search(
        self, calls: Sequence[Scenario], words: Vocabulary, rule: Invariant, findings: Findings
    ) -> Found | None:
        """Give how `rule` breaks on the first of `calls` that breaks it; count what met it."""
        return self._driven(calls, words, rule, findings, False)

    def ask(self, calls: Sequence[Scenario], words: Vocabulary, rule: Invariant) -> Found | None:
        """Give how `rule` breaks on the last of `calls`."""
        return self._driven(calls, words, rule, Findings(), True)

    def _driven(
        self,
        calls: Sequence[Scenario],
        words: Vocabulary,
        rule: Invariant,
        findings: Findings,
        last_only: bool,
    ) -> Found | None:
        if self.hung:
            return None
        stop, question = Stop(), _Question(words, rule, findings, last_only)
        try:
            return drive(self._run(calls, question, stop), stop)
        except (asyncio.CancelledError, Abandoned):
            if stop.reason == INTERRUPTED:
                raise KeyboardInterrupt from None
            self.hung = stop.reason or "the run was cancelled"
            return None

    async def _run(
        self, calls: Sequence[Scenario], question: _Question, stop: Stop
    ) -> Found | None:
        watchdog = Watchdog(PATIENCE, stop)
        with watchdog.on_guard():
            async with opened_from(self._factory, self._name, []) as subject:
                session = Session(subject, question.words.own, stop)
                for i, scenario in enumerate(calls):
                    watchdog.watch(scenario)
                    seen = await session.observe(scenario)
                    stop.check()
                    if question.last_only and i < len(calls) - 1:
                        continue
                    if (broken := await question.broken(session, seen)) is not None:
                        return Found(*broken, tuple(calls[: i + 1]), subject.built)
        return None


def series(scenario: Scenario, rule: Invariant, *, rising: bool) -> list[Scenario]:
    """Give the call, and lesser ones beside it: a plain fault shows on some of them in any draw.

    For a rule of one call: on the first of its tools alone, the last, one between them, and on
    none, which come before the call if `rising` and else after it, since what a subject keeps of
    a call may be too little or too much for the next one; then in another role. For a relation: on
    the first two. What is odd would not be in all of them.
    """
    count = len(scenario.all_tools)
    if scenario.typing == "odd tools" or not count:
        return [scenario]
    if isinstance(rule, Relation):
        return [scenario, *([scenario.cut((0, 1))] if count > 2 else [])]
    alone = dict.fromkeys((0, count // 2, count - 1)) if count > 1 else ()
    lesser = [*(scenario.cut((i,)) for i in alone), scenario.cut(())]
    other = replace(scenario, role=DEFAULT if scenario.role == ACTION else ACTION)
    return [*lesser, scenario, other] if rising else [scenario, *lesser, other]


class _Question(NamedTuple):
    """What is asked of an observation."""

    words: Vocabulary
    rule: Invariant
    findings: Findings
    last_only: bool

    async def broken(self, session: Session, seen: Observation) -> Broken:
        by_itself = await self._breaks_rule(session, seen)
        return by_itself or await self._breaks_relation(session, seen)

    async def _breaks_rule(self, session: Session, seen: Observation) -> Broken:
        for broken, level, fault in judge(seen, self.findings):
            if broken.id == self.rule.id and not await self._breaks_anyway(session, seen, broken):
                return level, fault
        if self.rule.id in self.findings.errors:
            raise RuntimeError(self.findings.errors[self.rule.id])
        return None

    async def _breaks_anyway(self, session: Session, seen: Observation, rule: Rule) -> bool:
        """Whether it breaks without what it is about, too: then the fault is another one."""
        if not rule.controlled:
            return False
        controls = plain_versions(self.words, seen.scenario)
        return any([rule.check(await session.observe(one)) is not None for one in controls])

    async def _breaks_relation(self, session: Session, seen: Observation) -> Broken:
        scenario, kept = seen.scenario, seen.kept()
        relations = [one for one in related(scenario) if one.id in ("R12", self.rule.id)]
        if kept is None or all(one.id != self.rule.id for one in relations):
            return None
        return await self._first(session, scenario, kept, relations)

    async def _first(
        self,
        session: Session,
        scenario: Scenario,
        kept: tuple[int, ...],
        relations: Iterable[Relation],
    ) -> Broken:
        def told(follow_up: FollowUp, answer: object) -> None:
            self.findings.met[follow_up.relation.id] += 1

        async for relation, fault in relate(session, scenario, kept, relations, told):
            if relation.id == self.rule.id:
                return relation.levels[scenario.typing], fault
        return None
