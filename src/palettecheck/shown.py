"""How anything from an adopter is put into words: escaped, cut to size, and never trusted.

A tool's name may hold terminal escapes, an object's `__repr__` may raise, a class may lie about
its name. What these functions give is safe to print; it is always one line.
"""

from __future__ import annotations

import logging
from typing import Any

_PLAIN = (bool, bytes, complex, float, int, str, type(None))


def shown(text: str, limit: int = 60) -> str:
    """Give `text` with whatever is not printable escaped, at most about `limit` characters long.

    A longer text keeps its beginning and says how long it was.
    """
    if len(text) > limit:
        return f"{_escaped(text[:limit])}… ({len(text):,} characters)"
    return _escaped(text)


def _escaped(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def quoted(text: str, limit: int = 60) -> str:
    """Give `text` between quotes, as `shown`."""
    return repr(text) if len(text) <= limit and text.isprintable() else f"'{shown(text, limit)}'"


def type_name(value: object) -> str:
    """Give the name of the type of `value`, whatever its class or metaclass claims."""
    return shown(type.__dict__["__name__"].__get__(type(value)))


def has_method(value: object, name: str) -> bool:
    """Say whether the type of `value` has `name`, whatever its metaclass or its class claims."""
    mro = type.__dict__["__mro__"].__get__(type(value))
    return any(name in type.__dict__["__dict__"].__get__(kind) for kind in mro)


def with_article(noun: str) -> str:
    """Give `noun` with "a" or "an" before it."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def text_of(value: Any, limit: int = 120) -> str:
    """Give the `repr` of `value`, or its type where the `repr` raises or gives no string."""
    try:
        text = repr(value)
    except BaseException:  # whatever a foreign repr raises, it is only a description that is lost
        return f"<{type_name(value)} whose repr raises>"
    return shown(str.__str__(text), limit)


def error_text(error: BaseException) -> str:
    """Give the type and the message of `error` on one line."""
    try:
        message = str.__str__(str(error))
    except BaseException:  # as in text_of
        message = "(its message raises)"
    return f"{type_name(error)}: {shown(message, 200)}" if message else type_name(error)


def record_text(record: logging.LogRecord) -> str:
    """Give the level, the logger and the message of a log record."""
    try:
        message = str.__str__(record.getMessage())
    except BaseException as error:  # a message that does not fit its arguments
        message = f"(its message raises {error_text(error)})"
    return f"{record.levelname} {shown(record.name)}: {shown(message, 200)}"


def is_plain(value: object) -> bool:
    """Say whether `value` is of a built-in scalar type, whose `repr` is safe to call."""
    kind = type(value)
    return any(kind is plain for plain in _PLAIN)  # a metaclass may have an `__eq__` of its own
