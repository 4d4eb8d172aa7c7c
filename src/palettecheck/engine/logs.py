"""Keeps what a subject logs off the terminal, where a line a call would bury the report."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from palettecheck.shown import error_text, shown


@contextmanager
def listening(take: Callable[[logging.LogRecord], None]) -> Iterator[None]:
    """Have `take` hear every log record that Python's `logging` would hand on, and nobody else.

    Records are taken where loggers hand them to handlers, so that one which does not propagate is
    heard as well.
    """
    plain = logging.Logger.callHandlers
    replaced: Any = lambda logger, record: take(record)  # noqa: E731
    logging.Logger.callHandlers = replaced  # type: ignore[method-assign]
    try:
        yield
    finally:
        logging.Logger.callHandlers = plain  # type: ignore[method-assign]


@contextmanager
def collected(notes: list[str]) -> Iterator[None]:
    """Take every log record; say in `notes` what they were."""
    count, first = 0, ""

    def take(record: logging.LogRecord) -> None:
        nonlocal count, first
        count += 1
        first = first or words_of(record)

    try:
        with listening(take):
            yield
    finally:
        if count:
            records = "one record" if count == 1 else f"{count:,} records, the first"
            notes.append(f"the subject logged {records}: {first}")


def words_of(record: logging.LogRecord) -> str:
    """Give the level, the logger and the text of a record, fit to be printed."""
    try:
        message = str.__str__(record.getMessage())
    except BaseException as error:  # a message that does not fit its arguments
        message = f"(its message raises {error_text(error)})"
    return f"{record.levelname} {shown(record.name)}: {shown(message, 200)}"
