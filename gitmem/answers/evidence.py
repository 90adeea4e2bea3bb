"""From a decision on the verification of an engram to the file that it makes. Refuses skipped steps and missing proof.

A condition can be overruled by force, the order of the steps cannot.
"""

from __future__ import annotations

from datetime import datetime

from gitmem.answers import naming
from gitmem.answers.admission import RefusedError, admit
from gitmem.answers.claims import spec_of
from gitmem.answers.composing import domain_of
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.answers.proofs import case_of
from gitmem.errors import UsageError
from gitmem.index.card import Card
from gitmem.model.engram import Claim
from gitmem.model.evidence import KINDS, OBSERVATION, REFUTATION, Evidence, typed
from gitmem.model.moments import rfc3339
from gitmem.model.verification import LADDER, REFUTED, Case, above, is_step, missing
from gitmem.model.vocabulary import VERIFICATIONS, Text
from gitmem.record import record, replace
from gitmem.store import edit as edits
from gitmem.store.repo import FOLDER
from gitmem.text.unsafe import escape_hidden

KIND = "verify"
_DESCRIPTION_CHARS, _RUN_CHARS = 1000, 200
_UNSAID = "refuted by force, without a word on why"


@record
class Wanted:
    """``status`` '' leaves the one there is. ``text`` is new evidence, '' for none: ``domain`` '' is that of the
    engram, ``claim`` one of its claims as FILE or FILE#L10-L20. ``force`` overrules what still lacks."""

    item: str
    status: str = ""
    text: str = ""
    kind: str = ""
    domain: str = ""
    claim: str = ""
    run: str = ""
    force: bool = False


def plan_verify(under: Ground, wanted: Wanted, by: str, now: datetime) -> Plan:
    """The new status and the new evidence, as one decision."""
    card = naming.one(under.knowledge(), wanted.item)
    data = under.data_of(card)
    case = case_of(card, data)
    made = _evidence(card, wanted, by, now)
    if not (wanted.status or made):
        raise UsageError("say what speaks for it", hint="one sentence, for example: seen in the incident of May")
    if made and any(each.identity == made.identity for each in case.evidence):
        hint = f"say what else was seen; what is there: gitmem verification show {card.slug}"
        raise UsageError("that evidence is there already, in the same words", hint=hint)
    known = replace(case, evidence=(*case.evidence, made)) if made else case
    if wanted.status:
        check_step(card.slug, known, wanted, now)
    rel = f"{FOLDER}/{card.path}"
    title = f"{card.title}: {wanted.status or 'evidence'}"
    changed = _written(data, wanted.status, made, rel)
    after = case_of(card, changed)
    if (after.status, len(after.evidence)) != (wanted.status or case.status, len(known.evidence)):
        # A key that is spelled with a dot would take the place of a part of another.
        hint = f"put its header in order by hand: gitmem edit {card.slug}"
        raise RefusedError("the header cannot be changed as it is", hint=hint, place=rel, code="cannot-edit")
    _, warnings = admit(card.path, changed)
    return Plan(KIND, title, {card.path: changed}, warnings=tuple(warnings))


def _written(data: bytes, status: str, made: Evidence | None, rel: str) -> bytes:
    after = edits.set_value(data, "verification.status", status, rel) if status else data
    if made is None:
        return after
    row = typed(made)

    def with_made(items: list[Text]) -> list[Text]:
        return [*items, row]

    return edits.change_list(after, "verification.evidence", with_made, rel)


def check_step(name: str, case: Case, wanted: Wanted, now: datetime) -> None:
    """``case`` has the evidence that comes with the decision."""
    status = wanted.status
    if status not in VERIFICATIONS:
        raise UsageError(f"unknown status {status[:80]!r}", hint=f"one of: {', '.join(VERIFICATIONS)}")
    if status == case.status:
        hint = f"the next step: {above(status) or 'none, it is the last'}"
        raise UsageError(f"{name} is {status} already", hint=hint)
    if not is_step(case.status, status):
        between = above(case.status) if _is_above(status, case.status) else _below(case.status)
        message = f"from {case.status} to {status} is more than one step"
        raise RefusedError(message, hint=f"first: gitmem verification set {name} {between}", code="skipped-step")
    lacking = missing(case, status, now)
    if lacking and not wanted.force:
        hint = f"gitmem verification add {name} TEXT brings evidence; --force overrules conditions, never the order"
        message = f"{name} cannot become {status}: it lacks {'; '.join(lacking)}"
        raise RefusedError(message, hint=hint, code="evidence-missing")


def _is_above(end: str, start: str) -> bool:
    return start == REFUTED or LADDER.index(end) > LADDER.index(start)


def _below(status: str) -> str:
    return LADDER[max(0, LADDER.index(status) - 1)]


def _evidence(card: Card, wanted: Wanted, by: str, now: datetime) -> Evidence | None:
    text = escape_hidden(" ".join(wanted.text.split()))
    is_refutation = wanted.status == REFUTED
    if not text and is_refutation and wanted.force:
        text = _UNSAID
    if not text:
        named = [name for name in ("kind", "domain", "claim", "run") if getattr(wanted, name)]
        if named:
            raise UsageError(f"{named[0]} is said of evidence, and there is none", hint="give it in one sentence")
        return None
    if len(text) > _DESCRIPTION_CHARS:
        message = f"evidence has at most {_DESCRIPTION_CHARS} characters, not {len(text)}"
        raise UsageError(message, hint="say what was seen in one sentence, and name the run that it rests on")
    return Evidence(
        text,
        REFUTATION if is_refutation else _kind(wanted.kind),
        by,
        rfc3339(now),
        domain_of(wanted.domain) if wanted.domain else card.domain,
        _claim(card, wanted.claim) if wanted.claim else "",
        _run(wanted.run),
    )


def _kind(text: str) -> str:
    kind = text.strip().lower() or OBSERVATION
    if kind not in KINDS:
        raise UsageError(f"unknown kind of evidence {text[:80]!r}", hint=f"one of: {', '.join(KINDS)}")
    return kind


def _claim(card: Card, text: str) -> str:
    specs = [spec_of(Claim(*row)) for row in card.claims]
    if text not in specs:
        known = f"it claims {', '.join(specs)}" if specs else f"make one: gitmem edit {card.slug} claims --add {text}"
        raise UsageError(f"{card.slug} makes no claim {text[:200]!r}", hint=known)
    return text


def _run(text: str) -> str:
    run = text.strip()
    if len(run) > _RUN_CHARS or not run.isprintable():
        raise UsageError(f"a run is named in at most {_RUN_CHARS} printable characters", hint="an id or an address")
    return run
