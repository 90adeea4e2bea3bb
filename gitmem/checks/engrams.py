"""What is wrong or doubtful in one engram that its schema accepts: globs, name, size, topics. Refuses other files."""

from collections.abc import Iterator, Mapping

from gitmem.checks import claims
from gitmem.globs.dialect import GlobError, parse
from gitmem.lazy import load
from gitmem.model.engram import Engram
from gitmem.model.finding import Finding, Severity
from gitmem.model.ids import is_slug
from gitmem.model.vocabulary import STANDING
from gitmem.store.layout import ENGRAMS
from gitmem.text.sections import headings

RULE_KINDS = ("constraint", "guideline", "template")
BODY_MAX_BYTES = 4096
TOPICS_MAX = 1
PATTERNS_MAX = 4000
# What reads a verify block is loaded only for items that may have one: blanks may stand behind the fence.
_FENCES, _VERIFY = ("```", "~~~"), "verify"
# What no index can hold: with one of these an engram is not served, as with an error of its schema.
UNSERVED = frozenset({"bad-glob", "too-many-patterns"})


def findings(engram: Engram, lines: Mapping[str, int], rel: str) -> list[Finding]:
    """``lines`` gives the line of each key and list item, and of the body as that of ''; ``rel`` is the path below
    ``.gitmem``."""
    found = [*_scope(engram, lines), *_name(rel), *_body(engram, lines), *_private(engram, lines)]
    found += claims.findings(engram, lines) if engram.claims else ()
    return [
        Finding(code, severity, rel, line, message, hint, engram.id) for code, severity, line, message, hint in found
    ]


Row = tuple[str, Severity, int, str, str]


def _scope(engram: Engram, lines: Mapping[str, int]) -> Iterator[Row]:
    scope = engram.scope
    if scope is None:
        # What was said for the time to come is brought up by the words of a prompt.
        if engram.kind in RULE_KINDS and STANDING not in engram.tags:
            hint = "say where it applies, for example scope: {paths: [src/**]}; or make it a fact or a reference"
            message = f"a {engram.kind} without a scope comes into a compile only where another rule requires it"
            yield "no-scope", Severity.WARNING, lines.get("kind", 0), message, hint
        return
    if scope.is_empty:
        hint = "give it paths, layers or commands"
        yield "empty-scope", Severity.WARNING, lines.get("scope", 0), "the scope names nothing that it applies to", hint
    if len(scope.paths) > PATTERNS_MAX:
        message = f"{len(scope.paths)} patterns, the most is {PATTERNS_MAX}"
        yield "too-many-patterns", Severity.ERROR, lines.get("scope.paths", 0), message, "use wider patterns"
    for key, patterns in (("scope.paths", scope.paths), ("scope.except", scope.excluded)):
        for at, pattern in enumerate(patterns):
            error = glob_error(pattern)
            if error is not None:
                yield "bad-glob", Severity.ERROR, lines.get(f"{key}[{at}]", lines.get(key, 0)), *error


def glob_error(pattern: str) -> tuple[str, str] | None:
    """What is wrong with a pattern and how to mend it; None when it is a glob."""
    try:
        parse(pattern)
    except GlobError as err:
        return err.message, err.hint or "see docs/globs.md"
    return None


def _name(rel: str) -> Iterator[Row]:
    folder, _, name = rel.removeprefix(ENGRAMS).rpartition("/")
    if not is_slug(name.removesuffix(".md")):
        hint = "a-z, 0-9 and -, at most 80, no device name of Windows; rename it with git mv, its id stays"
        yield "bad-slug", Severity.ERROR, 0, f"the file name {name!r} is no slug", hint
    for part in folder.split("/") if folder else ():
        if not is_slug(part):
            hint = "folders are named as files are: a-z, 0-9 and -; rename it with git mv"
            yield "bad-domain", Severity.ERROR, 0, f"the folder name {part!r} is no domain", hint


def _private(engram: Engram, lines: Mapping[str, int]) -> Iterator[Row]:
    if engram.visibility == "private":
        message = "a private item is never committed: whoever has the history has it"
        hint = "make it restricted, or take it out and write it anew: gitmem new KIND TITLE --private"
        yield "private-in-tree", Severity.ERROR, lines.get("visibility", 0), message, hint


def _body(engram: Engram, lines: Mapping[str, int]) -> Iterator[Row]:
    size = len(engram.body.encode())
    if size > BODY_MAX_BYTES:
        hint = "readers get it in full or not at all: keep one topic an engram"
        yield "long-body", Severity.WARNING, 0, f"the body has {size} bytes, more than {BODY_MAX_BYTES}", hint
    if "##" in engram.body or "\n--" in engram.body:
        topics = [each for each in headings(engram.body.split("\n")) if each.level == 2]
        if len(topics) > TOPICS_MAX:
            message = f"{len(topics)} sections: {', '.join(each.title for each in topics[:4])}"
            yield (
                "several-topics",
                Severity.WARNING,
                0,
                message,
                "split it: one topic an engram is found and read better",
            )
    if _VERIFY in engram.body and any(fence in engram.body for fence in _FENCES):
        yield from load("gitmem.checks.verifying:rows")(engram.body, engram.kind, lines.get("", 1))
