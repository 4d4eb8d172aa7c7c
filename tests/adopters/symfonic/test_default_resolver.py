"""symfonic-core's own default resolver, from a real agent, with real tools, by the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from adopters.symfonic.known import BREAKS
from adopters.symfonic.targets import TOOLS
from command import TESTS, palettecheck
from palettecheck.loading import TargetError
from palettecheck.subject import opened

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


@cache
def certified(*arguments: str) -> dict[str, dict[str, Any]]:
    """The breaches of the target that the suite ships, by rule; only advice is expected."""
    asked = ("--profile", "quick", "--format", "json")
    done = palettecheck("certify", "symfonic", *asked, *arguments)
    assert done.returncode == 0, done.stderr
    return {rule["id"]: rule["breach"] for rule in json.loads(done.stdout)["rules"]}


OWN = ["--config", f"{TARGETS}:ONE_ROLE", "--tools", f"{TARGETS}:TOOLS"]
each_config = pytest.mark.parametrize(
    "config",
    [
        pytest.param([], id="shipped", marks=pytest.mark.xdist_group("symfonic-shipped")),
        pytest.param(OWN, id="own", marks=pytest.mark.xdist_group("symfonic-own")),
    ],
)


@each_config
def test_it_is_a_target_that_the_suite_ships(config: list[str]) -> None:
    breaches = certified(*config)

    assert {rule for rule, breach in breaches.items() if breach} == KNOWN["one_role"]
    assert breaches["R20"]["seen"] == "TypeError: unhashable type: 'list'"


@each_config
def test_its_reproducer_builds_the_real_agent_and_fails(config: list[str]) -> None:
    program = certified(*config)["R20"]["reproducer"]
    own = os.environ | {"PYTHONPATH": str(TESTS)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=TESTS, env=own
    )

    assert len(program.splitlines()) <= 15
    assert "palettecheck" not in program
    assert done.stderr.endswith("TypeError: unhashable type: 'list'\n")


@pytest.mark.parametrize("config", [f"{TARGETS}:ONE_ROLE", "{}/own_roles.py:ONE_ROLE"])
async def test_it_is_built_from_the_config_that_is_named(config: str, tmp_path: Path) -> None:
    (tmp_path / "own_roles.py").write_text("ONE_ROLE = {'action': ['search', 'quote']}")
    async with opened("symfonic", [], config.format(tmp_path)) as subject:
        kept = await subject.resolve({}, "action", list(TOOLS))
        unmapped = await subject.resolve({}, "default", list(TOOLS))

    assert [*map(id, kept)] == [*map(id, TOOLS[:2])]
    assert unmapped is None


async def test_a_config_that_the_agent_refuses_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "refused_roles.py").write_text("ROLES = {'action': 3}")

    with pytest.raises(TargetError, match="'symfonic' raised when built: ValidationError"):
        async with opened("symfonic", [], f"{tmp_path}/refused_roles.py:ROLES"):
            pass


@pytest.mark.parametrize("node", [[], ["--node"]], ids=["resolver", "node"])
def test_where_it_is_not_installed_one_sentence_says_so(node: list[str], tmp_path: Path) -> None:
    (tmp_path / "symfonic").mkdir()
    (tmp_path / "symfonic" / "__init__.py").write_text("raise ModuleNotFoundError('no symfonic')")
    done = palettecheck("certify", *node, "symfonic", cwd=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "palettecheck: this needs symfonic-core (pip install symfonic-core): "
        "ModuleNotFoundError: no symfonic\n"
    )
