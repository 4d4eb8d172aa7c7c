"""Dependencies point one way, and each public module says what it gives."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import palettecheck

FOLDER = Path(palettecheck.__file__).parent
MODULES = sorted(FOLDER.rglob("*.py"))

# From the bottom up. A module imports from its own layer or from one below.
LAYERS = [
    ["shown", "loading", "plain"],
    ["scenario", "shelf", "observation", "scripts", "iteration", "subject", "certificate", "host"],
    ["rules", "search", "reproducer", "node_reproducer", "strategies", "adapters"],
    ["engine"],
    ["report"],
    ["items"],
    ["cli", "pytest_plugin", "__init__", "__main__"],
]


def layer(module: str) -> int:
    """The height of a module, by the first part of its name below the package."""
    return next(height for height, names in enumerate(LAYERS) if module in names)


def imported(path: Path) -> set[str]:
    """The first parts of the names of the modules of the suite that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("palettecheck."):
            found.add((node.module or "").split(".")[1])
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_module_imports_only_from_below(path: Path) -> None:
    own = path.relative_to(FOLDER).with_suffix("").parts[0]

    assert {name for name in imported(path) if layer(name) > layer(own)} == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_what_is_public_has_a_docstring(path: Path) -> None:
    tree = ast.parse(path.read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    public = [n for n in tree.body if isinstance(n, kinds) and not n.name.startswith("_")]

    assert ast.get_docstring(tree)
    assert [node.name for node in public if not ast.get_docstring(node)] == []


def test_the_public_names_are_sorted_and_there() -> None:
    assert palettecheck.__all__ == sorted(palettecheck.__all__)
    assert all(hasattr(palettecheck, name) for name in palettecheck.__all__)
