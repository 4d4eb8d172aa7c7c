"""The fewest earlier calls after which the last one still breaks its rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Call = TypeVar("Call")
Shown = TypeVar("Shown")

_LONGEST = 1_024
_MOST = 500  # histories that are tried: each takes as long as its calls


def least_history(
    breaks: Callable[[Sequence[Call]], Shown | None], earlier: Sequence[Call]
) -> tuple[tuple[Call, ...], Shown] | None:
    """Give the calls to make before, mostly none, and what `breaks` gave for them.

    `breaks` tells whether the last call breaks the rule after the calls that it is given. `None`
    where not even the last thousand of `earlier` bring the fault back.
    """
    length, shown = 0, breaks(())
    while shown is None and length < min(len(earlier), _LONGEST):
        length = min(2 * length or 1, len(earlier), _LONGEST)
        shown = breaks(earlier[-length:])
    if shown is None:
        return None
    return _without_idle_calls(breaks, tuple(earlier[-length:] if length else ()), shown)


def _without_idle_calls(
    breaks: Callable[[Sequence[Call]], Shown | None], kept: tuple[Call, ...], shown: Shown
) -> tuple[tuple[Call, ...], Shown]:
    chunk, asked = len(kept) // 2, 0
    while chunk:
        start = 0
        while start < len(kept) and asked < _MOST:
            asked += 1
            fewer = kept[:start] + kept[start + chunk :]
            if (still := breaks(fewer)) is not None:
                kept, shown = fewer, still
            else:
                start += chunk
        chunk //= 2
    return kept, shown
