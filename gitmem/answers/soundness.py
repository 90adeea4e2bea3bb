"""Whether the journals of this clone can be believed: chains of segments and of seals. Refuses to mend a broken one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gitmem.answers.session import Session
from gitmem.model.finding import Finding, Notice, Severity
from gitmem.record import record
from gitmem.store import folding, shared, spool
from gitmem.store.repo import Repo
from gitmem.store.seal import hashed
from gitmem.store.segments import Fault, Walk, end_of
from gitmem.store.shared import Chain
from gitmem.store.writer import kept_names

_HINTS = {
    "newer-format": "install a newer gitmem-kb",
    "seal-missing": "fetch it: gitmem sync",
    "unreadable": "check the mode and the owner of the file",
}
_LEFT = "what stands before it counts; what follows it does not, and nothing is deleted"


@record
class CheckCall:
    pass


@record
class Checked:
    """``segments``, ``events`` and ``folded`` lines of this clone; ``writers`` whose seals are here, and how many.

    ``torn`` are lines that a kill cut off: nobody was told that they were kept, so nothing is lost.
    """

    segments: int
    events: int
    folded: int
    torn: int
    writers: int
    seals: int
    findings: tuple[Finding, ...]
    notices: tuple[Notice, ...] = ()

    @property
    def exit_code(self) -> int:
        return int(bool(self.findings))


def check(session: Session, call: CheckCall) -> Checked:
    repo = session.place.repo
    parts = spool.parts(repo)
    chains = shared.chains(repo)
    torn = [part for part in parts if part.torn_bytes]
    faults = [fault for part in parts for fault in part.faults]
    faults += [fault for chain in chains for fault in chain.faults]
    differing, cut = _against_seals(repo, chains)
    faults += differing
    faults += shared.coverage(chains, kept_names(repo), shared.ends_here(repo)).faults if chains else ()
    lines = sum(part.lines for part in parts)
    events = sum(len(part.entries) for part in parts)
    return Checked(
        segments=len(parts),
        events=events,
        folded=lines - events,
        torn=len(torn),
        writers=len(chains),
        seals=sum(len(chain.seals) for chain in chains),
        findings=tuple(map(_finding, faults)),
        notices=(*(_torn(part) for part in torn), *cut),
    )


def _against_seals(repo: Repo, chains: Sequence[Chain]) -> tuple[list[Fault], list[Notice]]:
    """Where the files differ from what this clone has sealed of them, and where they end before it."""
    own = set(kept_names(repo)) if chains else set()
    spans = [span for chain in chains if chain.writer in own for seal in chain.seals for span in seal.spans]
    sealed: dict[str, dict[int, str]] = {}
    for span in spans:
        sealed.setdefault(span.segment, {})[span.last] = span.head
    faults, cut = list[Fault](), list[Notice]()

    def see(path: Path, walk: Walk) -> None:
        heads = sealed.get(hashed(walk.id), {})
        for at, line in enumerate(walk.lines, walk.at + 1):
            if line.number in heads and end_of(line) != heads[line.number]:
                faults.append(Fault("line-changed", str(path), at, "this line is not the one that was sealed"))
        if heads and walk.number < max(heads) and not walk.faults:
            message = f"it ends with line {walk.number}, and line {max(heads)} of it was sealed"
            cut.append(Notice("cut-off", message, str(path), "the seal counts in its place; so it is after a restore"))

    if sealed:
        spool.mapped(repo, see)
    return faults, cut


def _finding(fault: Fault) -> Finding:
    hint = _HINTS.get(fault.code, _LEFT)
    return Finding(fault.code, Severity.ERROR, fault.path, fault.line, fault.message, hint)


def _torn(part: spool.Part) -> Notice:
    message = f"{part.torn_bytes} byte(s) of a line that was being written when its process was stopped"
    return Notice("torn-line", message, str(part.path), "harmless: nobody was told that it was kept")


def ailments(session: Session) -> Iterator[Finding]:
    """For doctor: what is broken, and more files than make sense."""
    repo = session.place.repo
    for part in spool.parts(repo):
        yield from map(_finding, part.faults)
    small = folding.small(repo)
    if small > folding.FILES_MAX:
        message = f"the journal lies in {small} small files, which makes it slow to read"
        place = str(repo.private_dir / "journal")
        yield Finding("journal-scattered", Severity.WARNING, place, 0, message, "gitmem doctor --fix")


def mend(session: Session) -> Iterator[str]:
    packed = folding.pack(session.place.repo)
    if packed:
        yield f"put {packed} small files of the journal into others"
