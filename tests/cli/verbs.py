"""Every verb of the command line as the tests of bad input call it, and the small knowledge that they are called on."""

from pathlib import Path

from tests.support import engram_id, engram_text, git, write_tree

ITEM = "use-the-client"
FILE = "src/app.py"
# None of that id is there: how these verbs work on one that is stands in tests of their own.
PROPOSAL = engram_id(900)
SKILL = "cut-a-release"
INTENTION = "look-again"
OBSERVATION = f"{engram_id(901)}-1"
COMPILE = "0" * 64
RECEIPT = "gitmem1:e30"
# All of FILE.
FOLD = "b917a726c9-0-9-lqvy"
# Words of a call that has nothing to find in the small knowledge.
ABSENT = frozenset({PROPOSAL, OBSERVATION, COMPILE, RECEIPT, "verify-commit", "trailer", "rules.md"})
KNOWLEDGE = {
    FILE: "print(1)\n",
    "AGENTS.md": "# Notes\n\nRun the tests.\n",
    ".gitmem/config.yaml": "format: 1\n",
    ".gitmem/layers.yaml": "src/**: code\n",
    ".gitmem/engrams/api/use-the-client.md": engram_text(scope={"paths": ["src/**"]}),
    ".gitmem/engrams/api/name-the-table.md": engram_text(
        id=engram_id(2), title="Name the table", requires=[engram_id(1)], body="Tables have plural names.\n"
    ),
    f".gitmem/skills/{SKILL}/SKILL.md": f"---\nname: {SKILL}\ndescription: Cut a release.\n---\nTag it.\n",
    f".gitmem/intentions/{INTENTION}.md": "---\ntitle: Look again\nwhen:\n  at: 2999-01-01\n---\nLook.\n",
}


def repository(root: Path) -> Path:
    """A repository of the small knowledge at ``root``, for the tests of one file that write nothing."""
    root.mkdir()
    git(root, "-c", "init.defaultBranch=main", "init", "--quiet")
    write_tree(root, KNOWLEDGE)
    git(root, "add", "--all")
    git(root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--message", "start")
    return root


READING: dict[str, tuple[str, ...]] = {
    "compile": ("compile", FILE),
    "compile with a plan": ("compile", FILE, "--plan", "call the api", "--explain", "--notices", "fresh"),
    "explain": ("explain", FILE, "--item", ITEM),
    "why-not": ("why-not", "name-the-table", FILE),
    "layers": ("layers", FILE),
    "impact": ("impact", FILE),
    "index": ("index",),
    "symbols": ("symbols", "client"),
    "context": ("context", "fix the client"),
    "expand": ("expand", FOLD),
    "outline": ("outline", FILE),
    "trace": ("trace", FILE),
    "get": ("get", ITEM),
    "show": ("show", ITEM),
    "list": ("list",),
    "search": ("search", "call the client"),
    "list by path": ("list", "--path", FILE),
    "overview": ("overview",),
    "why": ("why", ITEM),
    "lineage": ("lineage", ITEM),
    "contradictions list": ("contradictions", "list"),
    "claims list": ("claims", "list"),
    "verification show": ("verification", "show", ITEM),
    "status": ("status",),
    "trash": ("trash",),
    "check": ("check",),
    "check what is staged": ("check", "--staged"),
    "check a range": ("check", "--range", "HEAD..HEAD"),
    "verify": ("verify", FILE),
    "verify what is staged": ("verify", "--staged"),
    "verify the work tree": ("verify", "--worktree"),
    "verify a range": ("verify", "--range", "HEAD..HEAD"),
    "recall": ("recall", FILE, "--text", "start"),
    "recall gaps": ("recall", "--gaps"),
    "config show": ("config", "show"),
    "hooks list": ("hooks", "list"),
    "fmt --check": ("fmt", "--check"),
    "import --dry-run": ("import", "--dry-run"),
    "analyze": ("analyze", "AGENTS.md"),
    "sync-sources --dry-run": ("sync-sources", "--dry-run"),
    "stats": ("stats",),
    "scopes review": ("scopes", "review"),
    "scopes follow --dry-run": ("scopes", "follow", "--dry-run"),
    "import --propose --dry-run": ("import", "--propose", "--dry-run"),
    "snapshots list": ("snapshots", "list"),
    "snapshots show": ("snapshots", "show", "HEAD"),
    "snapshots diff": ("snapshots", "diff", "HEAD"),
    "sync": ("sync", "--dry-run"),
    "journal show": ("journal", "show"),
    "journal audit": ("journal", "audit", COMPILE),
    "journal verify-commit": ("journal", "verify-commit", "HEAD"),
    "journal trailer": ("journal", "trailer"),
    "journal verify": ("journal", "verify", RECEIPT),
    "journal query": ("journal", "query", "--item", ITEM),
    "journal check": ("journal", "check"),
    "observations list": ("observations", "list", "--state", "all"),
    "observations show": ("observations", "show", OBSERVATION),
    "observations process --preview": ("observations", "process", "--preview"),
    "standing list": ("standing", "list"),
    "export --check": ("export", "rules.md", "--check"),
    "skills list": ("skills", "list"),
    "skills show": ("skills", "show", SKILL),
    "intentions list": ("intentions", "list", "--file", FILE),
    "intentions show": ("intentions", "show", INTENTION),
    "proposals list": ("proposals", "list", "--status", "all"),
    "proposals show": ("proposals", "show", PROPOSAL),
    "proposals diff": ("proposals", "diff", PROPOSAL),
    "proposals overlaps": ("proposals", "overlaps"),
    "proposals preflight": ("proposals", "preflight", PROPOSAL),
    "proposals review": ("proposals", "review"),
}
# In an order in which each finds what the one before left.
WRITING: dict[str, tuple[str, ...]] = {
    "init": ("init",),
    "new": ("new", "fact", "Tables are plural", "--path", "db/**"),
    "edit": ("edit", ITEM, "tags", "--add", "http"),
    "edit claims": ("edit", ITEM, "claims", "--add", FILE),
    "claims confirm": ("claims", "confirm", ITEM),
    "fmt": ("fmt",),
    "mv": ("mv", ITEM, "http/the-client"),
    "link": ("link", ITEM, "extends", "name-the-table"),
    "unlink": ("unlink", ITEM, "extends", "name-the-table"),
    "skills new": ("skills", "new", "call-it", "Call it. Use when it rings.", "--body", "-"),
    "skills compose": ("skills", "compose", "call-it", SKILL),
    "skills relate": ("skills", "relate", "call-it", ITEM),
    "skills advance": ("skills", "advance", "call-it"),
    "skills record": ("skills", "record", SKILL),
    "skills retire": ("skills", "retire", SKILL),
    "intentions new": ("intentions", "new", "Renew it", "--at", "2027-01-01"),
    "intentions set": ("intentions", "set", INTENTION, "priority", "3"),
    "intentions snooze": ("intentions", "snooze", INTENTION),
    "intentions complete": ("intentions", "complete", INTENTION),
    "intentions cancel": ("intentions", "cancel", INTENTION),
    "rm": ("rm", "name-the-table"),
    "import --propose": ("import", "--propose"),
    "propose document": ("propose", "document", "AGENTS.md", "--kind", "reference", "--title", "Other notes"),
    "sync-sources": ("sync-sources",),
    "scopes apply": ("scopes", "apply", "-"),
    "scopes follow": ("scopes", "follow"),
    "import": ("import",),
    "check --fix": ("check", "--fix"),
    "config set": ("config", "set", "max_entries", "40"),
    "hooks install": ("hooks", "install"),
    "hooks uninstall": ("hooks", "uninstall"),
    "snapshots create": ("snapshots", "create", "first"),
    "snapshots drop": ("snapshots", "drop", "first"),
    "sync": ("sync",),
    "journal prune": ("journal", "prune", "--older-than", "90d"),
    "resolve": ("resolve",),
    "doctor": ("doctor",),
    "maintain": ("maintain", "light"),
    "doctor --fix": ("doctor", "--fix"),
    "doctor --full": ("doctor", "--full"),
    "maintain light": ("maintain", "light"),
    "maintain deep": ("maintain", "deep"),
    "maintain --due": ("maintain", "--due", "--dry-run"),
    "maintain rem": ("maintain", "rem"),
    "synthesize": ("synthesize", ITEM, "name-the-table", "--dry-run"),
    "create": ("create", "fact", "Names are short"),
    "update": ("update", ITEM, "--summary", "Over the client."),
    "set-tags": ("set-tags", ITEM, "--tag", "api"),
    "archive": ("archive", ITEM),
    "forget": ("forget", ITEM, "--reason", "wrong"),
    "retire": ("retire", ITEM),
    "restore": ("restore", ITEM),
    "move": ("move", ITEM, "http/client-only"),
    "delete": ("delete", "name-the-table"),
    "propose new": ("propose", "new", "fact", "Keys are stable", "--tag", "db"),
    "propose edit": ("propose", "edit", ITEM, "tags", "--add", "http"),
    "propose retire": ("propose", "retire", ITEM),
    "propose archive": ("propose", "archive", ITEM),
    "propose forget": ("propose", "forget", ITEM, "--rationale", "wrong"),
    "propose restore": ("propose", "restore", ITEM),
    "propose rm": ("propose", "rm", "name-the-table"),
    "new --private": ("new", "fact", "Mine alone", "--private"),
    "propose private": ("propose", "private", "mine-alone"),
    "propose mv": ("propose", "mv", ITEM, "http/the-client"),
    "propose link": ("propose", "link", "name-the-table", "extends", ITEM),
    "propose unlink": ("propose", "unlink", "name-the-table", "extends", ITEM),
    "contradictions resolve": (
        *("contradictions", "resolve", ITEM, "--against", "name-the-table"),
        *("--verdict", "keep_new", "--rationale", "as agreed"),
    ),
    "propose": ("propose", "--from-commit", "HEAD"),
    "feedback": ("feedback", ITEM, "helped", "--effectiveness", "0.5"),
    "observe": ("observe", "compile_miss", "--file", "lib/a.py", "--comment", "no rule came"),
    "observations process": ("observations", "process"),
    "observations reclaim": ("observations", "reclaim"),
    "observations archive": ("observations", "archive", OBSERVATION),
    "observations resolve": ("observations", "resolve", OBSERVATION, "cancel"),
    "proposals comment": ("proposals", "comment", PROPOSAL, "and the tests?"),
    "proposals approve": ("proposals", "approve", f"{PROPOSAL}@{'0' * 12}"),
    "proposals reject": ("proposals", "reject", PROPOSAL, "--reason", "no"),
    "proposals withdraw": ("proposals", "withdraw", PROPOSAL),
    "proposals supersede": ("proposals", "supersede", PROPOSAL, PROPOSAL),
    "proposals publish": ("proposals", "publish", PROPOSAL),
    "proposals reinstate": ("proposals", "reinstate", PROPOSAL),
    "revert": ("revert", PROPOSAL),
    "standing retire": ("standing", "retire", ITEM),
    "verification set": ("verification", "set", ITEM, "plausible", "--evidence", "It held.", "--propose"),
    "verification add": ("verification", "add", ITEM, "It held again.", "--propose"),
    "observations confirm": ("observations", "confirm", "7f3x"),
    "export": ("export", "rules.md"),
    "merge-driver": ("merge-driver", FILE, FILE, FILE, "7", FILE),
}
# What an agent host calls: exit code 0 wherever that is. Their own tests are in tests/hooks.
HOSTS: dict[str, tuple[str, ...]] = {
    "hook user-prompt": ("hook", "user-prompt"),
    "hook session-start": ("hook", "session-start"),
    "hook pre-compact": ("hook", "pre-compact"),
    "hook post-tool": ("hook", "post-tool"),
    "hook stop": ("hook", "stop"),
    "hook session-end": ("hook", "session-end"),
}
BODY = "Table names are plural.\n"
