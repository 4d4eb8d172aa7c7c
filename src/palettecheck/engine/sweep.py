"""One pass over the scenarios of a plan, on one instance, with a look at the inputs in between."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import replace

from palettecheck.engine.job import Plan, Progress
from palettecheck.engine.judging import Candidate, Findings
from palettecheck.engine.recording import RecordingState
from palettecheck.engine.session import Session
from palettecheck.engine.stopping import Stop
from palettecheck.engine.trying import Trial
from palettecheck.engine.watchdog import Watchdog
from palettecheck.rules.resolver import RULES
from palettecheck.scenario import Scenario
from palettecheck.subject import Subject, opened

_PAUSE = 128  # scenarios between two moments for signals, timers, progress and an audit
_SAMPLE = 400  # calls to see whether the state is read at all
_ALLOCATED = 200_000  # objects until garbage is looked for: what is kept for the audit is none


class Sweep:
    """Calls the subject with each scenario, and keeps the first breach of each rule.

    What was found so far is in `findings` at any time. `stop`: who may end it.
    """

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self.findings = Findings()
        self.stop = Stop()
        self._plan, self._progress = plan, progress
        self._watchdog = Watchdog(plan.job.patience, self.stop)
        self._trial = Trial(plan, self.findings, self.stop, self._watchdog)

    async def run(self) -> None:
        """Make the pass; where it is stopped, `findings` says why."""
        with self._watchdog.on_guard(), _garbage_looked_for_rarely():
            try:
                async with self._opened() as subject:
                    session = Session(subject, self._plan.words.own, self.stop)
                    await self._pass(session, self._plan.scenarios)
                    await self._see_what_is_moot(session)
                self._trial.count()
                if not self.findings.met["R01"]:
                    await self._backwards()
            except asyncio.CancelledError:
                self.findings.stopped = self.why_stopped()
        self._trial.count()

    def why_stopped(self) -> str:
        """Say why, and how far it came; what was met so far is counted."""
        self._trial.count()
        done, total = self.findings.scenarios, len(self._plan.scenarios)
        return f"{self.stop.reason or 'cancelled'}, after {done:,} of {total:,} scenarios"

    async def _pass(self, session: Session, scenarios: Sequence[Scenario]) -> None:
        make = self._trial.make
        await self._pause()
        for start in range(0, len(scenarios), _PAUSE):
            some, known = scenarios[start : start + _PAUSE], dict(self.findings.candidates)
            for scenario in some:
                await make(session, scenario)
                self.findings.scenarios += 1
            await self.stop.breathe()  # for what the calls have left to the loop
            await self._audit(session, some, known)
            await self._pause()

    def _opened(self) -> AbstractAsyncContextManager[Subject]:
        job = self._plan.job
        return opened(job.target, self.findings.notes, job.config)

    async def _backwards(self) -> None:
        """Make the last calls first, on a new instance: a memory of the first ones may hide all.

        What the first pass met is not counted again.
        """
        met, scenarios = dict(self.findings.met), self.findings.scenarios
        self._trial.forget()
        async with self._opened() as subject:
            session = Session(subject, self._plan.words.own, self.stop)
            await self._pass(session, self._plan.scenarios[::-1])
        self._trial.count()
        for rule_id, times in met.items():
            self.findings.met[rule_id] = times
        self.findings.scenarios = scenarios

    async def _pause(self) -> None:
        total = max(len(self._plan.scenarios), self.findings.scenarios)
        self._progress(self.findings.scenarios, total)
        await self.stop.breathe()
        self.stop.check()

    async def _audit(
        self, session: Session, scenarios: Sequence[Scenario], known: dict[str, Candidate]
    ) -> None:
        """Where something changed unseen, find out what these calls show without that.

        A change inside a tool reaches the calls after it. So they are made again, with a look after
        each, from `known` on, what was found before them; what does not show again, since some
        things happen once, is doubtful. Where the change is known already, and nothing else was
        found, to make them again would show nothing new.
        """
        changed, found = session.changed(), dict(self.findings.candidates)
        if changed.rules <= self._trial.settled() and not (changed.inside and found != known):
            return
        unseen = self._trial.unseen(changed.rules)
        if changed.inside:
            self.findings.candidates.clear()
            self.findings.candidates.update(known)
            for scenario in scenarios:
                await self._trial.again(session, scenario)
            session.changed()
        for rule_id, candidate in {**unseen, **found}.items():
            self.findings.candidates.setdefault(
                rule_id, replace(candidate, doubtful=changed.inside)
            )

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


@contextmanager
def _garbage_looked_for_rarely() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _ALLOCATED) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
