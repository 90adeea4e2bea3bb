"""What somebody says of the use of an item, checked, and as it is counted. Refuses what cannot be counted."""

from collections.abc import Mapping
from math import isfinite

from gitmem.answers.admission import refuse_secrets
from gitmem.errors import UsageError
from gitmem.memory import tally
from gitmem.memory.plasticity import EFFECTIVENESS
from gitmem.memory.tally import HELPED, IRRELEVANT, MISLED
from gitmem.model.plain import Plain
from gitmem.record import record
from gitmem.text.unsafe import escape_hidden

VERDICTS = (HELPED, MISLED, IRRELEVANT)
REASON_CHARS_MAX = 500
_TOUCHED_MOST, _SYMBOL_CHARS_MAX = 200, 400


@record
class FeedbackCall:
    """``item`` is an item by any name or the id of a compile; ``effectiveness`` and ``outcome`` are two ways to say how
    far it helped; ``touched`` are the symbols that were changed with it."""

    item: str
    verdict: str
    effectiveness: float | None = None
    outcome: str = ""
    reason: str = ""
    touched: tuple[str, ...] = ()


@record
class Said:
    """A call as it counts: ``given`` is what the event says, ``counts`` what that adds to the day."""

    verdict: str
    given: Mapping[str, Plain]
    counts: Mapping[str, int]


def said(call: FeedbackCall) -> Said:
    if call.verdict not in VERDICTS:
        raise UsageError(f"unknown verdict {call.verdict[:40]!r}", hint=f"one of: {', '.join(VERDICTS)}")
    if call.outcome and call.outcome not in EFFECTIVENESS:
        raise UsageError(f"unknown outcome {call.outcome[:40]!r}", hint=f"one of: {', '.join(EFFECTIVENESS)}")
    effectiveness = _effectiveness(call)
    given: dict[str, Plain] = {"effectiveness": effectiveness} if call.verdict == HELPED else {}
    given |= {"result": call.outcome} if call.outcome else {}
    given |= {"reason": reason} if (reason := _reason(call)) else {}
    given |= {"touched": [*touched]} if (touched := _touched(call)) else {}
    short = tally.THOUSAND - round(tally.THOUSAND * effectiveness)
    counts = {call.verdict: 1} | ({tally.SHORTFALL: short} if call.verdict == HELPED and short else {})
    return Said(call.verdict, given, counts)


def _effectiveness(call: FeedbackCall) -> float:
    """Of a success; what is not said is a full one. Counted in thousandths, so it is rounded to these."""
    value = call.effectiveness
    if value is None:
        return EFFECTIVENESS[call.outcome] if call.outcome else 1.0
    if call.outcome:
        raise UsageError("effectiveness and outcome say the same twice", hint="give one of them")
    if call.verdict != HELPED:
        raise UsageError(f"effectiveness goes with {HELPED}, not with {call.verdict}", hint="leave it out")
    if not isfinite(value) or not 0 <= value <= 1:
        raise UsageError(f"effectiveness goes from 0 to 1, not {value}", hint="for example 0.5; 1 is the default")
    return round(value, 3)


def _reason(call: FeedbackCall) -> str:
    reason = escape_hidden(call.reason.strip())
    if len(reason) > REASON_CHARS_MAX:
        hint = "say it shorter; longer notes: gitmem observe manual_note"
        raise UsageError(f"a reason has 1 to {REASON_CHARS_MAX} characters, not {len(reason)}", hint=hint)
    refuse_secrets("reason", reason.encode("utf-8", "replace"), None)
    return reason


def _touched(call: FeedbackCall) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(escape_hidden(name.strip()) for name in call.touched if name.strip()))
    if len(names) > _TOUCHED_MOST or any(len(name) > _SYMBOL_CHARS_MAX for name in names):
        message = f"at most {_TOUCHED_MOST} symbols of at most {_SYMBOL_CHARS_MAX} characters can be named"
        raise UsageError(message, hint="name the ones that matter")
    refuse_secrets("touched", "\n".join(names).encode("utf-8", "replace"), None)
    return names
