"""One call, whatever kind of awaitable it gives, becomes one observation."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Generator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from palettecheck.engine.session import Session
from palettecheck.engine.stopping import Stop
from palettecheck.observation import Observation
from palettecheck.scenario import Scenario, Tool
from palettecheck.shelf import Change
from palettecheck.subject import Subject

SCENARIO = Scenario((Tool("a"), Tool("b")), state={"tenant": "acme"})


async def seen_of(resolve: Any) -> Observation:
    return await Session(Subject(SimpleNamespace(resolve=resolve))).observe(SCENARIO)


class HandWritten:
    """An awaitable whose iterator is a generator."""

    def __await__(self) -> Generator[Any, Any, list[int]]:
        yield from asyncio.sleep(0).__await__()
        return [1]


class Steps:
    """An iterator that has neither `send` nor `throw`."""

    def __init__(self) -> None:
        self.left = 2

    def __iter__(self) -> Iterator[None]:
        return self

    def __next__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise StopIteration([1])


class Bare:
    """An awaitable on such an iterator."""

    def __await__(self) -> Any:
        return Steps()


async def plain(state: Any, role: Any, all_tools: Any) -> Any:
    return [1]


async def sleepy(state: Any, role: Any, all_tools: Any) -> Any:
    await asyncio.sleep(0)
    return [1]


def future(state: Any, role: Any, all_tools: Any) -> Any:
    made: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
    made.get_loop().call_soon(made.set_result, [1])
    return made


@types.coroutine
def generator_based(state: Any, role: Any, all_tools: Any) -> Any:
    yield
    return [1]


@pytest.mark.parametrize(
    ("resolve", "suspensions"),
    [
        (plain, 0),
        (sleepy, 1),
        (future, 1),
        (generator_based, 1),
        (lambda *arguments: HandWritten(), 1),
        (lambda *arguments: Bare(), 2),
        (lambda *arguments: asyncio.ensure_future(sleepy(*arguments)), 1),
    ],
    ids=["coroutine", "sleep", "future", "generator", "hand-written", "bare iterator", "task"],
)
async def test_every_awaitable_is_driven_to_its_end(resolve: Any, suspensions: int) -> None:
    seen = await seen_of(resolve)

    assert (seen.stage, seen.elements, seen.suspensions) == ("returned", [1], suspensions)


async def test_an_error_inside_an_await_comes_through() -> None:
    async def catches(state: Any, role: Any, all_tools: Any) -> Any:
        try:
            await asyncio.wait_for(asyncio.sleep(60), 0)
        except TimeoutError:
            return [1]

    assert (await seen_of(catches)).elements == [1]


async def test_a_cancellation_of_the_subject_by_itself_is_its_error() -> None:
    async def cancels(state: Any, role: Any, all_tools: Any) -> Any:
        task = asyncio.ensure_future(asyncio.sleep(60))
        task.cancel()
        await task

    seen = await seen_of(cancels)

    assert (seen.stage, type(seen.error)) == ("failed", asyncio.CancelledError)


async def test_a_cancellation_of_the_suite_goes_through() -> None:
    async def waits(state: Any, role: Any, all_tools: Any) -> Any:
        await asyncio.sleep(60)

    stop = Stop()
    session = Session(Subject(SimpleNamespace(resolve=waits)), (), stop)
    task = asyncio.ensure_future(session.observe(SCENARIO))
    stop.watch(task)
    await asyncio.sleep(0)
    stop.ask("enough")

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_subject_that_cancels_the_task_that_awaits_it_does_not_end_the_run() -> None:
    async def cancels(state: Any, role: Any, all_tools: Any) -> Any:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        return [1]

    assert (await seen_of(cancels)).stage == "returned"
    await asyncio.sleep(0)


async def test_a_failing_task_group_does_not_end_the_run() -> None:
    async def fails() -> None:
        raise ConnectionError

    async def groups(state: Any, role: Any, all_tools: Any) -> Any:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(fails())
        except* ConnectionError:
            pass
        return [1]

    seen = await seen_of(groups)
    await asyncio.sleep(0)

    assert seen.elements == [1]


async def test_the_inputs_are_remembered_as_they_were_before() -> None:
    async def clears(state: Any, role: Any, all_tools: Any) -> Any:
        all_tools.clear()
        state.clear()

    seen = await seen_of(clears)

    assert [tool.name for tool in seen.tools] == ["a", "b"]
    assert seen.moved == "afterwards"
    assert seen.state_change == Change("state['tenant'] was removed", "afterwards", "state")
    assert seen.scenario == SCENARIO


async def test_a_changed_tool_does_not_spoil_the_next_scenario() -> None:
    async def tags(state: Any, role: Any, all_tools: Any) -> Any:
        all_tools[0].tags.append("seen")

    session = Session(Subject(SimpleNamespace(resolve=tags)))
    first = await session.observe(SCENARIO)
    second = await session.observe(SCENARIO)

    change = Change("tools[0].tags: 0 items became 1", "afterwards", "tools[0].tags")
    assert first.tool_change == second.tool_change == change


async def test_own_tools_are_put_back_as_they_were() -> None:
    own = [SimpleNamespace(name="a", tags=["x"]), {"name": "b", "deep": {"c": 1}}]

    async def spoils(state: Any, role: Any, all_tools: Any) -> Any:
        all_tools[0].tags.clear()
        all_tools[1]["deep"]["c"] = 2

    recipes = tuple(Tool("a", "own", source="s", index=i) for i in range(2))
    session = Session(Subject(SimpleNamespace(resolve=spoils)), own)
    seen = await session.observe(Scenario(recipes))

    assert seen.tool_change is not None
    assert own == [SimpleNamespace(name="a", tags=["x"]), {"name": "b", "deep": {"c": 1}}]


async def test_what_a_task_changes_after_the_answer_is_seen() -> None:
    tasks = set()

    async def later(all_tools: list[Any]) -> None:
        all_tools.reverse()

    async def leaves_a_task(state: Any, role: Any, all_tools: Any) -> Any:
        tasks.add(asyncio.ensure_future(later(all_tools)))

    seen = await seen_of(leaves_a_task)

    assert (seen.moved, seen.left_tasks) == ("afterwards", True)


async def test_what_changes_in_an_earlier_list_is_seen() -> None:
    lists = []

    async def grows_the_first(state: Any, role: Any, all_tools: Any) -> Any:
        lists.append(all_tools)
        if len(lists) > 1:
            lists[0].append("more")

    session = Session(Subject(SimpleNamespace(resolve=grows_the_first)))
    moved = [(await session.observe(SCENARIO)).moved for _ in range(3)]

    assert moved == ["", "in an earlier call's hands", ""]


async def test_what_is_different_only_while_it_waits_is_seen() -> None:
    async def borrows(state: Any, role: Any, all_tools: Any) -> Any:
        state["busy"], all_tools[0].description = True, "busy"
        await asyncio.sleep(0)
        del state["busy"]
        all_tools[0].description = ""

    seen = await seen_of(borrows)

    assert seen.state_change == Change("state['busy'] was added", "while it waited", "state")
    assert seen.tool_change is not None
    assert seen.tool_change.when == "while it waited"
