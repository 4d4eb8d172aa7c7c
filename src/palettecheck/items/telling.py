"""The item that tells: one rule on one subject, over all examples, in the command's words."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from palettecheck.certificate import Breach, RuleResult
from palettecheck.engine.judging import Findings, unmet
from palettecheck.engine.least import least_history
from palettecheck.engine.shrinking import one_by_one, shrunk_calls
from palettecheck.items.naming import as_written
from palettecheck.items.subjects import Found, Subjects, series
from palettecheck.report.table import breach_text
from palettecheck.reproducer import reproducer
from palettecheck.rules import Invariant, Level, Relation
from palettecheck.scenario import Scenario
from palettecheck.search.generated import Drawn
from palettecheck.search.spelled import Spelling, spelled
from palettecheck.search.vocabulary import Vocabulary

_UNCONFIRMED = "seen once; it did not show again on a new instance"
_LEFT_OUT = f"{_UNCONFIRMED}, and something else may have brought it about"
_NO_PROGRAM = (
    "no reproducer: another process cannot have these {}, which were drawn, or which no module "
    "has under a name"
)


class PaletteAdvice(UserWarning):
    """A SHOULD that broke, or a rule of which nothing can be said."""


@dataclass(frozen=True)
class Asked:
    """What `palette_tests` was asked for. `target`: what the factory is called, if anything.

    `place`: the file and the line that asked, where warnings belong.
    """

    factory: Callable[[], Any]
    target: str
    strict: bool
    place: tuple[str, int]


class Item:
    """One rule on one subject: what was found over all examples, and whether it was said.

    What was told once is told again for the same call, without asking: Hypothesis makes each
    failing example twice, and a subject with a mind of its own may answer otherwise.
    """

    def __init__(self, rule: Invariant, asked: Asked) -> None:
        self._rule, self._asked = rule, asked
        self._subjects = Subjects(asked.factory)
        self._findings = Findings()
        self._spoke = False
        self._told: dict[Level, str] = {}
        self._failures: dict[int, str] = {}

    def judge(self, spelling: Spelling) -> None:
        """Fail, or warn once, where the rule breaks on the call."""
        __tracebackhide__ = True
        if (words := self._failures.get(spelling.number)) is not None:
            pytest.fail(words, pytrace=False)
        try:
            self._judge(spelling)
        except pytest.fail.Exception as failure:
            self._failures[spelling.number] = failure.msg or ""
            raise
        except BaseException:
            self._spoke = True
            raise

    def _judge(self, spelling: Spelling) -> None:
        __tracebackhide__ = True
        call = spelled(spelling, kind_for(self._rule))
        self._findings.hostile = call.words.typing == "hostile tools"
        if self._rule.levels.get(call.scenario.typing) in self._told:
            return
        calls = series(call.scenario, self._rule, rising=spelling.number % 2 == 1)
        found = self._subjects.search(calls, call.words, self._rule, self._findings)
        if self._subjects.hung:
            self._fail(self._subjects.hung)
        if found is not None and found.level not in self._told:
            self._tell(call, found)

    def _tell(self, call: Drawn, found: Found) -> None:
        __tracebackhide__ = True
        fails = self._asked.strict or found.level == "MUST"
        breach = self._breach(call.words, found)
        if breach.note == _UNCONFIRMED and found.fault.circumstantial:
            if not self._spoke:
                self._warn(f"{self._rule.name}: {breach.seen}: {_LEFT_OUT}; left out")
            return
        words = self._in_words(breach, "fail" if fails else "advice")
        if fails:
            self._fail(words)
        self._told[found.level] = words
        try:
            self._warn(words)
        except PaletteAdvice:  # where warnings are errors
            del self._told[found.level]
            self._fail(words)

    def _breach(self, words: Vocabulary, found: Found) -> Breach:
        """Find the fewest and least calls that show it on a new instance."""

        def ask(calls: Sequence[Scenario]) -> Found | None:
            again = self._subjects.ask(calls, words, self._rule)
            return again if again is not None and again.level == found.level else None

        *earlier, last = found.calls
        least = least_history(lambda before: ask([*before, last]), earlier)
        if least is None:
            return _breach(found, _UNCONFIRMED, "")

        def still_breaks(calls: Sequence[Scenario]) -> bool:
            return ask(calls) is not None

        calls = shrunk_calls([*least[0], last], one_by_one(still_breaks))
        shown = ask(calls) or least[1]
        hindrance = _hindrance(shown.calls)
        return _breach(shown, hindrance, "" if hindrance else self._program(shown))

    def _program(self, found: Found) -> str:
        asked, name = self._asked, self._rule.name
        made = "" if asked.target else as_written(asked.factory)
        return reproducer(asked.target, found.built, found.calls, name, found.fault, made)

    def _in_words(self, breach: Breach, verdict: Any) -> str:
        rule, met = self._rule, self._findings.met[self._rule.id]
        return breach_text(RuleResult(rule.id, rule.slug, rule.level, verdict, met, breach))

    def _fail(self, words: str) -> None:
        __tracebackhide__ = True
        self._spoke = True
        pytest.fail(words, pytrace=False)

    def _warn(self, words: str) -> None:
        self._spoke = True
        file, line = self._asked.place
        warnings.warn_explicit(PaletteAdvice(words), None, file, line)

    def conclude(self) -> None:
        """Warn where no example met what the rule is about."""
        if not self._spoke and not self._findings.met[self._rule.id]:
            why = unmet(self._rule, self._findings).replace("(--", "(")
            self._warn(f"inconclusive: {self._rule.name}: {why}")


def kind_for(rule: Invariant) -> str:
    """Give the kind of calls on which the rule has the most to say."""
    odd = next((kind for kind in ("odd state", "odd tools") if kind in rule.levels), "well-typed")
    return "unrouted" if isinstance(rule, Relation) else odd


def _hindrance(calls: Sequence[Scenario]) -> str:
    """Say what keeps another process from making the calls; nothing where it can."""
    if all(scenario.portable for scenario in calls):
        return ""
    tools = any(tool.drawn for scenario in calls for tool in scenario.registry)
    return _NO_PROGRAM.format("tools" if tools else "states")


def _breach(found: Found, note: str, program: str) -> Breach:
    *earlier, last = found.calls
    fault, before = found.fault, tuple(scenario.words() for scenario in earlier)
    return Breach(
        last.words(), fault.wanted, fault.seen, found.level, before, note=note, reproducer=program
    )
