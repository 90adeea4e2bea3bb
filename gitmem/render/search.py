"""Hits of a search as a person or a model reads them. Refuses to rank them."""

from gitmem.answers.search import Searched
from gitmem.model.hit import Hit
from gitmem.render.notices import first_notes

_REASONS = 4


def text(found: Searched) -> str:
    rows = [line for hit in found.hits for line in _hit(hit)]
    more = found.total - sum(hit.via is None for hit in found.hits)
    tail = [f"and {more} more: a larger --limit, or a filter"] if more > 0 else []
    if not found.hits:
        tail = ["nothing found" + (f"; did you mean: {', '.join(found.suggested)}" if found.suggested else "")]
    return "\n".join([*rows, *tail, *first_notes("warning", found.warnings), *first_notes("notice", found.notices)])


def _hit(hit: Hit) -> list[str]:
    via = f" via {hit.via}" if hit.via else ""
    status = f" {hit.status}" if hit.status != "active" else ""
    own = f" {hit.visibility}" if hit.visibility else ""
    first = f"{hit.score:.2f} {hit.id} {hit.slug} [{hit.kind}{status}{own}] {hit.title} ({hit.tokens} tokens{via})"
    words = ", ".join(f"{reason.term} in {reason.field}" for reason in hit.reasons[:_REASONS])
    rows = [first] + ([f"     {words}"] if words else [])
    rows += [f"     contradicts {other}" for other in hit.contradicts or ()]
    rows += [f"     claim {claim}" for claim in hit.claims or ()]
    if hit.parts:
        rows.append("     " + ", ".join(f"{name} {value:.2f}" for name, value in hit.parts.items()))
    return rows
