"""The settings in force and where each comes from; one of them set. Refuses to commit what it sets."""

from collections.abc import Mapping

from gitmem import config as configs
from gitmem.answers.reading import Place, Reading, read
from gitmem.answers.session import Session, decides
from gitmem.answers.working import require_started
from gitmem.config import DEFAULTS, KEYS, LISTS, Config, Fault
from gitmem.errors import UsageError
from gitmem.model.finding import Finding, Notice
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store import edit as edits
from gitmem.store import files, lock, objects, trust
from gitmem.store.codec import decode_mapping, read_yaml, without_nulls
from gitmem.store.form import Typed
from gitmem.store.layout import CONFIG
from gitmem.store.parts import readable
from gitmem.store.repo import FOLDER
from gitmem.text.nearest import nearest

ACTIONS = ("show", "get", "set")
_REL = f"{FOLDER}/{CONFIG}"
_HISTORY_MAX = 1000


@record
class ConfigCall:
    action: str = "show"
    key: str = ""
    value: str = ""
    origin: bool = False


@record
class Setting:
    """``origin``, when it was asked for: default, ``path:line at commit``, or the setting of Git that decides."""

    key: str
    value: str
    about: str
    origin: str | None = None


@record
class Settings:
    """``written`` is the file that was changed, '' when none was."""

    action: str
    settings: tuple[Setting, ...]
    written: str = ""
    warnings: tuple[Notice, ...] = ()


def config(session: Session, call: ConfigCall) -> Settings:
    """What is trusted decides; a file that is no YAML leaves the defaults in force, and that is said."""
    if call.action not in ACTIONS:
        raise UsageError(f"unknown action {call.action!r}", hint=f"one of: {', '.join(ACTIONS)}")
    if call.action == "show" and call.key:
        raise UsageError("show takes no setting", hint=f"for one: gitmem config get {call.key}")
    if call.action != "show":
        _check_key(call.key)
    if call.action == "set":
        decides(session)
        return _set(session.place, call)
    reading = read(session.place)
    typed, warnings = _at_trusted(reading)
    settings, faults = configs.from_text(without_nulls(typed))
    rows = _rows(reading, (settings, typed), with_origin=call.origin)
    shown = tuple(row for row in rows if call.action == "show" or row.key == call.key)
    found = (*reading.warnings, *warnings, *(_fault(fault) for fault in faults), *_waiting(session.place, reading))
    return Settings(call.action, shown, warnings=found)


def _check_key(key: str) -> None:
    if key not in KEYS:
        near = nearest(key, KEYS)
        hint = (f"did you mean {near!r}? " if near else "") + f"known: {', '.join(KEYS)}"
        raise UsageError(f"unknown setting {key!r}" if key else "name a setting", hint=hint)


def _at_trusted(reading: Reading) -> tuple[Typed, tuple[Notice, ...]]:
    """The file at the trusted commit; nothing of it counts when it cannot be read."""
    data = _blob(reading.place, f"{reading.tree}:{CONFIG}") if reading.tree else None
    found = _parsed(data or b"")
    if isinstance(found, Typed):
        return found, ()
    return Typed({}, {}), (_broken(reading.place, reading.commit, found),)


def _blob(place: Place, name: str) -> bytes | None:
    found = objects.look_up(place.repo, [name])[0]
    if found is None or found[1] != "blob":
        return None
    return dict(objects.read_blobs(place.repo, [found[0]]))[found[0]]


def _parsed(data: bytes) -> Typed | Finding:
    text = readable(data, _REL)
    typed = (text,) if isinstance(text, Finding) else read_yaml(text, _REL)
    return typed[0] if isinstance(typed, tuple) else typed


def _broken(place: Place, commit: str, finding: Finding) -> Notice:
    good = _last_good(place, commit)
    where = f"{_REL} at {commit[:12]}" if commit else f"{_REL} in the work tree"
    message = f"{where} is no YAML ({finding.message}), so every default is in force"
    hint = (
        f"it last parsed at {good[:12]}: git show {good[:12]}:{_REL}" if good else "no commit has a version that parses"
    )
    return Notice("config-broken", message, finding.place, hint)


def _last_good(place: Place, commit: str) -> str:
    """The newest commit, from ``commit`` or HEAD on, whose settings can be read; '' when there is none."""
    start = commit or ("HEAD" if objects.look_up(place.repo, ["HEAD^{commit}"])[0] else "")
    for found, tree in objects.history_of(place.repo, start, FOLDER, _HISTORY_MAX) if start else ():
        data = _blob(place, f"{tree}:{CONFIG}")
        if data is not None and isinstance(_parsed(data), Typed):
            return found
    return ""


def _rows(reading: Reading, found: tuple[Config, Typed], *, with_origin: bool) -> list[Setting]:
    settings, typed = found
    values, defaults = configs.as_text(settings), configs.as_text(DEFAULTS)
    origins: dict[str, str] = {}
    for key in KEYS:
        given = _given(typed, key)
        is_taken = given is not None and (values[key] != defaults[key] or given == defaults[key])
        line = typed.lines.get(key, 0)
        origins[key] = f"{_REL}:{line} at {reading.commit[:12]}" if is_taken else "default"
    values["trust"] = reading.trusted.policy
    if reading.trusted.policy != settings.trust:
        origins["trust"] = reading.trusted.source
    return [Setting(key, values[key], KEYS[key], origins[key] if with_origin else None) for key in KEYS]


def _given(typed: Typed, key: str) -> Text | None:
    """What the file says of a setting; one with a dot lies within another key."""
    section, _, name = key.rpartition(".")
    values = typed.values.get(section) if section else typed.values
    return values.get(name) if isinstance(values, dict) else None


def _fault(fault: Fault) -> Notice:
    return Notice("config", f"{fault.message}; the default is in force", _REL, fault.hint)


def _waiting(place: Place, reading: Reading) -> list[Notice]:
    """The file in the work tree, when it is another than the one that counts."""
    if place.repo.root is None:
        return []
    data = files.read_file(place.repo.root, _REL)
    if data is None or (reading.tree and data == _blob(place, f"{reading.tree}:{CONFIG}")):
        return []
    found = _parsed(data)
    if isinstance(found, Finding):
        return [_broken(place, "", found)]
    message = f"{_REL} in the work tree differs from the one that counts"
    return [
        Notice("uncommitted", message, _REL, f"it counts once it is committed and trusted ({reading.trusted.policy})")
    ]


def _set(place: Place, call: ConfigCall) -> Settings:
    """Changes the lines of one key; ``value`` of a list is separated by commas."""
    if not call.value:
        raise UsageError(f"give the new value of {call.key}", hint=f"it {KEYS[call.key]}")
    require_started(place)
    value: Text = [part.strip() for part in call.value.split(",")] if call.key in LISTS else call.value.strip()
    if call.key == "trust":
        trust.check_policy(call.value.strip())
    _, faults = configs.from_text(configs.nested(call.key, value))
    if faults:
        raise UsageError(faults[0].message, hint=faults[0].hint or f"for example {configs.as_text(DEFAULTS)[call.key]}")
    root = place.repo.knowledge_dir.parent
    with lock.held(place.repo):
        before = files.read_file(root, _REL) or b""
        after = edits.set_setting(before, call.key, value, _REL)
        if after != before:
            files.write_file(root, _REL, after, expected=before or None)
    written = _REL if after != before else ""
    settings, _ = configs.from_text(_mapping(after))
    row = Setting(call.key, configs.as_text(settings)[call.key], KEYS[call.key])
    return Settings(call.action, (row,), written, _once_committed(written))


def _mapping(data: bytes) -> Mapping[str, Text]:
    return decode_mapping(data, _REL)[0]


def _once_committed(written: str) -> tuple[Notice, ...]:
    if not written:
        return ()
    return (
        Notice("uncommitted", f"{written} counts once it is committed", written, f"git add {written} && git commit"),
    )
