"""A target is found, built, used and closed; what cannot be is one sentence that says why."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import samples
from palettecheck.loading import TargetError, find
from palettecheck.subject import Built, opened


async def build(target: str) -> Built:
    async with opened(target, []) as subject:
        assert await subject.resolve({}, "action", [1]) == [1]
        return subject.built


@pytest.mark.parametrize(
    ("target", "built"),
    [
        ("samples:instance", Built()),
        ("samples:Attributes.inner", Built()),
        ("samples:Everything", Built(called=True)),
        ("samples:factory", Built(called=True)),
        ("samples:from_partial", Built(called=True)),
        ("samples:async_factory", Built(called=True, awaited=True)),
        ("samples:context", Built(called=True, entered=True)),
        ("samples:Entered", Built(called=True, entered=True)),
    ],
)
async def test_every_kind_of_target_is_built(target: str, built: Built) -> None:
    assert await build(target) == built


@pytest.mark.parametrize("target", ["samples:context", "samples:Entered"])
async def test_what_is_entered_is_closed(target: str) -> None:
    samples.log.clear()
    await build(target)

    assert samples.log[-1] == "closed"


async def test_a_failure_to_close_is_noted_and_loses_nothing() -> None:
    notes: list[str] = []
    async with opened("samples:ClosesBadly", notes):
        pass

    assert notes == ["closing the subject raised RuntimeError: pool is gone"]


async def test_the_reference_is_built_in() -> None:
    async with opened("reference", []) as subject:
        assert await subject.resolve({}, "unmapped", [1]) is None


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("samples", "'samples' names no attribute: write module:attribute"),
        (":x", "':x' names no attribute"),
        ("samples:", "'samples:' names no attribute"),
        ("no_such_module:x", "'no_such_module' does not import: ModuleNotFoundError"),
        ("no/such/file.py:x", "there is no file"),
        ("samples:absent", "'samples:absent': the module has no 'absent'"),
        ("samples:Attributes.absent", "the type has no 'absent'"),
        ("samples:nothing", "'samples:nothing' is no resolver: None has no `resolve`"),
        ("samples:A_NUMBER", "is no resolver: an int has no `resolve`"),
        ("samples:gives_a_string", "is no resolver: a str has no `resolve`"),
        ("samples:ResolveIsData", "is no resolver: its `resolve` is a str, not a method"),
        ("samples:ResolveRaises", "reading `resolve` raised RuntimeError: not configured"),
        ("samples:needs_arguments", "'samples:needs_arguments' needs arguments (db)"),
        ("samples:resolve", "looks like the method itself: name the object that has it"),
        ("samples:raises", "raised when built: ConnectionError: no \\x1b[31mdatabase"),
        ("samples:exits", "raised when built: SystemExit: 3"),
        ("samples:async_raises", "building it raised ConnectionError: no database"),
        ("samples:context_raises", "entering it raised ConnectionError: no database"),
        ("samples:async_exits", "building it raised SystemExit: 0"),
        ("samples:EnteringExits", "entering it raised SystemExit: 0"),
        ("samples:ReadingExits", "reading `resolve` raised SystemExit: 0"),
        ("samples:yields_without_a_context", "wants @contextlib.asynccontextmanager"),
        ("samples:sync_context", "has to be an async one"),
        ("samples.py::Everything", "one colon, as in samples.py:Everything"),
        ("path/to/samples:Everything", "the name of a file ends in .py"),
    ],
)
async def test_what_cannot_be_used_is_one_sentence(target: str, message: str) -> None:
    with pytest.raises(TargetError) as caught:
        await build(target)

    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import nowhere_to_be_found", "does not import: ModuleNotFoundError"),
        ("def", "does not import: SyntaxError"),
        ("1 / 0", "does not import: ZeroDivisionError: division by zero"),
        ("import sys; sys.exit(0)", "does not import: SystemExit: 0"),
        ("class Odd(BaseException): pass\nraise Odd", "does not import: Odd"),
    ],
)
def test_a_file_that_does_not_import_is_one_sentence(
    tmp_path: Path, code: str, message: str
) -> None:
    file = tmp_path / "broken.py"
    file.write_text(code)

    with pytest.raises(TargetError) as caught:
        find(f"{file}:x")

    assert message in str(caught.value)


def test_two_names_in_one_file_know_each_other(tmp_path: Path) -> None:
    file = tmp_path / "palette_of_a_shop.py"
    file.write_text("SEARCH = object()\nTOOLS = [SEARCH]\n")

    assert find(f"{file}:TOOLS")[0] is find(f"{file}:SEARCH")
    assert find("palette_of_a_shop:SEARCH") is find(f"{file}:SEARCH")


def test_a_file_in_a_package_may_import_from_its_package(tmp_path: Path) -> None:
    package = tmp_path / "shop_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "names.py").write_text("NAME = 'search'\n")
    (package / "palette.py").write_text("from .names import NAME\n")

    assert find(f"{package / 'palette.py'}:NAME") == "search"


def test_a_file_may_have_the_name_of_a_known_module(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("OWN = object()\n")

    assert find(f"{tmp_path / 'random.py'}:OWN") is find(f"{tmp_path / 'random.py'}:OWN")


async def test_an_interruption_is_no_error_of_the_target() -> None:
    task = asyncio.ensure_future(build("samples:context"))
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
