"""The ladder reaches sizes that no list of a few tools shows, and counts its steps."""

from __future__ import annotations

import pytest

from palettecheck import certify
from palettecheck.search.ladder import LARGEST, SIZES, ladder
from palettecheck.search.vocabulary import gather

SUITE = gather(None, None, 0)
SHOP = gather("gallery.worlds:SHOP", None, 0)


@pytest.mark.parametrize("profile", LARGEST)
@pytest.mark.parametrize("words", [SUITE, SHOP], ids=["suite", "shop"])
def test_every_size_up_to_the_largest_comes_in_order(words: object, profile: str) -> None:
    sizes = [len(scenario.registry) for scenario in ladder(words, profile)]  # type: ignore[arg-type]

    assert sizes == sorted(sizes)
    assert set(sizes) == {size for size in SIZES if size <= LARGEST[profile]}


def test_known_tools_come_first_last_not_at_all_and_many_times() -> None:
    lists = {s.registry for s in ladder(SUITE, "quick") if len(s.registry) == 8}
    known = {tool.name for tool in SUITE.tools}
    places = {tuple(tool.name in known for tool in tools) for tools in lists}

    assert places == {
        (False,) * 8,
        (True,) * 3 + (False,) * 5,
        (False,) * 5 + (True,) * 3,
        (True,) * 8,
    }


def test_own_tools_come_as_twins_of_each_other() -> None:
    for scenario in ladder(SHOP, "quick"):
        assert {tool.source for tool in scenario.registry} == {"gallery.worlds:SHOP"}
        assert len(set(scenario.registry)) == len(scenario.registry)


@pytest.mark.parametrize("least", [4, 6, 13])
def test_a_fault_that_only_many_tools_show_is_found_and_minimal(least: int) -> None:
    certificate = certify(f"search.large:EmptyFrom{least}")
    rule = next(rule for rule in certificate.rules if rule.verdict == "fail")

    assert rule.id == "R03"
    assert rule.breach is not None
    assert rule.breach.recipes[0].count('"name"') == least


def test_a_deep_run_shrinks_ten_thousand_tools_to_the_few_that_it_takes() -> None:
    certificate = certify("search.large:EmptyFrom200", profile="deep")
    breach = next(rule.breach for rule in certificate.rules if rule.verdict == "fail")

    assert breach is not None
    assert breach.recipes[0].count('"name"') == 200
