"""What an iteration shows, as far as several rules for nodes look at it, and faults they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from palette_reference.guard import in_order
from palettecheck.iteration import Iteration, holds
from palettecheck.observation import same_members
from palettecheck.rules import Fault, Situation, Way
from palettecheck.shelf import name_of


def ran(it: Iteration) -> bool:
    """Say whether it ended, and bound something that is a list."""
    return it.stage == "bound"


def plain(it: Iteration) -> bool:
    """Say whether what is bound can be set against what the resolver said."""
    return ran(it) and not it.mutated


BOUND = Situation("a tool that is bound", lambda it: ran(it) and bool(it.bound))
ANY = Situation("an iteration that ended", ran)
SHOWN = Situation("an input list that is not empty", lambda it: bool(it.input_list) or not ran(it))


def abstained(it: Iteration) -> bool:
    """Say whether the resolver gave `None`."""
    return plain(it) and all(asked.ended and asked.result is None for asked in it.asked)


def failed(it: Iteration) -> bool:
    """Say whether the resolver gave nothing, or no list."""
    return bool(it.asked) and (not it.asked[0].ended or "no list" in it.worth[1])


def empty(it: Iteration) -> bool:
    """Say whether the resolver gave `[]` for a list that is not empty."""
    return "empty" in it.worth[1] and not it.offending


def faulty(it: Iteration) -> bool:
    """Say whether the resolver did wrong in some way: of all of them a host may warn only once."""
    return failed(it) or it.offending or bool(it.worth[1])


def excluded(it: Iteration) -> bool:
    """Say whether the palette, or routing, took the forced tool away that the registry has."""
    known = it.forced is not None and holds(it.registry, it.forced)
    taken = known and not holds(it.bases[0], it.forced) and it.forced not in it.always
    return taken and plain(it) and not it.offending and not failed(it) and it.binds_a_base()


def by_now(
    it: Iteration, alike: Callable[[Iteration], bool], said: Callable[[Iteration], Any]
) -> bool:
    """Say whether it was said now, or in one of the iterations before that are like this one."""
    return any(map(said, (*filter(alike, it.earlier), it)))


def stands(it: Iteration) -> bool:
    """Say whether it ended, on a base that it may have, with no tool twice."""
    return ran(it) and it.binds_a_base() and len(set(map(id, it.bound))) == len(it.bound)


def first_of_each_name(tools: Sequence[Any]) -> list[Any]:
    """Give `tools` without second ones of a name, which a host may leave out from the beginning."""
    return [t for i, t in enumerate(tools) if not holds(tools[:i], name_of(t))]


def keeps_order(it: Iteration) -> bool:
    """Say whether the resolver gave a palette in the order of the input list."""
    good = it.worth[0]
    return good is not None and not it.offending and in_order(good, it.input_list)


def equal_inputs(one: Iteration, it: Iteration) -> bool:
    """Say whether the same is to be bound in both."""
    alike = one.turn.script == it.turn.script and one.turn.tool_choice == it.turn.tool_choice
    return ran(one) and alike and same_members(one.input_list, it.input_list)


def due(it: Iteration) -> tuple[set[int], str | None]:
    """Give the identities of the tools that are to be bound, and the name that is to be sent."""
    base = it.bases[0]
    names = {it.forced, *it.always}.difference(map(name_of, base))
    added = {id(t) for t in it.registry if name_of(t) in names and name_of(t) is not None}
    return {*map(id, base), *added}, it.forced if holds(it.registry, it.forced) else None


def changed(before: Iteration, it: Iteration) -> bool:
    """Say whether another list, or another choice, is to be sent than before."""
    return ran(before) and due(before) != due(it)


def as_due(it: Iteration) -> bool:
    """Say whether what is bound and sent is in order, whatever was before."""
    names = [*it.always, *([it.forced] if holds(it.registry, it.forced) else [])]
    bound = all(holds(it.bound, name) for name in names)
    return it.binds_a_base() and bound and it.named == due(it)[1]


def unended(it: Iteration, how: str = "") -> Fault:
    """Give the fault of an iteration that did not end; `how`: with what it should have."""
    proof = "assert isinstance(bound.tools, (list, tuple))" if it.stage == "nonsense" else ""
    return Fault(f"an iteration that ends{how}", it.outcome(), proof)


def off_base(it: Iteration, how: str = "") -> Fault | None:
    """Give the fault where it did not end, or does not stand on one of its bases."""
    if not ran(it):
        return unended(it, how)
    return None if stands(it) else base_fault(it)


def base_fault(it: Iteration) -> Fault:
    """Give the fault of a base that is not bound."""
    wanted = " or ".join(f"{it.listed(base)} as the base" for base in it.bases)
    return Fault(wanted, it.outcome(), _base_proof(it))


def _base_proof(it: Iteration) -> str:
    bases = ", ".join(f"[{', '.join(map(it.variable, base))}]" for base in it.bases)
    names = sorted({*it.always, *([it.forced] if it.forced is not None else [])})
    return (
        f"def base(tools): return [id(t) for t in tools if getattr(t, 'name', 0) not in {names}]\n"
        f"assert base(bound.tools) in [*map(base, [{bases}])]"
    )


def by_force(it: Iteration, fault: Fault) -> Way:
    """Tell ways to break a rule apart by what became of the forced tool."""
    known, shown = holds(it.registry, it.forced), holds(it.input_list, it.forced)
    return (known, shown, it.choice is not None, fault.unsaid)
