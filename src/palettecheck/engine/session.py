"""One instance, called again and again, on tools and states that last as long as the session.

    ask      the quick way: an answer that breaks no rule is given as positions
    observe  the thorough way: all that the call did

The quick way leaves two things for later: what is inside a state or a tool, and the lists of
earlier calls. `is_intact` looks at those; where it finds a change, the calls since are to be made
again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from operator import is_
from types import CoroutineType
from typing import Any, TypeAlias

from palettecheck.engine.calling import Step, WatchedCoroutine, first_step, watched
from palettecheck.engine.stopping import Stop
from palettecheck.engine.tray import Tray
from palettecheck.observation import Observation, Positions, is_listlike, same_members
from palettecheck.plain import Frozen, difference, thaw
from palettecheck.scenario import RESOLVED, Inputs, Scenario, Tool
from palettecheck.shelf import Change, Moment, Shelf
from palettecheck.subject import Subject

Answer: TypeAlias = Positions | None  # what was kept; `None` for an abstention
_TURNS = 4  # of the event loop, for tasks that a call left behind
_TrayKey: TypeAlias = tuple[tuple[Tool, ...], Positions | None]


class Session:
    """`own`: the adopter's tools, as handed over. `stop`: who may end the run."""

    def __init__(self, subject: Subject, own: Sequence[Any] = (), stop: Stop | None = None) -> None:
        self._subject = subject
        self._stop = stop or Stop()
        self._shelf = Shelf(own)
        self._trays: dict[_TrayKey, Tray] = {}
        self._states: dict[int, tuple[Frozen, dict[str, Any]]] = {}
        self._used: dict[int, tuple[Frozen, dict[str, Any]]] = {}
        self._lists: list[tuple[Tray, list[Any]]] = []
        self._kept: list[Inputs] = []
        self._started = 0
        self._current: Observation | None = None
        asyncio.get_running_loop().set_task_factory(self._start)

    def _start(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
        """Make a task for the subject; what it does between its awaits is looked at, too."""
        self._started += 1
        if type(coroutine) is CoroutineType:
            coroutine = WatchedCoroutine(coroutine, self._look_at_current)
        return asyncio.Task(coroutine, loop=loop, **options)

    def _look_at_current(self) -> None:
        if self._current is not None:
            self._look(self._current, "while it waited")

    def knows(self, scenario: Scenario) -> bool:
        """Say whether there is a tray for `scenario` already."""
        return (scenario.registry, scenario.resolved) in self._trays

    def tray(self, scenario: Scenario) -> Tray:
        """Give the tray with the tools of `scenario`, laid at the first time."""
        key = (scenario.registry, scenario.resolved)
        if key not in self._trays:
            registry = self._shelf.take(scenario.registry)
            chosen = scenario.resolved
            tools = registry if chosen is None else [registry[i] for i in chosen]
            self._trays[key] = Tray(tools, registry)
        return self._trays[key]

    async def ask(
        self, scenario: Scenario, tray: Tray, cut: Positions | None = None
    ) -> Answer | Observation:
        """Call with `scenario`, on the tools of `tray`, and give what was kept of them.

        `cut`: which of the scenario's tools the tray has, if not all. Gives an observation where
        there is more to see.
        """
        all_tools = list(tray.tools)
        before = self._state(scenario.state)
        if scenario.resolved is not None:
            before = {**before, RESOLVED: all_tools}
        state = dict(before)
        started = self._started
        stage, result = step = first_step(self._subject, scenario, state, all_tools)
        if stage == "returned" and self._started == started:
            kept = tray.kept(result) if type(result) is list else None
            if (
                (kept is not None or result is None)
                and tuple(map(id, all_tools)) == tray.ids
                and state.keys() == before.keys()
                and all(map(is_, state.values(), before.values()))
            ):
                self._lists.append((tray, all_tools))
                return kept
        whole = scenario if cut is None else scenario.cut(cut)
        tools, registry = tuple(tray.tools), tuple(tray.registry)
        inputs = Inputs(state, scenario.role, all_tools, tools, registry, self._shelf)
        return await self._finish(Observation(whole, inputs, "returned"), step, started)

    def _state(self, frozen: Frozen) -> dict[str, Any]:
        """Give the live form of a state; what is inside it is shared between the calls."""
        known = self._states.get(id(frozen))
        if known is None:
            known = self._states[id(frozen)] = (frozen, thaw(frozen))
        self._used[id(frozen)] = known
        return known[1]

    async def observe(
        self,
        scenario: Scenario,
        wrap: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> Observation:
        """Call the subject with `scenario` and give what it did.

        `wrap` may put a recording state in the place of the plain one. Raises only where the run is
        to stop.
        """
        inputs = scenario.build(self._shelf)
        if wrap is not None:
            inputs.state = wrap(inputs.state)
        started = self._started
        step = first_step(self._subject, scenario, inputs.state, inputs.all_tools)
        return await self._finish(Observation(scenario, inputs, "returned"), step, started)

    async def _finish(self, seen: Observation, step: Step, started: int) -> Observation:
        stage, value = step
        self._current = seen
        if stage == "waits":
            stage, value = await self._drive(seen, *value)
        assert stage != "waits"
        seen.stage = stage
        if stage in ("refused", "raised", "failed"):
            seen.error = value
        else:
            seen.result = value
        _open(seen)
        await self._let_tasks_run(seen, started)
        self._current = None
        self._look_at_inputs(seen)
        return seen

    async def _let_tasks_run(self, seen: Observation, started: int) -> None:
        """Give what the call started a chance to change something late."""
        task = asyncio.current_task()
        seen.left_tasks = self._started > started
        if seen.left_tasks or (task is not None and task.cancelling()):
            for _ in range(_TURNS):
                await self._stop.breathe()

    async def _drive(self, seen: Observation, awaitable: Any, awaited: Any) -> Step:
        try:
            return "returned", await watched(
                awaitable, awaited, lambda: self._look_while_it_waits(seen)
            )
        except BaseException as error:  # R09 is about every exception, SystemExit included
            self._stop.reraise(error)
            return "failed", error

    def _look_while_it_waits(self, seen: Observation) -> None:
        seen.suspensions += 1
        self._look(seen, "while it waited")

    def _look_at_inputs(self, seen: Observation) -> None:
        self._look(seen, "afterwards")
        self._look_at_earlier_lists(seen)
        if seen.tool_change is not None or seen.state_change is not None:
            self._renew()

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
        """Look at the lists of the first call, the first one with tools, and the last one."""
        intact = [old for old in self._kept if same_members(old.all_tools, old.tools)]
        if len(intact) < len(self._kept) and not seen.moved:
            seen.moved = "in an earlier call's hands"
        first, with_tools = intact[:1], [old for old in intact if old.tools][:1]
        self._kept = [*first, *(old for old in with_tools if old not in first)]
        if not seen.moved:
            self._kept.append(seen.inputs)

    def is_intact(self) -> bool:
        """Say whether nothing changed that `ask` left unseen since the last time."""
        trays = {id(tray): tray for tray, _ in self._lists}.values()
        intact = (
            all(tuple(map(id, given)) == tray.ids for tray, given in self._lists)
            and not any(self._shelf.changed(tray.tools, "afterwards") for tray in trays)
            and not any(difference(frozen, live, "") for frozen, live in self._used.values())
        )
        self._lists.clear()
        self._used.clear()
        if not intact:
            self._renew()
        return intact

    def _renew(self) -> None:
        self._shelf.renew()
        self._states.clear()


def _open(seen: Observation) -> None:
    """Read a result that is a list; close one that is a coroutine, or it warns of that later."""
    if is_listlike(seen.result):
        seen.elements = list.copy(seen.result)
    elif type(seen.result) is CoroutineType:
        seen.result.close()


def _state_change(scenario: Scenario, inputs: Inputs, when: Moment) -> Change | None:
    state = dict(dict.items(inputs.state))
    if scenario.resolved is not None and state.pop(RESOLVED, None) is not inputs.all_tools:
        return Change(f"state['{RESOLVED}'] is another object", when, "state")
    found = difference(scenario.state, state, "state")
    return Change(found.words, when, found.place) if found else None
