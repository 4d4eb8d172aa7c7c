"""A rule explained, and all of them as `invariants.md`."""

from __future__ import annotations

from palettecheck.rules import Invariant
from palettecheck.rules.every import EVERY
from palettecheck.rules.node import NODE_RULES

_TITLE = """\
# The invariants of a tool palette

A resolver narrows the tools that an agent shows its model:
`async resolve(state, role, all_tools)` gives some of `all_tools`, the same instances, or `None` to
abstain. R01 to R20 are about it. A node hosts it: it composes intent routing, the palette, the
always-include names and the forced tool, in this order, and binds what they give to the model. N01
to N17 are about that. This file is what `palettecheck explain --all` prints, and each rule's text
is the one that stands beside its check.

*MUST* and *SHOULD* are those of RFC 2119. *Stated*: the documentation of symfonic-core, which the
protocol comes from, says so. *Derived*: it follows from that, or from a defect that somebody
reported. A MUST that breaks fails a run. A SHOULD that breaks is advice; with `--strict` it fails
the run too.

A call is well-typed when `state` is a `dict` with string keys, `role` a string, and `all_tools` a
list of distinct instances in the shapes of the adopter's registry; without one, of unhashable
objects with a string `.name`. A value in `state` may be missing, `None`, or any string. On one call
R05 is asked first, then R09, then R04, then the rest, and the first of these three that breaks is
the only one reported: one fault, one blame. Nobody is blamed for tools whose own methods raise.

For a node, the *input list* is what intent routing kept of the agent's registry; where that is
nothing, or there was no routing, it is the registry. The *base* is the palette, or the input list
after `None`, `[]`, an error, a missed deadline and a result that is no list. Of a list with
elements that may not be in it, a node may keep the rest as the base, or refuse it whole. What is
*bound* is the base and what always-include and the force add back.
"""
_LIMITS = """\
## Where the documentation is silent

What stands here is derived, and the reference resolver does the same.

- A tool is named by its `.name`, compared exactly; tools of one name are kept alike. A tool without
  a string for a `.name`, a `dict` included, is on no allowlist.
- An abstention and the whole list are the same palette. For an empty list, `None` and `[]` are
  both fine.
- What raises at the call itself, before there is anything to await, is R09; only arguments that do
  not fit, and a result that cannot be awaited, are R05.
- A field that an object adds to itself, and one whose name begins with an underscore, is a cache:
  it is no change to the state or to a tool.
- A change to a tool or a state counts only where it shows again in a new process, since something
  else may have brought it about.
- R20 looks at neighbours and position. Whether the history matters is not judged.

For nodes, derived as well:

- What is added back is looked up in the registry, and appended in its order; of several tools of
  the name, the first. `palette_reference.bind_palette` does so. Where a node puts it is its own
  matter.
- Once is once an agent. A node may warn once of all that a resolver does wrong, or of each kind;
  that a force contradicts the palette is a matter of its own (N06). Where routing, and not the
  palette, removed the forced tool, a node may add it back without a word.
- A warning is a record of the level WARNING or above, wherever Python's `logging` makes it; N08 is
  content with INFO. What an agent logs where its resolver abstains and nothing is forced counts for
  nothing. N06 looks at the warnings that name the forced tool.
- A host may leave the second tool of a name out of the input list from the beginning.
- The order of a palette that is not in the input's order is the node's own matter.
- "auto", "any", "required" and "none" are modes of a tool choice, and no names. A node may leave a
  mode out, send another one, or send one where no name can be sent.
- A node that cannot have its registry changed is not asked to. The keys of the state that begin
  with an underscore are its own.

## Limits

A run judges calls that come one after the other; of nodes, iterations of one agent. Deadlines of a
resolver, overlapping calls, cancellation, a
comparison of long histories, and what reads a config, are not judged. A palette is about what a
model is *shown*. It is not authorization: a policy that fails shows every tool, and some frameworks
run a tool that was never bound.
"""


def every_rule() -> str:
    """Give the whole of `invariants.md`."""
    rules = EVERY
    table = ["| rule | level | basis | text |", "|---|---|---|---|"]
    table += [f"| {r.name} | {_levels(r)} | {r.basis} | {r.text} |" for r in rules]
    return "\n".join([_TITLE, *table, "", *map(one_rule, rules), _LIMITS])


def one_rule(rule: Invariant) -> str:
    """Give the section on one rule: level, basis, reason, a breaching example and its fix."""
    where = ", in `tests/adopters/handwritten/repaired.py`" if rule in NODE_RULES else ""
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
            f"Breaks it{where}:",
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
    also = rule.levels.get("odd state", rule.level)
    return rule.level if also == rule.level else f"{rule.level} ({also} on odd states)"


def _code(text: str) -> str:
    return f"```python\n{text}\n```"


__all__ = ["every_rule", "one_rule"]
