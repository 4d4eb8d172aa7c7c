"""What symfonic-core really does, seen through the hosts that the suite has of it."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from symfonic.agent.engine import SymfonicAgent

from palettecheck.adapters.symfonic import Agent, ReactNode, default_resolver, symfonic, tool
from palettecheck.host import Bound, CannotAriseError
from palettecheck.loading import TargetError

HOSTS = [ReactNode, Agent]
FORCED = (
    "procedural_force_first_action_tool forces {!r} but role_tools['action'] excludes it; "
    "appending forced tool to the bound palette."
)


class Resolver:
    """Answers as the function does, and keeps what it was asked."""

    def __init__(self, answer: Callable[[list[Any]], Any]) -> None:
        self.answer = answer
        self.asked: list[tuple[dict[str, Any], str, list[Any]]] = []

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.asked.append((state, role, list(all_tools)))
        return self.answer(all_tools)


class Case:
    """A registry of three tools, and an agent of it."""

    def __init__(self, host: Any, answer: Callable[[list[Any]], Any], *always: str) -> None:
        self.tools = self.alpha, self.beta, self.gamma = [
            tool("alpha"),
            tool("beta"),
            tool("gamma"),
        ]
        self.resolver = Resolver(answer)
        self.agent = host(list(self.tools), self.resolver, always)

    async def bound(self, forced: str | None = None, routed: list[Any] | None = None) -> Bound:
        """Run one iteration, which may narrow and force."""
        state = {} if routed is None else {"resolved_tools": routed}
        return await self.agent.iterate(state, forced)


def same(bound: Bound, tools: list[Any], tool_choice: str | None = None) -> bool:
    """Say whether these very tools were bound, in this order."""
    return [*map(id, bound.tools)] == [*map(id, tools)] and bound.tool_choice == tool_choice


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The warnings, and what is worse, as they are printed."""
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


@pytest.mark.parametrize("host", HOSTS)
async def test_a_good_palette_is_bound_as_it_is(
    host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    case = Case(host, lambda tools: tools[:1])

    assert same(await case.bound(), [case.alpha])
    assert same(await case.bound("alpha"), [case.alpha], "alpha")
    assert same(await case.bound(routed=[case.beta, case.gamma]), [case.beta])
    assert logged(caplog) == []


@pytest.mark.parametrize("host", HOSTS)
async def test_after_none_what_routing_gave_is_bound(host: Any) -> None:
    case = Case(host, lambda tools: None)

    assert same(await case.bound(), case.tools)
    assert same(await case.bound(routed=[case.alpha, case.gamma]), [case.alpha, case.gamma])
    assert same(await case.bound(routed=case.tools), case.tools)
    assert same(await case.bound(routed=[]), case.tools)


@pytest.mark.parametrize("host", HOSTS)
async def test_the_resolver_is_asked_once_for_the_action_role(host: Any) -> None:
    case = Case(host, lambda tools: None)
    await case.bound(routed=[case.alpha, case.gamma])

    [(_, role, asked)] = case.resolver.asked
    assert (role, [*map(id, asked)]) == ("action", [id(case.alpha), id(case.gamma)])


@pytest.mark.parametrize("host", HOSTS)
async def test_an_empty_palette_binds_nothing_and_warns_of_nothing(
    host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    case = Case(host, lambda tools: [])

    assert same(await case.bound(), [])
    assert logged(caplog) == []


@pytest.mark.parametrize("host", HOSTS)
async def test_a_tool_that_routing_removed_is_bound(host: Any) -> None:
    case = Case(host, lambda tools: [*tools, case.gamma])

    assert same(await case.bound(routed=[case.alpha]), [case.alpha, case.gamma])


@pytest.mark.parametrize("host", HOSTS)
async def test_a_new_instance_is_bound(host: Any) -> None:
    copy = tool("alpha")
    case = Case(host, lambda tools: [copy])

    assert same(await case.bound(), [copy])
    assert copy == case.alpha


@pytest.mark.parametrize("host", HOSTS)
async def test_a_tool_twice_is_bound_twice(host: Any) -> None:
    case = Case(host, lambda tools: [tools[0], tools[0]])

    assert same(await case.bound(), [case.alpha, case.alpha])


@pytest.mark.parametrize("forced", [None, "alpha"])
@pytest.mark.parametrize("host", HOSTS)
async def test_true_breaks_the_iteration(host: Any, forced: str | None) -> None:
    case = Case(host, lambda tools: True)

    with pytest.raises(TypeError, match="'bool' object is not iterable"):
        await case.bound(forced)


@pytest.mark.parametrize("host", HOSTS)
async def test_a_generator_loses_what_was_looked_at_for_the_forced_tool(host: Any) -> None:
    case = Case(host, lambda tools: (one for one in list(tools)))

    assert same(await case.bound(), case.tools)
    assert same(await case.bound("beta"), [case.gamma], "beta")


@pytest.mark.parametrize("host", HOSTS)
async def test_a_forced_tool_outside_the_palette_warns_at_each_iteration(
    host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    case = Case(host, lambda tools: tools[:1])

    for _ in range(3):
        assert same(await case.bound("gamma"), [case.alpha, case.gamma], "gamma")
    assert [text[: len(FORCED.format("gamma"))] for text in logged(caplog)] == [
        " ".join(FORCED.format("gamma").split())
    ] * 3


@pytest.mark.parametrize("host", HOSTS)
async def test_a_forced_tool_that_routing_removed_is_named_and_not_bound(
    host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    case = Case(host, lambda tools: tools[:1])

    assert same(await case.bound("gamma", [case.alpha, case.beta]), [case.alpha], "gamma")
    assert logged(caplog) == []


@pytest.mark.parametrize("host", HOSTS)
async def test_a_forced_name_that_no_tool_has_is_named(
    host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    case = Case(host, lambda tools: tools[:1])

    assert same(await case.bound("delta"), [case.alpha], "delta")
    assert logged(caplog) == []


@pytest.mark.parametrize("host", HOSTS)
async def test_a_tool_that_the_resolver_pops_is_lost_for_good(host: Any) -> None:
    case = Case(host, lambda tools: tools.pop() and None)

    assert same(await case.bound(), [case.alpha, case.beta])
    case.resolver.answer = lambda tools: None
    assert same(await case.bound(), [case.alpha, case.beta])


@pytest.mark.parametrize("host", [Agent, symfonic])
async def test_what_is_always_included_does_not_survive_the_palette(
    host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    case = Case(host, lambda tools: tools[:1], "gamma")

    assert same(await case.bound(), [case.alpha])
    assert same(await case.bound(routed=[case.beta, case.gamma]), [case.beta])
    assert logged(caplog) == []


@pytest.mark.parametrize("host", HOSTS)
async def test_an_error_of_the_resolver_is_logged_and_abstains(
    host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    case = Case(host, lambda tools: 1 / 0)

    assert same(await case.bound(), case.tools)
    assert logged(caplog) == [
        "ToolPaletteResolver.resolve raised; degrading to no-filter for this iteration"
    ]


@pytest.mark.parametrize("host", HOSTS)
async def test_iterations_that_overlap_are_kept_apart(host: Any) -> None:
    case = Case(host, lambda tools: None)
    gate = asyncio.Event()

    async def wait(state: dict[str, Any], role: str, all_tools: list[Any]) -> None:
        await gate.wait()

    case.resolver.resolve = wait  # type: ignore[method-assign, assignment]
    running = [asyncio.create_task(case.bound(routed=[one])) for one in case.tools]
    await asyncio.sleep(0.05)
    gate.set()

    for bound, one in zip(await asyncio.gather(*running), case.tools, strict=True):
        assert same(bound, [one])


async def test_the_state_shows_what_happened_to_it_and_nothing_of_the_adapter() -> None:
    case = Case(ReactNode, lambda tools: None)
    state = {"tenant_id": "acme", "scope": "a", "plan": "free"}

    async def change(state: dict[str, Any], role: str, all_tools: list[Any]) -> None:
        assert {"deps", "messages", "forced_tool_choice"} <= state.keys()
        state.update(plan="paid", seen=True)
        del state["scope"]

    await case.agent.iterate(state, "alpha")
    assert state == {"tenant_id": "acme", "scope": "a", "plan": "free"}

    case.resolver.resolve = change  # type: ignore[method-assign, assignment]
    await case.agent.iterate(state, "alpha")
    assert state == {"tenant_id": "acme", "plan": "paid", "seen": True}


@pytest.mark.parametrize("host", HOSTS)
async def test_what_the_node_reads_of_itself_is_not_the_callers_to_set(host: Any) -> None:
    case = Case(host, lambda tools: None)
    own = ("deps", "messages", "forced_tool_choice", "_callback_manager")
    state: dict[str, Any] = dict.fromkeys(own, "theirs")

    assert same(await case.agent.iterate(state, None), case.tools)
    assert state == dict.fromkeys(own, "theirs")


async def test_the_whole_agent_is_handed_the_keys_that_its_graph_declares() -> None:
    case = Case(Agent, lambda tools: None)
    state = {"tenant_id": "acme", "plan": "free"}
    await case.agent.iterate(state, None)

    [(seen, _, _)] = case.resolver.asked
    assert (seen["tenant_id"], "plan" in seen) == ("acme", False)
    assert state == {"tenant_id": "acme", "plan": "free"}


@pytest.mark.parametrize("host", HOSTS)
async def test_no_thread_is_started_and_no_task_is_left(host: Any) -> None:
    case = Case(host, lambda tools: tools[:1])
    before = threading.active_count(), len(asyncio.all_tasks())
    await case.bound(routed=[case.alpha])

    assert (threading.active_count(), len(asyncio.all_tasks())) == before


@pytest.mark.parametrize("wanted", [[2, 0], [0, 0], [0, 1]], ids=["order", "repeat", "always"])
async def test_what_real_routing_does_not_give_cannot_arise(wanted: list[int]) -> None:
    case = Case(Agent, lambda tools: None, "gamma")

    with pytest.raises(CannotAriseError, match="routing keeps the registry's order"):
        await case.bound(routed=[case.tools[place] for place in wanted])


@pytest.mark.parametrize(
    "registry", [[tool("a"), tool("a")], [tool("")], [{"name": "a"}]], ids=["twice", "no", "dict"]
)
def test_a_registry_that_the_whole_agent_would_not_keep_cannot_arise(registry: list[Any]) -> None:
    with pytest.raises(CannotAriseError):
        Agent(registry, Resolver(list), ())


def test_the_node_alone_has_nothing_that_is_always_included() -> None:
    assert {"resolved_tools", "tool_choice"} == ReactNode.levers
    with pytest.raises(CannotAriseError):
        ReactNode([], Resolver(list), ("gamma",))


def test_the_host_is_the_node_or_the_whole_agent() -> None:
    assert isinstance(symfonic([], Resolver(list), ()), ReactNode)
    assert isinstance(symfonic([], Resolver(list), ("gamma",)), Agent)
    assert {"resolved_tools", "tool_choice", "always_include"} == symfonic.levers


def test_the_graph_is_the_default_one() -> None:
    agent = Case(Agent, lambda tools: None).agent._agent
    tools = agent._graph.registry.all_tools()
    plain = SymfonicAgent(agent._model_provider, config=agent._config, tools=tools)

    assert _drawn(plain) == _drawn(agent)


def _drawn(agent: Any) -> str:
    return str(agent._runtime._workflow.get_graph().draw_mermaid())


def test_a_tool_is_unhashable_and_equals_another_of_its_name() -> None:
    assert tool("a") == tool("a") != tool("b")
    with pytest.raises(TypeError):
        hash(tool("a"))


async def test_the_default_resolver_is_the_agents_own() -> None:
    resolver = default_resolver({"action": ["beta"], "other": {"alpha"}})
    tools = [tool("alpha"), tool("beta")]

    assert [*map(id, await resolver.resolve({}, "action", tools))] == [id(tools[1])]
    assert await resolver.resolve({}, "default", tools) is None


def test_where_it_is_not_installed_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "symfonic.agent.config", None)
    monkeypatch.delitem(sys.modules, "palettecheck.adapters.symfonic")

    with pytest.raises(TargetError, match="needs symfonic-core"):
        importlib.import_module("palettecheck.adapters.symfonic")
