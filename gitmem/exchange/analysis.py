"""What documents would be as engrams: topics, kinds, tags, scopes, what they repeat; as a plan. Refuses to change
anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as with_values
from posixpath import basename

from gitmem.answers.ground import Ground, ground
from gitmem.answers.likeness import Against, Contradiction, Waiting, likeness_of
from gitmem.answers.likeness import Draft as Text
from gitmem.answers.reading import Place
from gitmem.answers.session import Session
from gitmem.checks.likeness import CANDIDATES_MOST, Kind
from gitmem.errors import GitmemError, UsageError
from gitmem.exchange import infer, plan, split
from gitmem.exchange.arrival import chosen, sources
from gitmem.exchange.convert import convert
from gitmem.exchange.draft import Draft, Read, Skipped
from gitmem.exchange.formats import named, recognise
from gitmem.exchange.offering import waiting
from gitmem.exchange.plan import Step
from gitmem.model.finding import Notice
from gitmem.model.ids import SLUG_MAX, slugify
from gitmem.record import record
from gitmem.store.layout import engram_path
from gitmem.text import shingles

_MOST = 200
_ALIKE_PERCENT = 30
_NAMED = 5
_INLINE = "document.md"
_WAITS = "waits"


@record
class AnalyzeCall:
    """``paths`` are files or folders of the repository, ``content`` is a text of its own; ``format`` reads the named
    files as one."""

    paths: tuple[str, ...] = ()
    content: str = ""
    title: str = ""
    format: str = ""


@record
class Overlap:
    """A text that shares ``percent`` of 100 shingles: ``item`` is an engram, a proposal that waits, or SOURCE:LINE."""

    item: str
    title: str
    percent: int


@record
class Topic:
    """One engram to be. ``verdict`` is new, update, duplicate, or waits where an open proposal says it already;
    ``target`` what it would change or repeat. Only new and update are in the plan."""

    source: str
    line: int
    title: str
    kind: str
    tags: tuple[str, ...]
    paths: tuple[str, ...]
    slug: str
    verdict: str
    target: str
    reason: str
    overlaps: tuple[Overlap, ...]
    contradictions: tuple[Contradiction, ...]


@record
class Analyzed:
    """``plan`` is what ``gitmem propose --file`` takes, '' where nothing is left to propose."""

    topics: tuple[Topic, ...]
    plan: str
    skipped: tuple[Skipped, ...]
    counts: Mapping[str, int]
    warnings: tuple[Notice, ...] = ()


@record
class _Part:
    """A topic before it is compared: the document that it is from, and its own words."""

    draft: Draft
    line: int
    title: str
    text: str
    kind: str
    tags: tuple[str, ...]
    paths: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.draft.source}:{self.line}"


def analyze(session: Session, call: AnalyzeCall) -> Analyzed:
    if bool(call.paths) == bool(call.content.strip()):
        raise UsageError(
            "name the documents, or give one text", hint="gitmem analyze FILE ...; gitmem analyze --text -"
        )
    under = ground(session)
    listed, read = sources(session.place)
    drafts, skipped = _drafts(session.place, call, listed, read)
    parts = [part for draft in drafts for part in _parts(draft, under, listed)]
    if len(parts) > _MOST:
        message = f"{len(parts)} topics; one plan has at most {_MOST} changes"
        raise UsageError(message, hint="analyze fewer documents at once")
    slugs = _slugs(under, parts)
    near = _among(parts)
    against = _against(session, under)
    topics: list[Topic] = []
    warnings: dict[Notice, None] = {}
    for at, part in enumerate(parts):
        topic, doubts = _topic(part, slugs[at], against, near[at])
        topics.append(topic)
        warnings |= dict.fromkeys(doubts)
    steps = [step for topic, part in zip(topics, parts, strict=True) for step in _steps(topic, part)]
    verdicts = [topic.verdict for topic in topics]
    counts = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}
    return Analyzed(tuple(topics), plan.written(_grounds(drafts), steps), tuple(skipped), counts, tuple(warnings))


def _grounds(drafts: Sequence[Draft]) -> str:
    names = list(dict.fromkeys(draft.source for draft in drafts))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"It is from {', '.join(names[:_NAMED])}{more}."


def _drafts(place: Place, call: AnalyzeCall, listed: Sequence[str], read: Read) -> tuple[list[Draft], list[Skipped]]:
    if call.content.strip():
        found = convert(_INLINE, call.content.encode(), named("markdown", _INLINE), lambda _: None)
        return (
            ([], [found])
            if isinstance(found, Skipped)
            else ([with_values(found[0], title=call.title or found[0].title)], [])
        )
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    for rel in dict.fromkeys(chosen(place, call.paths, listed)):
        made = _document(rel, call.format, read)
        if isinstance(made, Skipped):
            skipped.append(made)
        else:
            drafts.append(made)
    return drafts, skipped


def _document(rel: str, name: str, read: Read) -> Draft | Skipped:
    try:
        data = read(rel)
    except GitmemError as err:
        return Skipped(rel, err.message)
    if data is None:
        return Skipped(rel, "it cannot be read as a file of this repository")
    fmt = named(name, rel) if name else recognise(rel) or named("markdown", rel)
    made = convert(rel, data, fmt, lambda _: None)
    if not isinstance(made, Skipped) and made[0].kind == "skill":
        return Skipped(rel, f"a skill is one file: gitmem import {rel}")
    return made if isinstance(made, Skipped) else made[0]


def _parts(draft: Draft, under: Ground, listed: Sequence[str]) -> Iterator[_Part]:
    known = under.knowledge().facts.counts.get("tag", {})
    folders = infer.folders_of(listed)
    topics = split.sections(draft.title, draft.body)
    for each in topics:
        kind = draft.kind if draft.kind == "decision" else infer.kind_of(each.title, each.text, draft.kind)
        found = infer.tags_of(each.title, each.text, known)
        tags = tuple(dict.fromkeys((*draft.tags, *found))) or _usual_tags(draft)
        paths = infer.paths_of(each.text, listed, folders) or draft.paths
        yield _Part(draft, each.line + _header_lines(draft), each.title, each.text, kind, tags, paths)


def _header_lines(draft: Draft) -> int:
    """How many lines of the source stand above the body."""
    header = draft.origin.get("header")
    return len(header) + 2 if isinstance(header, list) else 0


def _usual_tags(draft: Draft) -> tuple[str, ...]:
    """The name of the document: its topics lie in one domain."""
    slug = slugify(basename(draft.source).partition(".")[0] or draft.format) or "imported"
    return (slug,)


def _slugs(under: Ground, parts: Sequence[_Part]) -> list[str]:
    """A free name for each, in the domain that its first tag makes."""
    knowledge = under.knowledge()
    taken: set[str] = set()
    found = []
    for part in parts:
        base = (slugify(part.title) or "topic")[: SLUG_MAX - 4].strip("-")
        names = (base, *(f"{base}-{number}" for number in range(2, _MOST + 3)))
        rels = {name: engram_path(_domain(part), name).casefold() for name in names}
        slug = next(n for n, rel in rels.items() if rel not in taken and not knowledge.under(f"path:{rel}"))
        taken.add(rels[slug])
        found.append(slug)
    return found


def _domain(part: _Part) -> str:
    return slugify(part.tags[0]) or "general"


def _against(session: Session, under: Ground) -> Against:
    held = tuple(
        Waiting(each.proposal.id, each.card.path, each.card.blob)
        for each in waiting(session)
        if each.proposal.entry.kind == "new"
    )
    return Against(session.place, under.tree, held)


def _among(parts: Sequence[_Part]) -> list[list[tuple[Overlap, bool]]]:
    """For each part the others that are like it, and whether an earlier one says the same."""
    found: list[list[tuple[Overlap, bool]]] = [[] for _ in parts]
    sets = [shingles.shingles(part.text) for part in parts]
    hashes = [shingles.text_hash(part.text) for part in parts]
    for second in range(len(parts)):
        for first in range(second):
            shared, total = shingles.jaccard(sets[first], sets[second])
            is_same = hashes[first] == hashes[second]
            percent = 100 if is_same else shared * 100 // max(total, 1)
            if percent >= _ALIKE_PERCENT:
                found[second].append((Overlap(parts[first].name, parts[first].title, percent), is_same))
                found[first].append((Overlap(parts[second].name, parts[second].title, percent), False))
    return found


def _topic(
    part: _Part, slug: str, against: Against, near: Sequence[tuple[Overlap, bool]]
) -> tuple[Topic, tuple[Notice, ...]]:
    scope = (part.paths, part.draft.excluded, (), part.draft.commands, part.tags)
    alike = likeness_of(against, Text(part.title, part.text, "", *scope))
    same = next((overlap.item for overlap, is_same in near if is_same), "")
    known = dict.fromkeys(Overlap(each.item, each.title, each.percent) for each in alike.candidates)
    others = sorted((overlap for overlap, _ in near), key=lambda each: (-each.percent, each.item))[:CANDIDATES_MOST]
    verdict, target, reason = alike.verdict, alike.target, alike.reason
    if verdict != Kind.NEW.value and _is_waiting(against, target):
        verdict, reason = _WAITS, f"an open proposal {reason}"
    elif verdict == Kind.NEW.value and same:
        verdict, target, reason = Kind.DUPLICATE.value, same, f"says the same as {same}"
    return (
        Topic(
            source=part.draft.source,
            line=part.line,
            title=part.title,
            kind=part.kind,
            tags=part.tags,
            paths=part.paths,
            slug=slug,
            verdict=verdict,
            target=target,
            reason=reason,
            overlaps=(*known, *others),
            contradictions=alike.contradictions,
        ),
        alike.warnings,
    )


def _is_waiting(against: Against, target: str) -> bool:
    return any(held.label == target for held in against.waiting)


def _steps(topic: Topic, part: _Part) -> Iterator[Step]:
    if topic.verdict == Kind.UPDATE.value:
        yield Step("edit", {"item": topic.target}, part.text)
    if topic.verdict != Kind.NEW.value:
        return
    told: dict[str, str | tuple[str, ...]] = {
        "kind": topic.kind,
        "title": topic.title,
        "domain": _domain(part),
        "slug": topic.slug,
        "tag": topic.tags,
        "path": topic.paths,
        "except": part.draft.excluded if topic.paths == part.draft.paths else (),
    }
    yield Step("new", {name: value for name, value in told.items() if value}, part.text)
