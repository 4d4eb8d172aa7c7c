"""What comes back: the verdicts, with the evidence for them, as plain data.

The field order is the order of the JSON object that `--format json` prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

Verdict: TypeAlias = Literal["error", "fail", "inconclusive", "pass"]
RuleVerdict: TypeAlias = Literal[
    "error", "fail", "inconclusive", "pass", "advice", "not applicable"
]

LIMITS = (
    "A palette is about what a model is shown. It is not authorization: a policy that fails shows "
    "every tool, and some frameworks run a tool that was never bound."
)
_WORST_FIRST: tuple[Verdict, ...] = ("error", "fail", "inconclusive", "pass")


class Breach(msgspec.Struct, frozen=True):
    """A rule that broke: the minimal scenario, what was wanted of it, and what was seen.

    `level`: of the rule on this kind of call. `before`: the calls that have to come first on the
    same instance. `recipes`: the JSON of those calls and of the last. `note`: what a reader should
    know of how far it was confirmed. `reproducer`: a Python program that fails in the same way.
    """

    scenario: str
    wanted: str
    seen: str
    level: str
    before: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    note: str = ""
    reproducer: str = ""


class RuleResult(msgspec.Struct, frozen=True):
    """One rule on one run. `scenarios`: how many met it. `note`: why it has no clear verdict.

    `more`: breaches of another kind than `breach`, each the least of its kind.
    """

    id: str
    slug: str
    level: str
    verdict: RuleVerdict
    scenarios: int
    breach: Breach | None = None
    note: str = ""
    more: tuple[Breach, ...] = ()


class Certificate(msgspec.Struct, frozen=True):
    """All that one run can say of a subject.

    `scope`: what was looked at, in a sentence. `stopped`: why the run ended early, if it did.
    `broken`: why the subject cannot be driven at all, so that the verdict is "error".
    """

    subject: str
    verdict: Verdict
    rules: tuple[RuleResult, ...]
    profile: str
    seed: int
    strict: bool
    scenarios: int
    scope: str
    stopped: str = ""
    notes: tuple[str, ...] = ()
    limits: str = LIMITS
    broken: str = ""


def run_verdict(results: Iterable[RuleResult], *, strict: bool, stopped: bool) -> Verdict:
    """Give the worst verdict of the MUST rules, or of all; a stopped run never passes."""
    counted = {r.verdict for r in results if strict or r.level == "MUST" or r.verdict == "error"}
    if stopped:
        counted.add("inconclusive")
    return next((verdict for verdict in _WORST_FIRST if verdict in counted), "inconclusive")
