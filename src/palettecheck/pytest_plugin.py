"""The rules as tests of an adopter's own: one pytest item a rule, each a Hypothesis test.

drawn call --> a new instance, on a new event loop --> observation --> the item's rule
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from palette_reference import ACTION
from palettecheck.engine.driving import INTERRUPTED, Abandoned, drive
from palettecheck.engine.job import PATIENCE
from palettecheck.engine.judging import Findings, judge, unmet
from palettecheck.engine.relating import relate, related
from palettecheck.engine.session import Session
from palettecheck.engine.shrinking import one_by_one, shrunk
from palettecheck.engine.stopping import Stop
from palettecheck.engine.tray import FollowUp
from palettecheck.engine.watchdog import Watchdog
from palettecheck.observation import Observation
from palettecheck.plain import Frozen
from palettecheck.rules import Fault, Invariant, Level, Relation, Rule
from palettecheck.rules.every import EVERY
from palettecheck.scenario import Scenario
from palettecheck.search.generated import Drawn, Registries, calls
from palettecheck.search.small_scope import plain_versions
from palettecheck.search.vocabulary import (
    NAMES,
    ROLES,
    SUITE,
    Vocabulary,
    frozen_states,
    with_states,
    with_tools,
)
from palettecheck.shown import type_name
from palettecheck.strategies import arrangements
from palettecheck.strategies import tools as any_tools
from palettecheck.subject import opened_from

EXAMPLES = {"quick": 30, "default": 120, "deep": 2_000}  # for each rule
_LONGEST = 13  # tools, where they are the suite's
_NAMES = st.sampled_from((*NAMES * 3, "", "Search", "søk"))  # free text shrinks for seconds
_ROLES = st.sampled_from((*(ACTION,) * 5, *ROLES, "", "Action", "rôle"))

Tools: TypeAlias = Sequence[Any] | SearchStrategy[Any] | None
States: TypeAlias = Sequence[dict[str, Any]] | SearchStrategy[dict[str, Any]] | None
Broken: TypeAlias = tuple[Level, Fault] | None


class PaletteAdvice(UserWarning):
    """A SHOULD that broke, or a rule of which nothing can be said."""


def palette_tests(
    factory: Callable[[], Any],
    *,
    tools: Tools = None,
    states: States = None,
    strict: bool = False,
    profile: str = "default",
) -> Any:
    """Give a test function, for a module of tests, of which pytest makes one item a rule.

    `factory`: without arguments, gives a resolver for each example; it may be async, or an async
    context manager, which is closed after use. `tools`: your live tools, or a strategy of lists of
    them. `states`: dicts, or a strategy of dicts. `strict`: a SHOULD that breaks fails as a MUST
    does; otherwise it is a `PaletteAdvice` warning. `profile`: "quick", "default" or "deep". Raises
    `TypeError`, `ValueError` and `TargetError` where the arguments cannot be used.
    """
    _check_arguments(factory, profile)
    kinds = _calls(tools, states)
    subject = _Subjects(factory, strict)

    @pytest.mark.parametrize("rule", EVERY, ids=lambda rule: f"{rule.id}-{rule.slug}")
    @settings(
        max_examples=EXAMPLES[profile],
        deadline=None,
        phases=set(Phase) - {Phase.shrink, Phase.explain},  # the breach is shrunk as such
        suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no defect
    )
    @given(data=st.data())
    def test_palette(request: pytest.FixtureRequest, rule: Invariant, data: st.DataObject) -> None:
        call = data.draw(kinds[_kind(rule)], label="call")
        _item(request, rule).judge(subject, call)

    return test_palette


def _check_arguments(factory: object, profile: str) -> None:
    if not callable(factory):
        raise TypeError("factory makes the resolver: palette_tests(lambda: TenantResolver())")
    if profile not in EXAMPLES:
        raise ValueError(f"there is no profile {profile!r}; there are {', '.join(EXAMPLES)}")


def _calls(tools: Tools, states: States) -> dict[str, SearchStrategy[Drawn]]:
    return calls(_words(tools), _registries(tools), _frozen(states), _ROLES)


def _words(tools: Tools) -> SearchStrategy[Vocabulary]:
    if tools is None:
        return st.just(SUITE)
    if isinstance(tools, SearchStrategy):
        return tools.map(lambda drawn: with_tools(drawn, "tools", True) if drawn else SUITE)
    return st.just(with_tools(tools, "tools", True))


def _registries(tools: Tools) -> Registries:
    if tools is None:
        return any_tools(names=_NAMES, max_size=_LONGEST)
    if isinstance(tools, SearchStrategy):
        return st.just(())  # each drawn list is a registry as it is
    recipes = with_tools(tools, "tools", True).tools
    return arrangements(recipes, len(recipes))


def _frozen(states: States) -> SearchStrategy[Frozen]:
    if states is None:
        return st.none()
    if isinstance(states, SearchStrategy):
        return states.map(lambda drawn: frozen_states([drawn], "states", True)[0])
    base = frozen_states(states, "states", True)
    return st.sampled_from(with_states(SUITE, base, vary=True).states)


def _kind(rule: Invariant) -> str:
    odd = next((kind for kind in ("odd state", "odd tools") if kind in rule.levels), "well-typed")
    return "unrouted" if isinstance(rule, Relation) else odd


class _Subjects:
    """Makes a new instance for each call. `hung`: what one of them did not come back from."""

    def __init__(self, factory: Callable[[], Any], strict: bool) -> None:
        self.strict = strict
        self.hung = ""
        self.notes: list[str] = []
        self._factory = factory

    def broken(self, call: Drawn, rule: Invariant, findings: Findings) -> Broken:
        """Give how `rule` breaks; what is met is counted in `findings`.

        Once one hangs, no other is asked: each would take as long.
        """
        stop = Stop()
        try:
            return None if self.hung else drive(self._broken(call, rule, findings, stop), stop)
        except (asyncio.CancelledError, Abandoned):
            if stop.reason == INTERRUPTED:
                raise KeyboardInterrupt from None
            self.hung = stop.reason or "the run was cancelled"
            return None

    async def _broken(self, call: Drawn, rule: Invariant, findings: Findings, stop: Stop) -> Broken:
        watchdog = Watchdog(PATIENCE, stop)
        watchdog.watch(call.scenario)
        name = getattr(self._factory, "__qualname__", type_name(self._factory))
        with watchdog.on_guard():
            async with opened_from(self._factory, name, self.notes) as subject:
                session = Session(subject, call.words.own, stop)
                seen = await session.observe(call.scenario)
                by_itself = await _breaks_rule(session, call, seen, rule, findings)
                stop.check()
                return by_itself or await _breaks_relation(session, seen, rule, findings)


async def _breaks_rule(
    session: Session, call: Drawn, seen: Observation, rule: Invariant, findings: Findings
) -> Broken:
    for broken, level, fault in judge(seen, findings):
        if broken.id == rule.id and not await _breaks_anyway(session, call, broken):
            return level, fault
    if rule.id in findings.errors:
        raise RuntimeError(findings.errors[rule.id])
    return None


async def _breaks_anyway(session: Session, call: Drawn, rule: Rule) -> bool:
    """Whether the rule breaks without what it is about, too: then the fault is another one."""
    if not rule.controlled:
        return False
    controls = plain_versions(call.words, call.scenario)
    return any([rule.check(await session.observe(control)) is not None for control in controls])


async def _breaks_relation(
    session: Session, seen: Observation, rule: Invariant, findings: Findings
) -> Broken:
    scenario, kept = seen.scenario, seen.kept()
    relations = [one for one in related(scenario) if one.id in ("R12", rule.id)]
    if kept is None or all(one.id != rule.id for one in relations):
        return None

    def told(follow_up: FollowUp, answer: object) -> None:
        findings.met[follow_up.relation.id] += 1

    async for relation, fault in relate(session, scenario, kept, relations, told):
        if relation.id == rule.id:
            return relation.levels[scenario.typing], fault
    return None


class _Item:
    """One rule on one subject: what was found over all examples, and whether it was said."""

    def __init__(self, node: pytest.Item, rule: Invariant) -> None:
        self._node, self._rule = node, rule
        self._findings = Findings()
        self._spoke = self._failed = False
        self._least: dict[Level, str] = {}

    def judge(self, subject: _Subjects, call: Drawn) -> None:
        """Fail, or warn once, where the rule breaks on the call."""
        __tracebackhide__ = True
        self._findings.hostile = call.words.typing == "hostile tools"
        try:
            broken = subject.broken(call, self._rule, self._findings)
        except BaseException:
            self._spoke = True
            raise
        if subject.hung:
            self._fail(subject.hung)
        if broken is not None:
            self._tell(subject, call, broken)

    def _tell(self, subject: _Subjects, call: Drawn, broken: tuple[Level, Fault]) -> None:
        __tracebackhide__ = True
        level = broken[0]
        if level not in self._least:
            self._least[level] = self._least_words(subject, call, broken)
        if subject.strict or level == "MUST":
            self._fail(self._least[level])
        if not self._spoke or self._failed:
            self._advise(self._least[level])

    def _advise(self, words: str) -> None:
        """Warn; where a warning is an error, it is one each time that Hypothesis asks."""
        __tracebackhide__ = True
        try:
            self._warn(words)
        except PaletteAdvice:
            self._fail(words)

    def _least_words(self, subject: _Subjects, call: Drawn, broken: tuple[Level, Fault]) -> str:
        """Put the least call that breaks it as much into words."""

        def breaks(scenario: Scenario) -> Broken:
            found = subject.broken(call._replace(scenario=scenario), self._rule, Findings())
            return found if found is not None and found[0] == broken[0] else None

        def still_breaks(scenario: Scenario) -> bool:
            return breaks(scenario) is not None

        least = shrunk(call.scenario, one_by_one(still_breaks))
        again = breaks(least)
        if again is None:
            return _in_words(self._rule, call.scenario, broken)
        return _in_words(self._rule, least, again)

    def _fail(self, words: str) -> None:
        __tracebackhide__ = True
        self._spoke = self._failed = True
        pytest.fail(words, pytrace=False)

    def _warn(self, words: str) -> None:
        self._spoke = True
        self._node.warn(PaletteAdvice(words))

    def conclude(self) -> None:
        """Warn where no example met what the rule is about."""
        if not self._spoke and not self._findings.met[self._rule.id]:
            why = unmet(self._rule, self._findings).replace("(--", "(")
            self._warn(f"inconclusive: {self._rule.name}: {why}")


_ITEM = pytest.StashKey[_Item]()


def _item(request: pytest.FixtureRequest, rule: Invariant) -> _Item:
    stash = request.node.stash
    if _ITEM not in stash:
        stash[_ITEM] = _Item(request.node, rule)
        request.addfinalizer(stash[_ITEM].conclude)
    item: _Item = stash[_ITEM]
    return item


def _in_words(rule: Invariant, scenario: Scenario, broken: tuple[Level, Fault]) -> str:
    level, fault = broken
    facts = {"scenario": scenario.words(), "wanted": fault.wanted, "seen": fault.seen}
    lines = (f"  {name:<8}  {words}" for name, words in facts.items())
    return "\n".join((f"{rule.name} ({level})", *lines))
