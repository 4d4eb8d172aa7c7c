"""A host at work: the recipe for what an agent goes through, and what each iteration of it did.

Course (plain, immutable: an agent, and its turns) --engine--> an Iteration for each turn
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import msgspec

from palette_reference.guard import contained
from palette_reference.node import MODES
from palettecheck.scenario import RESOLVED, Tool
from palettecheck.scripts import Asked, Script
from palettecheck.shelf import name_of
from palettecheck.shown import error_text, record_text, text_of, type_name, with_article

Stage: TypeAlias = Literal["bound", "raised", "hung", "nonsense"]


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """The recipe for one iteration.

    `resolved`: the positions in the registry that intent routing kept; `None` where there was no
    routing. `tool_choice`: the name of a tool that is forced, or a mode. `registry`: the tools that
    the agent has from now on, where they change.
    """

    script: Script = Script("abstains")
    resolved: tuple[int, ...] | None = None
    tool_choice: str | None = None
    registry: tuple[Tool, ...] | None = None


class Course(msgspec.Struct, frozen=True, omit_defaults=True):
    """The recipe for an agent and its iterations, one after the other."""

    registry: tuple[Tool, ...] = ()
    turns: tuple[Turn, ...] = (Turn(),)
    always_include: tuple[str, ...] = ()

    def registry_at(self, index: int) -> tuple[Tool, ...]:
        """Give the recipes of the tools that the agent has in that turn."""
        changed = [turn.registry for turn in self.turns[: index + 1] if turn.registry is not None]
        return changed[-1] if changed else self.registry

    def cut(self, turns: Sequence[Turn]) -> Course:
        """Give the same agent with other turns."""
        return msgspec.structs.replace(self, turns=tuple(turns))

    def last(self, **changed: Any) -> Course:
        """Give the last turn alone, with the tools of that time, and with what is changed of it."""
        registry = self.registry_at(len(self.turns) - 1)
        turn = msgspec.structs.replace(self.turns[-1], registry=None, **changed)
        return msgspec.structs.replace(self, registry=registry, turns=(turn,))

    def words(self, index: int) -> str:
        """Say in a line what the agent goes through in that turn."""
        turn, labels = self.turns[index], labels_of(self.registry_at(index))
        parts = [f"registry {_listed(labels)}"]
        if turn.registry is not None:
            parts = [f"the registry is now {_listed(labels)}"]
        if turn.resolved is not None:
            parts.append(f"routed to {_listed([labels[i] for i in turn.resolved])}")
        if self.always_include:
            parts.append(f"always included {_listed(self.always_include)}")
        if turn.tool_choice is not None:
            parts.append(f"tool choice {turn.tool_choice!r}")
        code = turn.script.code
        does = turn.script.name if "\n    " in code else "; ".join(code.splitlines())
        return f"{', '.join(parts)}; the resolver: {does}"


def labels_of(registry: Sequence[Tool]) -> list[str]:
    """Name each tool; where several have a name, the second is `search#2`."""
    return [tool.label() + (f"#{tool.twin + 1}" if tool.twin else "") for tool in registry]


def variable_of(recipe: Tool) -> str:
    """Give the name that a program has for the tool."""
    return f"{recipe.name}_{recipe.twin + 1}" if recipe.twin else str(recipe.name)


def _listed(labels: Sequence[str]) -> str:
    return f"[{', '.join(labels)}]"


@dataclass(eq=False)
class Iteration:
    """What one turn did.

    `registry`: the live tools of the agent, in order. `input_list`: those that routing kept, or
    all of them. `asked`: the calls of the resolver. `bound`, `choice`: what was sent to the model,
    where the stage is "bound"; `nonsense`: what it said instead. `registry_moved`, `routed_moved`:
    the list that the agent was built with, or that routing kept, is not as it was.
    `state_change`: how the caller's state is not as it was. `usual`: what this host logs where
    nothing is out of the ordinary. `earlier`: the iterations before it.
    """

    course: Course
    index: int
    registry: tuple[Any, ...]
    input_list: tuple[Any, ...]
    stage: Stage = "bound"
    asked: list[Asked] = field(default_factory=list)
    bound: tuple[Any, ...] = ()
    choice: Any = None
    error: BaseException | None = None
    nonsense: str = ""
    logged: list[logging.LogRecord] = field(default_factory=list)
    registry_moved: bool = False
    routed_moved: bool = False
    state_change: str = ""
    outsider: Any = None
    usual: Container[str] = ()
    earlier: tuple[Iteration, ...] = ()

    @cached_property
    def turn(self) -> Turn:
        """The recipe of this iteration."""
        return self.course.turns[self.index]

    @cached_property
    def forced(self) -> str | None:
        """The name that is forced, if the tool choice is one."""
        choice = self.turn.tool_choice
        return None if choice in MODES else choice

    @property
    def named(self) -> str | None:
        """The name that was sent as the tool choice, if it is one."""
        return None if self.choice in MODES else self.choice

    @cached_property
    def worth(self) -> tuple[list[Any] | None, tuple[str, ...]]:
        """What the resolver's result is worth, and what is wrong with it, by the reference."""
        result = self.asked[0].result if self.asked and self.asked[0].ended else None
        return contained(result, self.input_list)

    @cached_property
    def offending(self) -> bool:
        """Whether the result was a list that lies, or has elements that it may not have."""
        ended = bool(self.asked and self.asked[0].ended)
        return ended and (
            self.turn.script.body.lies or bool({"foreign", "repeated"}.intersection(self.worth[1]))
        )

    @cached_property
    def mutated(self) -> bool:
        """Whether the resolver has changed a list that it was given, now or before."""
        before = self.earlier[-1].mutated if self.earlier else False
        return before or self.turn.script.body.mutates

    @cached_property
    def bases(self) -> list[tuple[Any, ...]]:
        """What the base may be: of a list with offending elements, the rest, or the input list."""
        good, _ = self.worth
        if good is None:
            return [self.input_list]
        return [tuple(good), self.input_list] if self.offending else [tuple(good)]

    @cached_property
    def always(self) -> set[str]:
        """The names that are always included and that the registry has."""
        if not self.course.always_include:
            return set()
        return set(self.course.always_include) & {name_of(tool) or "" for tool in self.registry}

    def among(self, tools: Sequence[Any]) -> Callable[[Any], bool]:
        """Give a test for being one of `tools`, by identity."""
        identities = set(map(id, tools))
        return lambda tool: id(tool) in identities

    def binds(self, base: Sequence[Any], *, in_order: bool = True) -> bool:
        """Say whether what is bound is `base`, and what levers may add to it.

        Of tools of one name it may lack those after the first. That one is bound twice is another
        rule's matter.
        """
        in_base, present = self.among(base), self.among(self.bound)
        wanted = [
            tool
            for i, tool in enumerate(base)
            if present(tool) or not holds(base[:i], name_of(tool))
        ]
        kept = [*dict.fromkeys(id(tool) for tool in self.bound if in_base(tool))]
        due = [*map(id, wanted)]
        same = kept == due if in_order else sorted(kept) == sorted(due)
        return same and all(in_base(tool) or self.may_be_added(tool) for tool in self.bound)

    def binds_a_base(self) -> bool:
        """Say whether what is bound stands on one of the bases that there may be.

        The order of a palette is another rule's matter; that of the input list is not.
        """
        in_order = self.worth[0] is None and not self.offending
        return any(self.binds(base, in_order=in_order) for base in self.bases)

    def may_be_added(self, tool: Any) -> bool:
        """Say whether a lever adds tools of that name back."""
        name = name_of(tool)
        return name is not None and (name == self.forced or name in self.always)

    def words(self) -> str:
        """Say in a line what the agent goes through."""
        return self.course.words(self.index)

    def said(self, level: int) -> list[str]:
        """Give the texts of the log records of that level or above, but for the usual ones."""
        texts = (record_text(record) for record in self.logged if record.levelno >= level)
        return [text for text in texts if text not in self.usual]

    def said_as_usual(self) -> list[str]:
        """Give the messages of what was logged, and is logged anyway."""
        usual = []
        for record in self.logged:
            with suppress(Exception):  # one whose message raises is like no other one
                usual += [record.getMessage()] * (record_text(record) in self.usual)
        return usual

    def warnings(self) -> list[str]:
        """Give the texts of the warnings, and of what is worse."""
        return self.said(logging.WARNING)

    def label(self, value: Any) -> str:
        """Name a tool; say of what is none of the agent's tools what it is."""
        labels = labels_of(self.course.registry_at(self.index))
        for tool, label in zip(self.registry, labels, strict=True):
            if tool is value:
                return label
        if value is self.outsider:
            return "an outsider"
        name = name_of(value)
        if holds(self.registry, name):
            return f"a copy of {text_of(name)}"
        plain = type(value) in (str, int, bool, type(None))
        return text_of(value) if plain else with_article(type_name(value))

    def variable(self, tool: Any) -> str:
        """Give the name that a program has for a tool of the agent."""
        recipes = self.course.registry_at(self.index)
        return next(
            variable_of(recipe)
            for recipe, one in zip(recipes, self.registry, strict=True)
            if one is tool
        )

    def listed(self, tools: Sequence[Any]) -> str:
        """Put a list of tools into words."""
        return f"[{', '.join(map(self.label, tools))}]"

    def outcome(self) -> str:
        """Say what was bound and sent, or how it ended."""
        if self.stage == "raised" and self.error is not None:
            return f"the iteration raised {error_text(self.error)}"
        if self.stage == "hung":
            return "the iteration did not end"
        if self.stage == "nonsense":
            return self.nonsense
        choice = f", tool choice {text_of(self.choice)}" if self.choice is not None else ""
        return f"{self.listed(self.bound)} bound{choice}"


def holds(tools: Sequence[Any], name: str | None) -> bool:
    """Say whether one of `tools` has that name."""
    return any(name_of(tool) == name for tool in tools)


def input_list(state: dict[str, Any], registry: Sequence[Any]) -> tuple[Any, ...]:
    """Give what a host is to show: what routing kept, or all where that is nothing."""
    return tuple(state.get(RESOLVED) or registry)
