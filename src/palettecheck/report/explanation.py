"""A rule explained, and all of them as `invariants.md`."""

from __future__ import annotations

from palettecheck.rules import Invariant
from palettecheck.rules.every import EVERY

_TITLE = """\
# The invariants of a tool-palette resolver

A resolver narrows the tools that an agent shows its model:
`async resolve(state, role, all_tools)` gives some of `all_tools`, the same instances, or `None` to
abstain. This file is what `palettecheck explain --all` prints, and each rule's text is the one that
stands beside its check.

*MUST* and *SHOULD* are those of RFC 2119. *Stated*: the documentation of symfonic-core, which the
protocol comes from, says so. *Derived*: it follows from that, or from a defect that somebody
reported. A MUST that breaks fails a run. A SHOULD that breaks is advice; with `--strict` it fails
the run too.

A call is well-typed when `state` is a `dict` with string keys, `role` a string, and `all_tools` a
list of distinct instances in the shapes of the adopter's registry; without one, of unhashable
objects with a string `.name`. A value in `state` may be missing, `None`, or any string. On one call
R05 is asked first, then R09, then R04, then the rest, and the first of these three that breaks is
the only one reported: one fault, one blame. Nobody is blamed for tools whose own methods raise.
"""
_LIMITS = """\
## Limits

These rules are judged on single calls. A palette is about what a model is *shown*. It is not
authorization: a policy that fails shows every tool, and some frameworks run a tool that was never
bound.
"""


def every_rule() -> str:
    """Give the whole of `invariants.md`."""
    rules = EVERY
    table = ["| rule | level | basis | text |", "|---|---|---|---|"]
    table += [f"| {r.name} | {_levels(r)} | {r.basis} | {r.text} |" for r in rules]
    return "\n".join([_TITLE, *table, "", *map(one_rule, rules), _LIMITS])


def one_rule(rule: Invariant) -> str:
    """Give the section on one rule: level, basis, reason, a breaching example and its fix."""
    return "\n".join(
        [
            f"## {rule.name}",
            "",
            f"**{_levels(rule)}, {rule.basis}.** {rule.text}",
            "",
            f"Why: {rule.reason}",
            "",
            f"Judged on: {rule.situation.text}.",
            "",
            "Breaks it:",
            "",
            _code(rule.example.breaking),
            "",
            "Keeps it:",
            "",
            _code(rule.example.repaired),
            "",
        ]
    )


def _levels(rule: Invariant) -> str:
    return rule.level


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


__all__ = ["every_rule", "one_rule"]
