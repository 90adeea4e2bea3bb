"""From files to layers."""

import pytest

from gitmem.rules.layers import classified, classify, pairs, table


@pytest.mark.capability("R-002")
@pytest.mark.parametrize(
    ("tree", "target", "layer"),
    [
        ({"src/**": "core", "src/ui/**": "ui"}, "src/ui/a.ts", "ui"),
        ({"src/ui/**": "ui", "src/**": "core"}, "src/ui/a.ts", "ui"),
        ({"src/*/api.ts": "edge", "src/ui/**": "ui"}, "src/ui/api.ts", "edge"),
        ({"src/ui/**": "ui", "src/**/ui/**": "late"}, "src/ui/a.ts", "late"),
        ({"src/*.ts": "b", "src/?.ts": "a"}, "src/a.ts", "b"),
        ({"src/**": "core"}, "docs/a.md", None),
        ({}, "src/a.ts", None),
        ({"layers": {"ui": ["src/ui/**", "web/**"], "core": "src/**"}}, "web/a.ts", "ui"),
        ({"layers": {"ui": ["src/ui/**"], "core": "src/**"}}, "src/a.ts", "core"),
        ({"src/[": "broken", "src/**": "core"}, "src/a.ts", "core"),
    ],
)
def test_the_most_specific_pattern_wins_and_then_the_first_by_its_bytes(
    tree: dict, target: str, layer: str | None
) -> None:
    assert classified(tree, [target]) == {target: layer}


def test_the_order_of_the_file_decides_nothing() -> None:
    patterns = {"src/**": "a", "src/*/**": "b", "src/ui/**": "c", "src/ui/*": "d"}
    turned = dict(reversed(patterns.items()))

    assert table(patterns) == table(turned)
    assert classify(table(turned), "src/ui/a.ts") == classify(table(patterns), "src/ui/a.ts")


def test_what_is_no_name_is_no_layer() -> None:
    assert pairs({"src/**": ["a", "b"], "docs/**": {"x": "y"}}) == []
    assert pairs({"layers": {"ui": ["a/**", ["nested"]], "core": {"x": "y"}}}) == [("a/**", "ui")]
