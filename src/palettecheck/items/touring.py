"""The items of a host: it is driven once, and each item says what came out for one rule."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Any

import pytest

from palettecheck.engine.driving import INTERRUPTED
from palettecheck.engine.judging import Findings, results
from palettecheck.engine.touring import tour
from palettecheck.items.naming import target_of
from palettecheck.items.telling import PaletteAdvice
from palettecheck.report.table import breach_text
from palettecheck.rules import NodeRule


class Toured:
    """A host, and what was found of it when the first item ran.

    `place`: the file and the line that asked, where warnings belong.
    """

    def __init__(self, host: Any, profile: str, strict: bool, place: tuple[str, int]) -> None:
        self._host, self._profile, self._strict, self._place = host, profile, strict, place
        self._speaker = ""  # the item that says what concerns all of them

    @cached_property
    def _found(self) -> Findings:
        found = tour(self._host, self._profile, target=target_of(self._host))
        if found.stopped.startswith(INTERRUPTED):
            raise KeyboardInterrupt
        return found

    def judge(self, rule: NodeRule, item: str) -> None:
        """Fail, warn or skip, as the rule came out; `item` is what this one is called."""
        __tracebackhide__ = True
        found = self._found
        if found.broken:
            self._say_once(found.broken, "the adapter is broken", item)
        (result,) = results([rule], found, strict=self._strict)
        if result.verdict == "error":
            pytest.fail(f"{rule.name}: {result.note}", pytrace=False)
        if result.verdict == "fail":
            pytest.fail(breach_text(result), pytrace=False)
        if result.verdict == "advice":
            self._warn(breach_text(result))
        elif found.stopped:
            self._say_once(f"the run was stopped: {found.stopped}", "the run was stopped", item)
        elif result.verdict == "not applicable":
            pytest.skip(f"{rule.name}: {result.note}")
        elif result.verdict == "inconclusive":
            self._warn(f"inconclusive: {rule.name}: {result.note}")

    def _say_once(self, words: str, in_short: str, item: str) -> None:
        """Fail with it in one item alone; the others are skipped, and name that one."""
        self._speaker = self._speaker or item
        if self._speaker != item:
            pytest.skip(f"{in_short}: see {self._speaker}")
        pytest.fail(words, pytrace=False)

    def _warn(self, words: str) -> None:
        try:
            warnings.warn_explicit(PaletteAdvice(words), None, *self._place)
        except PaletteAdvice:  # where warnings are errors
            pytest.fail(words, pytrace=False)
