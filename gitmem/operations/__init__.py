"""The table of operations as plain data. Refuses to import any room or third-party module."""

from collections.abc import Iterator, Sequence

from gitmem.lazy import load
from gitmem.operations.table import Operation

# Verb -> the module of its noun, so that one verb loads one module. A noun with many actions makes verbs of two words.
VERBS = {
    "compile": "rules",
    "why-not": "rules",
    "layers": "rules",
    "impact": "impact",
    "index": "code",
    "symbols": "code",
    "context": "packet",
    "expand": "packet",
    "outline": "packet",
    "trace": "code",
    "search": "search",
    "get": "knowledge",
    "show": "knowledge",
    "list": "knowledge",
    "overview": "knowledge",
    "why": "knowledge",
    "status": "knowledge",
    "explain": "rules",
    "recall": "recall",
    "feedback": "feedback",
    "init": "files",
    "new": "files",
    "edit": "files",
    "mv": "files",
    "rm": "files",
    "fmt": "files",
    "claims list": "claims",
    "claims confirm": "claims",
    "link": "edges",
    "unlink": "edges",
    "contradictions list": "contradictions",
    "contradictions resolve": "contradictions",
    "lineage": "knowledge",
    "verification show": "verification",
    "verification set": "verification",
    "verification add": "verification",
    "import": "files",
    "check": "gates",
    "verify": "verify",
    "hooks": "gates",
    "config": "gates",
    "propose": "propose",
    "propose new": "propose",
    "propose edit": "propose",
    "propose retire": "propose",
    "propose archive": "propose",
    "propose forget": "propose",
    "propose restore": "propose",
    "propose rm": "propose",
    "propose private": "propose",
    "propose mv": "propose",
    "propose link": "propose",
    "propose unlink": "propose",
    "create": "curating",
    "update": "curating",
    "move": "curating",
    "set-tags": "curating",
    "archive": "curating",
    "forget": "curating",
    "retire": "curating",
    "restore": "curating",
    "delete": "curating",
    "trash": "curating",
    "propose document": "intake",
    "analyze": "intake",
    "sync-sources": "intake",
    "stats": "stats",
    "scopes review": "scopes",
    "scopes apply": "scopes",
    "scopes follow": "scopes",
    "proposals list": "proposals",
    "proposals show": "proposals",
    "proposals diff": "proposals",
    "proposals overlaps": "proposals",
    "proposals preflight": "proposals",
    "proposals review": "proposals",
    "proposals approve": "proposals",
    "proposals reject": "proposals",
    "proposals withdraw": "proposals",
    "proposals supersede": "proposals",
    "proposals comment": "proposals",
    "proposals publish": "proposals",
    "proposals reinstate": "proposals",
    "revert": "proposals",
    "observe": "observations",
    "observations list": "observations",
    "observations show": "observations",
    "observations process": "observations",
    "observations reclaim": "observations",
    "observations archive": "observations",
    "observations resolve": "observations",
    "export": "standing",
    "observations confirm": "standing",
    "standing list": "standing",
    "standing retire": "standing",
    "hook user-prompt": "hosts",
    "hook session-start": "hosts",
    "hook pre-compact": "hosts",
    "hook post-tool": "hosts",
    "hook stop": "hosts",
    "hook session-end": "hosts",
    "resolve": "team",
    "doctor": "team",
    "merge-driver": "team",
    "snapshots list": "snapshots",
    "snapshots show": "snapshots",
    "snapshots create": "snapshots",
    "snapshots diff": "snapshots",
    "snapshots drop": "snapshots",
    "sync": "sync",
    "journal show": "journal",
    "journal audit": "journal",
    "journal verify": "journal",
    "journal verify-commit": "journal",
    "journal trailer": "journal",
    "journal query": "journal",
    "journal prune": "journal",
    "journal check": "journal",
    "synthesize": "synthesis",
    "maintain": "upkeep",
    "watch": "upkeep",
    "skills list": "skills",
    "skills show": "skills",
    "skills record": "skills",
    "skills new": "skills",
    "skills compose": "skills",
    "skills relate": "skills",
    "skills advance": "skills",
    "skills retire": "skills",
    "intentions list": "intentions",
    "intentions show": "intentions",
    "intentions new": "intentions",
    "intentions set": "intentions",
    "intentions snooze": "intentions",
    "intentions complete": "intentions",
    "intentions cancel": "intentions",
    "mcp": "serving",
}


# The action of a noun that is named alone.
_USUAL = "list"


def called(words: Sequence[str]) -> tuple[str, int]:
    """The verb at the front of a command line and how many words it takes; ('', 0) when there is none."""
    two = " ".join(words[:2])
    if len(words) > 1 and two in VERBS:
        return two, 2
    if words and words[0] in VERBS:
        return words[0], 1
    alone = f"{words[0]} {_USUAL}" if words else ""
    is_alone = len(words) < 2 or words[1].startswith("-")
    return (alone, 1) if is_alone and alone in VERBS else ("", 0)


def actions(noun: str) -> list[str]:
    """The second words that go with a noun; none for a verb of one word."""
    return [verb.partition(" ")[2] for verb in VERBS if verb.startswith(f"{noun} ")]


def find(verb: str) -> Operation | None:
    """The operation of a verb, None when there is no such verb."""
    module = VERBS.get(verb)
    return operations_of(module)[verb] if module else None


def operations_of(module: str) -> dict[str, Operation]:
    """The operations of one noun by verb, in the order of the module."""
    rows: tuple[Operation, ...] = load(f"gitmem.operations.{module}:operations")()
    return {row.verb: row for row in rows}


def every() -> Iterator[Operation]:
    """All operations, noun by noun."""
    for module in dict.fromkeys(VERBS.values()):
        yield from operations_of(module).values()
