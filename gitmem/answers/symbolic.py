"""Claims on symbols: their states, and their hashes. Refuses to read files that none of them may mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.answers.admission import RefusedError
from gitmem.answers.code import Code
from gitmem.answers.extracting import facts_of
from gitmem.code import languages, signing
from gitmem.memory import symbols
from gitmem.memory.claims import Found
from gitmem.model.claimed import DRIFTED, GONE, HOLDS, MOVED, UNKNOWN
from gitmem.model.engram import Claim
from gitmem.model.signed import Part
from gitmem.store.gitgrep import holding

# Files that are looked into for one symbol that is not where it was.
_CANDIDATES_MOST = 40
_NAMED = 8
Parts = tuple[Part, ...] | str


def judged(code: Code, asked: Sequence[Claim]) -> dict[Claim, Found]:
    """The state of each in a state of the code."""
    here = parts_of(code, dict.fromkeys(claim.path for claim in asked))
    found: dict[Claim, Found] = {}
    for claim in asked:
        parts = here.get(claim.path, ())
        if isinstance(parts, str):
            found[claim] = Found(UNKNOWN, why=parts)
            continue
        found[claim] = symbols.here(claim, parts) or _elsewhere(code, claim)
    return found


def _elsewhere(code: Code, claim: Claim) -> Found:
    if code.is_knowledge_only():
        return Found(UNKNOWN, why="no-code")
    wanted = _candidates(code, claim)
    others = parts_of(code, wanted) if wanted else {}
    read = ((path, parts) for path in wanted if not isinstance(parts := others.get(path, ()), str))
    return symbols.elsewhere(claim, read) or Found(GONE)


def _candidates(code: Code, claim: Claim) -> list[str]:
    """The files that hold the name, those that the change writes before others; else those that lie near."""
    name = symbols.last_name(claim.symbol)
    ending = claim.path.rpartition(".")[2]
    near = [path for path in code.candidates(claim.path) if path != claim.path and languages.row_of(path)]
    if not code.commit or not name:
        return near[:_CANDIDATES_MOST]
    named = set(holding(code.repo, code.commit, [name], [ending]).paths)
    # A renamed symbol lies most likely in what the change writes, or beside the place where it was.
    first = [path for path in near if path in named or path in code.changed]
    rest = sorted(path for path in named if path not in near and path != claim.path and path not in code.changed)
    return [*first, *rest][:_CANDIDATES_MOST]


def parts_of(code: Code, paths: Iterable[str]) -> dict[str, Parts]:
    """The symbols of each file, or why there are none; a file that is not there is left out."""
    wanted = [path for path in paths if path not in code.signed]
    seen = code.look(wanted)
    bytes_of = code.texts(path for path in wanted if seen[path])
    readable = {path: data for path, data in bytes_of.items() if languages.row_of(path)}
    facts = facts_of(code.place, readable) if readable else {}
    for path in wanted:
        sight = seen[path]
        if sight is None:
            continue
        known = facts.get(path)
        if sight.why or known is None or known.skipped:
            code.signed[path] = sight.why or (known.skipped if known else "language")
        else:
            code.signed[path] = signing.parts(known, bytes_of[path])
    return {path: code.signed[path] for path in paths if path in code.signed}


def signed(code: Code, claim: Claim) -> Claim:
    """The claim with the hash of the symbol that it names."""
    parts = parts_of(code, (claim.path,)).get(claim.path)
    if parts is None:
        raise missing(claim, "")
    if isinstance(parts, str):
        raise RefusedError(
            f"{claim.symbol} is no symbol: {parts}", hint="claim lines of it", place=claim.path, code="no-symbols"
        )
    found = symbols.named(claim.symbol, parts)
    if not found:
        near = ", ".join(dict.fromkeys(part.name for part in parts[:_NAMED])) or "none"
        raise RefusedError(
            f"{claim.path} defines no {claim.symbol}",
            hint=f"it defines: {near}",
            place=claim.path,
            code="no-such-symbol",
        )
    if len(found) > 1:
        tails = ", ".join(part.tail for part in found[:_NAMED])
        message = f"{len(found)} symbols of {claim.path} are called {claim.symbol}"
        raise RefusedError(message, hint=f"one of: {tails}", place=claim.path, code="several-symbols")
    return Claim(claim.path, claim.symbol, found[0].digest)


def missing(claim: Claim, form: str) -> RefusedError:
    hint = form or "name a file that is there, and a symbol of it"
    return RefusedError(f"no file {claim.path}", hint=hint, place=claim.path, code="no-such-file")


def fresh(code: Code, claim: Claim, row: Found) -> Claim | None:
    """What to write for a claim on a symbol, None where it is not there."""
    if row.state in (HOLDS, MOVED):
        return Claim(row.path or claim.path, row.symbol or claim.symbol, claim.digest)
    if row.state != DRIFTED and row.why != "no-hash":
        return None
    try:
        return signed(code, claim)
    except RefusedError:
        return None
