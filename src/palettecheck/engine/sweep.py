"""One pass over the scenarios of a plan, on one instance, follow-up calls included."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Sequence

from palettecheck.engine.job import Call, Plan, Progress
from palettecheck.engine.judging import Candidate, Findings, judge, met_by
from palettecheck.engine.recording import RecordingState
from palettecheck.engine.relating import relate, related
from palettecheck.engine.session import Answer, Session
from palettecheck.engine.stopping import Stop
from palettecheck.engine.watchdog import Watchdog
from palettecheck.observation import Observation, Positions
from palettecheck.rules import Fault, Invariant, Level, Relation, Rule
from palettecheck.rules.resolver import RULES
from palettecheck.scenario import Scenario, Typing
from palettecheck.subject import opened

_PAUSE = 128  # scenarios between two moments for signals, timers, progress and an audit
_SAMPLE = 400  # calls to see whether the state is read at all
_BY_RULE = {rule.id for rule in RULES}  # what these met is counted with the single call
_REMEMBERED = 1_024  # calls before a breach that may have played a part in it

_Kind = tuple[Typing, int, int]  # of an answer: the call's typing, tools kept, tools shown


class Sweep:
    """Calls the subject with each scenario, and keeps the first breach of each rule.

    What was found so far is in `findings` at any time. `stop`: who may end it.
    """

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self.findings = Findings()
        self.stop = Stop()
        self._plan, self._progress = plan, progress
        self._watchdog = Watchdog(plan.job.patience, self.stop)
        self._history: deque[Call] = deque(maxlen=_REMEMBERED)
        self._answers: Counter[_Kind] = Counter()
        self._first: dict[_Kind, tuple[str, ...]] = {}

    async def run(self) -> None:
        """Make the pass; where it is stopped, `findings` says why."""
        with self._watchdog.on_guard():
            try:
                async with opened(self._plan.job.target, self.findings.notes) as subject:
                    session = Session(subject, self._plan.words.own, self.stop)
                    await self._pass(session, self._plan.scenarios)
                    await self._see_what_is_moot(session)
                if not self._has_palettes():
                    await self._backwards()
            except asyncio.CancelledError:
                self.findings.stopped = self.why_stopped()
        self.count_answers()

    def why_stopped(self) -> str:
        """Say why, and how far it came."""
        done, total = self.findings.scenarios, len(self._plan.scenarios)
        return f"{self.stop.reason or 'cancelled'}, after {done:,} of {total:,} scenarios"

    async def _pass(self, session: Session, scenarios: Sequence[Scenario]) -> None:
        since: list[Scenario] = []
        for position, scenario in enumerate(scenarios):
            if position % _PAUSE == 0:
                await self._audit(session, since)
                await self._pause()
            await self._try(session, scenario)
            self.findings.scenarios += 1
            since.append(scenario)
        await self._audit(session, since)
        await self._pause()

    def _has_palettes(self) -> bool:
        quick = (kept for typing, kept, _ in self._answers if not typing.startswith("odd"))
        return self.findings.met["R01"] > 0 or any(kept > 0 for kept in quick)

    async def _backwards(self) -> None:
        """Make the last calls first, on a new instance: a memory of the first ones may hide all.

        What the first pass met is not counted again.
        """
        self.count_answers()
        met, scenarios = dict(self.findings.met), self.findings.scenarios
        self._history.clear()
        async with opened(self._plan.job.target, self.findings.notes) as subject:
            session = Session(subject, self._plan.words.own, self.stop)
            await self._pass(session, self._plan.scenarios[::-1])
        self.count_answers()
        for rule_id, times in met.items():
            self.findings.met[rule_id] = times
        self.findings.scenarios = scenarios

    async def _pause(self) -> None:
        total = max(len(self._plan.scenarios), self.findings.scenarios)
        self._progress(self.findings.scenarios, total)
        await self.stop.breathe()
        self.stop.check()

    async def _audit(self, session: Session, since: list[Scenario]) -> None:
        """Where something changed unseen, make the calls since the last audit again, thoroughly."""
        if not session.is_intact():
            for scenario in since:
                self._judge(await self._observe(session, scenario))
        since.clear()

    async def _try(self, session: Session, scenario: Scenario) -> None:
        self._watchdog.watch(scenario)
        kept = await self._answer(session, scenario)
        self.stop.check()
        if kept is not None:
            await self._relate(session, scenario, kept)

    async def _answer(self, session: Session, scenario: Scenario) -> Positions | None:
        """Make the call and have it judged; give what was kept, if that is a palette."""
        if not session.knows(scenario) or scenario.call == "name":
            seen = await self._observe(session, scenario)
            await self._judge_controlled(session, seen)
            session.tray(scenario)
            return seen.kept()
        tray = session.tray(scenario)
        answer = await session.ask(scenario, tray)
        self._history.append((scenario, None))
        if isinstance(answer, Observation):
            await self._judge_controlled(session, answer)
            return answer.kept()
        self._count(scenario, answer, len(tray.tools))
        return tray.everything if answer is None else answer

    async def _observe(self, session: Session, scenario: Scenario) -> Observation:
        self._watchdog.watch(scenario)
        seen = await session.observe(scenario)
        self._history.append((scenario, None))
        self.stop.check()
        return seen

    def _count(self, scenario: Scenario, answer: Answer, shown: int) -> None:
        kind = (scenario.typing, -1 if answer is None else min(len(answer), 2), min(shown, 2))
        if kind not in self._first:
            self._first[kind] = met_by(scenario, answer)
        self._answers[kind] += 1

    def count_answers(self) -> None:
        """Add what the quick calls met to the findings."""
        for kind, times in self._answers.items():
            self.findings.returned += times
            self.findings.abstained += times * (kind[1] == -1)
            for rule_id in self._first[kind]:
                self.findings.met[rule_id] += times
        self._answers.clear()

    def _judge(self, seen: Observation) -> None:
        """Have a call judged that is no scenario of the plan, and so does not count."""
        for rule, level, fault in judge(seen, Findings(errors=self.findings.errors)):
            self._found(rule, level, fault, seen.scenario)

    async def _judge_controlled(self, session: Session, seen: Observation) -> None:
        for rule, level, fault in judge(seen, self.findings):
            known = rule.id in self.findings.candidates
            calls = tuple(self._history)
            if known or not (
                rule.controlled and await self._breaks_anyway(session, rule, seen.scenario)
            ):
                self._found(rule, level, fault, seen.scenario, calls)

    def _found(
        self,
        rule: Invariant,
        level: Level,
        fault: Fault,
        scenario: Scenario,
        calls: tuple[Call, ...] | None = None,
    ) -> None:
        known = self.findings.candidates.get(rule.id)
        if known is None or (known.level == "SHOULD" and level == "MUST"):
            history = tuple(self._history) if calls is None else calls
            self.findings.candidates[rule.id] = Candidate(rule, level, fault, scenario, history)

    async def _breaks_anyway(self, session: Session, rule: Rule, scenario: Scenario) -> bool:
        """Whether the rule breaks without what it is about, too: then the fault is another one."""
        for control in self._plan.controls(scenario):
            if rule.check(await self._observe(session, control)) is not None:
                return True
        return False

    async def _relate(self, session: Session, scenario: Scenario, kept: Positions) -> None:
        followed: list[str] = []

        def told(relation: Relation, cut: Positions, answer: Answer | Observation) -> None:
            self._history.append((scenario, cut))
            if relation.id not in followed and relation.id not in _BY_RULE:
                self.findings.met[relation.id] += 1
            followed.append(relation.id)
            if isinstance(answer, Observation):
                self._judge(answer)

        async for relation, fault in relate(session, scenario, kept, related(scenario), told):
            calls = tuple(self._history)[: -len(followed)]
            self._found(relation, relation.levels[scenario.typing], fault, scenario, calls)

    async def _see_what_is_moot(self, session: Session) -> None:
        waiting = [r for r in RULES if r.needs_state and r.id not in self.findings.candidates]
        if waiting and not await self._state_is_read(session):
            for rule in waiting:
                self.findings.moot[rule.id] = "no call looked at the state"

    async def _state_is_read(self, session: Session) -> bool:
        every = max(1, len(self._plan.scenarios) // _SAMPLE)
        for scenario in self._plan.scenarios[::every]:
            self._watchdog.watch(scenario)
            seen = await session.observe(scenario, RecordingState)
            if getattr(seen.inputs.state, "touched", False):
                return True
        return False
