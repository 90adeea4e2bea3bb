"""Other programs that look after Git hooks: which are here, and what to add to their files. Refuses to edit those."""

from pathlib import Path

from gitmem.model.hooks import HookTool

_LEFTHOOK = ("lefthook", ".lefthook", ".config/lefthook")
_ENDINGS = (".yml", ".yaml", ".toml", ".json")
# A word that the hooks which a manager writes have in them.
_WRITERS = {"pre-commit": b"pre-commit.com", "lefthook": b"lefthook", "husky": b"husky"}
_ADVICE = {
    "pre-commit": """\
add to .pre-commit-config.yaml, and run: pre-commit install --hook-type pre-commit --hook-type pre-merge-commit
- repo: local
  hooks:
    - id: gitmem-check
      name: gitmem check
      entry: gitmem check --staged
      language: system
      pass_filenames: false
      always_run: true
      stages: [pre-commit, pre-merge-commit]""",
    "lefthook": """\
add to {file}, and run: lefthook install
pre-commit:
  commands:
    gitmem:
      run: gitmem check --staged""",
    "husky": "add this line to .husky/pre-commit: gitmem check --staged",
}


def present(root: Path | None, hooks_folder: Path) -> tuple[HookTool, ...]:
    """The managers whose settings lie in the repository."""
    files = {"pre-commit": _first(root, [".pre-commit-config.yaml"])}
    files["lefthook"] = _first(root, [f"{stem}{ending}" for stem in _LEFTHOOK for ending in _ENDINGS])
    files["husky"] = ".husky" if owner_of_folder(hooks_folder) else _first(root, [".husky"])
    return tuple(HookTool(name, file, _ADVICE[name].format(file=file)) for name, file in files.items() if file)


def owner_of_folder(hooks_folder: Path) -> str:
    """The manager that writes every file of a hooks folder anew, '' for none."""
    return "husky" if ".husky" in hooks_folder.parts else ""


def owner_of(content: bytes) -> str:
    """The manager that wrote a hook, '' for none that is known."""
    return next((name for name, word in _WRITERS.items() if word in content), "")


def _first(root: Path | None, rels: list[str]) -> str:
    return next((rel for rel in rels if root is not None and (root / rel).exists()), "")
