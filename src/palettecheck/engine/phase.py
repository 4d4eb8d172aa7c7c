"""The small scope as a phase: one pass on one instance, then each breach again in a new process.

A phase takes a `Job` and gives `Findings`, plain data both, so that it can run in another process.
"""

from __future__ import annotations

from palettecheck.engine.again import Again, unconfirmed
from palettecheck.engine.driving import drive
from palettecheck.engine.job import Job, Plan, Progress
from palettecheck.engine.judging import Findings
from palettecheck.engine.sweep import Sweep
from palettecheck.loading import find
from palettecheck.search.small_scope import Scope, measure
from palettecheck.search.vocabulary import Vocabulary
from palettecheck.subject import REFERENCE


def run_small_scope(job: Job, progress: Progress | None = None) -> Findings:
    """Run the small scope; an interruption ends it early, with what was found so far.

    Raises `TargetError` where what the job names cannot be used.
    """
    plan = Plan(job)
    if job.target != REFERENCE:
        find(job.target)  # imported before the fork, once for all
    again = Again(plan)
    try:
        sweep = Sweep(plan, progress or (lambda done, total: None))
        drive(sweep.run(), sweep.stop)
        _confirm(sweep, again)
    finally:
        again.close()
    sweep.findings.scope = describe(plan.words, measure(plan.words, job.profile))
    return sweep.findings


def _confirm(sweep: Sweep, again: Again) -> None:
    findings = sweep.findings
    try:
        for rule_id, candidate in findings.candidates.items():
            findings.breaches[rule_id] = again.breach(candidate, sweep.history)
    except KeyboardInterrupt:
        findings.stopped = findings.stopped or "interrupted while the breaches were confirmed"
    for rule_id, candidate in findings.candidates.items():
        findings.breaches.setdefault(rule_id, unconfirmed(candidate))


def describe(words: Vocabulary, scope: Scope) -> str:
    """Say in a sentence what a scope covers, and what nobody looked at."""
    labels = [tool.label() for tool in words.tools]
    names = ", ".join(labels[:5]) + f" and {len(labels) - 5} more" * (len(labels) > 5)
    calls = f"{len(words.roles)} roles and {len(words.states)} states"
    most = min(scope.complete, len(words.tools)) if words.own else scope.complete
    complete = f"complete for lists of up to {most} of the tools {names}"
    if scope.complete < 1:
        complete = f"not complete even for one tool at a time of {names}"
    return (
        f"{scope.scenarios:,} scenarios, {complete}, with {calls}. "
        "One call at a time: no overlapping calls, no deadlines."
    )
