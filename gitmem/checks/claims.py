"""What is wrong in how an engram says what it rests on. Refuses to look whether that is still so."""

from collections.abc import Iterator, Mapping

from gitmem.errors import UsageError
from gitmem.model.engram import Claim, Engram
from gitmem.model.finding import Severity
from gitmem.store.paths import target_path
from gitmem.text.spans import is_digest, span_of

# Further ones of one engram are neither judged nor shown.
CLAIMS_MOST = 100
CODE = "bad-claim"
_SYMBOL = "s1:"
_HOW = "write it anew: gitmem edit ITEM claims --add FILE#L10-L20"
_HOW_SYMBOL = "write it anew: gitmem edit ITEM claims --add FILE#Outer.name"


def findings(engram: Engram, lines: Mapping[str, int]) -> Iterator[tuple[str, Severity, int, str, str]]:
    """(code, severity, line, message, hint) of each claim whose state nobody can tell."""
    for at, claim in enumerate(engram.claims):
        found = fault(claim)
        if found:
            yield CODE, Severity.WARNING, lines.get(f"claims[{at}]", lines.get("claims", 0)), *found
    if len(engram.claims) > CLAIMS_MOST:
        message = f"{len(engram.claims)} claims; those after the first {CLAIMS_MOST} are not judged"
        yield CODE, Severity.WARNING, lines.get("claims", 0), message, "name whole files, or split the engram"


def fault(claim: Claim) -> tuple[str, str] | None:
    """(what is wrong, how to mend it); None for what can be judged."""
    try:
        is_canonical = target_path(claim.path) == claim.path
    except UsageError as err:
        return f"a claim: {err.message}", err.hint
    if not is_canonical:
        return f"a claim rests on {claim.path!r}", "name the file from the repository's root, with / between folders"
    if claim.lines and span_of(claim.lines) is None:
        return f"lines {claim.lines!r} of a claim on {claim.path}", "one number or two: 12 or 12-20, from 1"
    if is_of_symbol(claim) and not claim.symbol:
        return f"the hash of a claim on {claim.path} is of a symbol, and it names none", _HOW_SYMBOL
    if claim.digest and not is_digest(claim.digest) and not is_of_symbol(claim):
        return f"the hash {claim.digest[:60]!r} of a claim on {claim.path} is none that gitmem makes", _HOW
    return None


def is_of_symbol(claim: Claim) -> bool:
    """Whether the digest is over the tokens of a symbol: s1, the language, hex digits."""
    name, _, digits = claim.digest.removeprefix(_SYMBOL).partition(":")
    is_form = claim.digest.startswith(_SYMBOL) and bool(name and digits)
    return is_form and not digits.strip("0123456789abcdef")
