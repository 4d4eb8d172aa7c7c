"""Runs the real command, as a user does, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent


def palettecheck(
    *arguments: str, cwd: Path = TESTS, env: dict[str, str] | None = None, timeout: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run `palettecheck` with `arguments` and give its exit code, stdout and stderr."""
    return subprocess.run(
        [sys.executable, "-m", "palettecheck", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env=os.environ | {"COLUMNS": "80"} | (env or {}),
        timeout=timeout,
    )
