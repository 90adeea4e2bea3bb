"""The settings of ``.gitmem/config.yaml``; every default is written here, once. Refuses to read files."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from gitmem.record import record

FORMAT = 1
TRUST_HEAD = "head"
TRUST_SIGNED = "signed"


@record
class Config:
    """Sizes are bytes of canonical text, counts are items. ``trust`` is '' (by remote), head, signed or a branch.

    A setting of the file that lies within another, ``policy.min_approvals``, has its last name here.
    """

    format: int = FORMAT
    trust: str = ""
    max_inline_bytes: int = 8192
    auto_inline_bytes: int = 4096
    max_entries: int = 50
    max_listed: int = 200
    fold_threshold_lines: int = 2
    allow_secrets: tuple[str, ...] = ()
    require_ledger: bool = False
    min_approvals: int = 0
    share: str = "counts"
    weights: tuple[float, ...] = (0.5, 0.15, 0.25, 0.05, 0.05)
    signals: tuple[str, ...] = ("gate", "prefetch")


DEFAULTS = Config()
KEYS: Mapping[str, str] = MappingProxyType(
    {
        "format": "version of the data format that wrote this folder",
        "trust": "whose word counts: head, signed, or the name of a branch of the remote",
        "max_inline_bytes": "text that one compile inlines when the request names no budget",
        "auto_inline_bytes": "the largest single rule that mode auto inlines",
        "max_entries": "rules listed in full in one compile; further ones take one line",
        "max_listed": "rules listed at all in one compile; further ones are counted by domain",
        "fold_threshold_lines": "bodies of up to so many lines are never folded in a skeleton",
        "allow_secrets": "fingerprints of findings of check that somebody looked at and that are no secrets",
        "policy.require_ledger": "check --range refuses knowledge that no decision on record explains: true or false",
        "policy.min_approvals": "people beside its proposer that a decision needs in check --range, 0 to 9",
        "search.weights": "what counts in a search, together 1: relevance, recency, importance, strength, heat",
        "code.signals": "which signals a packet uses: flow, learning, gate, prefetch; none for none of them",
        "journal.share": "what sync tells the team of a journal: none, counts, events (no texts) or full",
    }
)
LISTS = frozenset({"allow_secrets", "code.signals"})
SIGNALS = ("flow", "learning", "gate", "prefetch")
NONE = "none"
WEIGHTS = ("relevance", "recency", "importance", "strength", "heat")
_WEIGHTS_OFF = 0.001
SECTIONS = frozenset(key.partition(".")[0] for key in KEYS if "." in key)
_SWITCHES = frozenset({"policy.require_ledger"})
_MOST_APPROVALS = 9
CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType({"journal.share": ("none", "counts", "events", "full")})


Value = str | int | tuple[str, ...] | tuple[float, ...]


@record
class Fault:
    """A setting that is not taken; its default is in force instead."""

    key: str
    message: str
    hint: str = ""


def from_text(values: Mapping[str, object]) -> tuple[Config, list[Fault]]:
    """Settings from the text of config.yaml, key by key; what cannot be read keeps its default and is named."""
    taken: dict[str, Value] = {}
    faults: list[Fault] = []
    for key, value in _flat(values):
        found = _read(key, value)
        if isinstance(found, Fault):
            faults.append(found)
        else:
            taken[_field(key)] = found
    config = Config(**taken)  # type: ignore[arg-type]  # reason: keys and types were checked one by one above
    return config, faults


def _flat(values: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Each setting with its dotted key. A dotted key of the file itself is none of ours: it gets a second dot."""
    for key, value in values.items():
        if key not in SECTIONS or not isinstance(value, dict):
            yield (f".{key}" if "." in key else key), value
            continue
        for name, inner in value.items():
            yield f"{key}.{name}", inner


def _read(key: str, value: object) -> Value | Fault:
    if key in SECTIONS:
        return Fault(key, f"{key} is no map of settings", f"one a line, indented: {', '.join(_within(key))}")
    if key.startswith("."):
        name, _, part = key[1:].partition(".")
        return Fault(key[1:], f"unknown setting {key[1:]!r}", f"write {name}: and below it, indented, {part}:")
    if key not in KEYS:
        section = key.partition(".")[0]
        return Fault(key, f"unknown setting {key!r}", f"known: {', '.join(_within(section) or KEYS)}")
    if key == "search.weights":
        return _weights(key, value)
    if key in LISTS:
        items = [value] if isinstance(value, str) else value
        if isinstance(items, list) and all(isinstance(item, str) for item in items):
            return _signals(key, items) if key == "code.signals" else tuple(items)
        return Fault(key, f"{key} takes a list of texts", "one a line, each behind '- '")
    if not isinstance(value, str):
        return Fault(key, f"{key} takes one value, not a list or a map")
    return value.strip() if key == "trust" else _scalar(key, value)


def _signals(key: str, items: Iterable[str]) -> tuple[str, ...] | Fault:
    named = [part for item in items for part in _parts(item)]
    odd = [name for name in named if name not in (*SIGNALS, NONE)]
    if odd:
        return Fault(key, f"{key}: unknown signal {odd[0][:40]!r}", f"some of: {', '.join(SIGNALS)}; or {NONE}")
    return tuple(name for name in SIGNALS if name in named)


def _scalar(key: str, value: str) -> str | int | Fault:
    if key in CHOICES:
        named = f"{', '.join(CHOICES[key][:-1])} or {CHOICES[key][-1]}"
        return value if value in CHOICES[key] else Fault(key, f"{key} is {named}, not {value[:40]!r}")
    if key in _SWITCHES:
        switch = {"true": True, "false": False}.get(value)
        return Fault(key, f"{key} is true or false, not {value[:40]!r}") if switch is None else switch
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else -1
    if key == "policy.min_approvals":
        fits = 0 <= number <= _MOST_APPROVALS
        return number if fits else Fault(key, f"{key} is no number from 0 to {_MOST_APPROVALS}: {value[:40]!r}")
    return number if number > 0 else Fault(key, f"{key} is not a whole number above 0: {value[:40]!r}")


def _weights(key: str, value: object) -> tuple[float, ...] | Fault:
    """Of a map, or of a text such as ``relevance=0.6, recency=0.1``; what is not named keeps its default."""
    pairs = value if isinstance(value, dict) else dict(part.split("=", 1) for part in _parts(value) if "=" in part)
    if not pairs or (not isinstance(value, dict) and len(pairs) < len(_parts(value))):
        return Fault(key, f"{key} is no map of weights", f"one a line, indented: {', '.join(WEIGHTS)}")
    found = dict(zip(WEIGHTS, DEFAULTS.weights, strict=True))
    for name, text in pairs.items():
        number = _share(text)
        if name not in found or number is None:
            shown = f"{name}={text}"[:60]
            return Fault(key, f"{key}: {shown!r} is no weight", f"a number from 0 to 1 for {', '.join(WEIGHTS)}")
        found[name] = number
    total = sum(found.values())
    if abs(total - 1) > _WEIGHTS_OFF:
        return Fault(key, f"{key} must sum to 1, not {total:.3f}", "lower one where another is raised")
    return tuple(found.values())


def _parts(value: object) -> list[str]:
    texts = value if isinstance(value, list) else str(value).split(",")
    return [str(part).replace(" ", "") for part in texts if str(part).strip()]


def _share(text: object) -> float | None:
    try:
        number = float(text) if isinstance(text, str) else -1.0
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


def nested(key: str, value: object) -> dict[str, object]:
    """One setting as the file has it: below the section that its dotted key names."""
    section, _, name = key.rpartition(".")
    return {section: {name: value}} if section else {key: value}


def _within(section: str) -> list[str]:
    return [key for key in KEYS if key.startswith(f"{section}.")]


def _field(key: str) -> str:
    return key.rpartition(".")[2]


def as_text(config: Config) -> dict[str, str]:
    """Each setting as the file has it, by its dotted key."""
    shown = {key: _shown(getattr(config, _field(key))) for key in KEYS}
    return shown | ({} if config.signals else {"code.signals": NONE})


def _named(weights: Iterable[float]) -> str:
    return ", ".join(f"{name}={number:g}" for name, number in zip(WEIGHTS, weights, strict=True))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return _named(value) if value and isinstance(value[0], float) else ", ".join(value)
    return str(value)
