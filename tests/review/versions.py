"""Random versions of one engram file, and what their merge must come to by an independent reading of the rules."""

import random
from typing import NamedTuple

from tests.support import engram_id

Value = str | list["Value"] | dict[str, "Value"]
Values = dict[str, Value]
Expected = tuple[Value | None, set[str]]

REL = "engrams/api/x.md"
WORDS = ("api", "http", "ui", "no", "1.10", "a b", "x: y", "#tag", "it's", 'say "hi"', "zeta", "beta", "src/**", "- d")
SCALARS = ("title", "summary", "context", "status", "importance", "priority", "x-note", "x-score", "größe")
LISTS = ("tags", "context_tags", "requires", "aliases", "claims")
SCOPE = ("paths", "except", "layers", "commands")
SETS = frozenset({*LISTS, "kinds", "verification.evidence", *(f"scope.{part}" for part in SCOPE)})
MAPS = {
    "scope": SCOPE,
    "valid": ("from", "until"),
    "source": ("path", "anchor", "hash"),
    "x-team": ("owner", "room", "list"),
    "verification": ("status", "evidence"),
}
CLOSED: dict[str, tuple[Value, ...]] = {
    "status": ("active", "draft", "frozen"),
    "importance": ("0.5", "0.25", "0.75"),
    "priority": ("0", "1", "2", "-3"),
    "valid.from": ("2026-01-01", "2026-02-02", "2026-03-03"),
    "valid.until": ("2027-01-01", "2027-02-02", "2027-03-03"),
    "verification.status": ("verified", "refuted", "plausible"),
    "x-team.list": (["a"], ["a", "b"], ["c"]),
}
NUMBERS = frozenset({"importance", "priority"})
LINES = ("One line.", "Another.", "", "", "- item", "```", "Third thing.", "    code", "# Heading", "> quoted")


class Version(NamedTuple):
    """One version of a file before it is written: ``looks`` decides how each key is typed, ``notes`` its comment."""

    values: Values
    body: tuple[str, ...]
    looks: dict[str, int]
    notes: dict[str, str]


def first_version(draw: random.Random) -> Version:
    values: Values = {"id": engram_id(7), "title": "Call the API"}
    for _ in range(draw.randint(0, 7)):
        _set_something(draw, values)
    values.setdefault("kind", "fact")
    body = ("First.", *(draw.choice(LINES) for _ in range(draw.randint(0, 12))), "Last.")
    return Version(values, body, {"": draw.randint(0, 99)}, {})


def next_version(draw: random.Random, old: Version) -> Version:
    """``old`` after a few edits by hand or by tool."""
    values = {key: _copied(value) for key, value in old.values.items()}
    body, looks, notes = list(old.body), dict(old.looks), dict(old.notes)
    for _ in range(draw.randint(0, 4)):
        _set_something(draw, values)
    if draw.random() < 0.4:
        del values[draw.choice([*values][1:])]
    for key in values:
        if draw.random() < 0.06:
            looks[key] = draw.randint(0, 99)
        if draw.random() < 0.06:
            notes[key] = f"# note {draw.randint(0, 9999)}"
    values.setdefault("title", "Untitled")
    for _ in range(draw.choice((0, 0, 1, 2))):
        at = draw.randint(0, len(body))
        body[at : at + draw.randint(0, 2)] = [f"Edit {draw.randint(0, 99)}."] * draw.randint(0, 2)
    return Version(values, tuple(body) if any(body) else ("Body.",), looks, notes)


def _set_something(draw: random.Random, values: Values) -> None:
    kind = draw.random()
    if kind < 0.35:
        key = draw.choice(SCALARS)
        values[key] = _scalar(draw, key)
    elif kind < 0.7:
        key = draw.choice(LISTS)
        values[key] = _list(draw, key, values.get(key, []))
    else:
        name = draw.choice([*MAPS])
        part = draw.choice(MAPS[name])
        whole = values.setdefault(name, {})
        assert isinstance(whole, dict)
        path = f"{name}.{part}"
        if part in whole and draw.random() < 0.3:
            del whole[part]
        else:
            whole[part] = _list(draw, path, whole.get(part, [])) if path in SETS else _scalar(draw, path)
        if not whole:
            del values[name]


def _scalar(draw: random.Random, path: str) -> Value:
    return _copied(draw.choice(CLOSED[path])) if path in CLOSED else f"{draw.choice(WORDS)} {draw.randint(0, 4)}"


def _list(draw: random.Random, path: str, old: Value) -> Value:
    items = list(old) if isinstance(old, list) else []
    if items and draw.random() < 0.5:
        items.remove(draw.choice(items))
    for _ in range(draw.randint(0, 2)):
        word = f"{draw.choice(WORDS)} {draw.randint(0, 2)}"
        new: Value = {"path": word, "symbol": "f"} if path == "claims" else word
        if new not in items:
            items.insert(draw.randint(0, len(items)), new)
    return items


def _copied(value: Value) -> Value:
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value


def written(version: Version) -> bytes:
    """The file as its writer typed it."""
    lines = ["---\n"]
    for key, value in version.values.items():
        look = version.looks.get(key, version.looks[""])
        note = version.notes.get(key)
        if note and look % 2:
            lines.append(f"{note}\n")
        lines += _typed(key, key, value, look, "")
        if note and not look % 2:
            lines[-1] = lines[-1].rstrip("\n") + f"  {note}\n"
    return "".join((*lines, "---\n", "\n".join(version.body), "\n")).encode()


def _typed(path: str, name: str, value: Value, look: int, indent: str) -> list[str]:
    if isinstance(value, str):
        return [f"{indent}{name}: {value if path in NUMBERS else _quoted(value, look)}\n"]
    if not value or look % 5 == 0:
        return [f"{indent}{name}: {_flow(value, look)}\n"]
    inner = indent + ("  ", "    ")[look % 7 == 0]
    if isinstance(value, dict):
        rows = [_typed(f"{path}.{part}", part, each, look // 2, inner) for part, each in value.items()]
        return [f"{indent}{name}:\n", *(line for row in rows for line in row)]
    dash = indent if look % 3 == 0 else inner
    return [f"{indent}{name}:\n", *(_item(each, look, dash) for each in value)]


def _item(value: Value, look: int, dash: str) -> str:
    if isinstance(value, dict) and look % 2:
        rows = [f"{name}: {_flow(each, look)}\n" for name, each in value.items()]
        return f"{dash}- " + f"{dash}  ".join(rows)
    return f"{dash}- {_flow(value, look)}\n"


def _flow(value: Value, look: int) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_flow(each, look)}" for name, each in value.items()) + "}"
    return f"[{', '.join(_flow(each, look) for each in value)}]" if isinstance(value, list) else _quoted(value, look)


def _quoted(text: str, look: int) -> str:
    if look % 2:
        return "'" + text.replace("'", "''") + "'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def expected(base: Value | None, ours: Value | None, theirs: Value | None, path: str = "") -> Expected:
    """The merged value and the names in conflict; of a set the additions come sorted."""
    if ours == theirs:
        return ours, set()
    if path in ("id", "created") and ours is not None and theirs is not None:
        return None, {path}
    if base in (ours, theirs):
        return (theirs if base == ours else ours), set()
    if path in SETS:
        return _expected_set(base, ours, theirs), set()
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return None, {path}
    known = base if isinstance(base, dict) else {}
    merged: Values = {}
    conflicts: set[str] = set()
    for key in {**known, **ours, **theirs}:
        inner = f"{path}.{key}" if path else key
        value, found = expected(known.get(key), ours.get(key), theirs.get(key), inner)
        conflicts |= found
        if value is not None:
            merged[key] = value
    return merged, conflicts


def _expected_set(base: Value | None, ours: Value | None, theirs: Value | None) -> Value | None:
    b, o, t = ([] if each is None else list(each) for each in (base, ours, theirs))
    merged = [each for each in b if each in o and each in t]
    for each in [*o, *t]:
        if each not in b and each not in merged:
            merged.append(each)
    return None if not merged and (ours is None or theirs is None) else merged
