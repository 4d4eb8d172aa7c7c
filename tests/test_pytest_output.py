"""What an item says is what the command says, and its program really fails."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from adopter import EMPTY, Run, counted, program_in
from command import palettecheck
from palettecheck.reproducer import LONGEST, reproducer
from palettecheck.rules import Fault
from palettecheck.scenario import Scenario, Tool
from palettecheck.subject import Built

FIRST = """
class KeepsTheFirst:
    async def resolve(self, state, role, all_tools):
        return all_tools[:1] or None

test_palette = palettecheck.palette_tests(KeepsTheFirst, profile="quick", strict=True)
"""
REMEMBERS = """
class Remembers:
    def __init__(self):
        self.palettes = {}

    async def resolve(self, state, role, all_tools):
        if role not in self.palettes and all_tools:
            self.palettes[role] = list(all_tools)
        return self.palettes.get(role)

test_palette = palettecheck.palette_tests(Remembers, tools=TOOLS, profile="quick")
"""
INDEXES = """
from shop import STATES, build

test_palette = palettecheck.palette_tests(build, tools=TOOLS, states=STATES, profile="quick")
"""
SHOP = """
from contextlib import asynccontextmanager

class Plan:
    def __repr__(self):
        return "a plan"

STATES = [{"plan": Plan()}]

class Indexes:
    async def resolve(self, state, role, all_tools):
        if state.get("plan") is STATES[0]["plan"]:
            raise LookupError("no palette for that plan")

@asynccontextmanager
async def build():
    yield Indexes()
"""


@pytest.mark.parametrize(
    ("tests", "rule", "said"),
    [
        (EMPTY, "R03", "R03 never-empty: []"),
        (FIRST, "R17", "R17 order-blind: "),
        (REMEMBERS, "R02", "R02 no-expansion: "),
        (INDEXES, "R09", "LookupError: no palette for that plan"),
    ],
    ids=["a rule", "a relation", "after an earlier call", "imported, entered, with a live state"],
)
def test_the_program_in_an_item_fails_in_a_new_process(
    run_once: Run, tmp_path: Path, tests: str, rule: str, said: str
) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    output = run_once(tests, "-k", rule).stdout
    program = program_in(output)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )

    assert counted(output) == {"failed": 1}
    assert done.returncode != 0
    assert said in done.stderr, program


def test_an_item_says_what_the_command_says(run_once: Run, tmp_path: Path) -> None:
    item = run_once(EMPTY, "-k", "R03").stdout
    asked = ("test_it.py:Empties", "--tools", "test_it.py:TOOLS", "--profile", "quick")
    command = palettecheck("certify", *asked, cwd=tmp_path).stdout
    printed = "\n".join(line.rstrip() for line in command.splitlines())
    breach = re.search(r"^R03 never-empty: fail\n.*?\(main\(\)\)$", printed, re.S | re.M)

    assert breach is not None
    assert f"_____\n{breach[0]}\n=====" in item


@pytest.mark.parametrize(
    ("factory", "line"),
    [
        ("lambda: Empties()", "resolver = ...  # as your factory makes it: lambda: Empties()"),
        ("(lambda made: lambda: made())(Empties)", "resolver = ...  # as your factory makes it"),
        ("local()", "resolver = ...  # as your factory makes it: local.<locals>.make()"),
    ],
    ids=["lambda", "lambda in a lambda", "local"],
)
def test_a_factory_without_a_name_leaves_one_line_to_fill_in(
    run_once: Run, factory: str, line: str
) -> None:
    tests = "def local():\n    def make():\n        return Empties()\n    return make\n"
    output = run_once(tests + EMPTY.replace("Empties,", f"{factory},"), "-k", "R03").stdout

    assert [made.strip() for made in program_in(output).splitlines() if "..." in made] == [line]
    assert "from test_it import TOOLS" in output


@pytest.mark.parametrize(
    "tools",
    ["[*TOOLS]", "__import__('hypothesis').strategies.just(TOOLS)"],
    ids=["a list without a name", "a strategy"],
)
def test_an_item_says_why_there_is_no_program(run_once: Run, tools: str) -> None:
    output = run_once(EMPTY.replace("=TOOLS", f"={tools}"), "-k", "R03").stdout

    assert counted(output) == {"failed": 1}
    assert "note      no reproducer: another process cannot have these tools" in output
    assert "asyncio.run" not in output


def test_a_warning_is_shown_at_the_line_that_asked(run_once: Run) -> None:
    output = run_once(FIRST.replace(", strict=True", ""), "-k", "R17").stdout

    assert re.search(r"test_it.py:\d+: PaletteAdvice: R17 order-blind: advice", output)
    assert "scenario  resolve({}, 'action', " in output


def test_what_showed_once_is_said_and_not_asked_for_again(run_once: Run) -> None:
    once = """
class Once:
    empty = iter([True])

    async def resolve(self, state, role, all_tools):
        return [] if all_tools and next(Once.empty, False) else None

test_palette = palettecheck.palette_tests(Once, profile="quick")
"""
    output = run_once(once, "-k", "R03").stdout

    assert counted(output) == {"failed": 1}
    assert "note      seen once; it did not show again on a new instance" in output
    assert "Flaky" not in output


def test_nothing_follows_what_is_to_be_filled_in() -> None:
    calls = [Scenario((Tool(name),), (0,), state={"plan": name}) for name in ("a", "b", "c", "d")]
    fault = Fault("", "", "assert state == before", "before = dict(state)", during=True)
    program = reproducer("", Built(awaited=True, entered=True), calls, "R08", fault, "build()")

    assert len(program.splitlines()) <= LONGEST
    assert "    async with ... as resolver:  # as your factory makes it: build()\n" in program
    program = reproducer("", Built(called=True), calls, "R08", fault, "build()")
    assert "    resolver = ...  # as your factory makes it: build()\n" in program
    assert ";" in program
