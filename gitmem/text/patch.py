"""New files as a unified diff that Git applies. Refuses to compare texts."""

from collections.abc import Mapping

_SIGNS = {ord("\n"): "\\n", ord("\t"): "\\t", ord('"'): '\\"', ord("\\"): "\\\\"}


def adding(files: Mapping[str, bytes]) -> str:
    """One part for each file, in order; bytes that are no UTF-8 must not be in it."""
    return "".join(_part(path, data.decode()) for path, data in files.items())


def _part(path: str, text: str) -> str:
    head = f"diff --git {_name('a/' + path)} {_name('b/' + path)}\nnew file mode 100644\n"
    if not text:
        return head
    # Only a line feed ends a line for Git.
    lines = text.removesuffix("\n").split("\n")
    count = "" if len(lines) == 1 else f",{len(lines)}"
    body = "".join(f"+{line}\n" for line in lines)
    end = "" if text.endswith("\n") else "\\ No newline at end of file\n"
    return f"{head}--- /dev/null\n+++ {_name('b/' + path)}\n@@ -0,0 +1{count} @@\n{body}{end}"


def _name(path: str) -> str:
    """As Git quotes it: by bytes, where a sign would end the name or is none."""
    raw = path.encode("utf-8", "surrogateescape")
    plain = all(32 <= byte < 127 and byte not in _SIGNS for byte in raw)
    if plain:
        return path
    return '"' + "".join(_SIGNS.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in raw) + '"'
