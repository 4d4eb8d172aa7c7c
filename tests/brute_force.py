"""The fewest tools on which a member breaks a rule in one call, by trying everything in order.

It shares with the engine what a call is and what a rule says, and nothing of how to search.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from gallery.members import Member
from palettecheck.engine.driving import drive
from palettecheck.engine.judging import Findings, judge
from palettecheck.engine.session import Session
from palettecheck.scenario import Scenario, Tool, Typing
from palettecheck.search.vocabulary import Vocabulary, gather
from palettecheck.subject import opened

NAMES = ("search", "fetch", "delete", "", " ", "Search", "søk", "検索", "search\u200b", "x" * 300)
ROLES = ("action", "default", "unmapped", "", " ", "Action", "action\n", "rôle", "x" * 300)
_MOST = 310  # tools
_FEW = 3  # tools, up to which every list is tried


def fewest_tools(member: Member, rule_id: str) -> int | None:
    """Give how many it takes; `None` where no call breaks the rule on an instance of its own."""
    return drive(_fewest(member, rule_id))


async def _fewest(member: Member, rule_id: str) -> int | None:
    words = gather(member.tools, member.states, seed=0)
    for scenario in _scenarios(words):
        async with opened(member.target, []) as subject:
            seen = await Session(subject, words.own).observe(scenario)
        level = [level for rule, level, _ in judge(seen, Findings()) if rule.id == rule_id]
        if "MUST" in level:
            return len(scenario.all_tools)
    return None


def _scenarios(words: Vocabulary) -> Iterator[Scenario]:
    for size in range(len(words.tools) + 1 if words.own else _FEW + 1):
        roles = ROLES if size < _FEW else ROLES[:3]
        for tools, state, role in product(_lists(words, size), words.states, roles):
            yield from _calls(tools, state, role, words.typing)
    for size in range(_FEW + 1, _MOST if not words.own else 0):
        strangers = tuple(Tool(f"tool_{i}") for i in range(size))
        for tools in (strangers, (*words.tools, *strangers[len(words.tools) :])):
            for state, role in product(words.states, ROLES[:3]):
                yield from _calls(tools, state, role, words.typing)


def _lists(words: Vocabulary, size: int) -> Iterator[tuple[Tool, ...]]:
    if words.own:
        yield from permutations((*words.tools, *(twin for _, twin in words.twins)), size)
    elif size < _FEW:
        yield from product(map(Tool, NAMES), repeat=size)
    else:
        yield from product(words.tools, repeat=size)


def _calls(tools: tuple[Tool, ...], state: object, role: str, typing: Typing) -> Iterator[Scenario]:
    """Without routing, with one tool routed away, and by name."""
    yield Scenario(tools, None, role, state, typing=typing)
    if len(tools) < _FEW:
        yield Scenario((*tools, Tool("delete")), tuple(range(len(tools))), role, state)
        yield Scenario(tools, None, role, state, "name", typing)
