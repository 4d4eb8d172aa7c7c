"""The names under which another process finds what was handed over live, for a reproducer.

A factory says what it is called; a list does not, so it is looked for in every module.
"""

from __future__ import annotations

import ast
import inspect
import sys
import sysconfig
from pathlib import Path
from textwrap import dedent
from types import MethodType, ModuleType
from typing import Any

from palettecheck.loading import place_in_package
from palettecheck.shown import shown

_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


def target_of(factory: Any) -> str:
    """Give `module:attribute`, or the file in place of the module; empty where there is none."""
    module = sys.modules.get(getattr(factory, "__module__", None) or "")
    path = getattr(factory, "__qualname__", "")
    if module is not None and path and _leads_to(module, path, factory):
        return f"{_place(module)}:{path}"
    return source_of(factory)


def source_of(value: Any, last: str = "") -> str:
    """Give the name of the very object `value`; in the module named `last` if in no other."""
    modules = [module for name, module in list(sys.modules.items()) if name != last]
    for module in (*modules, sys.modules.get(last)):
        if module is None or module.__name__.partition(".")[0] in ("palettecheck", "__main__"):
            continue
        for name, found in list(vars(module).items()):
            if found is value and name.isidentifier() and getattr(module, "__file__", None):
                return f"{_place(module)}:{name}"
    return ""


def _leads_to(module: ModuleType, path: str, wanted: Any) -> bool:
    found: Any = module
    for name in path.split("."):
        found = inspect.getattr_static(found, name, None) if found is module else _got(found, name)
    return found is wanted or (type(wanted) is MethodType and bool(found == wanted))


def _got(owner: Any, name: str) -> Any:
    try:
        return getattr(owner, name, None)
    except Exception:  # a property or a metaclass of the adopter's
        return None


def _place(module: ModuleType) -> str:
    """Give the file where it can be imported from there; what is installed has its name."""
    file, name = getattr(module, "__file__", None), module.__name__
    if not file or file.startswith(_INSTALLED):
        return name
    return file if place_in_package(Path(file))[1] == name else name


def as_written(factory: Any) -> str:
    """Give the text of a lambda that stands on one line, or what the factory is called."""
    if getattr(factory, "__name__", "") != "<lambda>":
        return shown(f"{getattr(factory, '__qualname__', type(factory).__name__)}()", 80)
    try:
        source = dedent(inspect.getsource(factory))
        found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Lambda)]
    except (OSError, SyntaxError, TypeError):
        return ""
    text = ast.get_source_segment(source, found[0]) if len(found) == 1 else None
    return text if text and "\n" not in text else ""
