"""One instance, called again and again, on tools and states that last as long as the session.

    ask      the quick way: an answer that breaks no rule is given as positions
    look     the same, with a look at everything: for the first call on a tray
    observe  all that the call did, as facts

The quick way leaves the inputs for later: `changed` looks at those of all quick calls together.
Where it finds something, the calls since are to be made again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import CoroutineType
from typing import Any, NamedTuple, TypeAlias

from palettecheck.engine.calling import Step, WatchedCoroutine, first_step, watched
from palettecheck.engine.handed import (
    Handed,
    LiveState,
    insides_changed,
    lists_changed,
    states_changed,
    tools_changed,
)
from palettecheck.engine.stopping import Stop
from palettecheck.engine.tray import Answer, Tray
from palettecheck.observation import Observation, Positions, is_listlike, same_members
from palettecheck.plain import Frozen, difference, thaw
from palettecheck.scenario import RESOLVED, Inputs, Scenario, Tool, Typing
from palettecheck.shelf import Change, Moment, Shelf
from palettecheck.subject import Subject

_TURNS = 4  # of the event loop, for tasks that a call left behind
_MOST = 5_000  # tools looked at while one call waits
_LONG = 100  # tools in a list of which one tray is kept, and not all
_TrayKey: TypeAlias = tuple[tuple[Tool, ...], Positions | None, Typing]


class Changed(NamedTuple):
    """The ids of the rules on changes, R07 and R08, that were broken unseen.

    `inside`: something changed inside a tool or a state, which later calls share.
    """

    rules: set[str]
    inside: bool


@dataclass(slots=True, eq=False)
class Unsettled:
    """A quick call of which there is more to see: `step` is how far it came."""

    handed: Handed
    step: Step
    tasks: int


class Session:
    """`own`: the adopter's tools, as handed over. `stop`: who may end the run."""

    def __init__(self, subject: Subject, own: Sequence[Any] = (), stop: Stop | None = None) -> None:
        self._subject = subject
        self._stop = stop or Stop()
        self._shelf = Shelf(own)
        self._trays: dict[_TrayKey, Tray] = {}
        self._last: tuple[Scenario, Tray] | None = None
        self._states: dict[int, LiveState] = {}
        self._former: list[LiveState] = []
        self._handed: list[Handed] = []
        self._kept: list[Inputs] = []
        self._started = 0
        self._seen_inside: set[str] = set()
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
            self._look_meanwhile(self._current)

    def tray(self, scenario: Scenario) -> Tray:
        """Give the tray with the tools of `scenario`, laid at the first time."""
        if self._last is not None:
            last, tray = self._last
            if (
                last.registry is scenario.registry
                and last.resolved is scenario.resolved
                and last.typing is scenario.typing
            ):
                return tray
        tray = self._laid(scenario)
        self._last = (scenario, tray)
        return tray

    def _laid(self, scenario: Scenario) -> Tray:
        if len(scenario.registry) >= _LONG:
            return Tray(*scenario.rows(self._shelf))
        key = (scenario.registry, scenario.resolved, scenario.typing)
        if key not in self._trays:
            self._trays[key] = Tray(*scenario.rows(self._shelf))
        return self._trays[key]

    def quick(self, scenario: Scenario, tray: Tray) -> Answer | Unsettled:
        """Call with `scenario`, on the tools of `tray`, and give what was kept of them."""
        all_tools = tray.tools.copy()
        known = self._states.get(id(scenario.state))
        before = self._live(scenario.state) if known is None else known[1]
        if scenario.resolved is not None:
            before = {**before, RESOLVED: all_tools}
        state = before.copy()
        tasks = self._started
        stage, result = step = first_step(self._subject, scenario, state, all_tools)
        handed = (tray, all_tools, before, state, scenario)
        if stage == "returned" and self._started == tasks:
            kept = tray.kept(result) if type(result) is list else None
            if kept is not None or result is None:
                self._handed.append(handed)
                return kept
        return Unsettled(handed, step, tasks)

    def _live(self, frozen: Frozen) -> dict[str, Any]:
        """Give the live form of a state; what is inside it is shared between the calls."""
        live: dict[str, Any] = thaw(frozen)
        self._states[id(frozen)] = (frozen, live)
        return live

    async def settled(self, call: Unsettled, cut: Positions | None = None) -> Answer | Observation:
        """Give what came of a call in the end; an observation where it is no plain answer.

        `cut`: which of the scenario's tools the tray has, if not all.
        """
        tray, all_tools, _, state, scenario = call.handed
        inputs = Inputs(state, scenario.role, all_tools, tray.row, tray.registry.tools, self._shelf)
        whole = scenario if cut is None else scenario.cut(cut)
        seen = Observation(whole, inputs, "returned")
        return _answer(await self._finish(seen, call.step, call.tasks), tray)

    async def ask(
        self, scenario: Scenario, tray: Tray, cut: Positions | None = None
    ) -> Answer | Observation:
        """Call with `scenario` on the tools of `tray`, and give what came of it in the end."""
        answer = self.quick(scenario, tray)
        return await self.settled(answer, cut) if isinstance(answer, Unsettled) else answer

    async def look(self, scenario: Scenario) -> Answer | Observation:
        """Call with `scenario`, with a look at everything; an observation where that shows more."""
        return _answer(await self.observe(scenario), self.tray(scenario))

    async def observe(
        self,
        scenario: Scenario,
        wrap: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> Observation:
        """Call the subject with `scenario` and give what it did.

        `wrap` may put a recording state in the place of the plain one. Raises only where the run is
        to stop.
        """
        tray = self.tray(scenario)
        inputs = scenario.build(self._shelf, (tray.row, tray.registry))
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
        self._look_meanwhile(seen)

    def _look_meanwhile(self, seen: Observation) -> None:
        """Look at the inputs; of a call that waits for each of many tools, at its first waits."""
        seen.looks += 1
        if seen.looks * len(seen.tools) < _MOST:
            self._look(seen, "while it waited")

    def _look_at_inputs(self, seen: Observation) -> None:
        self._look(seen, "afterwards")
        self._look_at_earlier_lists(seen)
        if (
            seen.tool_change is not None
        ):  # it may have been an earlier call, which went the quick way
            self._seen_inside.add("R07")
        if seen.tool_change is not None or seen.state_change is not None:
            self._renew(seen.inputs.registry)

    def _look(self, seen: Observation, when: Moment) -> None:
        """Compare the inputs with what they were; the first change that is seen stays."""
        inputs = seen.inputs
        if not seen.moved and not same_members(inputs.all_tools, inputs.tools):
            seen.moved, seen.moved_to = when, list(inputs.all_tools)
        if seen.state_change is None:
            seen.state_change = _state_change(seen.scenario, inputs, when)
        if seen.tool_change is None:
            seen.tool_change = inputs.row.changed(when)

    def _look_at_earlier_lists(self, seen: Observation) -> None:
        """Look at the lists of the first call, the first one with tools, and the last one."""
        intact = [old for old in self._kept if same_members(old.all_tools, old.tools)]
        if len(intact) < len(self._kept) and not seen.moved:
            seen.moved = "in an earlier call's hands"
        first, with_tools = intact[:1], [old for old in intact if old.tools][:1]
        self._kept = [*first, *(old for old in with_tools if old not in first)]
        if not seen.moved:
            self._kept.append(seen.inputs)

    def changed(self) -> Changed:
        """Give what changed, since the last time, in the inputs of quick calls."""
        handed, self._handed = self._handed, []
        inside, self._seen_inside = self._seen_inside, set()
        used = {id(scenario.state) for *_, scenario in handed} & self._states.keys()
        live = [*self._former, *(self._states[state] for state in used)]
        inside |= {"R07"} if tools_changed(handed) else set()
        inside |= {"R08"} if insides_changed(live) else set()
        rules = inside | ({"R07"} if lists_changed(handed) else set())
        rules |= {"R08"} if states_changed(handed) else set()
        if inside:
            self._renew(tool for tray, *_ in handed for tool in tray.registry.tools)
        self._former.clear()
        return Changed(rules, bool(inside))

    def _renew(self, tools: Iterable[Any]) -> None:
        self._shelf.renew(tools)
        self._former += self._states.values()
        self._states.clear()


def _answer(seen: Observation, tray: Tray) -> Answer | Observation:
    """Give the answer alone, where that is all there is to say."""
    untouched = not (seen.moved or seen.tool_change or seen.state_change)
    if seen.stage != "returned" or not untouched:
        return seen
    if seen.result is None:
        return None
    kept = None if seen.elements is None else tray.kept(seen.elements)
    return seen if kept is None else kept


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
