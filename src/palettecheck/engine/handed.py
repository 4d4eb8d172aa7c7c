"""What quick calls were given: kept, and looked at for changes all at once, by identity.

To look after each call would cost more than the call. Equality would not do: the suite's own tools
are equal to their copies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from operator import is_
from typing import Any, TypeAlias

from palettecheck.engine.tray import Tray
from palettecheck.plain import Frozen, difference
from palettecheck.scenario import Scenario

# On which tray, the list, the state as it was, the state as it is now, and for what.
Handed: TypeAlias = tuple[Tray, list[Any], dict[str, Any], dict[str, Any], Scenario]
LiveState: TypeAlias = tuple[Frozen, dict[str, Any]]


def lists_changed(handed: Sequence[Handed]) -> bool:
    """Say whether a list has other members or another order."""
    return not _are_same([given for _, given, *_ in handed], [tray.tools for tray, *_ in handed])


def states_changed(handed: Sequence[Handed]) -> bool:
    """Say whether a state has other keys, or other values under them."""
    before = [was for _, _, was, _, _ in handed]
    states = [state for _, _, _, state, _ in handed]
    values = [*map(dict.values, states)], [*map(dict.values, before)]
    return not (_are_same(states, before) and _are_same(*values))


def tools_changed(handed: Sequence[Handed]) -> bool:
    """Say whether a tool is not as it was made."""
    rows = {(tray.whole or tray).row for tray in {tray for tray, *_ in handed}}
    return any(row.changed("afterwards") for row in rows)


def insides_changed(states: Iterable[LiveState]) -> bool:
    """Say whether something within a state is not as it was."""
    return any(difference(frozen, live, "") for frozen, live in states)


def _are_same(now: Sequence[Collection[Any]], before: Sequence[Collection[Any]]) -> bool:
    """Whether two series of collections have the same objects in the same order."""
    return [*map(len, now)] == [*map(len, before)] and all(
        map(is_, chain.from_iterable(now), chain.from_iterable(before))
    )
