"""The rules: what a subject must or should keep, each with its text beside its check.

    Rule       judges one observation
    Relation   derives follow-up calls from an answer, and compares the answers
    NodeRule   judges one iteration of a host, in the light of those before it

Rules are asked in the order of their list; one that silences the rest, when it breaks, does so
because the fault is named already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, Literal, NamedTuple, TypeAlias

from palettecheck.iteration import Course, Iteration
from palettecheck.observation import Observation, Positions
from palettecheck.scenario import Typing

Level: TypeAlias = Literal["MUST", "SHOULD"]
Basis: TypeAlias = Literal["stated", "derived"]


@dataclass(frozen=True)
class Fault:
    """What broke a rule, in words, with the lines of code that show it.

    `before` runs before the call and `proof` after it; in them `tools` and `all_tools` are the
    tools, `state` the state, `result` what came back, `calls` the arguments of earlier calls.
    `during`: the proof has to look while the call waits. `pause`: it has to wait for what the call
    started. `circumstantial`: something else than the call may have brought it about. `cut`: the
    positions of the tools of a follow-up call; `kept` and `answer` are then the palettes of the
    two calls. `unsaid`: all that is missing is a line in the log.
    """

    wanted: str
    seen: str
    proof: str = ""
    before: str = ""
    during: bool = False
    pause: bool = False
    circumstantial: bool = False
    cut: Positions | None = None
    unsaid: bool = False


@dataclass(frozen=True)
class Situation:
    """What a rule must have met to be judged; `remedy`: how an adopter can bring it about.

    `met`: which of the calls, or iterations, that have a level are it; all, if it does not say.
    """

    text: str
    met: Callable[[Any], bool] = lambda seen: True
    remedy: str = ""


@dataclass(frozen=True)
class Example:
    """Lines that break a rule, and the repaired ones: a body of `resolve`, or lines of a node."""

    breaking: str
    repaired: str


@dataclass(frozen=True)
class Invariant:
    """What all rules have. `levels`: the level for each kind of call that is judged."""

    id: str
    slug: str
    levels: dict[Typing, Level]
    basis: Basis
    text: str
    reason: str
    situation: Situation
    example: Example

    @property
    def level(self) -> Level:
        """The level on well-typed calls, or the only one that there is."""
        return self.levels.get("well-typed", "SHOULD")

    @property
    def name(self) -> str:
        """The id and the slug, as in `R03 never-empty`."""
        return f"{self.id} {self.slug}"


def described(
    name: str,
    judges: Callable[..., Any],
    levels: dict[Typing, Level],
    basis: Basis,
    reason: str,
    situation: Situation,
    breaking: str,
    repaired: str,
) -> tuple[str, str, dict[Typing, Level], Basis, str, str, Situation, Example]:
    """Give what an `Invariant` is made of; its text is the docstring of what judges it.

    `name`: the id and the slug. `breaking`, `repaired`: lines of Python, indented as they may be.
    """
    rule_id, slug = name.split()
    text = " ".join((judges.__doc__ or "").split())
    example = Example(cleandoc(breaking), cleandoc(repaired))
    return rule_id, slug, levels, basis, text, reason, situation, example


@dataclass(frozen=True)
class Rule(Invariant):
    """A rule that one call shows.

    `silences`: where it breaks, the rules after it are not asked, since the fault is named.
    `controlled`: where it breaks without what it is about as well, the fault is another one.
    `needs_state`: it cannot arise where no state is read or written.
    """

    check: Callable[[Observation], Fault | None]
    silences: bool = False
    controlled: bool = False
    needs_state: bool = False


class Pair(NamedTuple):
    """The answers of two calls, in positions of the first one's list.

    `size`: how long that is. `kept`: what the first call kept, all if it abstained. `cut`: the list
    of the second one, and `answer` what that kept. `odd`: which tools are not well-typed.
    """

    size: int
    kept: Positions
    cut: Positions
    answer: Positions
    odd: Positions


@dataclass(frozen=True)
class Relation(Invariant):
    """A rule on a call and its follow-up calls.

    `follow`: from the number of tools, what was kept of them, and which are odd, the lists of the
    follow-up calls; none where there is nothing to compare. `relate`: what was wanted of the
    answer, where it is something else. `proof`: Python that fails where the relation does.
    """

    follow: Callable[[int, Positions, Positions], tuple[Positions, ...]]
    relate: Callable[[Pair], Positions | None]
    proof: str


class Control(NamedTuple):
    """What a host is put through to see whether a fault is another one's.

    `course`: without what the rule is about. `of_base`: whether a base that is not bound there is
    another fault, too.
    """

    course: Callable[[Course], Course]
    of_base: bool = True


Way: TypeAlias = tuple[str | int, ...]


def by_kind(it: Iteration, fault: Fault) -> Way:
    """Tell ways to break a rule apart by the kind of resolver, and how the iteration ended."""
    return ("unsaid",) if fault.unsaid else (it.turn.script.body.kind, it.stage)


@dataclass(frozen=True)
class NodeRule(Invariant):
    """A rule for a host. `lever`: the one without which it cannot arise, if there is one.

    `silences`: where it breaks, whether the rules after it are asked no more. `control`: where
    something is broken on that as well, the fault is another one. `way`: in what way it is broken,
    as far as two breaches are worth telling apart.
    """

    check: Callable[[Iteration], Fault | None]
    lever: str = ""
    silences: Callable[[Iteration], bool] = lambda it: False
    control: Control | None = None
    way: Callable[[Iteration, Fault], Way] = by_kind
