"""Findings as SARIF 2.1.0, which code hosts show beside the lines. Refuses absolute paths and times."""

import hashlib
import json
from urllib.parse import quote

from gitmem import __version__
from gitmem.answers.checking import Checked
from gitmem.model.finding import Finding, Severity

Json = dict[str, object]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_HOME = "https://pypi.org/project/gitmem-kb/"
# The most that code hosts take of one run.
_MESSAGE_CHARS = 1000


def sarif(result: Checked) -> str:
    """One run; in ASCII, so that any terminal and any log can hold it."""
    codes = sorted({finding.code for finding in result.findings})
    driver = {
        "name": "gitmem",
        "version": __version__,
        "informationUri": _HOME,
        "rules": [_rule(code, result) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the root of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes) for finding in result.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str, result: Checked) -> Json:
    first = next(finding for finding in result.findings if finding.code == code)
    return {
        "id": code,
        "shortDescription": {"text": code.replace("-", " ")},
        "help": {"text": f"{first.hint or first.message} (docs/check.md)"},
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
