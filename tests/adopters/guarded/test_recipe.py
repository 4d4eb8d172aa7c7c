"""A policy that a trusting node falls over is harmless behind the guard, in a whole agent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from adopters.guarded.recipe import guard
from palettecheck.adapters.symfonic import Agent, tool
from palettecheck.host import Bound


class Policy:
    """Does what the function does."""

    def __init__(self, does: Callable[[list[Any]], Any]) -> None:
        self.does = does

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.does(all_tools)


class Hangs:
    """Never answers."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        await asyncio.Event().wait()


TOOLS = [tool("search"), tool("fetch"), tool("delete")]
FAULTY = {
    "empty": (lambda tools: [], TOOLS),
    "true": (lambda tools: True, TOOLS),
    "generator": (lambda tools: (one for one in tools), TOOLS),
    "raises": (lambda tools: 1 / 0, TOOLS),
    "copy": (lambda tools: [tools[0], tool("fetch")], TOOLS[:1]),
    "twice": (lambda tools: [tools[0], tools[0]], TOOLS[:1]),
    "pops": (lambda tools: tools.pop() and None, TOOLS),
}


async def bound(policy: Any, deadline: float = 1.0, guarded: bool = True) -> list[Bound]:
    """What two turns of an agent with this policy bind."""
    hosted = Agent(list(TOOLS), policy)
    if guarded:
        guard(hosted._agent, policy, deadline)
    return [await hosted.iterate({}) for _ in range(2)]


@pytest.mark.parametrize("name", FAULTY)
async def test_what_is_wrong_does_not_reach_the_model(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    does, expected = FAULTY[name]
    for turn in await bound(Policy(does)):
        assert [*map(id, turn.tools)] == [*map(id, expected)]
    contained = [text for text in caplog.messages if "a fault of Policy is contained" in text]
    assert len(contained) == (0 if name == "pops" else 1)


async def test_a_good_palette_is_bound_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    for turn in await bound(Policy(lambda tools: tools[1:])):
        assert [*map(id, turn.tools)] == [*map(id, TOOLS[1:])]
    assert caplog.messages == []


async def test_a_policy_that_hangs_abstains_at_its_deadline() -> None:
    for turn in await asyncio.wait_for(bound(Hangs(), 0.01), 5):
        assert [*map(id, turn.tools)] == [*map(id, TOOLS)]


async def test_without_the_guard_the_agent_is_bricked() -> None:
    for turn in await bound(Policy(lambda tools: []), guarded=False):
        assert turn.tools == []
