"""README.md and invariants.md say what is so: each command is run, each output compared."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command import ROOT, palettecheck
from palettecheck.report.explanation import every_rule

README = (ROOT / "README.md").read_text()
CI = (ROOT / ".ci" / "run").read_text()
FILES = re.findall(r"`(\w+\.py)`[^`]*:\n\n```python\n(.*?)```", README, re.S)
COMMANDS = re.findall(r"^(`{3,})console\n\$ ([^\n]*)\n(.*?)^\1$", README, re.S | re.M)
SNIPPET = README.partition("From Python:")[2].partition("```python\n")[2].partition("```")[0]


@pytest.fixture
def adopter(tmp_path: Path) -> Path:
    """A folder with the files that the README shows."""
    for name, text in FILES:
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_readme_shows_what_it_is_thought_to() -> None:
    assert [name for name, _ in FILES] == ["palette.py", "shop.py", "node.py", "test_shop.py"]
    assert len(COMMANDS) == 4


@pytest.mark.parametrize(("command", "output"), [(c, out) for _, c, out in COMMANDS])
def test_a_command_of_the_readme_prints_what_stands_there(
    adopter: Path, command: str, output: str
) -> None:
    program, *arguments = shlex.split(command)
    done = palettecheck(*arguments, cwd=adopter)

    assert program == "palettecheck"
    assert [line.rstrip() for line in done.stdout.splitlines()] == output.splitlines()


def test_the_python_of_the_readme_runs(adopter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(adopter)
    monkeypatch.syspath_prepend(str(adopter))

    exec(SNIPPET, {})


def test_the_tests_of_the_readme_fail_as_it_says(adopter: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "node.py", "test_shop.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=adopter, timeout=120)

    assert "FAILED test_shop.py::test_palette[R09-errors-abstain]" in done.stdout
    assert "scenario  resolve({}, 'action', [])" in done.stdout
    assert "1 failed" in done.stdout


def test_the_exit_codes_of_the_readme_are_those_of_the_command() -> None:
    table = dict(re.findall(r"^\| (\d) \| (\w+)", README, re.M))

    assert list(table) == ["0", "1", "2", "3", "4", "5"]
    assert palettecheck("certify", "reference", "--profile", "quick").returncode == 0
    assert (table["0"], table["1"], table["3"]) == ("pass", "fail", "inconclusive")


def test_ci_installs_and_tests_as_the_readme_says() -> None:
    setup, test = re.findall(r"```sh\n(.*?)\n```", README)

    for step in setup.split(" && "):
        assert step.replace(".venv", '"$venv"') in CI
    assert test.replace(".venv", '"$venv"') in CI


def test_invariants_md_is_what_the_rules_say() -> None:
    text = (ROOT / "invariants.md").read_text()

    assert text == every_rule()
    assert text == palettecheck("explain", "--all").stdout
