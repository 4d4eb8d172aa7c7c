"""What is handed over live is found again under a name, or known to have none."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from gallery import correct, never_empty, worlds
from palettecheck.items.naming import as_written, source_of, target_of
from palettecheck.loading import find

TOOLS = worlds.SHOP
HERE: list[Any] = []
GALLERY = Path(worlds.__file__).parent


class Outer:
    class Inner:
        pass

    @classmethod
    def build(cls) -> Outer:
        return cls()


PARTIAL = functools.partial(Outer)


def same(factory: Any) -> Any:
    return factory


SHADOWED = same
same = functools.partial(same)  # type: ignore[assignment]  # as a decorator leaves it


@pytest.mark.parametrize(
    "factory",
    [correct.TopTwo, never_empty.gated_conversations, Outer.Inner, Outer.build, PARTIAL, SHADOWED],
    ids=["class", "decorated", "inner", "classmethod", "partial", "shadowed"],
)
def test_a_factory_with_a_name_is_found_under_it(factory: Any) -> None:
    target = target_of(factory)

    assert find(target) == factory


def test_a_file_is_named_where_it_can_be_imported_from_there() -> None:
    assert target_of(correct.TopTwo) == f"{GALLERY / 'correct.py'}:TopTwo"
    assert target_of(functools.wraps) == "functools:wraps"


def test_a_local_factory_has_no_name() -> None:
    class Local:
        pass

    assert target_of(Local) == target_of(lambda: Local()) == ""


def test_a_list_is_named_where_it_is_defined_before_where_it_is_used() -> None:
    assert source_of(TOOLS, __name__) == f"{GALLERY / 'worlds.py'}:SHOP"
    assert source_of(HERE, __name__).endswith(":HERE")
    assert source_of([*TOOLS], __name__) == ""


def test_a_lambda_on_one_line_is_quoted() -> None:
    made = lambda: Outer()  # noqa: E731 - a lambda with a name is what is asked about
    longer = lambda: [  # noqa: E731 - as above
        Outer()
    ]

    assert as_written(made) == "lambda: Outer()"
    assert as_written(longer) == ""
    assert as_written(Outer.build) == "Outer.build()"
    assert as_written(eval("lambda: 7")) == ""
