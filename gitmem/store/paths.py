"""Which text may name a file of a repository, with the same verdict on every system. Refuses to look at the disk."""

import re
import unicodedata

from gitmem.errors import UsageError

_LONGEST_BYTES = 4096
_LONGEST_NAME_BYTES = 255
# These two are compiled when they are first needed: most commands meet no such name, and it takes two milliseconds.
_DEVICE = r"(?i)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])( *\..*)?"
_UNSEEN = "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
_DRIVE = re.compile(r"[A-Za-z]:")
_SHORT_NAME = re.compile(r"git~[0-9]+")


class UnsafePathError(UsageError):
    """A path that could mean another file than it says, on this system or another."""

    code = "unsafe-path"


def check_rel(rel: str) -> str:
    """Returns ``rel`` if it names one file below the repository's root, the same one everywhere; never cleans it up."""
    reason = _escapes(rel) or next((r for name in rel.split("/") if (r := _means_another(name))), "")
    if reason:
        raise _unsafe(rel, reason)
    return rel


def target_path(text: str) -> str:
    r"""The path that a user's ``text`` means: ``src\\a.ts`` and ``./src/a.ts`` are ``src/a.ts`` on every system.

    Device names and trailing dots or spaces pass here: such files exist in code, and a target is only matched.
    """
    rel = text.replace("\\", "/")
    while rel.startswith("./"):
        rel = rel[2:]
    reason = _escapes(rel)
    if reason:
        raise _unsafe(text, reason)
    return rel


def _unsafe(text: str, reason: str) -> UnsafePathError:
    return UnsafePathError(
        f"not a path inside the repository: {text[:200]!r}: {reason}",
        hint="give a path relative to the repository's root, with / between the names",
    )


def _escapes(rel: str) -> str:
    """Why ``rel`` may lead outside of the work tree, or into Git's own folder; '' when it cannot."""
    if not rel:
        return "it is empty"
    if _is_unprintable(rel):
        return "it holds control or half characters"
    if "\\" in rel:
        return "it holds a backslash"
    if rel.startswith("/") or _DRIVE.match(rel):
        return "it is absolute"
    if rel == "~" or rel.startswith("~/"):
        return "it starts at a home folder"
    if len(rel.encode()) > _LONGEST_BYTES:
        return f"it is longer than {_LONGEST_BYTES} bytes"
    return next((reason for name in rel.split("/") if (reason := _misleads(name))), "")


def _is_unprintable(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return False
    return any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text)


def _misleads(name: str) -> str:
    if name in ("", ".", ".."):
        return f"it holds the name {name!r}"
    if len(name.encode()) > _LONGEST_NAME_BYTES:
        return f"a name in it is longer than {_LONGEST_NAME_BYTES} bytes"
    folded = _as_the_laxest_system_reads(name)
    if folded == ".git" or _SHORT_NAME.fullmatch(folded):
        return "it leads into Git's own folder"
    return ""


def _as_the_laxest_system_reads(name: str) -> str:
    """HFS+ skips unseen characters, NTFS drops trailing dots and spaces and what follows a colon; both ignore case."""
    if not name.isascii():
        name = "".join(c for c in name if unicodedata.category(c) != "Cf")
        name = unicodedata.normalize("NFKC", re.sub(_UNSEEN, "", name))
    return name.partition(":")[0].rstrip(". ").casefold()


def _means_another(name: str) -> str:
    if ":" in name:
        return "a colon names a stream on Windows"
    if name[-1] in ". ":
        return "Windows drops a trailing dot or space"
    if re.fullmatch(_DEVICE, name):
        return "it names a device on Windows"
    return ""
