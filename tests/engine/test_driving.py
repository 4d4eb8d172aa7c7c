"""The suite's own coroutine comes to its end, whatever the subject's tasks raise."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from palettecheck.engine.driving import drive


async def raising(error: type[BaseException]) -> None:
    raise error


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, ValueError])
def test_a_task_of_the_subject_cannot_end_the_run(error: type[BaseException]) -> None:
    async def run() -> str:
        try:
            await asyncio.ensure_future(raising(error))
        except error:
            return "seen"
        return "not seen"

    assert drive(run()) == "seen"


def test_the_first_interrupt_cancels_and_the_rest_can_be_told() -> None:
    async def run() -> str:
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "told"
        return "not interrupted"

    before = signal.getsignal(signal.SIGINT)

    assert drive(run()) == "told"
    assert signal.getsignal(signal.SIGINT) is before


def test_the_second_interrupt_ends_it() -> None:
    async def run() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        drive(run())


@pytest.mark.parametrize("name", ["Swallows", "SwallowsInSilence"])
def test_a_process_ends_that_has_left_behind_what_cannot_be_closed(name: str) -> None:
    code = f"""
from palettecheck import certify
print(certify("engine.odd_hosts:{name}", node=True, profile="quick").stopped)
"""
    command = [sys.executable, "-c", code]
    tests = Path(__file__).parent.parent

    said = subprocess.check_output(command, cwd=tests, text=True, timeout=60)

    assert said.startswith("no result within 10 s from registry [")
