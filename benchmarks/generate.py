"""Synthetic repositories with many rules and many files, the same bytes each time. Refuses real rule texts."""

import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import environment

MODULES = 400
PACKAGES = 7
DOMAINS = 40
FOLDERS, FLAT = "folders", "flat"
SUFFIXES = ("ts", "tsx", "py", "sql", "md", "yaml", "css", "proto", "go", "json")
LAYERS = ("api", "domain", "storage", "web", "jobs", "tests")
COMMANDS = ("scaffold", "review", "release", "migrate")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_TEXT = (
    "call the client and not the network keep errors in one place name units in names read config once write after "
    "checks log what was refused never retry without a limit pass the clock in use ids from the ledger close files "
    "early prefer values over flags test with real files state the reason in the record split long functions"
)


_WORDS = _TEXT.split()


@dataclass(frozen=True, slots=True)
class Recipe:
    """``layout`` says where the engrams lie: forty folders or one. ``is_loose`` leaves their objects unpacked."""

    rules: int
    files: int
    layout: str = FOLDERS
    is_loose: bool = False

    @property
    def name(self) -> str:
        return f"{self.layout}-{self.rules}-{self.files}{'-loose' if self.is_loose else ''}"

    def title(self) -> str:
        folders = "one folder" if self.layout == FLAT else f"{DOMAINS} folders"
        return f"{self.rules:,} rules in {folders}, {self.files:,} files, {'loose' if self.is_loose else 'packed'}"


def repository(home: Path, recipe: Recipe) -> Path:
    """The repository of a recipe below ``home``; one that was made in an earlier run is taken as it is."""
    root = home / recipe.name
    done = home / f"{recipe.name}.made"
    if not done.exists():
        shutil.rmtree(root, ignore_errors=True)
        _make(root, recipe)
        done.touch()
    return root


def targets(recipe: Recipe) -> list[str]:
    """Five files: three that are tracked, two that are only planned."""
    tracked = [path for number, path in enumerate(_paths(recipe.files)) if number in {3, 44, 1007 % recipe.files}]
    return [*sorted(tracked), "src/mod7/pkg1/planned.py", "src/mod8/pkg2/deep/er/planned.test.ts"]


def engram_paths(recipe: Recipe) -> Iterator[str]:
    for number in range(recipe.rules):
        folder = "all" if recipe.layout == FLAT else f"domain-{number % DOMAINS}"
        yield f".gitmem/engrams/{folder}/rule-{number}.md"


def _make(root: Path, recipe: Recipe) -> None:
    root.mkdir(parents=True)
    _git(root, "init", "--quiet", "--initial-branch=main")
    unpack = 10 * (recipe.rules + 100) if recipe.is_loose else 1
    _import(root, _first_commit(recipe), unpack_limit=1)
    _import(root, _second_commit(recipe), unpack_limit=unpack)
    if not recipe.is_loose:
        _git(root, "repack", "-a", "-d", "-q")
    _git(root, "reset", "--quiet", "--hard", "main")
    _git(root, "update-index", "--refresh", "-q")


def _git(root: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, env=environment(), check=True, stdin=subprocess.DEVNULL)


def _import(root: Path, stream: Iterator[bytes], *, unpack_limit: int) -> None:
    command = ["git", "-c", f"fastimport.unpackLimit={unpack_limit}", "fast-import", "--quiet"]
    with subprocess.Popen(command, cwd=root, env=environment(), stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for part in stream:
            process.stdin.write(part)
        process.stdin.close()
    if process.returncode:
        raise SystemExit(f"git fast-import failed: exit {process.returncode}")


def _first_commit(recipe: Recipe) -> Iterator[bytes]:
    yield _commit("files", 1_700_000_000, parent="")
    for number, path in enumerate(_paths(recipe.files)):
        yield _file(path, f"content of file {number}\n")


def _second_commit(recipe: Recipe) -> Iterator[bytes]:
    yield _commit("knowledge", 1_700_000_100, parent="refs/heads/main^0")
    yield _file(".gitmem/config.yaml", "format: 1\n")
    yield _file(".gitmem/layers.yaml", "".join(f'"src/mod{n}/**": {name}\n' for n, name in enumerate(LAYERS)))
    yield _file(".gitmem/.gitignore", "cache/\n")
    rng = random.Random(7)
    for number, path in enumerate(engram_paths(recipe)):
        yield _file(path, _engram(number, recipe, rng))


def _commit(message: str, moment: int, parent: str) -> bytes:
    start = f"from {parent}\n" if parent else ""
    who = f"A U Thor <author@example.org> {moment} +0000"
    return f"commit refs/heads/main\ncommitter {who}\ndata {len(message)}\n{message}\n{start}".encode()


def _file(path: str, text: str) -> bytes:
    data = text.encode()
    return b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)


def _paths(count: int) -> Iterator[str]:
    for number in range(count):
        yield f"src/mod{number % MODULES}/pkg{number % PACKAGES}/file{number}.{_suffix(number)}"


def _suffix(number: int) -> str:
    """The first suffix for about half of all numbers, as in a repository with one main language."""
    return SUFFIXES[max(0, number % 17 - 7)]


def _engram(number: int, recipe: Recipe, rng: random.Random) -> str:
    """Headers as people write them, bodies of 200 bytes to 3 KiB."""
    kind = rng.choices(("constraint", "guideline", "template"), (55, 42, 3))[0]
    status = rng.choices(("active", "frozen", "draft", "deprecated"), (94, 2, 2, 2))[0]
    header = [
        f"id: {_id(number)}",
        f"title: {_sentence(rng, 5, 9)} {number}",
        f"kind: {kind}",
        f'summary: "{_sentence(rng, 8, 16)}: {number}"',
        "tags:",
        *(f"  - {tag}" for tag in ("rules", f"topic-{number % 60}", f"team-{number % 9}")[: rng.randint(1, 3)]),
        *_scope(number, rng),
        *_requires(number, rng),
        f"priority: {number % 5}",
        f"status: {status}",
        "created: {at: 2026-11-30T10:00:00Z, by: A U Thor <author@example.org>}",
    ]
    body = "\n\n".join(_paragraph(rng) for _ in range(rng.choices((1, 2, 4, 8, 16), (20, 35, 30, 12, 3))[0]))
    return "---\n" + "\n".join(header) + f"\n---\n{body}\n"


def _id(number: int) -> str:
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 32)
        digits = _CROCKFORD[digit] + digits
    return "01J6XQK5P7R2V8Y3M4N6" + digits


def _sentence(rng: random.Random, least: int, most: int) -> str:
    return " ".join(rng.choices(_WORDS, k=rng.randint(least, most))).capitalize()


def _paragraph(rng: random.Random) -> str:
    return f"{_sentence(rng, 20, 45)}."


def _scope(number: int, rng: random.Random) -> list[str]:
    reach = rng.random()
    if reach < 0.03:
        return ["scope:", f"  layers: [{LAYERS[number % len(LAYERS)]}]"]
    if reach < 0.05:
        return ["scope:", f"  commands: [{COMMANDS[number % len(COMMANDS)]}]"]
    lines = ["scope:", "  paths:", *(f'    - "{_pattern(number, rng)}"' for _ in range(rng.choice((1, 1, 1, 2))))]
    if rng.random() < 0.1:
        excepted = rng.choice(("**/*.generated.ts", f"src/mod{number % MODULES}/legacy/**"))
        lines += ["  except:", f'    - "{excepted}"']
    return lines


def _pattern(number: int, rng: random.Random) -> str:
    module, package, suffix = f"src/mod{number % MODULES}", f"pkg{number % PACKAGES}", _suffix(rng.randrange(17))
    shapes = (
        (34, f"{module}/**"),
        (18, f"{module}/{package}/*.{suffix}"),
        (12, f"{module}/**/*.test.ts"),
        (12, f"{module}/{package}/file{number}.{suffix}"),
        (8, f"{module}/{{{package},pkg{rng.randrange(PACKAGES)}}}/**"),
        (8, f"src/**/file{number}*.{suffix}"),
        (4, f"**/*.{suffix}"),
        (2, f"src/*/{package}/**/*.{{ts,tsx}}"),
        (2, f"**/{package}/[a-f]*.{suffix}"),
    )
    return rng.choices([pattern for _, pattern in shapes], [weight for weight, _ in shapes])[0]


def _requires(number: int, rng: random.Random) -> list[str]:
    """Always an earlier rule, so that there are no circles; by id or by name."""
    if number < 2 or rng.random() > 0.08:
        return []
    wanted = rng.randrange(number)
    return ["requires:", f"  - {_id(wanted) if rng.random() < 0.6 else f'rule-{wanted}'}"]
