"""Plain data, frozen: how a scenario keeps a state or the content of a tool.

    freeze: live -> frozen      thaw: frozen -> live, new      difference: frozen, live -> words

Dicts with string keys, lists and scalars freeze by value. Anything else becomes an `Opaque`: it is
carried along as it is, with its repr, and with its place in what the adopter handed over.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from palettecheck.loading import TargetError, find
from palettecheck.shown import is_plain, quoted, text_of

Frozen: TypeAlias = Any  # a scalar, a tuple, a MappingProxyType of str, or an Opaque, nested
Path: TypeAlias = tuple[int | str, ...]

_MARK = "$"  # a key of the adopter's that begins with it is written with one more
_OPAQUE = "$opaque"
MISSING = object()
EMPTY: Mapping[str, Frozen] = MappingProxyType({})
_DEEPEST = 20


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """A value that is no plain data.

    `text` is its repr. `source` and `path` say where the adopter's module has it, so that another
    process can find it; without a `source` it was drawn, and is not portable.
    """

    text: str
    source: str = ""
    path: Path = ()
    live: Any = field(default=MISSING, repr=False)
    inside: Frozen = field(default=None, repr=False)

    def value(self) -> Any:
        """Give the live value; raise `TargetError` where it is not portable and not at hand."""
        if self.live is not MISSING:
            return self.live
        if not self.source:
            raise TargetError(f"{self.text} was drawn in another process and cannot be rebuilt")
        found = find(self.source)
        for step in self.path:
            found = found[step]
        return found


def freeze(value: Any, source: str = "", path: Path = (), above: tuple[int, ...] = ()) -> Frozen:
    """Give the frozen form of `value`, whose place in the adopter's module is `source`, `path`."""
    kind = type(value)
    if kind in (str, int, bool, type(None)) or (kind is float and math.isfinite(value)):
        return value
    if id(value) in above or len(above) > _DEEPEST:
        return Opaque(text_of(value), source, path, value)
    within = (*above, id(value))
    if kind is dict and all(type(key) is str for key in value):
        items = {key: freeze(item, source, (*path, key), within) for key, item in value.items()}
        return MappingProxyType(items)
    if kind is list:
        return tuple(freeze(item, source, (*path, i), within) for i, item in enumerate(value))
    return Opaque(text_of(value), source, path, value, _inside(value, within))


def _inside(value: Any, above: tuple[int, ...]) -> Frozen:
    """What an opaque value holds, as far as it can be read without running its code."""
    if type(value) is tuple:
        return tuple(freeze(item, "", (), above) for item in value)
    if type(value) in (set, frozenset):
        return tuple(sorted(text_of(item) for item in value if is_plain(item)))
    if issubclass(type(value), type):
        return _class_tables(value)
    try:
        fields = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return freeze(dict(fields), "", (), above) if type(fields) is dict else None


def _class_tables(kind: type) -> Frozen:
    """The keys of the tables that a class keeps, as a schema keeps its fields; caches aside."""
    fields = type.__dict__["__dict__"].__get__(kind)
    kept = {"__annotations__", "__pydantic_fields__"}
    tables = {n: v for n, v in fields.items() if type(v) is dict and (n in kept or n[:2] != "__")}
    return MappingProxyType({n: tuple(map(text_of, table)) for n, table in tables.items()})


def thaw(value: Frozen) -> Any:
    """Give new live data for a frozen `value`; an `Opaque` gives the one object that it is."""
    kind = type(value)
    if kind is MappingProxyType:
        return {key: thaw(item) for key, item in value.items()}
    if kind is tuple:
        return [thaw(item) for item in value]
    return value.value() if kind is Opaque else value


def difference(frozen: Frozen, live: Any, place: str) -> str | None:
    """Say in words how `live`, which was `frozen` once, differs now; `None` if it does not."""
    kind = type(frozen)
    if kind is MappingProxyType and type(live) is dict:
        return _dict_difference(frozen, live, place)
    if kind is tuple and type(live) is list:
        return _list_difference(frozen, live, place)
    if kind is Opaque and live is frozen.live:
        return _opaque_difference(frozen, live, place)
    if kind is type(live) and is_plain(live) and frozen == live:
        return None
    return f"{place}: {_words(frozen)} became {text_of(live)}"


def _dict_difference(frozen: Mapping[str, Frozen], live: dict[Any, Any], place: str) -> str | None:
    for key, item in frozen.items():
        if key not in live:
            return f"{place}[{quoted(key)}] was removed"
        if found := difference(item, live[key], f"{place}[{quoted(key)}]"):
            return found
    added = [key for key in live if type(key) is not str or key not in frozen]
    return f"{place}[{text_of(added[0])}] was added" if added else None


def _list_difference(frozen: tuple[Frozen, ...], live: list[Any], place: str) -> str | None:
    if len(frozen) != len(live):
        return f"{place}: {len(frozen)} items became {len(live)}"
    pairs = enumerate(zip(frozen, live, strict=True))
    found = (difference(a, b, f"{place}[{i}]") for i, (a, b) in pairs)
    return next(filter(None, found), None)


def _opaque_difference(frozen: Opaque, live: Any, place: str) -> str | None:
    now = _inside(live, (id(live),))
    if type(frozen.inside) is not MappingProxyType or type(now) is not MappingProxyType:
        return None if _same(frozen.inside, now) else f"{place}: its content changed"
    # An attribute that was added may be a cache; one that changed or went is not.
    for name, item in frozen.inside.items():
        if not _same(item, now.get(name, MISSING)):
            return f"{place}.{quoted(name)[1:-1]} changed"
    return None


def _same(a: Frozen, b: Frozen) -> bool:
    if type(a) is not type(b):
        return False
    if type(a) is MappingProxyType:
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if type(a) is tuple:
        return len(a) == len(b) and all(map(_same, a, b))
    if type(a) is Opaque:
        return a.live is b.live and _same(a.inside, b.inside)
    return bool(a == b)


def _words(frozen: Frozen) -> str:
    return frozen.text if type(frozen) is Opaque else text_of(thaw(frozen))


def to_json(value: Frozen) -> Any:
    """Give what `json` can write for a frozen `value`."""
    kind = type(value)
    if kind is MappingProxyType:
        return {_MARK * key.startswith(_MARK) + key: to_json(v) for key, v in value.items()}
    if kind is tuple:
        return [to_json(item) for item in value]
    if kind is Opaque:
        return {_OPAQUE: value.text, "source": value.source, "path": list(value.path)}
    return value


def from_json(value: Any) -> Frozen:
    """Give the frozen form of what `to_json` gave."""
    if isinstance(value, dict) and _OPAQUE in value:
        return Opaque(value[_OPAQUE], value["source"], tuple(value["path"]))
    if isinstance(value, dict):
        return MappingProxyType({key.removeprefix(_MARK): from_json(v) for key, v in value.items()})
    return tuple(map(from_json, value)) if isinstance(value, list) else value
