"""Ledger entries as files, and the hashes by which a decision knows what it changed. Refuses to judge a decision."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from gitmem.model.finding import Finding, Severity
from gitmem.model.ids import canonical_id, moment_of
from gitmem.model.ledger import Agent, Entry, ItemChange, KeyChange, Proposer
from gitmem.model.plain import canonical as canonical_json
from gitmem.model.plain import plain
from gitmem.model.vocabulary import Text
from gitmem.store import codec, written
from gitmem.store.canonical import canonical
from gitmem.store.layout import Place, place_of
from gitmem.store.parts import split

_ABSENT = "none"


def path_of(id_: str) -> str:
    """``ledger/<yyyy>/<mm>-<dd>/<id>.yaml``, by the day (UTC) that the id tells: who has the id has the path."""
    when = datetime.fromtimestamp(moment_of(id_) / 1000, UTC)
    return f"ledger/{when:%Y}/{when:%m}-{when:%d}/{id_}.yaml"


def encode(entry: Entry) -> bytes:
    """The file of an entry; the same entry is the same bytes."""
    tree: dict[str, Text] = {
        "id": entry.id,
        "kind": entry.kind,
        "proposal": entry.proposal,
        "title": entry.title,
        "rationale": entry.rationale,
        "evidence": list(entry.evidence),
        "proposed_by": written_by(entry.proposed_by),
        "needs": list(entry.needs),
        "members": list(entry.members),
        "bundle": entry.bundle,
        "reverts": entry.reverts,
        "supersedes": list(entry.supersedes),
        "changes": [_change_text(change) for change in entry.changes],
    }
    kept = {key: value for key, value in tree.items() if value not in ("", [])}
    return "".join(f"{line}\n" for key, value in kept.items() for line in written.entry(key, value)).encode()


def written_by(by: Proposer) -> dict[str, Text]:
    """A person, and the agent beside the person, as a ledger entry and an event hold them."""
    found: dict[str, Text] = {"name": by.name, "email": by.email}
    if by.agent is not None:
        found["agent"] = {"name": by.agent.name, "model": by.agent.model, "session": by.agent.session}
    return found


def read_by(value: Text | None) -> Proposer:
    if not isinstance(value, Mapping):
        return Proposer("unknown")
    agent = value.get("agent")
    known = None
    if isinstance(agent, Mapping):
        known = Agent(_text(agent, "name"), _text(agent, "model"), _text(agent, "session"))
    return Proposer(_text(value, "name"), _text(value, "email"), known)


def _change_text(change: ItemChange) -> dict[str, Text]:
    keys: dict[str, Text] = {
        key: {"before": each.before or _ABSENT, "after": each.after or _ABSENT} for key, each in change.keys.items()
    }
    row: dict[str, Text] = {"item": change.item, "path": change.path, "keys": keys}
    return row | ({"moved_from": change.moved_from} if change.moved_from else {})


def decode(data: bytes, rel: str) -> Entry | tuple[Finding, ...]:
    """The entry in a file, or why it is none."""
    tree, findings = codec.decode_mapping(data, rel)
    if findings and not tree:
        return findings
    missing = [key for key in ("id", "kind", "title", "proposed_by", "changes") if key not in tree]
    by = tree.get("proposed_by")
    if missing or not isinstance(by, Mapping) or canonical_id(_text(tree, "id")) is None:
        what = f"misses {', '.join(missing)}" if missing else "has no valid id or proposer"
        return (Finding("schema", Severity.ERROR, rel, 0, f"the ledger entry {what}", "restore the file from history"),)
    return Entry(
        id=_text(tree, "id"),
        kind=_text(tree, "kind"),
        proposal=_text(tree, "proposal"),
        title=_text(tree, "title"),
        rationale=_text(tree, "rationale"),
        proposed_by=read_by(by),
        changes=tuple(_change(row) for row in _rows(tree.get("changes"))),
        evidence=_texts(tree.get("evidence")),
        needs=_texts(tree.get("needs")),
        members=_texts(tree.get("members")),
        reverts=_text(tree, "reverts"),
        bundle=_text(tree, "bundle"),
        supersedes=_texts(tree.get("supersedes")),
    )


def united(files: Mapping[str, bytes]) -> frozenset[str]:
    """Ids of the proposals for which ``files`` hold the entry of their bundle, which stands in place of their own."""
    read = [decode(data, rel) for rel, data in files.items() if rel.startswith("ledger/")]
    return frozenset(id_ for e in read if isinstance(e, Entry) and e.kind == "bundle" for id_ in e.members)


def rolled(data: bytes, rel: str) -> tuple[str, ...]:
    """The ids of the entries that a file of a closed year folds under ``entries``, each once, sorted."""
    tree, _ = codec.decode_mapping(data, rel)
    ids = (canonical_id(_text(row, "id")) for row in _rows(tree.get("entries")))
    return tuple(sorted({id_ for id_ in ids if id_}))


def _change(row: Mapping[str, Text]) -> ItemChange:
    keys = row.get("keys")
    found = keys.items() if isinstance(keys, Mapping) else ()
    changes = {key: KeyChange(_hash(each, "before"), _hash(each, "after")) for key, each in found}
    return ItemChange(_text(row, "item"), _text(row, "path"), changes, _text(row, "moved_from"))


def _hash(each: Text, side: str) -> str | None:
    value = each.get(side) if isinstance(each, Mapping) else None
    return value if isinstance(value, str) and value != _ABSENT else None


def _text(row: Mapping[str, Text], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""


def _texts(value: Text | None) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _rows(value: Text | None) -> Iterable[Mapping[str, Text]]:
    return (each for each in value if isinstance(each, Mapping)) if isinstance(value, list) else ()


def key_hashes(data: bytes | None, rel: str) -> dict[str, str]:
    """Top-level key (and ``body``) -> hash of its value; a file that is no readable engram has only ``file``."""
    if data is None:
        return {}
    if place_of(rel) is not Place.ENGRAM:
        return {"file": _digest(canonical(data))}
    parts = split(canonical(data), rel)
    typed = parts.findings or codec.read_yaml(parts.header, rel, first_line=2)
    if isinstance(typed, tuple):
        return {"file": _digest(canonical(data))}
    hashes = {key: _digest(canonical_json(plain(value))) for key, value in typed.values.items()}
    return hashes | {"body": _digest(parts.body.encode())}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def change_of(item: str, rel: str, before: bytes | None, after: bytes | None) -> ItemChange:
    """What differs between two versions of one file, key by key."""
    old, new = key_hashes(before, rel), key_hashes(after, rel)
    keys = sorted({*old, *new})
    return ItemChange(item, rel, {k: KeyChange(old.get(k), new.get(k)) for k in keys if old.get(k) != new.get(k)})
