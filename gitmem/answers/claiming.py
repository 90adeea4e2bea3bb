"""Writes what an engram rests on: from ``FILE#L10-L20`` or ``FILE#Outer.name`` to path, place and hash.

Refuses what is not there.
"""

import re
from collections.abc import Callable

from gitmem.answers import naming, symbolic, targets
from gitmem.answers.admission import RefusedError
from gitmem.answers.author import edited
from gitmem.answers.claims import judged, spec_of, state_of
from gitmem.answers.code import FILE_MOST_BYTES, Code
from gitmem.answers.fields import EditCall
from gitmem.answers.reading import Place
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started, working
from gitmem.checks.claims import is_of_symbol
from gitmem.errors import UsageError
from gitmem.memory.claims import Found, Sight
from gitmem.model.claimed import DRIFTED, HOLDS, MOVED, ClaimState
from gitmem.model.engram import Claim
from gitmem.model.finding import Notice
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store import edit as edits
from gitmem.store import files, lock, objects
from gitmem.store.repo import FOLDER
from gitmem.text.spans import Span, digest_of, followed, span_of

_SPEC = re.compile(r"(?P<path>.*?)(?:#L?(?P<start>[1-9][0-9]{0,8})(?:-L?(?P<end>[1-9][0-9]{0,8}))?)?")
_SYMBOL = re.compile(r"(?P<path>.+?)(?P<sign>#|::)(?P<symbol>[^#/\s()][^#/\s]*(?:#[0-9]+)?)")
_FORM = "FILE for the whole of it, FILE#L10 for a line, FILE#L10-L20 for several, FILE#Outer.name for a symbol"
CodeAt = Callable[[str], Code]
_Where = tuple[str, str, str]


def apply_here(place: Place, data: bytes, call: EditCall, rel: str) -> bytes:
    """Over the code in the work tree."""
    return _applied(place, data, call, rel, lambda path: _code_here(place, (path,)))


def apply_at(place: Place, commit: str, data: bytes, call: EditCall, rel: str) -> bytes:
    """Over the code of a commit."""
    code = Code(place, commit)
    return _applied(place, data, call, rel, lambda path: code)


def _applied(place: Place, data: bytes, call: EditCall, rel: str, code_at: CodeAt) -> bytes:
    """A claim that is there already, on the same lines, gets its hash anew."""
    if not (call.add or call.remove or call.value):
        raise UsageError("say which code the item rests on", hint=f"--add or --remove {_FORM}")
    gone = [_named(place, spec, code_at) for spec in call.remove]
    made = [_made(place, spec, code_at) for spec in (*call.add, *call.value)]

    def without(items: list[Text]) -> list[Text]:
        return [] if call.value else [each for each in items if not any(_is_named(each, *name) for name in gone)]

    def with_made(items: list[Text]) -> list[Text]:
        for claim in made:
            _put(items, claim)
        return items

    # One after the other: an editor of lines cannot tell an item that goes from one that changes.
    return edits.change_list(edits.change_list(data, "claims", without, rel), "claims", with_made, rel)


def _put(items: list[Text], claim: Claim) -> None:
    at = next(
        (n for n, each in enumerate(items) if _claim_of(each) == (claim.path, claim.symbol, claim.lines)), len(items)
    )
    items[at : at + 1] = [_typed(claim)]


def _typed(claim: Claim) -> Text:
    parts: dict[str, Text] = {"path": claim.path, "symbol": claim.symbol, "lines": claim.lines, "hash": claim.digest}
    return {name: value for name, value in parts.items() if value}


def _claim_of(item: Text) -> tuple[Text, Text, Text]:
    """Path, symbol and lines of an item as the file has it."""
    if isinstance(item, dict):
        return item.get("path", ""), item.get("symbol", ""), item.get("lines", "")
    return item, "", ""


def _is_named(item: Text, path: str, symbol: str, lines: str) -> bool:
    found, name, of = _claim_of(item)
    return found == path and (not lines or of == lines) and (not symbol or name == symbol)


def _named(place: Place, spec: str, code_at: CodeAt) -> _Where:
    """Path, symbol and lines that a spec names; a file whose name has a # goes before a symbol."""
    found = _SYMBOL.fullmatch(spec)
    if found and found["sign"] == "::":
        return targets.one(place, found["path"]), found["symbol"], ""
    path, lines = _of_lines(place, spec)
    if lines or found is None or code_at(path).look((path,))[path] is not None:
        return path, "", lines
    return targets.one(place, found["path"]), found["symbol"], ""


def _of_lines(place: Place, spec: str) -> tuple[str, str]:
    found = _SPEC.fullmatch(spec)
    if found is None or not found["path"]:
        raise UsageError(f"not a place in the code: {spec[:200]!r}", hint=_FORM)
    path = targets.one(place, found["path"])
    if not found["start"]:
        return path, ""
    span = span_of(f"{found['start']}-{found['end'] or found['start']}")
    if span is None:
        raise UsageError(f"the lines of {spec!r} end before they begin", hint=_FORM)
    return path, str(span)


def _made(place: Place, spec: str, code_at: CodeAt) -> Claim:
    path, symbol, lines = _named(place, spec, code_at)
    code = code_at(path)
    if symbol:
        return symbolic.signed(code, Claim(path, symbol))
    return _hashed(Claim(path, lines=lines), code.look((path,))[path])


def _hashed(claim: Claim, sight: Sight | None) -> Claim:
    """The claim with the hash of what is there now; blank lines at the ends of a span are left out."""
    what = spec_of(claim)
    if sight is None:
        raise symbolic.missing(claim, _FORM)
    if sight.why or (sight.is_binary and claim.lines):
        why = sight.why or "binary"
        hint = "claims rest on the lines of text files" if sight.why else "claim the whole of it"
        raise RefusedError(f"{what} has no lines to rest on: {why}", hint=hint, place=claim.path, code="no-lines")
    span = span_of(claim.lines)
    if span is None:
        return Claim(claim.path, claim.symbol, digest_of(sight.lines))
    full = [number for number in range(span.start, min(span.end, len(sight.lines)) + 1) if sight.lines[number - 1]]
    if span.end > len(sight.lines) or not full:
        found = "only blank lines there" if span.end <= len(sight.lines) else f"it has {len(sight.lines)} lines"
        raise RefusedError(f"{what} names nothing: {found}", hint=_FORM, place=claim.path, code="no-such-lines")
    span = Span(full[0], full[-1])
    return Claim(claim.path, claim.symbol, digest_of(sight.lines[span.start - 1 : span.end]), str(span))


def _code_here(place: Place, paths: tuple[str, ...]) -> Code:
    """The code at HEAD with these files as they lie in the work tree."""
    root = place.repo.knowledge_dir.parent
    head = objects.look_up(place.repo, ["HEAD^{commit}"])[0]
    lying = {path: files.read_file(root, path, limit_bytes=FILE_MOST_BYTES) for path in paths}
    return Code(place, head[0] if head else "", lying)


@record
class ConfirmCall:
    """``path``: only claims on these files."""

    item: str
    path: tuple[str, ...] = ()


@record
class Confirmed:
    """``renewed`` are the claims whose hash or place was written anew, as they were before; ``left`` those that nobody
    can confirm by hash."""

    id: str
    slug: str
    path: str
    changed: bool
    renewed: tuple[ClaimState, ...]
    left: tuple[ClaimState, ...]
    warnings: tuple[Notice, ...] = ()


def confirm(session: Session, call: ConfirmCall) -> Confirmed:
    """Says that an engram still holds on the code as it lies in the work tree: its claims get their hashes anew."""
    decides(session)
    place = session.place
    require_started(place)
    wanted = tuple(targets.one(place, path) for path in call.path)
    with lock.held(place.repo):
        card = naming.one(working(place).knowledge, call.item)
        asked = [Claim(*row) for row in card.claims if not wanted or row[0] in wanted]
        if not asked:
            on = f" on {', '.join(wanted)}" if wanted else ""
            hint = f"make one: gitmem edit {card.slug} claims --add FILE#L10-L20"
            raise UsageError(f"{card.slug} makes no claim{on}", hint=hint)
        code = _code_here(place, tuple(dict.fromkeys(claim.path for claim in asked)))
        rows = list(zip(asked, judged(code, asked), strict=True))
        fresh = _fresh_of(code, rows)
        written = edited(place, card, lambda data: _renewed(data, fresh, f"{FOLDER}/{card.path}"), ())
    renewed = tuple(state_of(claim, row) for claim, row in rows if fresh[claim] not in (None, claim))
    left = tuple(state_of(claim, row) for claim, row in rows if fresh[claim] is None)
    return Confirmed(card.id, card.slug, written.path, written.changed, renewed, left, written.warnings)


def _fresh_of(code: Code, rows: list[tuple[Claim, Found]]) -> dict[Claim, Claim | None]:
    """What to write for each claim. The lines of one that drifted are followed from HEAD, where it still held."""
    base = Code(code.place, code.commit)
    drifted = [claim for claim, row in rows if row.state == DRIFTED and claim.lines and not is_of_symbol(claim)]
    before = dict(zip(drifted, judged(base, drifted), strict=True))
    found: dict[Claim, Claim | None] = {}
    for claim, row in rows:
        at = before.get(claim)
        is_known = at is not None and at.state in (HOLDS, MOVED) and at.path in ("", claim.path)
        now = _followed(base, code, claim, at.lines or claim.lines) if at is not None and is_known else claim
        found[claim] = _fresh(code, now, row) if now is not None else None
    return found


def _followed(base: Code, code: Code, claim: Claim, lines: str) -> Claim | None:
    span, before, after = span_of(lines), base.look((claim.path,))[claim.path], code.look((claim.path,))[claim.path]
    if span is None or before is None or after is None:
        return claim
    now = followed(span, before.lines, after.lines)
    return Claim(claim.path, claim.symbol, claim.digest, str(now)) if now else None


def _fresh(code: Code, claim: Claim, row: Found) -> Claim | None:
    """None where its text is not there."""
    if claim.symbol and (is_of_symbol(claim) or not claim.digest):
        return symbolic.fresh(code, claim, row)
    if row.state in (HOLDS, MOVED):
        return Claim(row.path or claim.path, claim.symbol, claim.digest, row.lines or claim.lines)
    if claim.symbol or (row.state != DRIFTED and row.why != "no-hash"):
        return None
    try:
        return _hashed(claim, code.look((claim.path,))[claim.path])
    except RefusedError:
        return None


def _renewed(data: bytes, fresh: dict[Claim, Claim | None], rel: str) -> bytes:
    known = {(claim.path, claim.symbol, claim.lines): new for claim, new in fresh.items() if new not in (None, claim)}

    def change(items: list[Text]) -> list[Text]:
        found = [(each, known.get(_key(each))) for each in items]
        return [each if new is None else _typed(new) for each, new in found]

    return edits.change_list(data, "claims", change, rel)


def _key(item: Text) -> tuple[str, str, str]:
    path, symbol, lines = _claim_of(item)
    return str(path), str(symbol), str(lines)
