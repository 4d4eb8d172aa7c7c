"""From an observation to the rules that it breaks, and from the counts of a run to verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from palettecheck.certificate import Breach, RuleResult, RuleVerdict
from palettecheck.engine.job import Call
from palettecheck.observation import Observation, Positions
from palettecheck.rules import Fault, Invariant, Level, Rule
from palettecheck.rules.resolver import RULES
from palettecheck.scenario import Inputs, Scenario
from palettecheck.shelf import Shelf
from palettecheck.shown import error_text


@dataclass(frozen=True)
class Candidate:
    """A rule that broke, with the calls up to the one that it broke on.

    `doubtful`: what was seen may be void, and counts only where it shows again.
    """

    rule: Invariant
    level: Level
    fault: Fault
    scenario: Scenario
    calls: tuple[Call, ...]
    doubtful: bool = False


@dataclass
class Findings:
    """What a phase found, as plain data.

    `met`: for each rule id, how many scenarios met it. `candidates`: the first fault for each rule
    id, as long as it is to be confirmed; `breaches`: what it was then, and `more` of other kinds.
    `errors`: for each rule id whose check itself failed, how. `moot`: for each rule id that cannot
    arise, why. `stopped`: why the phase ended early, if it did. `hostile`: methods of the adopter's
    tools raise. `broken`: why the subject cannot be driven.
    """

    scenarios: int = 0
    returned: int = 0
    abstained: int = 0
    met: Counter[str] = field(default_factory=Counter)
    candidates: dict[str, Candidate] = field(default_factory=dict)
    breaches: dict[str, Breach] = field(default_factory=dict)
    more: dict[str, list[Breach]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    moot: dict[str, str] = field(default_factory=dict)
    stopped: str = ""
    notes: list[str] = field(default_factory=list)
    scope: str = ""
    broken: str = ""
    hostile: bool = False


def judge(seen: Observation, findings: Findings) -> Iterator[tuple[Rule, Level, Fault]]:
    """Ask the rules in order, count those that `seen` meets, and give those that it breaks.

    A rule of which there is a candidate is not asked, unless others hang on its answer.
    """
    findings.returned += seen.stage == "returned"
    findings.abstained += seen.stage == "returned" and seen.result is None
    for rule in RULES:
        level = rule.levels.get(seen.scenario.typing)
        if level is None or not rule.situation.met(seen):
            continue
        findings.met[rule.id] += 1
        known = findings.candidates.get(rule.id)
        if known is not None and known.level in ("MUST", level) and not rule.silences:
            continue
        fault = _asked(rule, seen, findings)
        if fault is not None:
            yield rule, level, fault
            if rule.silences:
                return


def _asked(rule: Rule, seen: Observation, findings: Findings) -> Fault | None:
    try:
        return rule.check(seen)
    except Exception as error:  # the suite's fault, not the subject's: its verdict is "error"
        words = f"the check failed on {seen.scenario.words()}: {error_text(error)}"
        findings.errors.setdefault(rule.id, words)
        return None


def met_by(scenario: Scenario, answer: Positions | None, findings: Findings) -> tuple[str, ...]:
    """Give the ids of the rules that an answer meets which breaks none of them.

    They are asked, too: one that breaks, or fails, is an error of the suite.
    """
    tools = tuple(object() for _ in scenario.all_tools)
    shelf = Shelf()
    inputs = Inputs({}, scenario.role, list(tools), shelf.row(tools), tools, shelf)
    seen = Observation(scenario, inputs, "returned")
    if answer is not None:
        seen.result = seen.elements = [tools[i] for i in answer]
    counted = Findings(errors=findings.errors)
    for rule, _, fault in judge(seen, counted):
        words = f"{fault.seen} was taken for an answer in order, on {scenario.words()}"
        findings.errors.setdefault(rule.id, words)
    return tuple(counted.met)


def results(
    rules: Iterable[Invariant], findings: Findings, *, strict: bool
) -> tuple[RuleResult, ...]:
    """Give the verdict of each of the rules, in their order."""
    return tuple(_result(rule, findings, strict) for rule in rules)


def _result(rule: Invariant, findings: Findings, strict: bool) -> RuleResult:
    verdict, note = _verdict(rule, findings, strict)
    breach = findings.breaches.get(rule.id)
    met, more = findings.met[rule.id], tuple(findings.more.get(rule.id, ()))
    return RuleResult(rule.id, rule.slug, rule.level, verdict, met, breach, note, more)


def _verdict(rule: Invariant, findings: Findings, strict: bool) -> tuple[RuleVerdict, str]:
    if rule.id in findings.errors:
        return "error", findings.errors[rule.id]
    if breach := findings.breaches.get(rule.id):
        return ("fail" if strict or breach.level == "MUST" else "advice"), ""
    if rule.id in findings.moot:
        return "not applicable", findings.moot[rule.id]
    if not findings.met[rule.id]:
        return "inconclusive", unmet(rule, findings)
    return "pass", ""


def unmet(rule: Invariant, findings: Findings) -> str:
    """Say why a rule was not met, and how it can be."""
    if findings.hostile and "hostile tools" not in rule.levels:
        return "methods of the tools raise, and nobody can be blamed for what follows from that"
    if not findings.returned:
        return "no call came to a result"
    only_abstained = findings.abstained == findings.returned
    why = "it only ever abstained" if only_abstained else f"it never met {rule.situation.text}"
    return f"{why}: {rule.situation.remedy}" if rule.situation.remedy else why
