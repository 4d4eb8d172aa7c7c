"""Plain data, frozen: how a scenario keeps a state or the content of a tool.

    freeze: live -> frozen      thaw: frozen -> live, new      difference: frozen, live -> words

Dicts with string keys, lists and scalars freeze by value. Anything else becomes an `Opaque`: it is
carried along as it is, with its repr, and with its place in what the adopter handed over.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple, TypeAlias

from palettecheck.loading import TargetError, find
from palettecheck.shown import is_plain, shown, text_of

Frozen: TypeAlias = Any  # a scalar, a tuple, a MappingProxyType of str, or an Opaque, nested
Path: TypeAlias = tuple[int | str, ...]

_MARK = "$"  # a key of the adopter's that begins with it is written with one more
_OPAQUE = "$opaque"
MISSING = object()
EMPTY: Mapping[str, Frozen] = MappingProxyType({})
_DEEPEST = 20  # plain containers within each other
_MOST = 20_000  # values in one state
_LEVELS = 3  # of objects within objects
_MOST_INSIDE = 300  # values in one object
_LARGEST = 1 << 10_000


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
    inside: _Inside | None = field(default=None, repr=False)
    levels: int = field(default=0, repr=False)

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


def freeze(value: Any, source: str = "", path: Path = ()) -> Frozen:
    """Give the frozen form of `value`, whose place in the adopter's module is `source`, `path`."""
    return _Freezer(_LEVELS, _MOST).freeze(value, source, path)


class _Freezer:
    """Freezes one value. `levels`: how deep objects are read; `left`: how many values still are.

    An object that is read again, from where it stands, is read just as far as the first time.
    """

    def __init__(self, levels: int, left: int) -> None:
        self._levels, self._left = levels, left

    def freeze(
        self, value: Any, source: str = "", path: Path = (), above: tuple[int, ...] = ()
    ) -> Frozen:
        self._left -= 1
        kind = type(value)
        if _is_scalar(kind, value):
            return value
        if id(value) in above or len(above) > _DEEPEST or self._left < 0:
            return Opaque("…", source, path, value)
        within = (*above, id(value))
        if kind is dict and all(type(key) is str for key in value):
            items = value.items()
            frozen = {key: self.freeze(v, source, (*path, key), within) for key, v in items}
            return MappingProxyType(frozen)
        if kind is list:
            return tuple(self.freeze(v, source, (*path, i), within) for i, v in enumerate(value))
        return self._opaque(value, source, path)

    def _opaque(self, value: Any, source: str, path: Path) -> Opaque:
        text = text_of(value) if self._levels == _LEVELS else ""
        inside = _inside(value, self._levels - 1) if self._levels else None
        return Opaque(text, source, path, value, inside, self._levels)


def _is_scalar(kind: type, value: Any) -> bool:
    if kind is int:
        return bool(-_LARGEST < value < _LARGEST)  # a larger one has no decimal form
    if kind is float:
        return math.isfinite(value)
    return kind is str or kind is bool or value is None


@dataclass(frozen=True, slots=True, eq=False)
class _Inside:
    """What an opaque value holds: the items of a container, the fields of an object."""

    items: tuple[Frozen, ...] = ()
    fields: Mapping[str, Frozen] = field(default_factory=dict)


def _inside(value: Any, levels: int) -> _Inside:
    """Read what `value` holds without running its code; private fields are its own affair."""
    if type(value) is ModuleType:
        return _Inside()
    freezer = _Freezer(levels, _MOST_INSIDE)
    items = tuple(map(freezer.freeze, _items(value)))
    try:
        fields = object.__getattribute__(value, "__dict__")
    except AttributeError:
        fields = {}
    public = fields.items() if type(fields) is dict else ()
    return _Inside(items, {n: freezer.freeze(v) for n, v in public if str(n)[:1] != "_"})


def _items(value: Any) -> Iterable[Any]:
    kind = type(value)
    if issubclass(kind, dict):
        return [part for pair in dict.items(value) for part in pair]
    if issubclass(kind, (set, frozenset)):
        return sorted(repr(x) if is_plain(x) else str(id(x)) for x in _members(value))
    if issubclass(kind, type):
        return _class_tables(value)
    for base in (list, tuple, deque):
        if issubclass(kind, base):
            return list(base.__iter__(value))
    return ()


def _members(value: Any) -> Iterable[Any]:
    base = set if issubclass(type(value), set) else frozenset
    return base.copy(value)


_FIELDS = ("__annotations__", "__pydantic_fields__", "model_fields")


def _class_tables(kind: type) -> Iterator[str]:
    """The keys of the tables that a class keeps, as a schema keeps its fields; caches aside."""
    fields = type.__dict__["__dict__"].__get__(kind)
    for name, table in fields.items():
        if type(table) is dict and (name in _FIELDS or not name.startswith("__")):
            yield from (name, *map(text_of, table))
            yield from map(text_of, table.values() if name in _FIELDS else ())


def thaw(value: Frozen) -> Any:
    """Give new live data for a frozen `value`; an `Opaque` gives the one object that it is."""
    kind = type(value)
    if kind is MappingProxyType:
        return {key: thaw(item) for key, item in value.items()}
    if kind is tuple:
        return [thaw(item) for item in value]
    return value.value() if kind is Opaque else value


def restore(frozen: Frozen, live: Any) -> bool:
    """Put what is inside `live` back as it was, in place; say whether that could be done."""
    if type(frozen) is MappingProxyType and type(live) is dict:
        live.clear()
        live.update(thaw(frozen))
    elif type(frozen) is tuple and type(live) is list:
        live[:] = thaw(frozen)
    elif type(frozen) is Opaque and live is frozen.live and frozen.inside is not None:
        fields = object.__getattribute__(live, "__dict__") if frozen.inside.fields else {}
        for name, item in frozen.inside.fields.items():
            if not restore(item, fields.get(name)):
                fields[name] = thaw(item)
    else:
        return False
    return True


class Difference(NamedTuple):
    """How data is not as it was, in words; `place` is Python for what of it to look at."""

    words: str
    place: str


def difference(frozen: Frozen, live: Any, place: str) -> Difference | None:
    """Say how `live`, which was `frozen` once and is called `place`, differs now."""
    if frozen is live:  # a scalar: of anything else, the frozen form is another object
        return None
    kind = type(frozen)
    if kind is MappingProxyType and type(live) is dict:
        return _dict_difference(frozen, live, place)
    if kind is tuple and type(live) is list:
        return _list_difference(frozen, live, place)
    if kind is Opaque and live is frozen.live:
        return _opaque_difference(frozen, live, place)
    if kind is type(live) and is_plain(live) and frozen == live:
        return None
    return _differs(place, f": {_words(frozen)} became {text_of(live)}", place)


def _differs(what: str, how: str, place: str) -> Difference:
    return Difference(f"{shown(what, 200)}{how}", place)


def _dict_difference(
    frozen: Mapping[str, Frozen], live: dict[Any, Any], place: str
) -> Difference | None:
    for key, item in frozen.items():
        if live.get(key, MISSING) is item:
            continue
        inner = f"{place}[{key!r}]"
        if key not in live:
            return _differs(inner, " was removed", place)
        if found := difference(item, live[key], inner):
            return found
    added = [key for key in live if type(key) is not str or key not in frozen]
    return _differs(f"{place}[{text_of(added[0])}]", " was added", place) if added else None


def _list_difference(frozen: tuple[Frozen, ...], live: list[Any], place: str) -> Difference | None:
    if len(frozen) != len(live):
        return _differs(place, f": {len(frozen)} items became {len(live)}", place)
    pairs = enumerate(zip(frozen, live, strict=True))
    found = (difference(a, b, f"{place}[{i}]") for i, (a, b) in pairs)
    return next(filter(None, found), None)


def _opaque_difference(frozen: Opaque, live: Any, place: str) -> Difference | None:
    if frozen.inside is None:
        return None
    before, now = frozen.inside, _inside(live, frozen.levels - 1)
    for name, item in before.fields.items():
        if not same(item, now.fields.get(name, MISSING)):
            return _differs(f"{place}.{name}", " changed", f"vars({place})")
    return (
        None if same(before.items, now.items) else _differs(place, ": its content changed", place)
    )


def same(a: Frozen, b: Frozen) -> bool:
    """Say whether two frozen values are of the same types and values, and the same objects."""
    if type(a) is not type(b):
        return False
    if type(a) is MappingProxyType:
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if type(a) is tuple:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is Opaque:
        return a.live is b.live and _same_inside(a.inside, b.inside)
    return bool(a == b)


def _same_inside(a: _Inside | None, b: _Inside | None) -> bool:
    """Whether nothing changed; a field that was added may be a cache, and is no change."""
    if a is None or b is None:
        return a is b
    kept = all(same(item, b.fields.get(name, MISSING)) for name, item in a.fields.items())
    return kept and same(a.items, b.items)


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


def opaques(value: Frozen) -> Iterator[Opaque]:
    """Give each opaque value in `value`."""
    if type(value) is Opaque:
        yield value
    elif type(value) in (MappingProxyType, tuple):
        items = value.values() if type(value) is MappingProxyType else value
        for item in items:
            yield from opaques(item)


def from_json(value: Any, known: Callable[[Opaque], Frozen] = lambda opaque: opaque) -> Frozen:
    """Give the frozen form of what `to_json` gave; `known` may have the live form of a value."""
    if isinstance(value, dict) and _OPAQUE in value:
        return known(Opaque(value[_OPAQUE], value["source"], tuple(value["path"])))
    if isinstance(value, dict):
        items = {key.removeprefix(_MARK): from_json(item, known) for key, item in value.items()}
        return MappingProxyType(items)
    return tuple(from_json(v, known) for v in value) if isinstance(value, list) else value
