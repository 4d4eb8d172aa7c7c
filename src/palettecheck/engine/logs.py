"""Keeps what a subject logs off the terminal, where a line a call would bury the report."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from palettecheck.shown import record_text


@contextmanager
def collected(
    notes: list[str], hears: Callable[[logging.LogRecord], bool] = lambda record: False
) -> Iterator[None]:
    """Take every log record that Python's `logging` would hand on; say in `notes` what they were.

    `hears` may take a record for itself, and says so; that one is not told of. Records are taken
    where loggers hand them to handlers, so that one which does not propagate is heard as well.
    """
    count, first = 0, ""

    def take(logger: logging.Logger, record: logging.LogRecord) -> None:
        nonlocal count, first
        if not hears(record):
            count += 1
            first = first or record_text(record)

    plain = logging.Logger.callHandlers
    # All records come by here, and nowhere else.
    logging.Logger.callHandlers = take  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        logging.Logger.callHandlers = plain  # type: ignore[method-assign]
        if count:
            records = "one record" if count == 1 else f"{count:,} records, the first"
            notes.append(f"the subject logged {records}: {first}")
