"""A function run in a child of this process, since members remember in their classes and modules.

What one test has called would otherwise be there for another one, whichever comes first.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from palettecheck.engine.fresh import FreshProcesses

T = TypeVar("T")

_PATIENCE = 900.0  # seconds


def forked(function: Callable[[], T]) -> T:
    """Give what `function` gives, which has to be picklable; raise where it gives nothing."""
    child = FreshProcesses(lambda question: pickle.dumps(function()), _PATIENCE)
    try:
        answer = child.ask(b"?")
    finally:
        child.close()
    if answer is None:
        raise RuntimeError("the child raised, died, or took too long")
    given: T = pickle.loads(answer)
    return given
