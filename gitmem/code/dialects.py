"""What resolving a name has to know of each language, one row each. Refuses to resolve one."""

from __future__ import annotations

from gitmem.record import record

# How far a name reaches that nobody imports: not at all, within its folder, or everywhere in the tree.
NOWHERE, FOLDER, EVERYWHERE = "", "folder", "everywhere"


@record
class Dialect:
    """``own`` are words for the object that a method is called on, ``above`` for what it inherits. ``is_implicit`` says
    that members need no such word, ``reach`` how far a name is seen without an import, ``family`` which languages call
    each other, ``head`` whether an import of a module binds the first part of its name, not the last,
    ``is_effect_only`` whether an import without names binds none, ``is_closed`` whether a name that is neither imported
    nor defined in its file was never that of another file, as was measured, ``is_spread`` whether the methods of a type
    may stand in files of their own, ``is_nested`` whether a type in a type calls members of the outer one."""

    family: str
    own: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()
    is_implicit: bool = False
    reach: str = NOWHERE
    head: bool = False
    is_effect_only: bool = False
    is_closed: bool = False
    is_spread: bool = False
    is_nested: bool = False


_THIS, _SUPER = frozenset({"this"}), frozenset({"super"})
_ES = Dialect("ecmascript", _THIS, _SUPER, is_effect_only=True, is_closed=True)
_ROWS = {
    "python": Dialect("python", frozenset({"self", "cls"}), _SUPER, head=True, is_closed=True),
    **dict.fromkeys(("typescript", "tsx", "javascript", "vue", "svelte", "astro"), _ES),
    "go": Dialect("go", reach=FOLDER, is_spread=True),
    "rust": Dialect("rust", frozenset({"self", "Self"}), is_spread=True),
    "java": Dialect("java", _THIS, _SUPER, is_implicit=True, reach=FOLDER, is_nested=True),
    "kotlin": Dialect("java", _THIS, _SUPER, is_implicit=True, reach=FOLDER, is_spread=True, is_nested=True),
    "csharp": Dialect("csharp", _THIS, frozenset({"base"}), is_implicit=True, reach=EVERYWHERE, is_nested=True),
    "razor": Dialect("csharp", _THIS, frozenset({"base"}), is_implicit=True, reach=EVERYWHERE, is_nested=True),
    "php": Dialect("php", frozenset({"$this", "self", "static"}), frozenset({"parent"}), reach=FOLDER),
    "blade": Dialect("php", frozenset({"$this", "self", "static"}), frozenset({"parent"}), reach=FOLDER),
    "ruby": Dialect("ruby", frozenset({"self"}), _SUPER, is_implicit=True, reach=EVERYWHERE),
    "erb": Dialect("ruby", frozenset({"self"}), _SUPER, is_implicit=True, reach=EVERYWHERE),
    "swift": Dialect("swift", frozenset({"self", "Self"}), _SUPER, is_implicit=True, reach=EVERYWHERE, is_spread=True),
    "dart": Dialect("dart", _THIS, _SUPER, is_implicit=True),
    "c": Dialect("c", reach=EVERYWHERE),
    "cpp": Dialect("c", _THIS, is_implicit=True, reach=EVERYWHERE, is_spread=True),
}
_NONE = Dialect("")


def dialect(language: str) -> Dialect:
    return _ROWS.get(language, _NONE)
