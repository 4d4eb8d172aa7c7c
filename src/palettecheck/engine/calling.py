"""One call of a subject: what happens to it becomes an observation, and nothing escapes.

The awaitable is driven through `_watched`, which looks at the inputs whenever the call gives way to
the event loop, as another coroutine could at that moment.
"""

from __future__ import annotations

import asyncio
import inspect
import re
import types
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from typing import Any

from palettecheck.engine.stopping import Stop
from palettecheck.observation import Observation, is_listlike, same_members
from palettecheck.plain import difference
from palettecheck.scenario import RESOLVED, Change, Inputs, Moment, Scenario, Shelf
from palettecheck.shown import text_of
from palettecheck.subject import Subject

_MISFIT = re.compile(
    r"unexpected keyword argument '(state|role|all_tools)'"
    r"|takes .* positional arguments? but [34] were given"
    r"|missing \d required positional argument"
)


class Session:
    """One instance, called again and again, on tools that last as long as the session.

    `own`: the adopter's tools, as handed over. `stop`: who may end the run. It counts the tasks
    that a call starts, and keeps the lists of earlier calls in view, since a change may come late.
    """

    def __init__(self, subject: Subject, own: Sequence[Any] = (), stop: Stop | None = None) -> None:
        self._subject = subject
        self._stop = stop or Stop()
        self._shelf = Shelf(own)
        self._kept: list[Inputs] = []
        self._started = 0
        asyncio.get_running_loop().set_task_factory(self._start)

    def _start(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
        self._started += 1
        return asyncio.Task(coroutine, loop=loop, **options)

    async def observe(
        self,
        scenario: Scenario,
        wrap: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> Observation:
        """Call the subject with `scenario` and give what it did.

        `wrap` may put a recording state in the place of the plain one. Raises only where the suite
        itself is being cancelled or interrupted.
        """
        inputs = scenario.build(self._shelf)
        if wrap is not None:
            inputs.state = wrap(inputs.state)
        seen = Observation(scenario, inputs, "returned")
        started = self._started
        awaitable = _call(self._subject, seen)
        if awaitable is not None:
            await self._await(awaitable, seen)
        await self._absorb_cancellations()
        if self._started > started:
            seen.left_tasks = True
            await asyncio.sleep(0)
        self._look_at_inputs(seen)
        return seen

    async def _await(self, awaitable: Awaitable[Any], seen: Observation) -> None:
        try:
            seen.result = await _watched(awaitable, seen, self._look_while_it_waits)
        except BaseException as error:  # as in _call
            self._stop.reraise(error)
            seen.error, seen.stage = error, "failed"
            return
        if is_listlike(seen.result):
            seen.elements = list.copy(seen.result)
        elif type(seen.result) is types.CoroutineType:
            seen.result.close()  # or it warns, much later, that nobody awaited it

    async def _absorb_cancellations(self) -> None:
        """Take the cancellations that the subject asked for, or the next `await` here has them."""
        task = asyncio.current_task()
        while task is not None and task.cancelling() and not self._stop.reason:
            try:
                await asyncio.sleep(0)
            except asyncio.CancelledError as error:
                self._stop.reraise(error)
            task.uncancel()

    def _look_while_it_waits(self, seen: Observation) -> None:
        seen.suspensions += 1
        self._look(seen, "while it waited")

    def _look_at_inputs(self, seen: Observation) -> None:
        self._look(seen, "afterwards")
        if seen.tool_change is not None:
            self._shelf.renew()
        self._look_at_earlier_lists(seen)

    def _look(self, seen: Observation, when: Moment) -> None:
        """Compare the inputs with what they were; the first change that is seen stays."""
        inputs = seen.inputs
        if not seen.moved and not same_members(inputs.all_tools, inputs.tools):
            seen.moved, seen.moved_to = when, list(inputs.all_tools)
        if seen.state_change is None:
            seen.state_change = _state_change(seen.scenario, inputs, when)
        if seen.tool_change is None:
            seen.tool_change = self._shelf.changed(inputs.tools, when)

    def _look_at_earlier_lists(self, seen: Observation) -> None:
        """Look at the lists of the first call and of the last one."""
        intact = [old for old in self._kept if same_members(old.all_tools, old.tools)]
        if len(intact) < len(self._kept) and not seen.moved:
            seen.moved = "in an earlier call's hands"
        self._kept = intact[:1] + [seen.inputs] * (not seen.moved)


def _call(subject: Subject, seen: Observation) -> Awaitable[Any] | None:
    inputs = seen.inputs
    try:
        if seen.scenario.call == "name":
            result = subject.resolve(
                state=inputs.state, role=inputs.role, all_tools=inputs.all_tools
            )
        else:
            result = subject.resolve(inputs.state, inputs.role, inputs.all_tools)
    except BaseException as error:  # R09 is about every exception, SystemExit included
        seen.error = error
        seen.stage = "refused" if _refused(subject, seen, error) else "raised"
        return None
    if not _is_awaitable(result):
        seen.stage, seen.result = "not awaitable", result
        return None
    awaitable: Awaitable[Any] = result
    return awaitable


def _is_awaitable(value: object) -> bool:
    """Ask the type, since an object may lie about its class."""
    kind = type(value)
    if kind is types.GeneratorType:
        return inspect.isawaitable(value)
    return kind is types.CoroutineType or hasattr(kind, "__await__")


def _refused(subject: Subject, seen: Observation, error: BaseException) -> bool:
    """Whether `error` says that the arguments do not fit, rather than that the policy failed."""
    if not isinstance(error, TypeError):
        return False
    if error.__traceback__ is None or error.__traceback__.tb_next is None:
        return True
    if _MISFIT.search(text_of(error, 500)):  # a wrapper that takes anything, around what does not
        return True
    return not subject.accepts(by_name=seen.scenario.call == "name")


@types.coroutine
def _watched(
    awaitable: Awaitable[Any], seen: Observation, look: Callable[[Observation], None]
) -> Generator[Any, Any, Any]:
    steps = awaitable if isinstance(awaitable, types.GeneratorType) else awaitable.__await__()
    send, throw = _step(steps), getattr(steps, "throw", None)
    advance: Callable[[], Any] = lambda: send(None)  # noqa: E731
    while True:
        try:
            awaited = advance()
        except StopIteration as stop:
            return stop.value
        look(seen)
        try:
            sent = yield awaited
        except BaseException as error:  # cancellation, mostly: it belongs to the call
            if throw is None:
                raise
            advance = _bind(throw, error)
        else:
            advance = _bind(send, sent)


def _bind(step: Callable[[Any], Any], value: Any) -> Callable[[], Any]:
    return lambda: step(value)


def _step(steps: Iterator[Any]) -> Callable[[Any], Any]:
    send: Callable[[Any], Any] | None = getattr(steps, "send", None)
    return send if send is not None else lambda _: next(steps)


def _state_change(scenario: Scenario, inputs: Inputs, when: Moment) -> Change | None:
    state = dict(dict.items(inputs.state))
    if scenario.resolved is not None and state.pop(RESOLVED, None) is not inputs.all_tools:
        return Change(f"state['{RESOLVED}'] is another object", when, "state")
    found = difference(scenario.state, state, "state")
    return Change(found.words, when, found.place) if found else None
