"""Keeps what a subject logs off the terminal, where a line a call would bury the report."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from palettecheck.shown import error_text, shown

_Take: TypeAlias = Callable[[logging.LogRecord], None]
_LISTENERS: list[tuple[_Take]] = []  # of which the last one hears


@contextmanager
def listening(take: _Take) -> Iterator[None]:
    """Have `take` hear every log record that Python's `logging` would hand on, and nobody else.

    Records are taken where loggers hand them to handlers, so that one which does not propagate is
    heard as well. Who began to listen later, and was left behind, does not listen any longer.
    """
    own = (take,)
    if not _LISTENERS:
        _install(_hear)
    _LISTENERS.append(own)
    try:
        yield
    finally:
        at = next((i for i, one in enumerate(_LISTENERS) if one is own), None)
        if at is not None:
            del _LISTENERS[at:]
            if not _LISTENERS:
                _install(_PLAIN)


_PLAIN = logging.Logger.callHandlers


def _hear(logger: logging.Logger, record: logging.LogRecord) -> None:
    _LISTENERS[-1][0](record)


def _install(heard_by: Callable[[logging.Logger, logging.LogRecord], None]) -> None:
    # All records come by here, and nowhere else.
    logging.Logger.callHandlers = heard_by  # type: ignore[method-assign, assignment]


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
