"""The gallery's faulty members: what palettecheck takes to find them, and what Hypothesis does.

The Hypothesis test has natural strategies, and so what a member hands over is not for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeVar

from benchmarks.alone import alone
from benchmarks.first_breach import Breach, first_breach
from benchmarks.natural import Failure, first_failure
from benchmarks.showing import Teller, print_table, print_words
from gallery.members import Member, members
from palettecheck.loading import find

T = TypeVar("T")

EXAMPLES = (100, 1_000)
_NOT = "not found"
_LEGEND = (
    "Beside a number of examples is the rule of the assert that failed, and a star where that is "
    "not a rule that the member is registered for. Seconds: with the making of the scenarios, "
    "without imports."
)
# What the natural test cannot tell from the rule of its assert.
_ALSO = {"R01": "R02", "R09": "R05"}
_PATIENCE = 60.0  # seconds for one member by one way
# What has an assert in the natural test.
_ASSERTED = frozenset({"R01", "R02", "R03", "R04", "R05", "R06", "R07", "R08", "R09", "R16"})


@dataclass(frozen=True)
class Row:
    """One member: what each way took; `None` where it was not found."""

    member: Member
    breach: Breach | None
    failures: tuple[Failure | None, ...]


def faulty(text: str = "") -> list[Member]:
    """Give the members that are wrong on purpose, and whose name has `text` in it."""
    return [m for m in members() if not m.correct and text.lower() in m.name.lower()]


def measured(members: Sequence[Member], seed: int, examples: Sequence[int]) -> list[Row]:
    """Give a row for each member."""
    teller, rows = Teller("gallery, members"), []
    for done, member in enumerate(members):
        teller.tell(done, len(members))
        find(member.target)  # so that no import counts
        breach = _tried(first_breach, member.target, member.tools, member.states, seed)
        failures = (_tried(first_failure, member.target, most, seed) for most in examples)
        rows.append(Row(member, breach, tuple(failures)))
    return rows


def _tried(work: Callable[..., T | None], target: str, *arguments: Any) -> T | None:
    try:
        return alone(_PATIENCE, work, target, *arguments)
    except TimeoutError as error:
        print(f"benchmarks: {target}: {error}", file=sys.stderr)
        return None


def show(text: str, seed: int, examples: Sequence[int]) -> None:
    """Measure, and print the table of the members and the totals."""
    rows = measured(faulty(text), seed, examples)
    columns = ("member", "found", "calls", "seconds", *(f"in {most:,}" for most in examples))
    title = "Gallery: to the first breach with palettecheck, and with natural strategies"
    print_table(title, columns, map(_cells, rows))
    print_words(_LEGEND)
    asserted = [row for row in rows if _broken(row.member) & _ASSERTED]
    _print_totals("Of all members", rows, examples)
    _print_totals("Of those that break what the natural test asserts", asserted, examples)


def _broken(member: Member) -> frozenset[str]:
    return member.must | member.should


def _cells(row: Row) -> list[str]:
    name, breach = row.member.name, row.breach
    if breach is None:
        found = [_NOT, "", ""]
    else:
        rule = _starred(breach.rule, row.member)
        found = [rule, f"{breach.calls:,}", f"{breach.seconds:.3f}"]
    return [name, *found, *(_in_words(failure, row.member) for failure in row.failures)]


def _in_words(failure: Failure | None, member: Member) -> str:
    return _NOT if failure is None else f"{failure.examples:,} {_starred(failure.rule, member)}"


def _starred(rule: str, member: Member) -> str:
    """Mark a rule that the member is not registered for; the blank keeps the figures in line."""
    return rule + (" " if _broken(member) & {rule, _ALSO.get(rule, rule)} else "*")


def _print_totals(which: str, rows: Sequence[Row], examples: Sequence[int]) -> None:
    """Write how many were found, and the median of what it took where they were."""
    calls = [row.breach.calls for row in rows if row.breach]
    parts = [f"palettecheck {_total(calls, 'calls')}"]
    for i, most in enumerate(examples):
        tries = [failure.examples for row in rows if (failure := row.failures[i])]
        parts.append(f"{most:,} examples {_total(tries, 'examples')}")
    print_words(f"{which}, {len(rows)}, found by: {'; '.join(parts)}.")


def _total(tries: Sequence[int], unit: str) -> str:
    return f"{len(tries)} (median {median(tries):g} {unit})" if tries else "0"
