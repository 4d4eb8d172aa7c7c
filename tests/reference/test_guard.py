"""A guard makes any resolver safe for a host that trusts it, but for what no wrapper can mend."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import types
from collections.abc import AsyncGenerator, Callable, Generator
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from forked import forked
from gallery.members import Member, members
from gallery_guarded import guarded
from palette_reference import ACTION, GuardedResolver, ToolPaletteResolver, contained
from palettecheck.engine.driving import drive
from palettecheck.engine.job import Job, Plan
from palettecheck.engine.session import Session
from palettecheck.observation import Observation
from palettecheck.rules import Fault
from palettecheck.rules.resolver import RULES
from palettecheck.subject import opened

KEPT = ("R01", "R02", "R03", "R04", "R05", "R06", "R07", "R09")
FAULTY = [pytest.param(m, id=m.target.partition(".")[2]) for m in members() if not m.correct]

Body = Callable[[dict[str, Any], str, list[Any]], Any]


class Hostile:
    """A tool that nobody may touch."""

    def refuse(self, *arguments: Any) -> Any:
        raise AssertionError("it was touched")

    __eq__ = __hash__ = __len__ = __iter__ = __bool__ = __repr__ = __str__ = refuse
    __contains__ = __getattr__ = __await__ = refuse


class LyingList(list[Any]):
    """A list that says of itself that it is empty, and a copy of itself something else."""

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def copy(self) -> Any:
        return ["search"]

    __getitem__ = __contains__ = __eq__ = __repr__ = Hostile.refuse


class PosesAsAList(Hostile):
    """An object whose class is a list, if one asks it."""

    @property
    def __class__(self) -> Any:
        return list


class Bare:
    """An awaitable whose iterator can do nothing but go on."""

    def __init__(self, answer: list[Any]) -> None:
        self.answer = answer

    def __await__(self) -> Any:
        return self

    def __iter__(self) -> Bare:
        return self

    def __next__(self) -> None:
        raise StopIteration(self.answer)


class HandWritten:
    """An awaitable that waits, catches what is thrown, and waits again."""

    def __init__(self, answer: list[Any]) -> None:
        self.answer = answer

    def __await__(self) -> Generator[Any, None, list[Any]]:
        for _ in range(2):
            try:
                yield from asyncio.get_running_loop().create_future().__await__()
            except asyncio.CancelledError:
                task = asyncio.current_task()
                assert task is not None
                task.uncancel()
        return self.answer


A, B, C = (SimpleNamespace(name=name) for name in "abc")


def ids(tools: Any) -> Any:
    return tools if tools is None else [id(tool) for tool in tools]


def resolver_of(body: Body) -> Any:
    """A resolver with that method, which is not asynchronous by itself."""
    return type("Adopters", (), {"resolve": staticmethod(body)})()


def answering(answer: Any) -> Any:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        return answer

    return resolver_of(resolve)


def raising(error: BaseException) -> Any:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        raise error

    return resolver_of(resolve)


async def asked(resolver: Any, *tools: Any, deadline: float = 60.0) -> Any:
    return await GuardedResolver(resolver, deadline).resolve({}, ACTION, list(tools))


# What a result is worth.


@pytest.mark.parametrize(
    ("result", "shown", "good", "offences"),
    [
        ([A, C], [A, B, C], [A, C], ()),
        ([C, A], [A, B, C], [C, A], ()),
        ([A, B, A], [A, B, A], [A, B, A], ()),
        ([B, A, A], [A, B, A], [B, A, A], ()),
        (None, [A], None, ()),
        (None, [], None, ()),
        ([], [], None, ()),
        ([], [A], None, ("empty",)),
        ([A], [], None, ("foreign",)),
        ([C, A, "b"], [A, B], [A], ("foreign",)),
        ([SimpleNamespace(name="a")], [A], None, ("foreign",)),
        ([A, B, A, A], [A, B], [A, B], ("repeated",)),
        ([A, C, C, A], [A], [A], ("foreign", "repeated")),
        ([None], [A], None, ("foreign",)),
        ((A,), [A], None, ("no list",)),
        ("a", [A], None, ("no list",)),
        (True, [A], None, ("no list",)),
        (iter([A]), [A], None, ("no list",)),
        (True, [], None, ("no list",)),
    ],
)
def test_a_result_is_worth_what_was_shown(
    result: Any, shown: Any, good: Any, offences: Any
) -> None:
    assert contained(result, shown) == (good, offences)
    assert ids(contained(result, shown)[0]) == ids(good)


def test_a_good_result_is_given_as_another_list() -> None:
    result = [A, B]

    assert contained(result, result)[0] is not result


def test_no_method_of_a_tool_is_called() -> None:
    one, two, foreign = Hostile(), Hostile(), Hostile()

    assert ids(contained([two, one, foreign, one], [one, two])[0]) == ids([two, one])
    assert ids(contained([two], [one, two])[0]) == ids([two])


def test_no_method_of_a_result_is_called() -> None:
    for result in (Hostile(), PosesAsAList()):
        assert contained(result, [A]) == (None, ("no list",))


def test_a_list_that_lies_is_read_all_the_same() -> None:
    palette, offences = contained(LyingList([B, A]), [A, B])

    assert (type(palette), ids(palette), offences) == (list, ids([B, A]), ())


# What comes back.


async def test_a_palette_comes_back_as_it_is() -> None:
    assert ids(await asked(answering([C, A]), A, B, C)) == ids([C, A])
    assert await asked(answering(None), A) is None


async def test_the_answer_is_a_new_list() -> None:
    answer = [A]

    assert await asked(answering(answer), A) is not answer


async def test_what_was_shown_counts_and_not_what_the_resolver_made_of_it() -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        all_tools.append(C)
        return all_tools

    assert ids(await asked(resolver_of(resolve), A, B)) == ids([A, B])


async def test_what_the_caller_does_meanwhile_does_not_count() -> None:
    tools = [A, B]

    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        tools[:] = [C]
        return [A, C]

    guard = GuardedResolver(resolver_of(resolve))

    assert ids(await guard.resolve({}, ACTION, tools)) == ids([A])


def test_it_is_a_resolver() -> None:
    assert isinstance(GuardedResolver(answering(None)), ToolPaletteResolver)


# What goes in.


async def test_the_list_and_the_state_of_the_caller_are_out_of_reach() -> None:
    tools = [A, B]
    state = {"resolved_tools": tools, "tenant_id": "acme"}

    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        assert state["resolved_tools"] is all_tools
        all_tools.clear()
        state["resolved_tools"].append(C)
        state.clear()

    await GuardedResolver(resolver_of(resolve)).resolve(state, ACTION, tools)

    assert ids(tools) == ids([A, B])
    assert state == {"resolved_tools": tools, "tenant_id": "acme"}
    assert state["resolved_tools"] is tools


@pytest.mark.parametrize("routed", [[], [A], None, "none"])
async def test_what_else_routing_says_is_said(routed: Any) -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        seen.append(state["resolved_tools"])

    seen: list[Any] = []
    await GuardedResolver(resolver_of(resolve)).resolve({"resolved_tools": routed}, ACTION, [A, B])

    assert seen == [routed]
    assert not isinstance(routed, list) or seen[0] is not routed


@pytest.mark.parametrize("state", [None, "state", SimpleNamespace(tenant="acme")])
async def test_a_state_that_is_no_dict_goes_in_as_it_is(state: Any) -> None:
    async def resolve(given: Any, role: Any, all_tools: Any) -> Any:
        return all_tools if given is state and role == "other" else None

    guard = GuardedResolver(resolver_of(resolve))

    assert ids(await guard.resolve(state, "other", [A])) == ids([A])


# What fails.


@pytest.mark.parametrize(
    "error",
    [
        KeyError("tenant"),
        TimeoutError(),
        SystemExit(3),
        asyncio.CancelledError(),
        BaseExceptionGroup("all", [SystemExit(3)]),
        StopIteration([A]),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_an_exception_abstains(error: BaseException) -> None:
    def at_once(state: Any, role: Any, all_tools: Any) -> Any:
        raise error

    async def later(state: Any, role: Any, all_tools: Any) -> Any:
        await asyncio.sleep(0)
        raise error

    for resolver in (raising(error), resolver_of(at_once), resolver_of(later)):
        assert await asked(resolver, A) is None


@pytest.mark.parametrize("waits", [False, True])
async def test_a_cancellation_by_the_resolver_itself_abstains(waits: bool) -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        task = asyncio.ensure_future(asyncio.sleep(60))
        task.cancel()
        await asyncio.sleep(0 if waits else 0.001)
        return await task

    assert await asked(resolver_of(resolve), A) is None


@pytest.mark.parametrize("answer", [None, [A], iter([A])])
async def test_what_cannot_be_awaited_abstains(
    answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert await asked(resolver_of(lambda *arguments: answer), A) is None
    assert caplog.messages == ["a fault of Adopters is contained: no awaitable"]


@pytest.mark.parametrize("make", [Hostile, PosesAsAList])
async def test_what_refuses_to_be_awaited_abstains(make: Any) -> None:
    assert await asked(resolver_of(lambda *arguments: make()), A) is None


async def test_a_resolver_without_the_method_abstains() -> None:
    assert await asked(object(), A) is None


async def test_a_keyboard_interrupt_passes() -> None:
    error = KeyboardInterrupt()

    with pytest.raises(KeyboardInterrupt) as caught:
        await asked(raising(error), A)

    assert caught.value is error


# Every kind of awaitable.


async def waiting(state: Any, role: Any, all_tools: Any) -> Any:
    await asyncio.sleep(0)
    await asyncio.sleep(0.001)
    return all_tools[:1]


def future(state: Any, role: Any, all_tools: Any) -> Any:
    made: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    made.get_loop().call_soon(made.set_result, all_tools[:1])
    return made


@types.coroutine
def generator_based(state: Any, role: Any, all_tools: Any) -> Any:
    yield
    return all_tools[:1]


def done(state: Any, role: Any, all_tools: Any) -> Any:
    made: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    made.set_result(all_tools[:1])
    return made


@pytest.mark.parametrize(
    "resolve",
    [
        waiting,
        future,
        done,
        generator_based,
        lambda *arguments: asyncio.ensure_future(waiting(*arguments)),
        lambda state, role, all_tools: Bare(all_tools[:1]),
    ],
    ids=["coroutine", "future", "done future", "generator", "task", "bare iterator"],
)
async def test_every_awaitable_is_driven_to_its_end(resolve: Any) -> None:
    assert ids(await asked(resolver_of(resolve), A, B)) == ids([A])


async def test_an_error_inside_an_await_comes_through() -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        for seconds in (0, 0.001):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.sleep(60), seconds)
        return all_tools

    assert ids(await asked(resolver_of(resolve), A)) == ids([A])


async def test_what_is_thrown_reaches_an_awaitable_each_time() -> None:
    task = asyncio.ensure_future(asked(resolver_of(lambda s, r, t: HandWritten(t)), A))
    for _ in range(2):
        await asyncio.sleep(0)
        task.cancel()

    assert ids(await task) == ids([A])


async def test_the_context_is_that_of_the_caller() -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        seen.append(asyncio.current_task())
        await asyncio.sleep(0)
        seen.append(asyncio.current_task())

    seen: list[Any] = []
    await asked(resolver_of(resolve), A)

    assert seen == [asyncio.current_task()] * 2


# The deadline.


async def test_a_missed_deadline_cancels_and_abstains(caplog: pytest.LogCaptureFixture) -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    seen: list[str] = []

    assert await asked(resolver_of(resolve), A, deadline=0.01) is None
    assert seen == ["cancelled"]
    assert caplog.messages == ["a fault of Adopters is contained: deadline"]
    assert_not_cancelling()


@pytest.mark.parametrize("instead", ["an answer", "an error"])
async def test_a_deadline_is_missed_whatever_comes_after_it(
    instead: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        return all_tools if instead == "an answer" else 1 / 0

    assert await asked(resolver_of(resolve), A, deadline=0.01) is None
    assert caplog.messages == ["a fault of Adopters is contained: deadline"]
    assert_not_cancelling()


@pytest.mark.parametrize("make", [asyncio.ensure_future, lambda sleeping: sleeping])
async def test_the_deadline_is_for_every_awaitable(make: Any) -> None:
    def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        made.append(make(asyncio.sleep(60)))
        return made[0]

    made: list[Any] = []

    assert await asked(resolver_of(resolve), A, deadline=0.01) is None
    assert not isinstance(made[0], asyncio.Future) or made[0].cancelled()


async def test_a_timeout_of_the_resolvers_own_is_no_missed_deadline(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        async with asyncio.timeout(0):
            await asyncio.sleep(60)

    assert await asked(resolver_of(resolve), A) is None
    assert caplog.messages == ["a fault of Adopters is contained: exception (TimeoutError)"]


async def test_no_timer_is_armed_for_a_resolver_that_does_not_wait() -> None:
    loop = asyncio.get_running_loop()

    with patch.object(loop, "call_at", wraps=loop.call_at) as armed:
        await asked(answering([A]), A)
        assert armed.call_count == 0
        await asked(resolver_of(generator_based), A)
        assert armed.call_count == 1


async def test_the_timer_is_gone_with_the_answer() -> None:
    loop = asyncio.get_running_loop()

    def arm(*arguments: Any, **more: Any) -> asyncio.TimerHandle:
        handles.append(call_at(*arguments, **more))
        return handles[-1]

    handles: list[asyncio.TimerHandle] = []
    call_at = loop.call_at
    with patch.object(loop, "call_at", arm):
        await asked(resolver_of(generator_based), A)

    assert [handle.cancelled() for handle in handles] == [True]


# Cancellation.


def assert_not_cancelling() -> None:
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_a_cancellation_in_the_middle_passes_and_the_resolver_sees_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        await asyncio.sleep(0)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError as error:
            seen.append(error)
            raise

    seen: list[BaseException] = []
    task = asyncio.ensure_future(asked(resolver_of(resolve), A))
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel("enough")

    with pytest.raises(asyncio.CancelledError, match="enough"):
        await task
    assert [str(error) for error in seen] == ["enough"]
    assert task.cancelled()
    assert caplog.messages == []


async def test_a_cancellation_passes_also_where_the_deadline_is_missed_with_it() -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        try:
            await asyncio.sleep(60)
        finally:
            task.cancel()

    task = asyncio.ensure_future(asked(resolver_of(resolve), A, deadline=0.01))

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_closing_passes_and_the_resolver_is_closed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def resolve(state: Any, role: Any, all_tools: Any) -> Any:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            seen.append(sys.exc_info()[0])

    seen: list[Any] = []
    closed, thrown = asked(resolver_of(resolve), A), asked(resolver_of(resolve), A)
    closed.send(None)
    closed.close()
    thrown.send(None)
    with pytest.raises(GeneratorExit):
        thrown.throw(GeneratorExit())

    assert seen == [GeneratorExit, GeneratorExit]
    assert caplog.messages == []


# Warnings.


FAULTS: dict[str, Callable[[], Any]] = {
    "empty": lambda: answering([]),
    "no list": lambda: answering((A,)),
    "foreign": lambda: answering([A, C]),
    "repeated": lambda: answering([A, A]),
    "exception (KeyError)": lambda: raising(KeyError("tenant")),
    "no awaitable": lambda: resolver_of(lambda *arguments: None),
    "deadline": lambda: resolver_of(lambda *arguments: asyncio.sleep(60)),
}


@pytest.mark.parametrize("kind", FAULTS)
async def test_each_kind_of_fault_warns_once_an_instance(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    for guard in (GuardedResolver(FAULTS[kind](), 0.001), GuardedResolver(FAULTS[kind](), 0.001)):
        for _ in range(3):
            await guard.resolve({}, ACTION, [A])

    told = (logging.WARNING, f"a fault of Adopters is contained: {kind}")
    assert [(r.levelno, r.getMessage()) for r in caplog.records] == [told, told]


async def test_one_kind_does_not_hide_another(caplog: pytest.LogCaptureFixture) -> None:
    answers = [[], (A,), [C, A, A], []]
    guard = GuardedResolver(resolver_of(lambda *arguments: asyncio.sleep(0, answers.pop(0))))
    for _ in range(4):
        await guard.resolve({}, ACTION, [A])

    kinds = [message.partition("contained: ")[2] for message in caplog.messages]
    assert kinds == ["empty", "no list", "foreign", "repeated"]


async def test_the_text_of_an_error_is_not_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    class SilentError(Exception):
        __str__ = __repr__ = Hostile.refuse

    assert await asked(raising(SilentError()), A) is None
    assert len(caplog.messages) == 1
    assert caplog.messages[0].endswith("SilentError)")


@pytest.mark.parametrize("answer", [[A, A], None])
async def test_what_is_wrong_in_the_resolver_itself_is_not_touched(answer: Any) -> None:
    class Odd(Hostile):
        async def resolve(self, state: Any, role: Any, all_tools: Any) -> Any:
            return answer

    assert ids(await asked(Odd(), A)) == (answer and ids([A]))


async def test_a_sound_resolver_is_no_reason_to_warn(caplog: pytest.LogCaptureFixture) -> None:
    for answer in (None, [A], [B, A]):
        await asked(answering(answer), A, B)
    await asked(answering([]))

    assert caplog.records == []


# The gallery.


async def breaches(
    target: str, member: Member
) -> AsyncGenerator[tuple[str, Fault, Observation], None]:
    """The breaches of what a guard is to keep, over the scenarios of a quick run."""
    plan = Plan(Job(target, member.tools, member.states, "quick"))
    async with opened(target, []) as subject:
        session = Session(subject, plan.words.own)
        for scenario in plan.scenarios:
            seen = await session.observe(scenario)
            for rule in RULES:
                judged = rule.id in KEPT and scenario.typing in rule.levels
                if judged and (fault := rule.check(seen)) is not None:
                    yield rule.id, fault, seen


def lies_in_a_tool(rule: str, seen: Observation) -> bool:
    """Whether no wrapper can mend it: a tool itself was changed, and the list was not."""
    return rule == "R07" and seen.tool_change is not None and not seen.moved


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
@pytest.mark.parametrize("member", FAULTY)
def test_under_a_guard_every_faulty_resolver_keeps_the_rules(member: Member) -> None:
    async def broken() -> list[tuple[str, str]]:
        every = breaches(guarded(member), member)
        return [
            (rule, fault.seen)
            async for rule, fault, seen in every
            if not lies_in_a_tool(rule, seen)
        ]

    assert forked(lambda: drive(broken())) == []


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
def test_without_a_guard_nearly_all_of_them_break_one() -> None:
    async def breaks(member: Member) -> bool:
        async with contextlib.aclosing(breaches(member.target, member)) as every:
            return await anext(every, None) is not None

    unsafe = [param.values[0] for param in FAULTY if param.values[0].must & {*KEPT}]

    assert sum(forked(lambda: [drive(breaks(m)) for m in unsafe])) > 0.9 * len(unsafe)
