"""Faults that wait for an odd name: empty, blank, long, or with letters that are not ASCII."""

from __future__ import annotations

import copy
import logging
from types import SimpleNamespace
from typing import Any
from unicodedata import normalize
from zlib import crc32

from gallery.members import correct, faulty
from gallery.reading import name_of, named

_log = logging.getLogger(__name__)
ALLOWED = frozenset({"search", "fetch"})
LONGEST = 64


def _names(tools: list[Any]) -> list[str]:
    return [name for tool in tools if (name := name_of(tool)) is not None]


def _refused(tools: list[Any]) -> list[str]:
    return [name for name in _names(tools) if not (name.isascii() and 0 < len(name) <= LONGEST)]


@faulty("R09")
class ReadsTheFirstLetter:
    """Hides tools whose name begins with an underscore, and a name may be empty."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        hidden = [name for name in _names(all_tools) if name[0] == "_"]
        return [tool for tool in all_tools if name_of(tool) not in hidden] or None


@correct()
class ReadsTheBeginning:
    """Hides tools whose name begins with an underscore, which an empty one does not."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        hidden = [name for name in _names(all_tools) if name.startswith("_")]
        return [tool for tool in all_tools if name_of(tool) not in hidden] or None


@faulty("R03")
class SkipsBlankNames:
    """Drops tools with a blank name, which may be all there are."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        blank = [name for name in _names(all_tools) if not name.strip()]
        return [tool for tool in all_tools if name_of(tool) not in blank]


@correct()
class SkipsBlankNamesOrAbstains:
    """Drops tools with a blank name, unless these are all there are."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        blank = [name for name in _names(all_tools) if not name.strip()]
        return [tool for tool in all_tools if name_of(tool) not in blank] or None


@faulty("R09")
class LooksUpInLowerCase:
    """Indexes the tools by their names in lower case, and looks them up as they are written."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        index = {name.lower(): name in ALLOWED for name in _names(all_tools)}
        shown = [name for name in _names(all_tools) if index[name]]
        return named(all_tools, shown) or None


@correct()
class LooksUpAsWritten:
    """Indexes the tools by their names as they are written, and looks them up so."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        index = {name: name in ALLOWED for name in _names(all_tools)}
        shown = [name for name in _names(all_tools) if index[name]]
        return named(all_tools, shown) or None


@faulty("R09")
class LogsInAscii:
    """Writes the names to an audit file that takes ASCII only."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.audit = b",".join(name.encode("ascii") for name in _names(all_tools))
        return named(all_tools, ALLOWED) or None


@correct()
class LogsWithEscapes:
    """Writes the names to an audit file that takes ASCII only, with escapes for the others."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        self.audit = b",".join(n.encode("ascii", "backslashreplace") for n in _names(all_tools))
        return named(all_tools, ALLOWED) or None


@faulty("R01")
class ExplainsForeignNames:
    """Puts the name into the description where it is not ASCII, on a copy."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [self._explained(tool) for tool in all_tools] or None

    def _explained(self, tool: Any) -> Any:
        name = name_of(tool)
        if name is None or name.isascii():
            return tool
        tool = copy.copy(tool)
        tool.description = f"{name}: {tool.description}"
        return tool


@faulty("R02")
class HashesLongNames:
    """Puts a tool with a hash for a name in the place of one whose name has over sixteen bytes."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [self._shortened(tool) for tool in all_tools] or None

    def _shortened(self, tool: Any) -> Any:
        encoded = (name_of(tool) or "").encode()
        if len(encoded) <= 16:
            return tool
        return SimpleNamespace(name=f"tool_{crc32(encoded):08x}", description=tool.description)


def _tidy(name: str) -> str:
    return "".join(filter(str.isprintable, normalize("NFC", name))).strip()


@faulty("R07")
class TidiesNames:
    """Takes what cannot be seen out of the names, in the host's own tools."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in all_tools:
            if (name := name_of(tool)) is not None and name != _tidy(name):
                tool.name = _tidy(name)
        return named(all_tools, ALLOWED) or None


@correct()
class ComparesTidyNames:
    """Takes what cannot be seen out of the names where it compares them."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        shown = [name for name in _names(all_tools) if _tidy(name) in ALLOWED]
        return named(all_tools, shown) or None


@faulty("R04")
class WeedsRefusedNames:
    """Filters the list only where the provider refuses a name, and gives the filter."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        refused = _refused(all_tools)
        if not refused:
            return None
        return filter(lambda tool: name_of(tool) not in refused, all_tools)


@faulty("R06")
class DividesTheServers:
    """Takes lower case for its own server and foreign letters for another, and a name has both."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        own = [name for name in _names(all_tools) if name == name.lower()]
        other = [name for name in _names(all_tools) if not name.isascii()]
        return named(all_tools, own) + named(all_tools, other) or None


@correct(should="R16")
class DividesTheServersOnce:
    """Takes foreign letters for another server, lower case for its own, and a name for one."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        other = [name for name in _names(all_tools) if not name.isascii()]
        own = [n for n in _names(all_tools) if n not in other and n == n.lower()]
        return named(all_tools, own) + named(all_tools, other) or None


@faulty(should="R08")
class ReportsBadNames:
    """Reports names that the provider refuses in the state."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if bad := _refused(all_tools):
            state["refused_names"] = bad
        return None


@correct()
class LogsBadNames:
    """Reports names that the provider refuses in its log."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if bad := _refused(all_tools):
            _log.debug("the provider refuses %r", bad)
        return None


@faulty(should="R16")
class PutsUpperCaseLast:
    """Sorts tools with a capital in their name behind the others, as of a legacy server."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return sorted(all_tools, key=lambda t: (n := name_of(t) or "") != n.lower()) or None
