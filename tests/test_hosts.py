"""Every node of the gallery breaks the rules that it is known for, and no other one."""

from __future__ import annotations

import subprocess
import sys

import pytest

from command import TESTS
from gallery.hosts import CORRECT, FAULTY, Variation, variation
from palettecheck import certify
from palettecheck.certificate import Certificate
from palettecheck.rules.node import NODE_RULES


def certified(name: str) -> Certificate:
    return certify(f"gallery.hosts:{name}", node=True, profile="quick")


def broken(certificate: Certificate, level: str) -> set[str]:
    return {rule.id for rule in certificate.rules if rule.breach and rule.level == level}


def programs(certificate: Certificate) -> list[str]:
    found = [(rule.breach, *rule.more) for rule in certificate.rules if rule.breach]
    return [breach.reproducer for breaches in found for breach in breaches if breach]


def repaired(program: str, name: str) -> str:
    """The program on the sound node, which the faulty one is a variation of."""
    own = f"from gallery.hosts import {name}\n"
    assert own in program
    return program.replace(own, f"from adopters.handwritten.repaired import Node as {name}\n")


def fails(program: str) -> bool:
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, capture_output=True, cwd=TESTS, timeout=60)
    return done.returncode != 0


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_node_breaks_what_it_is_known_for_and_a_program_shows_it(name: str) -> None:
    certificate, known = certified(name), variation(name)

    assert broken(certificate, "MUST") == set(known.breaks.split())
    assert broken(certificate, "SHOULD") == set(known.advised.split())
    assert certificate.verdict == ("fail" if known.breaks else "pass")
    for program in programs(certificate):
        assert (fails(program), fails(repaired(program, name))) == (True, False), program


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_node_is_not_accused(name: str) -> None:
    certificate = certified(name)

    assert [rule.breach for rule in certificate.rules if rule.breach] == []
    assert certificate.verdict == "pass"
    assert certificate.notes == ()


def test_there_are_many_of_each_and_each_is_a_small_change() -> None:
    assert len(FAULTY) >= 25
    assert len(CORRECT) >= 8
    assert all(1 <= len(one.changes) <= 2 for one in (*FAULTY.values(), *CORRECT.values()))


@pytest.mark.parametrize("rule", NODE_RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_node_that_breaks_it(rule: object) -> None:
    def names(one: Variation) -> list[str]:
        return [*one.breaks.split(), *one.advised.split()]

    assert any(getattr(rule, "id", "") in names(one) for one in FAULTY.values())


def test_the_reference_passes_with_every_rule_met() -> None:
    certificate = certify("reference", node=True)

    assert {rule.verdict for rule in certificate.rules} == {"pass"}
    assert all(rule.scenarios > 0 for rule in certificate.rules)
    assert "complete for up to 3 tools with every lever" in certificate.scope
