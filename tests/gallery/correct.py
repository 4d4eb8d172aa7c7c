"""Resolvers that keep every MUST, and look as if they might not."""

from __future__ import annotations

import asyncio
import copy
import functools
import logging
import types
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn

from gallery.members import correct
from gallery.reading import last_message, name_of, named, scope_of, tags_of, tenant_of

_log = logging.getLogger(__name__)
ALLOWED = frozenset({"search", "fetch"})
TENANTS = {"acme": {"search", "refund"}, "globex": {"search"}}


@correct()
class AlwaysAbstains:
    """Has no policy."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return None


@correct()
class GivesTheListItself:
    """Gives back the list that it was given."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools


@correct()
class GivesANewList:
    """Gives everything, in a list of its own."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return all_tools[:]


def _shortest(tools: list[Any], count: int) -> list[Any]:
    ranked = sorted(range(len(tools)), key=lambda i: len(name_of(tools[i]) or ""))
    return [tools[i] for i in sorted(ranked[:count])]


@correct(should="R17 R18", seldom="R20")
class TopFive:
    """Shows the five tools with the shortest names, in their order."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _shortest(all_tools, 5) or None


@correct(should="R17 R18")
class TopTwo:
    """Shows two, knowingly: which ones hangs on what else is there, and on the order in a tie."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _shortest(all_tools, 2) or None


@correct(tools="gallery.worlds:SHOP", states="gallery.worlds:TENANTS")
class RoutesTenants:
    """Has an allowlist for each tenant, and abstains for the others."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, TENANTS.get(tenant_of(state) or "", ())) or None


@correct(tools="gallery.worlds:SHOP", states="gallery.worlds:TENANTS")
class GatesByMetadata:
    """Shows paid tools to paying users, and reads nothing that may not be there."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        if scope_of(state).get("plan") == "paid":
            return None
        return [tool for tool in all_tools if self._tier(tool) == "free"] or None

    def _tier(self, tool: Any) -> Any:
        metadata = getattr(tool, "metadata", None)
        return metadata.get("tier") if isinstance(metadata, dict) else None


@correct(should="R16", tools="gallery.worlds:SHOP", states="gallery.worlds:ERRANDS")
class RanksByTags:
    """Puts the tools first whose tags the message speaks of, knowingly at the cache's expense."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        words = set(last_message(state).split())
        return sorted(all_tools, key=lambda tool: -len(words.intersection(tags_of(tool))))


@correct()
class CachesByIdentity:
    """Keys its cache by the tools' identities, and keeps the tools, so that no `id` comes again."""

    def __init__(self) -> None:
        self.palettes: dict[tuple[Any, ...], tuple[list[Any], Any]] = {}

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        key = (role, *map(id, all_tools))
        if key not in self.palettes:
            self.palettes[key] = (list(all_tools), named(all_tools, ALLOWED) or None)
        palette = self.palettes[key][1]
        return palette and list(palette)


class _Lying(list[Any]):
    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("read me through list")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("read me through list")

    __contains__ = __getitem__ = copy = __reversed__ = __eq__  # type: ignore[assignment]


@correct()
class GivesALyingList:
    """Gives a list whose own methods lie or raise."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _Lying(all_tools) if all_tools else None


class _Answer:
    def __init__(self, tools: list[Any] | None) -> None:
        self.tools = tools

    def __await__(self) -> Generator[Any, None, Any]:
        yield from asyncio.sleep(0).__await__()
        return self.tools


@correct()
class AwaitsByHand:
    """Gives an awaitable of its own."""

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _Answer(named(all_tools, ALLOWED) or None)


class _Steps:
    def __init__(self, tools: list[Any]) -> None:
        self.tools, self.left = tools, 2

    def __await__(self) -> _Steps:
        return self

    def __iter__(self) -> _Steps:
        return self

    def __next__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise StopIteration(self.tools)


@correct()
class AwaitsStepByStep:
    """Gives an awaitable whose iterator has neither `send` nor `throw`."""

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return _Steps(all_tools)


@correct()
class Generates:
    """Is a coroutine of the old kind, a generator under `types.coroutine`."""

    @types.coroutine
    def resolve(
        self, state: dict[str, Any], role: str, all_tools: list[Any]
    ) -> Generator[None, None, Any]:
        yield
        return named(all_tools, ALLOWED) or None


@correct()
class Delegates:
    """Is no coroutine function: it gives the coroutine of another resolver."""

    inner = GatesByMetadata()

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return self.inner.resolve(state, role, all_tools)


@correct()
class StartsATask:
    """Gives the task that is at work on the answer."""

    def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return asyncio.ensure_future(RoutesTenants().resolve(state, role, all_tools))


def _logged(resolve: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @functools.wraps(resolve)
    async def logged(*args: Any, **kwargs: Any) -> Any:
        palette = await resolve(*args, **kwargs)
        _log.warning("the palette is %r", palette)
        return palette

    return logged


@correct()
class WarnsOnEachCall:
    """Logs a warning with each answer, through a decorator."""

    @_logged
    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, ALLOWED) or None


async def _keep(allowed: frozenset[str], state: Any, role: Any, all_tools: list[Any]) -> Any:
    return named(all_tools, allowed) or None


@correct()
def bound_by_partial() -> types.SimpleNamespace:
    """Is a namespace whose `resolve` is a function with one argument filled in."""
    return types.SimpleNamespace(resolve=functools.partial(_keep, ALLOWED))


class _Proxy:
    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._inner, attribute)


@correct(should="R17 R18")
def proxied() -> _Proxy:
    """Is a proxy that has no `resolve` of its own."""
    return _Proxy(TopFive())


@correct(should="R17 R18")
class LivesInAContext:
    """Opens its connection on entering, and answers through another object."""

    async def __aenter__(self) -> TopFive:
        await asyncio.sleep(0)
        return TopFive()

    async def __aexit__(self, *error: object) -> None:
        await asyncio.sleep(0)


@correct()
@asynccontextmanager
async def connected() -> AsyncIterator[GivesTheListItself]:
    """Is an async context manager that a function makes."""
    yield GivesTheListItself()


@correct(tools="gallery.worlds:MODELS")
class ComparesModels:
    """Drops the tools that equal one which it must not show; an equal copy goes, too."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        hidden = named(all_tools, {"delete"})
        return [tool for tool in all_tools if tool not in hidden] or None


@correct(tools="gallery.worlds:INCOMPARABLE")
class ComparesTheIncomparable:
    """Compares tools whose comparison raises, for which nobody can blame it."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if tool not in all_tools[:1]] or None


@correct(should="R17 R18 R20", tools="gallery.worlds:SAME")
class DropsEqualTools:
    """Drops repeats by equality, which leaves one tool where all are equal."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette: list[Any] = []
        for tool in all_tools:
            if tool not in palette:
                palette.append(tool)
        return palette or None


@correct(tools="gallery.worlds:TWO_SERVERS")
class KeepsBothOfAName:
    """Shows both tools of a name that two servers have."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, {"search"}) or None


@correct()
class CatchesEverything:
    """Runs into all kinds of errors, and abstains on each."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        try:
            return [tool for tool in all_tools if tool.name in state["scope"]["user_id"]] or None
        except Exception:
            return None


@correct()
class TakesAnExtra:
    """Has an optional parameter more than the protocol."""

    async def resolve(
        self, state: dict[str, Any], role: str, all_tools: list[Any], *, extra: Any = None
    ) -> Any:
        return named(all_tools, extra or ALLOWED) or None


@correct()
class TakesAnything:
    """Accepts every argument, and sorts them out inside."""

    async def resolve(self, *args: Any, **kwargs: Any) -> Any:
        given = dict(zip(("state", "role", "all_tools"), args, strict=False)) | kwargs
        return named(given["all_tools"], ALLOWED) or None


@correct(states="gallery.worlds:SESSIONS")
class WorksOnACopy:
    """Copies the whole state, tools and all, and does as it likes with the copy."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        scratch = copy.deepcopy(state)
        scratch["session"] = scratch.pop("visited", None)
        scratch.pop("resolved_tools", [None]).clear()
        return named(all_tools, ALLOWED) or None


@correct(tools="gallery.worlds:SHOP", states="gallery.worlds:CAPTURED")
class ReadsTheRoutedTools:
    """Takes the routed tools from the state, where the framework keeps the list it hands over."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        routed = state.get("resolved_tools")
        return named(routed if isinstance(routed, list) else all_tools, {"search"}) or None


@correct(should="R18")
class SortsAndRestores:
    """Sorts the list in place for its first two names, and puts it back before anyone can look."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        before = list(all_tools)
        all_tools.sort(key=lambda tool: name_of(tool) or "")
        first = [name_of(tool) for tool in all_tools[:2]]
        all_tools[:] = before
        await asyncio.sleep(0)
        return [tool for tool in all_tools if name_of(tool) in first] or None


@correct()
class CachesInTheTool:
    """Keeps what it worked out in an attribute of the tool that is nobody else's."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        for tool in named(all_tools, ALLOWED):
            tool._palette_rank = tool.name.count("e")
        return [tool for tool in all_tools if getattr(tool, "_palette_rank", 0) > 0] or None


@correct()
class AsksInParallel:
    """Asks for each tool in a task of its own, under a timeout."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        async with asyncio.timeout(5), asyncio.TaskGroup() as group:
            answers = [group.create_task(self._allowed(tool)) for tool in all_tools]
        return [tool for tool, a in zip(all_tools, answers, strict=True) if a.result()] or None

    async def _allowed(self, tool: Any) -> bool:
        await asyncio.sleep(0)
        return name_of(tool) in ALLOWED


@correct()
class SurvivesItsGroup:
    """Asks in a task group whose tasks fail at times, and abstains then."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        answers: list[asyncio.Task[bool]] = []
        try:
            async with asyncio.TaskGroup() as group:
                answers += (group.create_task(self._allowed(tool)) for tool in all_tools)
        except* ConnectionError:
            answers.clear()
        return [tool for tool, a in zip(all_tools, answers, strict=False) if a.result()] or None

    async def _allowed(self, tool: Any) -> bool:
        if name_of(tool) == "fetch":
            raise ConnectionError("policy service: connection refused")
        return True


@correct(tools="gallery.worlds:COMPUTED")
class ReadsComputedTools:
    """Reads tools that work their tags and their schema out anew each time."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if "read" in getattr(tool, "tags", ())] or None


@correct(tools="gallery.worlds:DRAWN_TOOLS", states="gallery.worlds:DRAWN_STATES")
class ReadsEarlyTurns:
    """Shows what only reads in the first turns, and everything later."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        turn = state.get("turn")
        if isinstance(turn, int) and turn > 3:
            return None
        return [tool for tool in all_tools if "write" not in tags_of(tool)] or None


@correct(should="R08")
class RemembersInTheState:
    """Keeps its palette in the state, knowingly: this graph has no reducer for it."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        palette = named(all_tools, ALLOWED) or None
        state["palette"] = [name_of(tool) for tool in palette or ()]
        return palette


@correct(should="R20")
class WantsNamedTools:
    """Insists on named tools, since its registry has no others."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return [tool for tool in all_tools if not self._name(tool).startswith("delete")] or None

    def _name(self, tool: Any) -> str:
        name = name_of(tool)
        return name if name is not None else self._refuse(tool)

    def _refuse(self, tool: Any) -> NoReturn:
        raise LookupError(f"{type(tool).__name__} without a name")


@correct(tools="gallery.worlds:WORN")
class ShowsWornTools:
    """Is shown tools that change by themselves, and touches none of them."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, {"search", "fetch"}) or None


@correct(tools="gallery.worlds:UNHASHABLE")
class ShowsUnhashableTools:
    """Is shown tools that raise when they are hashed, and hashes none of them."""

    async def resolve(self, state: dict[str, Any], role: str, all_tools: list[Any]) -> Any:
        return named(all_tools, {"search"}) or None
