"""One scenario after another: each called, judged, and followed by the calls of its relations.

Where an answer was met before on the same tools, nothing is worked out again: its follow-up calls,
the rules that it meets, and the answers that are in order then lie ready on the tray.
"""

from __future__ import annotations

from collections import deque
from typing import TypeAlias

from palettecheck.engine.job import Call, Plan
from palettecheck.engine.judging import Candidate, Findings, judge, met_by
from palettecheck.engine.relating import broken, follow_ups, related
from palettecheck.engine.session import Session, Unsettled
from palettecheck.engine.stopping import Stop
from palettecheck.engine.tray import Answer, FollowUp, Round, Tally, Tray
from palettecheck.engine.watchdog import Watchdog
from palettecheck.observation import Observation, Positions
from palettecheck.rules import Fault, Invariant, Level, Rule
from palettecheck.rules.resolver import RULES
from palettecheck.scenario import Scenario, Typing

_REMEMBERED = 1_024  # calls before a breach that may have played a part in it
_LONG = 1_000  # tools, from which on a look at the inputs costs more than the call
_BY_RULE = {rule.id for rule in RULES}

_UNSEEN = Fault("the inputs as they were", "something of them changed", circumstantial=True)

_Kind: TypeAlias = tuple[Typing, int, int]  # of an answer: the typing, tools kept, tools shown


class Trial:
    """Tries scenarios, and keeps the first breach of each rule in `findings`."""

    def __init__(self, plan: Plan, findings: Findings, stop: Stop, watchdog: Watchdog) -> None:
        self._plan, self._findings = plan, findings
        self._stop, self._watchdog = stop, watchdog
        self._history: deque[Call] = deque(maxlen=_REMEMBERED)
        self._tallies: dict[tuple[tuple[str, ...], bool], Tally] = {}
        self._first: dict[_Kind, tuple[str, ...]] = {}

    async def make(self, session: Session, scenario: Scenario) -> None:
        """Make the call and those that follow it, and have them judged.

        The calls that follow one that is not even repeated are left out.
        """
        self._watchdog.watch(scenario)
        tray = session.tray(scenario)
        quick, remember = session.quick, self._history.append
        known = tray.rounds or len(tray.tools) > _LONG
        answer = quick(scenario, tray) if known else await session.look(scenario)
        remember((scenario, None))
        round_ = tray.rounds.get(answer) or await self._round(session, scenario, tray, answer)
        if round_ is None:
            return
        for follow_up in round_.follow_ups:
            answer = quick(scenario, follow_up.tray)
            remember((scenario, follow_up.cut))
            if answer in follow_up.accepted:
                continue
            if await self._silences(session, scenario, round_, follow_up, answer):
                return
        round_.tally.times += 1

    async def _round(
        self,
        session: Session,
        scenario: Scenario,
        tray: Tray,
        answer: Answer | Unsettled | Observation,
    ) -> Round | None:
        settled = await self._settled(session, answer)
        if isinstance(settled, Observation):
            return await self._judged(session, settled, tray)
        return tray.rounds.get(settled) or self._new(scenario, tray, settled)

    async def _settled(
        self,
        session: Session,
        answer: Answer | Unsettled | Observation,
        cut: Positions | None = None,
    ) -> Answer | Observation:
        """Bring a call to its end; the subject may have swallowed that of the run meanwhile."""
        settled = await session.settled(answer, cut) if isinstance(answer, Unsettled) else answer
        self._stop.check()
        return settled

    async def _judged(self, session: Session, seen: Observation, tray: Tray) -> Round | None:
        calls = tuple(self._history)
        for rule, level, fault in judge(seen, self._findings):
            known = rule.id in self._findings.candidates
            if known or not await self._breaks_anyway(session, rule, seen.scenario):
                self._found(rule, level, fault, seen.scenario, calls)
        kept = seen.kept()
        if kept is None:
            return None
        after = follow_ups(seen.scenario, tray, kept, related(seen.scenario))
        return Round(kept, after, self._tally(_relations(after)))

    async def _breaks_anyway(self, session: Session, rule: Rule, scenario: Scenario) -> bool:
        """Whether the rule breaks without what it is about, too: then the fault is another one."""
        for control in self._plan.controls(scenario) if rule.controlled else ():
            if rule.check(await self.observe(session, control)) is not None:
                return True
        return False

    def _new(self, scenario: Scenario, tray: Tray, answer: Answer) -> Round:
        kept = tray.of(answer)
        after = follow_ups(scenario, tray, kept, related(scenario))
        some = -1 if answer is None else min(len(answer), 2)
        kind = (scenario.typing, some, min(len(tray.tools), 2))
        if kind not in self._first:
            self._first[kind] = met_by(scenario, answer, self._findings)
        tally = self._tally((*self._first[kind], *_relations(after)), True, answer is None)
        tray.rounds[answer] = Round(kept, after, tally)
        return tray.rounds[answer]

    async def _silences(
        self,
        session: Session,
        scenario: Scenario,
        round_: Round,
        follow_up: FollowUp,
        answer: Answer | Unsettled,
    ) -> bool:
        """Have the answer to a follow-up call judged; say whether the ones after it are moot."""
        relation = follow_up.relation
        settled = await self._settled(session, answer, follow_up.cut)
        if isinstance(settled, Observation):
            self._judge(settled)
        if relation.id in self._findings.candidates and relation.id != "R12":
            return False
        fault = await broken(session, scenario, round_.kept, follow_up, settled)
        if fault is None:
            return False
        done = round_.follow_ups.index(follow_up) + 1
        calls = tuple(self._history)[:-done]
        self._found(relation, relation.levels[scenario.typing], fault, scenario, calls)
        return relation.id == "R12"

    async def observe(self, session: Session, scenario: Scenario) -> Observation:
        """Make a call beside those of the plan."""
        self._watchdog.watch(scenario)
        seen = await session.observe(scenario)
        self._history.append((scenario, None))
        self._stop.check()
        return seen

    async def again(self, session: Session, scenario: Scenario) -> None:
        """Make the call and those that follow it again, with a look after each; they don't count.

        The look puts back what a call changed.
        """
        seen = await self.observe(session, scenario)
        calls = tuple(self._history)
        self._judge(seen)
        kept = seen.kept()
        after = [] if kept is None else related(scenario)
        for follow_up in follow_ups(scenario, session.tray(scenario), kept or (), after):
            answer = await self.observe(session, scenario.cut(follow_up.cut))
            self._judge(answer)
            fault = await broken(session, scenario, kept or (), follow_up, answer)
            session.changed()
            if fault is not None:
                level = follow_up.relation.levels[scenario.typing]
                self._found(follow_up.relation, level, fault, scenario, calls)
                if follow_up.relation.id == "R12":
                    return

    def _judge(self, seen: Observation) -> None:
        apart = Findings(errors=self._findings.errors, candidates=self._findings.candidates)
        for rule, level, fault in judge(seen, apart):
            self._found(rule, level, fault, seen.scenario, tuple(self._history))

    def _found(
        self,
        rule: Invariant,
        level: Level,
        fault: Fault,
        scenario: Scenario,
        calls: tuple[Call, ...],
    ) -> None:
        known = self._findings.candidates.get(rule.id)
        if known is None or (known.level == "SHOULD" and level == "MUST"):
            self._findings.candidates[rule.id] = Candidate(rule, level, fault, scenario, calls)

    def settled(self) -> set[str]:
        """Give the ids of the rules of which no worse breach can be found."""
        found = self._findings.candidates.values()
        return {one.rule.id for one in found if one.level == one.rule.level}

    def unseen(self, rule_ids: set[str]) -> dict[str, Candidate]:
        """Give a candidate for each rule on changes that one of the last calls broke unseen.

        Which call it was shows when all are made again.
        """
        calls = tuple(self._history)
        broken = (rule for rule in RULES if rule.id in rule_ids)
        return {
            rule.id: Candidate(rule, rule.level, _UNSEEN, calls[-1][0], calls) for rule in broken
        }

    def forget(self) -> None:
        """Go on with a new instance, which was not called yet."""
        self._history.clear()

    def count(self) -> None:
        """Add what was met and not yet added to the findings."""
        for tally in self._tallies.values():
            self._findings.returned += tally.times * tally.returned
            self._findings.abstained += tally.times * tally.abstained
            for rule_id in tally.met:
                self._findings.met[rule_id] += tally.times
            tally.times = 0

    def _tally(
        self, met: tuple[str, ...], returned: bool = False, abstained: bool = False
    ) -> Tally:
        return self._tallies.setdefault((met, abstained), Tally(met, returned, abstained))


def _relations(after: list[FollowUp]) -> tuple[str, ...]:
    """The ids of the relations that are met; what R20 met is counted with the single call."""
    return tuple(dict.fromkeys(f.relation.id for f in after if f.relation.id not in _BY_RULE))
