"""Every member of the gallery is judged exactly as it says, and its reproducers really fail."""

from __future__ import annotations

import functools
import subprocess
import sys

import pytest

from command import TESTS
from forked import forked
from gallery.members import Member, members
from palettecheck import Certificate, certify
from palettecheck.rules import Invariant
from palettecheck.rules.every import RESOLVER_RULES

MEMBERS = members()
# One worker for a member, which certifies it once.
GROUPED = [
    pytest.param(member, id=member.name, marks=pytest.mark.xdist_group(member.name))
    for member in MEMBERS
]
NAMED = pytest.mark.parametrize("member", GROUPED)


@functools.cache
def certified(member: Member) -> Certificate:
    """The certificate of a member, made once."""
    return forked(lambda: certify(member.target, tools=member.tools, states=member.states))


def broken(certificate: Certificate, verdict: str) -> set[str]:
    """The ids of the rules with that verdict."""
    return {rule.id for rule in certificate.rules if rule.verdict == verdict}


@NAMED
def test_a_member_breaks_what_it_says_and_nothing_else(member: Member) -> None:
    certificate = certified(member)

    assert broken(certificate, "fail") == member.must
    assert member.should <= broken(certificate, "advice")
    assert member.must or broken(certificate, "advice") <= member.should | member.seldom
    assert broken(certificate, "error") == set()
    assert not certificate.stopped


@NAMED
def test_each_breach_fails_again_without_the_suite(member: Member) -> None:
    for rule in certified(member).rules:
        if rule.breach is None or rule.breach.note or rule.breach.reproducer.startswith("#"):
            continue
        assert len(rule.breach.reproducer.splitlines()) <= 15
        assert "palettecheck" not in rule.breach.reproducer
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", rule.breach.reproducer],
            capture_output=True, text=True, cwd=TESTS, timeout=60,
        )  # fmt: skip
        assert done.returncode != 0
        message = rule.breach.seen.partition(": ")[2] or rule.breach.seen
        # Which call the stack ended on depends on how deep the process began.
        message = message.partition(" while calling ")[0]
        assert f"{rule.id} {rule.slug}: " in done.stderr or message in done.stderr


@pytest.mark.parametrize("rule", RESOLVER_RULES, ids=lambda rule: rule.id)
def test_every_rule_has_three_members_that_break_it(rule: Invariant) -> None:
    assert sum(rule.id in member.must | member.should for member in MEMBERS) >= 3


def test_ten_correct_members_are_odd() -> None:
    odd = [m for m in MEMBERS if m.correct and m.target.startswith("gallery.correct:")]

    assert len(odd) >= 10
    assert not any(member.must for member in MEMBERS if member.correct)
