"""From `module:attribute` or `path/to/file.py:attribute` to the object of that name.

A file is loaded once a process, so that two names in it give objects that know each other.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from palettecheck.shown import error_text, quoted, type_name


class TargetError(Exception):
    """What the adopter named cannot be used; the message is one sentence that says why."""


def find(source: str) -> Any:
    """Give the object that `source` names; raise `TargetError` where there is none."""
    place, attribute = split(source)
    found: Any = load(place)
    for name in attribute.split("."):
        found = _attribute(found, name, source)
    return found


def split(source: str) -> tuple[str, str]:
    """Split `source` into its module or file, and its attribute."""
    place, colon, attribute = source.rpartition(":")
    if place.endswith(":"):
        raise TargetError(f"{quoted(source, 200)}: one colon, as in {place[:-1]}:{attribute}")
    if "/" in place and not is_file(place):
        raise TargetError(f"{quoted(source, 200)}: the name of a file ends in .py")
    if not (colon and place and attribute):
        raise TargetError(
            f"{quoted(source)} names no attribute: write module:attribute "
            "or path/to/file.py:attribute"
        )
    return place, attribute


def is_file(place: str) -> bool:
    """Say whether `place` is the path of a file rather than the name of a module."""
    return place.endswith(".py")


def load(place: str) -> ModuleType:
    """Import the module or the file; raise `TargetError` where that fails."""
    try:
        return _load_file(Path(place)) if is_file(place) else _load_module(place)
    except TargetError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an import runs the adopter's code, which may do anything
        raise TargetError(f"{quoted(place)} does not import: {error_text(error)}") from error


def _load_module(name: str) -> ModuleType:
    _prepend("")
    return importlib.import_module(name)


def _load_file(path: Path) -> ModuleType:
    path = _resolved.setdefault(str(path), path.resolve())
    if not path.is_file():
        raise TargetError(f"there is no file {quoted(str(path), 200)}")
    if path in _executed:
        return _executed[path]
    root, name = place_in_package(path)
    _prepend(str(root))
    return importlib.import_module(name) if _leads_to(name, path) else _execute(path)


def _leads_to(name: str, path: Path) -> bool:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # `__main__` has no spec, and a package may not import
        return False
    return spec is not None and spec.origin == str(path)


_resolved: dict[str, Path] = {}  # since the adopter's code may change the working directory
_executed: dict[Path, ModuleType] = {}


def _prepend(folder: str) -> None:
    if folder not in sys.path:
        sys.path.insert(0, folder)


def place_in_package(path: Path) -> tuple[Path, str]:
    """Give the folder to import from, and the dotted name, so that relative imports work."""
    path = path.resolve()
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    return root, ".".join(parts)


def _execute(path: Path) -> ModuleType:
    """Run a file whose module name is taken, as `random.py` would be, under a name of its own."""
    name = f"_palettecheck_{path.stem}_{len(_executed)}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    _executed[path] = module
    return module


def _attribute(owner: Any, name: str, source: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError as error:
        what = "module" if isinstance(owner, ModuleType) else type_name(owner)
        raise TargetError(f"{quoted(source, 200)}: the {what} has no {quoted(name)}") from error
    except Exception as error:
        raise TargetError(
            f"{quoted(source, 200)}: reading it raised {error_text(error)}"
        ) from error
