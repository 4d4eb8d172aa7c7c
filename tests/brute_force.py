"""The fewest tools on which a member breaks a rule in one call, by trying everything in order.

It shares with the engine what a call is and what a rule says, and nothing of how to search.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from itertools import permutations, product

from gallery.members import Member
from palettecheck.engine.again import FRAMES
from palettecheck.engine.driving import drive
from palettecheck.engine.judging import Findings, judge
from palettecheck.engine.session import Session
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import ODD_NAMES, ODD_ROLES, ROLES, Vocabulary, gather
from palettecheck.subject import opened

_FEW = 3  # tools, up to which every list is tried


def fewest_tools(member: Member, rule_id: str, below: int) -> int | None:
    """Give how many tools it takes to break a MUST; `None` where no fewer than `below` do.

    Each call is made on an instance of its own, in the process of the test, with as much of the
    stack as a program has: that of the test is not counted.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + len(inspect.stack(0)) + FRAMES)
    try:
        return drive(_fewest(member, rule_id, below))
    finally:
        sys.setrecursionlimit(limit)


async def _fewest(member: Member, rule_id: str, below: int) -> int | None:
    words = gather(member.tools, member.states, seed=0)
    for size in range(below):
        for scenario in _scenarios(words, size):
            async with opened(member.target, []) as subject:
                seen = await Session(subject, words.own).observe(scenario)
            broken = judge(seen, Findings())
            if any(rule.id == rule_id and level == "MUST" for rule, level, _ in broken):
                return size
    return None


def _scenarios(words: Vocabulary, size: int) -> Iterator[Scenario]:
    """Without routing, with one tool routed away, and by name."""
    few = size < _FEW
    states = words.states if few or words.own_states else (words.states[0], words.states[-1])
    roles = (*ROLES, *ODD_ROLES) if few else ROLES
    for tools, state, role in product(_lists(words, size), states, roles):
        yield Scenario(tools, None, role, state, typing=words.typing)
        if few and not words.own:
            yield Scenario((*tools, Tool("delete")), tuple(range(size)), role, state)
            yield Scenario(tools, None, role, state, "name")


def _lists(words: Vocabulary, size: int) -> Iterator[tuple[Tool, ...]]:
    if words.own:
        yield from permutations((*words.tools, *(twin for _, twin in words.twins)), size)
    elif size < _FEW:
        yield from product((*words.tools, *map(Tool, ODD_NAMES)), repeat=size)
    elif size == _FEW:
        yield from product(words.tools, repeat=size)
    else:
        strangers = tuple(Tool(f"tool_{i}") for i in range(size))
        yield strangers
        yield (*words.tools, *strangers[len(words.tools) :])
