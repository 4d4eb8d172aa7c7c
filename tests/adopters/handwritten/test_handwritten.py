"""The node that a team wrote itself, certified as they would: before the repair, and after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from command import palettecheck

FOLDER = Path(__file__).parent


def certified(module: str, *, code: int) -> dict[str, Any]:
    done = palettecheck("certify", "--node", f"{module}.py:Node", "--format", "json", cwd=FOLDER)
    assert done.returncode == code, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def broken(printed: dict[str, Any]) -> list[str]:
    return [rule["id"] for rule in printed["rules"] if rule["breach"]]


def test_the_faulty_one_fails_for_what_it_trusts_and_for_nothing_else() -> None:
    printed = certified("faulty", code=1)

    assert printed["verdict"] == "fail"
    assert " ".join(broken(printed)) == "N01 N02 N04 N05 N06 N08 N09 N10 N11 N12 N13 N15"


def test_the_repaired_one_passes_with_every_rule_met() -> None:
    printed = certified("repaired", code=0)

    assert (printed["verdict"], broken(printed)) == ("pass", [])
    assert {rule["verdict"] for rule in printed["rules"]} == {"pass"}
