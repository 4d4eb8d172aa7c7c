"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no defect: time is measured in the benchmarks, as ratios within one run.
settings.register_profile("palettecheck", deadline=None)
settings.load_profile("palettecheck")
