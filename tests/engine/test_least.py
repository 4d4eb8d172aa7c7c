"""The fewest earlier calls are found, mostly none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palettecheck.engine.least import least_history


def needs(*calls: int) -> Callable[[Sequence[int]], str | None]:
    """Breaks after those calls, in any order."""
    return lambda before: "broken" if set(calls) <= set(before) else None


@pytest.mark.parametrize("needed", [(), (3,), (0,), (0, 99), (5, 50, 95)])
def test_only_the_calls_that_matter_stay(needed: tuple[int, ...]) -> None:
    assert least_history(needs(*needed), range(100)) == (needed, "broken")


@given(st.sets(st.integers(0, 40), max_size=4))
def test_whatever_matters_is_kept_in_its_order(needed: set[int]) -> None:
    assert least_history(needs(*needed), range(41)) == (tuple(sorted(needed)), "broken")


def test_what_never_shows_again_is_none() -> None:
    assert least_history(lambda before: None, range(2_000)) is None


def test_a_call_that_has_to_come_several_times_stays_several_times() -> None:
    def third_time(before: Sequence[int]) -> str | None:
        return "broken" if len(before) >= 2 else None

    least = least_history(third_time, range(100))

    assert least is not None
    assert len(least[0]) == 2
