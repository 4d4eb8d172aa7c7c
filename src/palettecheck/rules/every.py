"""All rules that there are, in the order of their ids, one of each id."""

from __future__ import annotations

from palettecheck.rules import Invariant
from palettecheck.rules.node import NODE_RULES
from palettecheck.rules.relations import RELATIONS
from palettecheck.rules.resolver import RULES

_BY_ID: dict[str, Invariant] = {rule.id: rule for rule in (*RELATIONS, *RULES)}

RESOLVER_RULES: list[Invariant] = [_BY_ID[rule_id] for rule_id in sorted(_BY_ID)]
EVERY: list[Invariant] = [*RESOLVER_RULES, *NODE_RULES]
