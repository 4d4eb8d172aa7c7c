"""One call, one verdict: by identity, with one blame a fault, and whatever the objects do."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import indent
from types import SimpleNamespace
from typing import Any

import pytest

from palettecheck import certify
from palettecheck.engine.judging import Findings, judge
from palettecheck.engine.session import Session
from palettecheck.rules import Invariant
from palettecheck.rules.every import RESOLVER_RULES
from palettecheck.rules.resolver import RULES
from palettecheck.scenario import Scenario, Tool
from palettecheck.subject import Subject

ABC = Scenario((Tool("a"), Tool("b"), Tool("c")), state={"tenant": "acme", "scope": {"user": "u"}})
TWINS = Scenario((Tool("a"), Tool("a")))
OWN = [SimpleNamespace(name=name) for name in ("a", "a", "b")]
ROUTED = Scenario(tuple(Tool(t.name, "own", source="s", index=i) for i, t in enumerate(OWN)), (0,))
ODD = Scenario((Tool("a"), Tool(shape="nameless")), typing="odd tools")
ODD_STATE = Scenario((Tool("a"),), state={"tenant": 7}, typing="odd state")

Body = Callable[[dict[str, Any], str, list[Any]], Any]


async def faults(body: Body, scenario: Scenario = ABC, own: Sequence[Any] = ()) -> dict[str, str]:
    """What an async resolver with that body breaks: for each rule id, what was seen."""

    async def resolve(state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        given = body(state, role, all_tools)
        return await given if isinstance(given, asyncio.Future) else given

    return await faults_of(resolve, scenario, own)


async def faults_of(
    resolve: Any, scenario: Scenario = ABC, own: Sequence[Any] = ()
) -> dict[str, str]:
    """The same for a `resolve` of any kind."""
    session = Session(Subject(SimpleNamespace(resolve=resolve)), own)
    seen = await session.observe(scenario)
    return {rule.id: fault.seen for rule, _, fault in judge(seen, Findings())}


class Listy(list[Any]):
    """A list that lies about everything that it can."""

    def __len__(self) -> int:
        raise RuntimeError

    def __iter__(self) -> Any:
        raise RuntimeError

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        raise RuntimeError


class Pretender:
    """Claims to be a list, and is none."""

    @property
    def __class__(self) -> Any:
        return list

    @__class__.setter
    def __class__(self, value: Any) -> None: ...


@pytest.mark.parametrize(
    "body",
    [
        lambda state, role, tools: None,
        lambda state, role, tools: tools,
        lambda state, role, tools: tools[:1],
        lambda state, role, tools: Listy(tools[1:]),
    ],
    ids=["abstain", "the same list", "a subset", "a subclass that lies"],
)
async def test_a_subset_of_the_same_instances_breaks_nothing(body: Body) -> None:
    assert await faults(body) == {}
    assert await faults(body, TWINS) == {}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            lambda s, r, t: [copy.copy(t[0])],
            {"R01": "another instance: a SimpleNamespace named 'a'"},
        ),
        (
            lambda s, r, t: [SimpleNamespace(name="z")],
            {"R02": "at [0] a SimpleNamespace named 'z'"},
        ),
        (lambda s, r, t: [t[0], "b"], {"R02": "at [1] 'b'"}),
        (lambda s, r, t: [None], {"R02": "at [0] None"}),
        (lambda s, r, t: [], {"R03": "[]"}),
        (lambda s, r, t: Listy(), {"R03": "[]"}),
        (lambda s, r, t: tuple(t[:1]), {"R04": "a tuple of (a)"}),
        (lambda s, r, t: (x for x in t), {"R04": "a generator"}),
        (lambda s, r, t: True, {"R04": "True"}),
        (lambda s, r, t: "a", {"R04": "'a'"}),
        (lambda s, r, t: Pretender(), {"R04": "a Pretender"}),
        (lambda s, r, t: [t[0], t[1], t[0]], {"R06": "a 2 times: [a, b, a]"}),
        (lambda s, r, t: t.pop() and None, {"R07": "[a, b] afterwards"}),
        (lambda s, r, t: t.reverse(), {"R07": "[c, b, a] afterwards"}),
        (lambda s, r, t: t[::-1], {"R16": "[c, b, a]"}),
        (lambda s, r, t: setattr(t[1], "tags", ["x"]), {"R07": "tools[1].tags: 0 items became 1"}),
        (lambda s, r, t: t[0].metadata.update(x=1), {"R07": "tools[0].metadata['x'] was added"}),
        (lambda s, r, t: s.update(seen=1), {"R08": "state['seen'] was added"}),
        (
            lambda s, r, t: s["scope"].update(user="v"),
            {"R08": "state['scope']['user']: 'u' became 'v'"},
        ),
        (lambda s, r, t: s["absent"], {"R09": "KeyError: 'absent'"}),
    ],
)
async def test_a_fault_is_named_by_its_rule_alone(body: Body, expected: dict[str, str]) -> None:
    assert await faults(body) == expected


async def test_a_twin_that_routing_removed_is_another_instance() -> None:
    assert await faults(lambda s, r, t: [OWN[1]], ROUTED, OWN) == {
        "R01": "another instance: a#2 (routed away)"
    }


async def test_a_tool_that_routing_removed_is_expansion() -> None:
    assert await faults(lambda s, r, t: [OWN[2]], ROUTED, OWN) == {"R02": "at [0] b (routed away)"}


async def test_two_tools_of_one_name_are_two() -> None:
    assert await faults(lambda s, r, t: list(t), TWINS) == {}
    assert await faults(lambda s, r, t: [t[1], t[1]], TWINS) == {"R06": "a#2 2 times: [a#2, a#2]"}


class EqualToAll:
    """A tool that says of everything that it is equal."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class RaisesOnEq(EqualToAll):
    """A tool that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("do not compare me")


@pytest.mark.parametrize("kind", [EqualToAll, RaisesOnEq])
async def test_identity_decides_whatever_equality_says(kind: type[EqualToAll]) -> None:
    own = [kind("a"), kind("b")]
    recipes = tuple(Tool(tool.name, "own", source="s", index=i) for i, tool in enumerate(own))
    scenario = Scenario(recipes, (0,), typing="hostile tools")

    async def judged(body: Body) -> set[str]:
        return set(await faults(body, scenario, own))

    assert await judged(lambda s, r, t: list(t)) == set()
    assert await judged(lambda s, r, t: [kind("a")]) == {"R01"}
    assert await judged(lambda s, r, t: [own[1]]) == {"R02"}
    assert await judged(lambda s, r, t: [t[0], t[0]]) == {"R06"}
    assert await judged(lambda s, r, t: t.clear()) == {"R07"}


async def test_nobody_is_blamed_for_tools_that_raise() -> None:
    own = [RaisesOnEq("a")]
    scenario = Scenario((Tool("a", "own", source="s"),), typing="hostile tools")

    assert await faults(lambda s, r, t: [x for x in t if x == "a"], scenario, own) == {}


@pytest.mark.parametrize(
    "error", [ValueError, SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError]
)
async def test_no_exception_may_leave(error: type[BaseException]) -> None:
    def body(state: Any, role: Any, tools: Any) -> Any:
        raise error

    assert await faults(body) == {"R09": error.__name__}
    assert await faults_of(body) == {"R09": error.__name__}


async def test_an_exception_silences_what_comes_after() -> None:
    def body(state: Any, role: Any, tools: list[Any]) -> Any:
        tools.clear()
        state.clear()
        raise ValueError

    assert set(await faults(body)) == {"R09"}


async def test_odd_values_are_judged_as_should() -> None:
    def body(state: Any, role: Any, tools: Any) -> Any:
        return state["tenant"].upper()

    seen = await Session(Subject(SimpleNamespace(resolve=body))).observe(ODD_STATE)

    assert [(rule.id, level) for rule, level, _ in judge(seen, Findings())] == [("R09", "SHOULD")]


async def test_odd_tools_are_a_rule_of_their_own() -> None:
    assert set(await faults(lambda s, r, t: [x.name for x in t], ODD)) == {"R20"}
    assert await faults(lambda s, r, t: (), ODD) == {}


async def test_what_is_not_awaitable_is_named_once() -> None:
    def plain(state: Any, role: Any, tools: list[Any]) -> Any:
        tools.clear()
        return ()

    assert await faults_of(plain) == {"R05": "the call itself gave a tuple of ()"}


async def test_arguments_go_by_name_too() -> None:
    async def other_names(st: Any, r: Any, tools: list[Any]) -> Any:
        return tools

    async def one_missing(state: Any, all_tools: list[Any]) -> Any:
        return all_tools

    by_name = Scenario((Tool("a"),), call="name")

    assert await faults_of(other_names) == {}
    assert "unexpected keyword argument" in (await faults_of(other_names, by_name))["R05"]
    assert set(await faults_of(one_missing)) == {"R05"}


async def test_a_type_error_of_the_policy_is_no_matter_of_the_signature() -> None:
    def delegates(state: Any, role: Any, all_tools: list[Any]) -> Any:
        return len(7)  # type: ignore[arg-type]

    assert set(await faults_of(delegates)) == {"R09"}


async def test_a_coroutine_for_a_result_is_closed() -> None:
    async def inner() -> None: ...

    async def forgets_to_await(state: Any, role: Any, all_tools: list[Any]) -> Any:
        return inner()

    assert await faults_of(forgets_to_await) == {"R04": "a coroutine"}


async def test_a_list_that_is_another_for_a_while_is_seen() -> None:
    async def restores(state: Any, role: Any, all_tools: list[Any]) -> Any:
        kept = all_tools[:]
        all_tools.clear()
        await asyncio.sleep(0)
        all_tools[:] = kept

    assert await faults_of(restores) == {"R07": "[] while it waited"}


def test_ids_and_slugs_are_unique_and_every_rule_is_whole() -> None:
    assert len({rule.id for rule in RULES}) == len({rule.slug for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert all((rule.text, rule.reason, rule.example.breaking, rule.example.repaired))
        assert rule.text.endswith(".")


def made_from(body: str) -> str:
    """A resolver whose `resolve` is `body`, or a whole method, in a file of its own."""
    if not body.startswith(("def ", "async def ")):
        body = f"async def resolve(self, state, role, all_tools):\n{indent(body, '    ')}"
    return f"import copy\n\n\nclass Made:\n{indent(body, '    ')}\n"


@pytest.mark.parametrize("rule", RESOLVER_RULES, ids=lambda rule: rule.id)
@pytest.mark.parametrize("which", ["breaking", "repaired"])
def test_the_examples_are_what_they_are_said_to_be(
    rule: Invariant, which: str, tmp_path: Path
) -> None:
    file = tmp_path / f"{which}_{rule.id}.py"
    file.write_text(made_from(getattr(rule.example, which)))
    certificate = certify(f"{file}:Made")

    broken = {r.id: r.breach.level for r in certificate.rules if r.breach}
    others = {"R01"} if rule.id == "R02" else set()
    musts = {rule_id for rule_id, level in broken.items() if level == "MUST"}
    assert (rule.id in broken) is (which == "breaking")
    assert musts - others <= {rule.id}
    assert which == "breaking" or not broken


def test_the_blame_is_asked_in_the_order_of_the_contract() -> None:
    order = [rule.id for rule in RULES if rule.silences]

    assert order == ["R05", "R09", "R20", "R04"]
    assert [rule.id for rule in RULES[: len(order)]] == order
