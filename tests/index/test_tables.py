"""The base of a tree: cards by number and by key, whatever the order in which they lie in the file."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.index import segments, tables, views
from gitmem.index.card import Card, of_unreadable
from gitmem.record import replace
from gitmem.store.cache import Cache

CACHE = Cache(None, b"k" * 32)
PATTERNS = ["src/api/**", "src/web/*.ts", "**/*.py", "docs/{a,b}/**"]


def card(number: int, paths: tuple[str, ...] = (), **over: object) -> Card:
    blank = of_unreadable((f"engrams/d/rule-{number:05}.md", f"{number:040x}"), "digest", ())
    fields = {"id": f"01J6XQK5P7R2V8Y3M4N6{number:06}", "paths": paths, "specificities": (1,) * len(paths)}
    return replace(blank, **fields, **over)  # type: ignore[arg-type]  # reason: names of fields of the card


def base_of(cards: list[Card]) -> tables.Base:
    data = segments.build(CACHE, "base", tables.parts_of(cards, [b"line\n"], b"{}"))
    opened = tables.open_base(segments.open_bytes(CACHE, "base", data))
    assert opened is not None
    return opened


@given(st.lists(st.lists(st.sampled_from(PATTERNS), max_size=2, unique=True), min_size=1, max_size=80))
def test_a_number_is_the_place_of_a_card_in_the_order_of_paths(scopes: list[list[str]]) -> None:
    cards = [card(number, tuple(paths)) for number, paths in enumerate(scopes)]

    base = base_of(cards)

    assert list(base.cards()) == cards
    assert [base.card(number) for number in range(base.count)] == cards
    assert base.value(f"slug:{cards[-1].slug}") == [len(cards) - 1]


def test_rules_for_the_same_files_are_read_together() -> None:
    """A compile of a few files must not touch a part of the file for every rule that it brings in."""
    cards = [card(number, (f"src/mod{number % 50}/**",)) for number in range(50 * tables.CARDS_A_PART)]
    base = base_of(cards)

    found = [base.card(number) for number in range(7, len(cards), 50)]

    assert {each.paths for each in found} == {("src/mod7/**",)}
    assert len(base.parts.seen) <= 5


def test_a_base_that_another_version_wrote_is_not_opened() -> None:
    parts = [b'{"version": 1, "count": 0, "card_parts": 0}', b"", b"{}"]
    data = segments.build(CACHE, "base", parts)

    assert tables.open_base(segments.open_bytes(CACHE, "base", data)) is None


def test_a_base_that_is_open_is_not_opened_again() -> None:
    """A server that follows a branch would else read its index anew after each commit."""
    cards = [card(number) for number in range(3)]
    data = segments.build(CACHE, views.base_name("a" * 40), tables.parts_of(cards, [], b"{}"))
    base = tables.open_base(segments.open_bytes(CACHE, views.base_name("a" * 40), data))
    assert base is not None

    assert views.load_base(CACHE, "a" * 40, [base]) is base
    assert views.load_base(CACHE, "b" * 40, [base]) is None
    assert base.card(1) is base.card(1)
