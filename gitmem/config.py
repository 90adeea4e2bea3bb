"""The settings of ``.gitmem/config.yaml``; every default is written here, once. Refuses to read files."""

from collections.abc import Mapping
from types import MappingProxyType

from gitmem.record import record

FORMAT = 1
TRUST_HEAD = "head"
TRUST_SIGNED = "signed"


@record
class Config:
    """Sizes are bytes of canonical text, counts are items. ``trust`` is '' (by remote), head, signed or a branch."""

    format: int = FORMAT
    trust: str = ""
    max_inline_bytes: int = 8192
    auto_inline_bytes: int = 4096
    max_entries: int = 50
    max_listed: int = 200
    allow_secrets: tuple[str, ...] = ()


DEFAULTS = Config()
KEYS: Mapping[str, str] = MappingProxyType(
    {
        "format": "version of the data format that wrote this folder",
        "trust": "whose word counts: head, signed, or the name of a branch of the remote",
        "max_inline_bytes": "text that one compile inlines when the request names no budget",
        "auto_inline_bytes": "the largest single rule that mode auto inlines",
        "max_entries": "rules listed in full in one compile; further ones take one line",
        "max_listed": "rules listed at all in one compile; further ones are counted by domain",
        "allow_secrets": "fingerprints of findings of check that somebody looked at and that are no secrets",
    }
)
LISTS = frozenset({"allow_secrets"})


@record
class Fault:
    """A setting that is not taken; its default is in force instead."""

    key: str
    message: str
    hint: str = ""


def from_text(values: Mapping[str, object]) -> tuple[Config, list[Fault]]:
    """Settings from the text of config.yaml, key by key; what cannot be read keeps its default and is named."""
    taken: dict[str, str | int | tuple[str, ...]] = {}
    faults: list[Fault] = []
    for key, value in values.items():
        if key not in KEYS:
            faults.append(Fault(key, f"unknown setting {key!r}", f"known: {', '.join(KEYS)}"))
        elif key in LISTS:
            items = [value] if isinstance(value, str) else value
            if isinstance(items, list) and all(isinstance(item, str) for item in items):
                taken[key] = tuple(items)
            else:
                faults.append(Fault(key, f"{key} takes a list of texts", "one a line, each behind '- '"))
        elif not isinstance(value, str):
            faults.append(Fault(key, f"{key} takes one value, not a list or a map"))
        elif key == "trust":
            taken[key] = value.strip()
        elif value.isascii() and value.isdigit() and 0 < len(value) < 10 and int(value) > 0:
            taken[key] = int(value)
        else:
            faults.append(Fault(key, f"{key} is not a whole number above 0: {value[:40]!r}"))
    config = Config(**taken)  # type: ignore[arg-type]  # reason: keys and types were checked one by one above
    return config, faults


def as_text(config: Config) -> dict[str, str]:
    values = ((name, getattr(config, name)) for name in config.__match_args__)
    return {name: ", ".join(value) if isinstance(value, tuple) else str(value) for name, value in values}
