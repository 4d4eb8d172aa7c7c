"""The reference resolver does what its page says, and no more."""

from __future__ import annotations

import ast
import logging
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import palette_reference
from palette_reference import ACTION, DEFAULT, RoleToolsResolver, ToolPaletteResolver

SEARCH, FETCH, DELETE = (SimpleNamespace(name=name) for name in ("search", "fetch", "delete"))
FOLDER = Path(palette_reference.__file__).parent


async def palette(role_tools: dict[str, Any], tools: list[Any], role: str = ACTION) -> Any:
    return await RoleToolsResolver(role_tools).resolve({}, role, tools)


async def test_it_keeps_the_allowlisted_tools_in_the_order_given() -> None:
    kept = await palette({ACTION: {"search", "delete"}}, [DELETE, FETCH, SEARCH])

    assert [id(tool) for tool in kept] == [id(DELETE), id(SEARCH)]


async def test_tools_of_one_name_are_kept_alike() -> None:
    twin = SimpleNamespace(name="search")

    kept = await palette({ACTION: {"search"}}, [SEARCH, FETCH, twin])

    assert [id(tool) for tool in kept] == [id(SEARCH), id(twin)]


async def test_a_role_without_an_entry_abstains() -> None:
    assert await palette({ACTION: {"search"}}, [SEARCH], DEFAULT) is None


async def test_an_allowlist_that_keeps_everything_gives_the_list() -> None:
    assert await palette({ACTION: {"search", "fetch"}}, [SEARCH, FETCH]) == [SEARCH, FETCH]


@pytest.mark.parametrize(
    "odd",
    [
        SimpleNamespace(),
        SimpleNamespace(name=None),
        SimpleNamespace(name=["search"]),
        {"name": "search"},
    ],
    ids=["nameless", "None", "list", "dict"],
)
async def test_a_tool_without_a_string_for_a_name_matches_no_allowlist(odd: Any) -> None:
    assert await palette({ACTION: {"search"}}, [odd, SEARCH]) == [SEARCH]


@pytest.mark.parametrize("allowed", [set(), {"absent"}], ids=["empty", "meets nothing"])
async def test_a_void_allowlist_abstains_and_warns_once_a_role(
    allowed: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    resolver = RoleToolsResolver({ACTION: allowed, DEFAULT: allowed})

    for role in (ACTION, ACTION, DEFAULT, DEFAULT):
        assert await resolver.resolve({}, role, [SEARCH]) is None

    assert [(r.levelno, r.args) for r in caplog.records] == [
        (logging.WARNING, (ACTION,)),
        (logging.WARNING, (DEFAULT,)),
    ]


async def test_no_tools_is_no_reason_to_warn(caplog: pytest.LogCaptureFixture) -> None:
    assert await palette({ACTION: {"search"}}, []) is None
    assert caplog.records == []


def test_a_string_for_an_allowlist_is_refused() -> None:
    with pytest.raises(TypeError, match=r"role_tools\['action'\] is a string"):
        RoleToolsResolver({ACTION: "search"})


def test_the_config_is_copied() -> None:
    names = {"search"}
    resolver = RoleToolsResolver({ACTION: names})
    names.clear()

    assert resolver._role_tools == {ACTION: {"search"}}


def test_it_is_a_resolver() -> None:
    assert isinstance(RoleToolsResolver({}), ToolPaletteResolver)


def test_the_reference_imports_nothing_outside_the_standard_library() -> None:
    for file in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.partition(".")[0]
                assert top in sys.stdlib_module_names | {"palette_reference"}, f"{file}: {name}"


def test_protocol_and_resolver_are_under_80_lines_together() -> None:
    texts = [(FOLDER / name).read_text() for name in ("protocol.py", "resolver.py")]

    assert sum(text.count("\n") for text in texts) < 80
