"""The implementation under test: found by its name, built, used on one event loop, closed.

A target is a resolver, a class of one, or a factory without arguments; what is built may have to be
awaited, or entered as an async context manager. `reference` stands for the reference resolver, and
`symfonic` for the one that a symfonic-core agent makes of its `role_tools`.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from palette_reference import ACTION, DEFAULT, RoleToolsResolver
from palettecheck.loading import TargetError, find
from palettecheck.shown import error_text, has_method, quoted, type_name, with_article

REFERENCE, SYMFONIC = "reference", "symfonic"
ROLE_TOOLS = {ACTION: {"search", "fetch"}, DEFAULT: {"search"}}
_PARAMETERS = ("state", "role", "all_tools")


@dataclass(slots=True)
class Subject:
    """A resolver that can be called. `built`: how it came to be, for a reproducer."""

    resolver: Any
    built: Built = field(default_factory=lambda: Built())

    @property
    def resolve(self) -> Callable[..., Any]:
        """The method, looked up anew for each call, as a host does."""
        method: Callable[..., Any] = self.resolver.resolve
        return method

    def accepts(self, *, by_name: bool) -> bool:
        """Say whether the signature takes the three arguments; true where it cannot be read."""
        try:
            signature = inspect.signature(self.resolve)
        except Exception:  # a builtin, or a `__signature__` that lies: there is nothing to say
            return True
        try:
            signature.bind(**dict.fromkeys(_PARAMETERS)) if by_name else signature.bind(1, 2, 3)
        except TypeError:
            return False
        return True


@dataclass(frozen=True)
class Built:
    """How a target becomes a resolver: which of these steps it takes.

    `itself`: what is entered gives nothing, and is the resolver itself.
    """

    called: bool = False
    awaited: bool = False
    entered: bool = False
    itself: bool = False


@asynccontextmanager
async def opened(
    target: str, notes: list[str], config: str | None = None
) -> AsyncIterator[Subject]:
    """Build the resolver that `target` names, and close it afterwards.

    `config`: the name of the `role_tools` that it is built from; the suite has some of its own.

    Raises `TargetError` where there is no such target, it cannot be built, or is no resolver. What
    goes wrong when it is closed does not undo what was seen: it is added to `notes`.
    """
    async with opened_from(found(target, config), target, notes) as subject:
        yield subject


@asynccontextmanager
async def opened_from(made: Any, target: str, notes: list[str]) -> AsyncIterator[Subject]:
    """Do as `opened` does with what the target is already found to be; `target` is for words."""
    async with AsyncExitStack() as stack:
        yield await _build(made, target, stack, notes)


async def _build(made: Any, target: str, stack: AsyncExitStack, notes: list[str]) -> Subject:
    called = awaited = entered = itself = False
    if inspect.isclass(made) or not (_enters(made) or _method(made, target) is not None):
        made, called = _called(made, target), True
    if inspect.isawaitable(made):
        made, awaited = await _guarded(made, target, "building it"), True
    if _enters(made):
        inner, entered = await _entered(made, target, stack, notes), True
        made, itself = (made, True) if inner is None else (inner, False)
    method = _method(made, target)
    if not callable(method):
        raise TargetError(_no_resolver(made, target, method))
    return Subject(made, Built(called, awaited, entered, itself))


def found(target: str, config: str | None = None) -> Any:
    """Give what `target` names; raise `TargetError` where there is no such thing, or no `config`.

    Only a target that `takes_config` is built from one.
    """
    if target == REFERENCE:
        return lambda: RoleToolsResolver(ROLE_TOOLS)
    if not takes_config(target):
        return find(target)
    role_tools = ROLE_TOOLS if config is None else _role_tools(config)
    default_resolver = find("palettecheck.adapters.symfonic:default_resolver")
    return lambda: default_resolver(role_tools)


def takes_config(target: str) -> bool:
    """Say whether the resolver that `target` names is made of `role_tools`."""
    return target == SYMFONIC


def _role_tools(config: str) -> Any:
    role_tools = find(config)
    if not issubclass(type(role_tools), Mapping):
        what = with_article(type_name(role_tools))
        raise TargetError(f"{quoted(config, 200)} is {what}, no mapping of roles to tool names")
    return role_tools


def _enters(made: Any) -> bool:
    return hasattr(type(made), "__aenter__")


def _method(made: Any, target: str) -> Any:
    try:
        return getattr(made, "resolve", None)
    except BaseException as error:  # a property is the adopter's code, and may do anything
        message = f"{quoted(target, 200)}: reading `resolve` raised {error_text(error)}"
        raise TargetError(message) from error


_HINTS = {
    "__anext__": " (a factory that yields wants @contextlib.asynccontextmanager)",
    "__enter__": " (a context manager has to be an async one)",
}


def _no_resolver(made: Any, target: str, method: Any = None) -> str:
    what = "None" if made is None else with_article(type_name(made))
    if method is None:
        hint = next((hint for name, hint in _HINTS.items() if has_method(made, name)), "")
        return f"{quoted(target, 200)} is no resolver: {what} has no `resolve`{hint}"
    given = with_article(type_name(method))
    return f"{quoted(target, 200)} is no resolver: its `resolve` is {given}, not a method"


def _called(made: Any, target: str) -> Any:
    name = quoted(target, 200)
    if not callable(made):
        raise TargetError(_no_resolver(made, target))
    if missing := _missing_arguments(made):
        if missing[-3:] == list(_PARAMETERS):
            raise TargetError(
                f"{name} looks like the method itself: name the object that has it, or its class"
            )
        raise TargetError(
            f"{name} needs arguments ({', '.join(missing)}): "
            "name a factory without arguments, or an instance"
        )
    try:
        return made()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a constructor is the adopter's code, and may do anything
        raise TargetError(f"{name} raised when built: {error_text(error)}") from error


def _missing_arguments(made: Any) -> list[str]:
    try:
        parameters = inspect.signature(made, follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):
        return []
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    empty = inspect.Parameter.empty
    return [p.name for p in parameters if p.default is empty and p.kind not in variadic]


async def _guarded(awaitable: Any, target: str, doing: str) -> Any:
    try:
        return await awaitable
    except BaseException as error:  # as in _called
        if _is_cancelled(error):
            raise
        message = f"{quoted(target, 200)}: {doing} raised {error_text(error)}"
        raise TargetError(message) from error


async def _entered(made: Any, target: str, stack: AsyncExitStack, notes: list[str]) -> Any:
    entered = await _guarded(made.__aenter__(), target, "entering it")
    stack.push_async_callback(_close, made, notes)
    return entered


def _is_cancelled(error: BaseException) -> bool:
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and bool(task and task.cancelling())


async def _close(made: Any, notes: list[str]) -> None:
    try:
        await made.__aexit__(None, None, None)
    except BaseException as error:  # as in _called
        if _is_cancelled(error):
            raise
        note = f"closing the subject raised {error_text(error)}"
        if note not in notes:
            notes.append(note)
