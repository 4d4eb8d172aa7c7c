"""Work in a process of its own, so that no member of the gallery can spoil or hang the command.

What a member keeps in its class or its module would be there for the next measurement as well.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

T = TypeVar("T")

_CONTEXT: Any = multiprocessing.get_context("fork" if hasattr(os, "fork") else "spawn")


def alone(patience: float, work: Callable[..., T], *arguments: Any) -> T:
    """Give what `work` gives; raise `TimeoutError` where it dies, or takes `patience` seconds.

    `arguments`, and what it gives: plain data.
    """
    here, there = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_do, args=(there, work, arguments), daemon=True)
    process.start()
    there.close()
    try:
        answer: T = _received(here, patience)
        return answer
    finally:
        process.kill()  # threads of the subject's may go on for ever
        process.join()
        here.close()


def _received(here: Connection, patience: float) -> Any:
    try:
        if here.poll(patience):
            return here.recv()
    except EOFError:
        pass
    raise TimeoutError(f"no answer within {patience:g} seconds, or the process ended")


def _do(there: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    there.send(work(*arguments))
