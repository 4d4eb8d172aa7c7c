"""The rules for a node that hosts a resolver: N01 to N17.

`_rule` stands above each check and carries the rest of the rule; the check's docstring is its text.
A check judges an iteration, which knows those before it on the same agent. One fault, one blame: an
iteration that did not end breaks one rule alone; where a resolver has changed the list that it was
given, N13 speaks for what the base should have been; `FIRST` are asked first, and may silence the
rest; and a rule with a control is not broken where the host fares no better without what it is
about.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from palette_reference import ACTION, DEFAULT
from palettecheck.iteration import Course, Iteration, holds
from palettecheck.observation import same_members
from palettecheck.rules import (
    Basis,
    Control,
    Fault,
    Level,
    NodeRule,
    Situation,
    Way,
    by_kind,
    described,
)
from palettecheck.rules.facts import (
    ANY,
    BOUND,
    SHOWN,
    abstained,
    as_due,
    base_fault,
    by_force,
    by_now,
    changed,
    due,
    empty,
    equal_inputs,
    excluded,
    failed,
    faulty,
    first_of_each_name,
    keeps_order,
    off_base,
    plain,
    ran,
    unended,
)
from palettecheck.scenario import Typing
from palettecheck.scripts import Script
from palettecheck.shelf import name_of
from palettecheck.shown import quoted, text_of

_CONFIG = "symfonic-core 9.12.0, `FrameworkConfig.role_tools`"
_MUST: dict[Typing, Level] = {"well-typed": "MUST"}
_SHOULD: dict[Typing, Level] = {"well-typed": "SHOULD"}

NODE_RULES: list[NodeRule] = []

_Check = Callable[[Iteration], Fault | None]


def _rule(
    name: str,
    basis: Basis,
    reason: str,
    *,
    when: Situation,
    breaking: str,
    repaired: str,
    levels: dict[Typing, Level] = _MUST,
    lever: str = "",
    silences: Callable[[Iteration], bool] = lambda it: False,
    control: Control | None = None,
    way: Callable[[Iteration, Fault], Way] = by_kind,
) -> Callable[[_Check], _Check]:
    def add(check: _Check) -> _Check:
        about = described(name, check, levels, basis, reason, when, breaking, repaired)
        NODE_RULES.append(NodeRule(*about, check, lever, silences, control, way))
        return check

    return add


_ABSTAINING = Control(lambda course: course.last(script=Script("abstains")))
_UNFORCED = Control(lambda course: course.last(tool_choice=None))


@_rule(
    "N01 bound-from-registry",
    "stated",
    "The model is shown the tools that the host can run, the same instances (symfonic-core 9.12.0, "
    "`symfonic/core/tool_palette_resolver.py`); a copy or a foreign tool is one that it cannot.",
    when=BOUND,
    breaking="good = elements",
    repaired="good = [tool for tool in input_list if any(tool is element for element in elements)]",
    silences=lambda it: not it.offending,
)
def bound_from_registry(it: Iteration) -> Fault | None:
    """Each bound tool is a tool of the registry, the same instance."""
    known = it.among(it.registry)
    strangers = [tool for tool in it.bound if not known(tool)]
    if not strangers or it.mutated:
        return None
    proof = "assert all(any(tool is r for r in registry) for tool in bound.tools)"
    return Fault("tools of the registry alone", f"{it.label(strangers[0])} bound", proof)


@_rule(
    "N02 narrows-only",
    "stated",
    f"A palette can only narrow what intent routing kept ({_CONFIG}); what routing removed comes "
    "back by the force or by always-include alone.",
    when=Situation(
        "a tool that routing removed",
        lambda it: ran(it) and len(it.input_list) < len(it.registry),
    ),
    breaking="good = [t for t in self.registry if any(t is element for element in elements)]",
    repaired="good = [tool for tool in input_list if any(tool is element for element in elements)]",
    lever="resolved_tools",
    silences=lambda it: not it.offending,
)
def narrows_only(it: Iteration) -> Fault | None:
    """What is bound is of the input list, forced, or always included."""
    shown, known = it.among(it.input_list), it.among(it.registry)
    wide = [t for t in it.bound if known(t) and not shown(t) and not it.may_be_added(t)]
    if not wide or it.mutated:
        return None
    proof = f"assert all(t is not {it.variable(wide[0])} for t in bound.tools)"
    return Fault(f"tools of {it.listed(it.input_list)} alone", f"{it.label(wide[0])} bound", proof)


@_rule(
    "N03 abstain-passes-through",
    "stated",
    f"`None` means that there is no policy, and the list is bound unchanged ({_CONFIG}).",
    when=Situation("an abstention", abstained),
    breaking="tools = sorted(palette or input_list, key=lambda tool: tool.name)",
    repaired="tools = list(input_list) if palette is None else palette",
)
def abstain_passes_through(it: Iteration) -> Fault | None:
    """After `None`, the base is the input list: the same instances in the same order."""
    return None if it.binds_a_base() else base_fault(it)


@_rule(
    "N04 empty-abstains",
    "stated",
    f"An empty palette would brick the agent, and is a slip in the config ({_CONFIG}): the list is "
    "bound unchanged, and somebody has to hear of it.",
    when=Situation("an empty palette", lambda it: plain(it) and empty(it)),
    breaking="return good",
    repaired="return good or None",
    control=_ABSTAINING,
)
def empty_abstains(it: Iteration) -> Fault | None:
    """After `[]`, the base is the input list, and a WARNING is logged."""
    if not it.binds_a_base():
        return base_fault(it)
    heard = by_now(it, faulty, Iteration.warnings)
    return None if heard else Fault("a WARNING", "none is logged", "assert warnings", unsaid=True)


@_rule(
    "N05 forced-present",
    "stated",
    "The force wins over the palette: a forced tool that is not bound is a call that the provider "
    "refuses (symfonic-core 9.12.0, `symfonic/core/nodes/react.py`).",
    when=Situation(
        "a forced tool that the registry has",
        lambda it: ran(it) and holds(it.registry, it.forced) and it.forced is not None,
    ),
    breaking="forced = [t for t in input_list if t.name == tool_choice and t not in tools]",
    repaired="forced = self.absent([tool_choice], tools)",
    lever="tool_choice",
    way=by_force,
)
def forced_present(it: Iteration) -> Fault | None:
    """A forced tool that the registry has is bound, whichever lever removed it."""
    if holds(it.bound, it.forced) or it.mutated:
        return None
    proof = f"assert any(t.name == {text_of(it.forced)} for t in bound.tools)"
    return Fault(f"{quoted(it.forced or '')} bound", it.outcome(), proof)


@_rule(
    "N06 forced-warns-once",
    "stated",
    "That a palette and a force contradict each other is worth one line in the log, not one an "
    "iteration (symfonic-core 9.12.0, `symfonic/core/nodes/react.py`: a one-time warning).",
    when=Situation("a forced tool that is added back", excluded),
    breaking='log.warning("the palette lacks the forced tool %s", tool_choice)',
    repaired='self.warn_once("the palette lacks the forced tool", tool_choice)',
    lever="tool_choice",
    way=by_force,
    control=_UNFORCED,
)
def forced_warns_once(it: Iteration) -> Fault | None:
    """Adding a forced tool back warns once a tool, role and agent, not on each iteration."""
    before = [one for one in it.earlier if one.forced == it.forced and excluded(one)]
    heard = [w for one in (*before, it) for w in one.warnings() if (it.forced or "") in w]
    now = [w for w in it.warnings() if (it.forced or "") in w or not heard]
    by_palette = holds(it.input_list, it.forced)
    if before and now:
        proof = f"assert not [r for r in warnings if {text_of(it.forced)} in r.getMessage()]"
        return Fault("no second warning", f"the agent warns again: {quoted(now[0], 90)}", proof)
    if by_palette and not before and not now:
        return Fault(f"one warning about {quoted(it.forced or '')}", "none", "assert warnings")
    return None


@_rule(
    "N07 always-included",
    "stated",
    "Always-include names are applied after the palette, so that they survive it (symfonic-core "
    "9.12.0, `FrameworkConfig.role_tools`).",
    when=Situation(
        "an always-include name that the registry has", lambda it: ran(it) and bool(it.always)
    ),
    breaking="input_list += self.absent(self.always_include, input_list)",
    repaired="tools += self.absent(self.always_include, tools)",
    lever="always_include",
)
def always_included(it: Iteration) -> Fault | None:
    """Always-include names that the registry has are bound, whichever lever removed them."""
    missing = [name for name in sorted(it.always) if not holds(it.bound, name)]
    if not missing or it.mutated:
        return None
    proof = f"assert any(t.name == {text_of(missing[0])} for t in bound.tools)"
    return Fault(f"{quoted(missing[0])} bound", it.outcome(), proof)


def _by_script(it: Iteration, fault: Fault) -> Way:
    return ("unsaid",) if fault.unsaid else (it.turn.script.name, it.stage)


@_rule(
    "N08 errors-degrade",
    "stated",
    "A policy that fails must not take the conversation with it: errors, results of a wrong type "
    "and missed deadlines read as an abstention (symfonic-core 9.12.0, "
    "`symfonic/core/tool_palette_resolver.py`).",
    when=Situation("a resolver that fails", failed),
    breaking="except ValueError:",
    repaired="except Exception:",
    way=_by_script,
    silences=lambda it: True,
    control=_ABSTAINING,
)
def errors_degrade(it: Iteration) -> Fault | None:
    """A resolver that raises, awaits past the deadline or returns no list never breaks the
    iteration: the base is the input list, and it is logged."""
    if it.mutated and ran(it):
        return None
    if (fault := off_base(it, ", with the input list as the base")) is not None:
        return fault
    heard = by_now(it, faulty, lambda one: one.said(logging.INFO))
    silence = Fault("a line in the log", "nothing is logged", "assert said", unsaid=True)
    return None if heard else silence


@_rule(
    "N09 hostile-result-contained",
    "derived",
    "What a resolver returns goes to a provider, which answers a foreign, doubled or nameless tool "
    "with an error, if the process does not fall over it first.",
    when=Situation("a list with elements that may not be in it", lambda it: it.offending),
    breaking='good = [element for element in elements if getattr(element, "name", None)]',
    repaired="good = [tool for tool in input_list if any(tool is element for element in elements)]",
    control=_ABSTAINING,
)
def hostile_result_contained(it: Iteration) -> Fault | None:
    """Copies, foreign tools, repeats, names, and lists that lie never reach the model."""
    return None if it.mutated and ran(it) else off_base(it)


@_rule(
    "N10 bound-once",
    "derived",
    "Providers answer a tools array with a doubled name by an error 400.",
    when=BOUND,
    breaking="missing = set(names)",
    repaired="missing = set(names) - {tool.name for tool in tools}",
)
def bound_once(it: Iteration) -> Fault | None:
    """No instance is bound twice, and no lever adds a second tool of a bound name."""
    shown = it.among(it.input_list)
    for i, tool in enumerate(it.bound):
        others = [*it.bound[:i], *it.bound[i + 1 :]]
        if any(tool is other for other in others[:i]):
            proof = "assert len({id(t) for t in bound.tools}) == len(bound.tools)"
            return Fault(f"{it.label(tool)} once", it.outcome(), proof)
        known = any(tool is one for one in it.registry) and not it.mutated
        name = name_of(tool)
        if known and not shown(tool) and any(name_of(other) == name for other in others):
            proof = "assert len({t.name for t in bound.tools}) == len(bound.tools)"
            return Fault(f"one tool called {quoted(name or '')}", it.outcome(), proof)
    return None


@_rule(
    "N11 choice-is-bound",
    "derived",
    "A tool choice that names no bound tool, and one without any tools, is an error 400.",
    when=Situation("a tool choice", lambda it: ran(it) and it.turn.tool_choice is not None),
    breaking="forced = []",
    repaired="tool_choice = None",
    lever="tool_choice",
    way=by_force,
)
def choice_is_bound(it: Iteration) -> Fault | None:
    """A tool choice that is a name names a bound tool, or is not sent and a WARNING is logged;
    without a tool no choice is sent; a mode is not a name."""
    if it.mutated:
        return None
    if it.choice is not None and (not it.bound or (it.named and not holds(it.bound, it.named))):
        proof = "assert bound.tool_choice in (None, *(t.name for t in bound.tools))"
        return Fault("a choice that names a bound tool, or none", it.outcome(), proof)
    if it.named is None:
        asked = it.forced
        heard = by_now(it, lambda one: one.forced == asked, Iteration.warnings)
        wanted = f"{text_of(asked)} sent, or a WARNING"
        lost = Fault(wanted, "neither", "assert warnings", unsaid=True)
        return lost if asked is not None and not heard else None
    if it.named != it.forced:
        proof = f"assert bound.tool_choice != {text_of(it.named)}"
        return Fault(f"{text_of(it.turn.tool_choice)} sent, or nothing", it.outcome(), proof)
    return None


@_rule(
    "N12 once-per-iteration",
    "stated",
    "The resolver narrows, for a canonical role, what would be bound without it, on each iteration "
    "(symfonic-core 9.12.0, `symfonic/core/tool_palette_resolver.py`).",
    when=Situation("an input list that is not empty", lambda it: ran(it) and bool(it.input_list)),
    breaking='result = await self.resolver.resolve(state, "action", list(self.registry))',
    repaired='result = await self.resolver.resolve(state, "action", list(input_list))',
    way=lambda it, fault: (len(it.asked),),
    silences=lambda it: True,
)
def once_per_iteration(it: Iteration) -> Fault | None:
    """The resolver is called exactly once an iteration, with a canonical role and the input list;
    where that is empty, at most once."""
    if len(it.asked) != 1:
        proof = "assert len(calls) == 1"
        return Fault("one call of the resolver", f"{len(it.asked)} calls", proof)
    asked = it.asked[0]
    if asked.role not in (ACTION, DEFAULT):
        proof = "assert calls[0][0] in ('action', 'default')"
        return Fault(f"the role {ACTION!r} or {DEFAULT!r}", text_of(asked.role), proof)
    if asked.given is None:
        proof = "assert type(calls[0][1]) is list"
        return Fault("the input list, as a list", "what is no list", proof)
    earlier = any(one.turn.script.body.mutates for one in it.earlier)
    lists = (it.input_list, first_of_each_name(it.input_list))
    if earlier or any(same_members(asked.given, some) for some in lists):
        return None
    shown = ", ".join(map(it.variable, it.input_list))
    proof = f"assert [*map(id, calls[0][2])] == [*map(id, [{shown}])]"
    return Fault(f"a call with {it.listed(it.input_list)}", it.listed(asked.given), proof)


@_rule(
    "N13 registry-protected",
    "derived",
    "The list that a resolver is given is often the agent's own: one that pops from it takes the "
    "tool from every conversation, for good.",
    when=Situation("a resolver that changes the list it is given", lambda it: it.mutated),
    breaking='result = await self.resolver.resolve(state, "action", input_list)',
    repaired='result = await self.resolver.resolve(state, "action", list(input_list))',
    control=_ABSTAINING,
)
def registry_protected(it: Iteration) -> Fault | None:
    """A resolver that changes the list it is given changes nothing for this or a later
    iteration."""
    if it.registry_moved or it.routed_moved:
        whose = "agent's registry" if it.registry_moved else "list that routing kept"
        proof = "assert own == registry and state.get('resolved_tools') == was"
        return Fault(f"the {whose} as it was", f"the {whose} is changed", proof)
    return off_base(it)


_STATE = "assert {k: v for k, v in state.items() if k[0] != '_'} == given"


@_rule(
    "N14 state-untouched",
    "derived",
    "The caller's state is checkpointed and shared; a list of live tools in it is neither data nor "
    "the caller's. Keys that begin with an underscore are the node's own.",
    when=ANY,
    levels=_SHOULD,
    breaking="""
        state["resolved_tools"] = tools
        return Bound(tools, tool_choice if tools else None)
    """,
    repaired="return Bound(tools, tool_choice if tools else None)",
)
def state_untouched(it: Iteration) -> Fault | None:
    """Binding does not change the caller's state."""
    if not it.state_change or it.mutated:
        return None
    return Fault("the state as it was", it.state_change, _STATE)


@_rule(
    "N15 never-bricked",
    "stated",
    f"An agent without tools can't act, and does not say so ({_CONFIG}).",
    when=SHOWN,
    breaking="return good",
    repaired="return good or None",
)
def never_bricked(it: Iteration) -> Fault | None:
    """Where the input list is not empty, at least one tool is bound."""
    if it.bound or it.mutated or (not ran(it) and (failed(it) or it.offending)):
        return None
    if not ran(it):
        return unended(it, ", with a tool bound" * bool(it.input_list))
    return Fault("a tool that is bound", it.outcome(), "assert bound.tools")


_AS_BEFORE = "assert [*map(id, bound.tools)] == [*map(id, before.tools)]"


@_rule(
    "N16 stable-order",
    "derived",
    "A tools array that changes costs the provider's prompt cache.",
    when=Situation("a palette, or an input list, to bind", lambda it: plain(it) and bool(it.bound)),
    levels=_SHOULD,
    breaking="tools = list(input_list) if palette is None else palette[::-1]",
    repaired="tools = list(input_list) if palette is None else palette",
)
def stable_order(it: Iteration) -> Fault | None:
    """Where the palette kept the input's order, the base is bound in it; equal inputs bind equal
    lists."""
    if keeps_order(it) and not it.binds(it.bases[0]):
        return base_fault(it)
    twins = [one for one in it.earlier if equal_inputs(one, it) and not it.offending]
    if twins and not same_members(twins[-1].bound, it.bound):
        before = it.listed(twins[-1].bound)
        return Fault(f"{before} bound, as before", it.outcome(), _AS_BEFORE)
    return None


@_rule(
    "N17 re-evaluated",
    "stated",
    "A resolver is asked on each iteration, so that a policy, a force or a registry that changes "
    "takes effect at once (symfonic-core 9.12.0, `symfonic/core/tool_palette_resolver.py`).",
    when=Situation(
        "a change between two iterations",
        lambda it: plain(it) and bool(it.asked and it.earlier) and changed(it.earlier[-1], it),
    ),
    breaking="pass",
    repaired="self.registry = list(registry)",
    silences=lambda it: True,
    control=Control(Course.last, of_base=False),
)
def re_evaluated(it: Iteration) -> Fault | None:
    """A policy, a force or a registry that changes between iterations takes effect at the next."""
    before = it.earlier[-1]
    (tools_then, name_then), (tools, name) = due(before), due(it)
    same_tools = tools_then != tools and same_members(before.bound, it.bound)
    same_name = name_then != name and before.named == it.named
    if not (same_tools or same_name) or as_due(it):
        return None
    part = "[*map(id, {0}.tools)]" if same_tools else "{0}.tool_choice"
    proof = f"assert {part.format('bound')} != {part.format('before')}"
    return Fault(f"{it.listed(it.bases[0])} as the base, after a change", it.outcome(), proof)


# Asked in this order, since what they see makes the rest of an iteration moot.
FIRST = ("N17", "N12", "N08", "N01", "N02")
_BY_ID = {rule.id: rule for rule in NODE_RULES}
ASKED = [*map(_BY_ID.__getitem__, FIRST), *(r for r in NODE_RULES if r.id not in FIRST)]
