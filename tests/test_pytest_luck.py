"""A plain fault is found in any run, and nothing is said of a clean resolver, whatever the seed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

import palettecheck
from gallery import (
    correct,
    errors_abstain,
    inputs_untouched,
    never_empty,
    no_duplicates,
    no_expansion,
    order_blind,
    same_instances,
)
from palettecheck.rules.every import RESOLVER_RULES

SEEDS = range(5)
FAULTS = [
    (same_instances.CopiesToAnnotate, "R01"),
    (no_expansion.AddsAFinishTool, "R02"),
    (no_expansion.CachesByRole, "R02"),
    (never_empty.AllowlistByRole, "R03"),
    (no_duplicates.PinnedAndMatching, "R06"),
    (inputs_untouched.ExtendsWhatItRemembers, "R07"),
    (errors_abstain.TakesTheFirst, "R09"),
    (order_blind.KeepsTheFirstTwo, "R17"),
]
CLEAN = [correct.AlwaysAbstains, correct.GivesANewList, correct.CachesByIdentity]


class Asked:
    """What an item asks of pytest."""

    def __init__(self) -> None:
        self.node = SimpleNamespace(stash=pytest.Stash())
        self.addfinalizer = [].append


def said(factory: Callable[[], Any], rule_id: str, seed: int) -> str:
    """What the item of a rule says with that seed, in the quick profile; nothing if it passes."""
    test = palettecheck.palette_tests(factory, profile="quick", strict=True)
    test._hypothesis_internal_use_seed = seed
    test._hypothesis_internal_use_settings = settings(
        test._hypothesis_internal_use_settings, database=None
    )
    rule = next(rule for rule in RESOLVER_RULES if rule.id == rule_id)
    try:
        test(request=Asked(), rule=rule)
    except pytest.fail.Exception as failure:
        return failure.msg or ""
    return ""


@pytest.mark.parametrize(("member", "rule_id"), FAULTS)
def test_a_plain_fault_is_found_with_every_seed(member: Any, rule_id: str) -> None:
    for seed in SEEDS:
        assert said(member, rule_id, seed).startswith(f"{rule_id} ")


@pytest.mark.parametrize("member", CLEAN)
def test_nothing_is_said_of_a_clean_resolver(member: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in SEEDS:
            assert [said(member, rule.id, seed) for rule in RESOLVER_RULES] == [""] * len(
                RESOLVER_RULES
            )
