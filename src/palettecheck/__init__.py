"""Property-based verification of tool-palette resolvers.

    certify("myapp.palette:TenantResolver", tools="myapp.tools:ALL") -> Certificate
    test_palette = palette_tests(TenantResolver, tools=ALL)    one pytest item a rule

The same from a terminal: `palettecheck certify myapp.palette:TenantResolver --tools ...`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from palettecheck.certificate import Breach, Certificate, RuleResult
from palettecheck.engine.certifying import certify
from palettecheck.loading import TargetError
from palettecheck.scenario import Scenario, Tool

if TYPE_CHECKING:
    from palettecheck import strategies
    from palettecheck.pytest_plugin import PaletteAdvice, palette_tests

__all__ = [
    "Breach",
    "Certificate",
    "PaletteAdvice",
    "RuleResult",
    "Scenario",
    "TargetError",
    "Tool",
    "certify",
    "palette_tests",
    "strategies",
]


def __getattr__(name: str) -> Any:
    # Hypothesis and pytest take longer to import than a quick run of the command takes.
    if name == "strategies":
        return import_module("palettecheck.strategies")
    if name in ("PaletteAdvice", "palette_tests"):
        return getattr(import_module("palettecheck.pytest_plugin"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
