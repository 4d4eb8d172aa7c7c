"""The command line of the benchmarks."""

from __future__ import annotations

from typing import Annotated

import typer

from benchmarks import growth as growing
from benchmarks import guard as guarding
from benchmarks import side_by_side
from benchmarks import speed as speeding

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Measure palettecheck, as ratios within one run. Without a command: speed and growth.",
)

Repeats = Annotated[int, typer.Option(min=1, help="The best of how many counts.")]
Sizes = Annotated[
    list[int] | None, typer.Option(min=1, help="A number of tools; give it several times.")
]


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        speed()
        growth()


@app.command()
def speed(
    scenarios: Annotated[int, typer.Option(min=1, help="Warm ones in each pass.")] = 3_840,
    repeats: Repeats = 5,
) -> None:
    """Scenarios per second on a filter of ten tools, beside the bare calls."""
    speeding.show(scenarios, repeats)


@app.command()
def growth(
    size: Sizes = None,
    repeats: Repeats = 3,
) -> None:
    """The cost of a scenario at up to 10,000 tools, and how it grows."""
    growing.show(sorted(set(size or growing.SIZES)), repeats)


@app.command()
def guard(
    size: Sizes = None,
    repeats: Repeats = 100,
) -> None:
    """What a guard adds to a call of a filter, at up to 10,000 tools."""
    guarding.show(sorted(set(size or guarding.SIZES)), repeats)


@app.command()
def gallery(
    seed: Annotated[int, typer.Option(help="Of Hypothesis, and of what is drawn.")] = 0,
    text: Annotated[str, typer.Option("-k", metavar="TEXT", help="Members named so.")] = "",
    examples: Annotated[
        list[int] | None, typer.Option(min=1, help="How many; give it several times.")
    ] = None,
) -> None:
    """Each faulty member of the gallery, to its first breach, beside a plain Hypothesis test."""
    side_by_side.show(text, seed, examples or side_by_side.EXAMPLES)


def main() -> None:
    """Run the command line."""
    app(prog_name="python tests/benchmarks")
