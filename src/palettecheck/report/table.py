"""The certificate for a terminal: a table of the rules, then each breach with its reproducer."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from palettecheck.certificate import Breach, Certificate, RuleResult
from palettecheck.shown import shown

_STYLES = {
    "pass": "green",
    "fail": "bold red",
    "error": "bold red",
    "advice": "yellow",
    "inconclusive": "yellow",
    "not applicable": "dim",
}

_EARLIER = 5  # calls before the last one that are printed


def print_table(certificate: Certificate, console: Console) -> None:
    """Write the whole certificate to `console`."""
    console.print(Text(f"palettecheck: {shown(certificate.subject, 200)}", style="italic"))
    console.print(_rules(certificate))
    for rule in certificate.rules:
        if rule.breach is not None:
            _print_breach(rule, rule.breach, console)
    _print_notes(certificate, console)
    _print_end(certificate, console)


def breach_text(rule: RuleResult) -> str:
    """Give the breach of `rule` as `print_table` writes it, without colours; empty if none."""
    out = StringIO()
    console = Console(
        file=out, color_system=None, force_terminal=False, highlight=False, markup=False,
        emoji=False,
    )  # fmt: skip
    if rule.breach is not None:
        _print_breach(rule, rule.breach, console)
    return "\n".join(line.rstrip() for line in out.getvalue().strip("\n").splitlines())


def _rules(certificate: Certificate) -> Table:
    table = Table()
    table.add_column("rule", no_wrap=True)
    table.add_column("level", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("scenarios", justify="right", no_wrap=True)
    for rule in certificate.rules:
        verdict = Text(rule.verdict, style=_STYLES[rule.verdict])
        table.add_row(f"{rule.id} {rule.slug}", rule.level, verdict, f"{rule.scenarios:,}")
    return table


def _print_breach(rule: RuleResult, breach: Breach, console: Console) -> None:
    level = "" if breach.level == rule.level else f", as a {breach.level} on this kind of call"
    title = Text(f"\n{rule.id} {rule.slug}: {rule.verdict}{level}", style=_STYLES[rule.verdict])
    console.print(title)
    console.print(Padding(_facts(breach), (0, 0, 0, 2)))
    for other in rule.more:
        console.print(Text("  and", style="dim"))
        console.print(Padding(_facts(other), (0, 0, 0, 2)))
    if breach.reproducer:
        console.print(Text("  reproducer, to run where the target can be imported:", style="dim"))
        # Printed as it is: a program that is wrapped cannot be copied.
        lines = breach.reproducer.splitlines()
        console.print(Text("\n".join(shown(line, len(line)) for line in lines)), soft_wrap=True)


def _facts(breach: Breach) -> Table:
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")
    for earlier in breach.before[:_EARLIER]:
        facts.add_row("first", Text(earlier))
    if (more := len(breach.before) - _EARLIER) > 0:
        facts.add_row("", Text(f"… and {more:,} more calls"))
    facts.add_row("then" if breach.before else "scenario", Text(breach.scenario))
    facts.add_row("wanted", Text(breach.wanted))
    facts.add_row("seen", Text(breach.seen))
    if breach.note:
        facts.add_row("note", Text(breach.note))
    return facts


def _print_notes(certificate: Certificate, console: Console) -> None:
    by_note: dict[str, list[RuleResult]] = {}
    for rule in certificate.rules:
        by_note.setdefault(rule.note, []).append(rule)
    for note, rules in by_note.items():
        if note:
            names = ", ".join(rule.id for rule in rules)
            console.print(Text(f"\n{names} {rules[0].verdict}: {note}"))
    for note in certificate.notes:
        console.print(Text(f"\nnote: {note}"))


def _print_end(certificate: Certificate, console: Console) -> None:
    looked_at = f"\nLooked at {certificate.scope} Profile {certificate.profile}."
    console.print(Text(looked_at))
    console.print(Text(certificate.limits, style="dim"))
    if certificate.stopped:
        console.print(Text(f"Stopped: {certificate.stopped}.", style="yellow"))
    verdict = Text("Verdict: ")
    verdict.append(certificate.verdict, style=_STYLES[certificate.verdict])
    console.print(verdict)
