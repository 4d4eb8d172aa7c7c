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
from typing import Any, TypeAlias

import msgspec

from palettecheck.certificate import Breach
from palettecheck.engine.driving import INTERRUPTED, PATIENT, Abandoned, drive
from palettecheck.engine.hosting import PATIENCE, BrokenHost, Hosting, found_host, levers_of
from palettecheck.engine.hurrying import HurryingLoop
from palettecheck.engine.job import Progress
from palettecheck.engine.judging import Findings
from palettecheck.engine.logs import collected
from palettecheck.engine.stopping import Stop
from palettecheck.host import CannotAriseError
from palettecheck.iteration import Course, Iteration, Turn
from palettecheck.node_reproducer import node_reproducer
from palettecheck.rules import Fault, NodeRule
from palettecheck.rules.node import ASKED, NODE_RULES, is_faulty
from palettecheck.scenario import Tool
from palettecheck.search.courses import SIZES, courses
from palettecheck.shelf import name_of
from palettecheck.shown import error_text, shown

_PAUSE = 32  # courses between two moments for signals and progress
_REAL = 5.0  # seconds for an iteration that seems to hang, on a loop that does not hurry
_ONCE = "seen once; it did not show again on a new agent"

_SMOKE = Course((Tool("search"),), (Turn(),))


_Way: TypeAlias = tuple[str | bool | int, ...]  # in which a rule broke: what is worth telling apart


def _way(rule: NodeRule, it: Iteration, fault: Fault) -> _Way:
    """Give the kind of resolver; for a rule on forced tools, what became of the one that is."""
    if rule.id == "N12":
        return (len(it.asked),)
    if rule.lever != "tool_choice" and fault.unsaid:
        return (True,)
    if rule.id == "N08":
        return (it.turn.script.name, it.stage)
    if rule.lever != "tool_choice":
        return (it.turn.script.body.kind, it.stage)
    known, shown = (
        any(name_of(tool) == it.forced for tool in tools) for tools in (it.registry, it.input_list)
    )
    return (known, shown, it.choice is not None, fault.unsaid)


@dataclass(frozen=True)
class _Broken:
    """A rule that broke in the last turn of a course."""

    rule: NodeRule
    fault: Fault
    course: Course
    stage: str
    way: _Way


def run_courses(target: str, profile: str, progress: Progress | None = None) -> Findings:
    """Make the tour of the host that `target` names.

    Raises `TargetError` where there is no such host. One that is broken is the error of each rule.
    """
    host = found_host(target)
    try:
        return tour(host, profile, progress, target=target)
    except BrokenHost as error:
        why = f"the adapter is broken: {error}"
        errors = {rule.id: why for rule in NODE_RULES}
        return Findings(errors=errors, scope="nothing: the adapter is broken.", broken=why)


def tour(
    host: Any, profile: str, progress: Progress | None = None, *, target: str = ""
) -> Findings:
    """Take agents of `host` through all courses, and judge each iteration.

    `target`: the name that a program can import it by; without one, a breach has no program.
    Raises `BrokenHost` where the host is: then nothing can be said of any rule.
    """
    made = _Tour(target, host, profile, progress or (lambda done, total: None))
    try:
        # What is logged outside of an iteration is a note.
        with collected(made.findings.notes), _at_level(logging.INFO):
            drive(made.run(), made.stop, HurryingLoop(made.idle))
            made.confirm()
    except (asyncio.CancelledError, Abandoned, KeyboardInterrupt):
        made.keep_unconfirmed()
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
        self._total = 0

    def idle(self) -> None:
        """End the run: nothing is left that could ever wake the agent."""
        self.stop.ask("the host swallows its cancellation")
        if self.stop.asked >= PATIENT:
            asyncio.get_running_loop().stop()

    async def run(self) -> None:
        """Make the courses; raise `BrokenHost` where the host cannot do the simplest one."""
        hosting = Hosting(self._host, self.stop, usual=self._usual)
        agent_changes = await self._smoke(hosting)
        every = courses(self._profile, self._levers, registries_change=agent_changes)
        self._total = len(every)
        try:
            for course in every:
                if self.findings.scenarios % _PAUSE == 0:
                    self._progress(self.findings.scenarios, self._total)
                    await self.stop.breathe()
                    self.stop.check()
                await self._take(hosting, course)
            await self._shorten(hosting)
        finally:
            self._progress(self.findings.scenarios, self._total)

    async def _take(self, hosting: Hosting, course: Course) -> None:
        self.findings.scenarios += 1
        try:
            seen = await hosting.iterations(course)
        except CannotAriseError as error:
            self._cannot_arise[str(error)] += 1
        else:
            await self._judge(hosting, seen)

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

    async def _smoke(self, hosting: Hosting) -> bool:
        """Say whether agents can be given another registry."""
        try:
            (it,) = await hosting.iterations(_SMOKE)
        except CannotAriseError as error:
            words = f"even the simplest scenario cannot arise: {shown(str(error), 200)}"
            raise BrokenHost(words) from error
        if it.stage != "bound":
            raise BrokenHost(f"{it.outcome()}, on {_SMOKE.words(0)}")
        return hosting.registries_change

    async def _judge(self, hosting: Hosting, seen: list[Iteration]) -> None:
        for it in seen:
            course = it.course.cut(it.course.turns[: it.index + 1])
            for rule, fault in self._faults(it):
                broken = _Broken(rule, fault, course, it.stage, _way(rule, it, fault))
                if self._is_new(broken):
                    if await self._fares_no_better(hosting, rule, course):
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

    async def _fares_no_better(self, hosting: Hosting, rule: NodeRule, course: Course) -> bool:
        """Whether there is a fault without what the rule is about, too: then it is another one."""
        if rule.control is None:
            return False
        control = rule.control(course)
        if control == course:
            return False
        try:
            it = (await hosting.iterations(control))[-1]
        except CannotAriseError:
            return False
        return is_faulty(it, rule)

    def _asked(self, rule: NodeRule, it: Iteration) -> Fault | None:
        try:
            return rule.check(it)
        except Exception as error:  # the suite's fault, not the host's: its verdict is "error"
            words = f"the check failed on {it.course.words(it.index)}: {error_text(error)}"
            self.findings.errors.setdefault(rule.id, words)
            return None

    async def _shorten(self, hosting: Hosting) -> None:
        """Leave out the turns before the last one where it breaks alone."""
        for found in self._broken.values():
            found[:] = [await self._shortened(hosting, broken) for broken in found]

    async def _shortened(self, hosting: Hosting, broken: _Broken) -> _Broken:
        alone = broken.course.cut(broken.course.turns[-1:])
        if alone == broken.course or await self._again(hosting, broken.rule, alone) is None:
            return broken
        return replace(broken, course=alone)

    async def _again(self, hosting: Hosting, rule: NodeRule, course: Course) -> Iteration | None:
        try:
            it = (await hosting.iterations(course))[-1]
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
        hosting = Hosting(self._host, self.stop, patience, self._usual)
        it = drive(self._again(hosting, broken.rule, broken.course), self.stop)
        fault = broken.rule.check(it) if it is not None else None
        if fault is None:
            return None
        return _breach(broken.rule, fault, broken.course, self._program(broken, fault))

    def _program(self, broken: _Broken, fault: Fault) -> str:
        by_log = "warnings" in fault.proof or "logged" in fault.proof
        if not self._target or (self._usual and by_log):  # a program can't tell the lines apart
            return ""
        hung, own_tools = broken.stage == "hung", hasattr(self._host, "tool")
        about = (self._target, broken.course, fault, broken.rule.name)
        return node_reproducer(*about, hung=hung, makes_tools=own_tools)

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
