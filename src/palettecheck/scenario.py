"""What goes in: a scenario is the recipe for one call, and a `Shelf` holds the live tools for it.

    Scenario (plain, immutable, JSON both ways) --build(shelf)--> Inputs (live, for one call)

On one shelf the same recipe gives the same instance, as in an agent whose registry lasts; a new
shelf has new instances.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from palette_reference import ACTION
from palettecheck.plain import EMPTY, Frozen, Opaque, freeze, from_json, thaw, to_json
from palettecheck.shown import is_plain, shown, text_of

if TYPE_CHECKING:
    from palettecheck.shelf import Row, Shelf

RESOLVED = "resolved_tools"

Shape: TypeAlias = Literal["object", "nameless", "dict", "own"]
Typing: TypeAlias = Literal["well-typed", "odd state", "odd tools", "hostile tools"]
Call: TypeAlias = Literal["position", "name"]


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

    def rows(self, shelf: Shelf) -> tuple[Row, Row]:
        """Give the live tools that the call is shown, and those of the registry."""
        registry = shelf.row(shelf.take(self.registry))
        return (registry if self.resolved is None else registry.cut(self.resolved)), registry

    def build(self, shelf: Shelf, rows: tuple[Row, Row] | None = None) -> Inputs:
        """Make the live objects for one call, tools from `shelf`, lists and state new.

        `rows`: what `rows` gave for it, where that is at hand.
        """
        row, registry = rows or self.rows(shelf)
        state, all_tools = thaw(self.state), list(row.tools)
        if self.resolved is not None:
            state[RESOLVED] = all_tools
        return Inputs(state, self.role, all_tools, row, registry.tools, shelf)

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

    `row`: the tools that were shown. `registry`: all tools, those that routing removed included.
    `shelf`: where they are from.
    """

    state: dict[str, Any]
    role: str
    all_tools: list[Any]
    row: Row
    registry: tuple[Any, ...]
    shelf: Shelf

    @property
    def tools(self) -> tuple[Any, ...]:
        """The tools that were shown."""
        return self.row.tools


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
