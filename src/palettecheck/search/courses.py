"""What agents are put through: every lever with every other, smallest first.

Each turn comes twice, since an agent may remember the first one. Then come the changes from one
turn to another. For tools of one name, fewer levers are tried together than there are tools.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from palette_reference.node import MODES
from palettecheck.iteration import Course, Turn
from palettecheck.scenario import Tool
from palettecheck.scripts import BODIES, Script
from palettecheck.search.vocabulary import NAMES

SIZES = {"quick": 2, "default": 3, "deep": 3}  # tools, up to which all is tried
LEVERS = frozenset({"resolved_tools", "always_include", "tool_choice"})
GHOST = "ghost"

T = TypeVar("T")

_ABSTAINS = Script("abstains")


class _Levers(NamedTuple):
    """The settings of one turn, and of its agent."""

    resolved: tuple[int, ...] | None = None
    always_include: tuple[str, ...] = ()
    tool_choice: str | None = None

    @property
    def many(self) -> int:
        return (
            (self.resolved is not None) + len(self.always_include) + (self.tool_choice is not None)
        )


def courses(
    profile: str, levers: Collection[str] = LEVERS, *, registries_change: bool = False
) -> list[Course]:
    """Give the courses for a host with these levers, with the fewest tools and levers first."""
    most = SIZES[profile]
    made = [course for size in range(most + 1) for course in _of_size(size, levers)]
    made += _with_doubled_names(most, levers)
    made += _changes(levers, registries_change)
    made += _longer(levers)
    some = made if profile != "quick" else [course for course in made if _is_plain(course)]
    return sorted(some, key=_size)


def _is_plain(course: Course) -> bool:
    """Whether a resolver that fails meets one lever at most, or the tools are one at most."""
    sound = all(turn.script.body.kind in ("palette", "abstention") for turn in course.turns)
    return sound or len(course.registry) < 2 or _levers_of(course).many < 2


def _size(course: Course) -> tuple[int, int, int]:
    alike = course.turns[0] == course.turns[-1]
    return len(course.registry), _levers_of(course).many, 0 if alike else 1


def _levers_of(course: Course) -> _Levers:
    turn = course.turns[-1]
    return _Levers(turn.resolved, course.always_include, turn.tool_choice)


def _of_size(size: int, levers: Collection[str]) -> Iterator[Course]:
    registry = tuple(Tool(name) for name in NAMES[:size])
    for set_ in _settings(NAMES[:size], size, levers):
        yield from _each_script(registry, set_)


def _with_doubled_names(most: int, levers: Collection[str]) -> Iterator[Course]:
    first, second, other = Tool(NAMES[0]), Tool(NAMES[0], twin=1), Tool(NAMES[1])
    for registry in ((first, second), (first, second, other), (first, other, second)):
        names = dict.fromkeys(str(tool.name) for tool in registry)
        for set_ in _settings([*names], len(registry), levers):
            if set_.many < most and len(registry) <= most:
                yield from _each_script(registry, set_)


def _each_script(registry: tuple[Tool, ...], set_: _Levers) -> Iterator[Course]:
    routed = 0 < len(set_.resolved or ()) < len(registry)
    for script in scripts(len(set_.resolved or registry), routed=routed):
        turn = Turn(script, set_.resolved, set_.tool_choice)
        after = replace(turn, script=_ABSTAINS) if script.body.mutates else turn
        yield Course(registry, (turn, after), set_.always_include)


def _settings(names: Sequence[str], size: int, levers: Collection[str]) -> Iterator[_Levers]:
    """Give each combination of the levers that there are."""
    routed: list[tuple[int, ...] | None] = [None]
    always: list[tuple[str, ...]] = [()]
    choices: list[str | None] = [None]
    if "resolved_tools" in levers:
        routed += [some for some in _parts(range(size)) if size]
    if "always_include" in levers:
        always += [*(some for some in _parts(names) if some), (GHOST,)]
    if "tool_choice" in levers:
        choices += [*names, GHOST, *(sorted(MODES) if size < 2 else ["auto"])]
    for levers_set in product(routed, always, choices):
        yield _Levers(*levers_set)


def _parts(of: Sequence[T]) -> list[tuple[T, ...]]:
    return [some for count in range(len(of) + 1) for some in combinations(of, count)]


def scripts(size: int, *, routed: bool) -> list[Script]:
    """Give what a resolver may do with so many tools; `routed`: routing has removed some."""
    kept = [Script(keeps=some) for some in _parts(range(size)) if some]
    if size > 1:
        kept.append(Script(keeps=tuple(range(size))[::-1]))
    fixed = [
        Script(name)
        for name, body in BODIES.items()
        if size >= body.least and (routed or not body.routed)
    ]
    return [_ABSTAINS, *kept, *(script for script in fixed if script != _ABSTAINS)]


def _changes(levers: Collection[str], registries_change: bool) -> Iterator[Course]:
    """Give what changes between two turns, on two tools; nothing else is out of the ordinary."""
    registry = (Tool(NAMES[0]), Tool(NAMES[1]))
    tame = [script for script in scripts(2, routed=False) if not script.body.mutates]
    for before, after in permutations(tame, 2):
        yield Course(registry, (Turn(before), Turn(after)))
    if "tool_choice" in levers:
        for one, other in permutations((None, *NAMES[:2], GHOST), 2):
            for script in (_ABSTAINS, Script(keeps=(0,))):
                yield Course(registry, (_forced(script, one), _forced(script, other)))
    if "resolved_tools" in levers:
        for some, others in permutations((None, (0,), (1,)), 2):
            yield Course(registry, (Turn(resolved=some), Turn(resolved=others)))
    if registries_change:
        yield from _new_registries(registry, levers)


def _longer(levers: Collection[str]) -> Iterator[Course]:
    """Give what takes three tools or more turns: what is said once, and what gives up in time."""
    registry = tuple(map(Tool, NAMES[:3]))
    first, second = Script(keeps=(0,)), Script(keeps=(1,))
    yield Course(registry[:2], (*[Turn()] * 6, Turn(first)))
    yield Course(registry[:2], (*[Turn(Script("raises"))] * 6, Turn(first)))
    if "tool_choice" in levers:
        for choices in ((1, 2, 1), (1, None, 1)):
            names = [None if i is None else NAMES[i] for i in choices]
            yield Course(registry, tuple(_forced(first, name) for name in names))
        scripts_ = (first, second, first)
        yield Course(registry, tuple(_forced(script, NAMES[2]) for script in scripts_))


def _forced(script: Script, choice: str | None) -> Turn:
    return Turn(script, tool_choice=choice)


def _new_registries(registry: tuple[Tool, ...], levers: Collection[str]) -> Iterator[Course]:
    first, second = registry
    twin, third = Tool(first.name, twin=1), Tool(NAMES[2])
    for now in ((first,), (second,), (twin, second), (first, second, third), (third,)):
        for script in (_ABSTAINS, Script(keeps=(0,))):
            yield Course(registry, (Turn(script), Turn(script, registry=now)))
    after = Turn(Script(keeps=(0,)), registry=(first, third))
    if "tool_choice" in levers:
        forced = replace(after, tool_choice=NAMES[2])
        yield Course(registry, (Turn(), forced))
    if "always_include" in levers:
        yield Course(registry, (Turn(), after), (NAMES[2],))
