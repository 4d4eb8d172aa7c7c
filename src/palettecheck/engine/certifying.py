"""The way of one run: target, subject, scenarios, observations, rules, breaches, certificate."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from palettecheck.certificate import Certificate, run_verdict
from palettecheck.engine.job import Job, Progress
from palettecheck.engine.judging import Findings, results
from palettecheck.engine.phase import run_calls
from palettecheck.engine.touring import run_courses
from palettecheck.loading import TargetError
from palettecheck.rules import Invariant
from palettecheck.rules.every import RESOLVER_RULES
from palettecheck.rules.node import NODE_RULES
from palettecheck.search.small_scope import SIZES


def certify(
    target: str,
    *,
    node: bool = False,
    tools: str | None = None,
    states: str | None = None,
    strict: bool = False,
    profile: str = "default",
    seed: int = 0,
    progress: Progress | None = None,
) -> Certificate:
    """Search for breaches of the contract by the resolver that `target` names.

    `target`: `module:attribute`, `path/to/file.py:attribute` or `reference`. `node`: it is a host
    of resolvers, as `palettecheck.host` says. `tools`, `states`: names of the adopter's own, lists
    or Hypothesis strategies, for a resolver. `strict`: a SHOULD counts as a MUST.
    `profile`: "quick", "default" or "deep". `progress` is told the scenarios done, and in all.
    Raises `TargetError` where what is named cannot be used, `TypeError` and `ValueError` where the
    arguments are wrong, and `RuntimeError` from within a running event loop.
    """
    _check_arguments(target, tools, states, profile, node)
    job = Job(target, tools, states, profile, seed)
    if node:
        findings = run_courses(target, profile, progress)
        return conclude(job, NODE_RULES, findings, strict=strict)
    return conclude(job, RESOLVER_RULES, run_calls(job, progress), strict=strict)


def _check_arguments(
    target: str, tools: str | None, states: str | None, profile: str, node: bool
) -> None:
    if node and (tools or states):
        raise TargetError("a host is driven with the suite's own tools and states: leave yours out")
    for name, value in {"target": target, "tools": tools, "states": states}.items():
        if not isinstance(value, str) and (value is not None or name == "target"):
            raise TypeError(f"{name} is the name of what is meant, as 'module:attribute'")
    if profile not in SIZES:
        raise ValueError(f"there is no profile {profile!r}; there are {', '.join(SIZES)}")
    if asyncio._get_running_loop() is not None:
        raise RuntimeError("certify() runs an event loop of its own: call it outside of any other")


def conclude(
    job: Job, invariants: Sequence[Invariant], findings: Findings, *, strict: bool
) -> Certificate:
    """Make the certificate of a run from what its phases found of these rules."""
    rules = results(invariants, findings, strict=strict)
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
        broken=findings.broken,
    )
