"""Hosts of resolvers that other projects ship, ready for `certify --node`."""

from __future__ import annotations

__all__ = ["CannotAriseError"]


class CannotAriseError(Exception):
    """The scenario cannot arise with this host; the message is one sentence that says why."""
