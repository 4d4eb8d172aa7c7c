"""What each version of symfonic-core is known to break.

BREAKS      the rules that its default resolver breaks, by version and target of `targets.py`
NODE        the rules that its node breaks, by version, each with its minimal scenarios
UNGUARDED   those of these rules that a guard around every resolver cannot repair, and why not

`measure.py --write` writes what `NODE` reads.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeAlias

# R20: it looks an unhashable `.name` up in a set, and `TypeError` escapes.
BREAKS = {
    "9.12.0": {
        "one_role": {"R20"},
        "two_roles": {"R20"},
        "a_void_role": {"R20"},
        "a_wide_role": {"R20"},
        "no_role": set[str](),
    },
}

# A rule, and for each kind of breach the turns `before`, the `scenario`, and what was `seen`.
Broken: TypeAlias = dict[str, list[dict[str, Any]]]

FILE = Path(__file__).with_name("known_node.json")
NODE: dict[str, Broken] = json.loads(FILE.read_text()) if FILE.is_file() else {}

UNGUARDED = {
    "N05": "what routing removed is looked up in what routing kept",
    "N06": "the node warns on each iteration",
    "N07": "always-include is applied before the palette",
    "N11": "the choice is sent whether or not its tool is bound",
}


def broken(certificate: dict[str, Any]) -> Broken:
    """Give what a certificate, as `--format json` prints it, has of breaches."""
    rules = [rule for rule in certificate["rules"] if rule["breach"]]
    return {rule["id"]: [*map(_facts, (rule["breach"], *rule["more"]))] for rule in rules}


def _facts(breach: dict[str, Any]) -> dict[str, Any]:
    return {name: breach[name] for name in ("before", "scenario", "seen")}
