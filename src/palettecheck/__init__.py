"""Property-based verification of tool-palette resolvers.

    certify("myapp.palette:TenantResolver", tools="myapp.tools:ALL") -> Certificate

The same from a terminal: `palettecheck certify myapp.palette:TenantResolver --tools ...`.
"""

from palettecheck.certificate import Breach, Certificate, RuleResult
from palettecheck.engine.certifying import certify
from palettecheck.loading import TargetError
from palettecheck.scenario import Scenario, Tool

__all__ = [
    "Breach",
    "Certificate",
    "RuleResult",
    "Scenario",
    "TargetError",
    "Tool",
    "certify",
]
