"""One pass over the scenarios of a plan, on one instance."""

from __future__ import annotations

import asyncio

from palettecheck.engine.calling import Session
from palettecheck.engine.job import Call, Plan, Progress
from palettecheck.engine.judging import Candidate, Findings, judge
from palettecheck.engine.logs import collected
from palettecheck.engine.recording import RecordingState
from palettecheck.engine.stopping import Stop
from palettecheck.engine.watchdog import Watchdog
from palettecheck.observation import Observation
from palettecheck.rules import Rule
from palettecheck.rules.resolver import RULES
from palettecheck.scenario import Scenario
from palettecheck.subject import opened

_PAUSE = 256  # scenarios between two moments for signals, timers and progress
_SAMPLE = 400  # calls to see whether the state is read at all


class Sweep:
    """Calls the subject with each scenario, and keeps the first breach of each rule.

    `history`: the calls that were made. What was found so far is in `findings` at any time.
    """

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self.findings = Findings()
        self.history: list[Call] = []
        self._plan, self._progress = plan, progress
        self.stop = Stop()
        self._watchdog = Watchdog(plan.job.patience, self.stop)

    async def run(self) -> None:
        """Make the pass; where it is cancelled, or the subject hangs, `findings` says so."""
        with self._watchdog.on_guard(), collected(self.findings.notes):
            try:
                async with opened(self._plan.job.target, self.findings.notes) as subject:
                    session = Session(subject, self._plan.words.own, self.stop)
                    await self._pass(session)
                    await self._see_what_is_moot(session)
            except asyncio.CancelledError:
                self.findings.stopped = self._why_stopped()

    def _why_stopped(self) -> str:
        done, total = self.findings.scenarios, len(self._plan.scenarios)
        return f"{self.stop.reason}, after {done:,} of {total:,} scenarios"

    async def _pass(self, session: Session) -> None:
        for position, scenario in enumerate(self._plan.scenarios):
            if position % _PAUSE == 0:
                await self._pause(position)
            seen = await self._call(session, scenario, (position, 0))
            await self._judge(session, seen, position)
        await self._pause(len(self._plan.scenarios))

    async def _pause(self, position: int) -> None:
        self._progress(position, len(self._plan.scenarios))
        await asyncio.sleep(0)
        self.stop.check()

    async def _call(self, session: Session, scenario: Scenario, call: Call) -> Observation:
        self._watchdog.watch(scenario)
        seen = await session.observe(scenario)
        self.stop.check()
        self.history.append(call)
        return seen

    async def _judge(self, session: Session, seen: Observation, position: int) -> None:
        calls = len(self.history)
        for rule, level, fault in judge(seen, self.findings):
            known = self.findings.candidates.get(rule.id)
            if known is not None and (known.level == "MUST" or level == "SHOULD"):
                continue
            if not (rule.controlled and await self._breaks_anyway(session, rule, position)):
                candidate = Candidate(rule, level, fault, seen.scenario, calls)
                self.findings.candidates[rule.id] = candidate

    async def _breaks_anyway(self, session: Session, rule: Rule, position: int) -> bool:
        """Whether the rule breaks without what it is about, too: then the fault is another one."""
        for version, control in enumerate(self._plan.controls(position), 1):
            seen = await self._call(session, control, (position, version))
            if rule.check(seen) is not None:
                return True
        return False

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
