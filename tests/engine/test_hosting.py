"""A host that is broken is told so in a sentence; one that is hostile or odd is judged as any."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from command import palettecheck
from engine import odd_hosts
from palettecheck import Certificate, certify
from palettecheck.engine.driving import Abandoned, drive
from palettecheck.engine.hosting import Hosting
from palettecheck.engine.logs import collected
from palettecheck.engine.stopping import Stop
from palettecheck.iteration import Course, Iteration
from palettecheck.scenario import Tool

ALIVE = [
    "awaited",
    "HasHostileTools",
    "BindsAnUnreadableList",
    "LeavesATaskThatExits",
    "LogsWhatRaises",
    "LogsInVain",
]
BROKEN = {
    "BuildRaises": "the agent cannot be built: ConnectionError: \\x1b[31m[bold]evil\\n",
    "TakesNothing": "the agent cannot be built: TypeError: TakesNothing() takes no arguments",
    "never_built": "the agent cannot be built: it was not done within 10 s, on registry [search]",
    "exits_when_built": "the agent cannot be built: SystemExit: 3",
    "NoIterate": "AttributeError: 'NoIterate' object has no attribute 'iterate'",
    "NotAwaitable": "the iteration raised TypeError: object int can't be used in 'await'",
    "Raises": "the iteration raised LookupError: \\x1b[31m[bold]evil\\n",
    "GivesNone": "iterate() gave a NoneType, which has no `tools` and `tool_choice`",
    "GivesAGenerator": "iterate() says that a generator was bound, no list",
    "GivesAnOddChoice": "iterate() says that a dict was the tool choice, no name",
    "GivesHostile": "iterate() gave a Hostile, which has no `tools` and `tool_choice`",
    "ChangeRaises": "change_registry() failed: RuntimeError: not now, on the registry is now",
    "ToolRaises": "tool('search') raised RuntimeError: no such tool",
}


def certified(name: str, **options: Any) -> Certificate:
    return certify(f"engine.odd_hosts:{name}", node=True, profile="quick", **options)


def verdicts(certificate: Certificate, verdict: str) -> list[str]:
    return [rule.id for rule in certificate.rules if rule.verdict == verdict]


def one_iteration(name: str) -> Iteration:
    """What the host did with two tools and a resolver that abstains."""
    hosting = Hosting(getattr(odd_hosts, name), Stop())
    course = Course((Tool("search"), Tool("fetch")))
    with collected([], hosting.hears):
        return drive(hosting.iterations(course))[0]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_adapter_is_one_sentence_and_no_breach(name: str) -> None:
    certificate = certified(name)
    (note,) = {rule.note for rule in certificate.rules}

    assert certificate.verdict == "error"
    assert {(rule.verdict, rule.breach) for rule in certificate.rules} == {("error", None)}
    assert note.startswith("the adapter is broken: ")
    assert BROKEN[name] in note
    assert note.isprintable()


@pytest.mark.parametrize(
    "name", ["BuildRaises", "Raises", "GivesNone", "NothingArises", "OneToolForAll"]
)
def test_the_command_says_so_on_narrow_lines_and_exits_with_2(name: str) -> None:
    done = palettecheck("certify", "--node", f"engine.odd_hosts:{name}")

    assert (done.returncode, done.stderr) == (2, "")
    assert " ".join(done.stdout.split()).count("the adapter is broken: ") == 1
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert all(c.isprintable() or c == "\n" for c in done.stdout)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("A_NUMBER", "is no host: an int cannot be called"),
        ("UnknownLever", "has levers that there are not: 'force', 3; there are always_include"),
        ("LeversOfNoKind", "its levers cannot be read: TypeError: 'int' object is not iterable"),
        ("absent", "the module has no 'absent'"),
    ],
)
def test_what_is_no_host_exits_with_2_and_one_sentence(name: str, message: str) -> None:
    done = palettecheck("certify", "--node", f"engine.odd_hosts:{name}")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("palettecheck: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize("name", ALIVE)
def test_a_host_that_is_merely_odd_passes(name: str) -> None:
    certificate = certified(name)

    assert certificate.verdict == "pass", [rule for rule in certificate.rules if rule.breach]
    assert verdicts(certificate, "error") == []


def test_a_thread_that_takes_its_time_is_no_hang() -> None:
    async def some() -> list[Iteration]:
        return await Hosting(odd_hosts.Thread, Stop()).iterations(Course((Tool("search"),)))

    (it,) = drive(some())

    assert it.outcome() == "[search] bound"


def test_what_is_bound_is_read_once() -> None:
    assert one_iteration("BindsOnce").outcome() == "[search, fetch] bound"


def test_a_hostile_tool_is_named_by_its_kind() -> None:
    assert one_iteration("BindsHostile").outcome() == "[search, fetch, a Hostile] bound"


def test_a_hostile_key_is_told_of_without_its_methods() -> None:
    seen = one_iteration("WritesHostileKeys").state_change

    assert seen == "state[<Hostile whose repr raises>] is new"


def test_records_are_heard_from_loggers_that_hand_nothing_on() -> None:
    logged = one_iteration("LogsWhatRaises").logged

    assert [record.levelno for record in logged] == [30, 40]


def test_an_iteration_that_exits_has_raised() -> None:
    assert one_iteration("Exits").outcome() == "the iteration raised SystemExit: 0"


def test_a_cancellation_that_is_left_behind_does_not_reach_the_suite() -> None:
    async def after() -> str:
        await Hosting(odd_hosts.CancelsItself, Stop()).iterations(
            Course((Tool("search"), Tool("fetch")))
        )
        await asyncio.sleep(0)
        return "alive"

    assert drive(after()) == "alive"


def test_an_agent_is_given_up_that_does_not_let_itself_be_cancelled() -> None:
    stop, begun = Stop(), time.monotonic()
    hosting = Hosting(odd_hosts.SwallowsInSilence, stop, 0.1)  # in plain time
    course = Course((Tool("search"), Tool("fetch")))

    with pytest.raises((asyncio.CancelledError, Abandoned)):
        drive(hosting.iterations(course), stop)
    assert stop.reason.startswith("no result within 0.1 s from registry [search, fetch]; ")
    assert time.monotonic() - begun < 60
