"""A tour of a host always ends, with what was found; what cannot be confirmed is no breach."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from command import palettecheck
from engine import odd_hosts
from engine.test_hosting import certified, verdicts
from palettecheck.engine.touring import tour


def printed(name: str, *options: str, code: int) -> dict[str, Any]:
    """What the command prints of a host."""
    asked = ("certify", "--node", f"engine.odd_hosts:{name}", "--profile", "quick")
    done = palettecheck(*asked, "--format", "json", *options)
    assert done.returncode == code, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    return data


@pytest.mark.parametrize("name", ["Swallows", "SwallowsInSilence"])
def test_a_host_that_swallows_its_cancellation_ends_and_does_not_pass(name: str) -> None:
    data = printed(name, code=3)

    assert data["verdict"] == "inconclusive"
    assert data["stopped"].startswith("no result within 10 s from registry [")


def test_what_was_found_before_it_swallowed_is_kept() -> None:
    data = printed("EmptiesAndSwallows", code=1)
    broken = {rule["id"]: rule["breach"] for rule in data["rules"] if rule["breach"]}

    assert data["stopped"].startswith("no result within 10 s from registry [")
    assert broken["N15"]["note"] == "not confirmed"


def test_an_interruption_exits_with_4_and_reports_what_was_found() -> None:
    data = printed("EmptiesAndInterrupts", code=4)
    broken = {rule["id"]: rule["breach"] for rule in data["rules"] if rule["breach"]}

    assert data["stopped"].startswith("interrupted, after ")
    assert broken["N15"]["note"] == "not confirmed"
    assert 0 < data["scenarios"] < 120


def test_a_must_exits_with_1() -> None:
    assert printed("Empties", code=1)["verdict"] == "fail"


def test_a_should_is_advice_and_exits_with_0_unless_strict() -> None:
    data = printed("WritesState", code=0)

    assert [r["id"] for r in data["rules"] if r["verdict"] == "advice"] == ["N14"]
    # Without levers there are rules that cannot arise; they do not hinder a pass.
    assert data["verdict"] == "pass"
    assert printed("WritesState", "--strict", code=1)["verdict"] == "fail"


def test_a_task_that_exits_leaves_no_traceback_on_the_terminal() -> None:
    assert printed("LeavesATaskThatExits", code=0)["verdict"] == "pass"


def test_scenarios_that_cannot_arise_are_counted_in_a_note() -> None:
    certificate = certified("NeverForced")
    notes = [note for note in certificate.notes if "cannot arise" in note]

    assert len(notes) == 1
    assert " scenarios cannot arise: nothing is ever forced \\x1b[31m[bold]evil\\n" in notes[0]
    assert verdicts(certificate, "inconclusive") == ["N05", "N06", "N11"]
    assert certificate.verdict == "inconclusive"


def test_rules_without_their_lever_do_not_apply() -> None:
    certificate = certified("Small")

    assert verdicts(certificate, "not applicable") == ["N02", "N05", "N06", "N07", "N11"]
    assert certificate.verdict == "pass"


def test_a_host_that_cancels_itself_is_judged_and_not_taken_for_an_interruption() -> None:
    certificate = certified("CancelsItself")

    assert certificate.stopped == ""
    assert len(verdicts(certificate, "error")) == 0


@pytest.mark.parametrize("name", ["BindsHostile", "ChoosesHostile", "WritesHostileKeys"])
def test_what_is_hostile_is_printed_on_narrow_lines_without_escapes(name: str) -> None:
    asked = ("certify", "--node", f"engine.odd_hosts:{name}", "--profile", "quick")
    done = palettecheck(*asked)

    assert done.returncode == (0 if name == "WritesHostileKeys" else 1), done.stderr
    prose = re.sub(r"^import .*?^asyncio.run\(main\(\)\)$", "", done.stdout, flags=re.M | re.S)
    assert max(map(len, prose.splitlines())) <= 80
    assert all(c.isprintable() or c == "\n" for c in done.stdout)


def test_threads_are_waited_for_in_a_whole_tour() -> None:
    """A resolver that awaits for ever meets the deadline of the host, and nothing else does."""
    certificate = certified("Thread")

    assert certificate.verdict == "pass", [rule for rule in certificate.rules if rule.breach]
    assert [note for note in certificate.notes if "did not show again" in note] == []


def test_a_tour_of_a_live_host_says_that_the_adapter_is_broken() -> None:
    found = tour(odd_hosts.BuildRaises, "quick")

    assert "ConnectionError" in found.broken
    assert (found.breaches, found.scenarios) == ({}, 0)


def test_a_tour_leaves_the_event_loop_of_others_alone() -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        tour(odd_hosts.Small, "quick")
        assert asyncio.get_event_loop_policy().get_event_loop() is loop
        assert not loop.is_closed()
    finally:
        asyncio.set_event_loop(None)
        loop.close()
