"""The test that a user would write without palettecheck: natural strategies, naive asserts.

It has one assert for each of what R01 to R09 say, and for the order; the rules on pairs of calls
and on odd tools have none. Each example has a new instance, and all share one event loop.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Coroutine
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import hypothesis
from hypothesis import strategies as st

from palettecheck.loading import find
from palettecheck.search.vocabulary import ROLES
from palettecheck.subject import opened_from

_PATIENCE = 5.0  # seconds for one example


def _tool(name: str) -> SimpleNamespace:
    return SimpleNamespace(name=name, description="", tags=[], metadata={}, args_schema=None)


_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
TOOLS = st.lists(st.builds(_tool, st.text()))
STATES = st.dictionaries(st.text(), _SCALARS)


@dataclass(frozen=True)
class Failure:
    """The first example that failed, counted from one, and the rule of the assert."""

    rule: str
    examples: int


class _Failed(Exception):  # noqa: N818 - no error, but how a trial ends
    pass


class _Trial:
    """The examples of one member. `failure`: the first one, if any; none counts after it."""

    def __init__(self, target: str) -> None:
        self.failure: Failure | None = None
        self._made, self._target = find(target), target
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda *told: None)
        self._examples = 0

    def example(self, state: dict[str, Any], role: str, tools: list[Any]) -> None:
        """Try one example."""
        if self.failure is None:
            self._examples += 1
            rule = _finished(self._loop, self._broken(state, role, tools))
            self.failure = Failure(rule, self._examples) if rule else None
        if self.failure is not None:
            raise _Failed

    def close(self) -> None:
        """Close the loop; what the member left on it ends with the process."""
        self._loop.close()

    async def _broken(self, state: dict[str, Any], role: str, tools: list[Any]) -> str:
        """Give the id of the rule whose assert fails, or nothing."""
        before, shown = copy.deepcopy((state, tools)), list(tools)
        try:
            async with asyncio.timeout(_PATIENCE), opened_from(self._made, self._target, []) as own:
                result = await own.resolve(state, role, tools)
        except KeyboardInterrupt:
            raise
        except BaseException:  # a host's run ends by any of them, SystemExit included
            return "R09"
        if state != before[0]:
            return "R08"
        return "R07" if tools != before[1] else _broken_by(result, shown)


def _broken_by(result: Any, shown: list[Any]) -> str:
    if result is None:
        return ""
    if not isinstance(result, list):
        return "R04"
    if shown and not result:
        return "R03"
    places = [_place(tool, shown) for tool in result]
    if -1 in places:
        return "R01"
    if len(set(places)) < len(places):
        return "R06"
    return "R16" if places != sorted(places) else ""


def _place(tool: Any, shown: list[Any]) -> int:
    return next((i for i, other in enumerate(shown) if other is tool), -1)


def _finished(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, str]) -> str:
    """Run an example to its end, though a task of the member's may break the loop off."""
    task = loop.create_task(coroutine)
    while not task.done():
        try:
            loop.run_until_complete(task)
        except KeyboardInterrupt:
            raise
        except BaseException:  # as in `_broken`: what it means for the example, its task will say
            continue
    return "R09" if task.cancelled() or task.exception() else task.result()


def first_failure(target: str, examples: int, seed: int) -> Failure | None:
    """Give up to how many of `examples` it takes; `None` where none of them fails."""
    trial = _Trial(target)
    settings = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,  # as with the health checks
        derandomize=False,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),  # it is the member that may be slow
    )
    arguments = {"state": STATES, "role": st.sampled_from(ROLES), "tools": TOOLS}

    @hypothesis.seed(seed)
    @settings
    @hypothesis.given(**arguments)
    def test(state: dict[str, Any], role: str, tools: list[Any]) -> None:
        trial.example(state, role, tools)

    try:
        test()
    except KeyboardInterrupt:
        raise
    except BaseException:  # that of the trial, or what Hypothesis thinks of a member that is flaky
        pass
    finally:
        trial.close()
    return trial.failure
