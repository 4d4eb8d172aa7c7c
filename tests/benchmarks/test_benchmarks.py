"""The benchmarks measure what they say. No test here looks at how long anything takes."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks import cli, growth, speed
from benchmarks.alone import alone
from benchmarks.counting import TARGET, count
from benchmarks.first_breach import first_breach
from benchmarks.measuring import Stamps, exponent, swept
from benchmarks.natural import first_failure
from command import ROOT


class Tallied:
    """A sound resolver that knows how often it was called."""

    calls = 0

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        Tallied.calls += 1
        return all_tools[:] or None


class FailsTheFifthTime:
    """Raises in the fifth call of the process."""

    calls = 0

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        FailsTheFifthTime.calls += 1
        return all_tools[:] or None if FailsTheFifthTime.calls < 5 else 1 / 0


class EndsTheProcess:
    """Exits in a task, which takes the event loop along."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        await asyncio.gather(self._exit())

    async def _exit(self) -> None:
        sys.exit("enough")


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as its users do."""
    return subprocess.run(
        [sys.executable, "tests/benchmarks", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1"},
        timeout=60,
    )


def figures(line: str) -> list[float]:
    """The numbers in a line of a table."""
    return [float(text.replace(",", "")) for text in re.findall(r"\d[\d,]*(?:\.\d+)?", line)]


def line_of(output: str, start: str) -> str:
    """The line that starts with `start`."""
    return next(line for line in output.splitlines() if line.strip().startswith(start))


def test_speed_prints_each_way_beside_the_bare_loop() -> None:
    done = benchmarks("speed", "--scenarios", "1", "--repeats", "1")

    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert len(figures(line_of(done.stdout, "bare loop"))) == 3
    a_second, calls, ratio, asked = figures(line_of(done.stdout, "single-call rules, warm"))
    assert (calls, asked) == (1.0, 0.1316)
    assert a_second > 0
    assert ratio > 0
    _, calls, _, asked = figures(line_of(done.stdout, "all rules, warm"))
    assert calls > 1
    assert asked == 0.0263
    assert len(figures(line_of(done.stdout, "all rules, first pass"))) == 2


def test_growth_prints_each_size_and_the_exponent() -> None:
    done = benchmarks("growth", "--size", "3", "--size", "12", "--repeats", "1")

    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert len(figures(line_of(done.stdout, "3 "))) == 5
    assert len(figures(line_of(done.stdout, "12 "))) == 5
    assert re.search(r"Exponent of the mean: -?\d\.\d\d over all sizes\.", done.stdout)
    assert "The dearest scenario at 12 tools: " in done.stdout


def test_guard_prints_each_size_and_the_exponent() -> None:
    done = benchmarks("guard", "--size", "10", "--size", "100", "--repeats", "1")

    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    size, bare, guarded, added = figures(line_of(done.stdout, "10 "))
    assert (size, round(guarded - bare, 1)) == (10.0, pytest.approx(added, abs=0.1))
    assert figures(line_of(done.stdout, "100 "))[-1] == 15.0
    assert re.search(r"Exponent of what is added: -?\d\.\d\d over all sizes\.", done.stdout)


def test_gallery_puts_both_ways_side_by_side() -> None:
    done = benchmarks("gallery", "-k", "IndexesTheSt", "--examples", "3", "--examples", "20")

    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    line = line_of(done.stdout, "IndexesTheState")
    assert re.search(r"R09 +1 +\d+\.\d{3} +1 R09 +1 R09", line)
    words = " ".join(done.stdout.split())
    assert "Of all members, 1, found by: palettecheck 1 (median 1 calls); 3 examples 1" in words


def test_no_command_means_speed_and_growth(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(speed, "show", lambda *settings: shown.append("speed"))
    monkeypatch.setattr(growth, "show", lambda *settings: shown.append("growth"))

    assert CliRunner().invoke(cli.app, []).exit_code == 0
    assert shown == ["speed", "growth"]


@pytest.mark.parametrize(("power", "factor"), [(1.0, 3.0), (2.0, 0.5), (0.0, 7.0)])
def test_the_exponent_is_that_of_the_data(power: float, factor: float) -> None:
    sizes = growth.SIZES

    assert exponent(sizes, [factor * size**power for size in sizes]) == pytest.approx(power)


def test_stamps_tell_what_a_scenario_took_between_two_moments() -> None:
    times = iter([10.0, 14.0, 15.0, 16.0])
    stamps = Stamps(lambda: next(times))
    for done in (0, 2, 4, 6):
        stamps(done, 6)

    assert stamps.per_scenario() == 1.0
    assert stamps.per_scenario(until=2) == 2.0
    assert stamps.per_scenario(since=2) == 0.5
    assert stamps.best(0, 2) == 0.5


def test_the_varied_scenarios_are_hundreds_of_ten_tools() -> None:
    scenarios = speed.varied(routed=False)

    assert len(set(map(id, scenarios))) >= 300
    assert {len(scenario.all_tools) for scenario in scenarios} == {speed.TOOLS}
    assert len({scenario.registry for scenario in scenarios}) >= 20
    assert len({scenario.role for scenario in scenarios}) == 3


def test_each_scenario_has_its_cost() -> None:
    first, later = growth._each(4)

    assert len(first) + len(later) == len(growth.scenarios_of(4))
    assert min(*first, *later) > 0


def test_calls_are_counted_as_the_subject_counts_them() -> None:
    Tallied.calls, counted = 0, count(f"{__name__}:Tallied")
    swept(growth.scenarios_of(4), Stamps(), TARGET)

    assert counted.calls == Tallied.calls > 0


def test_the_first_breach_is_that_of_the_member() -> None:
    breach = first_breach("gallery.errors_abstain:IndexesTheState", None, None, 0)

    assert breach is not None
    assert (breach.rule, breach.calls) == ("R09", 1)
    assert first_breach("reference", None, None, 0) is None


def test_the_natural_test_counts_the_examples_up_to_the_failure() -> None:
    FailsTheFifthTime.calls = 0
    failure = first_failure(f"{__name__}:FailsTheFifthTime", 50, 0)

    assert failure is not None
    assert (failure.rule, failure.examples) == ("R09", 5)


def test_the_natural_test_finds_nothing_in_what_is_sound() -> None:
    Tallied.calls = 0

    assert first_failure(f"{__name__}:Tallied", 30, 0) is None
    assert Tallied.calls == 30


def test_the_natural_test_survives_what_ends_the_process() -> None:
    failure = first_failure(f"{__name__}:EndsTheProcess", 10, 0)

    assert failure is not None
    assert (failure.rule, failure.examples) == ("R09", 1)


def test_work_alone_gives_its_answer() -> None:
    assert alone(30, sorted, [2, 1]) == [1, 2]


@pytest.mark.parametrize(("work", "argument"), [(time.sleep, 60), (os._exit, 0)])
def test_work_alone_that_hangs_or_dies_hangs_nobody(work: Any, argument: int) -> None:
    with pytest.raises(TimeoutError):
        alone(0.5, work, argument)


def test_a_breach_that_an_audit_finds_is_noted() -> None:
    breach = first_breach("gallery.inputs_untouched:PreparesATenantOnce", None, None, 0)

    assert breach is not None
    assert breach.rule == "R07"
