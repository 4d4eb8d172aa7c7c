"""The rules for a resolver that one call shows: R01 to R09, and R20.

`_rule` stands above each check and carries the rest of the rule; the check's docstring is its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from palettecheck.observation import Observation
from palettecheck.rules import Basis, Fault, Level, Rule, Situation, described
from palettecheck.scenario import RESOLVED, Typing
from palettecheck.shelf import Change, name_of
from palettecheck.shown import quoted

_SYMFONIC = "symfonic-core 9.12.0, `symfonic/core/tool_palette_resolver.py`"
_MUST: dict[Typing, Level] = {"well-typed": "MUST", "hostile tools": "MUST"}
_EVERY_CALL: dict[Typing, Level] = {"well-typed": "SHOULD", "odd state": "SHOULD"}

CALLED = Situation("a call")
RETURNED = Situation("a call that gave a result", lambda seen: seen.stage == "returned")
FROM_TOOLS = Situation(
    "a result for a list that is not empty",
    lambda seen: seen.stage == "returned" and bool(seen.tools),
)
PALETTE = Situation(
    "a palette with a tool in it",
    lambda seen: bool(seen.elements),
    "hand over tools that its policy names (--tools), and states for which it has one (--states)",
)
ODD_TOOLS = Situation("a tool without a name, oddly named, or a dict")

RULES: list[Rule] = []

_Check = Callable[[Observation], Fault | None]


def _rule(
    name: str,
    basis: Basis,
    reason: str,
    *,
    when: Situation,
    breaking: str,
    repaired: str,
    levels: dict[Typing, Level] = _MUST,
    silences: bool = False,
    controlled: bool = False,
    needs_state: bool = False,
) -> Callable[[_Check], _Check]:
    def add(check: _Check) -> _Check:
        about = described(name, check, levels, basis, reason, when, breaking, repaired)
        RULES.append(Rule(*about, check, silences, controlled, needs_state))
        return check

    return add


@_rule(
    "R05 async-signature",
    "stated",
    f"The Protocol's signature ({_SYMFONIC}). A host awaits what it gets, and may pass the "
    "arguments either way.",
    when=CALLED,
    breaking="""
        def resolve(self, state, role, all_tools):
            return list(all_tools) or None
    """,
    repaired="""
        async def resolve(self, state, role, all_tools):
            return list(all_tools) or None
    """,
    silences=True,
)
def async_signature(seen: Observation) -> Fault | None:
    """Calling it by position, and by the names `state`, `role`, `all_tools`, gives an awaitable."""
    wanted = "an awaitable, for three arguments by position and by name alike"
    if seen.stage == "refused":
        return Fault(wanted, f"called by {seen.scenario.call}, {seen.outcome()}")
    if seen.stage == "not awaitable":
        given = seen.describe(seen.result)
        return Fault(wanted, f"the call itself gave {given}", "assert inspect.isawaitable(result)")
    return None


@_rule(
    "R09 errors-abstain",
    "stated",
    f"A resolver that fails is to abstain ({_SYMFONIC}), so that the policy does not take the "
    "conversation with it. On state values of a wrong type it is a SHOULD.",
    when=CALLED,
    levels={"well-typed": "MUST", "odd state": "SHOULD"},
    breaking="""
        plan = state["tenant_id"]["plan"]
        return all_tools[:1] if plan == "free" else None
    """,
    repaired="""
        tenant = state.get("tenant_id")
        plan = tenant.get("plan") if isinstance(tenant, dict) else None
        return all_tools[:1] if plan == "free" and all_tools else None
    """,
    silences=True,
)
def errors_abstain(seen: Observation) -> Fault | None:
    """No exception leaves `resolve` on a well-typed call, `SystemExit` and the like included."""
    if seen.stage not in ("raised", "failed") or seen.raised_by_a_tool():
        return None
    return Fault("a palette or None", seen.outcome())


@_rule(
    "R20 any-tool-shape",
    "derived",
    "Registries hold provider tools given as `dict` (unhashable, no `.name`) and objects of other "
    "frameworks; a filter that raises on one loses them all (neuro-san 1008).",
    when=ODD_TOOLS,
    levels={"odd tools": "SHOULD"},
    breaking='return [t for t in all_tools if t.name != "delete"] or None',
    repaired='return [t for t in all_tools if getattr(t, "name", None) != "delete"] or None',
    silences=True,
    controlled=True,
)
def any_tool_shape(seen: Observation) -> Fault | None:
    """Tools without `.name`, with an odd one, and provider tools given as `dict` do not raise, and
    whether one is kept does not depend on its neighbours or its position."""
    if seen.stage not in ("raised", "failed") or seen.raised_by_a_tool():
        return None
    return Fault("a palette or None, whatever the shape of the tools", seen.outcome())


@_rule(
    "R04 list-or-none",
    "stated",
    f"The Protocol's return type ({_SYMFONIC}). The host iterates the result, and binds it: a "
    "generator is used up by the first look, and a coroutine is true.",
    when=RETURNED,
    breaking='return (t for t in all_tools if getattr(t, "name", None) != "delete")',
    repaired='return [t for t in all_tools if getattr(t, "name", None) != "delete"] or None',
    silences=True,
)
def list_or_none(seen: Observation) -> Fault | None:
    """The awaited result is a `list`, a subclass included, or `None`: no tuple, set, generator,
    string, `True` or coroutine."""
    if seen.elements is not None or seen.result is None:
        return None
    proof = "assert result is None or issubclass(type(result), list)"
    return Fault("a list, or None", seen.describe(seen.result), proof)


@_rule(
    "R01 same-instances",
    "stated",
    f"The result holds instances of the list that was given, never new ones ({_SYMFONIC}). A copy "
    "loses what the host attached to the original, and hosts look tools up by identity.",
    when=PALETTE,
    breaking="""
        found = [t for t in all_tools if getattr(t, "name", None) == "search"]
        return [copy.copy(t) for t in found] or None
    """,
    repaired="""
        found = [t for t in all_tools if getattr(t, "name", None) == "search"]
        return found or None
    """,
)
def same_instances(seen: Observation) -> Fault | None:
    """An element that shares its name with a tool in `all_tools` is that tool, or one of them: not
    an equal copy, a wrapper or a rebuilt tool."""
    foreign = seen.foreign()
    names = seen.names() if foreign else set()
    for position, element in foreign:
        if name_of(element) in names:
            name = quoted(name_of(element) or "")
            return Fault(
                f"at [{position}] the instance of {name} that all_tools has",
                f"another instance: {seen.describe(element)}",
                _ALL_FROM_TOOLS,
            )
    return None


@_rule(
    "R02 no-expansion",
    "stated",
    f"A palette narrows what intent routing left ({_SYMFONIC}). What routing removed, and what "
    "another tenant has, must not come back.",
    when=PALETTE,
    breaking="""
        if not hasattr(self, "palette") and all_tools:
            self.palette = all_tools[:]  # which a later call may not be shown
        return getattr(self, "palette", None)
    """,
    repaired="return list(all_tools) or None",
)
def no_expansion(seen: Observation) -> Fault | None:
    """No element is without a counterpart in `all_tools`; above all, no tool that intent routing
    removed. A name where a tool is meant counts here."""
    foreign = seen.foreign()
    names = seen.names() if foreign else set()
    for position, element in foreign:
        if name_of(element) not in names:
            return Fault(
                "only tools that all_tools has",
                f"at [{position}] {seen.describe(element)}",
                _ALL_FROM_TOOLS,
            )
    return None


_ALL_FROM_TOOLS = (
    "assert result is None or all(any(t is u for u in tools) for t in list.copy(result))"
)


@_rule(
    "R03 never-empty",
    "stated",
    f"An empty list would leave the agent without tools; no policy is `None` ({_SYMFONIC}). Some "
    "providers refuse a conversation that has tool calls in it and no tools (pydantic-ai 5929).",
    when=FROM_TOOLS,
    breaking='return [t for t in all_tools if getattr(t, "name", None) == "search"]',
    repaired='return [t for t in all_tools if getattr(t, "name", None) == "search"] or None',
)
def never_empty(seen: Observation) -> Fault | None:
    """The result is not empty while `all_tools` is not: abstaining is `None`."""
    if seen.elements is None or seen.elements:
        return None
    proof = "assert result is None or list.__len__(result) > 0"
    return Fault("at least one tool, or None to abstain", "[]", proof)


@_rule(
    "R06 no-duplicates",
    "derived",
    "A palette is a subset, and providers refuse a request that names a tool twice. Identity "
    "counts: two tools of one name are two.",
    when=PALETTE,
    breaking="""
        pinned = [t for t in all_tools if getattr(t, "name", None) == "search"]
        matching = [t for t in all_tools if getattr(t, "name", None) in ("search", "fetch")]
        return pinned + matching or None
    """,
    repaired="""
        wanted = ("search", "fetch")  # pinned or matching
        return [t for t in all_tools if getattr(t, "name", None) in wanted] or None
    """,
)
def no_duplicates(seen: Observation) -> Fault | None:
    """No instance occurs more often than in `all_tools`."""
    count = Counter(map(id, seen.elements or ()))
    for tool in seen.tools:
        if count[id(tool)] > 1:
            times = f"{seen.describe(tool)} {count[id(tool)]} times: {seen.outcome()}"
            proof = "assert len({*map(id, result or ())}) == list.__len__(result or [])"
            return Fault("each tool at most once", times, proof)
    return None


@_rule(
    "R16 keeps-order",
    "derived",
    "The order of the tools array is part of what the provider caches; a ranking that changes with "
    "each turn costs that (LangChain's tool selector).",
    when=Situation("a palette of two tools or more", lambda seen: len(seen.kept() or ()) > 1),
    levels={"well-typed": "SHOULD"},
    breaking='return sorted(all_tools, key=lambda t: str(getattr(t, "name", ""))) or None',
    repaired="return list(all_tools) or None",
)
def keeps_order(seen: Observation) -> Fault | None:
    """The result keeps the order of `all_tools`."""
    kept = seen.kept() or ()
    if list(kept) == sorted(kept):
        return None
    labels = seen.scenario.shown_labels()
    wanted = ", ".join(labels[i] for i in sorted(kept)[:8])
    places = "[next(i for i, u in enumerate(tools) if t is u) for t in list.copy(result)]"
    proof = f"assert result is None or (places := {places}) == sorted(places)"
    return Fault(f"[{wanted}], as in all_tools", seen.outcome(), proof)


@_rule(
    "R07 inputs-untouched",
    "derived",
    "The list may be the agent's own: what one call pops is gone for good, or missing from what "
    "another conversation sees meanwhile (openai-agents-python 4424). Caches inside a tool are its "
    "own affair.",
    when=FROM_TOOLS,
    breaking="""
        for tool in list(all_tools):
            if getattr(tool, "name", None) == "delete":
                all_tools.remove(tool)
        return all_tools or None
    """,
    repaired='return [t for t in all_tools if getattr(t, "name", None) != "delete"] or None',
)
def inputs_untouched(seen: Observation) -> Fault | None:
    """`all_tools` keeps its members and order, at every moment at which another coroutine could
    look, and afterwards; a tool's name, description, tags, metadata and schema stay."""
    if seen.moved:
        return _moved(seen)
    if seen.tool_change is None:
        return None
    return _tool_changed(seen, seen.tool_change)


def _tool_changed(seen: Observation, change: Change) -> Fault:
    label = seen.scenario.shown_labels()[change.position]
    return _changed(seen, f"{label} as it was", change)


def _changed(seen: Observation, wanted: str, change: Change, same: str = "") -> Fault:
    place = change.place
    if place.endswith("args_schema"):  # the repr of a class does not tell
        place = f"{{k: v for k, v in vars({place}).items() if type(v) is dict}}"
    during = change.when == "while it waited"
    proof, before = f"assert repr({place}) == before{same}", f"before = repr({place})"
    pause = seen.left_tasks and not during
    return Fault(wanted, _words(change), proof, before, during, pause, circumstantial=True)


def _words(change: Change) -> str:
    return f"{change.words} {change.when}" if change.when == "while it waited" else change.words


def _moved(seen: Observation) -> Fault:
    labels = ", ".join(seen.scenario.shown_labels())
    wanted = f"all_tools stays [{labels}]"
    if seen.moved == "in an earlier call's hands":
        ids = "[[*map(id, call[2])] for call in calls]"
        return Fault(
            "the list of an earlier call stays as it was",
            "it changed in the course of this one",
            f"assert {ids} == before",
            f"before = {ids}",
            pause=seen.left_tasks,
        )
    what = f"{seen.describe(seen.moved_to)} {seen.moved}"
    proof = "assert [*map(id, all_tools)] == [*map(id, tools)]"
    during = seen.moved == "while it waited"
    return Fault(wanted, what, proof, during=during, pause=seen.left_tasks)


@_rule(
    "R08 state-read-only",
    "derived",
    "A resolver consults the state; the graph owns it. A change made here bypasses its reducers, "
    "and shows in the next node or not, by luck.",
    when=RETURNED,
    levels=_EVERY_CALL,
    breaking="""
        state.setdefault("roles_seen", []).append(role)
        return None
    """,
    repaired="return None  # a node of the graph may return such a change",
    needs_state=True,
)
def state_read_only(seen: Observation) -> Fault | None:
    """`state` is consulted, not changed, nested values included."""
    if seen.state_change is None:
        return None
    routed = seen.scenario.resolved is not None
    same = f" and state.get({RESOLVED!r}) is all_tools" if routed else ""
    return _changed(seen, "the state as it was", seen.state_change, same)
