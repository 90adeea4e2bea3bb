"""A range of commits as the gate of a pull request or a push sees it: judged by the rules of A. Refuses those of B."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem import config
from gitmem.answers import delta, gate, guarded, sides, undone
from gitmem.answers.checking import JSON, MARKDOWN, CheckCall, Checked, answered, compared, judged
from gitmem.answers.delta import Delta
from gitmem.answers.session import Session
from gitmem.answers.verdict import Verdict, in_repository
from gitmem.config import Config
from gitmem.lazy import load
from gitmem.model.finding import Notice
from gitmem.record import replace
from gitmem.store import author as authors
from gitmem.store.codec import decode_mapping
from gitmem.store.layout import CONFIG
from gitmem.store.repo import FOLDER, Repo, discover
from gitmem.text import patch

_WITH_EFFECT = (JSON, MARKDOWN)


def ranged(session: Session, call: CheckCall) -> Checked:
    repo = session.held.repo if session.held else discover(session.start)
    ends = delta.ends(repo, call.range)
    change = delta.between(repo, ends)
    settings, notices = settings_at(repo, ends.policy)
    verdict = judged(change, settings)
    asked = guarded.guarded(repo, ends, change)
    found = [*verdict.findings, *asked.findings]
    found += in_repository(gate.judged(change, ends, settings)) if change is not None else ()
    warnings = (*notices, *verdict.warnings, *asked.warnings)
    answer = answered(call, compared(session, call, Verdict(tuple(found), verdict.files, warnings), change))
    effect = load("gitmem.answers.effect:effect")(session, ends.old, ends.new) if call.format in _WITH_EFFECT else None
    mended = _patch(session, repo, change) if call.fix else None
    return replace(answer, owners=asked.owners, effect=effect, patch=mended)


def settings_at(repo: Repo, commit: str) -> tuple[Config, Sequence[Notice]]:
    """Those of one commit; what cannot be read keeps its default, and that is said."""
    data = sides.at(repo, f"{commit}:{FOLDER}" if commit else "")([CONFIG]).get(CONFIG, b"")
    values, broken = decode_mapping(data, CONFIG)
    settings, faults = config.from_text(values)
    said = [*(each.message for each in broken), *(each.message for each in faults)]
    place = f"{FOLDER}/{CONFIG}"
    hint = "mend it where this range starts: its policy is not in force"
    return settings, [Notice("config", f"{text}; the default is in force", place, hint) for text in said]


def _patch(session: Session, repo: Repo, change: Delta | None) -> str:
    lost = undone.of_delta(change) if change is not None else []
    files = undone.restored(lost, undone.person(authors.author(repo)), session.now)
    return patch.adding({f"{FOLDER}/{rel}": data for rel, data in files.items()})
