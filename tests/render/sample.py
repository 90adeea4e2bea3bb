"""The pull request whose comment is a golden file: `python -m tests.render.sample` writes it. Refuses to check it."""

import os
import sys
import tempfile
from pathlib import Path

from tests import sandbox
from tests.support import commit_all, engram_id, engram_text, git, run_inproc, write_tree

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "pull-request.md"
OWNERS = "* @org/all\n/.gitmem/ @org/keepers\nsrc/pay/ @org/pay\n"


def rule(number: int, title: str, body: str, *paths: str) -> str:
    return engram_text(
        id=engram_id(number), title=title, kind="guideline", summary=None, scope={"paths": list(paths)}, body=body
    )


def repository(root: Path) -> Path:
    """A branch that adds a rule, turns one round, drops one, and edits the owners on the way."""
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    write_tree(
        root,
        {
            "CODEOWNERS": OWNERS,
            "src/pay/card.ts": "x\n",
            "src/pay/bank.ts": "x\n",
            "src/web/page.ts": "x\n",
            ".gitmem/config.yaml": "format: 1\n",
            ".gitmem/engrams/web/tabs.md": rule(1, "Indent with tabs", "Indent with tabs.\n", "src/**"),
            ".gitmem/engrams/web/old.md": rule(2, "Ask before you log", "Ask before you log.\n", "src/web/**"),
        },
    )
    commit_all(root)
    git(root, "checkout", "--quiet", "-b", "work")
    (root / ".gitmem/engrams/web/old.md").unlink()
    write_tree(
        root,
        {
            "CODEOWNERS": OWNERS + "docs/ @org/docs\n",
            ".gitmem/engrams/pay/spaces.md": rule(
                3, "Indent with spaces", "Indent with spaces, never with tabs.\n", "src/pay/**", "src/new/**"
            ),
            ".gitmem/engrams/pay/broken.md": "---\ntitle: <b>@everyone</b> `x`\n---\nNo id.\n",
        },
    )
    commit_all(root)
    return root


def comment(root: Path) -> str:
    ran = run_inproc(root, "check", "--range", "main...work", "--format", "markdown")
    assert ran.code == 1, ran.err
    return ran.out


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        (home / ".gitconfig").write_text(sandbox.GIT_CONFIG, encoding="utf-8")
        os.environ.update(sandbox.environment(home))
        GOLDEN.write_text(comment(repository(Path(folder) / "repo")), encoding="utf-8", newline="\n")
    sys.exit(0)
