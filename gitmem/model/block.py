"""What a verify block of a rule asks of a change. Refuses to read text."""

from types import MappingProxyType

from gitmem.record import record

LISTS = ("forbid_import", "require_import", "require_companion", "forbid_pattern", "require_pattern", "forbid_path")
LAYER_IMPORTS, MAX_LINES, HEADER, HINT = "layer_imports", "max_lines", "header", "hint"
CHECKS = (*LISTS, LAYER_IMPORTS, MAX_LINES, HEADER)
KEYS = (*CHECKS, HINT)
# What a pattern of a companion takes from the file that asks for it, and what stands for any of them.
PLACEHOLDERS = MappingProxyType({"dir": "**", "stem": "*", "name": "*", "ext": "*"})


@record
class Block:
    """Each field is one check, empty where the rule does not ask for it.

    ``layer_imports`` has (layer, the layers that it may import from); ``hint`` is what a violation tells its reader.
    """

    forbid_import: tuple[str, ...] = ()
    require_import: tuple[str, ...] = ()
    require_companion: tuple[str, ...] = ()
    forbid_pattern: tuple[str, ...] = ()
    require_pattern: tuple[str, ...] = ()
    forbid_path: tuple[str, ...] = ()
    layer_imports: tuple[tuple[str, tuple[str, ...]], ...] = ()
    max_lines: int = 0
    header: str = ""
    hint: str = ""

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, name) for name in CHECKS)
