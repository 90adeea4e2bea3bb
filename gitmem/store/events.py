"""What was said and done about a proposal: a file an event, joined by union. Refuses to judge any."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from gitmem.errors import GitmemError
from gitmem.model.ids import canonical_id, following
from gitmem.model.proposal import CLOSING, Event, EventKind
from gitmem.model.vocabulary import Text
from gitmem.record import replace
from gitmem.store import codec, objects, written
from gitmem.store.author import clean
from gitmem.store.commits import Commit, commits, tree_entries
from gitmem.store.gitrefs import read_ref, swap_ref
from gitmem.store.gitwrite import Draft, write_commit
from gitmem.store.ledger import read_by, written_by
from gitmem.store.lock import held
from gitmem.store.refs import META, under
from gitmem.store.repo import Repo

_TRIES = 8
# Who joins two histories of events decides nothing: the same join is the same commit in every clone.
_JOINER = "gitmem <gitmem@localhost>"
_EVENT_MAX_BYTES = 1 << 18


def encode(event: Event) -> bytes:
    """The file of an event; the same event is the same bytes."""
    tree: dict[str, Text] = {
        "id": event.id,
        "kind": event.kind.value,
        "at": event.at,
        "by": written_by(event.by),
        "text": event.text,
        "patchset": event.patchset,
        "commit": event.commit,
        "until": event.until,
        "change": event.change,
        "evidence": list(event.evidence),
        "other": event.other,
    }
    kept = {key: value for key, value in tree.items() if value not in ("", [])}
    return "".join(f"{line}\n" for key, value in kept.items() for line in written.entry(key, value)).encode()


def decode(data: bytes, name: str) -> Event | None:
    """The event in a file; None when it is none: then whoever reads leaves it alone."""
    tree, _ = codec.decode_mapping(data, name)
    kind, id_ = _text(tree, "kind"), canonical_id(_text(tree, "id"))
    if id_ is None or name != f"{id_}.yaml" or kind not in {each.value for each in EventKind}:
        return None
    evidence = tree.get("evidence")
    return Event(
        id=id_,
        kind=EventKind(kind),
        at=_text(tree, "at"),
        by=read_by(tree.get("by")),
        text=_text(tree, "text"),
        patchset=_text(tree, "patchset"),
        commit=_text(tree, "commit"),
        until=_text(tree, "until"),
        change=_text(tree, "change"),
        evidence=tuple(e for e in evidence if isinstance(e, str)) if isinstance(evidence, list) else (),
        other=_text(tree, "other"),
    )


def _text(row: object, key: str) -> str:
    value = row.get(key, "") if isinstance(row, Mapping) else ""
    return value if isinstance(value, str) else ""


def read_events(repo: Repo, tips: Sequence[str]) -> dict[str, tuple[Event, ...]]:
    """The events of each meta commit by its id, oldest first; what cannot be read as one is left out."""
    listed = dict(zip(tips, tree_entries(repo, [f"{tip}^{{tree}}" for tip in tips]), strict=True))
    oids = sorted({oid for rows in listed.values() for _, oid in rows})
    sizes = dict(zip(oids, objects.look_up(repo, oids), strict=True))
    small = [oid for oid, found in sizes.items() if found and found[1] == "blob" and found[2] <= _EVENT_MAX_BYTES]
    blobs = dict(objects.read_blobs(repo, small))
    return {tip: tuple(_decoded(rows, blobs)) for tip, rows in listed.items()}


def _decoded(rows: Sequence[tuple[str, str]], blobs: Mapping[str, bytes]) -> Iterator[Event]:
    for name, oid in sorted(rows):
        event = decode(blobs[oid], name) if oid in blobs else None
        if event is not None:
            yield event


def events_of(repo: Repo, id_: str) -> tuple[Event, ...]:
    tip = read_ref(repo, under(META, id_))
    return read_events(repo, [tip])[tip] if tip else ()


def append(repo: Repo, id_: str, event: Event, keep: Sequence[str] = ()) -> str:
    """Adds an event to a proposal's meta ref, durable on return; ``keep`` are commits that must outlive its ref.

    One that closes or opens a proposal gets an id after all that are there, however wrong a clock is.
    """
    ref = under(META, id_)
    by = f"{clean(event.by.name)} <{clean(event.by.email)}>"
    when = datetime.fromisoformat(event.at)
    with held(repo):
        for _ in range(_TRIES):
            tip = read_ref(repo, ref)
            last = _last_id(repo, tip) if tip and event.kind in CLOSING else ""
            told = replace(event, id=following(last)) if last >= event.id else event
            draft = Draft({f"{told.id}.yaml": encode(told)}, f"{told.kind.value} {id_}", by, when, tuple(keep))
            commit = write_commit(repo, tip, draft)
            if swap_ref(repo, ref, tip, commit):
                return commit
    raise GitmemError(f"{ref} kept moving", hint="try again", place=ref, code="ref-moved")


def _last_id(repo: Repo, tip: str) -> str:
    """The greatest id of an event, '' for none."""
    names = (name.removesuffix(".yaml") for name, _ in tree_entries(repo, [f"{tip}^{{tree}}"])[0])
    return max((name for name in names if canonical_id(name) == name), default="")


def joined(repo: Repo, ours: str, theirs: str) -> str:
    """The commit that has the events of both; the same one whichever clone makes it."""
    if objects.is_ancestor(repo, theirs, ours):
        return ours
    if objects.is_ancestor(repo, ours, theirs):
        return theirs
    first, second = sorted((ours, theirs))
    rows = [dict(each) for each in tree_entries(repo, [f"{first}^{{tree}}", f"{second}^{{tree}}"])]
    wanted = {name: oid for name, oid in rows[1].items() if name not in rows[0] or oid < rows[0][name]}
    blobs = dict(objects.read_blobs(repo, sorted(set(wanted.values()))))
    known: dict[str, Commit] = commits(repo, [first, second])
    when = max(datetime.fromtimestamp(each.time, UTC) for each in known.values())
    changes = {name: blobs[oid] for name, oid in wanted.items()}
    return write_commit(repo, first, Draft(changes, "join", _JOINER, when, (second,)))
