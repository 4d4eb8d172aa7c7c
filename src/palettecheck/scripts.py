"""The resolvers that a host is driven with: a few lines each, which a reproducer can quote.

A script is the body of `resolve`. It may name `all_tools`, the agent's `registry` as it was built,
an `outsider` that is no tool of it, and the modules `asyncio` and `copy`.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import lru_cache
from inspect import cleandoc
from textwrap import indent
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

Kind: TypeAlias = Literal["palette", "abstention", "error", "no list", "bad list", "mutation"]


class _Body(NamedTuple):
    """`least`: how many tools it takes. `lies`: the list that it returns does.

    `routed`: it takes tools that routing has removed.
    """

    code: str
    kind: Kind
    least: int = 0
    lies: bool = False
    routed: bool = False

    @property
    def mutates(self) -> bool:
        """Whether it changes the list that it is given."""
        return self.kind == "mutation"


BODIES = {
    "abstains": _Body("return None", "abstention"),
    "returns []": _Body("return []", "bad list"),
    "raises": _Body('raise RuntimeError("the policy failed")', "error"),
    "awaits for ever": _Body("await asyncio.Event().wait()", "error"),
    "returns True": _Body("return True", "no list"),
    "returns a string": _Body('return "search"', "no list"),
    "returns a tuple": _Body("return tuple(all_tools)", "no list", 1),
    "returns a generator": _Body("return (tool for tool in all_tools)", "no list", 1),
    "returns copies": _Body("return [copy.copy(tool) for tool in all_tools]", "bad list", 1),
    "returns a copy beside a tool": _Body(
        "return [all_tools[0], copy.copy(all_tools[1])]", "bad list", 2
    ),
    "returns an outsider": _Body("return [outsider]", "bad list", 1),
    "returns an outsider beside a tool": _Body("return [all_tools[0], outsider]", "bad list", 1),
    "returns what routing removed": _Body(
        "return [tool for tool in registry if all(tool is not t for t in all_tools)]",
        "bad list",
        1,
        routed=True,
    ),
    "returns a tool twice": _Body("return [all_tools[0], all_tools[0]]", "bad list", 1),
    "returns names": _Body("return [tool.name for tool in all_tools]", "bad list", 1),
    "returns [None]": _Body("return [None]", "bad list", 1),
    "returns a list that says it is empty": _Body(
        """
        class Liar(list):
            def __len__(self): return 0
            def __iter__(self): return iter(())
        return Liar(all_tools[:1])
        """,
        "bad list",
        1,
        lies=True,
    ),
    "returns a list that says it is full": _Body(
        """
        class Liar(list):
            def __len__(self): return 1
            def __iter__(self): return iter([outsider])
        return Liar()
        """,
        "bad list",
        1,
        lies=True,
    ),
    "returns a list that hides an outsider": _Body(
        """
        class Liar(list):
            def __iter__(self): return iter(all_tools)
        return Liar([outsider])
        """,
        "bad list",
        1,
        lies=True,
    ),
    "pops a tool": _Body("all_tools.pop()\nreturn None", "mutation", 1),
    "clears the list": _Body("all_tools.clear()\nreturn None", "mutation", 1),
    "reverses the list": _Body("all_tools.reverse()\nreturn None", "mutation", 2),
    "appends an outsider": _Body("all_tools.append(outsider)\nreturn None", "mutation", 1),
}


_KEEPS = _Body("", "palette")


class Script(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the resolver does: one of `BODIES`, or it keeps these positions of what it is shown."""

    name: str = "keeps"
    keeps: tuple[int, ...] = ()

    @property
    def body(self) -> _Body:
        """What its lines are like."""
        return BODIES.get(self.name, _KEEPS)

    @property
    def code(self) -> str:
        """Its lines of Python."""
        if self.name != "keeps":
            return cleandoc(self.body.code)
        return f"return [{', '.join(f'all_tools[{i}]' for i in self.keeps)}]"


_Run: TypeAlias = Callable[[list[Any], tuple[Any, ...], Any], Coroutine[Any, Any, Any]]


@lru_cache(maxsize=256)
def _compiled(script: Script) -> _Run:
    code = script.code
    space: dict[str, Any] = {"asyncio": asyncio, "copy": copy}
    exec(f"async def run(all_tools, registry, outsider):\n{indent(code, '    ')}", space)
    run: _Run = space["run"]
    return run


@dataclass(slots=True)
class Asked:
    """One call that a host made: with which role and tools, and what came of it."""

    role: Any
    given: tuple[Any, ...] | None
    result: Any = None
    ended: bool = False


class ScriptedResolver:
    """A resolver that does what `script` says at the time, and keeps what it was `asked`."""

    def __init__(self, registry: tuple[Any, ...], outsider: Any) -> None:
        self.script = Script("abstains")
        self.asked: list[Asked] = []
        self.registry = registry
        self._outsider = outsider

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        """Do as the script says. What is given as no list is noted, and has no tools."""
        given = tuple(all_tools) if type(all_tools) is list else None
        asked = Asked(role, given)
        self.asked.append(asked)
        run = _compiled(self.script)
        asked.result = await run(all_tools, self.registry, self._outsider)
        asked.ended = True
        return asked.result
