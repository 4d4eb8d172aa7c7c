"""A question is answered in a process in which nothing happened before."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from palettecheck.engine.fresh import FreshProcesses

remembered: list[bytes] = []


def answer(question: bytes) -> bytes:
    remembered.append(question)
    if question == b"die":
        os._exit(9)
    if question == b"raise":
        raise RuntimeError
    if question == b"hang":
        time.sleep(60)
    if question == b"leave a child":
        if os.fork() == 0:
            time.sleep(60)
        return b"left"
    return b" ".join(remembered)


@pytest.fixture
def fresh() -> Iterator[FreshProcesses]:
    remembered.clear()
    made = FreshProcesses(answer, patience=2)
    yield made
    made.close()


def test_no_question_remembers_another_one(fresh: FreshProcesses) -> None:
    remembered.append(b"in the parent")

    assert [fresh.ask(b"one"), fresh.ask(b"two")] == [b"one", b"two"]


def test_a_long_answer_comes_whole(fresh: FreshProcesses) -> None:
    assert fresh.ask(b"x" * 1_000_000) == b"x" * 1_000_000


@pytest.mark.parametrize("question", [b"die", b"raise", b"hang"])
def test_a_child_that_gives_no_answer_is_survived(
    fresh: FreshProcesses, question: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    assert fresh.ask(question) is None
    assert fresh.ask(b"next") == b"next"


def test_what_a_child_starts_ends_with_it(fresh: FreshProcesses) -> None:
    started = time.monotonic()

    assert fresh.ask(b"leave a child") == b"left"
    assert time.monotonic() - started < 30
