"""The form of a report: whatever is sent is a payload within its bounds, or a usage error that names the field."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import UsageError
from gitmem.model.observation import EVENT_TYPES, FORMS, FREE, mapped, observation_of, payload_of
from gitmem.model.plain import Plain, canonical

NAMES = sorted({form.name for forms in FORMS.values() for form in forms})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(EVENT_TYPES), st.dictionaries(st.sampled_from([*NAMES, "other"]), JSON, max_size=6))
def test_any_fields_are_a_payload_or_a_usage_error(event_type: str, given_: dict[str, Plain]) -> None:
    try:
        found = payload_of(event_type, given_)
    except UsageError:
        return
    assert set(found) <= set(given_)
    needed = {form.name for form in FORMS.get(event_type, ()) if form.is_required}
    assert needed <= set(found)
    assert observation_of("1", "", {"event_type": event_type, "payload": found}, ("", "", "")) is not None


@pytest.mark.parametrize("event_type", FORMS)
def test_the_largest_payload_fits_into_a_line_of_the_journal_unless_its_lists_are_full(event_type: str) -> None:
    whole = {
        form.name: "\n" * (form.most - 1) + "x" for form in FORMS[event_type] if not form.count and not form.choices
    }

    assert len(canonical(whole)) < 1 << 20


@pytest.mark.parametrize("value", ["  ", "\n", [], ["", " "]])
def test_what_is_blank_is_not_given(value: Plain) -> None:
    name = "target_files" if isinstance(value, list) else "review_comment"
    whole: dict[str, Plain] = {"target_files": ["a"], "review_comment": "x"}

    with pytest.raises(UsageError, match=f"compile_miss needs {name}"):
        payload_of("compile_miss", whole | {name: value})


@pytest.mark.parametrize("event_type", FREE)
def test_a_free_object_has_bounds_too(event_type: str) -> None:
    deep: Plain = 1
    for _ in range(100_000):
        deep = [deep]

    for given_ in ({}, {"a": deep}, {"a": "x" * (256 << 10)}, {"a": list(range(200_000))}):
        with pytest.raises(UsageError):
            payload_of(event_type, given_)
    assert payload_of(event_type, {"a": {"b": [1, None, "x"]}}) == {"a": {"b": [1, None, "x"]}}


def test_every_text_of_a_value_can_be_changed() -> None:
    value: Plain = {"a": ["b", {"c": "d"}, 5, None], "e": True}

    assert json.dumps(mapped(value, str.upper)) == '{"A": ["B", {"C": "D"}, 5, null], "E": true}'
