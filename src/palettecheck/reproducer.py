"""A breach as a Python program of at most fifteen lines that needs only the adopter's own code.

It fails as the subject did: with the exception that `resolve` raised, or with an assertion.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import pairwise
from keyword import iskeyword
from pathlib import Path
from types import MappingProxyType

from palettecheck.loading import is_file, place_in_package, split
from palettecheck.observation import Positions
from palettecheck.plain import Frozen, Opaque, thaw
from palettecheck.rules import Fault
from palettecheck.scenario import RESOLVED, Scenario, Tool
from palettecheck.subject import REFERENCE, ROLE_TOOLS, SYMFONIC, Built

LONGEST = 15
_REMARK = "  # as your factory makes it"
_OWN = """all_tools answer asyncio before call calls copy cut importlib inspect kept live main
odd palette places resolver result state sys task tool tools"""
_OWN_NAMES = frozenset(_OWN.split())
_TOOL = (
    "def tool(name):",
    '    return SimpleNamespace(name=name, description="", tags=[], metadata={}, args_schema=None)',
)


def reproducer(
    target: str,
    built: Built,
    calls: Sequence[Scenario],
    name: str,
    fault: Fault,
    made: str = "",
    config: str | None = None,
) -> str:
    """Give the program for `calls`, of which the last one shows `fault` of the rule `name`.

    A `target` that is empty cannot be imported: a line is marked that its reader has to fill in,
    and `made` says with what. `config`: as `certify` was given it.
    """
    if not all(scenario.portable for scenario in calls):
        return (
            "# Drawn from a strategy: no other process has these values. To see it again, certify\n"
            "# with the same seed and profile."
        )
    program = _Program()
    subject = program.subject(target, built, config)
    instances = _instances(calls)
    tools = program.tools(instances, calls)
    body = [*tools, *program.earlier(calls[:-1], instances), *program.last(calls[-1], fault, name)]
    return program.text(subject, body, built, "" if target else _filled_in(made))


def imports_of(target: str, *modules: str) -> tuple[list[str], str]:
    """Give the lines that import `target` and these modules, and what it is called then."""
    program = _Program()
    program.need(*modules)
    name = program.name(target)
    return program.head(), name


def _instances(calls: Sequence[Scenario]) -> list[Tool]:
    return list(dict.fromkeys(tool for scenario in calls for tool in scenario.all_tools))


class _Program:
    """The imports that have come up so far, under names that do not meet the program's own."""

    def __init__(self) -> None:
        self._modules = {"asyncio"}
        self._imports: dict[tuple[str, str], str] = {}
        self._folders: list[str] = []

    def need(self, *modules: str) -> None:
        self._modules.update(modules)

    def name(self, source: str) -> str:
        place, attribute = split(source)
        if is_file(place):
            root, place = place_in_package(Path(place))
            folder = os.path.relpath(root) if root.is_relative_to(Path.cwd()) else str(root)
            self._modules.add("sys")
            if folder not in self._folders:
                self._folders.append(folder)
        first, dot, rest = attribute.partition(".")
        return f"{self._imported(place, first)}{dot}{rest}"

    def _imported(self, place: str, name: str) -> str:
        taken = {
            *_OWN_NAMES,
            *(alias for key, alias in self._imports.items() if key != (place, name)),
        }
        alias = name
        while alias in taken:
            alias += "_"
        return self._imports.setdefault((place, name), alias)

    def _import_lines(self) -> list[str]:
        lines: dict[str, list[str]] = {}
        for (place, name), alias in sorted(self._imports.items()):
            if all(part.isidentifier() and not iskeyword(part) for part in place.split(".")):
                used = name if alias == name else f"{name} as {alias}"
                lines.setdefault(f"from {place} import ", []).append(used)
            else:
                self._modules.add("importlib")
                lines[f"{alias} = importlib.import_module({place!r}).{name}"] = []
        return [line + ", ".join(names) for line, names in lines.items()]

    def subject(self, target: str, built: Built, config: str | None) -> str:
        if not target:
            return "..."
        if target == REFERENCE:
            name = self._imported("palette_reference", "RoleToolsResolver")
            return f"{name}({ROLE_TOOLS!r})"
        if target == SYMFONIC:
            return self._symfonic(repr(ROLE_TOOLS) if config is None else self.name(config))
        made = self.name(target) + "()" * built.called
        return f"await {made}" if built.awaited else made

    def _symfonic(self, role_tools: str) -> str:
        agent = self._imported("symfonic.agent.engine", "SymfonicAgent")
        settings = self._imported("symfonic.agent.config", "FrameworkConfig")
        wanted = self._imported("symfonic.core.tool_palette_resolver", "ToolPaletteResolver")
        made = f"{agent}(object(), config={settings}(role_tools={role_tools}))"
        return f"{made}._deps.get({wanted})"

    def tools(self, instances: list[Tool], calls: Sequence[Scenario]) -> list[str]:
        if len(calls) == 1:
            return [f"tools = {self._list(calls[0].all_tools)}"]
        which = [instances.index(one) for one in calls[-1].all_tools]
        live = f"live = {self._list(instances)}"
        return [live, f"tools = {_picked(which)}"]

    def _list(self, recipes: Sequence[Tool]) -> str:
        indices = [tool.index for tool in recipes]
        if len(recipes) > 3 and all(tool.shape == "own" and not tool.twin for tool in recipes):
            source = self.name(recipes[0].source)
            if indices == list(range(len(indices))):
                return f"list({source}[:{len(indices)}])"
            return f"[{source}[i] for i in {indices}]"
        return f"[{', '.join(map(self._tool, recipes))}]"

    def _tool(self, tool: Tool) -> str:
        if tool.shape == "own":
            own = f"{self.name(tool.source)}[{tool.index}]"
            if tool.twin:
                self._modules.add("copy")
            return f"copy.copy({own})" if tool.twin else own
        if tool.shape == "dict":
            return repr(json.loads(tool.spec))
        self._imported("types", "SimpleNamespace")
        if tool.shape == "nameless":
            return 'SimpleNamespace(description="")'
        return f"tool({thaw(tool.name)!r})"

    def earlier(self, calls: Sequence[Scenario], instances: list[Tool]) -> list[str]:
        if not calls:
            return []
        rows = []
        for scenario in calls:
            which = [instances.index(one) for one in scenario.all_tools]
            rows.append(f"({self._value(scenario.state)}, {scenario.role!r}, {_picked(which)})")
        lines = [f"calls = [{', '.join(rows)}]", "for call in calls:"]
        if routed := [i for i, scenario in enumerate(calls) if scenario.resolved is not None]:
            lines.insert(1, f"for i in {routed}: calls[i][0][{RESOLVED!r}] = calls[i][2]")
        return [*lines, "    await asyncio.gather(resolver.resolve(*call), return_exceptions=True)"]

    def last(self, scenario: Scenario, fault: Fault, name: str) -> list[str]:
        looked_at = fault.before + fault.proof
        self._modules.update({"inspect"} if "inspect." in looked_at else ())
        claim = f"{fault.proof}, {f'{name}: {fault.seen}'!r}" if fault.proof else ""
        if fault.cut is not None:
            return self._related(scenario, fault.cut, claim, odd=" odd" in fault.proof)
        state, tools, lines = self._state(scenario), "list(tools)", []
        if "all_tools" in looked_at + state:
            lines, tools = [f"all_tools = {tools}"], "all_tools"
        if "state" in looked_at:
            lines, state = [*lines, f"state = {state}"], "state"
        lines += [fault.before] * bool(fault.before)
        return [*lines, *_calling(scenario, (state, repr(scenario.role), tools), fault, claim)]

    def _related(self, scenario: Scenario, cut: Positions, claim: str, *, odd: bool) -> list[str]:
        arguments = (self._state(scenario), repr(scenario.role), "all_tools")
        return [
            "async def palette(all_tools):",
            f"    result = await {_call(scenario, arguments)}",
            "    return all_tools if result is None else result",
            f"cut = [tools[i] for i in {cut}]",
            *["odd = {id(t) for t in tools if not isinstance(getattr(t, 'name', 0), str)}"] * odd,
            "kept, answer = await palette(list(tools)), await palette(list(cut))",
            claim,
        ]

    def _state(self, scenario: Scenario) -> str:
        state = self._value(scenario.state)
        if scenario.resolved is None:
            return state
        return f"{state[:-1]}{', ' * bool(scenario.state)}{RESOLVED!r}: all_tools}}"

    def _value(self, value: Frozen) -> str:
        if type(value) is MappingProxyType:
            items = (f"{key!r}: {self._value(item)}" for key, item in value.items())
            return f"{{{', '.join(items)}}}"
        if type(value) is tuple:
            return f"[{', '.join(map(self._value, value))}]"
        if type(value) is Opaque:
            return self.name(value.source) + "".join(f"[{step!r}]" for step in value.path)
        return repr(value)

    def text(self, subject: str, body: list[str], built: Built, remark: str) -> str:
        head = self.head()
        made, *entered = _opened(subject, built)
        main = ["async def main():", f"    {made}{remark}", *(f"    {line}" for line in entered)]
        main += ["    " * (1 + built.entered) + line for line in body]
        helper = list(_TOOL) if any(" tool(" in line or "[tool(" in line for line in body) else []
        return _fitted(head, helper, main)

    def head(self) -> list[str]:
        imports = self._import_lines()
        folders = [f"sys.path.insert(0, {folder!r})" for folder in self._folders]
        return [f"import {', '.join(sorted(self._modules))}", *folders, *imports]


def _filled_in(made: str) -> str:
    return f"{_REMARK}{f': {made}' if made else ''}"


def _opened(subject: str, built: Built) -> list[str]:
    if not built.entered:
        return [f"resolver = {subject}"]
    if built.itself:
        return [f"resolver = {subject}", "async with resolver:"]
    return [f"async with {subject} as resolver:"]


def _picked(which: list[int]) -> str:
    return f"[{', '.join(f'live[{i}]' for i in which)}]"


def _call(scenario: Scenario, arguments: tuple[str, ...]) -> str:
    if scenario.call == "name":
        names = ("state", "role", "all_tools")
        arguments = tuple(f"{name}={a}" for name, a in zip(names, arguments, strict=True))
    return f"resolver.resolve({', '.join(arguments)})"


def _calling(scenario: Scenario, arguments: tuple[str, ...], fault: Fault, claim: str) -> list[str]:
    call = _call(scenario, arguments)
    if fault.during:
        loop = ["while not task.done():", "    await asyncio.sleep(0)", f"    {claim}"]
        return [f"task = asyncio.ensure_future({call})", *loop]
    if not claim:
        return [f"await {call}"]
    awaiting = "" if "isawaitable" in fault.proof else "await "
    return [f"result = {awaiting}{call}", *["await asyncio.sleep(0.01)"] * fault.pause, claim]


def _fitted(head: list[str], helper: list[str], main: list[str]) -> str:
    """Put the parts together with air between them, as far as fifteen lines allow it."""
    end = ["asyncio.run(main())"]
    lines = [*head, "", *helper, *([""] if helper else []), *main, "", *end]
    if len(lines) > LONGEST:
        one_line = ["".join((helper[0], " ", helper[1].strip()))] if helper else []
        lines = [*head, *one_line, *main, *end]
    while len(lines) > LONGEST and (fewer := _joined(lines)) != lines:
        lines = fewer
    return "\n".join(lines)


def _joined(lines: list[str]) -> list[str]:
    """Put the first two statements that can share a line on one."""
    for i, (line, following) in enumerate(pairwise(lines)):
        if _statement(line) and _statement(following) and _indent(line) == _indent(following):
            return [*lines[:i], f"{line}; {following.strip()}", *lines[i + 2 :]]
    return lines


def _statement(line: str) -> bool:
    """Whether a line may share its line with another one."""
    return (
        not line.endswith(":")
        and _REMARK not in line
        and not line.lstrip().startswith(("def ", "asyncio.run", "async def "))
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
