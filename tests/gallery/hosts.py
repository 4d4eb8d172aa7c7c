"""Nodes of known character, each some changed lines away from one that is correct.

The correct one is the recipe `adopters/handwritten/repaired.py`. A variation is a target by its
name, as `gallery.hosts:empty_is_bound`, and a module of its own.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

_REPAIRED = Path(__file__).parent.parent / "adopters" / "handwritten" / "repaired.py"


class Variation(NamedTuple):
    """What is changed, each text for another one, and the rules that then break.

    `advised`: those of them that are a SHOULD.
    """

    changes: dict[str, str]
    breaks: str = ""
    advised: str = ""


_GOOD = "[tool for tool in input_list if any(tool is element for element in elements)]"
_ASK = 'result = await self.resolver.resolve(state, "action", list(input_list))'
_INPUT = 'input_list = list(state.get("resolved_tools") or self.registry)'
_TOOLS = "tools = list(input_list) if palette is None else palette"
_ALWAYS = "tools += self.absent(self.always_include, tools)"
_FORCED = "forced = self.absent([tool_choice], tools)"
_WARNS = 'self.warn_once("the palette lacks the forced tool", tool_choice)'
_END = "return Bound(tools, tool_choice if tools else None)"
_PALETTE = "palette = await self.palette(state, input_list)"
_KEEPS_REGISTRY = "self.registry, self.resolver = list(registry), resolver"

FAULTY: dict[str, Variation] = {
    "warns_once_of_any_tool": Variation(
        {_WARNS: f"if not self.warned:\n                    {_WARNS}"}, "N06"
    ),
    "forgets_what_it_has_said": Variation(
        {_INPUT: _INPUT + "\n        self.warned = self.warned if tool_choice else set()"}, "N06"
    ),
    "gives_its_resolver_up": Variation(
        {
            "            log.exception(": "            self.resolver = None if hasattr(self, 'bad') else self.resolver\n            self.bad = True\n            log.exception("
        },
        "N12",
    ),
    "keeps_a_tool_that_was_forced": Variation(
        {
            "tools += forced": "tools += forced\n            self.always_include = (*self.always_include, tool_choice)"
        },
        "N17",
        "N16",
    ),
    "forces_from_its_first_registry": Variation(
        {
            _KEEPS_REGISTRY: f"{_KEEPS_REGISTRY}\n        self.first = self.registry",
            _FORCED: "now, self.registry = self.registry, self.first\n"
            f"            {_FORCED}\n            self.registry = now",
        },
        "N17",
    ),
    "binds_what_it_has_not_looked_at": Variation(
        {_GOOD: "elements if all(any(e is t for t in input_list) for e in result or ()) else []"},
        "N01 N08 N09 N10",
    ),
    "empty_in_silence_beside_another_warning": Variation(
        {
            "if result is None:": "if result is None or result == []:",
            _INPUT: 'log.warning("no prompt cache")\n        ' + _INPUT,
        },
        "N04",
    ),
    "binds_what_comes_back": Variation({_GOOD: "elements"}, "N01 N02 N09 N10"),
    "empty_is_bound": Variation(
        {"return good or None": "return good", "if not good or len(good)": "if len(good)"},
        "N04 N08 N09 N15",
    ),
    "empty_in_silence": Variation(
        {"if result is None:": "if result is None or result == []:"}, "N04"
    ),
    "routing_is_ignored": Variation({_INPUT: "input_list = list(self.registry)"}, "N12"),
    "palette_is_ignored": Variation({_TOOLS: "tools = list(input_list)"}, "N17", "N16"),
    "palette_widens": Variation({_GOOD: _GOOD.replace("input_list", "self.registry")}, "N02 N09"),
    "forced_from_the_input_list": Variation(
        {
            _FORCED: "known = [t for t in input_list if t.name == tool_choice]\n"
            "            forced = [t for t in known if t not in tools]"
        },
        "N05",
    ),
    "forced_is_left_out": Variation({"tools += forced": "pass"}, "N05"),
    "forced_warns_each_time": Variation(
        {_WARNS: 'log.warning("the palette lacks %s", tool_choice)'}, "N06"
    ),
    "forced_in_silence": Variation({_WARNS: "pass"}, "N06"),
    "forced_replaces_all": Variation(
        {"tools += forced": "tools = forced or tools"}, "N03 N07 N09 N17", "N16"
    ),
    "choice_of_no_tool": Variation(
        {"                tool_choice = None": "                pass"}, "N11"
    ),
    "choice_without_tools": Variation({"tool_choice if tools else None": "tool_choice"}, "N11"),
    "choice_dropped_in_silence": Variation(
        {'self.warn_once("no such tool, so that nothing is forced", tool_choice)': "pass"}, "N11"
    ),
    "choice_of_another_tool": Variation(
        {_END: "return Bound(tools, tools[0].name if tool_choice and tools else None)"}, "N11"
    ),
    "unknown_force_raises": Variation(
        {_FORCED: _FORCED + "\n            [t for t in self.registry if t.name == tool_choice][0]"},
        "N15",
    ),
    "always_before_the_palette": Variation(
        {
            _ALWAYS: "",
            _INPUT: _INPUT + "\n        input_list += self.absent(self.always_include, input_list)",
        },
        "N07 N12",
    ),
    "always_from_the_input_list": Variation(
        {
            _ALWAYS: "tools += [t for t in self.absent(self.always_include, tools) if t in input_list]"
        },
        "N07",
    ),
    "always_is_ignored": Variation({_ALWAYS: ""}, "N07"),
    "always_adds_again": Variation(
        {_ALWAYS: "tools += [t for t in self.registry if t.name in self.always_include]"}, "N10"
    ),
    "always_stays_for_good": Variation(
        {_ALWAYS: _ALWAYS.replace("tools +=", "self.registry +=")}, "N07 N12"
    ),
    "errors_escape": Variation({"except Exception": "except ValueError"}, "N08"),
    "errors_in_silence": Variation(
        {'log.exception("the resolver failed: every tool is shown")': "pass"}, "N08"
    ),
    "errors_bind_nothing": Variation(
        {
            '            log.exception("the resolver failed: every tool is shown")\n            return None': '            log.exception("the resolver failed")\n            return []'
        },
        "N08",
    ),
    "no_deadline": Variation({"timeout(1.0)": "timeout(None)"}, "N08"),
    "tuples_are_lists": Variation(
        {"list.copy(result) if isinstance(result, list) else []": "list(result)"}, "N08"
    ),
    "hands_over_its_registry": Variation(
        {
            _ASK: _ASK.replace("list(input_list)", "self.registry"),
            _KEEPS_REGISTRY: "self.registry, self.resolver = registry, resolver",
        },
        "N12 N13",
    ),
    "hands_over_what_it_binds": Variation(
        {_ASK: _ASK.replace("list(input_list)", "input_list")}, "N13"
    ),
    "hands_over_what_routing_kept": Variation(
        {_ASK: _ASK.replace("list(input_list)", 'state.get("resolved_tools") or list(input_list)')},
        "N13",
    ),
    "asks_twice": Variation({_ASK: f"{_ASK}\n                {_ASK}"}, "N12"),
    "asks_for_another_role": Variation({'"action"': '"Action"'}, "N12"),
    "asks_about_the_registry": Variation(
        {_ASK: _ASK.replace("input_list", "self.registry")}, "N12"
    ),
    "asks_where_there_is_a_choice": Variation(
        {_PALETTE: f"palette = None\n        if len(input_list) > 1:\n            {_PALETTE}"},
        "N12",
    ),
    "hands_over_a_tuple": Variation(
        {_ASK: _ASK.replace("list(input_list)", "tuple(input_list)")}, "N12"
    ),
    "writes_the_palette_down": Variation(
        {_END: f'state["palette"] = [t.name for t in tools]\n        {_END}'}, "", "N14"
    ),
    "writes_over_what_routing_kept": Variation(
        {_END: f'state["resolved_tools"] = tools\n        {_END}'}, "", "N14"
    ),
    "sorts_by_name": Variation(
        {_END: f"tools.sort(key=lambda t: t.name)\n        {_END}"}, "N03", "N16"
    ),
    "turns_round": Variation(
        {
            _TOOLS: f"{_TOOLS}\n        self.turn = not getattr(self, 'turn', True)\n        tools = tools if self.turn or palette is None else tools[::-1]"
        },
        "",
        "N16",
    ),
    "keeps_the_first_palette": Variation(
        {
            _PALETTE: "if not hasattr(self, 'kept'):\n            self.kept = await self.palette(state, input_list)\n        palette = self.kept and list(self.kept)"
        },
        "N12",
    ),
    "keeps_what_it_bound": Variation(
        {
            _END: "self.bound = getattr(self, 'bound', None) or Bound(tools, tool_choice if tools else None)\n        return self.bound"
        },
        "N17",
    ),
    "keeps_its_first_registry": Variation(
        {
            "def change_registry(self, registry: Iterable[Any]) -> None:\n        self.registry = list(registry)": "def change_registry(self, registry: Iterable[Any]) -> None:\n        pass"
        },
        "N12 N17",
    ),
    "is_a_turn_late": Variation(
        {
            _TOOLS: "last, self.last = getattr(self, 'last', palette), palette\n        palette = last and list(last)\n        "
            + _TOOLS
        },
        "N06 N17",
        "N16",
    ),
    "copies_its_tools": Variation(
        {
            _END: f"tools = [copy.copy(t) for t in tools]\n        {_END}",
            "import asyncio": "import asyncio\nimport copy",
        },
        "N01",
    ),
}

CORRECT: dict[str, Variation] = {
    "warns_of_something_else_each_time": Variation(
        {
            _INPUT: 'log.warning("no cache for %s", [t.name for t in self.registry])\n        '
            + _INPUT
        }
    ),
    "logs_errors_as_information": Variation({"log.exception(": "log.info("}),
    "drops_second_tools_of_a_name_first": Variation(
        {
            _INPUT: _INPUT
            + "\n        input_list = [t for i, t in enumerate(input_list) if all(t.name != s.name for s in input_list[:i])]"
        }
    ),
    "sends_auto_for_nothing": Variation(
        {"tool_choice if tools else None": "(tool_choice or 'auto') if tools else None"}
    ),
    "has_a_word_of_its_own_for_a_mode": Variation(
        {
            "tool_choice if tools else None": "('required' if tool_choice == 'any' else tool_choice) if tools else None"
        }
    ),
    "changes_its_registry_asynchronously": Variation(
        {
            "    def change_registry(": "    async def change_registry(",
        }
    ),
    "refuses_a_bad_list_whole": Variation(
        {"return good or None": "return good if good and len(good) == len(elements) else None"}
    ),
    "keeps_the_order_of_the_palette": Variation(
        {
            _GOOD: "[e for i, e in enumerate(elements) if any(e is t for t in input_list) and all(e is not b for b in elements[:i])]"
        }
    ),
    "skips_the_resolver_for_nothing": Variation(
        {_PALETTE: f"palette = None\n        if input_list:\n            {_PALETTE}"}
    ),
    "binds_the_first_of_two_names": Variation(
        {
            _END: f"tools = [t for i, t in enumerate(tools) if all(t.name != s.name for s in tools[:i])]\n        {_END}"
        }
    ),
    "forced_comes_first": Variation({"tools += forced": "tools = forced + tools"}),
    "forced_before_always": Variation({_ALWAYS: "", _END: f"{_ALWAYS}\n        {_END}"}),
    "warns_of_each_empty_palette": Variation(
        {
            'self.warn_once("the resolver did not return a palette", type(result).__name__)': 'log.warning("no palette")'
        }
    ),
    "is_more_patient": Variation({"timeout(1.0)": "timeout(5.0)"}),
    "asks_by_name": Variation(
        {
            _ASK: _ASK.replace(
                'state, "action", list(input_list)',
                'state=state, role="action", all_tools=list(input_list)',
            )
        }
    ),
    "hands_over_a_copy_of_the_state": Variation({_ASK: _ASK.replace("(state,", "(dict(state),")}),
    "keeps_a_cache_in_the_state": Variation({_END: f'state["_bound"] = tools\n        {_END}'}),
    "is_quiet_where_routing_removed_it": Variation(
        {
            "            if forced:": "            if forced and any(t in input_list for t in forced):"
        }
    ),
    "drops_a_mode": Variation(
        {
            "tool_choice if tools else None": "tool_choice if tools and tool_choice not in MODES else None"
        }
    ),
    "warns_instead_of_an_error": Variation({"log.exception(": "log.warning("}),
    "asks_for_the_default_role": Variation({'"action"': '"default"'}),
    "reads_a_list_as_it_says_it_is": Variation({"list.copy(result)": "list(result)"}),
    "has_other_loggers_deaf": Variation({"MODES =": "log.propagate = False\nMODES ="}),
}


def variation(name: str) -> Variation:
    """Give what the node of that name changes; raise `KeyError` if there is none."""
    return {**FAULTY, **CORRECT}[name]


@lru_cache(maxsize=128)
def _module(name: str) -> ModuleType:
    text = _REPAIRED.read_text()
    for old, new in variation(name).changes.items():
        if text.count(old) != 1:
            raise ValueError(f"{name}: {old!r} stands there {text.count(old)} times")
        text = text.replace(old, new)
    module = ModuleType(f"gallery.hosts.{name}")
    sys.modules[module.__name__] = module
    exec(compile(text, f"<{name}>", "exec"), vars(module))
    return module


def __getattr__(name: str) -> Any:
    try:
        return _module(name).Node
    except KeyError:
        raise AttributeError(name) from None
