"""One call of a subject, step by step: called, driven to its end, and told from failure.

The awaitable is driven through `watched`, which looks at the inputs whenever the call gives way to
the event loop, as another coroutine could at that moment.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from typing import Any, Literal, TypeAlias

from palettecheck.observation import Stage
from palettecheck.scenario import Scenario
from palettecheck.shown import has_method, text_of, type_name, with_article
from palettecheck.subject import Subject

Step: TypeAlias = tuple[Stage | Literal["waits"], Any]

NOTHING = object()
_NAMES = r"'(state|role|all_tools)'"
_OURS = re.compile(rf"unexpected keyword argument {_NAMES}|missing .*{_NAMES}|but [34] were given")
_MISFIT = re.compile(
    r"unexpected keyword argument|required positional argument|positional arguments? but"
    r"|keyword-only argument|positional-only arguments|multiple values for argument"
)


def first_step(
    subject: Subject, scenario: Scenario, state: dict[str, Any], all_tools: list[Any]
) -> Step:
    """Call the subject, and go on until it gives way to the event loop.

    Gives a stage, and with it the result or the error; where it "waits", the awaitable, and what a
    coroutine that is on its way waits for.
    """
    try:
        if scenario.call == "position":
            awaitable = subject.resolver.resolve(state, scenario.role, all_tools)
        else:
            awaitable = subject.resolver.resolve(
                state=state, role=scenario.role, all_tools=all_tools
            )
    except BaseException as error:  # R09 is about every exception, SystemExit included
        refused = _refused(subject, error, by_name=scenario.call == "name")
        return ("refused" if refused else "raised"), error
    if type(awaitable) is not types.CoroutineType:
        return (
            ("waits", (awaitable, NOTHING)) if _awaits(awaitable) else ("not awaitable", awaitable)
        )
    try:
        return "waits", (awaitable, awaitable.send(None))
    except StopIteration as stop:
        return "returned", stop.value
    except BaseException as error:  # as above
        return "failed", error


def _awaits(value: object) -> bool:
    """Ask the type, since an object may lie about its class."""
    if type(value) is types.GeneratorType:
        return inspect.isawaitable(value)
    return has_method(value, "__await__")


def _refused(subject: Subject, error: BaseException, *, by_name: bool) -> bool:
    """Whether `error` says that the arguments do not fit, rather than that the policy failed."""
    if not issubclass(type(error), TypeError):
        return False
    text = text_of(error, 500)
    # The first frame is the one above: where there is no other, nothing of the subject has run.
    if error.__traceback__ is None or error.__traceback__.tb_next is None:
        return bool(_MISFIT.search(text))
    if error.__traceback__.tb_next.tb_next is None and _OURS.search(text):
        return True  # from a wrapper that takes anything, around what does not
    return not subject.accepts(by_name=by_name)


def steps_of(awaitable: Any) -> Any:
    """Give the iterator that `await` would drive; raise `TypeError` where it would."""
    if type(awaitable) is types.GeneratorType or type(awaitable) is types.CoroutineType:
        return awaitable
    steps = awaitable.__await__()
    if type(steps) is types.CoroutineType:
        steps.close()
    if not has_method(steps, "__next__"):
        raise TypeError(
            f"__await__() gave {with_article(type_name(steps))}, which cannot be driven"
        )
    return steps


@types.coroutine
def watched(
    awaitable: Awaitable[Any], awaited: Any, look: Callable[[], None]
) -> Generator[Any, Any, Any]:
    """Drive `awaitable` to its end, with a `look` whenever it waits.

    `awaited`: what a coroutine that is on its way waits for; otherwise `NOTHING`.
    """
    steps = steps_of(awaitable)
    send, throw = _step(steps), getattr(steps, "throw", None)
    advance: Callable[[], Any] = _bind(send, None)
    while True:
        try:
            waits_for = advance() if awaited is NOTHING else awaited
        except StopIteration as stop:
            return stop.value
        awaited = NOTHING
        look()
        try:
            sent = yield waits_for
        except BaseException as error:  # cancellation, mostly: it belongs to the call
            if throw is None:
                raise
            advance = _bind(throw, error)
        else:
            advance = _bind(send, sent)


class WatchedCoroutine(Coroutine[Any, Any, Any]):
    """A coroutine for a task of the subject's own, with a `look` whenever it waits."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], look: Callable[[], None]) -> None:
        self._coroutine, self._look = coroutine, look

    def send(self, value: Any) -> Any:
        """Go on to the next wait."""
        waits_for = self._coroutine.send(value)
        self._look()
        return waits_for

    def throw(self, *error: Any) -> Any:
        """Go on with an exception."""
        waits_for = self._coroutine.throw(*error)
        self._look()
        return waits_for

    def close(self) -> None:
        """End it."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._coroutine.__await__()


def _bind(step: Callable[[Any], Any], value: Any) -> Callable[[], Any]:
    return lambda: step(value)


def _step(steps: Iterator[Any]) -> Callable[[Any], Any]:
    send: Callable[[Any], Any] | None = getattr(steps, "send", None)
    return send if send is not None else lambda _: next(steps)
