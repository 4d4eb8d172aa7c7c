"""`palette_tests(node=...)` gives one pytest item a rule, which tell of one run of the host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import palettecheck
from adopter import Run, beside_async_tests, counted
from command import TESTS
from command import palettecheck as command
from palettecheck.rules.node import NODE_RULES

HANDWRITTEN = TESTS / "adopters" / "handwritten"
NODE = "test_node = palettecheck.palette_tests(node={})\n"
# Where it does not matter, hosts have one lever, so that there are few courses.
MADE = """
from repaired import Node

class WritesState(Node):
    levers = {"tool_choice"}

    async def iterate(self, state, tool_choice=None):
        state["seen"] = True
        return await super().iterate(state, tool_choice)

class Narrow(Node):
    levers = {"tool_choice"}

class Broken(Node):
    async def iterate(self, state, tool_choice=None):
        return None

class Refuses(Node):
    levers = {"tool_choice"}

    async def iterate(self, state, tool_choice=None):
        if tool_choice is not None:
            raise CannotAriseError("nothing is ever forced")
        return await super().iterate(state, tool_choice)

async def built(registry, resolver, always_include):
    return Node(registry, resolver, always_include)

class Counts(Node):
    levers = {"tool_choice"}

    built = 0

    def __init__(self, *arguments):
        super().__init__(*arguments)
        Counts.built += 1

class Swallows(Node):
    async def iterate(self, state, tool_choice=None):
        if tool_choice is None:
            return await super().iterate(state, tool_choice)
        while True:
            try:
                await asyncio.Event().wait()
            except BaseException:
                pass
"""
IMPORTS = "import asyncio\nfrom palettecheck.host import CannotAriseError\n"


@pytest.fixture
def recipes(tmp_path: Path) -> None:
    """The recipes, where the adopter's tests can import them."""
    for name in ("faulty.py", "repaired.py"):
        (tmp_path / name).write_text((HANDWRITTEN / name).read_text())


def made(host: str, argument: str = "") -> str:
    return IMPORTS + MADE + NODE.format(host + argument)


def skipped(output: str) -> int:
    found = re.search(r"\b(\d+) skipped", output)
    return int(found[1]) if found else 0


@pytest.mark.usefixtures("recipes")
def test_the_repaired_recipe_passes_one_item_a_rule_beside_async_tests(run: Run) -> None:
    done = run(beside_async_tests("from repaired import Node\n" + NODE.format("Node")), "-v")

    assert counted(done.stdout) == {"passed": len(NODE_RULES) + 2}, done.stdout
    for rule in NODE_RULES:
        assert f"test_it.py::test_node[{rule.id}-{rule.slug}] PASSED" in done.stdout
    assert "warning" not in done.stdout


@pytest.mark.usefixtures("recipes")
def test_the_faulty_recipe_fails_the_rules_that_the_command_names(
    run_once: Run, tmp_path: Path
) -> None:
    done = run_once("from faulty import Node\n" + NODE.format("Node"))
    asked = ("certify", "--node", "faulty.py:Node", "--profile", "quick")
    table = command(*asked, cwd=tmp_path).stdout

    failed = re.findall(r"FAILED test_it.py::test_node\[(N\d\d)-", done.stdout)
    assert failed == re.findall(r"│ (N\d\d) \S+ +│ MUST +│ fail ", table) != []


@pytest.mark.usefixtures("recipes")
def test_an_item_says_what_the_command_says_with_every_kind_of_breach(
    run_once: Run, tmp_path: Path
) -> None:
    item = run_once("from faulty import Node\n" + NODE.format("Node"), "-k", "N10").stdout
    asked = ("certify", "--node", "faulty.py:Node", "--profile", "quick")
    printed = command(*asked, cwd=tmp_path, env={"COLUMNS": "100"}).stdout
    lines = "\n".join(line.rstrip() for line in printed.splitlines())
    breach = re.search(r"^N10 bound-once: fail\n.*?(?=\n  reproducer)", lines, re.S | re.M)

    assert breach is not None
    assert "\n  and\n" in breach[0]
    assert f"_____\n{breach[0]}\n  reproducer" in item


@pytest.mark.usefixtures("recipes")
def test_two_workers_share_the_items(run_once: Run) -> None:
    done = run_once("from faulty import Node\n" + NODE.format("Node"), "-n", "2")
    expected = run_once("from faulty import Node\n" + NODE.format("Node"))

    assert "2 workers" in done.stdout
    assert counted(done.stdout) == counted(expected.stdout)


@pytest.mark.usefixtures("recipes")
@pytest.mark.parametrize(
    "host", ["Node", "built", "lambda *given: Node(*given)"], ids=["class", "function", "lambda"]
)
def test_a_host_may_be_a_class_a_function_or_a_lambda(run_once: Run, host: str) -> None:
    done = run_once(made(host), "-k", "N04")

    assert counted(done.stdout) == {"passed": 1}, done.stdout


def agents(run: Run, argument: str, items: str) -> int:
    """How many agents the items of a host build in all; none before they run."""
    before = "\ndef test_before():\n    assert Counts.built == 0\n"
    after = "\ndef test_after():\n    print(f'{Counts.built} agents')\n"
    tests = IMPORTS + MADE + before + NODE.format(f"Counts{argument}") + after
    done = run(tests, "-s", "-k", f"before or after or {items}")
    found = re.search(r"(\d+) agents", done.stdout)

    assert found, done.stdout
    assert "failed" not in counted(done.stdout), done.stdout
    return int(found[1])


@pytest.mark.usefixtures("recipes")
def test_a_host_is_driven_once_for_all_items_and_not_before_the_first(run_once: Run) -> None:
    assert agents(run_once, "", "N04") == agents(run_once, "", "N04 or N05 or N08") > 100


@pytest.mark.usefixtures("recipes")
def test_a_profile_may_be_chosen(run_once: Run) -> None:
    quick = agents(run_once, "", "N04")

    assert agents(run_once, ", profile='quick'", "N04") == quick
    assert agents(run_once, ", profile='default'", "N04") > quick


@pytest.mark.usefixtures("recipes")
def test_a_should_is_a_warning_at_the_line_that_asked(run_once: Run) -> None:
    done = run_once(made("WritesState"), "-k", "N14 or N15")

    assert counted(done.stdout) == {"passed": 2}, done.stdout
    assert re.search(r"test_it.py:\d+: PaletteAdvice: N14 state-untouched: advice", done.stdout)
    assert "seen      state['seen'] is new" in done.stdout


@pytest.mark.usefixtures("recipes")
@pytest.mark.parametrize(
    ("argument", "options"),
    [(", strict=True", ()), ("", ("-W", "error::palettecheck.PaletteAdvice"))],
    ids=["strict", "warnings are errors"],
)
def test_a_should_fails_where_that_is_asked_for(
    run_once: Run, argument: str, options: tuple[str, ...]
) -> None:
    done = run_once(made("WritesState", argument), "-k", "N14 or N15", *options)

    assert counted(done.stdout) == {"failed": 1, "passed": 1}, done.stdout
    assert "_____\nN14 state-untouched: " in done.stdout


@pytest.mark.usefixtures("recipes")
def test_a_rule_without_its_lever_is_skipped_with_the_reason(run_once: Run) -> None:
    done = run_once(made("Narrow"), "-rs", "-k", "N02 or N05 or N07")

    assert (counted(done.stdout), skipped(done.stdout)) == ({"passed": 1}, 2), done.stdout
    assert "N02 narrows-only: the host has no resolved_tools" in done.stdout
    assert "N07 always-included: the host has no always_include" in done.stdout


@pytest.mark.usefixtures("recipes")
def test_a_rule_that_is_never_met_is_inconclusive(run_once: Run) -> None:
    done = run_once(made("Refuses"), "-k", "N05")

    assert counted(done.stdout) == {"passed": 1}, done.stdout
    words = "PaletteAdvice: inconclusive: N05 forced-present: it never met a forced tool"
    assert words in done.stdout


@pytest.mark.usefixtures("recipes")
def test_a_broken_adapter_fails_one_item_and_the_others_name_it(run_once: Run) -> None:
    done = run_once(made("Broken"), "-rs")

    assert counted(done.stdout) == {"failed": 1}, done.stdout
    assert skipped(done.stdout) == len(NODE_RULES) - 1
    assert "the adapter is broken: iterate() gave a NoneType" in done.stdout
    assert "the adapter is broken: see test_node[N01-bound-from-registry]" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.usefixtures("recipes")
def test_a_run_that_was_stopped_does_not_pass(run_once: Run) -> None:
    done = run_once(made("Swallows"), "-rs")

    assert counted(done.stdout).get("passed") is None, done.stdout
    assert counted(done.stdout)["failed"] >= 1
    assert "the run was stopped: no result within 10 s from registry [" in done.stdout


def test_arguments_that_cannot_be_used_are_refused() -> None:
    def node() -> None: ...

    with pytest.raises(TypeError, match="one of the two: a factory"):
        palettecheck.palette_tests()
    with pytest.raises(TypeError, match="one of the two"):
        palettecheck.palette_tests(object, node=node)
    with pytest.raises(TypeError, match="node is the class or function"):
        palettecheck.palette_tests(node=7)  # type: ignore[arg-type]
    for own in ({"tools": []}, {"states": []}):
        with pytest.raises(TypeError, match="leave yours out"):
            palettecheck.palette_tests(node=node, **own)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no profile 'long'"):
        palettecheck.palette_tests(node=node, profile="long")


def test_levers_that_there_are_not_are_refused() -> None:
    def node() -> None: ...

    node.levers = {"force"}  # type: ignore[attr-defined]
    with pytest.raises(palettecheck.TargetError, match="levers that there are not: 'force'"):
        palettecheck.palette_tests(node=node)
