"""Tools and states that members hand over, as their owners would."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, ClassVar

from hypothesis import strategies as st


def _tool(name: str, *tags: str, tier: str = "free") -> SimpleNamespace:
    return SimpleNamespace(
        name=name, description=f"{name} it", tags=list(tags), metadata={"tier": tier}
    )


def _shop() -> list[SimpleNamespace]:
    return [
        _tool("search", "read"),
        _tool("quote", "read"),
        _tool("refund", "write", tier="paid"),
        _tool("apply_pricing_change", "write", "admin", tier="paid"),
    ]


SHOP = _shop()
MANY = [_tool(f"tool_{i}") for i in range(25)]
LABELLED = _shop()  # for the members that write on tools, so that nobody else's are written on

TWO_SERVERS = [_tool("search", "docs"), _tool("search", "web"), _tool("fetch", "web")]


@dataclass(eq=False)
class PlainTool:
    """A tool that compares by identity, and so can be in a set."""

    name: str
    description: str = ""
    tags: list[str] = field(default_factory=list)


HASHABLE = [PlainTool("search"), PlainTool("fetch"), PlainTool("delete")]


@dataclass
class ModelTool:
    """A tool that compares by value and copies itself, as a pydantic model does."""

    name: str
    description: str = ""
    tags: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)

    def model_copy(self, *, update: dict[str, Any]) -> ModelTool:
        return replace(self, **update)


MODELS = [ModelTool("search"), ModelTool("fetch"), ModelTool("delete", tags=["write"])]


class _EqualToAll(PlainTool):
    def __eq__(self, other: object) -> bool:
        return True


SAME = [_EqualToAll("search"), _EqualToAll("fetch"), _EqualToAll("delete")]


class _Incomparable(PlainTool):
    def __eq__(self, other: object) -> bool:
        raise ValueError("the truth value of an array is ambiguous")


INCOMPARABLE = [_Incomparable("search"), _Incomparable("fetch"), _Incomparable("delete")]


class ComputedTool:
    """A tool that keeps nothing but its name, and works the rest out when it is read."""

    description = "computed"

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def tags(self) -> tuple[str, ...]:
        return ("write" if self.name == "delete" else "read", self.name)

    @property
    def args_schema(self) -> type:
        return type(f"{self.name}_args", (), {"model_fields": {"query": str}})


COMPUTED = [ComputedTool("search"), ComputedTool("fetch"), ComputedTool("delete")]


class SearchArgs:
    """A schema that is a class with fields, as pydantic's are."""

    model_fields: ClassVar[dict[str, type]] = {"query": str, "tenant": str}


SCHEMED = [SimpleNamespace(name="search", description="search it", args_schema=SearchArgs)]

PROVIDER = [
    {"name": "search", "description": "search it", "input_schema": {"type": "object"}},
    {"name": "fetch", "description": "fetch it", "input_schema": {"type": "object"}},
]

DRAWN_TOOLS = st.builds(
    PlainTool,
    name=st.sampled_from(["search", "quote", "refund"]),
    tags=st.lists(st.sampled_from(["read", "write", "admin"]), unique=True),
)

TENANTS = [
    {"tenant_id": "acme", "messages": []},
    {"tenant_id": "globex", "messages": ["hello"]},
    {"tenant_id": "acme", "scope": {"user_id": "u1", "plan": "paid"}},
    {"tenant_id": "globex", "scope": {"user_id": "u2", "plan": "free"}},
]

PAYING = [*TENANTS, {"tenant_id": "globex", "scope": {"user_id": "u3", "plan": "paid"}}]

CHATS = [
    {"messages": ["hello"]},
    {"messages": ["please search and fetch the invoice"]},
    {"messages": ["refund it, or search for the refund policy"], "conversation_id": "c1"},
]

ERRANDS = [{"messages": ["read the policy"]}, {"messages": ["write to the customer"]}]

PAGES = [{"cursor": 0}, {"cursor": 2}, {"cursor": 100}]

FLAGS = [{"flags": {"read_only": True}}, {"flags": {"read_only": False, "tools_off": True}}]

DRAWN_STATES = st.fixed_dictionaries(
    {"tenant_id": st.sampled_from(["acme", "globex"]), "turn": st.integers(0, 30)}
)

PINNED = [{"pinned": [SHOP[0]]}, {"pinned": [SHOP[1], SHOP[2]], "tenant_id": "acme"}]

CAPTURED = [
    {"tenant_id": "acme", "resolved_tools": [SHOP[0], SHOP[1]]},
    {"tenant_id": "globex", "messages": ["hello"]},
]


@dataclass
class Session:
    """What a graph keeps of a conversation."""

    user: str
    turn: int = 0


TALLIES = [{"uses": Counter({"action": 1})}, {"turns": {1: "default"}}]

SESSIONS = [
    {"session": Session("u1"), "visited": {"start"}},
    {"session": Session("u2"), "visited": set()},
]

INCIDENTS = [{"incident": "none"}, {"incident": "major"}]

PLANS = [
    {"plan": plan}
    for plan in (
        "free", "trial", "student", "education", "starter", "solo", "team", "pro", "business",
        "agency", "partner", "enterprise",
    )
]  # fmt: skip

LIMITS = [
    {"limits": {"writes": 3, "reads": 100}},
    {"limits": {"writes": 0, "reads": 10}, "tenant_id": "acme"},
]

ACTING = [
    {"tenant_id": "acme", "scope": {"tenant_id": "acme"}},
    {"tenant_id": "globex", "scope": {"tenant_id": "globex"}},
]

ADDONS = [{"plan": "team", "addon": "none"}, {"plan": "business", "addon": "research"}]

EXPERIMENTS = [
    {"experiment": {"group": "control", "enabled": False}},
    {"experiment": {"group": "treatment", "enabled": True}},
]

MARKETS = [
    {"scope": {"plan": "trial", "region": "us"}},
    {"scope": {"plan": "pro", "region": "eu"}},
]

LANGUAGES = [{"first": "de", "second": "en"}, {"first": "ja", "second": "de"}]

HANDOVERS = [
    {"owner": "sales", "handover": {"to": "support", "note": "call back"}},
    {"owner": "support", "handover": {"to": "legal", "note": "read the terms"}},
]

AUDITS = [{"audit": {"level": level}} for level in range(12)]

FRANCHISES = [{"tenant_id": f"shop-{number}"} for number in range(12)]

REGIONS = [{"scope": {"region": region}} for region in ("eu", "us", "jp", "br")]

INTENTS = [
    {"messages": [word]}
    for word in (
        "greet", "search", "quote", "refund", "compare", "order", "cancel", "track", "complain",
        "leave",
    )
]  # fmt: skip


class WornTool:
    """A tool that words its description anew at every fortieth look."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._looks = 0

    @property
    def description(self) -> str:
        self._looks += 1
        return f"edition {self._looks // 40}"


WORN = [WornTool("search"), WornTool("fetch"), WornTool("delete")]


class UnhashableTool:
    """A tool that refuses to be hashed, and not with a TypeError."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.description = ""
        self.tags: list[str] = []

    def __hash__(self) -> int:
        raise RuntimeError("no hash")


UNHASHABLE = [UnhashableTool("search"), UnhashableTool("delete")]
