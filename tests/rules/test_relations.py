"""Answers of two calls are compared by position, with an abstention as the whole list."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from palettecheck.engine.relating import relate, related
from palettecheck.engine.session import Session
from palettecheck.rules import Pair
from palettecheck.rules.relations import (
    follows_narrowing,
    idempotent,
    keeps_by_shape,
    order_blind,
    repeatable,
)
from palettecheck.scenario import Scenario, Tool
from palettecheck.search.vocabulary import ODD_TOOLS
from palettecheck.subject import Subject

ABC = Scenario((Tool("a"), Tool("b"), Tool("c")))
ODD = Scenario((ODD_TOOLS[0], Tool("a"), Tool("b")), typing="odd tools")


def pair(kept: Any, cut: Any, answer: Any, odd: Any = (), size: int = 3) -> Pair:
    return Pair(size, kept, cut, answer, odd)


@pytest.mark.parametrize(
    ("relation", "compared", "wanted"),
    [
        (repeatable, pair((0, 1), (0, 1, 2), (0, 1)), None),
        (repeatable, pair((0, 1), (0, 1, 2), (1, 0)), (0, 1)),
        (order_blind, pair((0, 1), (2, 1, 0), (1, 0)), None),
        (order_blind, pair((0,), (2, 1, 0), (2,)), (0,)),
        (follows_narrowing, pair((0, 1), (1, 2), (1,)), None),
        (follows_narrowing, pair((0, 1), (1, 2), (1, 2)), (1,)),
        (follows_narrowing, pair((0,), (1, 2), (1, 2)), None),
        (follows_narrowing, pair((0,), (1, 2), (1,)), (1, 2)),
        (idempotent, pair((0, 1), (0, 1), (1, 0)), None),
        (idempotent, pair((0, 1), (0, 1), (0,)), (0, 1)),
        (keeps_by_shape, pair((0,), (0, 2), (0,), (0,)), None),
        (keeps_by_shape, pair((1,), (0, 2), (0,), (0,)), ()),
        (keeps_by_shape, pair((1,), (0, 2), (0, 2), (0,)), None),
        (keeps_by_shape, pair((0, 1, 2), (0, 2), (2,), (0,)), None),
    ],
)
def test_what_is_wanted_of_the_second_answer(
    relation: Any, compared: Pair, wanted: tuple[int, ...] | None
) -> None:
    assert relation(compared) == wanted


async def broken(body: Any, scenario: Scenario = ABC) -> dict[str, tuple[str, str]]:
    """For each relation that breaks, what was wanted and seen."""

    async def resolve(state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return body(all_tools)

    session = Session(Subject(SimpleNamespace(resolve=resolve)))
    kept = (await session.observe(scenario)).kept()
    assert kept is not None
    found = relate(session, scenario, kept, related(scenario))
    return {relation.id: (fault.wanted, fault.seen) async for relation, fault in found}


def named(*names: str) -> Any:
    return lambda tools: [t for t in tools if getattr(t, "name", None) in names] or None


async def test_an_allowlist_breaks_none() -> None:
    assert await broken(named("a", "c")) == {}
    assert await broken(named("a"), ODD) == {}
    assert await broken(lambda tools: None) == {}
    assert await broken(list) == {}


async def test_a_palette_that_changes_is_named_once() -> None:
    answers = iter(range(100))

    def alternates(tools: list[Any]) -> Any:
        return tools[: 1 + next(answers) % 2]

    wanted = "[a] of [a, b, c], after [a] of [a, b, c]"
    assert await broken(alternates) == {"R12": (wanted, "[a, b] of [a, b, c]")}


async def test_the_words_say_what_was_asked_and_what_came() -> None:
    found = await broken(lambda tools: tools[:1])

    assert found["R17"] == ("[a] of [c, b, a], after [a] of [a, b, c]", "[c] of [c, b, a]")
    assert found["R18"] == ("[b, c] of [b, c], after [a] of [a, b, c]", "[b] of [b, c]")
    assert set(found) == {"R17", "R18"}


async def test_of_long_lists_the_words_say_what_is_missing_and_what_was_added() -> None:
    many = Scenario(tuple(Tool(f"t{i}") for i in range(12)))
    found = await broken(lambda tools: tools[:-1], many)

    assert found["R17"][1].endswith(" t5, t4, …]: without [t0], with [t11]")
    assert "without" not in "".join((await broken(lambda tools: tools[:1]))["R17"])


async def test_a_first_answer_that_does_not_stand_says_nothing_of_the_others() -> None:
    calls = iter(range(1_000))

    def tires(tools: list[Any]) -> Any:
        return tools[:2] if next(calls) < 2 else tools[:1]

    assert set(await broken(tires)) <= {"R12"}


async def test_an_answer_that_is_no_palette_is_not_compared() -> None:
    assert await broken(lambda tools: list(tools) if len(tools) == 3 else ()) == {}
