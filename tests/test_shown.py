"""Whatever an adopter's object is, what is printed of it is one safe line."""

from __future__ import annotations

from typing import Any

import pytest

from palettecheck.shown import error_text, quoted, shown, text_of, type_name


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class NoTextError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


class NotAString:
    def __repr__(self) -> Any:
        return 7


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("search", "search"),
        ("café", "café"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202eevil", "\\u202eevil"),
        ("\ud800", "\\ud800"),
        ("[bold]x[/]", "[bold]x[/]"),
    ],
)
def test_what_is_not_printable_is_escaped(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_long_text_is_cut_and_says_how_long_it_was() -> None:
    assert shown("x" * 10_000, 5) == "xxxxx… (10,000 characters)"


def test_a_quoted_text_is_escaped_too() -> None:
    assert quoted("\x1b[0m") == "'\\x1b[0m'"
    assert quoted("it's") == '"it\'s"'


def test_a_repr_that_raises_is_survived() -> None:
    assert text_of(Hostile()) == "<Hostile whose repr raises>"
    assert text_of(NotAString()) == "<NotAString whose repr raises>"


def test_an_error_whose_message_raises_is_survived() -> None:
    assert error_text(NoTextError()) == "NoTextError: (its message raises)"
    assert error_text(KeyError("a\x1b")) == "KeyError: 'a\\x1b'"
    assert error_text(ValueError()) == "ValueError"


def test_a_class_cannot_lie_about_its_name() -> None:
    class Meta(type):
        @property
        def __name__(cls) -> str:
            raise RuntimeError("no")

    class Liar(metaclass=Meta):
        pass

    assert type_name(Liar()) == "Liar"
