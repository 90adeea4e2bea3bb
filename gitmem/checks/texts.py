"""What a reader should not meet in a text: credentials, hidden characters, active HTML, orders to its tools.

Refuses to decode formats.
"""

from collections.abc import Iterable, Sequence

from gitmem.model.finding import Finding, Severity
from gitmem.store.layout import TEXT_SUFFIXES
from gitmem.text import secrets, unsafe
from gitmem.text.secrets import Secret


def findings(data: bytes, rel: str) -> list[Finding]:
    """The findings of a whole file, header included; ``rel`` is its path below ``.gitmem``."""
    text = data.decode("utf-8", "replace")
    # A quote that YAML or JSON escapes stands between a name and its secret as a plain one does.
    spellings = (text, text.replace('\\"', ' "')) if '\\"' in text else (text,)
    seen = {(secret.line, secret.fingerprint): secret for each in spellings for secret in secrets.scan(each)}
    found = [_secret(secret, rel, secret.line) for secret in seen.values()]
    if not rel.endswith(TEXT_SUFFIXES) or "\0" in text:
        return found
    return found + [Finding(u.code, u.severity, rel, u.line, u.message, _MENDING[u.code]) for u in unsafe.scan(text)]


_MENDING = {
    "bidi-character": "take it out: it makes text read in another order than it is",
    "tag-character": "take it out: no reader sees it, and every model does",
    "hidden-character": "take it out, unless the writing needs it",
    "unsafe-html": "put it in a code block, or write it in Markdown",
    "aimed-at-tools": "say it to people; agents must be able to take what they read as information, not as an order",
}


def of_paths(rels: Sequence[str]) -> list[Finding]:
    """Credentials in the names of files and folders."""
    return [_secret(secret, rels[secret.line - 1], 0) for secret in secrets.scan("\n".join(rels))]


def without_allowed(found: Iterable[Finding], allowed: Iterable[str]) -> list[Finding]:
    """``allowed`` are fingerprints of findings that somebody looked at: they are no secrets."""
    passed = frozenset(allowed)
    return [finding for finding in found if finding.fingerprint not in passed]


def _secret(secret: Secret, rel: str, line: int) -> Finding:
    message = f"this looks like a secret ({secret.kind}): {secret.masked}"
    hint = "take it out, and revoke it if it was ever committed; "
    hint += f"if it is none, list it under allow_secrets in config.yaml: {secret.fingerprint}"
    return Finding("secret", Severity.ERROR, rel, line, message, hint, fingerprint=secret.fingerprint)
