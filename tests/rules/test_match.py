"""Steps 1 to 4 of a compile: paths, layers, commands, and what those require."""

from collections.abc import Mapping

import pytest

from gitmem.model.compiled import CompileRequest
from gitmem.rules.match import Matched, match, numbers_of, why_not_live
from tests.asking import rule
from tests.rules.made import knowledge_of
from tests.support import engram_id


def matched(files: Mapping[str, str], *targets: str, **request: object) -> Matched:
    return match(knowledge_of(files), CompileRequest(target_files=targets or ("src/ui/form.tsx",), **request))


def slugs(found: Matched) -> list[str]:
    return sorted(card.slug for card in found.cards.values())


def reasons(found: Matched) -> list[tuple[str, str, str, str]]:
    slug_of = {card.id: card.slug for card in found.cards.values()}
    return [(slug_of[e.item], e.edge, slug_of.get(e.pattern, e.pattern), e.file) for e in found.edges()]


def codes(found: Matched) -> list[str]:
    return [notice.code for notice in found.warnings]


@pytest.mark.capability("R-001")
@pytest.mark.parametrize(
    ("paths", "excepted", "target", "applies"),
    [
        (["src/ui/**"], [], "src/ui/form.tsx", True),
        (["src/ui/**"], [], "src/ui/deep/er/form.tsx", True),
        (["src/ui/**"], [], "src/uix/form.tsx", False),
        (["src/ui/**"], ["src/ui/legacy/**"], "src/ui/legacy/old.tsx", False),
        (["src/ui/**"], ["src/ui/legacy/**"], "src/ui/form.tsx", True),
        (["src/ui/**"], ["**/*.tsx"], "src/ui/form.tsx", False),
        (["docs/**", "src/*/form.tsx"], [], "src/ui/form.tsx", True),
        (["*.tsx"], [], "src/ui/form.tsx", False),
        (["**/*.tsx"], [], "form.tsx", True),
        (["/src/ui/form.tsx"], [], "src/ui/form.tsx", True),
        (["src/ui/"], [], "src/ui/form.tsx", True),
        (["SRC/ui/**"], [], "src/ui/form.tsx", False),
    ],
)
def test_a_path_in_scope_and_not_excepted_brings_a_rule_in(
    paths: list[str], excepted: list[str], target: str, applies: bool
) -> None:
    scope = {"paths": paths} | ({"except": excepted} if excepted else {})

    assert bool(matched(rule("one", 1, scope=scope), target).cards) is applies


@pytest.mark.capability("R-001")
def test_each_edge_names_the_pattern_and_the_file() -> None:
    files = rule("both", 1, "src/**", "**/*.tsx") | rule("ui", 2, "src/ui/**")

    assert reasons(matched(files, "src/b.ts", "src/ui/a.tsx")) == [
        ("both", "path", "**/*.tsx", "src/ui/a.tsx"),
        ("both", "path", "src/**", "src/b.ts"),
        ("both", "path", "src/**", "src/ui/a.tsx"),
        ("ui", "path", "src/ui/**", "src/ui/a.tsx"),
    ]


def test_one_target_that_is_excepted_does_not_keep_the_rule_from_another() -> None:
    files = rule("one", 1, scope={"paths": ["src/**"], "except": ["src/gen/**"]})

    assert reasons(matched(files, "src/gen/a.ts", "src/b.ts")) == [("one", "path", "src/**", "src/b.ts")]


def test_of_many_files_under_one_pattern_ten_are_named_and_the_rest_counted() -> None:
    """F-239: an answer does not grow with the number of files."""
    found = matched(rule("one", 1, "src/**"), *(f"src/{number:03}.ts" for number in range(250)))

    edges = found.edges()

    assert [edge.file for edge in edges] == [f"src/{number:03}.ts" for number in range(10)]
    assert [edge.more for edge in edges] == [None] * 9 + [240]


LAYERS = "src/**: core\nsrc/ui/**: ui\nsrc/ui/*.test.tsx: tests\n"
LAYERED = {".gitmem/layers.yaml": LAYERS} | {
    rel: text
    for number, layer in enumerate(("core", "ui", "tests"), 1)
    for rel, text in rule(f"for-{layer}", number, scope={"layers": [layer]}).items()
}


@pytest.mark.capability("R-002")
@pytest.mark.parametrize(
    ("target", "layer"),
    [
        ("src/a.ts", "core"),
        ("src/ui/form.tsx", "ui"),
        ("src/ui/form.test.tsx", "tests"),
        ("src/ui/deep/form.test.tsx", "ui"),
        ("README.md", None),
    ],
)
def test_the_most_specific_pattern_gives_the_layer_and_the_layer_its_rules(target: str, layer: str | None) -> None:
    found = matched(LAYERED, target)

    assert found.layer_of == {target: layer}
    assert slugs(found) == ([f"for-{layer}"] if layer else [])


@pytest.mark.capability("R-011")
def test_given_layers_take_the_place_of_classification() -> None:
    found = matched(LAYERED, "src/ui/form.tsx", layers=("core", "tests"))

    assert slugs(found) == ["for-core", "for-tests"]
    assert found.layer_of == {}
    assert reasons(found) == [("for-core", "layer", "core", ""), ("for-tests", "layer", "tests", "")]


def test_a_layer_that_nobody_has_brings_nothing() -> None:
    assert slugs(matched(LAYERED, layers=("nowhere",))) == []


def test_an_exception_holds_against_a_layer_too() -> None:
    files = {".gitmem/layers.yaml": LAYERS} | rule("one", 1, scope={"layers": ["ui"], "except": ["src/ui/gen/**"]})

    assert slugs(matched(files, "src/ui/form.tsx")) == ["one"]
    assert slugs(matched(files, "src/ui/gen/form.tsx")) == []


@pytest.mark.capability("R-002")
@pytest.mark.parametrize(
    ("command", "applies"),
    [("scaffold", True), ("scaffolding", False), ("Scaffold", False), (" scaffold", False), ("", False)],
)
def test_a_command_is_matched_exactly(command: str, applies: bool) -> None:
    files = rule("one", 1, scope={"commands": ["scaffold", "build"]})

    assert bool(matched(files, command=command).cards) is applies


@pytest.mark.capability("R-003")
def test_what_a_rule_requires_comes_along_through_any_number_of_steps() -> None:
    files = (
        rule("a", 1, "src/**", requires=["b"])
        | rule("b", 2, requires=[engram_id(3)])
        | rule("c", 3, requires=["other/d"])
        | rule("d", 4, domain="other", requires=[engram_id(5).lower()])
        | rule("e", 5)
        | rule("unrelated", 6)
    )

    found = matched(files)

    assert slugs(found) == ["a", "b", "c", "d", "e"]
    assert reasons(found) == [
        ("a", "path", "src/**", "src/ui/form.tsx"),
        ("b", "requires", "a", ""),
        ("c", "requires", "b", ""),
        ("d", "requires", "c", ""),
        ("e", "requires", "d", ""),
    ]
    assert codes(found) == []


def test_two_ways_to_one_requirement_are_two_edges_and_one_rule() -> None:
    files = rule("a", 1, "src/**", requires=["c"]) | rule("b", 2, "src/ui/**", requires=["c"]) | rule("c", 3)

    assert [r for r in reasons(matched(files)) if r[0] == "c"] == [
        ("c", "requires", "a", ""),
        ("c", "requires", "b", ""),
    ]


@pytest.mark.capability("R-003")
@pytest.mark.parametrize(
    ("files", "named"),
    [
        (rule("a", 1, "src/**", requires=["b"]) | rule("b", 2, requires=["a"]), "a, b"),
        (rule("a", 1, "src/**", requires=["a"]), "a"),
        (
            rule("a", 1, "src/**", requires=["b"]) | rule("b", 2, requires=["c"]) | rule("c", 3, requires=["b"]),
            "b, c",
        ),
    ],
    ids=["two", "itself", "further-on"],
)
def test_a_circle_ends_with_a_warning_that_names_it(files: Mapping[str, str], named: str) -> None:
    found = matched(files)

    assert slugs(found) == sorted({"a", *named.split(", ")})
    assert [(w.code, w.message, w.place) for w in found.warnings] == [
        ("requires-cycle", f"these require each other: {named}", f".gitmem/engrams/api/{named[0]}.md")
    ]


@pytest.mark.parametrize(
    ("others", "code"),
    [
        ({}, "requires-missing"),
        (rule("b", 2, domain="one") | rule("b", 3, domain="two"), "requires-ambiguous"),
        (rule("b", 2, status="draft"), "requires-not-live"),
        (rule("b", 2, status="deprecated"), "requires-not-live"),
        (rule("b", 2, visibility="restricted"), "requires-not-live"),
        (rule("b", 2, valid={"until": "2020-01-01"}), "requires-not-live"),
    ],
    ids=["missing", "ambiguous", "draft", "deprecated", "restricted", "expired"],
)
def test_a_requirement_that_cannot_come_along_is_named_and_the_rule_stays(others: Mapping[str, str], code: str) -> None:
    found = matched(rule("a", 1, "src/**", requires=["b"]) | others, as_of="2026-01-01")

    assert slugs(found) == ["a"]
    assert [(w.code, w.place) for w in found.warnings] == [(code, ".gitmem/engrams/api/a.md")]


@pytest.mark.parametrize(
    ("over", "reason"),
    [
        ({}, ""),
        ({"status": "frozen"}, ""),
        ({"status": "draft"}, "status-draft"),
        ({"status": "forgotten"}, "status-forgotten"),
        ({"status": "deprecated"}, "status-deprecated"),
        ({"status": "superseded"}, "status-superseded"),
        ({"visibility": "public"}, ""),
        ({"visibility": "restricted"}, "visibility-restricted"),
        ({"valid": {"from": "2026-02-01"}}, "not-yet-valid"),
        ({"valid": {"from": "2026-01-01"}}, ""),
        ({"valid": {"until": "2025-12-31"}}, "no-longer-valid"),
        ({"valid": {"until": "2026-01-01"}}, ""),
        ({"valid": {"from": "2026-01-01T12:00:01Z"}}, "not-yet-valid"),
        ({"valid": {"until": "2026-01-01T11:59:59Z"}}, "no-longer-valid"),
        ({"kind": "reference"}, ""),
        ({"title": ""}, "malformed"),
    ],
)
@pytest.mark.capability("R-019")
@pytest.mark.capability("G-003")
def test_what_is_never_delivered_has_one_first_reason(over: Mapping[str, object], reason: str) -> None:
    """F-115: one definition of what is live, whichever way an item is reached."""
    files = rule("one", 1, "src/**", **over)
    (card,) = knowledge_of(files).cards()

    assert why_not_live(card, {}, "2026-01-01T12:00:00Z") == reason
    assert bool(matched(files, as_of="2026-01-01T12:00:00Z").cards) is (reason == "")


def test_an_id_in_two_files_delivers_neither() -> None:
    files = rule("one", 1, "src/**") | rule("two", 1, "src/**") | rule("three", 3, "src/**")

    assert slugs(matched(files)) == ["three"]


@pytest.mark.parametrize("way", ["path", "layer", "command", "requires"])
@pytest.mark.parametrize(
    "over", [{"status": "forgotten"}, {"visibility": "restricted"}], ids=["forgotten", "restricted"]
)
def test_no_way_into_a_compile_leads_around_what_is_live(way: str, over: Mapping[str, str]) -> None:
    """F-115."""
    scopes = {
        "path": {"paths": ["src/**"]},
        "layer": {"layers": ["core"]},
        "command": {"commands": ["build"]},
        "requires": {"paths": ["other/**"]},
    }
    files = (
        {".gitmem/layers.yaml": "src/**: core\n"}
        | rule("hidden", 1, scope=scopes[way], **over)
        | rule("asker", 2, "src/**", requires=["hidden"])
    )

    assert slugs(matched(files, "src/a.ts", command="build")) == ["asker"]


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("client", ["api/client", "ui/client"]),
        ("api/client", ["api/client"]),
        ("ui/client", ["ui/client"]),
        ("client.md", []),
        ("clien", []),
        ("pi/client", []),
        (engram_id(1), ["api/client"]),
        (engram_id(2).lower(), ["ui/client"]),
        (engram_id(9), []),
    ],
)
def test_a_reference_is_an_id_a_slug_or_a_domain_and_slug_and_nothing_near(reference: str, found: list[str]) -> None:
    known = knowledge_of(rule("client", 1) | rule("client", 2, domain="ui"))

    assert [known.card(number).name for number in numbers_of(known, reference)] == found
