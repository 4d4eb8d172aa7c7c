"""A breach by a host as a Python program that needs the host alone, and fails as the host did."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import indent

from palettecheck.iteration import Course, Turn, variable_of
from palettecheck.reproducer import imports_of
from palettecheck.rules import Fault
from palettecheck.scenario import RESOLVED, Tool
from palettecheck.scripts import Script
from palettecheck.subject import REFERENCE

SHIPPED = {
    REFERENCE: "palette_reference:ReferenceNode",
    "symfonic": "palettecheck.adapters.symfonic:symfonic",
}
_PLAIN = """\
def tool(name):
    return SimpleNamespace(name=name, description="", tags=[], metadata={}, args_schema=None)"""
_LISTEN = """\
logged = []
logging.Logger.callHandlers = lambda logger, record: logged.append(record)"""


def node_reproducer(
    target: str, course: Course, fault: Fault, name: str, *, hung: bool, makes_tools: bool
) -> str:
    """Give the program for `course`, the last turn of which shows `fault` of the rule `name`.

    `hung`: that turn does not end. `makes_tools`: the host has a way of its own to make tools.
    """
    modules = [m for m in ("copy", "logging") if _uses(m, course, fault)]
    head, host = imports_of(SHIPPED.get(target, target), "asyncio", *modules)
    if not makes_tools:
        head.append("from types import SimpleNamespace")
    maker = f"tool = {host}.tool" if makes_tools else _PLAIN
    parts = ["\n".join(head), *([_LISTEN] if "logging" in modules else []), maker]
    parts += ["\n".join(_tools(course)), _resolver(course, fault)]
    parts += ["\n".join(_main(course, fault, name, host, hung)), "asyncio.run(main())"]
    return "\n\n".join(parts)


def _uses(module: str, course: Course, fault: Fault) -> bool:
    if module == "logging":
        return bool(re.search(r"\b(logged|warnings)\b", fault.proof))
    return any(f"{module}." in turn.script.code for turn in course.turns)


def _tools(course: Course) -> Iterator[str]:
    changed = [turn.registry or () for turn in course.turns]
    for tool in dict.fromkeys((*course.registry, *(t for some in changed for t in some))):
        yield f"{variable_of(tool)} = tool({tool.name!r})"
    if any("outsider" in turn.script.code for turn in course.turns):
        yield "outsider = tool('outsider')"
    yield f"registry = {_list(course.registry)}"


def _list(tools: Sequence[Tool]) -> str:
    return f"[{', '.join(map(variable_of, tools))}]"


def _resolver(course: Course, fault: Fault) -> str:
    """The scripts, in a class; where there are several, the turns say which is in force."""
    scripts = list(dict.fromkeys(turn.script for turn in course.turns))
    notes = "calls.append((role, all_tools, [*all_tools]))\n" if "calls" in fault.proof else ""
    methods = [
        f"async def {_method(i)}(self, state, role, all_tools):\n" + indent(notes + s.code, "    ")
        for i, s in enumerate(scripts)
    ]
    start = "calls = []\n\n" if notes else ""
    return f"{start}class Resolver:\n" + indent("\n\n".join(methods), "    ")


def _method(index: int) -> str:
    return "resolve" if index == 0 else f"resolve_{index + 1}"


def _main(course: Course, fault: Fault, name: str, host: str, hung: bool) -> Iterator[str]:
    scripts = list(dict.fromkeys(turn.script for turn in course.turns))
    yield "async def main():"
    if any(turn.registry is not None for turn in course.turns):
        yield "    global registry"
    yield "    own = list(registry)"
    yield f"    agent = {host}(own, Resolver(), {course.always_include!r})"
    in_force = scripts[0]
    for i, turn in enumerate(course.turns):
        is_last = i == len(course.turns) - 1
        for line in _turn(turn, fault, scripts.index, in_force, is_last, hung and is_last):
            yield f"    {line}"
        in_force = turn.script
    *lines, claim = fault.proof.splitlines() or [""]
    yield from (f"    {line}" for line in lines)
    if claim:
        yield f"    {claim}, {f'{name}: {fault.seen}'!r}"


def _turn(
    turn: Turn,
    fault: Fault,
    number: Callable[[Script], int],
    in_force: Script,
    is_last: bool,
    hung: bool,
) -> Iterator[str]:
    if turn.script != in_force:
        yield f"Resolver.resolve = Resolver.{_method(number(turn.script))}"
    if turn.registry is not None:
        yield f"registry = {_list(turn.registry)}"
        yield "changed = agent.change_registry(own := list(registry))"
        yield "_ = await changed if asyncio.iscoroutine(changed) else None"
    yield f"state = {_state(turn)}"
    yield from _kept(fault.proof) if is_last else ()
    asked = f"agent.iterate(state, {turn.tool_choice!r})"
    call = f"asyncio.wait_for({asked}, 5)" if hung else asked
    yield f"{'bound' if is_last else 'before'} = await {call}"
    if is_last and "warnings" in fault.proof:
        yield "warnings = [r for r in logged if r.levelno >= logging.WARNING]"


def _kept(proof: str) -> Iterator[str]:
    """What the proof needs from before the last turn."""
    if "given" in proof:
        yield "given = dict(state)"
    if re.search(r"\bwas\b", proof):
        yield f"was = [*state[{RESOLVED!r}]] if {RESOLVED!r} in state else None"
    if re.search(r"\b(logged|warnings)\b", proof):
        yield "logged.clear()"
    if "calls" in proof:
        yield "calls.clear()"


def _state(turn: Turn) -> str:
    state = "{'tenant_id': 'acme'"
    if turn.resolved is not None:
        state += f", {RESOLVED!r}: [{', '.join(f'registry[{i}]' for i in turn.resolved)}]"
    return state + "}"
