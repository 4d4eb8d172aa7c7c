"""The way of one run: target, subject, scenarios, observations, rules, breaches, certificate."""

from __future__ import annotations

from palettecheck.certificate import Certificate, run_verdict
from palettecheck.engine.job import Job, Progress
from palettecheck.engine.judging import Findings, results
from palettecheck.engine.phase import run_small_scope


def certify(
    target: str,
    *,
    tools: str | None = None,
    states: str | None = None,
    strict: bool = False,
    profile: str = "default",
    seed: int = 0,
    progress: Progress | None = None,
) -> Certificate:
    """Search for breaches of the contract by the resolver that `target` names.

    `target`: `module:attribute`, `path/to/file.py:attribute` or `reference`. `tools`, `states`:
    names of the adopter's own, lists or Hypothesis strategies. `strict`: a SHOULD counts as a MUST.
    `profile`: "quick", "default" or "deep". `progress` is told the scenarios done, and in all.
    Raises `TargetError` where what is named cannot be used. Not to be called from a running loop.
    """
    job = Job(target, tools, states, profile, seed)
    return conclude(job, run_small_scope(job, progress), strict=strict)


def conclude(job: Job, findings: Findings, *, strict: bool) -> Certificate:
    """Make the certificate of a run from what its phases found."""
    rules = results(findings, strict=strict)
    verdict = run_verdict(rules, strict=strict, stopped=bool(findings.stopped))
    return Certificate(
        job.target,
        verdict,
        rules,
        job.profile,
        job.seed,
        strict,
        findings.scenarios,
        findings.scope,
        findings.stopped,
        tuple(findings.notes),
    )
