"""From the bytes of a knowledge file to its card and to settings. Refuses to open files."""

import hashlib

from gitmem.checks import engrams, places, settings
from gitmem.index.card import Card, of_unreadable
from gitmem.index.making import Body, of_engram
from gitmem.lazy import load
from gitmem.model.finding import Finding, Severity
from gitmem.model.vocabulary import FILE_MAX_BYTES
from gitmem.record import replace
from gitmem.store import codec
from gitmem.store.canonical import canonical
from gitmem.store.layout import Place, place_of
from gitmem.store.ledger import rolled
from gitmem.store.objects import REGULAR, SUBMODULE, SYMLINK, Entry
from gitmem.store.synapses import decode_synapse

LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def card_of(entry: Entry, data: bytes) -> Card:
    """The card of one file whose bytes are at hand."""
    where = (entry.rel, entry.oid)
    if data.startswith(LFS_POINTER):
        return _refused(
            entry, "lfs-pointer", "an LFS pointer, not the text itself", "git lfs untrack it and commit the text"
        )
    place = place_of(entry.rel)
    if place is Place.ENGRAM:
        return _engram_card(where, data)
    if place is Place.SYNAPSE:
        return _synapse_card(where, data)
    if place in (Place.SKILL, Place.INTENTION):
        made: Card = load("gitmem.index.procedures:card_of")(where, data)
        return made
    found = (settings if place in settings.PLACES else places).findings(entry.rel, data)
    card = of_unreadable(where, hashlib.sha256(canonical(data)).hexdigest(), tuple(found))
    return replace(card, tags=rolled(data, entry.rel)) if place is Place.ROLL else card


def _synapse_card(where: tuple[str, str], data: bytes) -> Card:
    """An edge is no item: its card has no id of its own, and no edge when the file is not right."""
    decoded = decode_synapse(data, where[0])
    card = of_unreadable(where, hashlib.sha256(canonical(data)).hexdigest(), decoded.findings)
    found = decoded.synapse
    return card if found is None else replace(card, edge=(found.from_, found.to, found.kind, found.weight))


def _engram_card(where: tuple[str, str], data: bytes) -> Card:
    """``where`` is (path below .gitmem, blob id)."""
    decoded = codec.decode(data, where[0])
    if decoded.engram is None:
        return of_unreadable(where, decoded.digest, decoded.findings)
    doubts = engrams.findings(decoded.engram, decoded.lines, where[0])
    findings = (*decoded.findings, *doubts)
    if any(finding.code in engrams.UNSERVED for finding in doubts):
        return of_unreadable(where, decoded.digest, findings)
    body = decoded.engram.body.encode()
    size = Body(len(body), f"sha256:{hashlib.sha256(body).hexdigest()}")
    return of_engram(decoded.engram, where, size, decoded.digest, findings)


def refusal_of(entry: Entry) -> Card | None:
    """A card that refuses an entry without reading it, or None when it may be read."""
    if entry.mode == SYMLINK:
        return _refused(
            entry, "symlink", "a symbolic link; knowledge is never followed out of the tree", "commit the text itself"
        )
    if entry.mode == SUBMODULE:
        return _refused(entry, "submodule", "a submodule inside .gitmem", "remove it: git rm --cached")
    if entry.mode not in REGULAR:
        return _refused(entry, "not-a-file", f"not a regular file (mode {entry.mode})", "commit a regular file")
    if entry.size_bytes > FILE_MAX_BYTES:
        return _refused(entry, "too-large", f"{entry.size_bytes} bytes; the limit is {FILE_MAX_BYTES}", "split it")
    return None


def _refused(entry: Entry, code: str, message: str, hint: str) -> Card:
    finding = Finding(code, Severity.ERROR, entry.rel, 0, message, hint)
    # Of a file that is not read only this can be seen in a compile; Git's own id differs by hash algorithm.
    digest = hashlib.sha256(f"{code} {message}".encode()).hexdigest()
    return of_unreadable((entry.rel, entry.oid), digest, (finding,))
