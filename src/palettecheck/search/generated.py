"""Calls drawn by Hypothesis: rich names, roles and states, which nobody would enumerate.

Of each kind of call that some rule is about: plain ones, and those with an odd state or an odd
tool. All are drawn before any is made, so that the same draws serve every subject and every rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from palettecheck.plain import Frozen
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import ODD_TOOLS, Vocabulary, draw, ill_typed, varied
from palettecheck.strategies import arrangements, scenarios, unmasked
from palettecheck.strategies import tools as any_tools

DRAWN = {"quick": 20, "default": 100, "deep": 1_000}  # calls
_LONGEST = 64  # tools, where they are the suite's
_BESIDE = 12  # tools at most beside an odd one
_NUMBERS = st.integers(0, (1 << 16) - 1)


class Drawn(NamedTuple):
    """A drawn call, with the vocabulary that its tools are from."""

    scenario: Scenario
    words: Vocabulary

    def __repr__(self) -> str:
        return self.scenario.to_json()


def generated(words: Vocabulary, profile: str, seed: int) -> list[Scenario]:
    """Give the scenarios of a profile, each once: `seed` draws calls, and each comes in all kinds.

    To draw costs more than to call.
    """
    pairs = draw(_calls(words), DRAWN[profile], seed, "the strategies of the suite")
    shaped = (shape(call, number) for call, number in pairs for shape in SHAPES.values())
    return list({repr(call): call.scenario for call in shaped}.values())


def _calls(words: Vocabulary) -> SearchStrategy[tuple[Drawn, int]]:
    """Give a strategy of calls, each with a number that says how it is shaped."""
    plain = scenarios(tools=_registries(words))
    state = st.sampled_from(words.states) if words.own_states else st.none()
    return st.tuples(st.builds(_call, st.just(words), plain, state, _NUMBERS), _NUMBERS)


def _registries(words: Vocabulary) -> SearchStrategy[tuple[Tool, ...]]:
    if words.own:
        own = (*words.tools, *(twin for _, twin in words.twins))
        return arrangements(own, len(own))
    return any_tools(max_size=_LONGEST)


def _call(words: Vocabulary, scenario: Scenario, state: Frozen | None, number: int) -> Drawn:
    if words.own and not scenario.registry:  # none would be drawn too often, and all too rarely
        routed = None if number % 2 else unmasked(len(words.tools), number // 2)
        scenario = replace(scenario, registry=words.tools, resolved=routed)
    if state is not None:
        variants = [state, *varied(state, {})]
        scenario = replace(scenario, state=variants[number % len(variants)])
    return Drawn(replace(scenario, typing=words.typing), words)


def _as_drawn(call: Drawn, number: int) -> Drawn:
    return call


def _unrouted(call: Drawn, number: int) -> Drawn:
    return call._replace(scenario=replace(call.scenario, resolved=None))


def _with_odd_state(call: Drawn, number: int) -> Drawn:
    """Put a value of a wrong type into the state of one call in two."""
    variants = list(ill_typed(call.scenario.state)) if number % 2 else []
    if not variants or call.words.typing != "well-typed":
        return call
    state = variants[number // 2 % len(variants)]
    return call._replace(scenario=replace(call.scenario, state=state, typing="odd state"))


def _with_odd_tool(call: Drawn, number: int) -> Drawn:
    """Put an odd tool among the others; alone where those could be to blame for what follows."""
    known = call.words.typing == "well-typed"
    # To most policies, a tool called "" has no name either: a ranking could not tell them apart.
    named = tuple(tool for tool in call.scenario.registry if tool.name)
    registry = named[:_BESIDE] if known else ()
    number, which = divmod(number, len(ODD_TOOLS))
    place = number % (len(registry) + 1)
    registry = (*registry[:place], ODD_TOOLS[which], *registry[place:])
    odd = replace(call.scenario, registry=registry, resolved=None, typing="odd tools")
    return call._replace(scenario=odd)


SHAPES: dict[str, Callable[[Drawn, int], Drawn]] = {
    "well-typed": _as_drawn,
    "unrouted": _unrouted,
    "odd state": _with_odd_state,
    "odd tools": _with_odd_tool,
}
