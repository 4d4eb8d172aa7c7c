"""What goes in: a scenario is the recipe for one call, and a `Shelf` holds the live tools for it.

    Scenario (plain, immutable, JSON both ways) --build(shelf)--> Inputs (live, for one call)

On one shelf the same recipe gives the same instance, as in an agent whose registry lasts; a new
shelf has new instances.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import Any, Literal, TypeAlias

import msgspec

from palette_reference import ACTION
from palettecheck.loading import TargetError, find
from palettecheck.plain import (
    EMPTY,
    Frozen,
    Opaque,
    difference,
    freeze,
    from_json,
    restore,
    thaw,
    to_json,
)
from palettecheck.shown import is_plain, shown, text_of

RESOLVED = "resolved_tools"
CONTENT = ("name", "description", "tags", "metadata", "args_schema", "input_schema", "parameters")

Shape: TypeAlias = Literal["object", "nameless", "dict", "own"]
Typing: TypeAlias = Literal["well-typed", "odd state", "odd tools", "hostile tools"]
Call: TypeAlias = Literal["position", "name"]
Moment: TypeAlias = Literal["while it waited", "afterwards"]


class Tool(msgspec.Struct, frozen=True, omit_defaults=True):
    """The recipe for one tool.

    `object`: an unhashable object that compares by value, as LangChain's tools do, with `name`.
    `nameless`: the same without a `.name`. `dict`: a provider's tool, `spec` is its JSON.
    `own`: the adopter's tool at `index` of `source`, called `name` there. `twin`: 0 for the first
    of its kind; others are equal to it and not the same, of an own tool copies. `drawn`: a
    strategy made it, so that no other process has it.
    """

    name: str | int | tuple[str, ...] | None = None
    shape: Shape = "object"
    spec: str = ""
    source: str = ""
    index: int = 0
    twin: int = 0
    drawn: bool = False

    def label(self) -> str:
        """Give the tool's name, fit to be printed."""
        if self.shape == "nameless":
            return "<no name>"
        if self.shape == "dict":
            return shown(self.spec)
        return shown(self.name) if isinstance(self.name, str) else f"<name={thaw(self.name)!r}>"


class Scenario(msgspec.Struct, frozen=True, omit_defaults=True):
    """The recipe for one call of a resolver, with what surrounds it in an iteration.

    `registry`: the agent's tools; a recipe that stands there again is a twin. `resolved`: the
    positions in it that intent routing kept; `None` where there was no routing. `state`: plain
    data, given as a dict and kept frozen. `call`: how the arguments go. `typing`: what of the
    call, if anything, is not well-typed, and so which rules may judge it.
    """

    registry: tuple[Tool, ...] = ()
    resolved: tuple[int, ...] | None = None
    role: str = ACTION
    state: Any = EMPTY
    call: Call = "position"
    typing: Typing = "well-typed"

    def __post_init__(self) -> None:
        if type(self.state) is not MappingProxyType:
            msgspec.structs.force_setattr(self, "state", freeze(dict(self.state)))
        if len(set(self.registry)) < len(self.registry):
            msgspec.structs.force_setattr(self, "registry", _distinct(self.registry))

    @property
    def all_tools(self) -> tuple[Tool, ...]:
        """The recipes of the tools that the resolver is shown."""
        if self.resolved is None:
            return self.registry
        return tuple(self.registry[i] for i in self.resolved)

    @property
    def portable(self) -> bool:
        """Whether another process can build it."""
        return not any(tool.drawn for tool in self.registry) and _portable(self.state)

    def labels(self) -> tuple[str, ...]:
        """Name each tool of the registry; tools of one name get numbers: `search#1`, `search#2`."""
        labels = [tool.label() for tool in self.registry]
        numbers = _numbers(labels, self.registry)
        return tuple(
            f"{label}#{numbers[tool]}" if tool in numbers else label
            for label, tool in zip(labels, self.registry, strict=True)
        )

    def shown_labels(self) -> tuple[str, ...]:
        """Name each tool of `all_tools`."""
        labels = self.labels()
        return labels if self.resolved is None else tuple(labels[i] for i in self.resolved)

    def words(self) -> str:
        """Give the call on one line, fit to be printed."""
        state = text_of(thaw_for_print(self.state))
        if self.resolved is not None:
            state = f"{state[:-1]}{', ' if len(self.state) else ''}'{RESOLVED}': all_tools}}"
        tools = _listed(self.shown_labels())
        texts = {"state": state, "role": text_of(self.role), "all_tools": tools}
        named = self.call == "name"
        call = f"resolve({', '.join(f'{k}={v}' if named else v for k, v in texts.items())})"
        return call if self.resolved is None else f"{call}, routed from {_listed(self.labels())}"

    def cut(self, positions: Sequence[int]) -> Scenario:
        """Give the same call on those of its tools, in that order."""
        if self.resolved is not None:
            chosen = tuple(self.resolved[i] for i in positions)
            return msgspec.structs.replace(self, resolved=chosen)
        return msgspec.structs.replace(self, registry=tuple(self.registry[i] for i in positions))

    def build(self, shelf: Shelf) -> Inputs:
        """Make the live objects for one call, tools from `shelf`, lists and state new."""
        registry = shelf.take(self.registry)
        tools = registry if self.resolved is None else [registry[i] for i in self.resolved]
        state, all_tools = thaw(self.state), list(tools)
        if self.resolved is not None:
            state[RESOLVED] = all_tools
        return Inputs(state, self.role, all_tools, tuple(tools), tuple(registry), shelf)

    def to_json(self) -> str:
        """Give the recipe as one line of JSON."""
        return json.dumps(msgspec.to_builtins(self, enc_hook=to_json), ensure_ascii=True)

    @classmethod
    def from_json(
        cls, text: str, known: Callable[[Opaque], Frozen] = lambda opaque: opaque
    ) -> Scenario:
        """Give the scenario that `to_json` wrote; raise `msgspec.ValidationError` if it is none.

        `known` may have the live form of what is no plain data.
        """
        data = json.loads(text)
        if isinstance(data, dict) and "state" in data:
            data["state"] = from_json(data["state"], known)
        return msgspec.convert(data, cls)


@dataclass(slots=True, eq=False)
class Inputs:
    """The live objects of one call: the arguments, and the tools as they were before it.

    `registry`: all tools, those that routing removed included. `shelf`: where they are from.
    """

    state: dict[str, Any]
    role: str
    all_tools: list[Any]
    tools: tuple[Any, ...]
    registry: tuple[Any, ...]
    shelf: Shelf


@dataclass(frozen=True)
class Change:
    """How an input is not as it was, in words, and when that was seen.

    `place`: Python for what of it to look at. Of a tool, `position` says which of `all_tools`.
    """

    words: str
    when: Moment
    place: str
    position: int = 0


class Shelf:
    """The live tools that scenarios share. `own` are the adopter's, as handed over."""

    def __init__(self, own: Sequence[Any] = ()) -> None:
        self._own = own
        self._live: dict[Tool, Any] = {}
        self._content: dict[int, tuple[Any, Frozen]] = {}

    def take(self, registry: tuple[Tool, ...]) -> list[Any]:
        """Give the instances for `registry`, the same for the same recipe each time."""
        for recipe in registry:
            if recipe not in self._live:
                self._add(recipe)
        return [self._live[recipe] for recipe in registry]

    def _add(self, recipe: Tool) -> None:
        made = self._live[recipe] = self._make(recipe)
        self._content[id(made)] = (made, content(made))

    def _make(self, recipe: Tool) -> Any:
        if recipe.shape == "dict":
            return json.loads(recipe.spec)
        if recipe.shape == "own":
            own = self._find(recipe)
            return copy.copy(own) if recipe.twin else own
        return plain_tool(recipe)

    def _find(self, recipe: Tool) -> Any:
        if recipe.index < len(self._own):
            return self._own[recipe.index]
        if recipe.drawn:
            raise TargetError(f"the tool {recipe.label()} was drawn in another process")
        return find(recipe.source)[recipe.index]

    def changed(self, tools: Sequence[Any], when: Moment) -> Change | None:
        """Give how one of `tools` is not as it was made."""
        for position, tool in enumerate(tools):
            for name, frozen in self._content[id(tool)][1].items():
                place = f"tools[{position}]" + f".{name}" * bool(name)
                if found := difference(frozen, _read(tool, name), place):
                    return Change(found.words, when, found.place, position)
        return None

    def knows(self, value: Any) -> bool:
        """Say whether `value` is a tool that some call was shown."""
        return id(value) in self._content

    def renew(self) -> None:
        """Put the tools back as they were; what cannot be put back counts as it is now."""
        for tool, was in list(self._content.values()):
            for name, frozen in was.items():
                if difference(frozen, _read(tool, name), name) is not None:
                    _put_back(tool, name, frozen)
            self._content[id(tool)] = (tool, content(tool))


def _numbers(labels: list[str], registry: tuple[Tool, ...]) -> dict[Tool, int]:
    """Number the tools that share a label, alike in whatever order they stand."""
    groups: dict[str, list[Tool]] = {}
    for label, tool in zip(labels, registry, strict=True):
        groups.setdefault(label, []).append(tool)
    numbers: dict[Tool, int] = {}
    for group in groups.values():
        if len({tool.index for tool in group}) > 1:
            ranked = sorted(group, key=lambda tool: (tool.index, tool.twin))
            numbers |= {tool: rank for rank, tool in enumerate(ranked, 1)}
        elif len(group) > 1 or group[0].twin:
            numbers |= {tool: tool.twin + 1 for tool in group}
    return numbers


def _distinct(registry: tuple[Tool, ...]) -> tuple[Tool, ...]:
    """Number the twins, so that no recipe stands there twice."""
    so_far: Counter[Tool] = Counter()
    numbered = []
    for tool in registry:
        kind = msgspec.structs.replace(tool, twin=0)
        numbered.append(msgspec.structs.replace(tool, twin=so_far[kind]))
        so_far[kind] += 1
    return tuple(numbered)


def plain_tool(recipe: Tool) -> SimpleNamespace:
    """Make one of the suite's own tools: unhashable, equal by value, all attributes there."""
    tool = SimpleNamespace(description="", tags=[], metadata={}, args_schema=None)
    if recipe.shape == "object":
        tool.name = thaw(recipe.name)
    return tool


def content(tool: Any) -> Mapping[str, Frozen]:
    """Give what must not change in a tool, frozen, less what is worked out anew each time."""
    if issubclass(type(tool), dict):
        return {"": freeze(dict(dict.items(tool)))}
    frozen = {name: freeze(_read(tool, name)) for name in CONTENT}
    return {n: value for n, value in frozen.items() if not difference(value, _read(tool, n), n)}


def _read(tool: Any, name: str) -> Any:
    if issubclass(type(tool), dict):
        return tool if type(tool) is dict else dict(dict.items(tool))
    try:
        return getattr(tool, name, None)
    except BaseException:  # a tool whose attribute raises has no such content to keep
        return None


def _put_back(tool: Any, name: str, frozen: Frozen) -> None:
    if restore(frozen, _read(tool, name)):
        return
    for assign in (setattr, object.__setattr__):
        with suppress(Exception):  # what cannot be set was not changed by setting it
            assign(tool, name, thaw(frozen))
            return


def name_of(tool: Any) -> str | None:
    """Give the string that names a tool: its `.name`, or a dict's; `None` if there is none."""
    is_dict = issubclass(type(tool), dict)
    name = dict.get(tool, "name") if is_dict else _read(tool, "name")
    return str.__str__(name) if issubclass(type(name), str) else None


def _portable(value: Frozen) -> bool:
    if type(value) is MappingProxyType:
        return all(map(_portable, value.values()))
    if type(value) is tuple:
        return all(map(_portable, value))
    return value is None or is_plain(value) or bool(value.source)


def thaw_for_print(value: Frozen) -> Any:
    """Give `value` as data whose repr is safe: an opaque one is its recorded text."""
    if type(value) is MappingProxyType:
        return {key: thaw_for_print(item) for key, item in value.items()}
    if type(value) is tuple:
        return [thaw_for_print(item) for item in value]
    return value if is_plain(value) else _Verbatim(value.text)


def _listed(labels: tuple[str, ...]) -> str:
    return f"[{', '.join(labels[:12])}{', …' * (len(labels) > 12)}]"


class _Verbatim(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
