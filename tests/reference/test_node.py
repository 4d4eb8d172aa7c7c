"""The levers in their order, and one agent that composes them."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from palette_reference import ReferenceNode, bind_palette
from palette_reference.node import MODES


def tool(name: Any) -> SimpleNamespace:
    return SimpleNamespace(name=name)


A, B, C = tool("a"), tool("b"), tool("c")
REGISTRY = (A, B, C)


class Policy:
    """Gives what `answers` say, one after the other; calls what can be called."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[tuple[str, list[Any]]]()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.asked.append((role, list(all_tools)))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer(all_tools) if callable(answer) else answer


@pytest.mark.parametrize(
    ("resolved", "palette", "always", "choice", "bound", "sent", "cautions"),
    [
        (None, None, (), None, [A, B, C], None, []),
        ([], None, (), None, [A, B, C], None, []),
        ([B], None, (), None, [B], None, []),
        ([A, B], [B], (), None, [B], None, []),
        (None, [B, A], (), None, [B, A], None, []),
        (None, [], (), None, [A, B, C], None, [("empty", "")]),
        (None, True, (), None, [A, B, C], None, [("no list", "")]),
        ([A], [A, B], (), None, [A], None, [("foreign", "")]),
        ([A], [B], (), None, [A], None, [("foreign", "")]),
        (None, [A, tool("a")], (), None, [A], None, [("foreign", "")]),
        (None, [A, A], (), None, [A], None, [("repeated", "")]),
        (None, [B], ("c", "a"), None, [B, A, C], None, []),
        ([B], None, ("a",), None, [B, A], None, []),
        (None, [B], ("ghost",), None, [B], None, []),
        (None, [B], (), "a", [B, A], "a", [("excluded", "a")]),
        ([B], None, (), "a", [B, A], "a", [("excluded", "a")]),
        (None, [B], ("a",), "a", [B, A], "a", []),
        (None, None, (), "ghost", [A, B, C], None, [("unknown", "ghost")]),
        (None, [B], (), "auto", [B], "auto", []),
    ],
)
def test_the_levers_apply_in_their_order(
    resolved: Any, palette: Any, always: Any, choice: Any, bound: Any, sent: Any, cautions: Any
) -> None:
    binding = bind_palette(REGISTRY, resolved, palette, always, choice)

    assert [*map(id, binding.tools)] == [*map(id, bound)]
    assert binding.tool_choice == sent
    assert list(binding.cautions) == cautions


def test_the_first_of_several_tools_of_a_name_is_added_back() -> None:
    first, second = tool("a"), tool("a")

    assert bind_palette([first, second, B], None, [B], ["a"]).tools[1] is first
    assert bind_palette([first, second], None, [second], ["a"], "a").tools == [second]


@pytest.mark.parametrize("choice", [None, "a", *sorted(MODES)])
def test_where_nothing_is_to_be_bound_no_choice_is_sent(choice: str | None) -> None:
    binding = bind_palette([], None, None, ["a"], choice)

    assert (binding.tools, binding.tool_choice) == ([], None)


def test_what_is_given_is_only_read() -> None:
    registry, resolved, palette = [A, B, C], [A, B], [B]
    bind_palette(registry, resolved, palette, ["c"], "a")

    assert (registry, resolved, palette) == ([A, B, C], [A, B], [B])


def test_tools_without_a_name_are_bound_and_not_looked_up() -> None:
    odd = [{"name": "a"}, SimpleNamespace(), tool(["a"])]
    binding = bind_palette(odd, None, None, ["a"], "a")

    assert [*map(id, binding.tools)] == [*map(id, odd)]
    assert binding.tool_choice is None


async def test_an_agent_asks_its_resolver_about_the_input_list() -> None:
    policy = Policy(None)
    node = ReferenceNode(REGISTRY, policy)
    await node.iterate({})
    await node.iterate({"resolved_tools": [B]})

    assert policy.asked == [("action", [A, B, C]), ("action", [B])]


async def test_without_a_tool_the_resolver_is_not_asked() -> None:
    policy = Policy(None)

    assert (await ReferenceNode([], policy).iterate({})).tools == []
    assert policy.asked == []


@pytest.mark.parametrize("change", [list.pop, list.clear, list.reverse])
async def test_a_resolver_that_changes_its_list_changes_nothing(change: Any) -> None:
    registry, routed = [A, B, C], [A, B]
    node = ReferenceNode(registry, Policy(lambda tools: change(tools) and None))

    assert (await node.iterate({})).tools == registry
    assert (await node.iterate({"resolved_tools": routed})).tools == [A, B]
    assert (registry, routed) == ([A, B, C], [A, B])


async def test_each_caution_is_logged_once_an_agent(caplog: pytest.LogCaptureFixture) -> None:
    node = ReferenceNode(REGISTRY, Policy([B]))
    for choice in ("a", "a", "c", "ghost", "ghost"):
        await node.iterate({}, choice)

    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 3
    assert [name in caplog.text for name in ("'a'", "'c'", "'ghost'")] == [True] * 3
    await ReferenceNode(REGISTRY, Policy([B])).iterate({}, "a")
    assert len(caplog.records) == 4


@pytest.mark.parametrize("answer", [[], True, "abc", (A,), [tool("a")], [A, A], ["a"], [None]])
async def test_what_a_resolver_may_not_give_is_logged_and_contained(
    answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    binding = await ReferenceNode(REGISTRY, Policy(answer)).iterate({})

    assert binding.tools == ([A] if answer == [A, A] else [A, B, C])
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


async def test_a_missed_deadline_is_an_abstention(caplog: pytest.LogCaptureFixture) -> None:
    class Waits:
        async def resolve(self, state: Any, role: str, all_tools: list[Any]) -> Any:
            await asyncio.Event().wait()

    binding = await ReferenceNode(REGISTRY, Waits(), deadline=0.01).iterate({})

    assert binding.tools == [A, B, C]
    assert "deadline" in caplog.text


async def test_a_registry_that_changes_takes_effect() -> None:
    node = ReferenceNode(REGISTRY, Policy(None))
    node.change_registry([C])

    assert (await node.iterate({})).tools == [C]
