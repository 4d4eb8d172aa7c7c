"""The measuring command's table fits a terminal, and it says where a version differs."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from adopters.symfonic.known import NODE
from adopters.symfonic.measure import colored, differences, table

RULES = [("N01", "bound-from-registry", "fail"), ("N08", "errors-degrade", "not applicable")]
CERTIFICATE: dict[str, Any] = {
    "rules": [{"id": id_, "slug": slug, "verdict": verdict} for id_, slug, verdict in RULES]
}


def test_the_table_is_aligned() -> None:
    assert table({"9.0.0": CERTIFICATE, "8.7.1": CERTIFICATE}).splitlines() == [
        "rule                     9.0.0           8.7.1",
        "N01 bound-from-registry  fail            fail",
        "N08 errors-degrade       not applicable  not applicable",
    ]


def test_many_versions_are_told_in_several_tables() -> None:
    every = {f"9.{i}.0": CERTIFICATE for i in range(7)}
    lines = table(every).splitlines()

    assert max(map(len, lines)) <= 80
    assert [line.split()[1:] for line in lines if line.startswith("rule")] == [
        ["9.0.0", "9.1.0", "9.2.0"],
        ["9.3.0", "9.4.0", "9.5.0"],
        ["9.6.0"],
    ]


@pytest.mark.parametrize(
    ("terminal", "environment", "expected"),
    [
        (True, "", "N01  \x1b[31mfail\x1b[0m"),
        (True, "1", "N01  fail"),
        (False, "", "N01  fail"),
    ],
)
def test_colors_are_for_a_terminal_whose_user_wants_them(
    terminal: bool, environment: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    monkeypatch.setenv("NO_COLOR", environment)

    assert colored("N01  fail") == expected


def test_what_is_known_differs_in_nothing() -> None:
    assert [differences(version, NODE[version]) for version in NODE] == [[]] * len(NODE)


def test_what_is_new_and_what_is_gone_is_said() -> None:
    found = deepcopy(NODE["9.12.0"])
    del found["N02"]
    found["N15"][0]["seen"] = "nothing"

    gone, no_longer, new = differences("9.12.0", found)
    assert gone.startswith("9.12.0 N02: no longer so: registry [search, fetch], routed to [search]")
    assert no_longer.endswith(
        "N15: no longer so: registry [search]; the resolver: return [] -> [] bound"
    )
    assert new == "9.12.0 N15: new: registry [search]; the resolver: return [] -> nothing"


def test_a_version_that_is_not_known_is_said() -> None:
    assert differences("0.0.1", {}) == ["0.0.1: not known yet (--write makes it known)"]
