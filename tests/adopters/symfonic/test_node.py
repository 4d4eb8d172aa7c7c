"""The react node of the installed symfonic-core breaks what is known of it, and nothing else.

Each of its departures from its own documentation is found by itself. It is certified twice, alone
and with a guard around each resolver, a minute each; so all of it runs in one process.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from typing import Any, NamedTuple

import pytest

from adopters.symfonic.known import NODE, UNGUARDED, Broken, broken
from command import ROOT, palettecheck
from palettecheck.rules.node import NODE_RULES

VERSION = version("symfonic-core")
UNKNOWN = (
    f"what symfonic-core {VERSION} breaks is not known yet: run "
    f"python tests/adopters/symfonic/measure.py --write {VERSION}"
)

pytestmark = pytest.mark.xdist_group("symfonic-node")


def certificate(host: str) -> dict[str, Any]:
    """What the command prints of a host; a busy machine takes minutes."""
    asked = ("--node", host, "--profile", "quick", "--format", "json")
    done = palettecheck("certify", *asked, timeout=900)
    assert done.returncode == 1, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    """The certificate of the node as it is."""
    return certificate("symfonic")


@pytest.fixture(scope="module")
def guarded() -> dict[str, Any]:
    """The certificate of the node with a guard around every resolver."""
    return certificate("adopters.symfonic.targets:guarded_symfonic")


@pytest.fixture
def known() -> Broken:
    """What is known of the installed version."""
    if VERSION not in NODE:
        pytest.fail(UNKNOWN)
    return NODE[VERSION]


def test_it_breaks_the_rules_that_are_known_and_no_other(
    alone: dict[str, Any], known: Broken
) -> None:
    assert {*broken(alone)} == {*known}


def test_the_minimal_scenarios_are_those_that_are_known(
    alone: dict[str, Any], known: Broken
) -> None:
    assert broken(alone) == known


class Departure(NamedTuple):
    """Words of the breach that shows it. `turns`: how many the scenario takes."""

    rule: str
    scenario: str
    seen: str
    turns: int = 1


DEPARTURES = {
    "an empty palette binds nothing": Departure(
        "N04", "registry [search]; the resolver: return []", "[] bound"
    ),
    "a tool that routing removed is bound": Departure(
        "N02", "routed to [search]; the resolver: return [tool for tool in registry", "fetch bound"
    ),
    "a new instance is bound": Departure("N01", "copy.copy(tool)", "a copy of 'search' bound"),
    "a tool twice is bound twice": Departure(
        "N10", "return [all_tools[0], all_tools[0]]", "[search, search] bound"
    ),
    "True breaks the iteration": Departure("N08", "return True", "the iteration raised TypeError"),
    "a generator loses a tool to the force": Departure(
        "N08", "tool choice 'search'; the resolver: return (tool for tool in", "[] bound"
    ),
    "the force warns on each iteration": Departure(
        "N06", "tool choice 'search'; the resolver: return [all_tools[1]]", "warns again", turns=2
    ),
    "a forced tool that routing removed is named, not bound": Departure(
        "N05",
        "routed to [search], tool choice 'fetch'; the resolver: return None",
        "[search] bound, tool choice 'fetch'",
    ),
    "a forced name that no tool has is named": Departure(
        "N11", "[search], tool choice 'ghost'", "[search] bound, tool choice 'ghost'"
    ),
    "what the resolver pops is lost for good": Departure(
        "N13", "registry [search]; the resolver: return None", "registry is changed", turns=2
    ),
    "what is always included is dropped": Departure(
        "N07", "always included [search]; the resolver: return [all_tools[1]]", "[fetch] bound"
    ),
}


def shows(breach: dict[str, Any], departure: Departure) -> bool:
    """Say whether the breach is that departure."""
    words = departure.scenario in breach["scenario"] and departure.seen in breach["seen"]
    return words and len(breach["before"]) + 1 == departure.turns


@pytest.mark.parametrize("name", DEPARTURES)
def test_each_departure_is_found_by_itself(name: str, alone: dict[str, Any]) -> None:
    departure = DEPARTURES[name]
    breaches = broken(alone).get(departure.rule, [])

    assert [one for one in breaches if shows(one, departure)], breaches


def test_a_guard_repairs_what_comes_from_the_resolver_and_nothing_else(
    guarded: dict[str, Any], known: Broken
) -> None:
    assert {*broken(guarded)} == {*UNGUARDED}
    assert {*UNGUARDED} < {*known}


def test_the_table_of_the_readme_is_what_is_known() -> None:
    readme = (ROOT / "README.md").read_text()
    head = re.search(r"^\| rule \| ([\d., a-z|]+) \|$", readme, re.M)
    assert head is not None
    versions = head[1].split(" | ")[:-1]
    assert sorted(versions) == sorted(NODE)
    for rule in NODE_RULES:
        row = re.search(rf"^\| {rule.name} \| (.+) \|$", readme, re.M)
        assert row is not None
        *cells, guarded_cell = row[1].split(" | ")
        assert cells == ["fail" if rule.id in NODE[v] else "pass" for v in versions]
        assert guarded_cell.startswith("fail: " if rule.id in UNGUARDED else "pass")
