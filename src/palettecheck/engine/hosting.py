"""An agent of a host, taken through a course: what each iteration bound, sent and logged."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from palettecheck.engine.stopping import Stop
from palettecheck.engine.watchdog import Watchdog
from palettecheck.host import SHIPPED, CannotAriseError
from palettecheck.iteration import Course, Iteration, Turn, input_list
from palettecheck.loading import TargetError, find
from palettecheck.observation import same_members
from palettecheck.scenario import RESOLVED, Tool
from palettecheck.scripts import ScriptedResolver
from palettecheck.search.courses import LEVERS
from palettecheck.shelf import plain_tool
from palettecheck.shown import error_text, quoted, text_of, type_name, with_article

PATIENCE = 10.0  # seconds for an iteration
OUTSIDER = Tool("outsider")


class BrokenHost(Exception):  # noqa: N818 - it is told to the adopter, as a verdict
    """The adapter is at fault, and nothing can be said of the node; the message says how."""


def found_host(target: str) -> Any:
    """Give the host that `target` names; raise `TargetError` where there is none."""
    host = find(SHIPPED.get(target, target))
    return checked_host(host, quoted(target, 200))


def checked_host(host: Any, name: str) -> Any:
    """Give `host`, called `name` in words; raise `TargetError` where it cannot be one."""
    if not callable(host):
        raise TargetError(f"{name} is no host: {with_article(type_name(host))} cannot be called")
    try:
        strange = [one for one in levers_of(host) if one not in LEVERS]
    except Exception as error:  # the adopter's object, of any type
        message = f"{name}: its levers cannot be read: {error_text(error)}"
        raise TargetError(message) from error
    if strange:
        known = ", ".join(sorted(LEVERS))
        what = ", ".join(sorted(map(text_of, strange)))
        raise TargetError(f"{name} has levers that there are not: {what}; there are {known}")
    return host


def levers_of(host: Any) -> frozenset[str]:
    """Give the levers that a host says it has; one that says nothing has all."""
    levers = getattr(host, "levers", LEVERS)
    return frozenset([levers] if isinstance(levers, str) else levers)


class TookTooLong(Exception):  # noqa: N818 - no error of the suite, but what an agent did
    """An agent was not done in time; the message says in which."""


class Hosting:
    """Builds agents, and takes them through courses.

    A tool is made once for each recipe, and lasts. `patience`: seconds for an iteration. `usual`:
    what the host logs where nothing is out of the ordinary, as far as it is known by now.
    """

    def __init__(
        self, host: Any, stop: Stop, patience: float = PATIENCE, usual: set[str] | None = None
    ) -> None:
        self.registries_change = False  # so far as the last agent shows
        self._host, self._stop, self._patience = host, stop, patience
        self._watchdog = Watchdog(patience, stop)
        self._usual: set[str] = set() if usual is None else usual
        self._tools: dict[Tool, Any] = {}
        self._now: Iteration | None = None

    def hears(self, record: logging.LogRecord) -> bool:
        """Take a log record for the iteration that is on its way, if there is one."""
        if self._now is None or record.name == "asyncio":
            return False
        self._now.logged.append(record)
        return True

    def _live(self, registry: Sequence[Tool]) -> tuple[Any, ...]:
        return tuple(map(self._tool, registry))

    def _tool(self, recipe: Tool) -> Any:
        if recipe not in self._tools:
            self._tools[recipe] = self._made(recipe)
        return self._tools[recipe]

    def _made(self, recipe: Tool) -> Any:
        try:
            make = getattr(self._host, "tool", None)
            made = plain_tool(recipe) if make is None else make(recipe.name)
        except Exception as error:
            raise BrokenHost(f"tool({text_of(recipe.name)}) raised {error_text(error)}") from error
        if any(made is tool for tool in self._tools.values()):
            raise BrokenHost(f"tool({text_of(recipe.name)}) gave an object for the second time")
        return made

    async def iterations(self, course: Course) -> list[Iteration]:
        """Give what each turn of `course` did, on a new agent; none after one that did not end.

        Raises `BrokenHost` where the agent cannot be built, and `CannotAriseError` where the host
        says that the course cannot arise with it.
        """
        with self._watchdog.on_guard():
            return await self._iterations(course)

    async def _iterations(self, course: Course) -> list[Iteration]:
        seen: list[Iteration] = []
        registry = self._live(course.registry)
        scripted, own = ScriptedResolver(registry, self._tool(OUTSIDER)), list(registry)
        agent = await self._built(course, own, scripted)
        for index, turn in enumerate(course.turns):
            if turn.registry is not None:
                registry = scripted.registry = self._live(turn.registry)
                own = list(registry)
                with self._blaming("change_registry() failed", course, index):
                    changed = agent.change_registry(own)
                    _ = await changed if inspect.isawaitable(changed) else None
            state = _state(turn, registry)
            shown = input_list(state, registry)
            it = Iteration(course, index, registry, shown, earlier=tuple(seen))
            seen.append(await self._iterated(agent, it, scripted, state, own))
            if it.stage != "bound":
                break
        return seen

    async def _built(self, course: Course, own: list[Any], scripted: ScriptedResolver) -> Any:
        self._watchdog.watch("building the agent")
        with self._blaming("the agent cannot be built", course, 0):
            agent = self._host(own, scripted, course.always_include)
            agent = await self._in_time(agent) if inspect.isawaitable(agent) else agent
            self.registries_change = hasattr(agent, "change_registry")
            await self._calm()
            return agent

    @contextmanager
    def _blaming(self, what: str, course: Course, index: int) -> Iterator[None]:
        """Have what goes wrong be the adapter's fault, and no breach."""
        try:
            yield
        except BaseException as error:  # it is the adopter's code, and may do anything
            self._stop.reraise(error)
            if isinstance(error, CannotAriseError):
                raise
            how = str(error) if isinstance(error, TookTooLong) else error_text(error)
            raise BrokenHost(f"{what}: {how}, on {course.words(index)}") from error

    async def _in_time(self, awaitable: Any) -> Any:
        """Await it; cancel what takes longer than the patience. The watchdog sees the rest."""
        timer = asyncio.timeout(self._patience)
        try:
            async with timer:
                return await awaitable
        except TimeoutError as error:
            if timer.expired():
                raise TookTooLong(f"it was not done within {self._patience:g} s") from error
            raise

    async def _iterated(
        self,
        agent: Any,
        it: Iteration,
        scripted: ScriptedResolver,
        state: dict[str, Any],
        own: list[Any],
    ) -> Iteration:
        before, routed = dict(state), state.get(RESOLVED)
        it.outsider, it.asked, scripted.asked = self._tool(OUTSIDER), [], []
        scripted.script, scripted.asked = it.turn.script, it.asked
        it.usual, self._now = self._usual, it
        self._watchdog.watch(it)
        await self._iterate(agent, it, state)
        self._now = None
        if it.forced is None and it.turn.script.body.kind == "abstention":
            self._usual.update(it.said(logging.INFO))
        it.registry_moved = not same_members(own, it.registry)
        it.routed_moved = routed is not None and _moved(routed, it)
        it.state_change = _state_change(before, state)
        return it

    async def _iterate(self, agent: Any, it: Iteration, state: dict[str, Any]) -> None:
        try:
            bound = await self._in_time(agent.iterate(state, it.turn.tool_choice))
        except CannotAriseError:
            raise
        except TookTooLong:
            it.stage = "hung"
        except BaseException as error:  # whatever a node raises, N08 and N15 are about it
            self._stop.reraise(error)
            it.stage, it.error = "raised", error
        else:
            _read(bound, it)
        await self._calm()

    async def _calm(self) -> None:
        """Take a cancellation that the adopter's code left behind: it would end the suite's."""
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            await self._stop.breathe()


def _moved(routed: list[Any], it: Iteration) -> bool:
    was = [] if it.turn.resolved is None else [it.registry[i] for i in it.turn.resolved]
    return not same_members(routed, was)


def _state(turn: Turn, registry: Sequence[Any]) -> dict[str, Any]:
    state: dict[str, Any] = {"tenant_id": "acme"}
    if turn.resolved is not None:
        state[RESOLVED] = [registry[i] for i in turn.resolved]
    return state


def _state_change(before: dict[str, Any], state: dict[str, Any]) -> str:
    """How the state is not as it was. A key that begins with an underscore is the node's own."""
    strange = [key for key in state if type(key) is not str]
    if strange:  # looked at no further: its methods may raise
        return f"state[{text_of(strange[0])}] is new"
    for key in {**before, **state}:
        if key not in state:
            return f"state[{key!r}] is gone"
        if not key.startswith("_") and before.get(key) is not state[key]:
            return f"state[{text_of(key)}] is {'another object' if key in before else 'new'}"
    return ""


def _read(bound: Any, it: Iteration) -> None:
    """Take what the agent says was bound; where that is nonsense, that is how the turn ended."""
    try:
        tools, choice = bound.tools, bound.tool_choice
    except Exception:  # whatever it is, it has not what is asked for
        what = with_article(type_name(bound))
        it.nonsense = f"iterate() gave {what}, which has no `tools` and `tool_choice`"
    else:
        it.nonsense = _nonsense(tools, choice)
    if it.nonsense:
        it.stage = "nonsense"
        return
    kind = list if issubclass(type(tools), list) else tuple
    it.bound, it.choice = tuple(kind.__iter__(tools)), choice


def _nonsense(tools: Any, choice: Any) -> str:
    if not issubclass(type(tools), (list, tuple)):
        return f"iterate() says that {with_article(type_name(tools))} was bound, no list"
    if choice is not None and type(choice) is not str:
        return f"iterate() says that {with_article(type_name(choice))} was the tool choice, no name"
    return ""
