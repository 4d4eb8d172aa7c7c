"""A number spells a call of the kind that is asked for, and each draw spells another one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palettecheck.scenario import Scenario
from palettecheck.search.spelled import Spelling, numbers, spelled
from palettecheck.search.vocabulary import ODD_TOOLS, SUITE, Vocabulary, draw, gather

SHOP = gather("gallery.worlds:SHOP", None, 0)


def calls(words: Vocabulary, kind: str) -> list[Scenario]:
    """A hundred calls of that kind."""
    drawn = draw(numbers(), 100, 0, "numbers")
    return [spelled(Spelling(number, words), kind).scenario for number in drawn]


@given(numbers(), st.sampled_from([SUITE, SHOP]))
def test_a_call_is_of_the_kind_that_is_asked_for(number: int, words: Vocabulary) -> None:
    spelling = Spelling(number, words)

    assert spelled(spelling, "well-typed").scenario.typing == "well-typed"
    assert spelled(spelling, "unrouted").scenario.resolved is None
    assert set(ODD_TOOLS).intersection(spelled(spelling, "odd tools").scenario.registry)
    assert repr(spelling) == repr(spelled(spelling, "well-typed"))


@pytest.mark.parametrize("words", [SUITE, SHOP], ids=["suite", "own"])
def test_few_calls_come_twice(words: Vocabulary) -> None:
    assert len({call.to_json() for call in calls(words, "well-typed")}) > 80


@pytest.mark.parametrize("words", [SUITE, SHOP], ids=["suite", "own"])
def test_calls_are_of_all_sizes_and_routed_or_not(words: Vocabulary) -> None:
    drawn = calls(words, "well-typed")

    assert {0, 1, 2, 3} <= {len(call.registry) for call in drawn}
    assert {call.resolved is None for call in drawn} == {True, False}
    assert {call.call for call in drawn} == {"position", "name"}
    assert any(tool.twin for call in drawn for tool in call.registry)


def test_odd_states_are_half_of_those_that_can_be() -> None:
    odd = [call.typing == "odd state" for call in calls(SUITE, "odd state")]

    assert 20 < sum(odd) < 70


@settings(max_examples=20)
@given(numbers())
def test_states_are_those_handed_over(number: int) -> None:
    handed = ({"tenant": "acme"}, {"tenant": "globex"})

    assert spelled(Spelling(number, SUITE, handed), "well-typed").scenario.state in handed


def test_beside_an_odd_tool_every_name_tells_something() -> None:
    drawn = calls(SUITE, "odd tools")

    assert any(tool.name == "" for call in calls(SUITE, "unrouted") for tool in call.registry)
    assert not any(tool.name == "" for call in drawn for tool in call.registry)
