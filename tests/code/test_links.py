"""What is used without a call leads to its definition, and back: stores, components, tokens, templates, handlers."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.answers import coding
from gitmem.answers.session import Session
from gitmem.code import finding
from gitmem.code.graph import CodeGraph
from gitmem.model.code import Place, qualified
from tests.support import commit_all, start_repo, write_tree

FILES = {
    "package.json": '{"dependencies": {"vue": "3", "pinia": "2", "express": "4"}}',
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["web/*"]}}}',
    "requirements.txt": "flask\n",
    "web/stores/cart.ts": (
        "import { defineStore } from 'pinia'\n"
        "export const useCartStore = defineStore('cart', {\n"
        "  actions: {\n    add(item: string) { return item },\n    drop() {},\n  },\n})\n"
    ),
    "web/BaseButton.vue": (
        '<template><button @click="press">x</button></template>\n'
        '<script setup lang="ts">\nfunction press() {}\n</script>\n'
        "<style>.press { color: var(--brand) }</style>\n"
    ),
    "web/OrderView.vue": (
        '<template><base-button @click="basket.drop" /><p>{{ basket.add("x") }}</p></template>\n'
        '<script setup lang="ts">\n'
        "import BaseButton from './BaseButton.vue'\n"
        "import { useCartStore } from '@/stores/cart'\n"
        "const basket = useCartStore()\n"
        "</script>\n"
    ),
    "web/main.css": ":root { --brand: red; --twice: 1px }\n",
    "web/dark.css": ".dark { --twice: 2px; width: var(--twice) }\n.x { color: var(--gone) }\n",
    "web/icons.svg": '<svg><symbol id="arrow"/></svg>\n',
    "web/page.html": '<svg><use href="icons.svg#arrow"/></svg>\n',
    "db/orders.sql": "create table orders (id int);\ncreate view open_orders as select * from orders;\n",
    "app/templates/orders/list.html": "<p>none</p>\n",
    "app/web.py": (
        "from flask import Flask, render_template\nfrom app import views\n\napp = Flask(__name__)\n\n\n"
        '@app.route("/orders")\ndef orders():\n    return render_template("orders/list.html")\n\n\n'
        'app.add_url_rule("/pay", "pay", views.pay)\n'
    ),
    "app/views.py": 'def pay():\n    return ""\n',
}


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> CodeGraph:
    return graph_of(tmp_path_factory.mktemp("links"), FILES)


def graph_of(root: Path, files: Mapping[str, str]) -> CodeGraph:
    write_tree(start_repo(root), files)
    commit_all(root, "start")
    return CodeGraph(coding.read(Session(root, datetime(2026, 1, 1, tzinfo=UTC)), "", 0, lambda: True).atlas)


def named(code: CodeGraph, place: Place) -> str:
    name = qualified(code.atlas.facts(place.path).symbols, place.number) if place.number >= 0 else ""
    return f"{place.path}#{name}"


@pytest.mark.capability("C-021")
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("add", ["calls web/OrderView.vue# proven"]),
        ("drop", ["uses web/OrderView.vue# proven"]),
        ("press", ["uses web/BaseButton.vue# proven"]),
        ("--brand", ["uses web/BaseButton.vue#.press proven"]),
        ("--twice", ["uses web/dark.css#.dark proven"]),
        ("arrow", ["uses web/page.html# proven"]),
        ("orders", ["uses db/orders.sql#open_orders proven"]),
        ("pay", ["answers app/web.py# proven"]),
    ],
)
def test_what_uses_a_definition_without_a_call_is_a_caller(code: CodeGraph, name: str, rows: list[str]) -> None:
    places = [place for place in code.atlas.defined(name) if code.names.kind(place) != "constant"]
    place = next(place for place in places if place.path not in ("web/main.css", "app/web.py") or name == "--brand")
    assert [f"{edge.kind} {named(code, edge.source)} {edge.confidence}" for edge in code.callers(place).edges] == rows


@pytest.mark.capability("C-021")
def test_a_controller_leads_to_the_template_that_it_renders(code: CodeGraph) -> None:
    (place,) = [place for place in code.atlas.defined("orders") if place.path == "app/web.py"]
    edges, _ = code.callees(place)
    assert [(edge.kind, edge.target, edge.sites) for edge in edges] == [
        ("renders", Place("app/templates/orders/list.html", -1), (9,))
    ]


@pytest.mark.capability("C-008")
@pytest.mark.capability("C-013")
@pytest.mark.parametrize(
    ("text", "kinds", "rows"),
    [
        ("GET /orders", (), ["route app/web.py:7 GET /orders"]),
        ("", ("route",), ["route app/web.py:7 GET /orders", "route app/web.py:12 GET /pay"]),
        ("brand", ("style",), ["style web/main.css:1 --brand"]),
        ("OrderView", (), ["component web/OrderView.vue:1 OrderView"]),
        ("orders", ("table",), ["table db/orders.sql:1 orders"]),
    ],
)
def test_what_a_framework_or_a_style_names_is_found_by_it(
    code: CodeGraph, text: str, kinds: tuple[str, ...], rows: list[str]
) -> None:
    found, _ = finding.find(code.atlas, finding.Asked(text, kinds), 10)
    assert sorted(f"{each.row.kind} {each.path}:{each.row.line} {each.row.tail}" for each in found) == sorted(rows)


def test_a_token_that_nobody_defines_leads_nowhere(code: CodeGraph) -> None:
    (place,) = code.atlas.defined(".x")
    assert code.callees(place)[0] == ()


def test_a_name_without_a_folder_is_the_template_beside_its_controller(tmp_path: Path) -> None:
    files = {
        "Gemfile": "gem 'rails'\n",
        "app/controllers/orders_controller.rb": "class OrdersController\n  def index\n    render 'all'\n  end\nend\n",
        "app/views/orders/all.html.erb": "<%= render 'row' %>\n",
        "app/views/orders/_row.html.erb": "<p></p>\n",
        "app/views/users/all.html.erb": "<p></p>\n",
        "app/views/users/_row.html.erb": "<p></p>\n",
    }
    graph = graph_of(tmp_path, files)
    (index,) = graph.atlas.defined("index")
    assert [edge.target.path for edge in graph.callees(index)[0]] == ["app/views/orders/all.html.erb"]
    page = Place("app/views/orders/all.html.erb", -1)
    assert [edge.target.path for edge in graph.callees(page)[0]] == ["app/views/orders/_row.html.erb"]
