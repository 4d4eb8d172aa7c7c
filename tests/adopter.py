"""An adopter's module of tests, and pytest run on it in a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

RESOLVERS = """\
from contextlib import asynccontextmanager
from types import SimpleNamespace
import palettecheck
from palette_reference import RoleToolsResolver

TOOLS = [SimpleNamespace(name="quote"), SimpleNamespace(name="refund")]
log = []


def reference():
    return RoleToolsResolver({"action": {"search", "fetch"}})


class Empties:
    async def resolve(self, state, role, all_tools):
        return [t for t in all_tools if getattr(t, "name", None) == "quote"]


class Sorts:
    async def resolve(self, state, role, all_tools):
        return sorted(all_tools, key=lambda t: str(getattr(t, "name", ""))) or None


async def awaited():
    return reference()


@asynccontextmanager
async def entered():
    log.append("opened")
    yield reference()
    log.append("closed")

"""
Run = Callable[..., "subprocess.CompletedProcess[str]"]
CLEAN = 'test_palette = palettecheck.palette_tests(reference, profile="quick")\n'
EMPTY = 'test_palette = palettecheck.palette_tests(Empties, tools=TOOLS, profile="quick")\n'
SORTS = 'test_palette = palettecheck.palette_tests(Sorts, profile="quick"{})\n'
_MIXED = """
import asyncio
import pytest


@pytest.mark.asyncio
async def test_before():
    await asyncio.sleep(0)

{}

@pytest.mark.asyncio
async def test_after():
    await asyncio.sleep(0)
"""


def runner(folder: Path, mode: str) -> Run:
    """Runs pytest on a file of tests, in a process of its own, in one mode of pytest-asyncio."""

    def run(tests: str, *options: str) -> subprocess.CompletedProcess[str]:
        (folder / "test_it.py").write_text(RESOLVERS + tests)
        config = f"[pytest]\nasyncio_mode = {mode}\nasyncio_default_fixture_loop_scope = function\n"
        (folder / "pytest.ini").write_text(config)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
        env = {k: v for k, v in os.environ.items() if k != "PYTEST_ADDOPTS"} | {"COLUMNS": "100"}
        return subprocess.run(
            command, capture_output=True, text=True, cwd=folder, env=env, timeout=120
        )

    return run


def beside_async_tests(tests: str) -> str:
    """Put `tests` between two tests of pytest-asyncio."""
    return _MIXED.format(tests)


def counted(output: str) -> dict[str, int]:
    """How many items passed and failed, from pytest's last line."""
    return {word: int(n) for n, word in re.findall(r"\b(\d+) (passed|failed|error)", output)}


def program_in(output: str) -> str:
    """The reproducer that a failing item prints."""
    return output.partition("can be imported:\n")[2].partition("asyncio.run(main())")[0] + (
        "asyncio.run(main())"
    )
