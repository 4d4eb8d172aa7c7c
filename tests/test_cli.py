"""The command says one thing clearly, exits with the right code, and keeps stdout clean."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command import TESTS, palettecheck
from palettecheck.loading import find

BROKEN = """
class Broken:
    async def resolve(self, state, role, all_tools):
        return []
"""


def certified(*arguments: str, code: int) -> dict[str, Any]:
    """The JSON object that `certify` prints."""
    done = palettecheck("certify", *arguments, "--format", "json")
    assert done.returncode == code, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def test_the_reference_passes() -> None:
    printed = certified("reference", code=0)

    assert (printed["subject"], printed["verdict"]) == ("reference", "pass")
    assert {rule["verdict"] for rule in printed["rules"]} == {"pass", "not applicable"}
    assert all(rule["scenarios"] > 0 for rule in printed["rules"])


@pytest.mark.parametrize("profile", ["quick", "default", "deep"])
def test_the_reference_passes_in_every_profile(profile: str) -> None:
    assert certified("reference", "--profile", profile, code=0)["verdict"] == "pass"


def test_the_object_has_the_fields_that_are_promised() -> None:
    printed = certified("gallery.same_instances:CopiesToAnnotate", code=1)

    assert list(printed)[:3] == ["subject", "verdict", "rules"]
    for rule in printed["rules"]:
        assert list(rule)[:6] == ["id", "slug", "level", "verdict", "scenarios", "breach"]
    breach = printed["rules"][0]["breach"]
    assert breach["scenario"] == "resolve({}, 'action', [search])"
    assert breach["wanted"] == "at [0] the instance of 'search' that all_tools has"
    assert breach["seen"] == "another instance: a SimpleNamespace named 'search'"
    assert "authorization" in printed["limits"]


def test_a_file_is_a_target(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    done = palettecheck("certify", "broken.py:Broken", cwd=tmp_path)

    assert done.returncode == 1
    assert re.search(r"R03 never-empty +│ MUST +│ fail", done.stdout)
    assert "  scenario  resolve({}, 'action', [search])" in done.stdout
    assert "  wanted    at least one tool, or None to abstain" in done.stdout
    assert "  seen      []" in done.stdout


def test_a_module_in_the_working_directory_is_a_target(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)

    assert palettecheck("certify", "broken:Broken", cwd=tmp_path).returncode == 1


def test_a_subject_that_only_abstains_is_told_so() -> None:
    done = palettecheck("certify", "certify_samples:OnlyAbstains")

    assert done.returncode == 3
    assert "R01, R02, R06 inconclusive: it only ever abstained: hand over tools" in done.stdout
    assert done.stdout.rstrip().endswith("Verdict: inconclusive")


def test_advice_passes_unless_strict() -> None:
    target = "certify_samples:WritesState"

    assert certified(target, code=0)["verdict"] == "pass"
    assert certified(target, "--strict", code=1)["verdict"] == "fail"


def test_tools_and_states_are_handed_over() -> None:
    handed = ("--tools", "gallery.worlds:SHOP", "--states", "gallery.worlds:TENANTS")
    printed = certified("certify_samples:NeedsShop", *handed, code=1)

    fault = next(rule for rule in printed["rules"] if rule["verdict"] == "fail")
    assert fault["id"] == "R03"
    assert fault["breach"]["scenario"] == "resolve({'tenant_id': 'globex'}, 'action', [quote])"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("samples:absent",), "'samples:absent': the module has no 'absent'"),
        (("nowhere:x",), "'nowhere' does not import: ModuleNotFoundError"),
        (("samples:raises",), "raised when built: ConnectionError: no \\x1b[31mdatabase"),
        (("samples:nothing",), "is no resolver: None has no `resolve`"),
        (("samples",), "names no attribute: write module:attribute"),
        (("reference", "--tools", "samples:EMPTY"), "has no tools in it"),
        (("reference", "--states", "samples:A_NUMBER"), "must be a list of states"),
        (("reference", "--config", "samples:ROLES"), "'reference' is built from no config"),
        (("--node", "symfonic", "--config", "samples:ROLES"), "a host is built from no config"),
        (("symfonic", "--config", "samples:EMPTY"), "is a list, no mapping of roles to tool names"),
        (("symfonic", "--config", "samples:absent"), "'samples:absent': the module has no"),
    ],
)
def test_a_target_that_cannot_be_used_is_one_sentence(
    arguments: tuple[str, ...], message: str
) -> None:
    done = palettecheck("certify", *arguments)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("palettecheck: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_the_traceback_is_there_for_the_asking() -> None:
    done = palettecheck("certify", "samples:raises", "--traceback")

    assert done.returncode == 2
    assert 'raise ConnectionError("no' in done.stderr


@pytest.mark.parametrize(
    "arguments", [("certify",), ("certify", "reference", "--profile", "Slow"), ("explain",), ("x",)]
)
def test_wrong_usage_exits_with_2(arguments: tuple[str, ...]) -> None:
    assert palettecheck(*arguments).returncode == 2


def test_what_the_subject_prints_stays_off_stdout() -> None:
    printed = certified("certify_samples:Noisy", code=0)

    assert printed["verdict"] == "pass"
    assert any("the subject logged" in note for note in printed["notes"])


def test_hostile_names_do_not_disturb_the_output() -> None:
    done = palettecheck("certify", "certify_samples:AlwaysEmpty", "--tools", "hostile_names:TOOLS")

    assert done.returncode == 1
    assert all(c.isprintable() or c == "\n" for c in done.stdout)
    prose = done.stdout.partition("import ")[0]
    assert max(map(len, prose.splitlines())) <= 80
    assert "x" * 200 not in done.stdout


@pytest.mark.parametrize("index", range(6))
def test_each_hostile_name_is_printed_in_one_piece(index: int) -> None:
    name = find("hostile_names:TOOLS")[index].name
    printed = certified(
        "certify_samples:AlwaysEmpty",
        "--tools",
        f"hostile_names:ONE_BY_ONE.{'abcdef'[index]}",
        code=1,
    )
    scenario = printed["rules"][2]["breach"]["scenario"]

    assert scenario.isprintable()
    assert len(scenario) < 200
    assert name[:1] in scenario or not name[:1].isprintable()


def test_a_terminal_that_knows_no_unicode_gets_ascii() -> None:
    done = palettecheck(
        "certify", "certify_samples:AlwaysEmpty", "--tools", "hostile_names:TOOLS",
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stdout.isascii()


def on_a_terminal(*arguments: str, env: dict[str, str] | None = None) -> str:
    """Run the command on a terminal 80 columns wide, and give all that it wrote there."""
    primary, secondary = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "palettecheck", *arguments],
        stdout=secondary, stderr=secondary, cwd=TESTS,
        env=os.environ | {"COLUMNS": "80", "TERM": "xterm"} | (env or {}),
    )  # fmt: skip
    os.close(secondary)
    written = b""
    try:
        while chunk := os.read(primary, 65536):
            written += chunk
    except OSError:  # a terminal ends so, when the last writer is gone
        pass
    process.wait()
    os.close(primary)
    return written.decode()


def test_a_terminal_gets_colours_and_no_color_takes_them_away() -> None:
    assert "\x1b[1;31mfail" in on_a_terminal("certify", "certify_samples:AlwaysEmpty")
    plain = on_a_terminal("certify", "certify_samples:AlwaysEmpty", env={"NO_COLOR": "1"})
    assert "fail" in plain
    assert "\x1b[31m" not in plain
    assert "\x1b[1;31m" not in plain


def test_an_interruption_reports_what_was_done() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "palettecheck", "certify", "certify_samples:Slow"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TESTS,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline() == "called\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)

    assert process.returncode == 4, err
    assert "Stopped: interrupted, after" in out
    assert out.rstrip().endswith("Verdict: inconclusive")
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "target", ["LeavesAThread", "LeavesATask", "StopsTheLoop", "ExitsSoon", "ClosesStdout"]
)
def test_a_subject_that_is_merely_odd_still_gets_its_certificate(target: str) -> None:
    assert certified(f"certify_samples:{target}", code=0)["verdict"] == "pass"


def test_a_breach_is_not_lost_when_closing_fails() -> None:
    printed = certified("certify_samples:ExitsWhenClosed", code=1)

    assert printed["verdict"] == "fail"
    assert printed["notes"] == ["closing the subject raised SystemExit: 0"]


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m palettecheck certify reference | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=TESTS)

    assert done.stdout == "palettecheck: reference\n"
    assert done.stderr == ""


def test_the_version_is_told() -> None:
    assert re.fullmatch(r"palettecheck \d+\.\d+\.\d+\n", palettecheck("--version").stdout)


def test_explain_gives_one_rule() -> None:
    done = palettecheck("explain", "R03")

    assert done.returncode == 0
    assert done.stdout.startswith("## R03 never-empty\n")
    assert palettecheck("explain", "never-empty").stdout == done.stdout


def test_explain_names_the_rules_that_there_are() -> None:
    done = palettecheck("explain", "R99")

    assert done.returncode == 2
    assert "there is no rule 'R99'; the rules are R01, R02" in done.stderr
