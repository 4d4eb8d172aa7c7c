"""The live tools behind the recipes: each made once, and told from what it was.

On one shelf the same recipe gives the same instance; what must not change in a tool is kept frozen
beside it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter, is_, itemgetter
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple, TypeAlias

from palettecheck.loading import TargetError, find
from palettecheck.plain import Frozen, difference, freeze, restore, thaw
from palettecheck.scenario import Tool

CONTENT = ("name", "description", "tags", "metadata", "args_schema", "input_schema", "parameters")

_PLAIN = ("object", "nameless")

Moment: TypeAlias = Literal["while it waited", "afterwards"]


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
        self._recipes: dict[int, Tool] = {}
        self._content: dict[int, Mapping[str, Frozen]] = {}
        self._plain: dict[int, _Plain] = {}

    def take(self, registry: tuple[Tool, ...]) -> list[Any]:
        """Give the instances for `registry`, the same for the same recipe each time."""
        with suppress(KeyError):
            return [*map(self._live.__getitem__, registry)]
        for recipe in registry:
            if recipe not in self._live:
                self._add(recipe)
        return [*map(self._live.__getitem__, registry)]

    def _add(self, recipe: Tool) -> None:
        made = self._live[recipe] = self._make(recipe)
        self._recipes[id(made)] = recipe
        if recipe.shape in _PLAIN and type(recipe.name) is not tuple:
            self._plain[id(made)] = _plain(vars(made))
        else:
            self._content[id(made)] = content(made)

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

    def row(self, tools: Sequence[Any]) -> Row:
        """Give these tools of the shelf as a row, of which to see what changed."""
        return Row(tuple(tools), self)

    def columns(self, tools: Sequence[Any]) -> list[Columns] | None:
        """Give what plain tools had in them when they were made; `None` where others are there."""
        try:
            plain = [*map(self._plain.__getitem__, map(id, tools))]
        except KeyError:
            return None
        return [Columns(keys, [*alike]) for keys, alike in groupby(plain, attrgetter("keys"))]

    def changed(self, tools: Sequence[Any], when: Moment) -> Change | None:
        """Give how one of `tools` is not as it was made; `Row.changed` is quicker."""
        for position, tool in enumerate(tools):
            for name, frozen in self._content_of(tool).items():
                now = _read(tool, name)
                if now is frozen:
                    continue
                place = f"tools[{position}]" + f".{name}" * bool(name)
                if found := difference(frozen, now, place):
                    return Change(found.words, when, found.place, position)
        return None

    def _content_of(self, tool: Any) -> Mapping[str, Frozen]:
        if id(tool) not in self._content:
            self._content[id(tool)] = content(plain_tool(self._recipes[id(tool)]))
        return self._content[id(tool)]

    def knows(self, value: Any) -> bool:
        """Say whether `value` is a tool that some call was shown."""
        return id(value) in self._recipes

    def renew(self, tools: Iterable[Any]) -> None:
        """Put these tools back as they were; what cannot be put back counts as it is now."""
        for tool in {id(tool): tool for tool in tools}.values():
            if self.row((tool,)).changed("afterwards") is None:
                continue
            for name, frozen in self._content_of(tool).items():
                if difference(frozen, _read(tool, name), name) is not None:
                    _put_back(tool, name, frozen)
            self._plain.pop(id(tool), None)
            self._content[id(tool)] = content(tool)


class _Plain(NamedTuple):
    """A plain tool's attributes as they are now, and the names and values that they had.

    `mutable`: those of the values that were empty, and have to stay so.
    """

    fields: dict[str, Any]
    keys: tuple[str, ...]
    values: tuple[Any, ...]
    mutable: tuple[Any, ...]


def _plain(fields: dict[str, Any]) -> _Plain:
    values = tuple(fields.values())
    mutable = tuple([value for value in values if type(value) in (list, dict)])
    return _Plain(fields, _shared(tuple(fields)), values, mutable)


@lru_cache(maxsize=64)
def _shared(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Give the same tuple for equal ones, since thousands of tools have the same attributes."""
    return keys


class Columns:
    """The same attributes of many plain tools, so that all are looked at in a few steps."""

    def __init__(self, keys: tuple[str, ...], plain: Sequence[_Plain]) -> None:
        self._read = itemgetter(*keys)
        self._fields = [*map(attrgetter("fields"), plain)]
        self._values = [*chain.from_iterable(map(attrgetter("values"), plain))]
        self._mutable = [*chain.from_iterable(map(attrgetter("mutable"), plain))]

    def are_untouched(self) -> bool:
        """Say whether each attribute is the object that it was, and what is mutable is empty."""
        if sum(map(len, self._fields)) != len(self._values) or any(self._mutable):
            return False
        now = chain.from_iterable(map(self._read, self._fields))
        try:
            return all(map(is_, now, self._values))
        except KeyError:  # there are as many attributes, and one has another name
            return False


class Row:
    """Tools of a shelf in a list. `tools`: as they were made."""

    def __init__(self, tools: tuple[Any, ...], shelf: Shelf) -> None:
        self.tools = tools
        self._shelf = shelf
        self._columns: list[Columns] | None = None

    def cut(self, positions: Sequence[int]) -> Row:
        """Give the row of those tools, in that order."""
        return Row(tuple(map(self.tools.__getitem__, positions)), self._shelf)

    def changed(self, when: Moment) -> Change | None:
        """Give how one of them is not as it was made."""
        if self._columns is None:
            self._columns = self._shelf.columns(self.tools)
        if self._columns is not None and all(some.are_untouched() for some in self._columns):
            return None
        return self._shelf.changed(self.tools, when)


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
