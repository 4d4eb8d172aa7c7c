"""`palette_tests` gives real pytest items, and real Hypothesis tests, in an adopter's own run."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import palettecheck
from adopter import CLEAN, EMPTY, SORTS, Run, beside_async_tests, counted
from palettecheck.rules.every import RESOLVER_RULES


@pytest.fixture
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Hypothesis thinks that it runs in CI, it heeds no seed and keeps no examples."""
    for name in ("CI", "GITHUB_ACTIONS", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)


def test_a_clean_resolver_passes_one_item_a_rule_beside_async_tests(run: Run) -> None:
    done = run(beside_async_tests(CLEAN), "-v")

    assert counted(done.stdout) == {"passed": len(RESOLVER_RULES) + 2}, done.stdout
    for rule in RESOLVER_RULES:
        assert f"test_it.py::test_palette[{rule.id}-{rule.slug}] PASSED" in done.stdout


def test_a_breach_fails_its_own_item_alone(run: Run) -> None:
    done = run(EMPTY)

    assert counted(done.stdout) == {"failed": 1, "passed": len(RESOLVER_RULES) - 1}, done.stdout
    assert "FAILED test_it.py::test_palette[R03-never-empty]" in done.stdout
    assert re.search(r"scenario  resolve\(\{\}, 'action', \[refund\]\)", done.stdout), done.stdout
    assert "wanted    at least one tool, or None to abstain" in done.stdout
    assert "seen      []" in done.stdout


def test_two_subjects_run_on_two_workers(run: Run) -> None:
    tests = (
        CLEAN
        + EMPTY.replace("test_palette", "test_other")
        + SORTS.format("").replace("test_palette", "test_sorts")
    )
    done = run(beside_async_tests(tests), "-n", "2")

    assert counted(done.stdout) == {"failed": 1, "passed": 3 * len(RESOLVER_RULES) + 1}, done.stdout
    assert "2 workers" in done.stdout
    failures = done.stdout.partition("short test summary")[0]  # where CI is set, it tells all again
    assert failures.count("R03 never-empty: fail\n  scenario") == 1
    assert done.stdout.count("PaletteAdvice: R16 keeps-order: advice") == 1


def test_a_should_is_a_warning(run_once: Run) -> None:
    done = run_once(SORTS.format(""))

    assert counted(done.stdout) == {"passed": len(RESOLVER_RULES)}
    assert "PaletteAdvice: R16 keeps-order: advice" in done.stdout
    assert re.search(r"resolve\(\{\}, 'action', \[[^,]*, [^,]*\]\)", done.stdout)


@pytest.mark.parametrize(
    ("argument", "options"),
    [(", strict=True", ()), ("", ("-W", "error::palettecheck.PaletteAdvice"))],
    ids=["strict", "warnings are errors"],
)
def test_a_should_fails_where_that_is_asked_for(
    run_once: Run, argument: str, options: tuple[str, ...]
) -> None:
    done = run_once(SORTS.format(argument), "-k", "R16", *options)

    assert counted(done.stdout) == {"failed": 1}
    assert "R16 keeps-order: " in done.stdout
    assert "Flaky" not in done.stdout


def test_items_can_be_chosen(run_once: Run) -> None:
    beside = CLEAN + "\ndef test_other(): pass\n"
    marked = run_once(beside, "-m", "hypothesis", "--collect-only", "-q").stdout

    assert counted(run_once(CLEAN, "-k", "R03").stdout) == {"passed": 1}
    assert [line for line in marked.splitlines() if "::" in line] == [
        f"test_it.py::test_palette[{rule.id}-{rule.slug}]" for rule in RESOLVER_RULES
    ]


def test_the_statistics_are_those_of_hypothesis(run_once: Run) -> None:
    output = run_once(CLEAN, "--hypothesis-show-statistics").stdout

    assert output.count("Stopped because settings.max_examples=30") == len(RESOLVER_RULES)
    for rule in RESOLVER_RULES:
        assert f"test_it.py::test_palette[{rule.id}-{rule.slug}]:\n" in output


def test_what_failed_before_is_made_first(run_once: Run, no_ci: None) -> None:
    runs = [run_once(EMPTY, "-k", "R03", "--hypothesis-show-statistics").stdout for _ in range(2)]

    assert "during reuse phase" not in runs[0]
    assert re.search(r"during reuse phase .*\n.*\n.* 0 passing, 1 failing", runs[1]), runs[1]
    assert "during generate phase" not in runs[1]


def test_a_seed_draws_the_same_again(run_once: Run, no_ci: None) -> None:
    drawn = """
class Prints:
    async def resolve(self, state, role, all_tools):
        print(role, sorted(state), len(all_tools))

test_palette = palettecheck.palette_tests(Prints, profile="quick")
"""
    outputs = [
        re.sub(r"in [\d.]+s", "", run_once(drawn, "-k", "R04", "-s", seed).stdout)
        for seed in ("--hypothesis-seed=1", "--hypothesis-seed=1", "--hypothesis-seed=2")
    ]

    assert outputs[0] == outputs[1] != outputs[2]


@pytest.mark.parametrize("factory", ["awaited", "entered"])
def test_a_factory_may_be_async_or_a_context_manager(run_once: Run, factory: str) -> None:
    done = run_once(
        f'test_palette = palettecheck.palette_tests({factory}, profile="quick")\n'
        "def test_closed():\n"
        '    assert log.count("opened") == log.count("closed")\n'
        f"    assert bool(log) == ({factory} is entered)\n"
        '    assert log[:2] in ([], ["opened", "closed"])\n',
        "-k",
        "R01 or closed",
    )

    assert counted(done.stdout) == {"passed": 2}, done.stdout


def test_two_subjects_in_one_module_share_nothing(run_once: Run) -> None:
    done = run_once(CLEAN + EMPTY.replace("test_palette", "test_other"), "-k", "R03")

    assert counted(done.stdout) == {"passed": 1, "failed": 1}
    assert "FAILED test_it.py::test_other[R03-never-empty]" in done.stdout


def test_a_rule_that_is_never_met_is_inconclusive(run_once: Run) -> None:
    abstains = """
class Abstains:
    async def resolve(self, state, role, all_tools):
        return None

test_palette = palettecheck.palette_tests(Abstains, profile="quick")
"""
    done = run_once(abstains, "-k", "R01")

    assert counted(done.stdout) == {"passed": 1}
    assert "PaletteAdvice: inconclusive: R01 same-instances: it only ever abstained" in done.stdout


def test_strategies_of_tools_and_states_are_drawn_from(run_once: Run) -> None:
    done = run_once(
        "from hypothesis import strategies as st\n"
        "test_palette = palettecheck.palette_tests(Empties, profile='quick',"
        " tools=st.lists(st.builds(SimpleNamespace, name=st.just('other')), min_size=1),"
        " states=st.just({'plan': 'free'}))\n",
        "-k",
        "R03",
    )

    assert counted(done.stdout) == {"failed": 1}
    assert "[other]" in done.stdout


def test_a_factory_that_cannot_build_is_one_sentence(run_once: Run) -> None:
    done = run_once("test_palette = palettecheck.palette_tests(lambda: 7)\n", "-k", "R03")

    assert counted(done.stdout) == {"failed": 1}
    assert "is no resolver: an int has no `resolve`" in done.stdout


def test_arguments_that_cannot_be_used_are_refused() -> None:
    with pytest.raises(TypeError, match="factory"):
        palettecheck.palette_tests(object())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no profile 'long'"):
        palettecheck.palette_tests(object, profile="long")
    with pytest.raises(palettecheck.TargetError, match="names"):
        palettecheck.palette_tests(object, tools=["search"])


def test_the_package_does_not_import_hypothesis_or_pytest() -> None:
    code = (
        "import sys, palettecheck, palettecheck.cli;"
        "assert not {'hypothesis', 'pytest'} & {*sys.modules}"
    )

    subprocess.run([sys.executable, "-c", code], check=True)
