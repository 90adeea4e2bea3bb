"""Expressions before a call and types as they are written come apart as people read them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.code.expressions import parts, returned, short, written


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("self.store", ["name self", "member store"]),
        ("a?.b!.c", ["name a", "member b", "member c"]),
        ("(await load()).rows", ["name load", "call ", "member rows"]),
        ("new Cart(1).total", ["name Cart", "call 1", "member total"]),
        ("build<Row>(x)", ["name build", "call x"]),
        ("Scanner::new()", ["name Scanner", "member new", "call "]),
        ("list->head", ["name list", "member head"]),
        ("rows[0]", ["name rows", "index 0"]),
        ("(value as Wire)", ["cast Wire"]),
        ("this.#own", ["name this", "member own"]),
        ("@site", ["name @site"]),
        ("$this->log", ["name $this", "member log"]),
        ("a if b else c", []),
        ("'text'", []),
        ("[1, 2]", []),
        ("3", []),
        ("", []),
    ],
)
def test_an_expression_is_a_chain_or_nothing(text: str, steps: list[str]) -> None:
    assert [f"{part.kind} {part.text}" for part in parts(text)] == steps


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("store.rows", "store.rows"),
        ("store\n    .rows(first)\n    .limit(3)", "store.rows().limit()"),
        (f'build({"x" * 90}, "a)(").done', "build().done"),
        ("x" * 200, "?"),
        ("y\n" * 9000, "?"),
    ],
)
def test_a_long_expression_keeps_its_steps(text: str, kept: str) -> None:
    assert short(text) == kept


@pytest.mark.parametrize(
    ("text", "name", "is_class", "is_many"),
    [
        ("Cart", "Cart", False, False),
        ("shop.Cart | None", "shop.Cart", False, False),
        ("Optional['Cart']", "Cart", False, False),
        ("type[Cart]", "Cart", True, False),
        ("list[Cart]", "Cart", False, True),
        ("Promise<Cart[]>", "Cart", False, True),
        ("Repository<Post>", "Repository", False, False),
        ("*ship.Ship", "ship.Ship", False, False),
        ("std::shared_ptr<Ship>", "Ship", False, False),
        ("&mut Ship", "Ship", False, False),
    ],
)
def test_a_type_is_the_one_that_it_wraps(text: str, name: str, is_class: bool, is_many: bool) -> None:
    found = written(text)

    assert found is not None
    assert (found.name, found.is_class, found.is_many) == (name, is_class, is_many)


@pytest.mark.parametrize("text", ["Cart | Basket", "(a: Cart) => void", "", "'a' | 'b'", "{ a: Cart }", "Union[A, B]"])
def test_of_several_types_none_is_meant(text: str) -> None:
    assert written(text) is None


@pytest.mark.parametrize(
    ("signature", "name", "type_"),
    [
        ("def add(self, a: int = f(x)) -> Cart:", "add", "Cart"),
        ("async add<T>(a: T): Promise<Cart<T>>", "add", "Promise<Cart<T>>"),
        ("const add = (a): Cart => {", "add", "Cart"),
        ("func (s *Ship) Add(a int) (*Cart, error)", "Add", "*Cart"),
        ("fn add(&self) -> Cart", "add", "Cart"),
        ("public Cart add(int a)", "add", "Cart"),
        ("fun add(a: Int): Cart", "add", "Cart"),
        ("def add(self)", "add", ""),
        ("public void add(int a)", "add", ""),
        ("class Cart", "Cart", ""),
    ],
)
def test_what_a_function_gives_back_stands_in_its_signature(signature: str, name: str, type_: str) -> None:
    assert returned(signature, name) == type_


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(alphabet="ab.()[]<>{}\"'`?!*& |,:-=\n", max_size=80))
def test_no_text_is_too_odd(text: str) -> None:
    written(text)
    returned(text, "a")
    assert len(short(text)) <= max(len(text), 1)
    assert all(part.kind for part in parts(text))
