"""symfonic-core's own react node, and its whole agent, as hosts; only the chat model is not real.

symfonic           ReactNode, or Agent where tools are always to be included
ReactNode          `create_react_node` alone: routing and force come in the state
Agent              `SymfonicAgent`: a query is routed by the keywords of a domain template
default_resolver   what an agent makes of `role_tools`
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Collection, Mapping, Set
from contextvars import ContextVar
from typing import Any

from palettecheck.host import Bound, CannotAriseError
from palettecheck.loading import TargetError
from palettecheck.shown import error_text, quoted, type_name

try:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.tools import BaseTool, StructuredTool
    from langsmith import tracing_context
    from pydantic import BaseModel
    from symfonic.agent.config import FrameworkConfig
    from symfonic.agent.domain import DomainTemplate
    from symfonic.agent.engine import SymfonicAgent
    from symfonic.core.config import AgentConfig
    from symfonic.core.deps import BaseAgentDeps
    from symfonic.core.graph import AgentGraph
    from symfonic.core.nodes.react import create_react_node
    from symfonic.core.presets import ReactLoopPreset
    from symfonic.core.tool_palette_resolver import ToolPaletteResolver
except ImportError as error:
    raise TargetError(
        f"this needs symfonic-core (pip install symfonic-core): {error_text(error)}"
    ) from error

__all__ = ["Agent", "ReactNode", "default_resolver", "symfonic", "tool"]


class _Query(BaseModel):
    query: str


def _run(query: str) -> str:
    return query


def tool(name: str) -> Any:
    """Make a LangChain tool: unhashable, and equal to another one of its name."""
    return StructuredTool(name=name, description=f"{name} something", func=_run, args_schema=_Query)


_SENT: ContextVar[list[Bound]] = ContextVar("sent")


class _Model(BaseChatModel):
    """Records what is bound. Tools are listed, as a provider does, and not looked into."""

    sent: Any  # of a list, pydantic would make another one

    @property
    def _llm_type(self) -> str:
        return "palettecheck"

    def bind_tools(self, tools: Any, *, tool_choice: Any = None, **options: Any) -> Any:
        self.sent.append(Bound(list(tools), tool_choice))
        return self

    async def ainvoke(self, messages: Any, config: Any = None, **options: Any) -> Any:
        return AIMessage("done")

    def _generate(self, *messages: Any, **options: Any) -> Any:
        raise NotImplementedError  # abstract in the base; the node calls `ainvoke` alone


class _Provider:
    """Makes a model an iteration, before the node first awaits: overlapping ones stay apart."""

    def get_chat_model(self, config: Any) -> _Model:
        return _Model(sent=_SENT.get())

    def supports_thinking(self) -> bool:
        return False

    def supports_streaming(self) -> bool:
        return False

    def supports_forced_tool_choice(self, config: Any) -> bool:
        return True


def _recorded() -> list[Bound]:
    sent: list[Bound] = []
    _SENT.set(sent)  # and never reset: an iteration may be closed in another context than its own
    return sent


def _last(sent: list[Bound]) -> Bound:
    return sent[-1] if sent else Bound([])


_LEVERS = frozenset({"resolved_tools", "always_include", "tool_choice"})

# What a node reads of itself in its state; what a caller has there of these names is not for it.
_OWN = {"deps", "messages", "forced_tool_choice"}


def _handed(state: dict[str, Any], own: Set[str], tool_choice: str | None) -> dict[str, Any]:
    handed = {key: state[key] for key in state if key not in own and not key.startswith("_")}
    return handed if tool_choice is None else {**handed, "forced_tool_choice": tool_choice}


class ReactNode:
    """The node that `create_react_node` gives, and its dependencies; `registry` is its own list."""

    levers = _LEVERS - {"always_include"}
    tool = staticmethod(tool)

    def __init__(
        self, registry: list[Any], resolver: Any, always_include: tuple[str, ...] = ()
    ) -> None:
        if always_include:
            raise CannotAriseError("the react node alone has no tools that are always included")
        self._deps = BaseAgentDeps(ModelProvider=_Provider())
        self._deps.register(ToolPaletteResolver, resolver)
        self._react = create_react_node(AgentConfig(), registry)

    async def iterate(self, state: dict[str, Any], tool_choice: str | None = None) -> Bound:
        """Run the node once; what it changes in its state is changed in `state`."""
        own = {"deps": self._deps, "messages": [HumanMessage("hello")]}
        given = {**_handed(state, _OWN, tool_choice), **own}
        seen = dict(given)
        sent = _recorded()
        try:
            await self._react(seen)
        finally:
            _carry_over(given, seen, state)
        return _last(sent)


def _carry_over(given: dict[str, Any], seen: dict[str, Any], state: dict[str, Any]) -> None:
    for key in given.keys() - seen.keys():
        state.pop(key, None)
    for key, value in seen.items():
        if key not in given or given[key] is not value:
            state[key] = value


class Agent:
    """A `SymfonicAgent` that has these tools and no other, each with a keyword of its own.

    Its `resolved_tools` are what its own routing makes of a query. Routing keeps the registry's
    order, and the tools that are always included; where it should not, the scenario cannot arise.
    """

    levers = _LEVERS
    tool = staticmethod(tool)

    def __init__(
        self, registry: list[Any], resolver: Any, always_include: tuple[str, ...] = ()
    ) -> None:
        self._keywords = {name: f"#{place}#" for place, name in enumerate(_names(registry))}
        self._registry = list(registry)
        self._always = frozenset(always_include)
        self._agent = _agent(
            self._registry,
            always_include_tools=tuple(always_include),
            tool_routing_mode="enforce",
            domain=DomainTemplate(
                tool_trigger_keywords={name: [word] for name, word in self._keywords.items()}
            ),
        )
        self._agent._deps.register(ToolPaletteResolver, resolver)

    async def iterate(self, state: dict[str, Any], tool_choice: str | None = None) -> Bound:
        """Run one turn, which is one iteration: the model calls no tool."""
        query = self._query(state.get("resolved_tools"))
        sent = _recorded()
        with tracing_context(enabled=False):
            await self._agent.run(query, **_handed(state, _OWN_OF_RUN, tool_choice))
        return _last(sent)

    def _query(self, wanted: list[Any] | None) -> str:
        if not wanted:
            return "hello"
        asked = set(map(id, wanted))
        routed = [one for one in self._registry if id(one) in asked or one.name in self._always]
        if [*map(id, routed)] != [*map(id, wanted)]:
            raise CannotAriseError(
                "symfonic-core's routing keeps the registry's order, and what is always included"
            )
        return " ".join(["create", *(self._keywords[one.name] for one in wanted)])


_OWN_OF_RUN = {*_OWN, "resolved_tools", *inspect.signature(SymfonicAgent.run).parameters}


def _names(registry: list[Any]) -> list[str]:
    names: dict[str, None] = {}
    for one in registry:
        if not isinstance(one, BaseTool):
            raise CannotAriseError(f"symfonic-core's registry takes no {type_name(one)}")
        if not one.name:
            raise CannotAriseError("symfonic-core routes no tool without a name")
        if one.name in names:
            raise CannotAriseError(f"symfonic-core keeps one tool of a name: {quoted(one.name)}")
        names[one.name] = None
    return list(names)


def _agent(tools: list[Any], **settings: Any) -> Any:
    AgentGraph.register_preset(_LOOP)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = FrameworkConfig(**_QUIET, **settings)
        return SymfonicAgent(_Provider(), config=config, tools=tools, graph_preset=_LOOP.name)


# No memory, no prompt of the framework's own, and no tool that it would register by itself.
_QUIET: dict[str, Any] = {
    "auto_hydrate": False,
    "auto_consolidate": False,
    "enabled_layers": frozenset(),
    "lazy_tooling": False,
    "context_strategy": "stratified",
    "tool_result_compaction_enabled": False,
    "messages_cache_policy": "off",
}


class _Loop(ReactLoopPreset):
    """The default graph, node by node and edge by edge, of functions that cost LangGraph less.

    It reads the code of each node for graphs inside it, which is most of what an agent costs, and
    runs what is not async in a thread.
    """

    name = "palettecheck"

    def __call__(self, workflow: Any, graph: Any, config: Any) -> None:
        super().__call__(_Cheap(workflow), graph, config)


class _Cheap:
    def __init__(self, workflow: Any) -> None:
        self._workflow = workflow

    def __getattr__(self, name: str) -> Any:
        return getattr(self._workflow, name)

    def add_node(self, name: str, node: Any) -> None:
        async def run(state: dict[str, Any]) -> Any:
            return await node(state)

        self._workflow.add_node(name, run if inspect.iscoroutinefunction(node) else node)

    def add_conditional_edges(self, source: str, path: Any, ends: dict[str, str]) -> None:
        async def choose(state: dict[str, Any]) -> Any:
            return path(state)

        self._workflow.add_conditional_edges(source, choose, ends)


_LOOP = _Loop()


class _Symfonic:
    levers = _LEVERS
    tool = staticmethod(tool)

    def __call__(
        self, registry: list[Any], resolver: Any, always_include: tuple[str, ...] = ()
    ) -> ReactNode | Agent:
        host = Agent if always_include else ReactNode
        return host(registry, resolver, always_include)


symfonic = _Symfonic()


def default_resolver(role_tools: Mapping[str, Collection[str]]) -> Any:
    """Give the resolver that an agent with these `role_tools` registers for itself."""
    return _agent([], role_tools=dict(role_tools))._deps.get(ToolPaletteResolver)
