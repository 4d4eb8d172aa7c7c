"""What versions of symfonic-core break, each certified in a virtual environment of its own.

    python tests/adopters/symfonic/measure.py [--write] [VERSION ...]

Without a VERSION, those that `known.py` has. It needs nothing but Python and pip. It exits with 1
where a version differs from what is known of it; `--write` makes that known.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests"))

from adopters.symfonic.known import FILE, NODE, Broken, broken  # noqa: E402

CERTIFY = ("certify", "--node", "symfonic", "--profile", "quick", "--format", "json")
_WIDTH = 80
_RED, _PLAIN = "\x1b[31m", "\x1b[0m"


def main() -> int:
    """Measure, print and compare; give the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("versions", metavar="VERSION", nargs="*")
    parser.add_argument("--write", action="store_true", help="make known what is measured")
    asked = parser.parse_args()
    measured = {version: measure(version) for version in asked.versions or NODE}
    print(table(measured, color=sys.stdout.isatty() and not os.environ.get("NO_COLOR")))
    found = {version: broken(certificate) for version, certificate in measured.items()}
    differing = [line for version in found for line in differences(version, found[version])]
    print("\n".join(["", *(differing or ["All of it is as known.py says."])]))
    if asked.write:
        write(found)
    return 1 if differing and not asked.write else 0


def measure(version: str) -> dict[str, Any]:
    """Give the certificate of the node of that version."""
    with tempfile.TemporaryDirectory() as folder:
        say(f"{version}: a virtual environment is made")
        venv.create(folder, with_pip=True)
        python = Path(folder, "Scripts" if os.name == "nt" else "bin", "python")
        run = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [*run, str(ROOT), f"symfonic-core=={version}"], check=True, stdout=sys.stderr
        )
        say(f"{version}: its node is certified, which takes a minute or two")
        return certified(python, folder)


def certified(python: Path, folder: str) -> dict[str, Any]:
    """Run the command there; raise where it has no verdict to give."""
    own = {key: os.environ[key] for key in os.environ if key != "PYTHONPATH"}
    command = [str(python), "-m", "palettecheck", *CERTIFY]
    done = subprocess.run(command, cwd=folder, env=own, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        raise SystemExit(f"the certification ended with {done.returncode}")
    certificate: dict[str, Any] = json.loads(done.stdout)
    return certificate


def say(what: str) -> None:
    """Tell a person how far it is."""
    print(what, file=sys.stderr, flush=True)


def table(measured: dict[str, dict[str, Any]], *, color: bool = False) -> str:
    """Give the verdicts, a line a rule and a column a version, as wide as a terminal."""
    versions = [*measured]
    rules = [f"{rule['id']} {rule['slug']}" for rule in measured[versions[0]]["rules"]]
    columns = [_column(version, measured[version], color) for version in versions]
    widths = [max(map(len, _column(version, measured[version]))) for version in versions]
    most, first = (_WIDTH - max(map(len, rules))) // (max(widths) + 2), ["rule", *rules]
    blocks = [columns[i : i + most] for i in range(0, len(columns), most)]
    return "\n\n".join(_block(first, block, max(widths)) for block in blocks)


def _column(version: str, certificate: dict[str, Any], color: bool = False) -> list[str]:
    verdicts = [rule["verdict"] for rule in certificate["rules"]]
    return [version, *(f"{_RED}{v}{_PLAIN}" if color and v == "fail" else v for v in verdicts)]


def _block(first: list[str], columns: list[list[str]], width: int) -> str:
    left = max(map(len, first))
    lines = zip(first, *columns, strict=True)
    return "\n".join("  ".join([rule.ljust(left), *_cells(cells, width)]) for rule, *cells in lines)


def _cells(cells: list[str], width: int) -> list[str]:
    """Pad all of them but the last, as far as they can be seen."""
    unseen = [len(_RED + _PLAIN) if _RED in cell else 0 for cell in cells]
    padded = [cell.ljust(width + more) for cell, more in zip(cells, unseen, strict=True)]
    return [*padded[:-1], cells[-1]]


def differences(version: str, found: Broken) -> list[str]:
    """Say where what was found is not what is known."""
    if version not in NODE:
        return [f"{version}: not known yet (--write makes it known)"]
    known = NODE[version]
    lines = []
    for rule in sorted(known.keys() | found.keys()):
        was, now = known.get(rule, []), found.get(rule, [])
        lines += [f"{version} {rule}: no longer so: {_words(one)}" for one in was if one not in now]
        lines += [f"{version} {rule}: new: {_words(one)}" for one in now if one not in was]
    return lines


def _words(breach: dict[str, Any]) -> str:
    return " / then ".join([*breach["before"], breach["scenario"]]) + f" -> {breach['seen']}"


def write(found: dict[str, Broken]) -> None:
    """Make it known; the newest version comes first."""
    every = {**NODE, **found}
    newest = sorted(every, key=lambda version: [*map(int, version.split("."))], reverse=True)
    text = json.dumps({version: every[version] for version in newest}, indent=1)
    FILE.write_text(text + "\n")
    say(f"written: {FILE.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
