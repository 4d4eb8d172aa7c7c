"""Tables for a terminal of 80 columns, and progress on stderr for what takes its time."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

_PATIENCE = 2.0  # seconds


class Teller:
    """Says on stderr how far `what` has come, now and then."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._said = time.monotonic()

    def tell(self, done: int, total: int) -> None:
        """Say it where nothing was said for a while."""
        if time.monotonic() - self._said >= _PATIENCE:
            self._said = time.monotonic()
            print(f"benchmarks: {self._what}, {done} of {total}", file=sys.stderr, flush=True)


def print_table(title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a table; the first column is words, the others are figures."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(columns):
        table.add_column(name, justify="right" if i else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    print_words(title)
    _console().print(table)


def print_words(words: str) -> None:
    """Write a sentence."""
    _console().print(Text(words))


def _console() -> Console:
    """Made anew, since stdout may be another one by now."""
    return Console(highlight=False, markup=False, emoji=False)
