"""What comes out: all that one call did, as facts for the rules to judge.

An observation holds live objects, since identity is what the rules are about. It never leaves the
process; what does is a `Breach`, in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from palettecheck.scenario import Change, Inputs, Moment, Scenario, name_of
from palettecheck.shown import (
    error_text,
    is_plain,
    quoted,
    text_of,
    type_name,
    with_article,
)

Stage: TypeAlias = Literal["refused", "raised", "not awaitable", "failed", "returned"]
_CONTAINERS = (tuple, set, frozenset)


@dataclass(slots=True)
class Observation:
    """One call and its outcome.

    `stage`: how far it came. The arguments were "refused", the call "raised" before there was
    anything to await, gave something "not awaitable", "failed" while awaited, or "returned".
    `result`: what the call, or the await, gave. `elements`: what is in a result that is a list.
    `moved`: when `all_tools` had other members or another order, if it had, and `moved_to` which;
    it may be the list of an earlier call.
    `tool_change`, `state_change`: what else of the inputs changed first.
    `suspensions`: how often the call gave way to the event loop. `left_tasks`: it started some.
    """

    scenario: Scenario
    inputs: Inputs
    stage: Stage
    result: Any = None
    error: BaseException | None = None
    elements: list[Any] | None = None
    moved: Moment | Literal["", "in an earlier call's hands"] = ""
    moved_to: list[Any] | None = None
    tool_change: Change | None = None
    state_change: Change | None = None
    suspensions: int = 0
    left_tasks: bool = False

    @property
    def tools(self) -> tuple[Any, ...]:
        """The tools that the call was shown, as they were before it."""
        return self.inputs.tools

    def foreign(self) -> list[tuple[int, Any]]:
        """Give the elements, with their positions, that are no instance of `all_tools`."""
        known = set(map(id, self.tools))
        return [(i, e) for i, e in enumerate(self.elements or ()) if id(e) not in known]

    def names(self) -> set[str]:
        """Give the names in `all_tools`, as they were before the call."""
        return {name for tool in self.tools if (name := self._name_before(tool)) is not None}

    def _name_before(self, tool: Any) -> str | None:
        position = next(i for i, other in enumerate(self.inputs.registry) if other is tool)
        recipe = self.scenario.registry[position]
        return recipe.name if isinstance(recipe.name, str) else name_of(tool)

    def describe(self, value: Any) -> str:
        """Put an element or a result into words: tools by their labels, the rest by its type."""
        if (label := self._label(value)) is not None:
            return label
        if is_plain(value):
            return text_of(value)
        if issubclass(type(value), list):
            return self._described_list(value)
        if type(value) in _CONTAINERS:
            inner = ", ".join(map(self.describe, list(value)[:6]))
            return f"{with_article(type_name(value))} of ({inner})"
        name = name_of(value)
        named = f" named {quoted(name)}" if name is not None else ""
        known = " that an earlier call was shown" if self.inputs.shelf.knows(value) else ""
        return f"{with_article(type_name(value))}{named}{known}"

    def _label(self, value: Any) -> str | None:
        for position, tool in enumerate(self.inputs.registry):
            if tool is value:
                removed = any(value is tool for tool in self.tools)
                return self.scenario.labels()[position] + ("" if removed else " (routed away)")
        return None

    def _described_list(self, value: list[Any]) -> str:
        elements = list.copy(value)
        inner = ", ".join(map(self.describe, elements[:8])) + ", …" * (len(elements) > 8)
        return f"[{inner}]" if type(value) is list else f"{type_name(value)}([{inner}])"

    def outcome(self) -> str:
        """Put into words what the call gave or raised."""
        if self.error is not None:
            return error_text(self.error)
        if self.elements is not None:
            return self._described_list(self.result)
        return self.describe(self.result)


def is_listlike(value: Any) -> bool:
    """Say whether `value` is a list by its real type, whatever its `__class__` says."""
    return issubclass(type(value), list)


def same_members(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Say whether two plain sequences hold the same instances in the same order."""
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))
