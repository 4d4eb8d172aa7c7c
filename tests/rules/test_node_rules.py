"""The rules for a node: each example breaks its rule where it stands in a sound node."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from command import TESTS
from palettecheck import certify
from palettecheck.rules import NodeRule
from palettecheck.rules.node import ASKED, FIRST, NODE_RULES

SOUND = (TESTS / "adopters" / "handwritten" / "repaired.py").read_text()


def with_example(rule: NodeRule) -> str:
    """The sound node with the breaking lines of the rule in the place of the repaired ones."""
    lines = SOUND.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.strip() == rule.example.repaired]
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines[at] = "\n".join(margin + line for line in rule.example.breaking.splitlines())
    return "\n".join(lines)


@pytest.mark.parametrize("rule", NODE_RULES, ids=lambda rule: rule.id)
def test_the_example_breaks_the_rule_and_is_repaired(
    rule: NodeRule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType(f"example_{rule.id}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(dedent(with_example(rule)), vars(module))
    certificate = certify(f"{module.__name__}:Node", node=True, profile="quick")

    assert rule.id in {result.id for result in certificate.rules if result.breach}


def test_there_are_seventeen_and_all_are_asked_once() -> None:
    assert [rule.id for rule in NODE_RULES] == [f"N{i:02}" for i in range(1, 18)]
    assert sorted(rule.id for rule in ASKED) == [rule.id for rule in NODE_RULES]
    assert tuple(rule.id for rule in ASKED[: len(FIRST)]) == FIRST


@pytest.mark.parametrize("rule", NODE_RULES, ids=lambda rule: rule.id)
def test_the_text_is_a_sentence_and_the_level_that_of_the_contract(rule: NodeRule) -> None:
    assert rule.text.endswith(".")
    assert rule.level == ("SHOULD" if rule.id in ("N14", "N16") else "MUST")
