"""What stands in a file in another language, and what line patterns show beside a weak grammar."""

import gc
import json
import time

import pytest

from gitmem.code import embedded, extract, languages, lines
from gitmem.code.languages import Language
from gitmem.model.code import Facts


def names(facts: Facts, kind: str = "") -> list[str]:
    return [row.name for row in facts.symbols if not kind or row.kind == kind]


@pytest.mark.capability("C-007")
@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.vue", "<script>\nfunction f() {}\n</script>", ["f"]),
        ("a.vue", '<script lang="ts">\nfunction f(a: A): B {}\n</script>', ["f"]),
        ("a.vue", '<script lang="tsx">\nconst f = (a: A) => <p>{a}</p>\n</script>', ["f"]),
        ("a.vue", '<script lang="coffee">\nf = -> 1\n</script>', []),
        ("a.vue", '<template lang="pug">\nf(x)\n</template>', []),
        ("a.svelte", '<script context="module">\nexport function f() {}\n</script>', ["f"]),
        ("a.html", '<script type="module">function f() {}</script>', ["f"]),
        ("a.html", '<script type="text/x-template">function f() {}</script>', []),
        ("a.html", '<script type="application/json">{"f": 1}</script>', []),
        ("a.html.erb", "<script>function f() {}</script>", ["f"]),
        ("a.html.twig", "{% if x %}<script>\nfunction f() {}</script>{% endif %}", ["f"]),
        ("a.razor", "@code { void F() { if (a < b) { } } }", ["F"]),
        ("a.razor", '@code { string s = "}"; void F() { } /* } */ void G() { } }', ["s", "F", "G"]),
        ("a.cshtml", "@functions\n{\n  void F() { }\n}", ["F"]),
        ("a.cshtml", "@* @code { void F() { } } *@", []),
        ("a.blade.php", "@php\nfunction f() {}\n@endphp", ["f"]),
        ("a.blade.php", "{{-- @php function f() {} @endphp --}}", []),
    ],
)
def test_an_inner_part_is_read_in_its_language(path: str, text: str, found: list[str]) -> None:
    assert names(extract.facts(path, text.encode())) == found


def test_lines_and_offsets_of_an_inner_part_are_those_of_the_file() -> None:
    content = '<p>é</p>\n<script lang="ts">\n\nfunction save(order: Order) {\n  put(order)\n}\n</script>\n'.encode()
    facts = extract.facts("a.vue", content)
    (row,) = facts.symbols
    assert (row.line, row.end_line, content[row.start : row.end].split(b"(")[0]) == (4, 6, b"function save")
    assert [(call.name, call.line, call.owner) for call in facts.calls] == [("put", 5, 0)]


def test_namesakes_of_several_parts_are_told_apart() -> None:
    facts = extract.facts("a.html", b"<script>function f() {}</script><script>function f() {}</script>")
    assert [(row.name, row.ordinal) for row in facts.symbols] == [("f", 1), ("f", 2)]


def test_expressions_that_stand_apart_do_not_run_into_each_other() -> None:
    facts = extract.facts("a.vue", b'<template><p :a="one" @click="(two)()">{{ three() }}{{ (four)() }}</p></template>')
    assert [call.name for call in facts.calls] == ["three"]


def test_a_block_of_ruby_goes_on_over_the_markup() -> None:
    facts = extract.facts("a.html.erb", b"<% rows.each do |row| %>\n<p><%= label(row) %></p>\n<% end %>\n")
    assert [(call.name, call.line) for call in facts.calls] == [("each", 1), ("label", 2)]


@pytest.mark.capability("C-008")
@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.css", ":root { --brand: red }", ["--brand"]),
        ("a.css", ".a, #b, .c > .d, p { x: y }", [".a", "#b"]),
        ("a.scss", "$gap: 1px !default;\n@mixin box($a) { x: $a }\n", ["$gap", "box"]),
        ("a.scss", "// $gap: 1px;\n/*\n$gone: 1px;\n*/\n", []),
        ("a.less", "@brand: red;\n.box(@a) { x: @a }\n@media print { p { x: y } }\n", ["@brand", ".box"]),
        ("a.svg", '<svg><symbol id="ico"/></svg>', ["ico"]),
        ("a.html", "<p id=top></p>", ["top"]),
        ("a.sql", "create table if not exists `shop`.`orders` (id int);", ["orders"]),
        ("a.sql", "CREATE OR ALTER PROCEDURE [dbo].[Pay] @id INT AS BEGIN SELECT 1 END\nGO\n", ["Pay"]),
        ("a.sql", "-- create table gone (id int);\n/* create view gone as select 1; */", []),
        ("package.json", '{"scripts": {"build": "tsc"}}', ["scripts", "build"]),
        ("a.toml", "[tool.x]\ny = 1\n", ["tool.x", "y"]),
        ("a.yaml", "jobs:\n  test: {on: push}\n", ["jobs", "test"]),
    ],
)
def test_styles_markup_tables_and_configuration_have_names(path: str, text: str, found: list[str]) -> None:
    assert names(extract.facts(path, text.encode())) == found


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.css", "p { x: var(--brand, 1px) }", ["--brand"]),
        ("a.scss", ".a { @include t.box; color: t.$ink; @extend %ph; }", ["box", "$ink", "%ph"]),
        ("a.less", ".a { .box(1); .plain; color: @ink; }", [".box", ".plain", "@ink"]),
        ("a.html", '<use href="sprite.svg#ico"/><user-menu></user-menu>', ["ico", "user-menu"]),
        ("a.vue", '<template><order-list @pick="cart.add" /></template>', ["OrderList", "cart.add"]),
        ("a.sql", "select * from orders o join users u on true;", ["orders", "users"]),
    ],
)
def test_what_is_used_is_named_as_it_is_defined(path: str, text: str, found: list[str]) -> None:
    assert [row.name for row in extract.facts(path, text.encode()).references if row.kind == "uses"] == found


def test_of_a_large_file_of_configuration_the_outer_keys_are_kept() -> None:
    rows = {f"k{n}": {f"inner{m}": 1 for m in range(30)} for n in range(150)}
    found = extract.facts("a.json", json.dumps(rows).encode()).symbols
    assert len(found) == 200
    assert sum(row.owner < 0 for row in found) == 150


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.blade.php", "{{"),
        ("a.blade.php", "{{--"),
        ("a.blade.php", "@php "),
        ("a.blade.php", "@include("),
        ("a.razor", "@code { "),
        ("a.razor", "@{ '"),
        ("a.razor", "@a("),
        ("a.scss", "-a"),
        ("a.scss", "@mixin a "),
        ("a.less", ".a("),
        ("a.less", "@a-"),
        ("a.less", ".a()"),
        ("a.sql", "create table a."),
        ("a.sql", "create or replace "),
    ],
)
def test_line_patterns_and_fences_take_time_in_proportion(path: str, text: str) -> None:
    row = languages.row_of(path)
    assert row is not None
    seconds = [min(_seconds(row, (text * size)[:size].encode()) for _ in range(3)) for size in (50_000, 400_000)]
    assert seconds[1] < 0.05 + 20 * seconds[0]


def _seconds(row: Language, content: bytes) -> float:
    """Without the sweeps of the collector, whose cost is that of everything that other tests have left."""
    gc.disable()
    begin = time.process_time()
    lines.facts(row, content, Facts(), lambda _, at: at)
    for fence in row.fences:
        [*embedded.fenced(fence, content)]
    taken = time.process_time() - begin
    gc.enable()
    return taken


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.razor", "@code { void F() { "),
        ("a.scss", "@mixin a { x: y\n"),
        ("a.sql", "create procedure p as\n"),
        ("a.blade.php", "@php function f() { }"),
    ],
)
def test_what_is_cut_off_ends_with_the_file(path: str, text: str) -> None:
    facts = extract.facts(path, text.encode())
    assert facts.symbols
    for row in facts.symbols:
        assert row.start < row.end <= len(text)
        assert row.body_start <= row.body_end <= row.end
