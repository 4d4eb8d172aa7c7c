"""The rules: what a subject must or should keep, each with its text beside its check.

A rule judges one observation. Rules are asked in the order of `RULES`; one that silences the rest,
when it breaks, does so because the fault is named already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from palettecheck.observation import Observation
from palettecheck.scenario import Typing

Level: TypeAlias = Literal["MUST", "SHOULD"]
Basis: TypeAlias = Literal["stated", "derived"]


@dataclass(frozen=True)
class Fault:
    """What broke a rule, in words, with the lines of code that show it.

    `before` runs before the call and `proof` after it; in them `tools` and `all_tools` are the
    tools, `state` the state, `result` what came back, `calls` the arguments of earlier calls.
    `during`: the proof has to look while the call waits. `pause`: it has to wait for what the call
    started.
    """

    wanted: str
    seen: str
    proof: str = ""
    before: str = ""
    during: bool = False
    pause: bool = False


@dataclass(frozen=True)
class Situation:
    """What a rule must have met to be judged, and how an adopter can bring it about."""

    text: str
    met: Callable[[Observation], bool]
    remedy: str = ""


@dataclass(frozen=True)
class Example:
    """A body of `resolve` that breaks a rule, and the repaired one."""

    breaking: str
    repaired: str


@dataclass(frozen=True)
class Rule:
    """One invariant.

    `levels`: its level for each kind of call that it judges. `silences`: where it breaks, the rules
    after it are not asked, since the fault is named. `controlled`: where it breaks without what it
    is about as well, the fault is another one. `needs_state`: it cannot arise where no state is
    read or written.
    """

    id: str
    slug: str
    levels: dict[Typing, Level]
    basis: Basis
    text: str
    reason: str
    situation: Situation
    example: Example
    check: Callable[[Observation], Fault | None]
    silences: bool = False
    controlled: bool = False
    needs_state: bool = False

    @property
    def level(self) -> Level:
        """The level on well-typed calls, or the only one that there is."""
        return self.levels.get("well-typed", "SHOULD")

    @property
    def name(self) -> str:
        """The id and the slug, as in `R03 never-empty`."""
        return f"{self.id} {self.slug}"
