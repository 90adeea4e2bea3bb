"""The kinds of nodes and edges that the graph has, each from a small project, and no other word for any of them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers import coding, projected
from gitmem.answers.reading import open_place
from gitmem.answers.session import Session
from gitmem.code.graph import CodeGraph
from gitmem.code.locate import locate
from gitmem.model.code import DEFINITIONS, OVERLAID, Place
from gitmem.model.graph import CALLS, CATCHES, IMPORTS, INHERITS, REFERS, TESTS, THROWS, Edge
from gitmem.store.cochanges import cochanges
from tests.support import commit_all, git, start_repo, write_tree

FILES = {
    "requirements.txt": "flask\nsqlalchemy\n",
    "shop/errors.py": "class ShopError(Exception):\n    pass\n",
    "shop/cart.py": "from shop.errors import ShopError\n\nLIMIT = 3\n\n\nclass Base:\n    pass\n\n\n"
    "class Cart(Base):\n    def add(self, item):\n        if item is None:\n            raise ShopError()\n"
    "        return price(item)\n\n\ndef price(item):\n    return item.price\n",
    "shop/app.py": "from flask import Flask\nfrom shop.cart import Cart\nfrom shop.errors import ShopError\n\n"
    "app = Flask(__name__)\n\n\n@app.route('/carts/<id>')\ndef show(id):\n    try:\n        return Cart().add(id)\n"
    "    except ShopError:\n        return None\n\n\ndef typed(cart: Cart):\n    return cart\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_add():\n    assert Cart().add(1)\n",
    "web/card.tsx": "interface Props { name: string }\nexport function Card(props: Props) { return <b>{props}</b> }\n",
    "web/card.css": ":root { --card-gap: 4px }\n.card { gap: var(--card-gap) }\n",
    "web/Card.vue": "<template><p>hi</p></template>\n<script>\nexport default { name: 'Card' }\n</script>\n",
    "db/tables.sql": "CREATE TABLE carts (id int);\n",
    "settings.yaml": "server:\n  port: 80\n",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = start_repo(tmp_path_factory.mktemp("kinds"))
    write_tree(root, FILES)
    commit_all(root)
    for number in range(2):
        write_tree(root, {path: FILES[path] + f"# {number}\n" for path in ("shop/cart.py", "shop/app.py")})
        commit_all(root)
    return root


@pytest.fixture(scope="module")
def graph(place: Path) -> CodeGraph:
    session = Session(place, datetime(2026, 1, 1, tzinfo=UTC))
    return CodeGraph(coding.read(session, "", 0, lambda: True).atlas)


@pytest.mark.capability("C-020")
def test_every_kind_of_node_is_one_of_the_known_words(graph: CodeGraph) -> None:
    atlas = graph.atlas
    defined = {symbol.kind for path in atlas.all() for symbol in atlas.facts(path).symbols}
    seen = {row.kind for _, row in atlas.seen()}

    assert {"class", "method", "function", "constant", "interface", "style"} <= defined
    assert "route" in seen
    assert defined <= {*DEFINITIONS, *OVERLAID}
    assert seen <= {*OVERLAID, "route"}
    for kind in ("component", "table", "config"):
        assert kind in defined | seen


@pytest.mark.capability("C-020")
def test_the_project_its_files_and_its_packages_are_nodes_too(place: Path) -> None:
    found = projected.project(open_place(place))

    assert found is not None
    assert found.counts["files"] == len(FILES)
    assert "python" in found.languages


@pytest.mark.capability("C-020")
def test_each_kind_of_edge_is_there_with_its_lines(graph: CodeGraph, place: Path) -> None:
    def at(name: str) -> object:
        return locate(graph.atlas, name).places[0]

    edges: list[Edge] = []
    for name in ("Cart.add", "Cart", "show", "test_add", "typed"):
        edges += graph.callees(at(name))[0]
    edges += [*graph.callers(at("ShopError")).edges, *graph.callers(at("Cart")).edges, *graph.tests(at("Cart.add"))]
    edges += graph.imports("shop/app.py")
    kinds = {edge.kind for edge in edges}

    assert kinds == {CALLS, INHERITS, IMPORTS, TESTS, THROWS, CATCHES, REFERS}
    assert all(edge.sites for edge in edges)
    contained = graph.atlas.facts("shop/cart.py").symbols
    assert [contained[row.owner].name for row in contained if row.name == "add"] == ["Cart"]
    head = git(place, "rev-parse", "HEAD").strip()
    together = cochanges(open_place(place).repo, head, ["shop/cart.py"]).commits
    assert sum("shop/app.py" in files for files in together) >= 2


def test_of_a_file_as_a_whole_the_callers_are_those_that_import_it(graph: CodeGraph) -> None:
    found = graph.callers(Place("shop/errors.py", -1)).edges

    assert {(edge.kind, edge.source.path) for edge in found} == {(IMPORTS, "shop/cart.py"), (IMPORTS, "shop/app.py")}
    assert graph.callers(Place("settings.yaml", -1)).edges == ()
