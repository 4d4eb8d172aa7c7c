"""Calls one after the other, as a phase: one pass on one instance, then each breach again.

A breach is made again in a new process.

A phase takes a `Job` and gives `Findings`, plain data both, so that it can run in another process.
"""

from __future__ import annotations

from palettecheck.engine.again import UNCONFIRMED, Again, unconfirmed
from palettecheck.engine.driving import INTERRUPTED, Abandoned, drive
from palettecheck.engine.job import Job, Plan, Progress
from palettecheck.engine.judging import Candidate, Findings
from palettecheck.engine.logs import collected
from palettecheck.engine.sweep import Sweep
from palettecheck.rules import Relation
from palettecheck.search.small_scope import measure
from palettecheck.subject import found


def run_calls(job: Job, progress: Progress | None = None) -> Findings:
    """Make the calls of a job; an interruption ends it early, with what was found so far.

    Raises `TargetError` where what the job names cannot be used.
    """
    plan = Plan(job)
    found(job.target, job.config)  # imported before the fork, once for all
    again = Again(plan)
    try:
        sweep = Sweep(plan, progress or (lambda done, total: None))
        _make_the_pass(sweep)
        _confirm(sweep.findings, again)
    finally:
        again.close()
    sweep.findings.candidates.clear()
    sweep.findings.notes[:0] = plan.words.notes
    sweep.findings.hostile = plan.words.typing == "hostile tools"
    sweep.findings.scope = describe(plan, sweep.findings)
    return sweep.findings


def _make_the_pass(sweep: Sweep) -> None:
    try:
        with collected(sweep.findings.notes):
            drive(sweep.run(), sweep.stop)
    except (Abandoned, KeyboardInterrupt):
        sweep.stop.reason = sweep.stop.reason or INTERRUPTED
        sweep.findings.stopped = sweep.why_stopped()


def _confirm(findings: Findings, again: Again) -> None:
    try:
        for candidate in findings.candidates.values():
            _confirm_one(candidate, findings, again)
    except KeyboardInterrupt:
        findings.stopped = findings.stopped or "interrupted while the breaches were confirmed"
        for rule_id, candidate in findings.candidates.items():
            findings.breaches.setdefault(rule_id, unconfirmed(candidate))


def _confirm_one(candidate: Candidate, findings: Findings, again: Again) -> None:
    """Keep a breach; one that may have come from elsewhere only where it shows again."""
    breach, rule = again.breach(candidate), candidate.rule
    of_two = isinstance(rule, Relation) and rule.id != "R12"
    by_chance = of_two and ("R12" in findings.candidates or breach.note == UNCONFIRMED)
    void = candidate.doubtful and breach.note == UNCONFIRMED
    if void or (breach.note and (candidate.fault.circumstantial or by_chance)):
        findings.notes.append(f"{rule.id}: {breach.seen}: {breach.note}; left out")
    else:
        findings.breaches[rule.id] = breach


def describe(plan: Plan, findings: Findings) -> str:
    """Say in a sentence what was looked at, and what was not."""
    if findings.stopped:
        return f"{findings.scenarios:,} of {len(plan.scenarios):,} scenarios."
    words, scope = plan.words, measure(plan.words, plan.job.profile)
    labels = [tool.label() for tool in words.tools]
    names = ", ".join(labels[:5]) + f" and {len(labels) - 5} more" * (len(labels) > 5)
    calls = f"{len(words.roles)} roles and {len(words.states)} states"
    most = min(scope.complete, len(words.tools)) if words.own else scope.complete
    complete = f"complete for lists of up to {most} of the tools {names}"
    if scope.complete < 1:
        complete = f"not complete even for one tool at a time of {names}"
    longest = max(len(scenario.registry) for scenario in plan.scenarios)
    return (
        f"{len(plan.scenarios):,} scenarios, {complete}, with {calls}; some lists have up to "
        f"{longest:,} tools, and {plan.drawn:,} scenarios are drawn. One call at a time: no "
        "overlapping calls, no deadlines."
    )
