"""The follow-up calls of a scenario, and what they say of its relations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from functools import lru_cache

from palettecheck.engine.session import Session
from palettecheck.engine.tray import Answer, FollowUp, Tray
from palettecheck.observation import Observation, Positions, every
from palettecheck.rules import Fault, Pair, Relation
from palettecheck.rules.relations import RELATIONS
from palettecheck.scenario import Scenario
from palettecheck.search.vocabulary import ODD_TOOLS

_REPEATS = 3
_LISTED = 8  # tools in words; where there are more, the difference is told as well
_SHORT = 16  # tools, up to which what was worked out is remembered


def related(scenario: Scenario) -> list[Relation]:
    """Give the relations that are judged on such a scenario.

    None where it is routed: the same tools come without routing, and a slow subject is asked less.
    """
    if scenario.resolved is not None:
        return []
    return [relation for relation in RELATIONS if scenario.typing in relation.levels]


def follow_ups(
    scenario: Scenario, tray: Tray, kept: Positions, relations: Iterable[Relation]
) -> list[FollowUp]:
    """Give the calls to make after `scenario`, on the tools of `tray`, of which `kept` was kept."""
    odd = _odd(scenario)
    return [
        FollowUp(relation, cut, tray.cut(cut))
        for relation in relations
        for cut in _follow(relation, len(tray.tools), kept, odd)
    ]


async def broken(
    session: Session,
    scenario: Scenario,
    kept: Positions,
    follow_up: FollowUp,
    answer: Answer | Observation,
) -> Fault | None:
    """Give how `answer` to `follow_up` breaks its relation, if the first answer still stands."""
    positions = answer.kept() if isinstance(answer, Observation) else follow_up.tray.of(answer)
    if positions is None:
        return None
    of_all = tuple(map(follow_up.cut.__getitem__, positions))
    size = len(scenario.all_tools)
    pair = Pair(size, kept, follow_up.cut, of_all, _odd(scenario))
    wanted = _wanted(follow_up.relation, pair)
    if wanted is None:
        if not isinstance(answer, Observation):
            follow_up.accepted.add(answer)
        return None
    stands = follow_up.relation.id == "R12" or await _stands(session, scenario, kept)
    return _fault(follow_up.relation, scenario, pair, wanted) if stands else None


async def _stands(session: Session, scenario: Scenario, kept: Positions) -> bool:
    """Whether the first answer is given again: where not, only R12 has something to say."""
    tray = session.tray(scenario)
    for _ in range(_REPEATS):
        answer = await session.ask(scenario, tray)
        if (answer.kept() if isinstance(answer, Observation) else tray.of(answer)) != kept:
            return False
    return True


async def relate(
    session: Session,
    scenario: Scenario,
    kept: Positions,
    relations: Iterable[Relation],
    told: Callable[[FollowUp, Answer | Observation], None] = lambda *heard: None,
) -> AsyncIterator[tuple[Relation, Fault]]:
    """Make the follow-up calls of `scenario`, of which `kept` was kept; give what is broken.

    `told` hears of each call, and what came of it. A relation on the same call twice silences those
    after it, and each one is broken once.
    """
    found: set[str] = set()
    for follow_up in follow_ups(scenario, session.tray(scenario), kept, relations):
        relation = follow_up.relation
        if relation.id in found:
            continue
        answer = await session.ask(scenario, follow_up.tray, follow_up.cut)
        told(follow_up, answer)
        fault = await broken(session, scenario, kept, follow_up, answer)
        if fault is not None:
            yield relation, fault
            found.add(relation.id)
            if relation.id == "R12":
                return


def _odd(scenario: Scenario) -> Positions:
    if scenario.typing != "odd tools":
        return ()
    return tuple(i for i, tool in enumerate(scenario.all_tools) if tool in ODD_TOOLS)


def _follow(
    relation: Relation, count: int, kept: Positions, odd: Positions
) -> tuple[Positions, ...]:
    if count > _SHORT:
        return relation.follow(count, kept, odd)
    return _remembered_follow(relation.follow, count, kept, odd)


def _wanted(relation: Relation, pair: Pair) -> Positions | None:
    if pair.size > _SHORT:
        return relation.relate(pair)
    return _remembered_wanted(relation.relate, pair)


@lru_cache(maxsize=1 << 16)
def _remembered_follow(
    follow: Callable[[int, Positions, Positions], tuple[Positions, ...]],
    count: int,
    kept: Positions,
    odd: Positions,
) -> tuple[Positions, ...]:
    return follow(count, kept, odd)


@lru_cache(maxsize=1 << 16)
def _remembered_wanted(relate: Callable[[Pair], Positions | None], pair: Pair) -> Positions | None:
    return relate(pair)


def _fault(relation: Relation, scenario: Scenario, pair: Pair, wanted: Positions) -> Fault:
    labels = scenario.shown_labels()

    def listed(positions: Positions) -> str:
        names = ", ".join(labels[i] for i in positions[:_LISTED])
        return f"[{names}{', …' * (len(positions) > _LISTED)}]"

    after = f"{listed(pair.kept)} of {listed(every(pair.size))}"
    asked = wanted if relation.id == "R12" else tuple(i for i in pair.cut if i in set(wanted))
    words = _of_odd_ones(listed(asked)) if relation.id == "R20" else listed(asked)
    apart = {"without": _less(asked, pair.answer), "with": _less(pair.answer, asked)}
    told = ", ".join(f"{word} {listed(tools)}" for word, tools in apart.items() if tools)
    is_long = told and len(pair.cut) > _LISTED and relation.id != "R20"
    return Fault(
        f"{words} of {listed(pair.cut)}, after {after}",
        f"{listed(pair.answer)} of {listed(pair.cut)}{f': {told}' if is_long else ''}",
        relation.proof,
        cut=pair.cut,
    )


def _less(these: Positions, those: Positions) -> Positions:
    out = set(those)
    return tuple(i for i in these if i not in out)


def _of_odd_ones(listed: str) -> str:
    return f"of odd tools {'none' if listed == '[]' else listed}"
