"""What tending a large knowledge costs: each stage of upkeep and the doctor, each run a process of its own."""

import hashlib
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.measure import bare_python, environment, gitmem, run, sample
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting
from gitmem.text.spans import digest

NAME = "upkeep"
LIGHT_S, DEEP_S, DOCTOR_S = 1, 60, 5
NOW = "2026-11-30T12:00:00Z"
_NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_KINDS = ("fact", "pattern", "procedure", "hypothesis", "observation", "decision")
_WORDS_MOST = 3_000
_OLD_DAYS = 400


def measured(setting: Setting) -> Table:
    root = repository(setting.home, setting.rules)
    rounds = max(1, setting.rounds // 5)
    light = ("maintain", "light", "--now", NOW)
    deep, rem = ("maintain", "deep", "--now", NOW), ("maintain", "rem", "--now", NOW)
    due = ("maintain", "--due", "--now", NOW)
    first = [_fresh(root, *deep) for _ in range(rounds)]
    # The other engine's index is made once, by the first light run.
    _cpu_s(root, *light)
    figures = [
        _figure("maintain deep, nothing cached, the first proposals", first, DEEP_S),
        _figure("maintain deep again", [_cpu_s(root, *deep) for _ in range(rounds)], DEEP_S),
        _figure("maintain light", [_cpu_s(root, *light) for _ in range(rounds)], LIGHT_S),
        _figure("maintain rem", [_cpu_s(root, *rem) for _ in range(rounds)]),
        replace(
            _figure("maintain --due, nothing due", [_cpu_s(root, *due) for _ in range(rounds)]),
            other="`python -c pass`",
            theirs=sample([run(bare_python(), root).cpu_ms / 1000 for _ in range(rounds)]),
        ),
        _figure("doctor", [_cpu_s(root, "doctor") for _ in range(rounds)], DOCTOR_S),
        _figure("doctor --full", [_cpu_s(root, "doctor", "--full") for _ in range(rounds)], DEEP_S),
    ]
    title = f"Upkeep of {setting.rules:,} engrams, CPU with Git"
    return Table(NAME, title, f"python -m benchmarks {NAME}", tuple(figures))


def _figure(what: str, seconds: list[float], limit: float | None = None) -> Figure:
    return Figure(NAME, what, sample(seconds), "s", limit=limit)


def _fresh(root: Path, *words: str) -> float:
    """With no cache, no proposal and no run on record."""
    shutil.rmtree(root / ".gitmem" / "cache", ignore_errors=True)
    for name in ("gitmem", "refs/gitmem"):
        shutil.rmtree(root / ".git" / name, ignore_errors=True)
    return _cpu_s(root, *words)


def _cpu_s(root: Path, *words: str) -> float:
    return run(_whatever_it_found(*words), root).cpu_ms / 1000


def _whatever_it_found(*words: str) -> list[str]:
    """A doctor that finds something ends with 1."""
    quoted = " ".join(f"'{word}'" for word in gitmem(*words))
    return ["sh", "-c", f"{quoted}; test $? -le 1"]


def repository(home: Path, count: int) -> Path:
    """Knowledge of all kinds and ages: rules, facts, near twins, edges with and without ends, claims of both sorts."""
    root = home / f"upkeep-{count}"
    done = home / f"upkeep-{count}.made"
    if not done.exists():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=root, env=environment(), check=True)
        _import(root, count)
        subprocess.run(["git", "reset", "--quiet", "--hard", "main"], cwd=root, env=environment(), check=True)
        done.touch()
    return root


def _import(root: Path, count: int) -> None:
    command = ["git", "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"]
    with subprocess.Popen(command, cwd=root, env=environment(), stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.writelines(_commits(count))
        process.stdin.close()
    if process.returncode:
        raise SystemExit(f"git fast-import failed: exit {process.returncode}")


def _commits(count: int) -> Iterator[bytes]:
    begun = int((_NOW - timedelta(days=_OLD_DAYS)).timestamp())
    yield _commit("start", begun)
    yield _file(".gitmem/config.yaml", "format: 1\n")
    yield _file(".gitmem/.gitignore", "cache/\n")
    for number in range(count // 10):
        yield _file(_code(number), _lines(number))
    rng = random.Random(11)
    words = [f"{rng.choice('bdfgklmnprst')}{rng.choice('aeiou')}{number:x}" for number in range(_WORDS_MOST)]
    before = ""
    for number in range(count):
        is_twin = number % 100 == 1
        body = f"{before} {rng.choice(words)}" if is_twin else _text(rng, words)
        before = body
        yield _file(f".gitmem/engrams/d{number % 40}/item-{number}.md", _engram(number, body, rng, count))
    for number in range(0, count - 20, 50):
        gone = number % 1000 == 0
        yield _edge(_id(number), _id(number + 7 + (10 * count if gone else 0)))
    yield _commit("later", begun + 86_400)
    for number in range(0, count // 10, 7):
        yield _file(_code(number), f"other line of {number}\nanother of {number}\n")


def _lines(number: int) -> str:
    return f"line of {number}\nanother of {number}\n"


def _code(number: int) -> str:
    return f"src/mod{number % 100}/file{number}.py"


def _text(rng: random.Random, words: list[str]) -> str:
    return "\n\n".join(" ".join(rng.choices(words, k=rng.randint(20, 60))) + "." for _ in range(rng.randint(1, 4)))


def _engram(number: int, body: str, rng: random.Random, count: int) -> str:
    created = (_NOW - timedelta(days=rng.randint(0, _OLD_DAYS))).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = [f"id: {_id(number)}", f"title: Item {number} about {body.split()[0]}", f"summary: Of {number}"]
    lines += [f"importance: {rng.choice((0.1, 0.3, 0.5, 0.8))}", f"created: {{at: {created}, by: A <a@b.c>}}"]
    if number % 5 < 2:
        lines += ["kind: constraint", "scope:", f'  paths: ["{_code(number % max(1, count // 10))}"]']
    else:
        lines += [f"kind: {rng.choice(_KINDS)}"]
    if number % 20 == 3:
        file = number % max(1, count // 10)
        lines += [
            "claims:",
            f"  - path: {_code(file)}",
            f"    hash: {digest(f'line of {file}{chr(10)}another of {file}')}",
        ]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


def _edge(start: str, end: str) -> bytes:
    id_ = hashlib.sha256(f"{start}|{end}|extends".encode()).hexdigest()[:16]
    text = f"id: syn-{id_}\nfrom: {start}\nto: {end}\nkind: extends\nweight: 0.7\n"
    return _file(f".gitmem/synapses/extends/syn-{id_}.yaml", text)


def _id(number: int) -> str:
    digits = ""
    for _ in range(6):
        number, digit = divmod(number, 32)
        digits = _CROCKFORD[digit] + digits
    return "01J6XQK5P7R2V8Y3M4N6" + digits


def _commit(message: str, moment: int) -> bytes:
    who = f"A U Thor <author@example.org> {moment} +0000"
    return f"commit refs/heads/main\ncommitter {who}\ndata {len(message)}\n{message}\n".encode()


def _file(path: str, text: str) -> bytes:
    data = text.encode()
    return b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
