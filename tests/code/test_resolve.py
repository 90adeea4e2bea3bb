"""Calls lead to their definition by one rule each, and to none where there is more than one answer."""

import pytest

from gitmem.code.graph import CodeGraph
from gitmem.model.graph import LIKELY, PROVEN, UNRESOLVED, Resolved
from tests.code.called import FILES, graph_of, place, repository

CART, STORE = "py/src/shop/cart.py", "py/src/shop/store.py"
CLIENT, TESTED = "ts/app/client.ts", "ts/app/client.test.ts"
LEDGER, BOOK = "java/src/main/java/a/b/Ledger.java", "java/src/main/java/a/b/Book.java"
LEDGER_TEST = "java/src/test/java/a/b/LedgerTest.java"
MONEY = "py/src/shop/money.py"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> CodeGraph:
    return graph_of(repository(tmp_path_factory.mktemp("called") / "repo", FILES))


def resolved(graph: CodeGraph, path: str, line: int, name: str) -> Resolved:
    calls = graph.atlas.facts(path).calls
    (number,) = [n for n, call in enumerate(calls) if (call.line, call.name) == (line, name)]
    return graph.resolved(path, number)


def ids(graph: CodeGraph, found: Resolved) -> list[str]:
    return [graph.atlas.symbol_id(target) for target in found.targets]


@pytest.mark.capability("C-017")
@pytest.mark.parametrize(
    ("path", "line", "name", "rule", "target"),
    [
        (MONEY, 10, "rounded", "file", f"{MONEY}::rounded(1)"),
        (CART, 10, "Money", "import", f"{MONEY}::Money"),
        (CART, 17, "rounded", "module", f"{MONEY}::rounded(1)"),
        (STORE, 7, "check", "self", f"{STORE}::Store.check(1)"),
        (STORE, 24, "save", "super", f"{STORE}::Store.save(1)"),
        (STORE, 25, "check", "inherited", f"{STORE}::Store.check(1)"),
        (CART, 14, "plus", "field", f"{MONEY}::Money.plus(1)"),
        (CART, 16, "nothing", "class", f"{MONEY}::Money.nothing(0)"),
        (CART, 18, "check", "inherited", f"{STORE}::Store.check(1)"),
        (CART, 26, "inner", "file", f"{CART}::Cart.add.inner(0)"),
        (CART, 28, "save", "field", f"{STORE}::Audited.save(1)"),
        ("py/tests/test_cart.py", 5, "Basket", "import", f"{CART}::Cart"),
        ("py/tests/test_cart.py", 6, "add", "variable", f"{CART}::Cart.add(2)"),
        ("py/tests/test_cart.py", 6, "rounded", "import", f"{MONEY}::rounded(1)"),
        (CLIENT, 12, "push", "field", "ts/app/wire.ts::Wire.push(1)"),
        (CLIENT, 18, "push", "variable", "ts/app/wire.ts::Wire.push(1)"),
        (CLIENT, 20, "call", "returned", f"{CLIENT}::Client.call(1)"),
        (TESTED, 6, "call", "returned", f"{CLIENT}::Client.call(1)"),
        ("go/ship/ship.go", 5, "cleaned", "package", "go/ship/clean.go::cleaned(1)"),
        ("go/ship/ship.go", 7, "check", "variable", "go/ship/ship.go::Ship.check(1)"),
        ("go/main.go", 7, "Sail", "returned", "go/ship/ship.go::Ship.Sail(1)"),
        (LEDGER, 4, "opened", "inherited", f"{BOOK}::Book.opened(0)"),
        (LEDGER, 8, "check", "self", f"{LEDGER}::Ledger.check(1)"),
        (LEDGER_TEST, 4, "Ledger", "package", f"{LEDGER}::Ledger"),
        (LEDGER_TEST, 4, "post", "variable", f"{LEDGER}::Ledger.post(1)"),
        ("php/lib/Mail/Sender.php", 5, "log", "self", "php/lib/Mail/Sender.php::Sender.log(1)"),
        ("php/lib/Order.php", 7, "send", "variable", "php/lib/Mail/Sender.php::Sender.send(1)"),
        ("c/main.c", 3, "alone", "single", "c/other.c::alone(1)"),
        ("rust/src/lib.rs", 5, "new", "class", "rust/src/scan.rs::Scanner.new(0)"),
        ("rust/src/lib.rs", 5, "go", "variable", "rust/src/scan.rs::Scanner.go(0)"),
        ("rust/src/scan.rs", 5, "step", "self", "rust/src/scan.rs::Scanner.step(0)"),
    ],
)
def test_each_rule_proves_the_one_definition_that_is_meant(
    graph: CodeGraph, path: str, line: int, name: str, rule: str, target: str
) -> None:
    found = resolved(graph, path, line, name)

    assert (found.confidence, found.rule, ids(graph, found)) == (PROVEN, rule, [target])


@pytest.mark.capability("C-018")
def test_a_member_of_the_outer_type_is_likely_where_an_unknown_base_may_have_it(graph: CodeGraph) -> None:
    found = resolved(graph, LEDGER, 9, "check")

    assert (found.confidence, ids(graph, found)) == (LIKELY, [f"{LEDGER}::Ledger.check(1)"])


@pytest.mark.capability("C-014")
@pytest.mark.parametrize(
    ("path", "line", "name", "target"),
    [
        pytest.param(CLIENT, 10, "transmit", "ts/packages/core/src/deep.ts::send(1)", id="exports, renamed on the way"),
        pytest.param(CLIENT, 11, "ready", "ts/packages/core/src/deep.ts::ready(0)", id="a path of exports"),
        pytest.param(CLIENT, 11, "Refused", "ts/packages/core/src/errors.ts::Refused", id="export everything"),
        pytest.param(CLIENT, 13, "open", "ts/app/open.ts::opened(1)", id="paths of tsconfig, default export"),
        pytest.param("go/main.go", 6, "New", "go/ship/ship.go::New(1)", id="go.mod"),
        pytest.param("php/lib/Order.php", 7, "Sender", "php/lib/Mail/Sender.php::Sender", id="PSR-4"),
        pytest.param("c/main.c", 3, "list_length", "c/lib/list.c::list_length(1)", id="a header's definition"),
        pytest.param("py/tests/test_cart.py", 5, "Basket", f"{CART}::Cart", id="src layout, through the front"),
    ],
)
def test_an_import_that_a_manifest_explains_is_proven(
    graph: CodeGraph, path: str, line: int, name: str, target: str
) -> None:
    found = resolved(graph, path, line, name)

    assert (found.confidence, ids(graph, found)) == (PROVEN, [target])


@pytest.mark.capability("C-018")
def test_two_definitions_of_a_name_are_candidates_and_no_edge(graph: CodeGraph) -> None:
    found = resolved(graph, CART, 19, "save")

    assert found.confidence == LIKELY
    assert sorted(ids(graph, found)) == [f"{STORE}::{owner}.save(1)" for owner in ("Audited", "Log", "Store")]
    assert found.reason == "3 definitions of that name"


@pytest.mark.capability("C-018")
def test_two_definitions_in_one_file_are_never_proven(graph: CodeGraph) -> None:
    found = resolved(graph, "py/src/shop/twice.py", 17, "again")

    assert (found.confidence, len(found.targets)) == (LIKELY, 2)


@pytest.mark.capability("C-019")
def test_the_only_method_of_a_name_is_likely_and_not_proven(graph: CodeGraph) -> None:
    found = resolved(graph, CART, 20, "only_here")

    assert (found.confidence, found.rule, ids(graph, found)) == (LIKELY, "method", [f"{STORE}::Store.only_here(0)"])


@pytest.mark.capability("C-019")
@pytest.mark.parametrize(
    ("path", "line", "name", "confidence", "reason"),
    [
        (CART, 21, "later", UNRESOLVED, "nothing imports it here; py/src/shop/twice.py defines one"),
        ("rust/src/scan.rs", 7, "run", LIKELY, ""),
    ],
)
def test_a_function_that_nothing_imports_is_no_edge_where_names_need_an_import(
    graph: CodeGraph, path: str, line: int, name: str, confidence: str, reason: str
) -> None:
    found = resolved(graph, path, line, name)

    assert (found.confidence, found.reason) == (confidence, reason)


@pytest.mark.capability("C-019")
def test_overloads_are_told_apart_by_how_many_arguments_a_call_has(graph: CodeGraph) -> None:
    """F-192: methods that share a name are definitions of their own."""
    calls = graph.atlas.facts(LEDGER).calls

    found = [ids(graph, graph.resolved(LEDGER, n)) for n, call in enumerate(calls) if call.name == "write"]

    assert found == [[f"{LEDGER}::Ledger.write(2)"], [f"{LEDGER}::Ledger.write(1)"]]


def test_a_signature_of_an_overload_gives_way_to_the_body(graph: CodeGraph) -> None:
    (target,) = resolved(graph, "ts/app/wire.ts", 6, "open").targets

    assert graph.atlas.facts(target.path).symbols[target.number].body_end > 0


def test_functions_of_one_name_in_two_blocks_are_told_apart(graph: CodeGraph) -> None:
    lines = []
    for line in (5, 10):
        (target,) = resolved(graph, TESTED, line, "helper").targets
        lines.append(graph.atlas.facts(TESTED).symbols[target.number].line)

    assert lines == [4, 9]


def test_what_is_not_known_has_a_reason(graph: CodeGraph) -> None:
    found = resolved(graph, CART, 30, "tool")

    assert (found.confidence, found.reason, found.targets) == (UNRESOLVED, "a parameter without a type", ())


@pytest.mark.capability("C-021")
def test_throwing_and_catching_count_as_uses_of_an_exception(graph: CodeGraph) -> None:
    edges = graph.callers(place(graph, f"{STORE}::Missing")).edges

    found = {(edge.kind, graph.atlas.symbol_id(edge.source), edge.sites) for edge in edges}

    assert ("throws", f"{STORE}::Store.check(1)", (11,)) in found
    assert ("catches", f"{CART}::Cart.add(2)", (29,)) in found


def test_an_edge_has_every_line_on_which_it_is(graph: CodeGraph) -> None:
    edges, _ = graph.callees(place(graph, f"{CART}::Cart.add"))

    plus = next(edge for edge in edges if graph.atlas.symbol_id(edge.target) == f"{MONEY}::Money.plus(1)")

    assert plus.sites == (14, 15)


def test_who_takes_it_under_another_name_is_a_caller(graph: CodeGraph) -> None:
    deep = place(graph, "ts/packages/core/src/deep.ts::send")
    cart = place(graph, f"{CART}::Cart")

    assert [graph.atlas.symbol_id(edge.source) for edge in graph.callers(deep).edges] == [f"{CLIENT}::Client.call(1)"]
    assert "py/tests/test_cart.py::test_a_cart_adds_up(0)" in [
        graph.atlas.symbol_id(edge.source) for edge in graph.tests(cart)
    ]


def test_a_type_is_used_by_those_that_inherit_from_it(graph: CodeGraph) -> None:
    edges = graph.callers(place(graph, f"{STORE}::Store")).edges

    assert ("inherits", f"{STORE}::Audited") in {(edge.kind, graph.atlas.symbol_id(edge.source)) for edge in edges}


def test_files_import_one_another_with_their_lines(graph: CodeGraph) -> None:
    assert [(edge.target.path, edge.sites) for edge in graph.imports("go/main.go")] == [
        ("go/ship/clean.go", (3,)),
        ("go/ship/ship.go", (3,)),
    ]
    assert [edge.source.path for edge in graph.importers(CLIENT)] == [TESTED]
