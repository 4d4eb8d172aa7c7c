"""The certificate as one JSON object."""

from __future__ import annotations

import json

import msgspec

from palettecheck.certificate import Certificate


def as_json(certificate: Certificate) -> str:
    """Give the object, indented, in ASCII: whatever a name holds, it does not reach a terminal."""
    return json.dumps(msgspec.to_builtins(certificate), indent=2, ensure_ascii=True)
