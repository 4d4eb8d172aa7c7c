"""A run comes to an end, says why it ended early, and never passes for that."""

from __future__ import annotations

import gc
import logging
import pickle
from dataclasses import replace
from typing import Any

import pytest

from palettecheck import certify
from palettecheck.engine.certifying import conclude
from palettecheck.engine.job import Job
from palettecheck.engine.judging import Findings
from palettecheck.engine.phase import run_calls
from palettecheck.rules import resolver
from palettecheck.rules.every import RESOLVER_RULES


def test_a_subject_that_awaits_for_ever_ends_the_run() -> None:
    job = Job("engine.waiting:ForEver", profile="quick", patience=0.5)
    findings = run_calls(job)
    certificate = conclude(job, RESOLVER_RULES, findings, strict=False)

    assert findings.stopped.startswith(
        "no result within 0.5 s from resolve({}, 'default', []), aft"
    )
    assert certificate.verdict == "inconclusive"


def test_a_subject_that_swallows_its_cancellation_ends_the_run_too() -> None:
    job = Job("engine.waiting:Swallows", profile="quick", patience=0.5)
    findings = run_calls(job)

    assert findings.stopped.startswith("no result within 0.5 s")
    assert logging.Logger.callHandlers.__module__ == "logging"
    assert conclude(job, RESOLVER_RULES, findings, strict=False).scenarios < 200


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"target": 7}, TypeError),
        ({"target": "reference", "tools": ["search"]}, TypeError),
        ({"target": "reference", "profile": "fast"}, ValueError),
    ],
)
def test_wrong_arguments_are_refused(arguments: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        certify(**arguments)


async def test_a_running_loop_is_no_place_to_certify() -> None:
    with pytest.raises(RuntimeError, match="event loop of its own"):
        certify("reference")


def test_a_breach_that_shows_by_chance_says_so() -> None:
    certificate = certify("engine.waiting:Flips", profile="quick")
    breach = next(rule.breach for rule in certificate.rules if rule.id == "R03")

    assert breach is not None
    assert "it does not show each time" in breach.note or "it did not show again" in breach.note


def test_a_memory_of_the_first_call_does_not_hide_everything() -> None:
    certificate = certify("engine.waiting:RemembersTheFirst")
    broken = {rule.id for rule in certificate.rules if rule.verdict == "fail"}

    assert broken == {"R01", "R02"}


@pytest.mark.parametrize("target", ["reference", "engine.waiting:RemembersTheFirst"])
def test_what_a_phase_hands_over_goes_into_another_process(target: str) -> None:
    findings = run_calls(Job(target, states="gallery.worlds:PINNED", profile="quick"))

    assert pickle.loads(pickle.dumps(findings)) == findings


def test_a_breach_found_before_the_end_fails_the_run() -> None:
    job = Job("engine.waiting:EmptyThenForEver", profile="quick", patience=0.5)
    certificate = conclude(job, RESOLVER_RULES, run_calls(job), strict=False)

    assert certificate.verdict == "fail"
    assert certificate.stopped


def test_a_check_that_fails_is_an_error_and_not_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(seen: object) -> None:
        raise ZeroDivisionError

    rules = [replace(r, check=broken) if r.id == "R06" else r for r in resolver.RULES]
    monkeypatch.setattr("palettecheck.engine.judging.RULES", rules)
    certificate = certify("reference", profile="quick")

    assert certificate.verdict == "error"
    failed = next(rule for rule in certificate.rules if rule.verdict == "error")
    assert failed.id == "R06"
    assert "ZeroDivisionError" in failed.note


def test_a_run_without_findings_is_inconclusive() -> None:
    assert (
        conclude(Job("reference"), RESOLVER_RULES, Findings(), strict=False).verdict
        == "inconclusive"
    )


def test_progress_is_told_from_start_to_end() -> None:
    told: list[tuple[int, int]] = []
    certificate = certify("reference", progress=lambda done, total: told.append((done, total)))

    assert told[0][0] == 0
    assert told[-1] == (certificate.scenarios, certificate.scenarios)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize("thresholds", [(700, 10, 10), (0, 10, 10), (900_000, 5, 5)])
def test_how_often_garbage_is_looked_for_is_the_callers_own_afterwards(
    thresholds: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to: list[int] = []
    before, real = gc.get_threshold(), gc.set_threshold
    real(*thresholds)
    monkeypatch.setattr(gc, "set_threshold", lambda *given: (set_to.append(given[0]), real(*given)))
    try:
        certify("reference", profile="quick")
        assert gc.get_threshold() == thresholds
    finally:
        real(*before)

    assert set_to[0] == (thresholds[0] and max(thresholds[0], 200_000))
