"""The courses of a host, one after the other, as a phase: judged, and each breach made again.

A phase gives `Findings`, plain data, as the one for resolvers does.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import msgspec

from palettecheck.certificate import Breach
from palettecheck.engine.driving import INTERRUPTED, Abandoned, drive
from palettecheck.engine.hosting import PATIENCE, BrokenHost, Hosting, found_host, levers_of
from palettecheck.engine.hurrying import HurryingLoop
from palettecheck.engine.job import Progress
from palettecheck.engine.judging import Findings
from palettecheck.engine.logs import collected
from palettecheck.engine.stopping import Stop
from palettecheck.host import CannotAriseError
from palettecheck.iteration import Course, Iteration, Turn
from palettecheck.node_reproducer import node_reproducer
from palettecheck.rules import Fault, NodeRule, Way
from palettecheck.rules.facts import stands
from palettecheck.rules.node import ASKED, NODE_RULES
from palettecheck.scenario import Tool
from palettecheck.search.courses import SIZES, courses
from palettecheck.shown import error_text, shown

_PAUSE = 32  # courses between two moments for signals and progress
_REAL = 5.0  # seconds for an iteration that seems to hang, on a loop that does not hurry
_ONCE = "seen once; it did not show again on a new agent"

_SMOKE = Course((Tool("search"),), (Turn(),))


@dataclass(frozen=True)
class _Broken:
    """A rule that broke in the last turn of a course."""

    rule: NodeRule
    fault: Fault
    course: Course
    stage: str
    way: Way


def run_courses(target: str, profile: str, progress: Progress | None = None) -> Findings:
    """Make the tour of the host that `target` names; raise `TargetError` where there is none."""
    return tour(found_host(target), profile, progress, target=target)


def tour(
    host: Any, profile: str, progress: Progress | None = None, *, target: str = ""
) -> Findings:
    """Take agents of `host` through all courses, and judge each iteration.

    `target`: the name that a program can import it by; without one, a breach has no program. Of a
    host that is `broken`, nothing is said but that.
    """
    made = _Tour(target, host, profile, progress or (lambda done, total: None))
    try:
        # What is logged outside of an iteration is a note.
        with collected(made.findings.notes, made.hears), _at_level(logging.INFO):
            drive(made.run(), made.stop, HurryingLoop())
            made.confirm()
    except (asyncio.CancelledError, Abandoned, KeyboardInterrupt):
        made.keep_unconfirmed()
    except BrokenHost as error:
        why = f"the adapter is broken: {error}"
        errors = {rule.id: why for rule in NODE_RULES}
        return Findings(errors=errors, scope="nothing: the adapter is broken.", broken=why)
    made.conclude()
    return made.findings


@contextmanager
def _at_level(level: int) -> Iterator[None]:
    """Have records made of that level, too: a line at INFO is logged, whoever shows it."""
    root = logging.getLogger()
    before = root.level
    root.setLevel(min(before or level, level))
    try:
        yield
    finally:
        root.setLevel(before)


class _Tour:
    def __init__(self, target: str, host: Any, profile: str, progress: Progress) -> None:
        self._target = target
        self.findings, self.stop = Findings(), Stop()
        self._host, self._profile, self._progress = host, profile, progress
        self._levers = levers_of(host)
        self._broken: dict[str, list[_Broken]] = {}
        self._cannot_arise: Counter[str] = Counter()
        self._usual: set[str] = set()
        self._hosting = Hosting(host, self.stop, usual=self._usual)
        self._total = 0

    def hears(self, record: logging.LogRecord) -> bool:
        """Have an iteration that is on its way hear a log record."""
        return self._hosting.hears(record)

    async def run(self) -> None:
        """Make the courses; raise `BrokenHost` where the host cannot do the simplest one."""
        agent_changes = await self._smoke()
        every = courses(self._profile, self._levers, registries_change=agent_changes)
        self._total = len(every)
        try:
            for course in every:
                if self.findings.scenarios % _PAUSE == 0:
                    self._progress(self.findings.scenarios, self._total)
                    await self.stop.breathe()
                    self.stop.check()
                await self._take(course)
            await self._shorten()
        finally:
            self._progress(self.findings.scenarios, self._total)

    async def _take(self, course: Course) -> None:
        self.findings.scenarios += 1
        try:
            seen = await self._hosting.iterations(course)
        except CannotAriseError as error:
            self._cannot_arise[str(error)] += 1
        else:
            await self._judge(seen)

    def keep_unconfirmed(self) -> None:
        """Keep what was found so far: the run is over."""
        reason = self.stop.reason or INTERRUPTED
        done = f"{self.findings.scenarios:,} of {self._total:,} scenarios"
        self.findings.stopped = f"{reason}, after {done}"
        for broken in chain.from_iterable(self._broken.values()):
            self._keep(
                broken, _breach(broken.rule, broken.fault, broken.course, "", "not confirmed")
            )

    def _keep(self, broken: _Broken, breach: Breach) -> None:
        """Keep the first breach of a rule, and beside it those of another kind."""
        first = self.findings.breaches.setdefault(broken.rule.id, breach)
        if first is not breach:
            self.findings.more.setdefault(broken.rule.id, []).append(breach)

    async def _smoke(self) -> bool:
        """Say whether agents can be given another registry."""
        try:
            (it,) = await self._hosting.iterations(_SMOKE)
        except CannotAriseError as error:
            words = f"even the simplest scenario cannot arise: {shown(str(error), 200)}"
            raise BrokenHost(words) from error
        if it.stage != "bound":
            raise BrokenHost(f"{it.outcome()}, on {_SMOKE.words(0)}")
        return self._hosting.registries_change

    async def _judge(self, seen: list[Iteration]) -> None:
        for it in seen:
            self.findings.returned += it.stage == "bound"
            course = it.course.cut(it.course.turns[: it.index + 1])
            for rule, fault in self._faults(it):
                broken = _Broken(rule, fault, course, it.stage, rule.way(it, fault))
                if self._is_new(broken):
                    if await self._fares_no_better(rule, course):
                        continue
                    self._broken.setdefault(rule.id, []).append(broken)
                if rule.silences(it):
                    break

    def _is_new(self, broken: _Broken) -> bool:
        return all(broken.way != one.way for one in self._broken.get(broken.rule.id, ()))

    def _faults(self, it: Iteration) -> Iterator[tuple[NodeRule, Fault]]:
        for rule in ASKED:
            if not rule.situation.met(it):
                continue
            self.findings.met[rule.id] += 1
            fault = self._asked(rule, it)
            if fault is not None:
                yield rule, fault

    async def _fares_no_better(self, rule: NodeRule, course: Course) -> bool:
        """Whether there is a fault without what the rule is about, too: then it is another one."""
        if rule.control is None or (control := rule.control.course(course)) == course:
            return False
        try:
            it = (await self._hosting.iterations(control))[-1]
        except CannotAriseError:
            return False
        others = [r for r in NODE_RULES if r.level == "MUST" and r.id != rule.id]
        breaks = any(self._asked(r, it) is not None for r in others if r.situation.met(it))
        return breaks or (rule.control.of_base and not stands(it))

    def _asked(self, rule: NodeRule, it: Iteration) -> Fault | None:
        try:
            return rule.check(it)
        except Exception as error:  # the suite's fault, not the host's: its verdict is "error"
            words = f"the check failed on {it.course.words(it.index)}: {error_text(error)}"
            self.findings.errors.setdefault(rule.id, words)
            return None

    async def _shorten(self) -> None:
        """Leave out the turns before the last one where it breaks alone."""
        for found in self._broken.values():
            found[:] = [await self._shortened(broken) for broken in found]

    async def _shortened(self, broken: _Broken) -> _Broken:
        alone = broken.course.last()
        if alone == broken.course or await self._again(broken.rule, alone) is None:
            return broken
        return replace(broken, course=alone)

    async def _again(self, rule: NodeRule, course: Course) -> Iteration | None:
        try:
            it = (await self._hosting.iterations(course))[-1]
        except CannotAriseError:
            return None
        last = it.index == len(course.turns) - 1
        return it if last and rule.situation.met(it) and self._asked(rule, it) else None

    def confirm(self) -> None:
        """Keep each breach that shows again on a new agent; what does not is a note."""
        for found in self._broken.values():
            while found:  # what is done is out of it: this may be interrupted
                self._confirm(found[0])
                del found[0]

    def _confirm(self, broken: _Broken) -> None:
        breach = self._confirmed(broken)
        if breach is not None:
            self._keep(broken, breach)
        else:
            note = f"{broken.rule.id}: {broken.fault.seen}: {_ONCE}; left out"
            self.findings.notes.append(note)

    def _confirmed(self, broken: _Broken) -> Breach | None:
        """Make the breach again in plain time: a loop that hurries may have brought it about."""
        patience = _REAL if broken.stage == "hung" else PATIENCE
        self._hosting = Hosting(self._host, self.stop, patience, self._usual)
        it = drive(self._again(broken.rule, broken.course), self.stop)
        fault = broken.rule.check(it) if it is not None else None
        if it is None or fault is None:
            return None
        return _breach(broken.rule, fault, broken.course, self._program(broken, it, fault))

    def _program(self, broken: _Broken, it: Iteration, fault: Fault) -> str:
        if not self._target:
            return ""
        about = (self._target, broken.course, fault, broken.rule.name)
        return node_reproducer(
            *about,
            usual=it.said_as_usual(),
            hung=broken.stage == "hung",
            makes_tools=hasattr(self._host, "tool"),
        )

    def conclude(self) -> None:
        """Say what was looked at, and what cannot arise."""
        for rule in NODE_RULES:
            if rule.lever and rule.lever not in self._levers:
                self.findings.moot[rule.id] = f"the host has no {rule.lever}"
        for why, times in self._cannot_arise.items():
            self.findings.notes.append(f"{times:,} scenarios cannot arise: {shown(why, 200)}")
        if self.findings.stopped:
            self.findings.scope = f"{self.findings.scenarios:,} of {self._total:,} scenarios."
            return
        self.findings.scope = (
            f"{self._total:,} scenarios, {_complete(self._profile)}; each iteration twice, and the "
            "changes from one to another. One agent at a time: no overlapping iterations."
        )


def _complete(profile: str) -> str:
    complete = f"complete for up to {SIZES[profile]} tools with every lever"
    if profile != "quick":
        return complete
    return f"{complete} where the resolver is sound, and with one at a time where it fails"


def _breach(rule: NodeRule, fault: Fault, course: Course, program: str, note: str = "") -> Breach:
    *earlier, last = (course.words(i) for i in range(len(course.turns)))
    recipe = msgspec.json.encode(course).decode()
    before, about = tuple(earlier), (last, fault.wanted, fault.seen, rule.level)
    return Breach(*about, before, (recipe,), note, program)
