"""Approvals as files: one for each person and proposal, so that they never collide. Refuses to count them."""

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime

from gitmem.model.approval import Approval, Approver
from gitmem.model.finding import Finding, Severity
from gitmem.model.ids import canonical_id, slugify
from gitmem.model.moments import utc
from gitmem.model.vocabulary import Text
from gitmem.store import codec, written

_PATCHSET = re.compile(r"[0-9a-f]{12}")
# A person's is a ULID, a machine's a hash.
_PROPOSAL = re.compile(r"[0-9A-Za-z]{8,64}")
_WHO_CHARS = 40


def path_of(approval: Approval, when: datetime) -> str:
    """``approvals/<yyyy>/<proposal id>.<who>.yaml``, by the year (UTC) of ``when``."""
    return f"approvals/{when:%Y}/{approval.proposal}.{who(approval.by)}.yaml"


def who(person: Approver) -> str:
    """A name for file names: readable, and another one for each email (or name, where there is no email)."""
    readable = slugify(person.email.partition("@")[0]) or slugify(person.name)
    mark = hashlib.sha256(person.identity.encode("utf-8", "surrogatepass")).hexdigest()[:4]
    return f"{readable[:_WHO_CHARS].strip('-')}-{mark}".lstrip("-")


def encode(approval: Approval) -> bytes:
    """The file of an approval; the same approval is the same bytes."""
    tree: dict[str, Text] = {
        "proposal": approval.proposal,
        "ledger": approval.ledger,
        "patchset": approval.patchset,
        "by": {"name": approval.by.name, "email": approval.by.email},
        "at": approval.at,
        "comment": approval.comment,
    }
    kept = {key: value for key, value in tree.items() if value}
    return "".join(f"{line}\n" for key, value in kept.items() for line in written.entry(key, value)).encode()


def decode(data: bytes, rel: str) -> Approval | tuple[Finding, ...]:
    """The approval in a file, or why it is none."""
    tree, findings = codec.decode_mapping(data, rel)
    if findings and not tree:
        return findings
    by = tree.get("by")
    person = Approver(_text(by, "name"), _text(by, "email")) if isinstance(by, Mapping) else Approver("")
    found = Approval(
        proposal=_text(tree, "proposal"),
        ledger=canonical_id(_text(tree, "ledger")) or "",
        patchset=_text(tree, "patchset"),
        by=person,
        at=utc(_text(tree, "at")) or "",
        comment=_text(tree, "comment"),
    )
    wrong = _wrong(found)
    return found if not wrong else (_no_approval(rel, wrong),)


def _wrong(found: Approval) -> str:
    """The first thing that keeps a file from being an approval, '' for nothing."""
    if not _PROPOSAL.fullmatch(found.proposal) or not found.ledger:
        return "names no proposal or no ledger entry by id"
    if not _PATCHSET.fullmatch(found.patchset):
        return "names no patch set of 12 hex digits"
    if not found.by.identity:
        return "names nobody"
    return "" if found.at else "has no time"


def _no_approval(rel: str, wrong: str) -> Finding:
    hint = "an approval is made by: gitmem proposals approve"
    return Finding("schema", Severity.ERROR, rel, 0, f"the approval {wrong}", hint)


def _text(row: Mapping[str, Text], key: str) -> str:
    value = row.get(key, "")
    return value if isinstance(value, str) else ""
