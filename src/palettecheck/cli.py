"""The command line: `palettecheck certify` and `palettecheck explain`.

What the command has to say goes to stdout; progress, and what the adopter's code prints, to stderr.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
import traceback as tracebacks
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from importlib.metadata import version
from typing import Annotated, NoReturn, TextIO

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from palettecheck.certificate import Certificate
from palettecheck.engine.certifying import certify as certify_target
from palettecheck.loading import TargetError
from palettecheck.report.data import as_json
from palettecheck.report.explanation import every_rule, one_rule
from palettecheck.report.table import print_table
from palettecheck.rules.every import EVERY
from palettecheck.shown import error_text, quoted

PASS, FAIL, USAGE, INCONCLUSIVE, INTERRUPTED, INTERNAL = range(6)
_EXIT = {"pass": PASS, "fail": FAIL, "inconclusive": INCONCLUSIVE, "error": INTERNAL}
_ENDING = 3.0  # seconds
_SAY_EVERY = 5.0  # seconds, where progress goes to a file

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Verify tool-palette resolvers: a verdict, with evidence and a minimal counterexample.",
    rich_markup_mode=None,
)


class Profile(StrEnum):
    """How long to search."""

    QUICK = "quick"
    DEFAULT = "default"
    DEEP = "deep"


class Format(StrEnum):
    """How to print the certificate."""

    TABLE = "table"
    JSON = "json"


Target = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="The resolver, its class, or a factory of it without arguments: "
        "module:attribute, path/to/file.py:attribute, 'reference', or 'symfonic', which is "
        "symfonic-core's default resolver and, with --node, its react node.",
    ),
]
Tools = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Your tools: module:attribute, a list or a Hypothesis strategy."
    ),
]
States = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Your states: module:attribute, a list or a Hypothesis strategy."
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Your role_tools, for 'symfonic': module:attribute, a mapping from a role to the "
        "names of its tools.",
    ),
]
Traceback = Annotated[bool, typer.Option("--traceback", help="Show the traceback of an error.")]


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"palettecheck {version('palettecheck')}")
        raise typer.Exit


@app.callback()
def _options(
    show: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command()
def certify(
    target: Target,
    node: Annotated[
        bool, typer.Option("--node", help="TARGET is a host of resolvers: see palettecheck.host.")
    ] = False,
    tools: Tools = None,
    states: States = None,
    config: Config = None,
    strict: Annotated[bool, typer.Option("--strict", help="A SHOULD counts like a MUST.")] = False,
    profile: Annotated[Profile, typer.Option(help="How long to search.")] = Profile.DEFAULT,
    seed: Annotated[int, typer.Option(help="What a strategy is drawn with.")] = 0,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.TABLE,  # noqa: A002
    traceback: Traceback = False,
) -> None:
    """Search for breaches of the contract by a resolver, or by the node that hosts it.

    Exit codes: 0 pass, 1 fail, 2 target or usage error, 3 inconclusive, 4 interrupted, and 5
    internal error.
    """
    with _stdout_kept() as out, _one_sentence_for_errors(traceback):
        with _progress() as progress:
            certificate = certify_target(
                target,
                node=node,
                tools=tools,
                states=states,
                config=config,
                strict=strict,
                profile=profile.value,
                seed=seed,
                progress=progress,
            )
        _print(certificate, format, out)
    raise typer.Exit(_exit_code(certificate))


@contextmanager
def _one_sentence_for_errors(traceback: bool) -> Iterator[None]:
    try:
        yield
    except TargetError as error:
        _fail(str(error), USAGE, traceback)
    except SystemExit as error:
        _fail(f"the subject ended the process: {error_text(error)}", USAGE, traceback)
    except KeyboardInterrupt:
        _fail("interrupted before anything was found", INTERRUPTED, traceback)
    except Exception as error:
        message = f"internal error: {error_text(error)} (--traceback shows it)"
        _fail(message, INTERNAL, traceback)


@app.command()
def explain(
    rule: Annotated[str, typer.Argument(metavar="[RULE]", help="A rule's id, as R03.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Explain every rule.")] = False,
) -> None:
    """Explain a rule: its level, its source, why it is there, what breaks it and what mends it."""
    if everything:
        typer.echo(every_rule(), nl=False)
        return
    found = [r for r in EVERY if rule.lower() in (r.id.lower(), r.slug, r.name.lower())]
    if not found:
        known = ", ".join(r.id for r in EVERY)
        problem = f"there is no rule {quoted(rule)}" if rule else "name a rule, or give --all"
        _fail(f"{problem}; the rules are {known}", USAGE, False)
    typer.echo(one_rule(found[0]), nl=False)


def _exit_code(certificate: Certificate) -> int:
    if certificate.stopped.startswith("interrupted"):
        return INTERRUPTED
    if certificate.broken:
        return USAGE
    return _EXIT[certificate.verdict]


def _fail(message: str, code: int, traceback: bool) -> NoReturn:
    with suppress(OSError, ValueError, AttributeError):  # the subject may have closed stderr
        print(f"palettecheck: {message}", file=sys.stderr)
        if traceback:
            tracebacks.print_exc()
    raise typer.Exit(code)


def _print(certificate: Certificate, chosen: Format, out: TextIO) -> None:
    try:
        if chosen is Format.JSON:
            print(as_json(certificate), file=out)
        else:
            print_table(certificate, Console(file=out, highlight=False, markup=False, emoji=False))
        out.flush()
    except (BrokenPipeError, SystemExit):  # the reader has seen enough, or so rich puts it
        pass
    except OSError as error:
        _fail(f"the report cannot be written: {error_text(error)}", INTERNAL, False)


@contextmanager
def _stdout_kept() -> Iterator[TextIO]:
    """Give stdout as it is now, and send to stderr what anyone else writes there meanwhile."""
    try:
        kept = os.dup(1)
    except OSError:
        _fail("stdout is closed: there is nowhere to write the report", USAGE, False)
    encoding = sys.stdout.encoding
    os.dup2(2, 1)
    # It closes with the block, not here.
    out = open(kept, "w", encoding=encoding, errors="backslashreplace")  # noqa: SIM115
    try:
        yield out
    finally:
        with suppress(OSError):
            out.close()


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show progress on stderr: a bar on a terminal, elsewhere a line from time to time."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _said_now_and_then()
        return
    columns = (TextColumn("certifying"), BarColumn(), MofNCompleteColumn(), TextColumn("scenarios"))
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task("certifying", total=None)

    def update(done: int, total: int) -> None:
        bar.start()  # not before: it starts a thread, and the run forks at its beginning
        bar.update(task, completed=done, total=total)

    try:
        yield update
    finally:
        bar.stop()


def _said_now_and_then() -> Callable[[int, int], None]:
    said = time.monotonic()

    def say(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said >= _SAY_EVERY:
            said = time.monotonic()
            print(f"palettecheck: {done:,} of {total:,} scenarios", file=sys.stderr, flush=True)

    return say


def main() -> None:
    """Run the command line, and end the process even where the subject left threads that do not."""
    try:
        app()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else INTERNAL
        _end_within(_ENDING, code)
        raise


def _end_within(seconds: float, code: int) -> None:
    def end() -> None:
        for child in multiprocessing.active_children():
            child.kill()
        os._exit(code)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
