"""Findings as SARIF 2.1.0, which code hosts show beside the lines. Refuses absolute paths and times."""

import hashlib
import json
from collections.abc import Sequence
from urllib.parse import quote

from gitmem import __version__
from gitmem.answers.checking import Checked
from gitmem.model.finding import Finding, Severity
from gitmem.model.verified import Verified

Json = dict[str, object]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_HOME = "https://pypi.org/project/gitmem-kb/"
# The most that code hosts take of one run.
_MESSAGE_CHARS = 1000


def sarif(result: Checked) -> str:
    return _report(result.findings, "docs/check.md")


def of_verdict(result: Verified) -> str:
    """A violation is an error of the kind that its check is, and known again by its file and what was found."""
    findings = [
        Finding(
            each.check,
            Severity.ERROR,
            each.path,
            each.line,
            f"{each.evidence} (rule {each.slug})",
            each.hint,
            each.rule,
            fingerprint=f"{each.path}\0{each.evidence}",
        )
        for each in result.violations
    ]
    findings += [
        Finding(
            "drifted_claim",
            Severity.WARNING,
            each.path,
            int(each.lines.partition("-")[0] or 1),
            f"what {each.slug} rests on is {each.after} with this change",
            f"settle it by one of: {'; '.join(each.next_)}",
            each.item,
        )
        for each in result.drifted
    ]
    return _report(findings, "docs/verify.md")


def _report(findings: Sequence[Finding], page: str) -> str:
    """One run; in ASCII, so that any terminal and any log can hold it."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.code, finding)
    codes = sorted(first)
    driver = {
        "name": "gitmem",
        "version": __version__,
        "informationUri": _HOME,
        "rules": [_rule(first[code], page) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the root of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes) for finding in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(first: Finding, page: str) -> Json:
    return {
        "id": first.code,
        "shortDescription": {"text": first.code.replace("-", " ").replace("_", " ")},
        "help": {"text": f"{first.hint or first.message} ({page})"},
        "defaultConfiguration": {"level": _level(first)},
    }


def _result(finding: Finding, codes: list[str]) -> Json:
    text = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": _level(finding),
        "message": {"text": text[:_MESSAGE_CHARS]},
        "locations": [{"physicalLocation": _location(finding)}],
        "partialFingerprints": {"gitmem/v1": _fingerprint(finding)},
    }


def _location(finding: Finding) -> Json:
    artifact = {"uri": quote(finding.path, errors="surrogateescape"), "uriBaseId": "SRCROOT"}
    # A finding about a whole file stands at its first line: hosts leave out what has no place.
    return {"artifactLocation": artifact, "region": {"startLine": finding.line or 1}}


def _level(finding: Finding) -> str:
    return "error" if finding.severity is Severity.ERROR else "warning"


def _fingerprint(finding: Finding) -> str:
    """The same while the same is wrong with the same item, whatever line it moves to."""
    what = finding.fingerprint or finding.message
    named = "\0".join((finding.code, finding.item or finding.path, what))
    return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:32]
