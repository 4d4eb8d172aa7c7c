"""A breach by a host as a Python program that needs the host alone, and fails as the host did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import indent

from palettecheck.host import SHIPPED
from palettecheck.iteration import Course, Turn, variable_of
from palettecheck.reproducer import imports_of
from palettecheck.rules import Fault
from palettecheck.scenario import RESOLVED, Tool

_PLAIN = """\
def tool(name):
    return SimpleNamespace(name=name, description="", tags=[], metadata={}, args_schema=None)"""
_LISTEN = """\
logged = []
logging.Logger.callHandlers = lambda logger, record: logged.append(record)"""
_OF_EACH_LEVEL = "\nlogging.getLogger().setLevel(logging.INFO)"


def node_reproducer(
    target: str,
    course: Course,
    fault: Fault,
    name: str,
    *,
    usual: Sequence[str],
    hung: bool,
    makes_tools: bool,
) -> str:
    """Give the program for `course`, the last turn of which shows `fault` of the rule `name`.

    `usual`: messages that the host logs in that turn, and anyway. `hung`: that turn does not end.
    `makes_tools`: the host has a way of its own to make tools.
    """
    copies = any("copy." in turn.script.code for turn in course.turns)
    modules = ["copy"] * copies + ["logging"] * _looks_at_the_log(fault)
    head, host = imports_of(SHIPPED.get(target, target), "asyncio", *modules)
    if not makes_tools:
        head.append("from types import SimpleNamespace")
    maker = f"tool = {host}.tool" if makes_tools else _PLAIN
    parts = ["\n".join(head), *_listening(fault), maker]
    parts += ["\n".join(_tools(course)), _resolver(course, fault)]
    parts += ["\n".join(_main(course, fault, name, host, usual, hung)), "asyncio.run(main())"]
    return "\n\n".join(parts)


def _looks_at_the_log(fault: Fault) -> bool:
    return re.search(r"\b(said|warnings)\b", fault.proof) is not None


def _listening(fault: Fault) -> Iterator[str]:
    if _looks_at_the_log(fault):
        yield _LISTEN + _OF_EACH_LEVEL * ("said" in fault.proof)


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
    names = [f"resolve_{i}" for i in range(len(scripts))] if len(scripts) > 1 else ["resolve"]
    methods = [
        f"async def {name}(self, state, role, all_tools):\n" + indent(notes + s.code, "    ")
        for name, s in zip(names, scripts, strict=True)
    ]
    start = "calls = []\n\n" if notes else ""
    return f"{start}class Resolver:\n" + indent("\n\n".join(methods), "    ")


def _main(
    course: Course, fault: Fault, name: str, host: str, usual: Sequence[str], hung: bool
) -> Iterator[str]:
    scripts = list(dict.fromkeys(turn.script for turn in course.turns))
    several = len(scripts) > 1
    yield "async def main():"
    if any(turn.registry is not None for turn in course.turns):
        yield "    global registry"
    yield "    own = list(registry)"
    yield f"    agent = {host}(own, Resolver(), {course.always_include!r})"
    for i, turn in enumerate(course.turns):
        is_last = i == len(course.turns) - 1
        if several:
            yield f"    Resolver.resolve = Resolver.resolve_{scripts.index(turn.script)}"
        yield from (f"    {line}" for line in _turn(turn, fault, is_last, hung and is_last))
    if _looks_at_the_log(fault):
        yield f"    {_log(fault, usual)}"
    *lines, claim = fault.proof.splitlines() or [""]
    yield from (f"    {line}" for line in lines)
    if claim:
        yield f"    {claim}, {f'{name}: {fault.seen}'!r}"


def _turn(turn: Turn, fault: Fault, is_last: bool, hung: bool) -> Iterator[str]:
    if turn.registry is not None:
        yield f"registry = {_list(turn.registry)}"
        yield "changed = agent.change_registry(own := list(registry))"
        yield "_ = await changed if asyncio.iscoroutine(changed) else None"
    yield f"state = {_state(turn)}"
    yield from _kept(fault) if is_last else ()
    asked = f"agent.iterate(state, {turn.tool_choice!r})"
    call = f"asyncio.wait_for({asked}, 5)" if hung else asked
    yield f"{'bound' if is_last else 'before'} = await {call}"


def _log(fault: Fault, usual: Sequence[str]) -> str:
    """What is said in the last turn, and is not said anyway."""
    tests = [f"r.getMessage() not in {sorted(set(usual))!a}"] if usual else []
    if "warnings" in fault.proof:
        tests.insert(0, "r.levelno >= logging.WARNING")
        return f"warnings = [r for r in logged if {' and '.join(tests)}]"
    return f"said = [r for r in logged if {tests[0]}]" if tests else "said = logged"


def _kept(fault: Fault) -> Iterator[str]:
    """What the proof needs from before the last turn."""
    if "given" in fault.proof:
        yield "given = dict(state)"
    if re.search(r"\bwas\b", fault.proof):
        yield f"was = [*state[{RESOLVED!r}]] if {RESOLVED!r} in state else None"
    if _looks_at_the_log(fault):
        yield "logged.clear()"
    if "calls" in fault.proof:
        yield "calls.clear()"


def _state(turn: Turn) -> str:
    state = "{'tenant_id': 'acme'"
    if turn.resolved is not None:
        state += f", {RESOLVED!r}: [{', '.join(f'registry[{i}]' for i in turn.resolved)}]"
    return state + "}"
