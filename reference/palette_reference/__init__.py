"""The executable specification of a tool palette, on the standard library alone.

`protocol` says what a resolver is; `resolver` is the one that reads `role_tools`; `node` composes
the levers, and is the host that asks a resolver; `guard` makes any resolver safe for a host that
trusts it.
"""

from palette_reference.guard import GuardedResolver, contained
from palette_reference.node import Binding, ReferenceNode, bind_palette
from palette_reference.protocol import ACTION, DEFAULT, ToolPaletteResolver
from palette_reference.resolver import RoleToolsResolver

__all__ = [
    "ACTION",
    "DEFAULT",
    "Binding",
    "GuardedResolver",
    "ReferenceNode",
    "RoleToolsResolver",
    "ToolPaletteResolver",
    "bind_palette",
    "contained",
]
