"""What a change comes to, as one hash: the same for the same, and for nothing else."""

from gitmem.model.ids import canonical_id
from gitmem.review.signature import signature
from gitmem.store.ledger import change_of
from tests.support import engram_id, engram_text


def added(number: int, **over: object) -> str:
    """An engram that gets keys which it did not have."""
    old = engram_text(id=engram_id(number))
    new = engram_text(id=engram_id(number), **over)  # type: ignore[arg-type]
    item = engram_id(number)
    assert canonical_id(item)
    return signature([change_of(item, f"engrams/api/{number}.md", old.encode(), new.encode())])


def test_two_engrams_that_get_the_same_first_status_are_two_changes() -> None:
    """To retire one rule is not to retire another."""
    assert added(1, status="deprecated") == added(1, status="deprecated")
    assert added(1, status="deprecated") != added(2, status="deprecated")


def test_a_new_engram_is_the_same_under_another_id_and_path() -> None:
    one, other = (
        signature([change_of(engram_id(n), f"engrams/{n}.md", None, engram_text(id=engram_id(n)).encode())])
        for n in (1, 2)
    )

    assert one == other
