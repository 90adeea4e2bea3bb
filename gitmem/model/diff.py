"""A change of files as values: which files, how, and which lines. Refuses to read files."""

from gitmem.record import field, record

ADDED, MODIFIED, DELETED, RENAMED, COPIED, RETYPED, UNMERGED = "A", "M", "D", "R", "C", "T", "U"
# A file that is judged whole, whether it changed or not.
WHOLE = "W"
SYMLINK_MODE = "120000"
SUBMODULE_MODE = "160000"

Line = tuple[int, str]


@record
class FileDiff:
    """One file of a diff. ``added`` has 1-based lines of the new content, ``removed`` of the old, without their ends.

    ``new_oid`` is the blob of the new content, '' where Git has none; then ``held`` is that content, None where there
    is none or it cannot be read. Bytes that are no UTF-8 are kept in lines as ``surrogateescape`` keeps them.
    """

    path: str
    status: str
    old_path: str = ""
    old_mode: str = ""
    new_mode: str = ""
    old_oid: str = ""
    new_oid: str = ""
    is_binary: bool = False
    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()
    held: bytes | None = field(default=None, compare=False)

    @property
    def is_new(self) -> bool:
        """Whether all of its content counts as added."""
        return self.status in (ADDED, WHOLE, COPIED, RETYPED)

    @property
    def is_gone(self) -> bool:
        return self.status == DELETED


@record
class Diff:
    """``base`` is the commit that it starts from and ``end`` the one that it leads to, '' for none. ``digest`` names
    what it changes, byte for byte."""

    base: str
    files: tuple[FileDiff, ...]
    digest: str
    end: str = ""
