"""What versions of symfonic-core break, each certified in a virtual environment of its own.

    python tests/adopters/symfonic/measure.py [--write] [VERSION ...]

Without a VERSION, those that `known.py` has. It needs nothing but Python and pip. It exits with 1
where a version differs from what is known of it; `--write` makes that known.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests"))

from adopters.symfonic.known import FILE, NODE, Broken, broken  # noqa: E402 - found there

CERTIFY = ("certify", "--node", "symfonic", "--profile", "quick", "--format", "json")
_WIDTH = 80


def main() -> int:
    """Measure, print and compare; give the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("versions", metavar="VERSION", nargs="*")
    parser.add_argument("--write", action="store_true", help="make known what is measured")
    asked = parser.parse_args()
    measured = {version: measure(version) for version in asked.versions or NODE}
    print(colored(table(measured)))
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
        raise SystemExit(f"the certification ended with exit code {done.returncode}")
    certificate: dict[str, Any] = json.loads(done.stdout)
    return certificate


def say(what: str) -> None:
    """Tell a person how far it is."""
    print(what, file=sys.stderr, flush=True)


def table(measured: dict[str, dict[str, Any]]) -> str:
    """Give the verdicts, a line a rule and a column a version, as wide as a terminal."""
    alike = zip(*(certificate["rules"] for certificate in measured.values()), strict=True)
    rows = [["rule", *measured], *map(_row, alike)]
    left = max(len(row[0]) for row in rows)
    width = max(len(cell) for row in rows for cell in row[1:])
    most = (_WIDTH - left) // (width + 2)
    parts = [slice(i, i + most) for i in range(1, len(rows[0]), most)]
    return "\n\n".join(_block(rows, part, left, width) for part in parts)


def _row(rules: tuple[dict[str, Any], ...]) -> list[str]:
    return [f"{rules[0]['id']} {rules[0]['slug']}", *(rule["verdict"] for rule in rules)]


def _block(rows: list[list[str]], part: slice, left: int, width: int) -> str:
    lines = [[row[0].ljust(left), *(cell.ljust(width) for cell in row[part])] for row in rows]
    return "\n".join("  ".join(cells).rstrip() for cells in lines)


def colored(text: str) -> str:
    """Make what fails red, on a terminal whose user has nothing against it."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return re.sub(r"(?<=  )fail\b", "\x1b[31mfail\x1b[0m", text)


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
