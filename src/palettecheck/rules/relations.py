"""The rules that take more than one call: R12, R17 to R19, and the second half of R20.

A follow-up call has the same state and role, and some of the same tools in some order. A palette is
read with `None` as the whole list. An answer that is no palette is not compared: another rule has
spoken. `_relation` stands above each comparison, whose docstring is the rule's text.
"""

from __future__ import annotations

from collections.abc import Callable

from palettecheck.observation import Positions, every
from palettecheck.rules import Basis, Level, Pair, Relation, Situation, described
from palettecheck.scenario import Typing

_SHOULD: dict[Typing, Level] = {"well-typed": "SHOULD"}
_SAME_SET = "assert {*map(id, answer)} == {*map(id, %s)}"
_REMEDY = "hand over tools of which its policy keeps some and not all (--tools)"

RELATIONS: list[Relation] = []

_Follow = Callable[[int, Positions, Positions], tuple[Positions, ...]]
_Relate = Callable[[Pair], Positions | None]


def _relation(
    name: str,
    basis: Basis,
    reason: str,
    *,
    follow: _Follow,
    when: str,
    breaking: str,
    repaired: str,
    proof: str,
    remedy: str = "",
    levels: dict[Typing, Level] = _SHOULD,
) -> Callable[[_Relate], _Relate]:
    def add(relate: _Relate) -> _Relate:
        situation = Situation(when, remedy=remedy)
        about = described(name, relate, levels, basis, reason, situation, breaking, repaired)
        RELATIONS.append(Relation(*about, follow, relate, proof))
        return relate

    return add


def _same_call(count: int, kept: Positions, odd: Positions) -> tuple[Positions, ...]:
    return (every(count),) if count else ()


def _in_other_orders(count: int, kept: Positions, odd: Positions) -> tuple[Positions, ...]:
    """Backwards; and, since some faults look alike from both ends, with the first tool last."""
    if count < 2:
        return ()
    whole = every(count)
    return (whole[::-1], (*whole[1:], 0)) if count > 2 else (whole[::-1],)


def _less_one(count: int, kept: Positions, odd: Positions) -> tuple[Positions, ...]:
    """Without the first, one in the middle, the last: of three tools, each of them."""
    if count < 2:
        return ()
    without = dict.fromkeys((0, count // 2, count - 1) if count < 4 else (0, count - 1))
    whole = every(count)
    return tuple(whole[:out] + whole[out + 1 :] for out in without)


def _palette_alone(count: int, kept: Positions, odd: Positions) -> tuple[Positions, ...]:
    return (tuple(sorted(kept)),) if 0 < len(kept) < count else ()


def _other_neighbours(count: int, kept: Positions, odd: Positions) -> tuple[Positions, ...]:
    """The odd tools last instead of first, and without each of their neighbours."""
    if not odd or count < 2:
        return ()
    others = [i for i in range(count) if i not in odd]
    fewer = [tuple(i for i in range(count) if i != out) for out in others if count > 2]
    return (every(count)[::-1], *fewer)


@_relation(
    "R12 repeatable",
    "derived",
    "A tools array that changes from one iteration to the next costs the provider's prompt cache, "
    "and the conversation its footing (qwen-code 6338).",
    follow=_same_call,
    when="the same call twice in a row",
    breaking="""
        self.turn = getattr(self, "turn", 0) + 1
        return all_tools[: 1 + self.turn % 2] or None
    """,
    repaired="return list(all_tools) or None",
    proof="assert [*map(id, answer)] == [*map(id, kept)]",
)
def repeatable(pair: Pair) -> Positions | None:
    """The same call twice in a row gives the same instances in the same order."""
    return None if pair.answer == pair.kept else pair.kept


@_relation(
    "R17 order-blind",
    "derived",
    "Registries are filled by discovery, and its order is an accident; a palette that hangs on it "
    "changes with the next deploy. A policy that keeps the first few breaks this, knowingly.",
    follow=_in_other_orders,
    when="two tools or more, in two orders",
    breaking="return all_tools[:1] or None",
    repaired="""
        return [t for t in all_tools if getattr(t, "name", None) == "search"] or None
    """,
    proof=_SAME_SET % "kept",
)
def order_blind(pair: Pair) -> Positions | None:
    """A permuted `all_tools` keeps the same set of tools."""
    return None if set(pair.answer) == set(pair.kept) else pair.kept


@_relation(
    "R18 follows-narrowing",
    "stated",
    "What is shown is what the palette and intent routing both keep (symfonic-core 9.12.0, "
    "`symfonic/core/tool_palette_resolver.py`), so a tool's place in it does not hang on tools "
    "that routing removed. A top-k policy breaks this, knowingly.",
    follow=_less_one,
    when="a list of two tools or more, and a part of it",
    breaking="""
        found = [t for t in all_tools if getattr(t, "name", None) == "search"]
        return found if found and len(all_tools) > 2 else None
    """,
    repaired="""
        return [t for t in all_tools if getattr(t, "name", None) == "search"] or None
    """,
    proof=_SAME_SET % "[t for t in kept if any(t is u for u in cut)] or cut".join("()"),
)
def follows_narrowing(pair: Pair) -> Positions | None:
    """For a part of `all_tools`, the palette is that of the whole cut to the part, or all of the
    part where that is empty."""
    part = set(pair.cut)
    wanted = tuple(filter(part.__contains__, pair.kept)) or pair.cut
    return None if set(pair.answer) == set(wanted) else wanted


@_relation(
    "R19 idempotent",
    "derived",
    "Hosts narrow more than once, a sub-agent within its parent's palette; a policy that takes "
    "away more each time starves it.",
    follow=_palette_alone,
    when="a strict narrowing, resolved again",
    breaking="return all_tools[1:] or None",
    repaired="""
        return [t for t in all_tools if getattr(t, "name", None) == "search"] or None
    """,
    proof=_SAME_SET % "kept",
    remedy=_REMEDY,
)
def idempotent(pair: Pair) -> Positions | None:
    """Resolving a palette again removes nothing more."""
    return None if set(pair.answer) == set(pair.kept) else pair.kept


@_relation(
    "R20 any-tool-shape",
    "derived",
    "",
    follow=_other_neighbours,
    when="a tool without a name, oddly named, or a dict",
    breaking="",
    repaired="",
    proof="assert {*map(id, answer)} & odd == {*map(id, kept)} & {*map(id, cut)} & odd",
    levels={"odd tools": "SHOULD"},
)
def keeps_by_shape(pair: Pair) -> Positions | None:
    """Whether an odd tool is kept does not depend on its neighbours or its position."""
    if len(pair.kept) == pair.size or len(pair.answer) == len(pair.cut):
        return None  # all of them is an abstention, which says nothing of one
    both = set(pair.cut).intersection(pair.odd)
    wanted = both.intersection(pair.kept)
    return None if wanted == both.intersection(pair.answer) else tuple(wanted)
