"""Answers from a process in which the subject was never called.

What a subject keeps in its class or its module, a new instance in the same process finds again. So
a process is forked before the first call, and it forks a child for each question:

    ask(question) --> the fork of before the first call --> its child: answer(question)
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import sys
import time
from collections.abc import Callable

AVAILABLE = hasattr(os, "fork")
_LENGTH = struct.Struct("!I")


class FreshProcesses:
    """Forks at once; `answer` then runs in a child of that fork, once a question.

    `patience`: how many seconds a child may take before it is killed.
    """

    def __init__(self, answer: Callable[[bytes], bytes], patience: float) -> None:
        questions, self._questions = os.pipe()
        self._answers, answers = os.pipe()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or none at all
                stream.flush()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._questions)
            os.close(self._answers)
            _serve(questions, answers, answer, patience)
        os.close(questions)
        os.close(answers)

    def ask(self, question: bytes) -> bytes | None:
        """Give the answer to `question`, or `None` where the child died or took too long."""
        _write(self._questions, question)
        return _read(self._answers) or None

    def close(self) -> None:
        """End the forked process."""
        os.kill(self._pid, signal.SIGKILL)
        os.close(self._questions)
        os.close(self._answers)
        _wait_for(self._pid)


def _serve(questions: int, answers: int, answer: Callable[[bytes], bytes], patience: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is for the parent to handle
    status = 1
    try:
        while (question := _read(questions)) is not None:
            _write(answers, _in_a_child(answer, question, patience))
        status = 0
    finally:
        os._exit(status)


def _in_a_child(answer: Callable[[bytes], bytes], question: bytes, patience: float) -> bytes:
    """Give what the child answers; nothing where it dies, exits or takes too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            _silence()
            _write(writing, answer(question))
        finally:
            os._exit(0)
    os.close(writing)
    given = _read(reading, time.monotonic() + patience)
    os.close(reading)
    _kill(child)
    return given or b""


def _kill(child: int) -> None:
    """End the child and whatever it started."""
    for end in (os.killpg, os.kill):
        try:
            end(child, signal.SIGKILL)
        except ProcessLookupError:
            continue
    _wait_for(child)


def _wait_for(child: int) -> None:
    with contextlib.suppress(ChildProcessError):  # a subject may have SIGCHLD ignored
        os.waitpid(child, 0)


def _silence() -> None:
    """Whatever the subject prints was printed already in the run itself."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _write(to: int, data: bytes) -> None:
    left = _LENGTH.pack(len(data)) + data
    while left:
        left = left[os.write(to, left) :]


def _read(source: int, until: float | None = None) -> bytes | None:
    """Read one message; `None` where the other side is gone, or it is later than `until`."""
    head = _exactly(source, _LENGTH.size, until)
    return None if head is None else _exactly(source, _LENGTH.unpack(head)[0], until)


def _exactly(source: int, count: int, until: float | None) -> bytes | None:
    data = b""
    while len(data) < count:
        left = None if until is None else max(0.0, until - time.monotonic())
        if not select.select([source], [], [], left)[0]:
            return None
        chunk = os.read(source, count - len(data))
        if not chunk:
            return None
        data += chunk
    return data
