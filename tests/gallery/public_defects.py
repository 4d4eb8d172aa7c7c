"""Defects that people reported, of other hosts and frameworks: each as it was, and mended.

In brackets is where it was reported.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from gallery.members import correct, faulty
from gallery.reading import last_message, name_of, named, tenant_of

_log = logging.getLogger(__name__)
ALLOWED = frozenset({"search", "fetch"})


@faulty("R03", states="gallery.worlds:CHATS")
class FindsNothingSimilar:
    """Retrieves by the words of the message, and a greeting retrieves nothing (llm-agent 6)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, last_message(state).split())


@correct(states="gallery.worlds:CHATS")
class AbstainsOnAGreeting:
    """Retrieves by the words of the message, and abstains without a hit (llm-agent 6)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, last_message(state).split()) or None


@faulty("R03", states="gallery.worlds:CHATS")
class HidesWhatWasUsed:
    """Hides each tool once the conversation has used it, the last one, too (pydantic-ai 5929)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        used = last_message(state).split()
        return [tool for tool in all_tools if name_of(tool) not in used]


@correct(states="gallery.worlds:CHATS")
class LeavesTheLastOne:
    """Hides used tools, unless none were left in mid-conversation (pydantic-ai 5929)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        used = last_message(state).split()
        return [tool for tool in all_tools if name_of(tool) not in used] or None


SETTINGS = {"allowed": "search"}


@faulty("R03")
class AllowsCharacters:
    """Makes a set of a name, and then allows its characters (openai-agents-python 3331)."""

    allowed = frozenset(SETTINGS["allowed"])

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, self.allowed)


@correct()
class TakesAStringForOneName:
    """Allows the one tool where the setting is a string (openai-agents-python 3331)."""

    given: Any = SETTINGS["allowed"]
    allowed = frozenset([given] if isinstance(given, str) else given)

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, self.allowed) or None


@faulty(should="R20")
class LooksDictsUp:
    """Looks up in a set what has no name, and a dict has no hash (neuro-san 1008)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        keys = [tool if name_of(tool) is None else name_of(tool) for tool in all_tools]
        return [tool for tool, key in zip(all_tools, keys, strict=True) if key in ALLOWED] or None


@correct()
class PassesDictsOver:
    """Looks up what has a name, and passes the dicts over (neuro-san 1008)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if name_of(tool) in ALLOWED] or None


@faulty("R07")
class PopsFromTheHost:
    """Pops from the list, which is the host's own cached one (openai-agents-python 4424)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for i in reversed(range(len(all_tools))):
            if name_of(all_tools[i]) == "delete":
                all_tools.pop(i)
        return list(all_tools) or None


@correct()
class PopsFromACopy:
    """Pops from a copy, so that the host's list stays (openai-agents-python 4424)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = list(all_tools)
        for i in reversed(range(len(palette))):
            if name_of(palette[i]) == "delete":
                palette.pop(i)
        return palette or None


_palette: list[Any] = []


@faulty("R01", "R02")
class CachesForWhoeverComes:
    """Keeps one user's tools in a global, and the next user gets them (template-agent 230)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if not _palette:
            _palette.extend(named(all_tools, ALLOWED))
        return _palette[:] or None


_names: dict[str | None, frozenset[str]] = {}


@correct()
class CachesNamesByUser:
    """Keeps names in a global, by the user, and narrows what is there (template-agent 230)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        user = tenant_of(state)
        if user not in _names:
            _names[user] = ALLOWED if user == "acme" else ALLOWED - {"fetch"}
        return named(all_tools, _names[user]) or None


@faulty("R01", "R02")
class SharesADefault:
    """Has a list as a default argument, which all agents share (swarms 1789)."""

    def __init__(self, palette: list[Any] = []) -> None:  # noqa: B006
        self.palette = palette

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        new = [t for t in named(all_tools, ALLOWED) if not any(t is p for p in self.palette)]
        self.palette.extend(new)
        return self.palette[:] or None


@correct()
class StartsAnew:
    """Has `None` as a default argument, and a list for each call (swarms 1789)."""

    def __init__(self, pinned: list[str] | None = None) -> None:
        self.pinned = pinned or []

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette: list[Any] = []
        palette.extend(named(all_tools, ALLOWED.union(self.pinned)))
        return palette or None


@faulty("R01", "R02")
class HasOneSlot:
    """Has one slot, by the invocation, whose tools may have changed since (adk-python 5721)."""

    def __init__(self) -> None:
        self.slot: tuple[Any, Any] = (None, None)

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        invocation = (role, tenant_of(state))
        if self.slot[0] != invocation:
            self.slot = (invocation, named(all_tools, ALLOWED) or None)
        return self.slot[1]


@correct()
class KeepsNamesForEach:
    """Has a slot for each invocation, with names instead of tools (adk-python 5721)."""

    def __init__(self) -> None:
        self.slots: dict[Any, frozenset[str]] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        allowed = self.slots.setdefault((role, tenant_of(state)), ALLOWED)
        return named(all_tools, allowed) or None


@faulty("R07")
class ClearsAndFills:
    """Clears the list and fills it while others read it (Frappe_Assistant_Core 199)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        discovered = list(all_tools)
        all_tools.clear()
        await asyncio.sleep(0)
        all_tools.extend(discovered)
        return named(all_tools, ALLOWED) or None


@correct()
class FillsAndSwaps:
    """Fills a list of its own, and shows it when it is complete (Frappe_Assistant_Core 199)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = []
        for tool in named(all_tools, ALLOWED):
            await asyncio.sleep(0)
            palette.append(tool)
        return palette or None


class _Servers:
    def __init__(self) -> None:
        self.calls = 0

    async def ask(self, tools: list[Any], answered: list[Any]) -> None:
        self.calls += 1
        late = self.calls % 2
        await asyncio.gather(*(self._ask(tool, i * late, answered) for i, tool in enumerate(tools)))

    async def _ask(self, tool: Any, place: int, answered: list[Any]) -> None:
        for _ in range(3 - place):
            await asyncio.sleep(0)
        answered.append(tool)


@faulty(should="R12 R16")
class TakesThemAsTheyCome:
    """Lists the tools in the order in which their servers answer (qwen-code 6338)."""

    def __init__(self) -> None:
        self.servers = _Servers()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        answered: list[Any] = []
        await self.servers.ask(all_tools, answered)
        return answered or None


@correct()
class PutsThemInOrder:
    """Waits for all servers, and keeps the order of the list (qwen-code 6338)."""

    def __init__(self) -> None:
        self.servers = _Servers()

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        answered: list[Any] = []
        await self.servers.ask(all_tools, answered)
        return [tool for tool in all_tools if any(tool is other for other in answered)] or None


def _listing(role: str) -> frozenset[str]:
    if role == "default":
        raise ConnectionError("tool server: connection refused")
    return ALLOWED


@faulty("R09")
class LetsTheListingFail:
    """Lists the tools of a server that is down, and the run dies of it (adk-python 5025)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, _listing(role)) or None


@correct()
class GoesOnWithoutAListing:
    """Lists the tools of a server that is down, logs it, and abstains (adk-python 5025)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        try:
            return named(all_tools, _listing(role)) or None
        except ConnectionError as error:
            _log.info("no palette for %s: %s", role, error)
            return None


async def _filtered(tools: list[Any]) -> list[Any]:
    return named(tools, ALLOWED)


@faulty("R04")
class AsksACoroutine:
    """Asks whether an asynchronous filter kept any, without `await`: it is true (crewai 1.15)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _filtered(all_tools) or None


@correct()
class AwaitsItsFilter:
    """Awaits an asynchronous filter before it asks whether it kept any (crewai 1.15)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return await _filtered(all_tools) or None


SELECTED = ("fetch", "search", "calendar")  # as a model gave them


@faulty("R09")
class RefusesASelection:
    """Raises where the model has selected a tool that is not there (LangChain's tool selector)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = {name_of(tool) for tool in all_tools}
        if unknown := [name for name in SELECTED if name not in names]:
            raise ValueError(f"the model selected unknown tools: {unknown}")
        return named(all_tools, SELECTED)


@correct()
class DropsWhatIsUnknown:
    """Logs what the model has selected and is not there, and drops it (LangChain's selector)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        names = {name_of(tool) for tool in all_tools}
        if unknown := [name for name in SELECTED if name not in names]:
            _log.info("the model selected unknown tools: %s", unknown)
        return named(all_tools, SELECTED) or None


@faulty(should="R16")
class BindsAsSelected:
    """Binds the tools in the order of the model's selection (LangChain's tool selector)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for name in SELECTED for tool in named(all_tools, {name})] or None


@correct()
class BindsAsRegistered:
    """Binds what the model selected in the order of the list (LangChain's tool selector)."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if name_of(tool) in SELECTED] or None
