"""A raw revert is known by the hashes alone: any run of decisions that leads back, and nothing that does not."""

from hypothesis import given
from hypothesis import strategies as st

from gitmem.checks.reverts import Gone, raw
from gitmem.model.ledger import Entry, ItemChange, KeyChange, Proposer
from tests.support import engram_id

FILES = ("engrams/a.md", "engrams/b.md")
KEYS = ("body", "tags", "title")
State = dict[str, dict[str, str]]
DECISIONS = st.lists(
    st.dictionaries(st.sampled_from(FILES), st.sets(st.sampled_from(KEYS), min_size=1), min_size=1),
    min_size=1,
    max_size=6,
)


def decided(drafts: list[dict[str, set[str]]]) -> tuple[list[Gone], list[State]]:
    """Decisions one on top of the other, each with values that were never there, and the states between them."""
    states: list[State] = [{rel: {} for rel in FILES}]
    gone = []
    for number, draft in enumerate(drafts):
        now = {rel: dict(keys) for rel, keys in states[-1].items()}
        changes = []
        for rel, keys in draft.items():
            hashes = {key: KeyChange(now[rel].get(key), f"{number}-{rel}-{key}") for key in sorted(keys)}
            now[rel] |= {key: str(each.after) for key, each in hashes.items()}
            changes.append(ItemChange(rel, rel, hashes))
        entry = Entry(engram_id(number), "update", "", "", "", Proposer("A"), tuple(changes))
        gone.append(Gone(f"ledger/{number}.yaml", entry))
        states.append(now)
    return gone, states


@given(drafts=DECISIONS, data=st.data())
def test_the_newest_decisions_undone_together_are_known_in_any_order(
    drafts: list[dict[str, set[str]]], data: st.DataObject
) -> None:
    gone, states = decided(drafts)
    kept = data.draw(st.integers(0, len(gone) - 1))
    lost = data.draw(st.permutations(gone[kept:]))

    found = raw(lost, lambda rel: states[-1][rel], lambda rel: states[kept][rel])

    assert found == gone[kept:]


@given(drafts=DECISIONS, data=st.data())
def test_one_value_that_was_never_there_is_no_revert_of_who_wrote_it(
    drafts: list[dict[str, set[str]]], data: st.DataObject
) -> None:
    gone, states = decided(drafts)
    rel, key = data.draw(st.sampled_from([(rel, key) for rel, keys in drafts[0].items() for key in sorted(keys)]))
    after = {name: dict(keys) for name, keys in states[0].items()}
    after[rel][key] = "something else"

    found = raw(gone, lambda name: states[-1][name], lambda name: after[name])

    assert all(key not in each.keys for row in found for each in row.entry.changes if each.path == rel)


@given(drafts=DECISIONS)
def test_without_a_change_nothing_was_undone(drafts: list[dict[str, set[str]]]) -> None:
    gone, states = decided(drafts)

    assert raw(gone, lambda rel: states[-1][rel], lambda rel: states[-1][rel]) == []
