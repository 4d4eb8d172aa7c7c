"""All rules that there are, in the order of their ids, one of each id."""

from __future__ import annotations

from palettecheck.rules import Invariant
from palettecheck.rules.relations import RELATIONS
from palettecheck.rules.resolver import RULES

_BY_ID: dict[str, Invariant] = {rule.id: rule for rule in (*RELATIONS, *RULES)}

EVERY: list[Invariant] = [_BY_ID[rule_id] for rule_id in sorted(_BY_ID)]
