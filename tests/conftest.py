"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from adopter import Run, runner

# A busy machine is no defect: time is measured in the benchmarks, as ratios within one run.
settings.register_profile("palettecheck", deadline=None)
settings.load_profile("palettecheck")


@pytest.fixture(params=["strict", "auto"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Runs pytest on a file of tests in each mode of pytest-asyncio."""
    return runner(tmp_path, request.param)


@pytest.fixture
def run_once(tmp_path: Path) -> Run:
    """The same in one mode only, where it cannot matter."""
    return runner(tmp_path, "strict")
