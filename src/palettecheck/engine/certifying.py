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
from palettecheck.shown import quoted
from palettecheck.subject import takes_config


def certify(
    target: str,
    *,
    node: bool = False,
    tools: str | None = None,
    states: str | None = None,
    strict: bool = False,
    profile: str = "default",
    seed: int = 0,
    config: str | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Search for breaches of the contract by the resolver that `target` names.

    `target`: `module:attribute`, `path/to/file.py:attribute`, `reference` or `symfonic`. `node`: it
    is a host of resolvers, as `palettecheck.host` says. `tools`, `states`: names of the adopter's
    own, lists or Hypothesis strategies, for a resolver. `config`: the name of the `role_tools`, for
    `symfonic`, the resolver that its agent makes of them. `strict`: a SHOULD counts as a MUST.
    `profile`: "quick", "default" or "deep". `progress` is told the scenarios done, and in all.
    Raises `TargetError` where what is named cannot be used, `TypeError` and `ValueError` where the
    arguments are wrong, and `RuntimeError` from within a running event loop.
    """
    names = {"target": target, "tools": tools, "states": states, "config": config}
    _check_arguments(names, profile, node)
    job = Job(target, tools, states, profile, seed, config=config)
    if node:
        findings = run_courses(target, profile, progress)
        return conclude(job, NODE_RULES, findings, strict=strict)
    return conclude(job, RESOLVER_RULES, run_calls(job, progress), strict=strict)


def _check_arguments(names: dict[str, str | None], profile: str, node: bool) -> None:
    if node and (names["tools"] or names["states"]):
        raise TargetError("a host is driven with the suite's own tools and states: leave yours out")
    for name, value in names.items():
        if not isinstance(value, str) and (value is not None or name == "target"):
            raise TypeError(f"{name} is the name of what is meant, as 'module:attribute'")
    if names["config"] is not None and (node or not takes_config(names["target"] or "")):
        what = "a host" if node else quoted(names["target"] or "", 200)
        raise TargetError(f"{what} is built from no config: only the resolver 'symfonic' is")
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
