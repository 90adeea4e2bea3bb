"""What can be computed of engrams that belong together, as a plain draft of a text. Refuses to say what they mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from gitmem.record import record
from gitmem.text.words import cut, telling, terms

_TERMS_MOST, _IN_TITLE = 8, 3
_SHORTEST = 3
_SUMMARY_CHARS, _TITLE_CHARS = 160, 200


@record
class Member:
    """One engram that the text is about; ``text`` is its title, summary and body."""

    id: str
    slug: str
    title: str
    summary: str
    text: str
    domain: str
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


@record
class Outline:
    """``terms`` are those of more than half of the members, with how many have each; ``tags``, ``paths`` and ``domain``
    are what all have; ``hint`` is what somebody wants to be said."""

    title: str
    members: tuple[Member, ...]
    terms: tuple[tuple[str, int], ...]
    tags: tuple[str, ...]
    paths: tuple[str, ...]
    domain: str
    hint: str = ""


# Puts an outline into words, as a language model may do.
Word = Callable[[Outline], str]


def outline(members: Sequence[Member], title: str = "", hint: str = "") -> Outline:
    shared = _shared_terms(members)
    domain = _shared_domain(members)
    return Outline(
        title=title or _title(len(members), shared, domain),
        members=tuple(members),
        terms=shared,
        tags=_of_all(member.tags for member in members),
        paths=_of_all(member.paths for member in members),
        domain=domain,
        hint=hint,
    )


def _shared_terms(members: Sequence[Member]) -> tuple[tuple[str, int], ...]:
    """Most members first, then most occurrences."""
    counts: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    for member in members:
        wanted = {term for term in telling(member.text) if _says_much(term)}
        holders.update(wanted)
        counts.update(term for term in terms(member.text) if term in wanted)
    found = [term for term, count in holders.items() if 2 * count > len(members)]
    found.sort(key=lambda term: (-holders[term], -counts[term], term))
    return tuple((term, holders[term]) for term in found[:_TERMS_MOST])


def _says_much(term: str) -> bool:
    return not term.isdigit() and (len(term) >= _SHORTEST or not term.isascii())


def _of_all(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    first, *rest = lists
    return tuple(value for value in dict.fromkeys(first) if all(value in other for other in rest))


def _shared_domain(members: Sequence[Member]) -> str:
    """The deepest folder that all lie in, '' for none."""
    parts = [member.domain.split("/") for member in members]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared)


def _title(count: int, shared: Sequence[tuple[str, int]], domain: str) -> str:
    about = ", ".join(term for term, _ in shared[:_IN_TITLE]) or domain or "no word of theirs"
    return cut(f"Common to {count} engrams: {about}", _TITLE_CHARS)


def written(found: Outline) -> str:
    """The outline as Markdown: what was computed, and that nobody has put it into words."""
    count = len(found.members)
    rows = [
        ("terms, and how many have them", ", ".join(f"{term} ({have})" for term, have in found.terms)),
        ("tags of all", ", ".join(found.tags)),
        ("paths of all", ", ".join(f"`{path}`" for path in found.paths)),
        ("domain of all", found.domain),
        ("to be said", " ".join(found.hint.split())),
    ]
    told = [f"- {name}: {value}" for name, value in rows if value]
    head = f"What these {count} engrams have in common, as computed; nobody has put it into words yet."
    return "\n".join([head, "", *told, *([""] if told else []), *listed(found.members)]) + "\n"


def listed(members: Iterable[Member]) -> list[str]:
    return [f"- {each.title} ({each.slug}): {cut(' '.join(each.summary.split()), _SUMMARY_CHARS)}" for each in members]
