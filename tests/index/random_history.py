"""A history of random commits over a knowledge folder: everything that people and tools do to it. Refuses to judge."""

import random
from pathlib import Path

from gitmem.model.synapse import SYNAPSE_KINDS, link
from gitmem.store.synapses import encode_synapse, synapse_path
from tests.asking import rule
from tests.support import commit_all, engram_id, write_tree

DOMAINS = ("api", "ui", "api/http", "")
PATTERNS = ("src/**", "src/api/**", "src/ui/*.ts", "**/*.md", "docs/a.md", "src/{api,ui}/**", "lib/")
STATUSES = ("active", "active", "active", "frozen", "draft", "deprecated", "forgotten")
SETTINGS = {
    "config.yaml": ("format: 1\n", "format: 1\nmax_inline_bytes: 300\n", "format: 1\nmax_entries: 3\n", "format: [\n"),
    "layers.yaml": (
        "src/**: core\n",
        "src/ui/**: ui\nsrc/**: core\n",
        "layers:\n  ui: [src/ui/**]\n",
        "- a list\n",
        "",
    ),
    "tags.yaml": ("auth: x\n", "auth: x\nui: y\n", "tags: [auth, ui]\n"),
}
MALFORMED = (
    "no header\n",
    "---\nid: x\n---\nbody\n",
    "---\ntitle: [\n---\n",
    "",
    "---\n",
    "\ufeff---\nkind: thing\n---\nx\n",
)


class History:
    """A work tree and the changes that can befall it; the same seed gives the same commits."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.draw, self.number = root, random.Random(seed), 0

    @property
    def folder(self) -> Path:
        return self.root / ".gitmem"

    def step(self) -> str:
        """One commit of one to four changes; returns what they were."""
        changes = (
            *(self.add, self.add, self.add, self.edit, self.edit, self.rename, self.rename, self.delete),
            *(self.malform, self.duplicate, self.settings, self.odd, self.other_place, self.case),
            *(self.link, self.link, self.unlink, self.decide, self.fold),
        )
        done = [self.draw.choice(changes) for _ in range(self.draw.randint(1, 4))]
        for change in done:
            change()
        names = ", ".join(change.__name__ for change in done)
        commit_all(self.root, names)
        return names

    def files(self) -> list[Path]:
        return sorted(path for path in self.folder.glob("engrams/**/*") if path.is_file() or path.is_symlink())

    def any_file(self) -> Path | None:
        found = self.files()
        return self.draw.choice(found) if found else None

    def add(self) -> None:
        self.number += 1
        scope = {"paths": self.draw.sample(PATTERNS, self.draw.randint(1, 3))}
        if not self.draw.randrange(4):
            scope = {"layers": ["ui"], "except": [self.draw.choice(PATTERNS)]}
        fields = {
            "scope": self.draw.choice((scope, scope, None)),
            "status": self.draw.choice(STATUSES),
            "kind": self.draw.choice(("constraint", "fact", "template")),
            "tags": self.draw.sample(("auth", "ui", "free"), self.draw.randint(0, 2)),
            "requires": [f"rule-{self.draw.randint(1, self.number)}"] if not self.draw.randrange(3) else None,
            "priority": self.draw.randint(-2, 2),
            "body": "word " * self.draw.randint(1, 120) + "\n",
        }
        domain = self.draw.choice(DOMAINS)
        write_tree(self.root, rule(f"rule-{self.number}", self.number, domain=domain, **fields))

    def edit(self) -> None:
        path = self.any_file()
        if path is None or path.is_symlink():
            return
        old = path.read_bytes().decode("utf-8", "surrogateescape")
        self.number += 1
        new = self.draw.choice(
            (
                old + "One more line.\n",
                old.replace("kind: constraint", "kind: guideline"),
                old.replace("status: active", "status: draft"),
                old.replace("src/", "lib/"),
                old.replace("title: Rule", f"title: Changed {self.number} rule"),
                old.replace("\n", "\r\n"),
            )
        )
        path.write_bytes(new.encode("utf-8", "surrogateescape"))

    def rename(self) -> None:
        path = self.any_file()
        if path is None:
            return
        self.number += 1
        name = self.draw.choice(
            (f"moved-{self.number}.md", path.name, f"Bad Name {self.number}.md", "con.md", "x.txt", "~a.md~")
        )
        target = self.folder / "engrams" / self.draw.choice((*DOMAINS, "Bad Domain")) / name
        if not target.exists() and not target.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)

    def delete(self) -> None:
        path = self.any_file()
        if path is not None:
            path.unlink()

    def malform(self) -> None:
        path = self.any_file()
        if path is not None and not path.is_symlink():
            path.write_bytes(self.draw.choice(MALFORMED).encode())

    def duplicate(self) -> None:
        path = self.any_file()
        if path is not None and not path.is_symlink():
            self.number += 1
            (path.parent / f"copy-{self.number}.md").write_bytes(path.read_bytes())

    def link(self) -> None:
        ends = [engram_id(self.draw.randint(1, self.number + 1)), engram_id(self.number + 2)]
        weight = self.draw.choice((None, 0.25))
        synapse = link(*ends, self.draw.choice(SYNAPSE_KINDS), weight)
        write_tree(self.root, {f".gitmem/{synapse_path(synapse)}": encode_synapse(synapse)})

    def unlink(self) -> None:
        """Takes an edge out, or spoils its file."""
        found = sorted(self.folder.glob("synapses/*/*"))
        if found:
            path = self.draw.choice(found)
            path.write_text("id: no\n") if not self.draw.randrange(3) else path.unlink()

    def settings(self) -> None:
        name = self.draw.choice(sorted(SETTINGS))
        path = self.folder / name
        if path.exists() and not self.draw.randrange(4):
            path.unlink()
        else:
            path.write_text(self.draw.choice(SETTINGS[name]))

    def odd(self) -> None:
        """A link, a script, a leftover of an editor, bytes that are no text."""
        self.number += 1
        path = self.folder / "engrams/api" / f"odd-{self.number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = self.draw.randrange(4)
        if kind == 0:
            path.symlink_to("../../config.yaml")
        elif kind == 1:
            path.write_bytes(b"\xff\xfe\x00")
        elif kind == 2:
            path.with_suffix(".md.swp").write_text("leftover")
        else:
            # The text that a link of the same bytes has: the two are one blob.
            path.write_text("../../config.yaml")

    def other_place(self) -> None:
        self.number += 1
        rel = self.draw.choice(("skills/s{}/SKILL.md", "ledger/2026/01-01/{}.yaml", "notes/{}.md", "intentions/i{}.md"))
        write_tree(self.root, {f".gitmem/{rel.format(self.number)}": f"id: {self.number}\n"})

    def decide(self) -> None:
        """A ledger entry, perhaps one that is folded already or lies below another day."""
        day, id_ = self.draw.randint(1, 2), engram_id(self.draw.randint(1, 8))
        write_tree(self.root, {f".gitmem/ledger/2025/01-0{day}/{id_}.yaml": f"id: {id_}\n"})

    def fold(self) -> None:
        """A closed year with some entries, whose files go or stay."""
        ids = sorted(engram_id(number) for number in self.draw.sample(range(1, 9), 3))
        folded = "".join(f"  - id: {id_}\n" for id_ in ids)
        write_tree(self.root, {".gitmem/ledger/roll/2025.yaml": f"entries:\n{folded}"})
        for path in self.folder.glob("ledger/2025/*/*.yaml"):
            if path.stem in ids and self.draw.randrange(2):
                path.unlink()

    def case(self) -> None:
        """A file whose path differs from another's by case alone."""
        path = self.any_file()
        if path is not None and not path.is_symlink():
            (path.parent / path.name.swapcase()).write_bytes(path.read_bytes())

    def flood(self, count: int) -> None:
        """More at once than an index takes as a difference; some files move to places where they mean less."""
        for path in self.files()[::3]:
            if path.parent != self.folder / "engrams":
                path.rename(path.parent / f"Moved {path.name}")
        for _ in range(count):
            self.add()
        commit_all(self.root, "flood")
