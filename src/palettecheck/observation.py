"""What comes out: all that one call did, as facts for the rules to judge.

An observation holds live objects, since identity is what the rules are about. It never leaves the
process; what does is a `Breach`, in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import is_
from types import CodeType, FunctionType
from typing import Any, Literal, TypeAlias

from palettecheck.scenario import Inputs, Scenario
from palettecheck.shelf import Change, Moment, name_of
from palettecheck.shown import (
    error_text,
    is_plain,
    quoted,
    text_of,
    type_name,
    with_article,
)

Positions: TypeAlias = tuple[int, ...]
Stage: TypeAlias = Literal["refused", "raised", "not awaitable", "failed", "returned"]
_CONTAINERS = (tuple, set, frozenset)


@lru_cache(maxsize=64)
def every(count: int) -> Positions:
    """Give the positions of all of so many tools: the same tuple, since there are long ones."""
    return tuple(range(count))


@dataclass(slots=True, eq=False)
class Observation:
    """One call and its outcome.

    `stage`: how far it came. The arguments were "refused", the call "raised" before there was
    anything to await, gave something "not awaitable", "failed" while awaited, or "returned".
    `result`: what the call, or the await, gave. `elements`: what is in a result that is a list.
    `moved`: when `all_tools` had other members or another order, if it had, and `moved_to` which;
    it may be the list of an earlier call.
    `tool_change`, `state_change`: what else of the inputs changed first.
    `suspensions`: how often the call gave way to the event loop. `looks`: chances that others had
    meanwhile to see the inputs. `left_tasks`: it started some.
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
    looks: int = 0
    left_tasks: bool = False

    @property
    def tools(self) -> tuple[Any, ...]:
        """The tools that the call was shown, as they were before it."""
        return self.inputs.tools

    def raised_by_a_tool(self) -> bool:
        """Say whether the error comes from a method of a tool: then nobody is to blame."""
        own = {code for tool in self.inputs.registry for code in _own_codes(tool)}
        step = self.error.__traceback__ if self.error is not None else None
        while step is not None:
            if step.tb_frame.f_code in own:
                return True
            step = step.tb_next
        return False

    def kept(self) -> Positions | None:
        """Give the positions of what it kept, in its order; `None` where the answer is no palette.

        An abstention keeps everything. No palette is what has repeats, or elements from elsewhere,
        or none of some tools.
        """
        if self.stage != "returned":
            return None
        if self.result is None:
            return every(len(self.tools))
        where = {id(tool): i for i, tool in enumerate(self.tools)}
        kept = tuple(where.get(id(element), -1) for element in self.elements or ())
        plain = -1 not in kept and len(set(kept)) == len(kept) and bool(kept or not where)
        return kept if plain and self.elements is not None else None

    def foreign(self) -> list[tuple[int, Any]]:
        """Give the elements, with their positions, that are no instance of `all_tools`."""
        known = set(map(id, self.tools))
        return [(i, e) for i, e in enumerate(self.elements or ()) if id(e) not in known]

    def names(self) -> set[str]:
        """Give the names in `all_tools`, as they were before the call."""
        named = zip(self.scenario.all_tools, self.tools, strict=True)
        names = (r.name if isinstance(r.name, str) else name_of(tool) for r, tool in named)
        return {name for name in names if name is not None}

    def describe(self, value: Any) -> str:
        """Put an element or a result into words: tools by their labels, the rest by its type."""
        if (label := self._label(value)) is not None:
            return label
        if is_plain(value):
            return text_of(value)
        if issubclass(type(value), list):
            return self._described_list(value)
        if any(type(value) is kind for kind in _CONTAINERS):
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


_ASKED = ("__call__", "__getattr__", "__getattribute__")  # what a resolver asks for by name


def _own_codes(tool: Any) -> Iterator[CodeType]:
    """The code of what Python calls of a tool by itself: its dunder methods and its properties."""
    mro = type.__dict__["__mro__"].__get__(type(tool))
    for kind in mro:
        for name, member in list(type.__dict__["__dict__"].__get__(kind).items()):
            method = member.fget if type(member) is property else member
            dunder = name.startswith("__") and name not in _ASKED
            if type(method) is FunctionType and (dunder or type(member) is property):
                yield method.__code__


def is_listlike(value: Any) -> bool:
    """Say whether `value` is a list by its real type, whatever its `__class__` says."""
    return issubclass(type(value), list)


def same_members(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Say whether two plain sequences hold the same instances in the same order."""
    return len(a) == len(b) and all(map(is_, a, b))
