"""What a person should look at before an imported draft is committed. Refuses to change or to split it."""

from gitmem.exchange import headings
from gitmem.exchange.draft import Draft
from gitmem.exchange.original import give_back
from gitmem.model.finding import Notice
from gitmem.text import secrets

LONG_BYTES = 4096
_RULE_KINDS = ("guideline", "constraint", "pattern")


def warnings(draft: Draft) -> list[Notice]:
    """Too long, several topics, no scope, likely secrets; lines are those of the source."""
    found = list[Notice]()
    size_bytes = len(draft.body.encode())
    if size_bytes > LONG_BYTES:
        long = f"{size_bytes} bytes; a rule over {LONG_BYTES} is deferred instead of shown"
        found.append(Notice("long", long, draft.source, "split it into one file a topic"))
    topics = headings.topics(draft.body)
    if topics > 1:
        found.append(
            Notice("many-topics", f"{topics} headings of level two", draft.source, "keep one topic a document")
        )
    if draft.kind in _RULE_KINDS and not draft.paths and not draft.commands:
        unreachable = "no scope: no file brings it up, only a search finds it"
        found.append(Notice("no-scope", unreachable, draft.source, "give it scope.paths"))
    for secret in secrets.scan(give_back(draft.origin, draft.body).decode()):
        likely = f"likely a secret ({secret.kind}): {secret.masked}"
        found.append(
            Notice("secret", likely, f"{draft.source}:{secret.line}", "remove it from the source, then import again")
        )
    return found
