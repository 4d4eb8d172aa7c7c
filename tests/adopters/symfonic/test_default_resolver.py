"""symfonic-core's own default resolver, from a real agent, with real tools, by the real command."""

from __future__ import annotations

import json
from importlib.metadata import version

import pytest

from adopters.symfonic.known import BREAKS
from command import palettecheck

TARGETS = "adopters.symfonic.targets"
KNOWN = BREAKS[version("symfonic-core")]


@pytest.mark.parametrize("target", KNOWN)
def test_it_breaks_what_is_known_and_nothing_else(target: str) -> None:
    handed = ("--tools", f"{TARGETS}:TOOLS", "--format", "json")
    done = palettecheck("certify", f"{TARGETS}:{target}", *handed)
    printed = json.loads(done.stdout)

    assert {rule["id"] for rule in printed["rules"] if rule["breach"]} == KNOWN[target]
    assert done.returncode == (3 if target == "no_role" else 0)


def test_its_unhashable_name_is_the_minimal_scenario() -> None:
    handed = ("--tools", f"{TARGETS}:TOOLS", "--format", "json", "--strict")
    done = palettecheck("certify", f"{TARGETS}:one_role", *handed)
    breach = json.loads(done.stdout)["rules"][-1]["breach"]

    assert done.returncode == 1
    assert breach["scenario"] == "resolve({}, 'action', [<name=['search']>])"
    assert breach["seen"] == "TypeError: unhashable type: 'list'"
