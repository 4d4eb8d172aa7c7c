"""Keeps what a subject logs off the terminal, where a line a call would bury the report."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from palettecheck.shown import error_text, shown


@contextmanager
def collected(notes: list[str]) -> Iterator[None]:
    """Take every log record that Python's `logging` would hand on; say in `notes` what they were.

    Records are taken where loggers hand them to handlers, so that one which does not propagate is
    heard as well.
    """
    count, first = 0, ""

    def take(logger: logging.Logger, record: logging.LogRecord) -> None:
        nonlocal count, first
        count += 1
        first = first or _words(record)

    plain = logging.Logger.callHandlers
    logging.Logger.callHandlers = take  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        logging.Logger.callHandlers = plain  # type: ignore[method-assign]
        if count:
            records = "one record" if count == 1 else f"{count:,} records, the first"
            notes.append(f"the subject logged {records}: {first}")


def _words(record: logging.LogRecord) -> str:
    try:
        message = str.__str__(record.getMessage())
    except BaseException as error:  # a message that does not fit its arguments
        message = f"(its message raises {error_text(error)})"
    return f"{record.levelname} {shown(record.name)}: {shown(message, 200)}"
