"""The quick way gives the answer of the thorough way, and leaves nothing unseen for good."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from palettecheck.engine.session import Session
from palettecheck.observation import Observation
from palettecheck.scenario import Scenario, Tool
from palettecheck.subject import Subject

SCENARIO = Scenario(
    (Tool("a"), Tool("b"), Tool("c")), state={"tenant": "acme", "scope": {"user": "u"}}
)
ROUTED = Scenario(SCENARIO.registry, (0, 2))


class Text(str):
    """A string that is equal to another one, and not the same."""


Body = Callable[[dict[str, Any], str, list[Any]], Any]


def session_of(body: Body) -> Session:
    async def resolve(state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return body(state, role, all_tools)

    return Session(Subject(SimpleNamespace(resolve=resolve)))


@pytest.mark.parametrize("scenario", [SCENARIO, ROUTED])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (lambda s, r, t: None, None),
        (lambda s, r, t: t[:1], (0,)),
        (lambda s, r, t: [t[0], t[-1]], "ends"),
    ],
    ids=["abstention", "one", "two"],
)
async def test_an_answer_that_breaks_nothing_is_given_as_positions(
    scenario: Scenario, body: Body, expected: Any
) -> None:
    session = session_of(body)
    ends = (0, len(scenario.all_tools) - 1)

    for _ in range(2):
        answer = await session.ask(scenario, session.tray(scenario))
        assert answer == (ends if expected == "ends" else expected)


@pytest.mark.parametrize(
    "body",
    [
        lambda s, r, t: [],
        lambda s, r, t: tuple(t),
        lambda s, r, t: [t[0], t[0]],
        lambda s, r, t: t[::-1],
        lambda s, r, t: ["a"],
        lambda s, r, t: [SimpleNamespace(**vars(t[0]))],
        lambda s, r, t: 1 / 0,
    ],
)
async def test_an_answer_that_breaks_a_rule_is_given_as_an_observation(body: Body) -> None:
    session = session_of(body)
    thorough = await session_of(body).observe(SCENARIO)

    for seen in (
        await session.look(SCENARIO),
        await session.ask(SCENARIO, session.tray(SCENARIO)),
    ):
        assert isinstance(seen, Observation)
        assert (seen.stage, seen.outcome()) == (thorough.stage, thorough.outcome())


async def wait_and_pop(all_tools: list[Any]) -> Any:
    all_tools.pop()
    await asyncio.sleep(0)


@pytest.mark.parametrize("waits", [lambda t: asyncio.sleep(0), wait_and_pop], ids=["only", "pops"])
async def test_what_happens_while_a_quick_call_waits_is_seen(waits: Callable[..., Any]) -> None:
    async def resolve(state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        kept = all_tools[:1]
        await waits(all_tools)
        return kept

    session = Session(Subject(SimpleNamespace(resolve=resolve)))
    answer = await session.ask(SCENARIO, session.tray(SCENARIO))

    if waits is wait_and_pop:
        assert isinstance(answer, Observation)
        assert (answer.moved, answer.kept()) == ("while it waited", (0,))
    else:
        assert answer == (0,)


async def test_a_cut_is_asked_on_its_tools_alone() -> None:
    shown: list[list[str]] = []
    session = session_of(lambda s, r, t: shown.append([tool.name for tool in t]))
    tray = session.tray(SCENARIO)

    await session.ask(SCENARIO, tray.cut((2, 0)), (2, 0))

    assert shown == [["c", "a"]]


@pytest.mark.parametrize(
    ("rule_id", "inside", "body"),
    [
        ("R08", True, lambda s, r, t: s["scope"].update(user="v")),
        ("R08", False, lambda s, r, t: s.update(new=1)),
        ("R08", False, lambda s, r, t: s.update(tenant="globex")),
        ("R08", False, lambda s, r, t: s.update(tenant=Text("acme"))),
        ("R08", False, lambda s, r, t: s.pop("tenant") and None),
        ("R07", False, lambda s, r, t: t.pop() and None),
        ("R07", False, lambda s, r, t: t.reverse()),
        ("R07", False, lambda s, r, t: t.insert(0, SimpleNamespace(**vars(t.pop(0))))),
        ("R07", True, lambda s, r, t: t[1].tags.append("x")),
        ("R07", True, lambda s, r, t: t[1].metadata.update(x=1)),
        ("R07", True, lambda s, r, t: setattr(t[0], "name", "x")),
        ("R07", True, lambda s, r, t: setattr(t[0], "name", Text("a"))),
        ("R07", True, lambda s, r, t: setattr(t[0], "parameters", {})),
        ("R07", True, lambda s, r, t: vars(t[0]).update(label=vars(t[0]).pop("name"))),
    ],
)
async def test_what_the_quick_way_leaves_is_found_later_and_put_back(
    rule_id: str, inside: bool, body: Body
) -> None:
    assert isinstance(await session_of(body).look(SCENARIO), Observation)
    session = session_of(body)
    assert await session.ask(SCENARIO, session.tray(SCENARIO)) is None

    assert session.changed() == ({rule_id}, inside)
    assert session.changed() == (set(), False)
    assert [tool.name for tool in session.tray(SCENARIO).tools] == ["a", "b", "c"]


async def test_a_list_that_changes_after_its_call_is_found_later() -> None:
    kept: list[list[Any]] = []
    session = session_of(lambda s, r, t: kept.append(t))
    await session.ask(SCENARIO, session.tray(SCENARIO))
    kept[0].clear()

    assert session.changed() == ({"R07"}, False)


async def test_nothing_that_changed_is_intact() -> None:
    session = session_of(lambda s, r, t: t[:2])
    await session.ask(SCENARIO, session.tray(SCENARIO))

    assert session.changed() == (set(), False)


@pytest.mark.parametrize(
    ("rule_id", "change"),
    [
        ("R07", lambda s, t: t[0].tags.append("x")),
        ("R08", lambda s, t: s["scope"].update(user="v")),
    ],
)
async def test_a_change_by_an_earlier_call_is_told_whichever_call_it_is_seen_in(
    rule_id: str, change: Callable[[dict[str, Any], list[Any]], None]
) -> None:
    calls = iter(range(10))

    def body(state: dict[str, Any], role: str, tools: list[Any]) -> Any:
        if next(calls) == 1:
            raise ValueError
        change(state, tools)

    session = session_of(body)
    tray = session.tray(SCENARIO)

    assert await session.ask(SCENARIO, tray) is None
    assert isinstance(await session.ask(SCENARIO, tray), Observation)
    assert session.changed() == ({rule_id}, True)
