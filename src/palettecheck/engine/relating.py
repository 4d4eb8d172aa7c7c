"""The follow-up calls of a scenario, and what they say of its relations."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from functools import lru_cache

from palettecheck.engine.session import Answer, Session
from palettecheck.engine.tray import Tray
from palettecheck.observation import Observation, Positions
from palettecheck.rules import Fault, Pair, Relation
from palettecheck.rules.relations import RELATIONS
from palettecheck.scenario import Scenario
from palettecheck.search.vocabulary import ODD_TOOLS

_REPEATS = 3
_SHORT = 16  # tools, up to which what was worked out is remembered


def related(scenario: Scenario) -> list[Relation]:
    """Give the relations that are judged on such a scenario.

    None where it is routed: the same tools come without routing, and a slow subject is asked less.
    """
    if scenario.resolved is not None:
        return []
    return [relation for relation in RELATIONS if scenario.typing in relation.levels]


async def relate(
    session: Session,
    scenario: Scenario,
    kept: Positions,
    relations: Iterable[Relation],
    told: Callable[[Relation, Positions, Answer | Observation], None] = lambda *heard: None,
) -> AsyncIterator[tuple[Relation, Fault]]:
    """Make the follow-up calls of `scenario`, of which `kept` was kept; give what is broken.

    `told` hears of each call: for which relation, on which tools, and what came of it. A relation
    on the same call twice silences those after it.
    """
    tray = session.tray(scenario)
    odd = tuple(i for i, tool in enumerate(scenario.all_tools) if tool in ODD_TOOLS)
    for relation in relations:
        for cut in _follow(relation, len(tray.tools), kept, odd):
            answer = await session.ask(scenario, tray.cut(cut), cut)
            told(relation, cut, answer)
            fault = _compared(relation, scenario, tray, kept, cut, answer, odd)
            if fault is None or not await _repeats(session, scenario, tray, kept, relation):
                continue
            yield relation, fault
            if relation.id == "R12":
                return
            break


async def _repeats(
    session: Session, scenario: Scenario, tray: Tray, kept: Positions, relation: Relation
) -> bool:
    """Whether the first answer still stands: where it does not, only R12 has something to say."""
    for _ in range(_REPEATS * (relation.id != "R12")):
        answer = await session.ask(scenario, tray)
        positions = answer.kept() if isinstance(answer, Observation) else answer
        if (tray.everything if answer is None else positions) != kept:
            return False
    return True


def _compared(
    relation: Relation,
    scenario: Scenario,
    tray: Tray,
    kept: Positions,
    cut: Positions,
    answer: Answer | Observation,
    odd: Positions,
) -> Fault | None:
    if isinstance(answer, Observation):
        answer = answer.kept()
        if answer is None:
            return None
    of_all = cut if answer is None else tuple(cut[i] for i in answer)
    pair = Pair(len(tray.tools), kept, cut, of_all, odd)
    wanted = _wanted(relation, pair)
    return None if wanted is None else _fault(relation, scenario, pair, wanted)


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
        names = ", ".join(labels[i] for i in positions[:8])
        return f"[{names}{', …' * (len(positions) > 8)}]"

    everything = tuple(range(pair.size))
    after = f"{listed(pair.kept)} of {listed(everything)}"
    asked = wanted if relation.id == "R12" else tuple(i for i in pair.cut if i in set(wanted))
    words = _of_odd_ones(listed(asked)) if relation.id == "R20" else listed(asked)
    return Fault(
        f"{words} of {listed(pair.cut)}, after {after}",
        f"{listed(pair.answer)} of {listed(pair.cut)}",
        relation.proof,
        cut=pair.cut,
    )


def _of_odd_ones(listed: str) -> str:
    return f"of odd tools {'none' if listed == '[]' else listed}"
