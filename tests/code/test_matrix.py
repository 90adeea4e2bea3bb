"""Cell by cell: what a language has, and under which name and kind it is found; and what a new language takes."""

from pathlib import Path

import pytest

from gitmem.code import extract
from gitmem.code.languages import Language
from tests.code.shapes import shape

# A file name, its text, and the lines of the shape that one cell of the matrix is about.
CELLS = {
    "python class": ("a.py", "class Cart:\n    pass\n", ["1-2: class Cart"]),
    "python function": ("a.py", "def pay(a, *, b=1): ...\n", ["1-1: function pay(2)"]),
    "python method": ("a.py", "class C:\n    async def m(self): ...\n", ["2-2: method C.m(0)"]),
    "python extends": ("a.py", "class C(base.B[int], D): ...\n", ["1-1: class C extends base.B, D"]),
    "python decorators": ("a.py", "@x.y(1)\nclass C: ...\n", ["2-2: class C", "1: C @x.y(1)"]),
    "python generics": (
        "a.py",
        "class C[T](B[T]):\n    def m[K](self, k: K): ...\n",
        ["1-2: class C extends B", "2-2: method C.m(1)"],
    ),
    "typescript class": ("a.ts", "export class Cart<T> {}\n", ["1-1: class Cart"]),
    "typescript function": ("a.ts", "export async function pay<T>(a: T) {}\n", ["1-1: function pay(1)"]),
    "typescript arrow": ("a.tsx", "export const Pay = <T,>(a: T) => <b/>;\n", ["1-1: function Pay(1)"]),
    "typescript method": ("a.ts", "class C {\n  static m(this: C, a?: number) {}\n}\n", ["2-2: method C.m(1)"]),
    "typescript interface": (
        "a.ts",
        "interface I extends J, k.L<M> { m(): void }\n",
        ["1-1: interface I extends J, k.L", "1-1: method I.m(0)"],
    ),
    "typescript extends": ("a.ts", "class C extends base.B<T> {}\n", ["1-1: class C extends base.B"]),
    "typescript mixin": ("a.ts", "class C extends Loud(Base) {}\n", ["1-1: class C extends Base"]),
    "typescript implements": ("a.ts", "abstract class C implements I, J<K> {}\n", ["1-1: class C implements I, J"]),
    "typescript decorators": ("a.ts", "class C {\n  @Get('/x') m(@Body() b) {}\n}\n", ["2: C.m @Get('/x')"]),
    "javascript class": ("a.js", "class C extends B { m() {} }\n", ["1-1: class C extends B", "1-1: method C.m(0)"]),
    "javascript function": ("a.cjs", "var f = function (a, b) {};\n", ["1-1: function f(2)"]),
    "javascript prototype": ("a.js", "A.prototype.go = function () {};\n", ["1-1: method A.go(0)"]),
    "php class": ("a.php", "<?php\nfinal class C extends \\B {}\n", ["2-2: class C extends \\B"]),
    "php function": ("a.php", "<?php\nfunction pay($a, $b = 1) {}\n", ["2-2: function pay(2)"]),
    "php method": ("a.php", "<?php\nclass C { public static function m(): static {} }\n", ["2-2: method C.m(0)"]),
    "php interface": (
        "a.php",
        "<?php\ninterface I extends J { function m($a); }\n",
        ["2-2: interface I extends J", "2-2: method I.m(1)"],
    ),
    "php implements": ("a.php", "<?php\nclass C implements I, N\\J {}\n", ["2-2: class C implements I, N\\J"]),
    "php traits as implements": ("a.php", "<?php\nclass C { use T, \\N\\U; }\n", ["2-2: class C implements T, \\N\\U"]),
    "php decorators": ("a.php", "<?php\n#[Route('/x')]\nclass C {}\n", ["3-3: class C", "2: C Route('/x')"]),
    "go struct as class": ("a.go", "package p\ntype S struct { a int }\n", ["2-2: struct S", "2-2: field S.a"]),
    "go function": ("a.go", "package p\nfunc Pay(a, b int, c ...T) {}\n", ["2-2: function Pay(3)"]),
    "go receiver": (
        "a.go",
        "package p\nfunc (s *S) M() {}\ntype S struct{}\n",
        ["2-2: method S.M(0)", "3-3: struct S"],
    ),
    "go receiver elsewhere": ("a.go", "package p\nfunc (s S[T]) M() {}\n", ["2-2: method S.M(0)"]),
    "go embedded": ("a.go", "package p\ntype S struct { *B; q.C }\n", ["2-2: struct S extends B, q.C"]),
    "go interface": (
        "a.go",
        "package p\ntype I interface { J; M(a int) }\n",
        ["2-2: interface I extends J", "2-2: method I.M(1)"],
    ),
    "go generics": (
        "a.go",
        "package p\ntype L[T any] []T\nfunc Map[T any](l L[T]) {}\n",
        ["2-2: type L", "3-3: function Map(1)"],
    ),
    "go no extends": ("a.go", "package p\ntype S struct { b B }\n", ["2-2: struct S"]),
    "java interface": (
        "A.java",
        "interface I<T> extends J<T> { void m(T t); }\n",
        ["1-1: interface I extends J", "1-1: method I.m(1)"],
    ),
    "java implements": (
        "A.java",
        "class C extends B<T> implements I, p.J {}\n",
        ["1-1: class C extends B implements I, p.J"],
    ),
    "java decorators": (
        "A.java",
        'class C {\n  @Get("/x") void m(@Body B b) {}\n}\n',
        ["2-2: method C.m(1)", '2: C.m @Get("/x")'],
    ),
    "csharp implements": ("a.cs", "class C : B, IShape, Item {}\n", ["1-1: class C extends B, Item implements IShape"]),
    "csharp record": ("a.cs", "record R(int A) : B(A);\n", ["1-1: class R(1) extends B", "1-1: field R.A"]),
}


@pytest.mark.capability("R-030")
@pytest.mark.capability("C-006")
@pytest.mark.parametrize(("name", "text", "expected"), CELLS.values(), ids=CELLS)
def test_a_cell_of_the_matrix(name: str, text: str, expected: list[str]) -> None:
    found = rows(name, text)
    assert [line for line in expected if line not in found] == []


def rows(name: str, text: str) -> list[str]:
    content = text.encode()
    found = shape(extract.facts(name, content), content)
    return [*found.get("symbols", []), *found.get("decorators", [])]


OVERLOADS = {
    "python inner class": (
        "a.py",
        "class A:\n    class B:\n        def m(self): ...\n    def m(self): ...\nclass B:\n    def m(self): ...\n",
        ["A", "A.B", "A.B.m(0)", "A.m(0)", "B", "B.m(0)"],
    ),
    "java overloads": (
        "A.java",
        "class A {\n  void m() {}\n  void m(int a) {}\n  void m(String a) {}\n  class B { void m() {} }\n}\n",
        ["A", "A.m(0)", "A.m(1)", "A.m(1)#2", "A.B", "A.B.m(0)"],
    ),
    "typescript overload signatures": (
        "a.ts",
        "class A {\n  m(a: string): void;\n  m(a: number, b: number): void;\n  m(a: any, b?: any) {}\n}\n",
        ["A", "A.m(1)", "A.m(2)", "A.m(2)#2"],
    ),
}


@pytest.mark.parametrize(("name", "text", "expected"), OVERLOADS.values(), ids=OVERLOADS)
def test_inner_classes_and_overloads_have_names_of_their_own_f_192(name: str, text: str, expected: list[str]) -> None:
    assert [line.split()[2] for line in rows(name, text)] == expected


EXPORTED = {
    "export const": ("export const cfg = { a: 1, run() {} };", ["constant cfg", "function cfg.run(0)"]),
    "several": ("export const A = 1, B = 2;", ["constant A", "constant B"]),
    "default object": (
        "export default { name: 'x', methods: { load() {} } };",
        ["constant default", "function default.load(0)"],
    ),
    "default call": ("export default make({ a: 1 });", ["constant default"]),
    "default function": ("export default function () {}", ["function default(0)"]),
    "default class": ("export default class extends B {}", ["class default extends B"]),
    "module.exports": (
        "module.exports = { f, go() {}, on: () => 1 };",
        ["constant module.exports", "function module.exports.go(0)", "function module.exports.on(0)"],
    ),
    "module.exports function": ("module.exports = function (a) {};", ["function module.exports(1)"]),
    "exports": ("exports.LIMIT = 10;\nexports.go = (a) => a;", ["constant LIMIT", "function go(1)"]),
    "a module is no constant": ("const fs = require('fs');\nconst { a } = require('./b');", []),
    "what a function keeps is no constant": ("function f() { const a = { b: 1 }; }", ["function f(0)"]),
}


@pytest.mark.parametrize("name", ["a.js", "a.ts", "a.tsx"])
@pytest.mark.parametrize(("text", "expected"), EXPORTED.values(), ids=EXPORTED)
def test_exported_constants_and_objects_are_symbols_f_194(name: str, text: str, expected: list[str]) -> None:
    assert [line.partition(": ")[2] for line in rows(name, text)] == expected


TOY = """
(function_declaration name: [(identifier) @name (dot_index_expression table: (identifier) @owner field: (_) @name)]
  parameters: (_) @parameters body: (_)? @body) @function
(function_call name: (identifier) @call.name arguments: (_) @arguments) @call
(function_call
  name: (dot_index_expression table: (_) @receiver field: (_) @call.name)
  arguments: (_) @arguments) @call
((variable_declaration (assignment_statement
  (variable_list name: (identifier) @namespace)
  (expression_list value: (function_call name: (identifier) @_load arguments: (arguments (string) @module))))) @import
  (#eq? @_load "require"))
(comment) @comment
"""


@pytest.mark.capability("C-010")
def test_a_language_is_added_by_a_row_and_a_query(tmp_path: Path) -> None:
    """To add one: a row in ``languages.ROWS``, a query file under ``data/queries``, a folder of golden files."""
    (tmp_path / "toy.scm").write_text(TOY, "utf-8")
    row = Language("toy", "lua", ("lua",), query=str(tmp_path / "toy"))
    content = b'local db = require("app.db")\n-- saves\nfunction Cart.save(a, b) return db.put(a) end\n'
    found = shape(extract.facts_in(row, content), content)
    assert found["symbols"] == ["3-3: method Cart.save(2)"]
    assert found["imports"] == ["1: app.db * as db"]
    assert found["calls"][1:] == ["3: Cart.save -> db . put(1)"]
    assert found["comments"] == ["-- saves"]


ILLEGIBLE = {
    "a.py": b'x: "f\xf6" = 1\n\n\ndef f(a: "\xf6rd"): ...\n',
    "a.ts": b'const a = require("./\xf6");\nclass C { "\xf6"() {} }\nexport function f() {}\n',
    "A.java": b'class C { @A("\xf6") void f() { throw new X("\xf6"); } }\n',
    "a.php": b"<?php\ndefine('\xf6', 1);\nfunction f() { return '\xf6'; }\n",
    "a.cs": b'class C { void f() { var x = y("\xf6"); } }\n',
    "a.go": b'package p\nfunc f() { panic(New("\xf6")) }\n',
}


@pytest.mark.parametrize("name", ILLEGIBLE)
def test_a_source_that_is_no_utf_8_is_read_at_its_own_bytes(name: str) -> None:
    content = ILLEGIBLE[name]
    symbols = extract.facts(name, content).symbols
    (found,) = (row for row in symbols if row.name == "f")
    assert b" f(" in content[found.start : found.end] + b" "
    assert found.end <= len(content)
