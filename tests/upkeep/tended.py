"""A repository in which everything is that upkeep has something to say about, and calls at any time. Refuses clocks."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gitmem.answers.session import Session
from gitmem.model.synapse import link
from gitmem.store.synapses import encode_synapse, synapse_path
from gitmem.text.spans import digest
from gitmem.upkeep.maintain import MaintainCall, Maintained, maintain
from gitmem.upkeep.report import Line, StageReport
from tests.support import commit_all, engram_id, engram_text, git, start_repo, write_tree

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LATER = START + timedelta(days=100)
CODE = "import os\n\n\ndef connect(address):\n    return os.open(address, os.O_RDONLY)\n"
LINES = "def connect(address):\n    return os.open(address, os.O_RDONLY)"
BODY = (
    "Each worker of the queue takes one job at a time, marks it with its own name and gives it back when it cannot end "
    "it within a minute; nobody else touches a job that is marked.\n"
)


def item(number: int, title: str, body: str, **more: object) -> str:
    fields: dict[str, object] = {"kind": "fact", "tags": ["all"], "created": {"at": "2026-01-01T00:00:00Z"}, **more}
    return engram_text(id=engram_id(number), title=title, summary=f"{title}.", body=body, **fields)  # type: ignore[arg-type]


def edge(start: int, kind: str, end: int) -> dict[str, str | bytes]:
    made = link(engram_id(start), engram_id(end), kind)
    return {f".gitmem/{synapse_path(made)}": encode_synapse(made)}


OLD, SLIGHT, GONE = "engrams/a/old.md", "engrams/a/slight.md", "engrams/a/gone.md"
ONE, OTHER, RULE, UNUSED = "engrams/q/one.md", "engrams/q/other.md", "engrams/a/rule.md", "engrams/a/unused.md"
MOVED, LOST = "engrams/a/moved.md", "engrams/a/lost.md"
ALL: Mapping[str, str | bytes] = {
    "src/app.py": f"# a line above\n\n{CODE}",
    ".gitmem/config.yaml": "format: 1\n",
    f".gitmem/{OLD}": item(1, "Old and of some weight", "The old printer stands on the second floor.\n"),
    f".gitmem/{SLIGHT}": item(2, "Slight", "Somebody liked tea with lemon once.\n", importance=0.1),
    f".gitmem/{GONE}": item(3, "Gone", "A tram went by here.\n", status="forgotten"),
    f".gitmem/{ONE}": item(4, "One worker one job", BODY, kind="guideline", scope={"paths": ["src/**"]}),
    f".gitmem/{OTHER}": item(
        5, "A worker has one job", f"{BODY}Ask.\n", kind="guideline", tags=["queue"], scope={"paths": ["jobs/**"]}
    ),
    f".gitmem/{RULE}": item(
        6, "Rules stay", "Names are in English.\n", kind="constraint", scope={"paths": ["**/*.py"]}
    ),
    f".gitmem/{UNUSED}": item(
        7, "About nothing", "Reports come by fax.\n", kind="constraint", scope={"paths": ["fax/**"]}
    ),
    f".gitmem/{MOVED}": item(
        8,
        "Connecting",
        "An address is a path.\n",
        kind="guideline",
        scope={"paths": ["src/**"]},
        claims=[{"path": "src/app.py", "lines": "4-5", "hash": digest(LINES)}],
    ),
    f".gitmem/{LOST}": item(
        9, "About a lost file", "It was short.\n", claims=[{"path": "src/lost.py", "hash": digest("x = 1\n")}]
    ),
    **edge(1, "extends", 3),
    **edge(1, "extends", 99),
}


def vault(root: Path, files: Mapping[str, str | bytes] = ALL) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    write_tree(start_repo(root), files)
    # The same person in every test, so that what is committed is the same too.
    for key, value in (("name", "Ada"), ("email", "ada@example.org")):
        git(root, "config", f"user.{key}", value)
    commit_all(root, "start")
    return root


def session(root: Path, now: datetime = LATER, surface: str = "cli") -> Session:
    return Session(root, now, surface)


def run(root: Path, stage: str = "", now: datetime = LATER, *, dry_run: bool = False) -> Maintained:
    """One stage, or whatever is due."""
    return maintain(session(root, now), MaintainCall(stage, due=not stage, dry_run=dry_run))


def report(root: Path, stage: str, now: datetime = LATER, *, dry_run: bool = False) -> StageReport:
    (found,) = run(root, stage, now, dry_run=dry_run).stages
    return found


def rules(found: StageReport) -> dict[tuple[str, str], list[Line]]:
    """The lines by stage and rule."""
    rows: dict[tuple[str, str], list[Line]] = {}
    for line in found.lines:
        rows.setdefault((line.stage, line.rule), []).append(line)
    return rows


def tracked(root: Path) -> tuple[str, ...]:
    """All that upkeep must leave as it is: branches, HEAD, index, the files that Git tracks."""
    heads = git(root, "for-each-ref", "refs/heads", "refs/tags", "refs/remotes")
    files = git(root, "ls-files", "--stage"), git(root, "status", "--porcelain", "--untracked-files=all")
    return heads, git(root, "rev-parse", "HEAD"), *files, git(root, "diff", "HEAD")
